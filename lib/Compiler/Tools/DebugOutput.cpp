//===- DebugOutput.cpp - --debug-only of builds with assertions ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DebugOutput.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Tools/DebugOutput.h"

#include "llvm/Config/abi-breaking.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

#include <string>
#include <vector>

// An LLVM with assertions, detected by its ABI checks, has the option itself.
#if !defined(NDEBUG) && !LLVM_ENABLE_ABI_BREAKING_CHECKS
static llvm::cl::list<std::string> &debugOnly() {
  static llvm::cl::list<std::string> types(
      "debug-only", llvm::cl::value_desc("TYPE,..."), llvm::cl::CommaSeparated,
      llvm::cl::desc("Print what these passes decide and why, by their arguments"));
  return types;
}

void mica::compiler::registerDebugOptions() { (void)debugOnly(); }

void mica::compiler::applyDebugOptions() {
  std::vector<const char *> types;
  for (const std::string &type : debugOnly())
    types.push_back(type.c_str());
  if (types.empty())
    return;
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(types.data(), types.size());
}
#else
void mica::compiler::registerDebugOptions() {}
void mica::compiler::applyDebugOptions() {}
#endif
