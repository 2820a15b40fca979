//===- Contraction.h - products and their loops -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A product here is a structured op on buffers that sums something of two inputs: matmul and what is like it, with any
// loops besides as batches, in any layout, and convolutions. What is multiplied may also be computed of several inputs
// (Factors.h). A product has three axes, each some loops that are gone through as one, the last of them fastest:
//
//   m   loops of the result that move one input alone        image positions (n, oh, ow)
//   n   those that move the other one alone                  filters (f)
//   k   loops that sum, which move both                      the window (kh, kw, c)
//
// So what a convolution multiplies is never written down as a matrix: an element's place follows from its position
// along two axes, taken apart into those of loops (LoopPositions.h). Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_CONTRACTION_H
#define MICA_PASSES_CODEGEN_GPU_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mica::device {

enum class Axis : unsigned { M, N, K };

/// What a product looks like.
struct Contraction {
  mutable mlir::linalg::GenericOp op; ///< queries of an interface are not const
  unsigned lhs = 0, rhs = 1; ///< inputs: the one that moves with m, the one that moves with n. Of several that a factor
                             ///< is computed of, the one that moves with most loops
  mlir::Value lhsFactor, rhsFactor; ///< in the body: elements of these inputs, or what is computed of them and others
  llvm::SmallVector<unsigned> m, n, k; ///< loops of the axes, outermost first; none of a single iteration
  llvm::SmallVector<unsigned> batch;   ///< the other parallel ones, outermost first
  llvm::SmallVector<int64_t> sizes;    ///< of the loops

  mlir::OpOperand &input(unsigned number) const { return *op.getDpsInputOperand(number); }
  /// What is multiplied on the side of `number`, which is lhs or rhs.
  mlir::Value factor(unsigned number) const { return number == lhs ? lhsFactor : rhsFactor; }
  mlir::Type inputType(unsigned number) const { return factor(number).getType(); }
  mlir::Type sumType() const { return op.getRegionOutputArgs()[0].getType(); }
  llvm::ArrayRef<unsigned> loops(Axis axis) const { return axis == Axis::M ? m : axis == Axis::N ? n : k; }
  /// Of all its loops together; dynamic where one is.
  int64_t size(Axis axis) const;
  /// Whether some index of an input is made of several loops, as a convolution's are.
  bool hasWindows() const;
};

/// The product that `op` is, or nullopt.
std::optional<Contraction> contractionOf(mlir::linalg::GenericOp op);

/// How elements of a buffer are reached. The loops of an axis that are its dimensions one after the other are one
/// dimension there.
struct Access {
  mlir::MemRefType type;
  mlir::AffineMap map; ///< from positions of the product's loops and, behind them, along its axes
  llvm::SmallVector<mlir::ReassociationIndices>
      together; ///< dimensions that become one each; empty: the buffer as it is

  /// `buffer` as `type`.
  mlir::Value view(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer) const;
  /// The dimension of `map` that an axis moves on for the next element: of its innermost loop, or of the axis.
  unsigned innermost(const Contraction &product, Axis axis) const;
  /// The axis that the last index of input `number` moves on, and the columns of its tiles: of m or n rather than of k.
  Axis columnAxis(const Contraction &product, unsigned number) const;
  /// Whether runs of `count` along `axis`, the first at a multiple of it, lie side by side in memory, and begin at
  /// multiples of it there.
  bool liesSideBySide(const Contraction &product, Axis axis, int64_t count) const;
};

/// Of a buffer that `map` reaches from the loops of `product`.
Access accessOf(const Contraction &product, mlir::MemRefType type, mlir::AffineMap map);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_CONTRACTION_H
