//===- TileMemory.h - tiles of a product's input in workgroup memory --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An input's tile keeps the order that its elements have in global memory, so that 16 bytes, a chunk, are copied at once. The
// chunks of a row are swizzled: chunk c of row r lies where chunk c xor f(r) would, with f such that eight rows' equal chunks
// lie in different banks. Private to passes/Gpu.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_GPU_TILEMEMORY_H
#define MICA_PASSES_GPU_TILEMEMORY_H

#include "passes/Gpu/ContractionPlan.h"
#include "passes/Gpu/LoopPositions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <vector>

namespace mica::device {

class TileMemory {
public:
  /// The tiles of `product`'s input `number` under `plan`.
  TileMemory(mlir::RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number);

  /// Of the memory of all stages.
  mlir::MemRefType type() const;
  /// Whether k is the axis of columns, along which elements lie side by side.
  bool isAlongK() const { return columnAxis == Axis::K; }
  /// Whether copies are asynchronous: of whole chunks that begin at multiples of 16 bytes.
  bool isAsync() const { return access.liesSideBySide(product, columnAxis, chunk); }

  /// Where the tiles are, and the block's first result.
  void place(mlir::Location loc, mlir::Value memory, const LoopPositions &corner, mlir::Value thread);
  /// Copies the tile at `begin` of k to stage `slot`, each thread its share. What is outside of the input becomes 0.
  void copy(mlir::Location loc, mlir::Value begin, mlir::Value slot);
  mlir::Value where() const { return memory; }
  /// Indices of the element at `side` (m or n, within the tile) and `k` (within the step).
  llvm::SmallVector<mlir::Value> at(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k);
  /// A vector of `count` elements there, at most a chunk, that lie side by side.
  mlir::Value load(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k, int64_t count);

private:
  /// What a thread copies at once, a chunk of the tile.
  struct Share {
    mlir::Value id, row, column;
    /// Where it is along the side, which stays as it is for all k: its elements, where they differ in that, else the first. Whether
    /// they are inside; null: they are.
    std::vector<LoopPositions> sides;
    llvm::SmallVector<mlir::Value> inSide;
  };

  mlir::Value swizzled(mlir::Location loc, mlir::Value row, mlir::Value column);
  /// Positions along `axis` from `begin` on, of the elements of a chunk or of its first one, as `corner` is in the other axes.
  void follow(mlir::Location loc, const LoopPositions &corner, Axis axis, mlir::Value begin,
              std::vector<LoopPositions> &positions, llvm::SmallVector<mlir::Value> &inside);
  void copyElements(mlir::Location loc, llvm::ArrayRef<LoopPositions> positions, llvm::ArrayRef<mlir::Value> inside,
                    mlir::ValueRange to);
  int64_t tileOf(Axis axis) const { return axis == columnAxis ? columns : rows; }

  mlir::RewriterBase &rewriter;
  const Contraction &product;
  int64_t threads, stages;
  mlir::OpOperand &operand;
  Access access;
  Axis side, rowAxis, columnAxis;
  int64_t rows = 0, columns = 0; ///< of a tile
  int64_t chunk = 1;             ///< elements of one
  mlir::Value memory, source;
  std::vector<Share> shares;
};

} // namespace mica::device

#endif // MICA_PASSES_GPU_TILEMEMORY_H
