//===- Doctor/SimCases.cpp - planted faults in simulated GPU kernels -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The simulator's part of the table. A report must begin with the check's name.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Doctor/Cases.h"

namespace mica::runtool::doctor {

namespace {

/// Two blocks' elements.
Argument elements(double fill, int64_t more = 0) { return {DType::F32, {64 + more}, fill}; }
Argument index(double value) { return {DType::Index, {}, value}; }

/// A detector with one case: `entry` on a buffer and a scalar, which is `faulty` or `clean`.
Detector one(std::string_view name, std::string_view watches, std::string_view check, std::string_view fault,
             std::string_view entry, Argument faulty, Argument clean, std::string_view op, std::string_view place,
             std::string_view says) {
  return {name,
          watches,
          Method::Simulated,
          "",
          "",
          {{fault, entry, {elements(1), faulty}, {elements(1), clean}, op, place, 1, says}},
          entry,
          /*shadows=*/false,
          check};
}

} // namespace

std::vector<Detector> simDetectors() {
  Detector alignment = one("sim-alignment", "addresses of GPU kernels", "alignment", "4 bytes behind a multiple of 16",
                           "sim_vector", index(1), index(0), "vector.load", "planted-sim-alignment", "alignment: ");
  for (std::vector<Argument> *arguments : {&alignment.cases[0].faulty, &alignment.cases[0].clean})
    arguments->insert(arguments->begin(), elements(1, /*more=*/4));
  return {
      one("sim-bounds", "accesses of GPU kernels outside their buffer", "bounds", "a store one too far", "sim_offset",
          index(1), index(0), "memref.store", "planted-sim-bounds", "bounds: "),
      one("sim-race", "unordered accesses of threads", "race", "a read of a neighbour's element", "sim_exchange",
          index(1), index(0), "memref.load", "planted-sim-race", "race: "),
      one("sim-init", "reads of memory that no thread wrote", "init", "the last element", "sim_tail", index(31),
          index(32), "memref.load", "planted-sim-init", "init: "),
      one("sim-barrier", "barriers that not all threads reach", "barrier", "one warp of two", "sim_branch", index(32),
          index(64), "gpu.barrier", "planted-sim-barrier", "barrier: "),
      one("sim-async", "missing waits for copies", "async", "a read of what is copied", "sim_copy", index(0), index(32),
          "memref.load", "planted-sim-async", "async: "),
      alignment,
      one("sim-hang", "threads that wait forever", "", "a value that stays", "sim_wait", {DType::F32, {}, 1},
          {DType::F32, {}, 2}, "memref.atomic_rmw", "planted-sim-hang", "hang: "),
  };
}

} // namespace mica::runtool::doctor
