//===- Document.h - a file of IR with the place of each op in it ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the tools that look at IR as a text and as a graph at once read: the module, the text, the line of each op, and
// where a line map lies beside the file (docs/Artifact.md) the ids and source positions of each op.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_DOCUMENT_H
#define MICA_IRTOOLS_DOCUMENT_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>
#include <vector>

namespace mica::irtools {

/// What an op came from, as far as the file or its line map says.
struct Origin {
  std::vector<std::string> ids;     ///< 12 hex digits each
  std::vector<std::string> sources; ///< "lenet.mlir:12:5"
};

/// What is shown of a document, which outlives its ops.
struct ShownText {
  std::string name;              ///< as shown to the user
  std::vector<std::string> text; ///< by line, without line ends
  bool isOwn = false;            ///< `text` was printed from the ops: it is not that of a file
  std::vector<int64_t> hidden;   ///< lines, from 1, of parts of the file that are not looked at, in order
};

struct Document : ShownText {
  /// Holds the file's top-level ops; null where the file does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::string problem;                              ///< why it does not parse: "line:column: message"
  llvm::DenseMap<mlir::Operation *, int64_t> lines; ///< from 1, of every op in `root`
  /// Of the ops that have one; ops of one origin share it.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<const Origin>> origins;
  bool isWrapper = true; ///< `root` is no op of the file

  /// The line of `op`, 0 where it has none.
  int64_t line(mlir::Operation *op) const { return lines.lookup(op); }
};

/// A document that several comparisons look at. It lives in the context it was read into.
using SharedDocument = std::shared_ptr<const Document>;
using SharedText = std::shared_ptr<const ShownText>;

/// A copy of `part`, an op of `document`, as the one op of a document of its own; text and places are those of the
/// whole.
Document copyPart(const Document &document, mlir::Operation *part);

/// Reads IR as text or bytecode. A file that is there but does not parse is a document with a `problem`. Nothing is
/// verified: what a pass left behind when it failed can be looked at. `context` must allow unregistered dialects where
/// files may hold some.
Result<Document> readDocument(const std::string &file, mlir::MLIRContext &context);

/// The same of contents in memory. `lineMap`: contents of the .map.json, or empty.
Document parseDocument(std::string name, llvm::StringRef contents, llvm::StringRef lineMap, mlir::MLIRContext &context);

/// Makes text and lines anew from the ops, after they were changed. `elides`: constants of more than 16 elements and
/// weights as `__elided__`; else as snapshots show them.
void printAgain(Document &document, bool elides = true);
/// A file whose outermost op is a module with attributes becomes that module.
void unwrapModule(Document &document);
/// The lines of `contents`, without line ends.
std::vector<std::string> splitLines(llvm::StringRef contents);
/// The handle's name as files have it: without the number that a second parse in one context appends.
llvm::StringRef resourceName(mlir::DenseResourceElementsAttr resource);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_DOCUMENT_H
