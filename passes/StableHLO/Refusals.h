//===- Refusals.h - functions that are refused --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A program may have many functions to call. One that is refused is left out, so that the others can be called.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_REFUSALS_H
#define MICA_PASSES_STABLEHLO_REFUSALS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mica::hlotomica {

/// Calls `convert` with each op of the module. A function for which it fails, and those that call it, are erased and
/// reported by warnings, if a public function remains that has no part in it; otherwise the failures are errors.
/// A function called 'main' is never left out.
llvm::LogicalResult forEachFunction(mlir::ModuleOp module,
                                    llvm::function_ref<llvm::LogicalResult(mlir::Operation *)> convert);

} // namespace mica::hlotomica

#endif // MICA_PASSES_STABLEHLO_REFUSALS_H
