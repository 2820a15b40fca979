//===- CompilerBuild.h - which build of the compiler an artifact is of ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_COMPILERBUILD_H
#define MICA_ARTIFACT_COMPILERBUILD_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <string>

namespace mica::artifact {

/// A hash of the contents of `compiler` and of every library that it loads on this machine. It is computed once by
/// mica-compile --print-build (0.2 s), and cached; the cached value is valid while the device, inode, size and times of
/// these files are unchanged, which is checked here (0.1 ms). For a program without that option the hash covers its own
/// contents alone. Errors: Io, NotFound.
Result<std::string> compilerBuild(const std::filesystem::path &compiler);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_COMPILERBUILD_H
