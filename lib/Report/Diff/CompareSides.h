//===- CompareSides.h - what two runs do not share ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: units are paired by their names, products by theirs. Times are shown and are no difference; nor are the
// times, processes and threads inside JSON products, and the reproducer and the tool's call, which hold the paths of
// their run.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_DIFF_COMPARESIDES_H
#define MICA_LIB_REPORT_DIFF_COMPARESIDES_H

#include "lib/Report/Artifact/Changes.h"
#include "lib/Report/Diff/Side.h"
#include "lib/Report/Log/TextStore.h"

#include <string>
#include <vector>

namespace mica::report {

struct ChangedProduct {
  std::string name;
  int64_t bytesBefore = -1, bytesAfter = -1; ///< -1: it is not on this side
  int64_t linesRemoved = 0, linesAdded = 0;
  ChangeRows changes;  ///< of IR, where it was compared by structure
  bool isSame = false; ///< but for names and order
  int64_t order = SideProduct::kNoPass;
};

struct UnitDifference {
  std::string name;
  bool before = true, after = true;              ///< whether each side has it
  std::vector<std::array<std::string, 3>> facts; ///< name, before, after; "" where a side lacks it
  std::vector<ChangedProduct> products;
  bool any() const { return !before || !after || !facts.empty() || !products.empty(); }
};

struct SideDifference {
  std::vector<UnitDifference> units; ///< all, also those that are the same
  int64_t same = 0;
  std::string note; ///< what was compared as text though it is IR, and why
};

/// The snapshot of the earliest pass after which the sides differ, and its unit; nulls if no snapshot differs.
std::pair<const UnitDifference *, const ChangedProduct *> firstDifference(const SideDifference &difference);

Result<SideDifference> compareSides(const Side &before, const Side &after);

/// Lines for the terminal.
std::string differenceText(const Side &before, const Side &after, const SideDifference &difference);

/// For Page/diff.js; texts that differ go into the store.
Result<std::string> differenceData(const Side &before, const Side &after, const SideDifference &difference,
                                   TextStore &store, bool constants);

} // namespace mica::report

#endif // MICA_LIB_REPORT_DIFF_COMPARESIDES_H
