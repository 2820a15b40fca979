//===- Target.cpp - interface of compilation targets --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Defaults that most targets share.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Target.h"

#include "passes/Codegen/HostProcessor.h"

#include <cassert>

using namespace mica;
using namespace mica::codegen;

static const TargetInfo &rowOf(llvm::StringRef name) {
  const TargetInfo *row = findTarget({name.data(), name.size()});
  assert(row && "a target without a row in lib/Support/Targets.cpp");
  return *row;
}

Target::Target(llvm::StringRef name) : row(rowOf(name)) {}

Result<CodeTarget> Target::hostCode(llvm::StringRef chip, llvm::StringRef hostLevel, const Machine *machine) const {
  return hostLevel.empty() ? hostTarget(machine) : cpuTarget(hostLevel, "--host-cpu=");
}

Result<CodeTarget> Target::deviceCode(llvm::StringRef chip) const {
  return Error{ErrorCode::Internal, "--target=" + name().str() + " has no code of a GPU", ""};
}

Result<std::vector<artifact::DeviceEntry>> Target::describeCode(llvm::StringRef text, const std::string &file,
                                                                const CodeTarget &code,
                                                                const std::string &cubin) const {
  return std::vector<artifact::DeviceEntry>();
}
