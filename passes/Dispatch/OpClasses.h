//===- OpClasses.h - op classes for the formation of kernels ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel is a group of ops. Which ops can be in one, and around which of them a group forms, depends on their classes
// (passes/Tensor/OpKinds.h); this has further predicates for the formation of kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_OPCLASSES_H
#define MICA_PASSES_DISPATCH_OPCLASSES_H

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/OpKinds.h"

namespace mica {

/// Whether `op` runs in a kernel.
inline bool isKernelWork(mlir::Operation *op) { return classify(op) != OpClass::Host; }

/// Whether `op` does the main work of its kernel: a contraction, convolution or pooling.
inline bool isHeavy(mlir::Operation *op) { return classify(op) >= OpClass::Pooling; }

/// Whether `op` only reinterprets a tensor in place: reshapes and casts. Between kernels it is free.
bool isTensorView(mlir::Operation *op);

/// Whether `op` makes a value that every kernel recomputes: scalar constants, splats, tensor.empty.
bool isCheapToRecompute(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_OPCLASSES_H
