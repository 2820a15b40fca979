//===- Changes.h - what changed between two programs, as rows ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: a comparison of mica-diff as the pages read it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_CHANGES_H
#define MICA_LIB_REPORT_ARTIFACT_CHANGES_H

#include "lib/Report/Artifact/Names.h"
#include "lib/Support/Json.h"

#include <array>
#include <set>
#include <string>
#include <vector>

namespace mica::report {

struct ChangeRows {
  Json rows = Json::array();       ///< Page/passes.js names the columns
  std::array<int64_t, 4> counts{}; ///< added, removed, changed, moved
  bool structural = false;         ///< else there are no rows, and the texts are compared
  std::string asTextBecause;
  std::vector<std::vector<std::string>> idSets; ///< of the changed ops; rows refer to them by position
  std::set<std::string> kinds;                  ///< of the changed ops
};

/// `found`: an element of "comparisons" of mica-diff's JSON.
ChangeRows changeRows(const Json &found, Names &names);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_CHANGES_H
