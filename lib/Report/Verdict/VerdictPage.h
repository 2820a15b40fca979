//===- VerdictPage.h - a report of mica-bisect as a page -------------------------------------------------*- C++
//-*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: shows verdict.json, for those who read a report in the browser.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_VERDICT_VERDICTPAGE_H
#define MICA_LIB_REPORT_VERDICT_VERDICTPAGE_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <string>

namespace mica::report {

/// Whether `path` is a folder that mica-bisect wrote, or the verdict.json in one.
bool isVerdict(const std::filesystem::path &path);

/// The page. Errors: Io, Damaged with file and key.
Result<std::string> verdictPage(const std::filesystem::path &path);

} // namespace mica::report

#endif // MICA_LIB_REPORT_VERDICT_VERDICTPAGE_H
