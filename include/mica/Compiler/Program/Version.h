//===- Version.h - version of this build --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The versions of Mica and of its LLVM.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PROGRAM_VERSION_H
#define MICA_COMPILER_PROGRAM_VERSION_H

#include <string>

namespace mica::compiler {

/// "0.1.0".
std::string micaVersion();
/// "22.1.8".
std::string llvmVersion();
/// "0.1.0 (LLVM 22.1.8)".
std::string versionText();

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_VERSION_H
