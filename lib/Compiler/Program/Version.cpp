//===- Version.cpp - version of this build ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Version.h. MICA_VERSION comes from CMake's project().
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Program/Version.h"

#include "llvm/Config/llvm-config.h"

std::string mica::compiler::micaVersion() { return MICA_VERSION; }
std::string mica::compiler::llvmVersion() { return LLVM_VERSION_STRING; }
std::string mica::compiler::versionText() { return micaVersion() + " (LLVM " + llvmVersion() + ")"; }
