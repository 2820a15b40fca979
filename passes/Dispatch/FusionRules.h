//===- FusionRules.h - rules for grouping ops into kernels ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The rules of mica-dispatch-form-groups: two forms of kernels that the back ends can map efficiently:
//
// - a *heavy* kernel: one contraction, convolution or pooling; the op that initializes its result; transposes and
//   broadcasts of its operands; and elementwise consumers of its result (bias, activation, residual). On request, also
//   cheap elementwise ops that compute a factor from no more bytes than it has (8-bit weights and their scale): the
//   back end computes them when it reads a tile;
// - a *row* kernel: elementwise ops, reductions and broadcasts with a common dimension along which all of them are
//   parallel (softmax, layer norm, chains of elementwise ops).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_FUSIONRULES_H
#define MICA_PASSES_DISPATCH_FUSIONRULES_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Elementwise ops that may precede a contraction in its kernel, where every tile computes them anew.
enum class Prologues {
  None,
  Widening, ///< those that extend 8-bit integers, and subtract zero points
  All       ///< all cheap ones
};

/// Why `ops`, in the order of their block, do not form an efficient kernel; empty if they do. Ops between them are not
/// considered. `padding`: whether a convolution or pooling without sums over channels pads its own images.
llvm::StringRef reasonAgainstSharing(llvm::ArrayRef<mlir::Operation *> ops, Prologues prologues, bool padding);

/// Why `ops`, in the order of their block, do not form an efficient attention kernel: a product, a chain of reductions
/// and elementwise ops on its rows (softmax), and a product of the chain's result. Empty if they do. No tensor between
/// the two products is stored then.
llvm::StringRef reasonAgainstAttention(llvm::ArrayRef<mlir::Operation *> ops);

/// Whether `op` extends 8-bit integers to 32 bits, less zero points, for contractions alone, whose kernels can do it.
bool widensFactors(mlir::Operation *op);

/// Whether `op` should be recomputed for each reader: fills, broadcasts of arguments and constants, and extensions of
/// 8-bit integers that contractions read and may compute themselves.
bool isCheaperPerReader(mlir::Operation *op, Prologues prologues);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_FUSIONRULES_H
