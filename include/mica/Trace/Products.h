//===- Products.h - an artifact as products of a trace ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The texts of an artifact as records. Each names its file ("mica": {"file": ...}), so that a reader can put them
// together again and show what an artifact shows: passes, provenance, tasks, memory. Snapshots go as they lie, packed:
// to print the few that end a phase would take a twentieth of the compile.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_PRODUCTS_H
#define MICA_TRACE_PRODUCTS_H

#include "mica/Artifact/Artifact.h"
#include "mica/Trace/Record.h"
#include "mica/Trace/Writer.h"

#include <map>
#include <string>
#include <vector>

namespace mica::trace {

/// The compiles that the entries of a program are: [first/number] is the first entry's.
struct ProgramUnits {
  int64_t first = 0, number = 0;
  CompileId operator()(size_t entry, int64_t attempt = 0) const {
    return {-1, first + static_cast<int64_t>(entry), number, attempt};
  }
};

/// What the records of the products leave for `compilation_metrics`.
struct ProductsSummary {
  std::map<std::string, double> phases;            ///< milliseconds of the passes by phase
  std::vector<std::vector<std::string>> fallBacks; ///< per entry: why each attempt but the last was rejected
  std::vector<int64_t> kernels;                    ///< per entry: those it is the first to launch

  /// Of an entry: the rejected strategy.
  int64_t attempts(size_t entry) const {
    return entry < fallBacks.size() ? static_cast<int64_t>(fallBacks[entry].size()) : 0;
  }
  /// `restart_reasons` of an entry, as JSON.
  std::string reasons(size_t entry) const;
};

/// Writes what the code of `entry` takes for granted about its arguments; every call is checked for it.
void writeGuards(Writer &writer, const artifact::EntryRecord &entry, const CompileId &compile);

/// Writes the products of `artifact`: what belongs to the program with the first entry, a kernel's with the first entry
/// that launches it. A strategy that a pass rejected for another begins an attempt of that entry's compile, with the
/// artifact `strategy_fallback`. No weights of more than 64 elements. Files that cannot be read are left out.
ProductsSummary writeProducts(Writer &writer, const artifact::Artifact &artifact, const ProgramUnits &unit);

} // namespace mica::trace

#endif // MICA_TRACE_PRODUCTS_H
