//===- Paths.h - paths of the cache folder and of Mica's programs ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The cache folder, the running program, and other programs of Mica.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_PATHS_H
#define MICA_SUPPORT_PATHS_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mica {

/// MICA_CACHE_DIR, else the user's cache folder with /mica. Not created. In a folder that belongs to another user, or
/// that is writable by all, it is user-UID, a folder of this user alone, which is created unless this user cannot write
/// there. Fails with NotFound if neither is set, with Io if user-UID belongs to another user.
Result<std::filesystem::path> cacheFolder();

/// The running program; empty if unknown.
std::filesystem::path executablePath();

/// The program `name` of the first folder on PATH that has it.
std::optional<std::filesystem::path> findOnPath(const char *name);

/// The `mica-compile` to start: MICA_COMPILE, beside the running program, on PATH. Fails with Unsupported; the message
/// lists the searched places, the hint says what works without a compiler.
Result<std::filesystem::path> findCompiler();

/// The mica-run for isolated calls of the library that contains the address `inLibrary`: MICA_RUN, or in the folder
/// `bin` beside the library's, or on PATH.
Result<std::filesystem::path> findRunner(const void *inLibrary);

/// "20261121T034455Z-4711": now and this process, sortable; the name of a run folder.
std::string runFolderName();

} // namespace mica

#endif // MICA_SUPPORT_PATHS_H
