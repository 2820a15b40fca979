//===- NanRecords.h - what kernels on a device noted of what they stored ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime. Kernels that were compiled for a device with nan-check note where a thread stored NaN or an
// infinity (passes/Codegen/GPU/CheckNans.cpp), in the log of their checks. A note is no alarm: it says that it is worth
// to look at the results, and then who stored what is found there.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_NANRECORDS_H
#define MICA_LIB_RUNTIME_NANRECORDS_H

#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::runtime {

/// The notes of one launch that is complete.
class NanRecords {
public:
  /// `program` must outlive it.
  NanRecords(const Program &program, const Launch &launch) : program(program), launch(launch) {}

  /// Whether the kernel looked at everything that it stored to its results, and found nothing. Of code as it was
  /// compiled: an edit by hand may have taken the question away.
  bool saysFinite() const;

  /// Who stored what is in a result now.
  struct Storer {
    /// "stored by mica.div [3ee125ca38da] at n.mlir:3:8 in thread (3,0,0) of block (0,0,0) at [0, 3], the first of 32
    /// times"
    std::string text;
    int64_t element = -1; ///< its position in the buffer, -1: it is not known
  };
  /// Of NaN (or infinities) in buffer `binding` of sizes `shape`; empty where the kernel noted none.
  std::vector<Storer> storersOf(int64_t binding, const std::vector<int64_t> &shape, bool nan) const;

  /// For the next launch.
  void clear() const;

private:
  const Program &program;
  const Launch &launch;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_NANRECORDS_H
