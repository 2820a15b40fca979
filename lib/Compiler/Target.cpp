//===- Target.cpp - what --target names -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The back end before the colon, the processors it makes code for behind it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Target.h"

#include "mica/Support/Text.h"

using namespace mica;
using namespace mica::compiler;

Result<Target> compiler::parseTarget(llvm::StringRef text, llvm::StringRef hostLevel, const Machine *machine) {
  auto [backend, chip] = text.split(':');
  Target target;
  target.backend = backend.str();
  if (backend != "cpu" && backend != "sim" && !isDeviceTarget(text))
    return Error{ErrorCode::Unsupported, "unknown target '" + text.str() + "'",
                 backend == "gpu" || backend == "nvidia" || backend == "amd" || backend == "opencl"
                     ? "give cuda (NVIDIA GPUs), rocm (AMD GPUs), spirv (OpenCL devices) or sim (a simulated GPU)"
                     : unknownNameHint(text.str(), {"cpu", "sim", "cuda", "rocm", "spirv"})};
  if (backend == "sim" && text.contains(':'))
    return Error{ErrorCode::InvalidInput, "the simulator has no chips: '" + text.str() + "'", "give --target=sim"};
  if (backend == "cpu" && !hostLevel.empty())
    return Error{ErrorCode::InvalidInput, "--host-cpu=" + hostLevel.str() + " is for code beside that of a GPU",
                 "give --target=cpu:" + hostLevel.str()};
  if (backend == "cpu" && text.contains(':')) {
    MICA_ASSIGN_OR_RETURN(target.host, cpuTarget(chip, "--target=cpu:"));
  } else if (!hostLevel.empty()) {
    MICA_ASSIGN_OR_RETURN(target.host, cpuTarget(hostLevel, "--host-cpu="));
  } else {
    MICA_ASSIGN_OR_RETURN(target.host, hostTarget(machine));
  }
  if (isDeviceTarget(text)) {
    MICA_ASSIGN_OR_RETURN(target.device, deviceTarget(text));
  }
  return target;
}
