//===- OpNumbering.h - numbering the ops of a program -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Determines which ops of a program have ids, and which: the walk is shared by mica-tensor-assign-ids and the
// manifest's table of ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_OPNUMBERING_H
#define MICA_PASSES_TENSOR_OPNUMBERING_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mica {

/// An op that has an id.
struct NumberedOp {
  mlir::Operation *op;
  llvm::StringRef function; ///< the function that contains it
  int64_t ordinal;          ///< among the ops of its kind in that function, from 0
  std::string id;           ///< the first id in its location, or the id to assign
};

/// Calls `visit` for every op of the functions of `module`, except constants, terminators and ops nested in an op's own
/// computation, in the order of the text. `visit` may change the op's location.
void forEachNumberedOp(mlir::ModuleOp module, llvm::function_ref<void(const NumberedOp &)> visit);

/// Whether the regions of `op` contain ops of the program, as opposed to the op's own computation.
bool holdsOpsOfProgram(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_OPNUMBERING_H
