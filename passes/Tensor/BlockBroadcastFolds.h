//===- BlockBroadcastFolds.h - broadcasts that upstream's canonicalization takes for others -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A part of mica-tensor-block-dynamic-folds.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BLOCKBROADCASTFOLDS_H
#define MICA_PASSES_TENSOR_BLOCKBROADCASTFOLDS_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Upstream makes one broadcast of a `vector.shape_cast` of a `vector.broadcast` where the types allow that, also where
/// it repeats other elements: of 2x1 to 3x2x1, as 2x3, the first repeats the rows and the other each row's element.
/// Rewrites such casts in `root` as shuffles.
void blockBroadcastFolds(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_BLOCKBROADCASTFOLDS_H
