//===- Passes.h - passes of the area Codegen/CPU ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, and the target cpu
// (passes/Pipelines/Phases.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_PASSES_H
#define MICA_PASSES_CODEGEN_CPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mica {
namespace codegen {
class Target;
} // namespace codegen

/// The target cpu. Constant.
const codegen::Target &getCPUTarget();

#define GEN_PASS_DECL
#include "passes/Codegen/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/CPU/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CODEGEN_CPU_PASSES_H
