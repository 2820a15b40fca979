//===- Contraction.h - contractions and their loops -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A contraction here is a structured op on buffers that reduces products of two inputs: matmuls and similar ops, with
// any batch loops, in any layout, and convolutions. A factor may also be computed from several inputs (Factors.h). A
// contraction has three axes, each consisting of loops that are collapsed to one, the last of them fastest:
//
//   m   loops of the result that index one input only        image positions (n, oh, ow)
//   n   those that index the other one only                  filters (f)
//   k   reduction loops, which index both                    the window (kh, kw, c)
//
// So the matrix of a convolution is never materialized: the address of an element follows from its positions along two
// axes, delinearized to loops (LoopPositions.h). Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_CONTRACTION_H
#define MICA_PASSES_CODEGEN_GPU_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mica::device {

enum class Axis : unsigned { M, N, K };

/// The analysis of a contraction.
struct Contraction {
  mutable mlir::linalg::GenericOp op; ///< queries of an interface are not const
  unsigned lhs = 0, rhs = 1; ///< inputs: the one that depends on m, the one that depends on n. If a factor is computed
                             ///< from several, the one that depends on most loops
  mlir::Value lhsFactor, rhsFactor; ///< in the body: elements of these inputs, or values computed from them and others
  llvm::SmallVector<unsigned> m, n, k; ///< loops of the axes, outermost first; without loops of one iteration
  llvm::SmallVector<unsigned> batch;   ///< the other parallel loops, outermost first
  llvm::SmallVector<int64_t> sizes;    ///< of the loops

  mlir::OpOperand &input(unsigned number) const { return *op.getDpsInputOperand(number); }
  /// The factor on the side of `number`, which is lhs or rhs.
  mlir::Value factor(unsigned number) const { return number == lhs ? lhsFactor : rhsFactor; }
  mlir::Type inputType(unsigned number) const { return factor(number).getType(); }
  mlir::Type sumType() const { return op.getRegionOutputArgs()[0].getType(); }
  llvm::ArrayRef<unsigned> loops(Axis axis) const { return axis == Axis::M ? m : axis == Axis::N ? n : k; }
  /// The product of the sizes of its loops; dynamic if one is.
  int64_t size(Axis axis) const;
  /// Whether an index of an input is computed from several loops, as in a convolution.
  bool hasWindows() const;
};

/// The analysis of `op`, or nullopt if it is not a contraction.
std::optional<Contraction> contractionOf(mlir::linalg::GenericOp op);

/// The access to elements of a buffer. Loops of an axis that are consecutive dimensions of the buffer are collapsed to
/// one dimension.
struct Access {
  mlir::MemRefType type;
  mlir::AffineMap map; ///< from positions of the contraction's loops, followed by those along its axes
  llvm::SmallVector<mlir::ReassociationIndices> together; ///< dimensions to collapse; empty: none

  /// `buffer` as `type`.
  mlir::Value view(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer) const;
  /// The dimension of `map` that advances an axis by one element: its innermost loop, or the axis.
  unsigned innermost(const Contraction &product, Axis axis) const;
  /// The axis of the last index of input `number`, and so of the columns of its tiles: m or n if possible, else k.
  Axis columnAxis(const Contraction &product, unsigned number) const;
  /// Whether `count` elements along `axis`, from a multiple of `count` on, are contiguous in memory and aligned to
  /// `count` elements.
  bool liesSideBySide(const Contraction &product, Axis axis, int64_t count) const;
};

/// The access of a buffer by `map`, from the loops of `product`.
Access accessOf(const Contraction &product, mlir::MemRefType type, mlir::AffineMap map);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_CONTRACTION_H
