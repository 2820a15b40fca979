//===- Passes.h - passes of the area Specialize -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Specializes a program for static sizes of its arguments.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SPECIALIZE_PASSES_H
#define MICA_PASSES_SPECIALIZE_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mica {

#define GEN_PASS_DECL
#include "passes/Specialize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Specialize/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_SPECIALIZE_PASSES_H
