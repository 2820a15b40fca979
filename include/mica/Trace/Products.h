//===- Products.h - artifacts in trace logs ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Writes the texts of an artifact as records. Each names its file ("mica": {"file": ...}), so that a reader can
// reassemble the artifact: passes, provenance, tasks, memory. Snapshots are copied in packed form, because printing
// those at the end of each phase would take a twentieth of the compile.
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

/// The compile ids of a program's entries: [first/number] is the first entry's.
struct ProgramUnits {
  int64_t first = 0, number = 0;
  CompileId operator()(size_t entry, int64_t attempt = 0) const {
    return {-1, first + static_cast<int64_t>(entry), number, attempt};
  }
};

/// Data of the products for `compilation_metrics`.
struct ProductsSummary {
  std::map<std::string, double> phases;            ///< milliseconds of the passes by phase
  std::vector<std::vector<std::string>> fallBacks; ///< per entry: why each attempt except the last was rejected
  std::vector<int64_t> kernels;                    ///< per entry: the kernels that it is the first to launch

  /// The number of rejected strategies of an entry.
  int64_t attempts(size_t entry) const {
    return entry < fallBacks.size() ? static_cast<int64_t>(fallBacks[entry].size()) : 0;
  }
  /// `restart_reasons` of an entry, as JSON.
  std::string reasons(size_t entry) const;
};

/// Writes the assumptions of the code of `entry` about its arguments; every call is checked against them.
void writeGuards(Writer &writer, const artifact::EntryRecord &entry, const CompileId &compile);

/// Writes the products of `artifact`: those of the program with the first entry, those of a kernel with the first entry
/// that launches it. A rejected strategy begins an attempt of that entry's compile, with the artifact
/// `strategy_fallback`. Weights of more than 64 elements are omitted, and so are unreadable files.
ProductsSummary writeProducts(Writer &writer, const artifact::Artifact &artifact, const ProgramUnits &unit);

} // namespace mica::trace

#endif // MICA_TRACE_PRODUCTS_H
