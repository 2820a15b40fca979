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

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::device {

class TileMemory {
public:
  /// The tiles of `product`'s input `number` under `plan`.
  TileMemory(mlir::RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number);

  /// Of the memory of all stages.
  mlir::MemRefType type() const;
  /// Whether k is the loop along which elements lie side by side.
  bool isAlongK() const { return columnLoop == product.k; }
  /// Whether copies are asynchronous: of whole chunks that begin at multiples of 16 bytes.
  bool isAsync() const;

  /// Where the tiles are; `sizes` and `begins` per loop of the product (the begin of k is given with each copy).
  void place(mlir::Value memory, llvm::ArrayRef<mlir::OpFoldResult> sizes, llvm::ArrayRef<mlir::Value> begins,
             mlir::Value thread);
  /// Copies the tile at `begin` of k to stage `slot`, each thread its share. What is outside of the input becomes 0.
  void copy(mlir::Location loc, mlir::Value begin, mlir::Value slot);
  mlir::Value where() const { return memory; }
  /// Indices of the element at `side` (m or n, within the tile) and `k` (within the step).
  llvm::SmallVector<mlir::Value> at(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k);
  /// A vector of `count` elements there, at most a chunk, that lie side by side.
  mlir::Value load(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k, int64_t count);

private:
  mlir::Value swizzled(mlir::Location loc, mlir::Value row, mlir::Value column);
  mlir::Value isInside(mlir::Location loc, unsigned loop, int64_t tile, mlir::Value position);
  void copyElements(mlir::Location loc, mlir::Value inRow, llvm::ArrayRef<mlir::Value> positions, mlir::ValueRange to);
  llvm::SmallVector<mlir::Value> indicesOf(mlir::Location loc, llvm::ArrayRef<mlir::Value> positions);

  mlir::RewriterBase &rewriter;
  const Contraction &product;
  int64_t threads, stages;
  mlir::OpOperand &operand;
  unsigned rowLoop = 0, columnLoop = 0;
  int64_t rows = 0, columns = 0; ///< of a tile
  int64_t chunk = 1;             ///< elements of one
  mlir::Value memory, thread;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  llvm::SmallVector<mlir::Value> begins;
};

} // namespace mica::device

#endif // MICA_PASSES_GPU_TILEMEMORY_H
