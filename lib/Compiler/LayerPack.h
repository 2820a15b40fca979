//===- LayerPack.h - many states of a program in few bytes ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// To print what every pass made of a program takes as long as to compile it. So a pass leaves a snapshot only: attributes, types and
// locations are unique in a context, so an op is few small numbers, and what two layers share is written once. Text is made of a
// snapshot when somebody wants to read it (UnpackLayers.h).
//
// A pack, "layers.pack", is one zstd frame, or plain where the process died, of
//
//     "mica-layers 1\n"
//     'A' length text                       attribute, or a type
//     'L' kind ...                          location
//     'H' name dictionary properties ...    what is alike in many ops: a head
//     'S' length name length bytes          a layer: ops in pre-order, each by its head, location and values
//
// Numbers are LEB128. Attributes, locations and heads are counted each from 0 in the order of their entries, and defined before they
// are used. In a layer a value is the distance back from the number that the next new one gets: 0 is a new one. Blocks likewise.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_LAYERPACK_H
#define MICA_LIB_COMPILER_LAYERPACK_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace mica::compiler {

inline constexpr llvm::StringLiteral kLayerPackMagic = "mica-layers 1\n";

/// Takes snapshots. From one thread at a time, except for writeRaw(). To be made anew for another context.
class LayerPack {
public:
  explicit LayerPack(mlir::MLIRContext *context);

  struct Snapshot {
    uint64_t hash = 0; ///< equal where ops, locations included, are equal; of one process
    int64_t ops = 0;
  };
  /// Looks at `op` and all in it: about 0.2 microseconds per op. What the last call saw can be kept.
  Snapshot look(mlir::Operation *op);
  /// Operations by name in what look() saw last, sorted by name.
  std::vector<std::pair<std::string, int64_t>> kinds() const;
  /// Adds what look() saw last as the layer `name`.
  void keep(llvm::StringRef name);

  bool isEmpty() const { return pieces.size() == 1; }

  /// The contents of a pack, not compressed. Needs no context any more.
  std::string contents() const;
  /// The same into an open file, in a signal handler of any thread.
  void writeRaw(int file) const;

private:
  struct Piece {
    std::string text;
    std::atomic<const Piece *> next{nullptr};
  };
  unsigned attribute(mlir::Attribute attribute);
  unsigned type(mlir::Type type);
  unsigned location(mlir::Location location);
  unsigned head(mlir::Operation *op);
  void visit(mlir::Operation *op);
  void visit(mlir::Region &region);
  void value(mlir::Value value);
  void block(mlir::Block *block);

  mlir::AsmState printing;
  llvm::DenseMap<mlir::Attribute, unsigned> attributeNumbers, locationNumbers;
  llvm::DenseMap<mlir::Type, unsigned> typeNumbers;
  /// By a hash of 128 bits, which stands for what it was made of.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, unsigned> headNumbers;
  std::vector<mlir::OperationName> headNames;
  mlir::Attribute lastLocation;
  unsigned lastLocationNumber = 0;

  std::string definitions; ///< of what is new and not in a piece yet
  // Of the last look():
  std::string bytes;
  llvm::DenseMap<const void *, unsigned> values, blocks;
  unsigned nextValue = 0, nextBlock = 0;
  int64_t ops = 0;
  std::vector<unsigned> uses; ///< of heads, up to the last one used

  std::deque<Piece> pieces; ///< the first is the magic
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_LAYERPACK_H
