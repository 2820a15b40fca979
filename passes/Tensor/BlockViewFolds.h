//===- BlockViewFolds.h - views that upstream's canonicalization crashes on ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A part of mica-tensor-block-dynamic-folds for passes of later phases that canonicalize views, since a compile can
// begin at such a phase.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BLOCKVIEWFOLDS_H
#define MICA_PASSES_TENSOR_BLOCKVIEWFOLDS_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Rewrites each `tensor.expand_shape`, slice, insertion and `memref.subview` in `root` that the canonicalization
/// crashes on, or gives a wrong type, because of sizes that are constants and dynamic in the type, or may become
/// constants.
void blockViewFolds(mlir::Operation *root);

/// Asserts before each `scf.for` in `root` whose step is, or folds to, a constant that is not positive, that it has no
/// iterations: the canonicalization erases such a loop, and nothing would report it.
void blockStepFolds(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_BLOCKVIEWFOLDS_H
