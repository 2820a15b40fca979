//===- TileMemory.h - tiles of a product's input in workgroup memory --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An input's tile keeps the order that its elements have in global memory, so that 16 bytes, a chunk, are copied at
// once. The chunks of a row are swizzled: chunk c of row r lies where chunk c xor f(r) would, with f such that eight
// rows' equal chunks lie in different banks. A factor that is computed of inputs is computed on its way into the tile.
// Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_TILEMEMORY_H
#define MICA_PASSES_CODEGEN_GPU_TILEMEMORY_H

#include "passes/Codegen/GPU/ContractionPlan.h"
#include "passes/Codegen/GPU/LoopPositions.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <vector>

namespace mica::device {

class TileMemory {
public:
  /// Elements side by side, all inside of the inputs or all outside.
  struct Part {
    mlir::Value inside; ///< null: always; where not, values are zeros
    /// For each input one value for all elements, one for each, or vectors of them.
    llvm::SmallVector<llvm::SmallVector<mlir::Value>> ofInputs;
  };
  /// What a thread has read of a chunk.
  struct Chunk {
    mlir::Value has;         ///< whether there is one; null: there is
    mlir::Value row, column; ///< in the tile
    Part read;
    mlir::Value made; ///< the chunk as the tile has it; null: it is still to be made of what was read
  };

  /// The tiles of `product`'s input `number` under `plan`.
  TileMemory(mlir::RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number);

  /// Of the memory of all stages.
  mlir::MemRefType type() const;
  /// Whether k is the axis of columns, along which elements lie side by side.
  bool isAlongK() const { return columnAxis == Axis::K; }
  /// Whether copies are asynchronous: of an input's own elements, whole chunks that begin at multiples of 16 bytes.
  bool isAsync() const {
    return mlir::isa<mlir::BlockArgument>(factor) && sources.front().access.liesSideBySide(product, columnAxis, chunk);
  }

  /// Where the tiles are, and the block's first result.
  void place(mlir::Location loc, mlir::Value memory, const LoopPositions &corner, mlir::Value thread);
  /// Copies the tile at `begin` of k to stage `slot`, each thread its share, asynchronously. What is outside of the
  /// input becomes 0.
  void copy(mlir::Location loc, mlir::Value begin, mlir::Value slot);
  /// The same in two halves, for what is not asynchronous: reads the tile into registers, and writes what it makes of
  /// that. `valid` may say that there is no such tile; null: there is.
  llvm::SmallVector<Chunk> fetch(mlir::Location loc, mlir::Value begin, mlir::Value valid);
  void put(mlir::Location loc, llvm::ArrayRef<Chunk> chunks, mlir::Value slot);
  mlir::Value where() const { return memory; }
  /// Indices of the element at `side` (m or n, within the tile) and `k` (within the step).
  llvm::SmallVector<mlir::Value> at(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k);
  /// A vector of `count` elements there, at most a chunk, that lie side by side.
  mlir::Value load(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k, int64_t count);

private:
  /// What a thread copies at once, a chunk of the tile.
  struct Share {
    mlir::Value id, row, column;
    /// Where it is along the side, which stays as it is for all k: its elements, where they differ in that, else the
    /// first. Whether they are inside; null: they are.
    std::vector<LoopPositions> sides;
    llvm::SmallVector<mlir::Value> inSide;
  };
  /// Where the elements of a share are at some step, and whether they are inside: the first, where that says it of all.
  struct Places {
    std::vector<LoopPositions> positions;
    llvm::SmallVector<mlir::Value> inside;
  };
  /// An input that the factor is computed of.
  struct Source {
    mlir::OpOperand *operand;
    Access access;
    mlir::Value buffer; ///< as `access` has it; a scalar itself
  };

  mlir::Value swizzled(mlir::Location loc, mlir::Value row, mlir::Value column);
  /// Positions along `axis` from `begin` on, of the elements of a chunk or of its first one, as `corner` is in the
  /// other axes.
  void follow(mlir::Location loc, const LoopPositions &corner, Axis axis, mlir::Value begin,
              std::vector<LoopPositions> &positions, llvm::SmallVector<mlir::Value> &inside);
  Places placesOf(mlir::Location loc, const Share &share, mlir::Value begin);
  /// Whether this thread has turn number `turn` of the tile's chunks; null where all have.
  mlir::Value hasTurn(mlir::Location loc, const Share &share, int64_t turn);
  mlir::Value allOf(mlir::Location loc, llvm::ArrayRef<mlir::Value> conditions);
  llvm::SmallVector<mlir::Value> read(mlir::Location loc, const Source &source, const LoopPositions &at, int64_t count);
  Part readWhere(mlir::Location loc, mlir::Value inside, const LoopPositions &at, int64_t count);
  mlir::Value compute(mlir::Location loc, const Part &part, int64_t element, int64_t count);
  bool hasWholeChunks() const;
  int64_t tileOf(Axis axis) const { return axis == columnAxis ? columns : rows; }

  mlir::RewriterBase &rewriter;
  const Contraction &product;
  int64_t threads, stages;
  mlir::Value factor;          ///< what the tile holds
  std::vector<Source> sources; ///< what it is made of; the first decides the layout
  Axis side, rowAxis, columnAxis;
  int64_t rows = 0, columns = 0; ///< of a tile
  int64_t chunk = 1;             ///< elements of one
  mlir::Value memory;
  std::vector<Share> shares;
};

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_TILEMEMORY_H
