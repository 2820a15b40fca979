//===- Compare.h - two dumps -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the tensors of two runs in the order of their dependencies.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_COMPARE_H
#define MICA_LIB_DUMPTOOL_COMPARE_H

#include "lib/DumpTool/Options.h"
#include "mica/Dump/Dump.h"

#include <span>
#include <string>
#include <vector>

namespace mica::dumptool {

/// How the two tensors of a pair relate.
enum class Verdict {
  Equal, ///< bit by bit
  Close, ///< within what rounding explains
  Different,
  Unknown, ///< one of them is not in its dump, or nothing is known of it
};

/// A tensor that a launch wrote, and its counterpart.
struct Pair {
  size_t a = 0, b = 0; ///< positions in the dumps
  Verdict verdict = Verdict::Unknown;
  bool isByStatistics = false; ///< there are no elements to compare: numbers and hashes were
  /// It differs, and what was computed from it does not: elements that no kernel wrote, such as those of a tensor that
  /// several kernels fill part by part, or that did not matter.
  bool isWithoutConsequence = false;
};

struct DumpComparison {
  std::vector<Pair> pairs;               ///< in the order of the first dump's launches
  std::vector<size_t> onlyA, onlyB;      ///< written tensors without a counterpart
  std::vector<std::string> givenDiffer;  ///< what comes from outside of the program and differs: "argument 0"
  std::vector<std::string> givenUnknown; ///< of which the dumps have seen other parts, or a sample and the whole
  int64_t first = -1;                    ///< the first pair that differs, with consequence if any has
  int64_t firstBits = -1;                ///< the first whose bits differ, though those of all it is computed from agree
  bool samePlaces = false;               ///< both are of one program: places were paired, else operations

  size_t count(Verdict verdict) const;
};

/// Compares what launches wrote that `options` selects. Errors: elements that cannot be read.
Result<DumpComparison> compareDumps(const dump::Dump &a, const dump::Dump &b, const Options &options);

/// Where the values of one tensor come from: what its launch read, and, through tensors that have no counterpart, what
/// was read for those.
struct Ancestry {
  std::vector<std::string> operations; ///< that lie between: of the tensor's launch, and of those
  std::vector<std::string> sources;    ///< "%q: equal", "argument 0: equal", ...
};
Ancestry ancestryOf(const dump::Dump &a, const DumpComparison &comparison, size_t tensor);

/// The report.
Result<std::string> comparisonText(const dump::Dump &a, const dump::Dump &b, const DumpComparison &comparison,
                                   const Options &options);
Result<std::string> comparisonJson(const dump::Dump &a, const dump::Dump &b, const DumpComparison &comparison,
                                   const Options &options);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_COMPARE_H
