//===- Passes.h - passes of the area Dispatch -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, and the builder of the phases this
// area makes up (passes/Pipelines/Phases.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_PASSES_H
#define MICA_PASSES_DISPATCH_PASSES_H

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/FusionRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mica {

/// Patterns that lower every mica op to linalg; see the pass convert-mica-to-linalg.
void populateMicaToLinalgPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of mica-dispatch-generalize-ops.
void populateGeneralizeOpsPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "passes/Dispatch/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Dispatch/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_DISPATCH_PASSES_H
