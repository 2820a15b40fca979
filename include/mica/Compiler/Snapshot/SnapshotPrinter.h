//===- SnapshotPrinter.h - printing IR with a map from lines to op ids --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A snapshot is the text of an operation without locations and resource bytes, and a map from each line to the ids and
// source positions of the op printed there; both are made by one print. The text parses again; the map restores the ids
// of the parsed ops, also after the text was edited by hand: lines are matched by their text, of which the map of a
// plain file holds hashes. The map of a packed snapshot needs none, because the packed snapshot stays beside an edited
// text (mica/Artifact/SnapshotFile.h).
//
// The map, <file>.map.json:
//
//     {"schema": 2, "file": "0007_canonicalize.mlir",
//      "sets": [{"ids": ["3f2a91c07b1e"], "sources": ["lenet.mlir:12:5"]}],
//      "kernels": ["kernels/k/kernel.mlir"],
//      "lines": [[3, 7, 0], [8, 8, 0, 0, 5], ...],
//      "hashes": "9c3f01aa51d0c7e2..."}
//
// `lines` holds [first and last line from 1, position in sets]; lines without an op are absent. If a line came from one
// of kernel.mlir, its row has that line alone, the position in `kernels`, and the line there. `hashes`: eight digits
// per line of the text.
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

/// The text of an operation and the location of each of its lines.
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
  bool lineHashes = false;     ///< the map can match lines after an edit, without the original text
};

class TextPrinter;
struct BuiltOp;

/// Prints `op` (its own symbols and aliases only, so a nested op can be printed while its siblings change). `printer`
/// makes the same text faster, for callers that print many; `built` as for its print().
Snapshot printSnapshot(mlir::Operation *op, const SnapshotOptions &options = {}, TextPrinter *printer = nullptr,
                       llvm::ArrayRef<BuiltOp> built = {});

/// A cache of what maps print for locations: the snapshots of a program share most of their locations. Thread-safe.
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

/// The text of the map of `snapshot`; `file` is the snapshot's file name. `hashes`: for a plain file that may be edited
/// in place.
std::string printLineMap(const Snapshot &snapshot, llvm::StringRef file, bool hashes = true,
                         MappedLocations *locations = nullptr);

/// A line map for a text that is not IR (.ll, .s): (line, location) pairs.
std::string printLineMap(llvm::ArrayRef<std::pair<unsigned, mlir::Location>> lines, llvm::StringRef file);

/// Gives the ops under `root`, parsed from `text`, the ids and source positions that the map `json` has for their
/// lines. Ops keep ids that they carry already. Lines are matched by number if their text is unchanged, else with the
/// next line of equal text: by the map's hashes, or by `original`, the text for which the map was made; with neither,
/// by number alone. Does nothing if `json` is not a map. Returns the number of ops that got ids.
int64_t attachLineMap(mlir::Operation *root, llvm::StringRef text, llvm::StringRef json, llvm::StringRef original = {});

/// `location`, with a position in the printed file `file` attached.
mlir::Location withLinePosition(mlir::Location location, llvm::StringRef file, unsigned line, unsigned column);

/// Attaches to the location of each op of `snapshot` (printed as `file`) its position there.
void attachLinePositions(const Snapshot &snapshot, llvm::StringRef file);

/// The position that attachLinePositions attached to `loc` (or to the first location it was made from), null if none.
mlir::FileLineColLoc getLinePosition(mlir::Location loc);

} // namespace mica::compiler

#endif // MICA_COMPILER_SNAPSHOT_SNAPSHOTPRINTER_H
