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

/// A hash of the contents of `compiler` and of every library it loads here. The compiler is asked (mica-compile
/// --print-build, 0.2 s) once; what it said holds while each of these files has its device, inode, size and times,
/// which are examined here (0.1 ms), and is kept in the cache folder. A program that does not answer is its own
/// contents alone. Errors: Io, NotFound.
Result<std::string> compilerBuild(const std::filesystem::path &compiler);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_COMPILERBUILD_H
