//===- SourceNames.h - names of values in the source --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_SOURCENAMES_H
#define MICA_LIB_COMPILER_EMIT_SOURCENAMES_H

#include "mica/Artifact/Manifest.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// After phase schedule: sets `name` of the ops and `tensors` of the sites of `manifest`. `source` is the text of the
/// program's file, "" if there is none.
void nameTensors(mlir::ModuleOp program, llvm::StringRef source, const std::vector<artifact::TaskList> &lists,
                 artifact::Manifest &manifest);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_SOURCENAMES_H
