//===- Passes.h - passes of the area Tensor ---------------------------------------------------------------------===//
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

#ifndef MICA_PASSES_TENSOR_PASSES_H
#define MICA_PASSES_TENSOR_PASSES_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mica {

/// Patterns of convert-tosa-to-mica, except those for constants, which run last.
void populateTosaToMicaPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of mica-tensor-lower-tosa-images.
void populateLowerTosaImagesPatterns(mlir::RewritePatternSet &patterns);

/// Of these, those for convolutions whose weights or bias have open sizes.
void populateTosaConvolutionPatterns(mlir::RewritePatternSet &patterns);

/// Sizes of operands of mica ops that are casts of more static tensors are propagated to the op and its results.
void populateTakeStaticSizesPatterns(mlir::RewritePatternSet &patterns);

/// Appends the passes that lower all tosa ops: to mica if there is an equivalent op, else to linalg, tensor, arith,
/// scf.
void buildTosaLowering(mlir::OpPassManager &pm, bool keepsGather = false);

#define GEN_PASS_DECL
#include "passes/Tensor/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Tensor/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_TENSOR_PASSES_H
