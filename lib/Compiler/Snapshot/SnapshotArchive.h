//===- SnapshotArchive.h - many states of a program in few bytes --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// To print what every pass made of a program takes as long as to compile it. So a pass leaves a snapshot only:
// attributes, types and locations are unique in a context, so an op is few small numbers, and what two snapshots share
// is written once. Text is made of a snapshot when somebody wants to read it (UnpackSnapshots.h).
//
// A pack, "snapshots.archive", is one zstd frame, or plain where the process died, of
//
//     "mica-snapshots 3\n"
//     'A' length text                       attribute, or a type
//     'D' length (name attribute)...        dictionary of earlier attributes
//     'V' length attribute...               array of them
//     'L' kind ...                          location
//     'H' name dictionary properties ...    what is alike in many ops: a head
//     'S' length name length bytes          a snapshot: ops in pre-order, each by its head, location and values
//
// Numbers are LEB128. Attributes, locations and heads are counted each from 0 in the order of their entries, and
// defined before they are used. In a snapshot a value is the distance back from the number that the next new one gets:
// 0 is a new one. Blocks likewise.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVE_H
#define MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVE_H

#include "lib/Compiler/Snapshot/FingerprintTables.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

inline constexpr llvm::StringLiteral kSnapshotArchiveMagic = "mica-snapshots 3\n";

/// Takes snapshots. From one thread at a time, except for writeRaw(). To be made anew for another context.
class SnapshotArchive {
public:
  explicit SnapshotArchive(mlir::MLIRContext *context);

  struct Fingerprint {
    uint64_t hash = 0;     ///< equal where ops, locations included, are equal; of one process
    uint64_t identity = 0; ///< equal where they are also the same objects in memory
    int64_t ops = 0;
    unsigned values = 0, blocks = 0;
  };
  /// The head of each operation in an op, in pre-order. Cheap to copy.
  struct Heads {
    std::shared_ptr<const std::vector<unsigned>> all; ///< null: not known
    size_t begin = 0, end = 0;                        ///< those of the op
  };
  /// An op that takes nothing from around it, such as a function, and what it is wherever it lies.
  struct Part {
    mlir::Operation *op;
    Fingerprint fingerprint;
    size_t firstHead, endHead; ///< among heads()
  };
  /// What is known of an op; no fingerprint where it has to be looked at.
  struct Known {
    std::optional<Fingerprint> fingerprint = std::nullopt;
    Heads heads = {};
  };
  using KnownPart = llvm::function_ref<Known(mlir::Operation *)>;

  /// Looks at `op` and all in it: about 0.1 microseconds per op. What the last call saw can be kept.
  Fingerprint fingerprint(mlir::Operation *op);
  /// Those inside what fingerprint() saw last; one inside another comes before it.
  llvm::ArrayRef<Part> parts() const { return seenParts; }
  /// The same as fingerprint(), but parts that are known are not looked at; what it saw cannot be kept.
  Fingerprint lookAround(mlir::Operation *op, KnownPart known);
  /// The identity of `op` and all in it alone, at a fifth of the cost of looking.
  static uint64_t identityOf(mlir::Operation *op);
  /// What the identity was on the way to what fingerprint() saw last, every 64 operations. Empty where parts were
  /// known.
  llvm::ArrayRef<uint64_t> trail() const { return seenTrail; }
  /// Whether identityOf(op) is `identity`, of a fingerprint() with this trail: known at the first 64 operations that
  /// are not what they were.
  static bool isStill(mlir::Operation *op, uint64_t identity, llvm::ArrayRef<uint64_t> trail);
  /// Of what was seen last. Not known where those of a known part were not.
  Heads heads() const;
  struct KindChange {
    llvm::StringRef kind; ///< lives as long as the pack
    int64_t added = 0, removed = 0, changed = 0;
  };
  /// What fingerprint() saw last beside an op with the heads `before`, by name of the operations, sorted. Empty where
  /// one of them is not known.
  std::vector<KindChange> kindChanges(const Heads &before);
  /// Operations by name in what fingerprint() saw last, sorted by name. Names live as long as the pack.
  std::vector<std::pair<llvm::StringRef, int64_t>> kinds();
  /// Adds what fingerprint() saw last as the snapshot `name`.
  void keep(llvm::StringRef name);

  bool isEmpty() const { return !hasSnapshots; }

  /// The contents of a pack, not compressed. Needs no context any more.
  std::string contents() const;
  /// The same as it lies in memory: in pieces of whole entries, which live as long as the pack.
  llvm::SmallVector<llvm::StringRef, 4> contentPieces() const;
  /// The same into an open file, in a signal handler of any thread.
  void writeRaw(int file) const;

private:
  struct Piece;

public:
  /// Follows a pack that another thread adds to, from its beginning.
  class Tail {
  public:
    explicit Tail(const SnapshotArchive &pack) : piece(&pack.pieces.front()) {}
    /// Whole entries behind those that it gave before, which live as long as the pack; "" where there are none yet.
    llvm::StringRef next();

  private:
    const Piece *piece;
    size_t at = 0;
  };

private:
  /// Keys are hashes already.
  struct HeadKey {
    using Key = std::pair<uint64_t, uint64_t>;
    static Key getEmptyKey() { return {~uint64_t(0), 0}; }
    static Key getTombstoneKey() { return {~uint64_t(0), 1}; }
    static unsigned getHashValue(const Key &key) { return static_cast<unsigned>(key.second); }
    static bool isEqual(const Key &a, const Key &b) { return a == b; }
  };
  /// Memory that stays where it is, so that a signal handler can write it.
  struct Piece {
    /// With room for `size` bytes and more.
    explicit Piece(size_t size);
    struct Free {
      void operator()(char *memory) const { std::free(memory); }
    };
    size_t capacity;
    std::unique_ptr<char, Free> memory;
    std::atomic<size_t> size{0};
    std::atomic<const Piece *> next{nullptr};
  };
  /// Of a part so far: its own ops, and each part inside by what it is.
  struct Totals {
    Hash128 hash, identity;
    int64_t ops = 0;
    unsigned values = 0, blocks = 0; ///< numbers given before it
  };
  void store(llvm::StringRef text, llvm::StringRef more);
  unsigned attribute(mlir::Attribute attribute);
  unsigned type(mlir::Type type);
  unsigned location(mlir::Location location);
  unsigned head(mlir::Operation *op);
  unsigned newHead(mlir::Operation *op, const Hash128 &key);
  /// 0: none, else 1 more than the number of the attribute.
  unsigned properties(mlir::Operation *op);
  Fingerprint start(mlir::Operation *op);
  void visit(mlir::Operation *op);
  void visit(mlir::Region &region);
  void visitPart(mlir::Operation *op);
  /// Adds the bytes since the last part.
  void hashBytes();
  /// What `totals` say.
  Fingerprint snapshot();
  void value(mlir::Value value);
  void block(mlir::Block *block);

  mlir::AsmState printing;
  llvm::DenseMap<mlir::Attribute, unsigned> attributeNumbers, locationNumbers;
  llvm::DenseMap<mlir::Type, unsigned> typeNumbers;
  /// By a hash of 128 bits, which stands for what it was made of.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, unsigned, HeadKey> headNumbers;
  llvm::StringMap<unsigned> headsByEntry;
  /// Attributes of properties, by a hash of name and bytes: making one takes longer than to look at it.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, unsigned, HeadKey> propertyNumbers;
  std::deque<std::string> kindNames;                         ///< the context may be gone before its readers are
  llvm::DenseMap<mlir::OperationName, unsigned> kindNumbers; ///< into them
  std::vector<unsigned> kindOfHead;
  mlir::Attribute lastLocation;
  unsigned lastLocationNumber = 0;

  std::string definitions; ///< of what is new and not in a piece yet
  // Of the last fingerprint():
  ByteBuffer bytes;
  PointerNumbering values, blocks;
  Sequence<const void *> locations;
  Sequence<std::pair<uint64_t, uint64_t>> headOrder;
  unsigned nextValue = 0, nextBlock = 0;
  Totals totals;
  size_t hashed = 0; ///< bytes that are in `totals`
  const KnownPart *knownPart = nullptr;
  bool sawAll = false; ///< no part was known
  std::vector<Part> seenParts;
  std::vector<uint64_t> seenTrail;
  std::vector<unsigned> seenHeads;  ///< of the operations, in their order
  std::vector<unsigned> uses, used; ///< how often by head, and the heads that are
  std::vector<int64_t> kindUses;    ///< of kinds(), 0 between calls
  std::vector<int64_t> moreUses;    ///< of kindChanges(), by head, 0 between calls

  std::deque<Piece> pieces;
  bool hasSnapshots = false;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVE_H
