//===- CallPaths.h - locations of inlined operations --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The location of an operation that was inlined is callsite(operation at callsite(inner call at outer call)): messages
// show this path (getCallers in OpIds.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_CALLPATHS_H
#define MICA_DIALECTS_MICA_IR_CALLPATHS_H

#include "mlir/IR/Location.h"

namespace mica {

/// `callee`, the location of an operation that the call at `caller` inlines: the call becomes its outermost one.
mlir::Location withCaller(mlir::Location callee, mlir::Location caller);

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_CALLPATHS_H
