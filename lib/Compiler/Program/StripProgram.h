//===- StripProgram.h - removing private data from a program ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Removes names, source positions and the values of constants, each as far as a predicate still holds.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_STRIPPROGRAM_H
#define MICA_LIB_COMPILER_PROGRAM_STRIPPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// What could not be stripped.
struct StripResult {
  bool keptLocations = false;
  std::vector<std::string> keptNames; ///< symbols and argument names that had to be kept
  int64_t keptValues = 0;             ///< constants whose values had to be kept
};

/// Removes from `program` locations, names (symbols become s0, s1, ...; argument names are removed) and the values of
/// constants, of tensors and of scalars other than sizes (they become 1): all of a kind at once or, if `holds` returns
/// false for that, one by one. `holds` is called with valid programs only.
StripResult stripProgram(mlir::OwningOpRef<mlir::ModuleOp> &program, llvm::function_ref<bool(mlir::ModuleOp)> holds);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_STRIPPROGRAM_H
