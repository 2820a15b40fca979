//===- PrintDump.h - a dump for the terminal ---------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What mica-report --text and mica-diff print.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSDUMP_PRINTDUMP_H
#define MICA_PASSDUMP_PRINTDUMP_H

#include "mica/PassDump/Dump.h"

namespace mica::passdump {

/// "0003 Canonicalizer (canonicalize) @f".
std::string runTitle(const Run &run);
/// "2 ops added, 1 changed", "nothing", "as text", ...
std::string runSummary(const Run &run);

/// One line per pass, and what could not be read. Makes control characters visible.
std::string printRuns(const Dump &dump);

/// The changes of each pass; of those whose name, argument or number is `pass` where it is not empty. Sets `found` to
/// the number of runs printed, `changed` to those that changed something.
std::string printChanges(const Dump &dump, const std::string &pass, size_t &found, size_t &changed);

/// The same as JSON, in the form of mica-diff --json.
std::string printChangesJson(const Dump &dump, const std::string &pass, size_t &found, size_t &changed);

struct DumpComparison {
  std::string text;
  bool same = true;
};
/// Two dumps, pass by pass: the first whose result differs with how it does, then the others.
DumpComparison compareDumps(const Dump &before, const Dump &after);

/// Two dumps as one: of each pass that both have, the text of `before` and then that of `after`, so that the changes of
/// a pass are what the second has other than the first. Passes of one dump alone are in its notes.
Dump combineDumps(Dump before, Dump after);

/// The texts after two passes of a dump, each given by its number, or by its name or argument where one pass has it;
/// "0" is the text before the first pass. Errors: NotFound; InvalidInput where a name is that of several.
Result<DumpComparison> compareStates(const Dump &dump, const std::string &first, const std::string &second);

/// Whether `pass` names the run: its number, name or argument.
bool isNamed(const Run &run, const std::string &pass);

/// Calls `take` for each run that `pass` names, or for all where it is "". `found` is set to their number, `changed` to
/// that of those that changed something.
void walkNamedRuns(const Dump &dump, const std::string &pass, size_t &found, size_t &changed,
                   const std::function<void(const Run &)> &take);

} // namespace mica::passdump

#endif // MICA_PASSDUMP_PRINTDUMP_H
