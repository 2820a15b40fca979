//===- BypassOps.h - IR cut down behind unchanged signatures ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Removes ops of functions for as long as a test of what is left says yes. Uses of a removed op take another value of
// the type: an operand of it, an argument of the function, a value before it, or a zero. TestGenReduce.h makes
// arguments of such values, which a program that is run cannot have.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_BYPASSOPS_H
#define MICA_LIB_IRTOOLS_BYPASSOPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mica::irtools {

/// As reduceModule: `keeps` may be given IR that does not verify.
void bypassOps(mlir::OwningOpRef<mlir::ModuleOp> &module, llvm::function_ref<bool(mlir::ModuleOp)> keeps,
               llvm::function_ref<bool()> mayGoOn);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_BYPASSOPS_H
