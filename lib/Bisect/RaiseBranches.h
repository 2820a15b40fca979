//===- RaiseBranches.h - branches of the LLVM dialect in functions of func ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: between convert-cf-to-llvm and convert-func-to-llvm, a function of func branches by ops of the LLVM dialect.
// Neither the reference evaluator nor the reference lowering takes that mixture.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_RAISEBRANCHES_H
#define MICA_LIB_BISECT_RAISEBRANCHES_H

#include "mlir/IR/BuiltinOps.h"

namespace mica::bisect {

/// Writes them as ops of cf, which mean the same.
void raiseBranches(mlir::ModuleOp module);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_RAISEBRANCHES_H
