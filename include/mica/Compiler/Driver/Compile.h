//===- Compile.h - compiling a program ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// From a program to an artifact, or to the text of one of its stages.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_DRIVER_COMPILE_H
#define MICA_COMPILER_DRIVER_COMPILE_H

#include "mica/Compiler/Emit/CompileOptions.h"
#include "mica/Support/Status.h"

#include <string>

namespace mica::compiler {

/// Compiles. Diagnostics are printed to stderr; the error that is returned summarizes them in one line. No partial
/// output is left, even if the process is killed.
Status compile(const CompileOptions &options);

/// "build_output/lenet" for "models/lenet.mlir".
std::string defaultOutput(const std::string &input);

/// Prints the entries of a program with their signatures, for --list.
Status listEntries(const std::string &input);

} // namespace mica::compiler

#endif // MICA_COMPILER_DRIVER_COMPILE_H
