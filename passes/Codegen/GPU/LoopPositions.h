//===- LoopPositions.h - positions in the loops of a contraction ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Positions along the axes of a contraction (Contraction.h), and in its loops, which follow from them by division and
// remainder. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_LOOPPOSITIONS_H
#define MICA_PASSES_CODEGEN_GPU_LOOPPOSITIONS_H

#include "passes/Codegen/GPU/Contraction.h"

#include "mlir/IR/PatternMatch.h"

#include <array>

namespace mica::device {

class LoopPositions {
public:
  /// All positions are 0. `sizes` of the loops; those of the axes are computed at the insertion point.
  LoopPositions(mlir::RewriterBase &rewriter, mlir::Location loc, const Contraction &product,
                llvm::ArrayRef<mlir::OpFoldResult> sizes);

  mlir::OpFoldResult size(Axis axis) const { return axisSizes[static_cast<unsigned>(axis)]; }
  mlir::Value along(Axis axis) const { return positions[product->sizes.size() + static_cast<unsigned>(axis)]; }
  void setLoop(unsigned loop, mlir::Value position) { positions[loop] = position; }
  /// Sets the position along an axis, and those of the axis' loops.
  void set(Axis axis, mlir::Value position);
  /// Advances by `distance`, within the innermost loop.
  void advance(Axis axis, int64_t distance);
  /// Copies the position along an axis from `other`.
  void setFrom(Axis axis, const LoopPositions &other);

  /// Whether `count` positions from `position` on are in bounds; null if all positions of tiles of size `tile` are.
  mlir::Value isInside(Axis axis, int64_t tile, mlir::Value position, int64_t count = 1) const;
  /// The indices given by `map`, of an Access.
  llvm::SmallVector<mlir::Value> indices(mlir::AffineMap map) const;

private:
  mlir::RewriterBase *rewriter;
  mlir::Location loc;
  const Contraction *product;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  std::array<mlir::OpFoldResult, 3> axisSizes;
  llvm::SmallVector<mlir::Value> positions; ///< of loops, then along m, n and k; null: 0
};

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_LOOPPOSITIONS_H
