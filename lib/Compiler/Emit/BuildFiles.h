//===- BuildFiles.h - the files that the compiler is made of ------------------------------------------------------===//
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

/// This program and every library that the dynamic linker loaded for it, as JSON: {"files": [{"path", "hash"}, ...]}.
/// Whoever caches artifacts takes it as part of the key (mica/Artifact/CompilerBuild.h). Reads all of them: 0.1 s.
Result<std::string> printBuild();

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_BUILDFILES_H
