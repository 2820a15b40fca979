//===- List.h - lists and statistics of a dump -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_LIST_H
#define MICA_LIB_DUMPTOOL_LIST_H

#include "lib/DumpTool/Options.h"
#include "mica/Dump/Dump.h"

#include <span>
#include <string>

namespace mica::dumptool {

/// What a dump is of, how far it goes, and what is missing: lines.
std::string summaryText(const dump::Dump &dump);
/// A line per tensor of `chosen` (positions).
std::string listText(const dump::Dump &dump, std::span<const size_t> chosen, bool withStatistics);
/// The same, with everything that is known, as a JSON text.
std::string listJson(const dump::Dump &dump, std::span<const size_t> chosen);
/// "min -1, max 3.5, mean 0.2, largest 3.5, 2 NaN, 0 Inf, 5 zeros".
std::string statisticsText(const dump::Statistics &statistics);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_LIST_H
