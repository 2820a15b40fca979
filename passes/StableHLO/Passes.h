//===- Passes.h - passes of the area StableHLO -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the pass that converts the input dialect stablehlo.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_PASSES_H
#define MICA_PASSES_STABLEHLO_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mica {

#define GEN_PASS_DECL
#include "passes/StableHLO/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/StableHLO/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_STABLEHLO_PASSES_H
