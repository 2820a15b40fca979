//===- EditedText.h - IR that a user edited, with its lines -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A printed snapshot knows the line of each of its ops. Of a text that was edited by hand, the parser knows; with the
// ids that the line map of the text before has for them.
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
  Snapshot snapshot;                        ///< the text as it is, and the lines of the module's ops
};

/// Reads and parses `file`, with the ids of the line map `map` where there is one. Errors: NotFound, InvalidInput where
/// it does not parse or verify; what is wrong is then printed at its line by the context's handler.
Result<EditedText> readEditedText(const std::string &file, mlir::MLIRContext &context);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_REBUILD_EDITEDTEXT_H
