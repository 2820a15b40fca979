//===- ZipFolder.h - a folder as one file ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: for reports that are sent.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_ZIPFOLDER_H
#define MICA_LIB_REPORT_LOG_ZIPFOLDER_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <string>

namespace mica::report {

/// Writes every file below `folder` into the zip `file`, deflated, in the order of their names and all under `root`/.
/// The same contents give the same bytes. Fails with Unsupported beyond 4 GiB or 65,535 files.
Status zipFolder(const std::filesystem::path &folder, const std::string &root, const std::filesystem::path &file);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_ZIPFOLDER_H
