//===- SourceNames.h - names of values in the source --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_SOURCENAMES_H
#define MICA_LIB_COMPILER_EMIT_SOURCENAMES_H

#include "mica/Artifact/Manifest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// After phase schedule: sets `name` of the ops and `tensors` of the sites of `manifest`. `source` is the text of the
/// program's file, "" if there is none.
void nameTensors(mlir::ModuleOp program, llvm::StringRef source, const std::vector<artifact::TaskList> &lists,
                 artifact::Manifest &manifest);

/// What the user calls an argument of `function`, as read: its name, or what the text `source` of the file named `file`
/// calls it, "%x"; "" if neither is known.
std::string argumentName(mlir::func::FuncOp function, unsigned number, llvm::StringRef source, llvm::StringRef file);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_SOURCENAMES_H
