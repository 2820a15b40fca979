//===- BlockReducer.h - reductions of a register block ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A register block's reduction loops, in three forms of ContractionPlan: outer products (lanes are adjacent results),
// the same with lanes along the rows (transposed), and dot products (lanes are adjacent terms of one result); and the
// packing of an operand for outer products.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_BLOCKREDUCER_H
#define MICA_PASSES_CODEGEN_CPU_BLOCKREDUCER_H

#include "passes/Codegen/CPU/BlockBuilder.h"

namespace mica::cpu {

class BlockReducer : public BlockBuilder {
protected:
  using BlockBuilder::BlockBuilder;

  /// The reduced values of the block over all reduction loops, from `start` on: rows x vectors values, row by row. Rows
  /// run along plan.rowDim and lanes along plan.laneDim; in the form Transposed, the other way round.
  Values outerProducts(Point &point, int64_t rows, const Lanes &lanes, Values start);
  /// The reduced values without initial values: one vector of `columns` results per row (a scalar for one column).
  Values dotProducts(Point &point, int64_t rows, int64_t columns);
  /// The reduced values without initial values, in the form Transposed: for each of `rows` results along plan.rowDim a
  /// vector of plan.lanes elements along plan.laneDim, of which the first `columns` are valid.
  Values transposedProducts(Point &point, int64_t rows, int64_t columns);
  /// Packs the operand at `point` (all loops except lanes and reductions are set) to [panel][k..][columns].
  void packPanels(Point &point);

  /// The size of loop `dim` for a buffer: a tile at the edge is smaller, but its buffer has the size of a whole one.
  mlir::OpFoldResult bound(unsigned dim);
  /// A buffer of `shape` in the arena.
  mlir::Value allocate(llvm::ArrayRef<mlir::OpFoldResult> shape, mlir::Type element);

  llvm::SmallVector<unsigned> reductions; ///< the root's reduction loops, outermost first
  mlir::OpOperand *packed = nullptr;      ///< null: no operand is packed
  mlir::AffineMap packedMap;

private:
  /// A vector of `lanes` times the neutral element of `combiner`, which combines the root's products.
  mlir::Value neutralVector(mlir::Operation *combiner);
  /// The elements of input `use` at `point`: one for all of the `plan.lanes` lanes, or those of vector `vector` along
  /// loop `laneDim`.
  mlir::Value loadInput(mlir::OpOperand *use, Point point, int64_t laneDim, const Lanes &lanes, int64_t vector,
                        mlir::Value mask);
  /// The reduction loop that moves a window along the rows, if each step is short enough to be emitted one by one.
  std::optional<unsigned> windowAlongRows();
  /// As outerProducts() for a window along the rows: neighboring rows of results read the same rows of the input, so
  /// each of these is loaded once, and added to all results that it is in the window of.
  Values windowProducts(Point &point, unsigned windowDim, int64_t rows, const Lanes &lanes, Values sums);
  Values summedInBlocks(Point &point, Values start, llvm::function_ref<Values(mlir::ValueRange)> step);
  Values panelPosition(const Point &point, int64_t vector);

  mlir::Value panels; ///< packed operand: [panel][its reduction loops..][columns]
};

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_BLOCKREDUCER_H
