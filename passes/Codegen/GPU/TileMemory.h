//===- TileMemory.h - tiles of a contraction's input in workgroup memory ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An input's tile keeps the order of its elements in global memory, so that 16 bytes, a chunk, are copied at once. The
// chunks of a row are swizzled: chunk c of row r is stored at the position of chunk c xor f(r), with f such that the
// same chunk of eight rows is in different banks. A factor that is computed from inputs is computed when the tile is
// written. Private to passes/Codegen/GPU.
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
  /// Consecutive elements, all in bounds of the inputs or all out of bounds.
  struct Part {
    mlir::Value inside; ///< null: always; otherwise values are zeros if false
    /// For each input one value for all elements, one per element, or vectors of them.
    llvm::SmallVector<llvm::SmallVector<mlir::Value>> ofInputs;
  };
  /// The elements of a chunk that a thread has loaded.
  struct Chunk {
    mlir::Value has;         ///< whether it exists; null: always
    mlir::Value row, column; ///< in the tile
    Part read;
    mlir::Value made; ///< the chunk as stored in the tile; null: still to be computed from the loaded elements
  };

  /// The tiles of `product`'s input `number` under `plan`.
  TileMemory(mlir::RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number);

  /// The type of the memory of all stages.
  mlir::MemRefType type() const;
  /// Whether k is the axis of columns, along which elements are contiguous.
  bool isAlongK() const { return columnAxis == Axis::K; }
  /// Whether copies are asynchronous: of an input's own elements, in whole chunks aligned to 16 bytes.
  bool isAsync() const {
    return mlir::isa<mlir::BlockArgument>(factor) && sources.front().access.liesSideBySide(product, columnAxis, chunk);
  }

  /// Sets the memory of the tiles, and the block's first result.
  void place(mlir::Location loc, mlir::Value memory, const LoopPositions &corner, mlir::Value thread);
  /// Copies the tile at `begin` of k to stage `slot`, distributed over the threads, asynchronously. Elements out of
  /// bounds become 0.
  void copy(mlir::Location loc, mlir::Value begin, mlir::Value slot);
  /// The same in two steps, if not asynchronous: fetch() loads the tile into registers, put() computes and stores it.
  /// `valid` is whether the tile exists; null: always.
  llvm::SmallVector<Chunk> fetch(mlir::Location loc, mlir::Value begin, mlir::Value valid);
  void put(mlir::Location loc, llvm::ArrayRef<Chunk> chunks, mlir::Value slot);
  mlir::Value where() const { return memory; }
  /// The indices of the element at `side` (m or n, within the tile) and `k` (within the step).
  llvm::SmallVector<mlir::Value> at(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k);
  /// Loads a vector of `count` contiguous elements there, at most a chunk.
  mlir::Value load(mlir::Location loc, mlir::Value slot, mlir::Value side, mlir::Value k, int64_t count);

private:
  /// A chunk of the tile, which a thread copies at once.
  struct Share {
    mlir::Value id, row, column;
    /// The position along the side, which does not depend on k: of its elements, if they differ in it, else of the
    /// first one. Whether they are in bounds; null: always.
    std::vector<LoopPositions> sides;
    llvm::SmallVector<mlir::Value> inSide;
  };
  /// The positions of the elements of a chunk at some step, and whether they are in bounds: only the first one, if that
  /// determines all.
  struct Places {
    std::vector<LoopPositions> positions;
    llvm::SmallVector<mlir::Value> inside;
  };
  /// An input from which the factor is computed.
  struct Source {
    mlir::OpOperand *operand;
    Access access;
    mlir::Value buffer; ///< viewed by `access`; a scalar itself
  };

  mlir::Value swizzled(mlir::Location loc, mlir::Value row, mlir::Value column);
  /// Computes the positions along `axis` from `begin` on, of the elements of a chunk or of its first one; in the other
  /// axes they are those of `corner`.
  void follow(mlir::Location loc, const LoopPositions &corner, Axis axis, mlir::Value begin,
              std::vector<LoopPositions> &positions, llvm::SmallVector<mlir::Value> &inside);
  Places placesOf(mlir::Location loc, const Share &share, mlir::Value begin);
  /// Whether this thread copies a chunk in turn `turn`; null if all threads do.
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
  mlir::Value factor;          ///< the value in the tile
  std::vector<Source> sources; ///< its inputs; the first determines the layout
  Axis side, rowAxis, columnAxis;
  int64_t rows = 0, columns = 0; ///< of a tile
  int64_t chunk = 1;             ///< elements of one
  mlir::Value memory;
  std::vector<Share> shares;
};

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_TILEMEMORY_H
