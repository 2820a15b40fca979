//===- Passes.h - passes of the area Check ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_PASSES_H
#define MICA_PASSES_CHECK_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
class RewritePatternSet;
} // namespace mlir

namespace mica {

/// Lowers affine.for, affine.if, affine.load, affine.store and their vector forms to scf, memref and vector; see
/// mica-check-lower-affine-accesses.
void populateLowerAffineAccessesPatterns(mlir::RewritePatternSet &patterns);

/// Lowers predicates to arithmetic; see mica-check-lower.
void populateLowerPredicatesPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "passes/Check/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Check/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CHECK_PASSES_H
