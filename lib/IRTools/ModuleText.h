//===- ModuleText.h - modules that are written and read again -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: not every op parses as it prints, and not every attribute that a fold makes has a text. What goes to another
// process is bytecode; what a person reads is a text that the parser takes, where there is one.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_MODULETEXT_H
#define MICA_LIB_IRTOOLS_MODULETEXT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace mica::irtools {

/// The IR as mica-opt prints it, with locations inside the ops where asked for.
std::string printModule(mlir::ModuleOp module, bool withLocations);

/// The same, or, where the parser does not take that, in the generic form of all ops.
std::string printParseable(mlir::ModuleOp module, bool withLocations);

/// What mica-opt, mica-compile and readModule read: the text, or, where the parser does not take that, bytecode.
std::string serializeModule(mlir::ModuleOp module, bool withLocations);

/// The module in a text or bytecode; null, without a message, where it is no module.
mlir::OwningOpRef<mlir::ModuleOp> readModule(llvm::StringRef contents, mlir::MLIRContext *context);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_MODULETEXT_H
