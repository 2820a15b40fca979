//===- TestGenReduce.h - IR cut down while a pipeline does the same to it ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Removes functions, ops, arguments, results and attributes for as long as a test of what is left says yes. Values
// whose op is cut out become arguments; values that only cut ops used are returned, so nothing becomes dead by the way.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_TESTGENREDUCE_H
#define MICA_LIB_IRTOOLS_TESTGENREDUCE_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace mica::irtools {

/// Replaces `module` by the smallest form found for which `keeps` is true; `keeps` may be given IR that does not
/// verify. Stops when `mayGoOn` is false.
void reduceModule(mlir::OwningOpRef<mlir::ModuleOp> &module, llvm::function_ref<bool(mlir::ModuleOp)> keeps,
                  llvm::function_ref<bool()> mayGoOn);

/// Gives every op and block argument of `module` an unknown location.
void stripLocations(mlir::ModuleOp module);

/// Resources in `module`, whose bytes a test cannot hold, become splats of ones.
void replaceResources(mlir::ModuleOp module);

/// All ops inside `module`.
int64_t countOps(mlir::ModuleOp module);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_TESTGENREDUCE_H
