//===- Paths.h - where things are --------------------------------------------------------------------------===//
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
#include <string>
#include <string_view>

namespace mica {

/// MICA_CACHE_DIR, else the user's cache folder with /mica. Not created. In a folder that belongs to another user, or
/// that everyone may write to, it is user-UID, a folder of this user alone, which is created; not so where this user
/// may not write there. Fails with NotFound where neither is set, with Io where user-UID belongs to another user.
Result<std::filesystem::path> cacheFolder();

/// The running program; empty where the system does not tell.
std::filesystem::path executablePath();

/// The `mica-compile` to start: MICA_COMPILE, beside the running program, on PATH. Fails with Unsupported; the message
/// says where it was looked for, the hint what works without a compiler.
Result<std::filesystem::path> findCompiler();

/// The mica-run that runs isolated calls of the library that `inLibrary`, an address, is in: MICA_RUN, or in the folder
/// `bin` beside the library's, or on PATH.
Result<std::filesystem::path> findRunner(const void *inLibrary);

/// "20261121T034455Z-4711": now and this process, sortable; the name of a run folder.
std::string runFolderName();

} // namespace mica

#endif // MICA_SUPPORT_PATHS_H
