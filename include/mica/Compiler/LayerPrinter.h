//===- LayerPrinter.h - IR as text, with a map from its lines to op ids -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A layer is the text of an operation without locations and without the bytes of its resources, beside a map from each
// line to the ids and the source positions of the op printed there. One print gives both. The text parses again; the map
// gives the parsed ops their ids back, also after the text was edited by hand (each line of the map holds a hash of the
// line's text, so that moved lines are found).
//
// The map, <file>.map.json:
//
//     {"schema": 1, "file": "0007_canonicalize.mlir",
//      "sets": [{"ids": ["3f2a91c07b1e"], "sources": ["lenet.mlir:12:5"], "kernel": "kernels/k/kernel.mlir:4:5"}],
//      "lines": [[3, 0, "9c3f01aa"], ...]}
//
// `lines` holds [line from 1, position in sets, hash of the trimmed line]; lines without an op are absent. `kernel`, where
// present, is the position in kernel.mlir that a later form of a kernel came from.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_LAYERPRINTER_H
#define MICA_COMPILER_LAYERPRINTER_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// The text of an operation and which location each of its lines has.
struct Layer {
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

struct LayerOptions {
  bool generic = false;        ///< the generic form, which also prints what does not verify
  bool assumeVerified = false; ///< skip the verification that chooses between the forms
};

/// Prints `op` (its own symbols and aliases only, so a nested op can be printed while its siblings change).
Layer printLayer(mlir::Operation *op, const LayerOptions &options = {});

/// The text of the map of `layer`; `file` is the layer's file name.
std::string printLineMap(const Layer &layer, llvm::StringRef file);

/// A line map whose rows name lines of a text that is not IR (.ll, .s): (line, location) pairs.
std::string printLineMap(llvm::ArrayRef<std::pair<unsigned, mlir::Location>> lines, llvm::StringRef text,
                         llvm::StringRef file);

/// Gives the ops under `root`, parsed from `text`, the ids that the map `json` has for their lines, and the positions in
/// the user's files. Ops that carry ids already keep them. Lines are matched by number where the hash agrees, else by the
/// next line of equal text. Does nothing where `json` is not a map. Returns the number of ops that got ids.
int64_t attachLineMap(mlir::Operation *root, llvm::StringRef text, llvm::StringRef json);

/// `location`, marked with a position in the printed file `file`.
mlir::Location withLinePosition(mlir::Location location, llvm::StringRef file, unsigned line, unsigned column);

/// Marks each op of `layer` (printed as `file`) with its position there, beside the location it has.
void attachLinePositions(const Layer &layer, llvm::StringRef file);

/// The position that attachLinePositions gave the op of `loc` (or the first of those it came from), null if none.
mlir::FileLineColLoc getLinePosition(mlir::Location loc);

} // namespace mica::compiler

#endif // MICA_COMPILER_LAYERPRINTER_H
