//===- Target.cpp - parsing --target ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Splits --target into the back end and the chip, and looks up both.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Targets/Target.h"

#include "mica/Support/Text.h"

#include "llvm/ADT/STLExtras.h"

using namespace mica;
using namespace mica::compiler;

Result<Target> compiler::parseTarget(llvm::StringRef text, llvm::StringRef hostLevel, const Machine *machine) {
  auto [name, chip] = text.split(':');
  Target target;
  target.backend = lookupTarget(text);
  if (!target.backend) {
    std::vector<std::string> names;
    for (const TargetInfo &info : allTargets())
      if (lookupTarget(std::string(info.name)))
        names.emplace_back(info.name);
    const bool isVendor = llvm::is_contained({"gpu", "nvidia", "amd", "intel"}, name);
    return Error{ErrorCode::Unsupported, "unknown target '" + text.str() + "'",
                 isVendor ? "give cuda (NVIDIA GPUs), rocm (AMD GPUs), opencl (OpenCL devices) or sim (a simulated GPU)"
                          : unknownNameHint(text.str(), names)};
  }
  MICA_ASSIGN_OR_RETURN(target.host, target.backend->hostCode(chip, hostLevel, machine));
  if (target.backend->info().hasDeviceCode) {
    MICA_ASSIGN_OR_RETURN(target.device, target.backend->deviceCode(chip));
  }
  return target;
}

Result<CodeTarget> compiler::deviceTarget(llvm::StringRef target) {
  const codegen::Target *backend = lookupTarget(target);
  if (!backend)
    return Error{ErrorCode::Unsupported, "unknown target '" + target.str() + "'",
                 "give one of " + std::string(targetSyntax())};
  return backend->deviceCode(target.split(':').second);
}
