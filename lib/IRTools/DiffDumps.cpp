//===- DiffDumps.cpp - mica-diff on dumps of other compilers ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DiffDumps.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/DiffDumps.h"

#include "mica/PassDump/PrintDump.h"

#include <filesystem>

using namespace mica;
using namespace mica::irtools;

bool irtools::areDumps(const std::vector<std::string> &words) {
  std::error_code ignored;
  if (words.empty() || words.size() > 3)
    return false;
  if (words[0] == "-")
    return words.size() == 1 || !std::filesystem::exists(words[1], ignored);
  if (!passdump::isDump(words[0]))
    return false;
  return words.size() != 2 || !std::filesystem::exists(words[1], ignored) || passdump::isDump(words[1]);
}

Result<DumpDiff> irtools::diffDumps(const std::vector<std::string> &words, const DumpDiffOptions &options) {
  std::error_code ignored;
  MICA_ASSIGN_OR_RETURN(const passdump::Dump dump, passdump::readDump(words[0]));
  const bool areTwo = words.size() == 2 && words[0] != "-" && std::filesystem::exists(words[1], ignored);
  if (areTwo || words.size() == 3) {
    if (options.json || options.statistics)
      return Error{ErrorCode::InvalidInput, "--json and --stat are for the passes of one dump", "leave them out"};
    passdump::DumpComparison compared;
    if (areTwo) {
      MICA_ASSIGN_OR_RETURN(const passdump::Dump other, passdump::readDump(words[1]));
      compared = passdump::compareDumps(dump, other);
    } else {
      MICA_ASSIGN_OR_RETURN(compared, passdump::compareStates(dump, words[1], words[2]));
    }
    return DumpDiff{std::move(compared.text), compared.same};
  }
  const std::string pass = words.size() == 2 ? words[1] : "";
  size_t found = 0, changed = 0;
  std::string text = options.json ? passdump::printChangesJson(dump, pass, found, changed)
                                  : passdump::printChanges(dump, pass, found, changed);
  if (!found)
    return Error{ErrorCode::NotFound, words[0] + " has no pass '" + pass + "'",
                 "mica-diff --stat " + words[0] + " lists its passes; give a name, an argument or a number"};
  if (options.statistics && pass.empty())
    text = passdump::printRuns(dump);
  return DumpDiff{std::move(text), changed == 0};
}
