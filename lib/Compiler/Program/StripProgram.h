//===- StripProgram.h - a program without what is its owner's alone -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Names, positions in sources and the values of constants, each removed as far as a condition still holds.
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

/// What is left after stripping.
struct StripResult {
  bool keptLocations = false;
  std::vector<std::string> keptNames; ///< symbols and names of arguments that had to stay
  int64_t keptValues = 0;             ///< constants whose values had to stay
};

/// Takes from `program` locations, names (symbols become s0, s1, ...; names of arguments go) and the values of
/// constants, of tensors and of numbers other than sizes (become 1): all of a kind at once or, where `holds` says no to
/// that, one by one. `holds` is asked about valid programs only.
StripResult stripProgram(mlir::OwningOpRef<mlir::ModuleOp> &program, llvm::function_ref<bool(mlir::ModuleOp)> holds);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_STRIPPROGRAM_H
