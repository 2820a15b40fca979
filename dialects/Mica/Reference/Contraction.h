//===- Contraction.h - loop nests of multiply-accumulate --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The one fast path: c[..] += a[..] * b[..] over a rectangular nest of loops in which each operand is addressed
// linearly. Matrix products and convolutions of every dialect are such nests, so a product of 1024 x 1024 matrices
// takes under a second instead of a minute. The order of the sum is not specified; the sum is made in f64 (or modulo
// 2^64).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H
#define MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H

#include "dialects/Mica/Reference/Tensor.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mica::reference {

/// One loop of the nest: its trip count and, per operand, how many cells a step of it moves (0: not indexed by it).
struct MacLoop {
  int64_t extent;
  int64_t a, b, c;
};

/// c[k] += a[i] * b[j] for all points of `loops`; the operands' first cells are given. Floats if `isFloat`, else
/// integers modulo 2^64 (the caller wraps them to their width, which is exact). All addresses must be in range.
void multiplyAccumulate(llvm::ArrayRef<MacLoop> loops, const Cell *a, const Cell *b, Cell *c, bool isFloat);

/// How a structured op with two inputs and one output is a multiply-accumulate: out += casts(input0) * casts(input1).
struct MacForm {
  /// Casts applied to each input's elements before they are multiplied, first to last (usually none or one).
  llvm::SmallVector<mlir::Operation *> casts[2];
};
/// The MacForm of `op`, if it has one.
std::optional<MacForm> matchMultiplyAccumulate(mlir::linalg::LinalgOp op);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H
