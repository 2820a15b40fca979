//===- LineMap.h - <file>.map.json -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: which lines of a text belong to an op.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LINEMAP_H
#define MICA_LIB_REPORT_LINEMAP_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// The lines of the text `file`, from 1 and in order, that its map gives op `id`.
Result<std::vector<int64_t>> linesOfOp(const std::filesystem::path &file, std::string_view id);

/// The same for a map in memory; `file` is used in messages.
Result<std::vector<int64_t>> parseLinesOfOp(std::string_view text, std::string_view file, std::string_view id);

/// "3-7, 12, 20-21".
std::string lineRanges(const std::vector<int64_t> &lines);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LINEMAP_H
