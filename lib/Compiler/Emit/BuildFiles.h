//===- BuildFiles.h - the files of this build of the compiler -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_BUILDFILES_H
#define MICA_LIB_COMPILER_EMIT_BUILDFILES_H

#include "mica/Support/Status.h"

#include <string>

namespace mica::compiler {

/// This program and every shared library that it loaded, as JSON: {"files": [{"path", "hash"}, ...]}. Part of the key
/// of artifact caches (mica/Artifact/CompilerBuild.h). Reads all of them: 0.1 s.
Result<std::string> printBuild();

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_BUILDFILES_H
