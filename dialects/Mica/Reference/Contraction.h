//===- Contraction.h - loop nests of multiply-accumulate --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The only fast path: c[..] += a[..] * b[..] over a rectangular loop nest with linear addresses. Matrix products and
// convolutions of every dialect have this form, so a product of 1024 x 1024 matrices takes less than a second instead
// of a minute. The order of summation is unspecified; the accumulator is f64 (or an integer modulo 2^64).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H
#define MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H

#include "dialects/Mica/Reference/Tensor.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mica::reference {

/// One loop of the nest: its trip count and the stride of each operand in cells (0: not indexed by it).
struct MacLoop {
  int64_t extent;
  int64_t a, b, c;
};

/// c[k] += a[i] * b[j] for all points of `loops`, from the operands' first cells. Floats if `isFloat`, else integers
/// modulo 2^64 (the caller wraps them to their width, which is exact). All addresses must be in bounds.
void multiplyAccumulate(llvm::ArrayRef<MacLoop> loops, const Cell *a, const Cell *b, Cell *c, bool isFloat);

/// A structured op with two inputs and one output that is a multiply-accumulate: out += casts(input0) * casts(input1).
struct MacForm {
  /// Casts applied to each input's elements before the multiplication, in order (usually none or one).
  llvm::SmallVector<mlir::Operation *> casts[2];
};
/// The MacForm of `op`, if it has one.
std::optional<MacForm> matchMultiplyAccumulate(mlir::linalg::LinalgOp op);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_CONTRACTION_H
