//===- FusionRules.h - which ops one kernel computes well together ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The rules behind mica-dispatch-form-groups: two shapes of kernels that the back ends know how to map, and nothing
// else.
//
// - a *heavy* kernel: one contraction, convolution or pooling; the op that its result starts from; transposes and
//   broadcasts of its operands; and elementwise ops that continue on its result, element by element (bias, activation,
//   residual). Where asked for, also cheap elementwise ops that make what a contraction multiplies, of no more bytes
//   than that has (weights of 8 bits and their scale): the back end computes them as it reads a tile;
// - a *row* kernel: elementwise ops, reductions and broadcasts that have a dimension in common along which all of them
//   are parallel (softmax, layer norm, chains of elementwise ops).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_FUSIONRULES_H
#define MICA_PASSES_DISPATCH_FUSIONRULES_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Why `ops`, in the order of their block, do not make one good kernel; empty where they do. Says nothing of what lies
/// between them. `prologues`: whether elementwise ops may go before a contraction.
llvm::StringRef reasonAgainstSharing(llvm::ArrayRef<mlir::Operation *> ops, bool prologues);

/// Whether each reader of `op` had better compute it again: fills, and broadcasts of arguments and constants.
bool isCheaperPerReader(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_FUSIONRULES_H
