//===- Document.h - IR files with the line of each op -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The input of tools that read IR both as text and as a graph: the module, the text, the line of each op, and the ids
// and source positions of each op if a line map lies beside the file (docs/Artifact.md).
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

/// The origin of an op, as recorded in the file or its line map.
struct Origin {
  std::vector<std::string> ids;     ///< 12 hex digits each
  std::vector<std::string> sources; ///< "lenet.mlir:12:5"
};

/// The displayed text of a document; it may outlive the ops.
struct ShownText {
  std::string name;              ///< as shown to the user
  std::vector<std::string> text; ///< by line, without line ends
  bool isOwn = false;            ///< `text` was printed from the ops, and is not that of a file
  std::vector<int64_t> hidden;   ///< lines, from 1, of parts of the file that are ignored, in order
};

struct Document : ShownText {
  /// Holds the file's top-level ops; null if the file does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::string problem;                              ///< why it does not parse: "line:column: message"
  llvm::DenseMap<mlir::Operation *, int64_t> lines; ///< from 1, of every op in `root`
  /// Origins of ops, if known; ops of one origin share it.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<const Origin>> origins;
  bool isWrapper = true; ///< `root` is not an op of the file

  /// The line of `op`, 0 if unknown.
  int64_t line(mlir::Operation *op) const { return lines.lookup(op); }
};

/// A document that is used in several comparisons. It lives in the context in which it was read.
using SharedDocument = std::shared_ptr<const Document>;
using SharedText = std::shared_ptr<const ShownText>;

/// A copy of `part`, an op of `document`, as a document with one op; text and lines are those of the whole.
Document copyPart(const Document &document, mlir::Operation *part);

/// Reads IR as text or bytecode. A file that exists but does not parse is a document with a `problem`. Nothing is
/// verified, so that the output of a failed pass can be read. `context` must allow unregistered dialects if files may
/// use them.
Result<Document> readDocument(const std::string &file, mlir::MLIRContext &context);

/// The same of contents in memory. `lineMap`: contents of the .map.json, or empty.
Document parseDocument(std::string name, llvm::StringRef contents, llvm::StringRef lineMap, mlir::MLIRContext &context);

/// As readDocument, unwrapped (unwrapModule); an error (InvalidInput) with the problem if the file is no program.
Result<Document> readProgram(const std::string &file, mlir::MLIRContext &context);

/// Prints text and lines again after the ops were changed. `elides`: constants of more than 16 elements and weights as
/// `__elided__`; else as in snapshots.
void printAgain(Document &document, bool elides = true);
/// Unwraps a file whose outermost op is a module with attributes: it becomes the root.
void unwrapModule(Document &document);
/// The lines of `contents`, without line ends.
std::vector<std::string> splitLines(llvm::StringRef contents);
/// The name of a resource handle as in files: without the number that a second parse in one context appends.
llvm::StringRef resourceName(mlir::DenseResourceElementsAttr resource);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_DOCUMENT_H
