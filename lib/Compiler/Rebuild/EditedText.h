//===- EditedText.h - parsing edited IR with its lines ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds the line of each op in a hand-edited text by parser locations, and the ids by the line map of the text before
// the edit. (For a printed snapshot the printer provides the lines.)
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_REBUILD_EDITEDTEXT_H
#define MICA_LIB_COMPILER_REBUILD_EDITEDTEXT_H

#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace mica::compiler {

struct EditedText {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< verified, ids attached
  Snapshot snapshot;                        ///< the text and the lines of the module's ops
};

/// Reads and parses `file`, with the ids of the line map `map` if there is one. Errors: NotFound, InvalidInput if it
/// does not parse or verify; the context's handler prints the diagnostics at their lines.
Result<EditedText> readEditedText(const std::string &file, mlir::MLIRContext &context);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_EDITEDTEXT_H
