//===- TextPrinter.h - the text of many snapshots -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Prints what Operation::print() prints, byte for byte, for whoever prints many states of one program: in one walk,
// where upstream's goes twice through every op to find the aliases first, and with texts of attributes and types that
// are kept.
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

/// What is kept from one print to the next. For one thread at a time, and one context.
class TextPrinter {
public:
  explicit TextPrinter(mlir::MLIRContext *context, const KnownTexts *known = nullptr)
      : withAliases(context, /*withAliases=*/true, known), withoutAliases(context, /*withAliases=*/false, known) {}

  /// The text of `op` in the custom form, which has to verify or to be printed as if it did. Nothing where it holds
  /// what only upstream's printer can print: distinct attributes, locations as attributes, types that name themselves,
  /// bytes of resources. `built`: how the ops were built, in pre-order, of the same tables in every call; or none.
  std::optional<Snapshot> print(mlir::Operation *op, llvm::ArrayRef<BuiltOp> built = {});

private:
  AttributeTexts withAliases, withoutAliases;
  OpTemplates templatesWithAliases, templatesWithoutAliases;
  ValueNames names;
  size_t lastSize = 0; ///< of the text of the last op
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_TEXTPRINTER_H
