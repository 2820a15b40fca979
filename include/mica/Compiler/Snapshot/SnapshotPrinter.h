//===- SnapshotPrinter.h - IR as text, with a map from its lines to op ids ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A snapshot is the text of an operation without locations and without the bytes of its resources, beside a map from
// each line to the ids and the source positions of the op printed there. One print gives both. The text parses again;
// the map gives the parsed ops their ids back, also after the text was edited by hand: lines are found again by what
// they say, of which the map of a plain file holds hashes. That of a packed snapshot does not, the snapshot itself
// being beside it (mica/Artifact/SnapshotFile.h).
//
// The map, <file>.map.json:
//
//     {"schema": 2, "file": "0007_canonicalize.mlir",
//      "sets": [{"ids": ["3f2a91c07b1e"], "sources": ["lenet.mlir:12:5"]}],
//      "kernels": ["kernels/k/kernel.mlir"],
//      "lines": [[3, 7, 0], [8, 8, 0, 0, 5], ...],
//      "hashes": "9c3f01aa51d0c7e2..."}
//
// `lines` holds [first and last line from 1, position in sets]; lines without an op are absent. Where a line came from
// one of kernel.mlir, its row has that line alone, the position in `kernels`, and the line there. `hashes`: eight
// digits per line of the text.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_SNAPSHOT_SNAPSHOTPRINTER_H
#define MICA_COMPILER_SNAPSHOT_SNAPSHOTPRINTER_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// The text of an operation and which location each of its lines has.
struct Snapshot {
  std::string text;
  /// (line from 1, column from 1, op's location), in the order of the lines.
  struct Line {
    unsigned line;
    unsigned column;
    mlir::Location location;
    mlir::Operation *op; ///< valid only as long as the printed IR is
  };
  std::vector<Line> lines;
};

struct SnapshotOptions {
  bool generic = false;        ///< the generic form, which also prints what does not verify
  bool assumeVerified = false; ///< skip the verification that chooses between the forms
  bool lineHashes =
      false; ///< maps find lines again after an edit of the text, which does not lie beside them a second time
};

class TextPrinter;
struct BuiltOp;

/// Prints `op` (its own symbols and aliases only, so a nested op can be printed while its siblings change). `printer`
/// makes the same text in less time, for whoever prints many; `built` as for its print().
Snapshot printSnapshot(mlir::Operation *op, const SnapshotOptions &options = {}, TextPrinter *printer = nullptr,
                       llvm::ArrayRef<BuiltOp> built = {});

/// What maps say of locations, kept from one map to the next: the snapshots of a program have most locations in common.
/// May be used by several threads.
class MappedLocations {
public:
  struct Entry {
    const std::string *set = nullptr; ///< of `sets`; the same pointer for the same text, as long as this lives
    mlir::FileLineColLoc position;    ///< in kernel.mlir; null if none
  };
  Entry of(mlir::Location location);

private:
  std::mutex mutex;
  llvm::DenseMap<mlir::Attribute, Entry> known;
  std::set<std::string> texts;
};

/// The text of the map of `snapshot`; `file` is the snapshot's file name. `hashes`: for a file that may be edited in
/// its place.
std::string printLineMap(const Snapshot &snapshot, llvm::StringRef file, bool hashes = true,
                         MappedLocations *locations = nullptr);

/// A line map whose rows name lines of a text that is not IR (.ll, .s): (line, location) pairs.
std::string printLineMap(llvm::ArrayRef<std::pair<unsigned, mlir::Location>> lines, llvm::StringRef file);

/// Gives the ops under `root`, parsed from `text`, the ids that the map `json` has for their lines, and the positions
/// in the user's files. Ops that carry ids already keep them. Lines are matched by number where they say what they did,
/// else by the next line of equal text: by the map's hashes, or by `original`, the text that the map was made for; with
/// neither by number alone. Does nothing where `json` is not a map. Returns the number of ops that got ids.
int64_t attachLineMap(mlir::Operation *root, llvm::StringRef text, llvm::StringRef json, llvm::StringRef original = {});

/// `location`, marked with a position in the printed file `file`.
mlir::Location withLinePosition(mlir::Location location, llvm::StringRef file, unsigned line, unsigned column);

/// Marks each op of `snapshot` (printed as `file`) with its position there, beside the location it has.
void attachLinePositions(const Snapshot &snapshot, llvm::StringRef file);

/// The position that attachLinePositions gave the op of `loc` (or the first of those it came from), null if none.
mlir::FileLineColLoc getLinePosition(mlir::Location loc);

} // namespace mica::compiler

#endif // MICA_COMPILER_SNAPSHOT_SNAPSHOTPRINTER_H
