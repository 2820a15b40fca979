//===- TextPrinter.h - printing many snapshots --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Prints the same text as Operation::print(), byte for byte, but faster for many states of one program: in one walk,
// where upstream's printer walks every op twice to find aliases first, and with cached texts of attributes and types.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_TEXTPRINTER_H
#define MICA_LIB_COMPILER_SNAPSHOT_TEXTPRINTER_H

#include "lib/Compiler/Snapshot/AttributeTexts.h"
#include "lib/Compiler/Snapshot/OpTemplates.h"
#include "lib/Compiler/Snapshot/ValueNames.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"

#include <optional>

namespace mica::compiler {

/// The state that is kept between prints. Not thread-safe; for one context.
class TextPrinter {
public:
  explicit TextPrinter(mlir::MLIRContext *context, const KnownTexts *known = nullptr)
      : withAliases(context, /*withAliases=*/true, known), withoutAliases(context, /*withAliases=*/false, known) {}

  /// The text of `op` in the custom form; the op must verify, or be printed as if it did. Nothing if it contains
  /// something that only upstream's printer prints: distinct attributes, locations as attributes, recursive types,
  /// resource data. `built`: the built ops in pre-order, with the same tables in every call; or none.
  std::optional<Snapshot> print(mlir::Operation *op, llvm::ArrayRef<BuiltOp> built = {});

private:
  AttributeTexts withAliases, withoutAliases;
  OpTemplates templatesWithAliases, templatesWithoutAliases;
  ValueNames names;
  size_t lastSize = 0; ///< of the text of the last op
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_TEXTPRINTER_H
