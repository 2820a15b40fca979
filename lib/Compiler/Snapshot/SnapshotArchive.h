//===- SnapshotArchive.h - compact snapshots of a program ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Printing the IR after every pass takes as long as compiling it. So each pass only stores a compact snapshot:
// attributes, types and locations are uniqued in a context, so an op is a few small numbers, and data shared by
// snapshots is stored once. Text is made on demand (UnpackSnapshots.h).
//
// An archive, "snapshots.archive", is one zstd frame (uncompressed if the process died) of
//
//     "mica-snapshots 3\n"
//     'A' length text                       attribute, or a type
//     'D' length (name attribute)...        dictionary of earlier attributes
//     'V' length attribute...               array of them
//     'L' kind ...                          location
//     'H' name dictionary properties ...    what is alike in many ops: a head
//     'S' length name length bytes          a snapshot: ops in pre-order, each by its head, location and values
//
// Numbers are LEB128. Attributes, locations and heads are numbered separately from 0 in the order of their entries, and
// defined before use. In a snapshot a value is encoded as the next free value number minus its own; 0 is a new value.
// Blocks likewise.
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

/// Writes an archive. Not thread-safe, except for writeRaw(). Bound to one context.
class SnapshotArchive {
public:
  explicit SnapshotArchive(mlir::MLIRContext *context);

  struct Fingerprint {
    uint64_t hash = 0;     ///< equal if the ops are equal, locations included; valid in one process
    uint64_t identity = 0; ///< equal if they are also the same objects in memory
    int64_t ops = 0;
    unsigned values = 0, blocks = 0;
  };
  /// The heads of an op and its nested operations, in pre-order. Cheap to copy.
  struct Heads {
    std::shared_ptr<const std::vector<unsigned>> all; ///< null: unknown
    size_t begin = 0, end = 0;                        ///< those of the op
  };
  /// An op that uses no values from outside, such as a function, with a fingerprint that does not depend on its place.
  struct Part {
    mlir::Operation *op;
    Fingerprint fingerprint;
    size_t firstHead, endHead; ///< among heads()
  };
  /// What is known about an op; without a fingerprint it must be walked.
  struct Known {
    std::optional<Fingerprint> fingerprint = std::nullopt;
    Heads heads = {};
  };
  using KnownPart = llvm::function_ref<Known(mlir::Operation *)>;

  /// Fingerprints `op` with its nested ops: about 0.1 microseconds per op. keep() can then store a snapshot of it.
  Fingerprint fingerprint(mlir::Operation *op);
  /// The parts inside the op of the last fingerprint(); nested parts come first.
  llvm::ArrayRef<Part> parts() const { return seenParts; }
  /// As fingerprint(), but skips known parts; no snapshot can be stored of the result.
  Fingerprint fingerprintAround(mlir::Operation *op, KnownPart known);
  /// The identity of `op` with its nested ops, at a fifth of the cost of a fingerprint.
  static uint64_t identityOf(mlir::Operation *op);
  /// The intermediate identities of the last fingerprint(), one per 64 operations. Empty if parts were skipped.
  llvm::ArrayRef<uint64_t> trail() const { return seenTrail; }
  /// Whether identityOf(op) equals `identity`, of a fingerprint() with this trail. Stops at the first 64 operations
  /// that changed.
  static bool isStill(mlir::Operation *op, uint64_t identity, llvm::ArrayRef<uint64_t> trail);
  /// The heads of the last fingerprint(). Unknown if parts were skipped.
  Heads heads() const;
  struct KindChange {
    llvm::StringRef kind; ///< owned by the archive
    int64_t added = 0, removed = 0, changed = 0;
  };
  /// The differences between the last fingerprint() and an op with the heads `before`, by name of operation, sorted.
  /// Empty if one of them is unknown.
  std::vector<KindChange> kindChanges(const Heads &before);
  /// Number of operations by name in the last fingerprint(), sorted by name. The archive owns the names.
  std::vector<std::pair<llvm::StringRef, int64_t>> kinds();
  /// Stores the op of the last fingerprint() as the snapshot `name`.
  void keep(llvm::StringRef name);

  bool isEmpty() const { return !hasSnapshots; }

  /// The uncompressed contents of the archive. Does not access the context.
  std::string contents() const;
  /// The same without a copy: in pieces of whole entries, which the archive owns.
  llvm::SmallVector<llvm::StringRef, 4> contentPieces() const;
  /// Writes the contents to an open file; async-signal-safe, on any thread.
  void writeRaw(int file) const;

private:
  struct Piece;

public:
  /// Reads an archive while another thread adds to it, from its beginning.
  class Tail {
  public:
    explicit Tail(const SnapshotArchive &archive) : piece(&archive.pieces.front()) {}
    /// The whole entries since the last call, owned by the archive; "" if there are none yet.
    llvm::StringRef next();

  private:
    const Piece *piece;
    size_t at = 0;
  };

private:
  /// The keys are hashes already.
  struct HeadKey {
    using Key = std::pair<uint64_t, uint64_t>;
    static Key getEmptyKey() { return {~uint64_t(0), 0}; }
    static Key getTombstoneKey() { return {~uint64_t(0), 1}; }
    static unsigned getHashValue(const Key &key) { return static_cast<unsigned>(key.second); }
    static bool isEqual(const Key &a, const Key &b) { return a == b; }
  };
  /// Memory with a stable address, so that a signal handler can write it.
  struct Piece {
    /// With space for at least `size` bytes.
    explicit Piece(size_t size);
    struct Free {
      void operator()(char *memory) const { std::free(memory); }
    };
    size_t capacity;
    std::unique_ptr<char, Free> memory;
    std::atomic<size_t> size{0};
    std::atomic<const Piece *> next{nullptr};
  };
  /// State of a part during a fingerprint: its own ops, and the fingerprints of nested parts.
  struct Totals {
    Hash128 hash, identity;
    int64_t ops = 0;
    unsigned values = 0, blocks = 0; ///< numbers assigned before it
  };
  void store(llvm::StringRef text, llvm::StringRef more);
  unsigned attribute(mlir::Attribute attribute);
  unsigned type(mlir::Type type);
  unsigned location(mlir::Location location);
  unsigned head(mlir::Operation *op);
  unsigned newHead(mlir::Operation *op, const Hash128 &key);
  /// 0: none, else the number of the attribute plus 1.
  unsigned properties(mlir::Operation *op);
  Fingerprint start(mlir::Operation *op);
  void visit(mlir::Operation *op);
  void visit(mlir::Region &region);
  void visitPart(mlir::Operation *op);
  /// Hashes the bytes since the last part.
  void hashBytes();
  /// The fingerprint for `totals`.
  Fingerprint snapshot();
  void value(mlir::Value value);
  void block(mlir::Block *block);

  mlir::AsmState printing;
  llvm::DenseMap<mlir::Attribute, unsigned> attributeNumbers, locationNumbers;
  llvm::DenseMap<mlir::Type, unsigned> typeNumbers;
  /// Keyed by a 128-bit hash of the head's contents.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, unsigned, HeadKey> headNumbers;
  llvm::StringMap<unsigned> headsByEntry;
  /// Attributes of properties, by a hash of name and bytes: creating the attribute takes longer than hashing.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, unsigned, HeadKey> propertyNumbers;
  std::deque<std::string> kindNames;                         ///< copied, because the archive may outlive the context
  llvm::DenseMap<mlir::OperationName, unsigned> kindNumbers; ///< into them
  std::vector<unsigned> kindOfHead;
  mlir::Attribute lastLocation;
  unsigned lastLocationNumber = 0;

  std::string definitions; ///< new entries that are not in a piece yet
  // State of the last fingerprint():
  ByteBuffer bytes;
  PointerNumbering values, blocks;
  Sequence<const void *> locations;
  Sequence<std::pair<uint64_t, uint64_t>> headOrder;
  unsigned nextValue = 0, nextBlock = 0;
  Totals totals;
  size_t hashed = 0; ///< bytes that are included in `totals`
  const KnownPart *knownPart = nullptr;
  bool sawAll = false; ///< no part was skipped
  std::vector<Part> seenParts;
  std::vector<uint64_t> seenTrail;
  std::vector<unsigned> seenHeads;  ///< of the operations, in order
  std::vector<unsigned> uses, used; ///< count by head, and the heads with a count
  std::vector<int64_t> kindUses;    ///< of kinds(), 0 between calls
  std::vector<int64_t> moreUses;    ///< of kindChanges(), by head, 0 between calls

  std::deque<Piece> pieces;
  bool hasSnapshots = false;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVE_H
