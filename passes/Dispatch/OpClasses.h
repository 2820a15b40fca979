//===- OpClasses.h - what an op is to the formation of kernels --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel is a group of ops. Which ops can be in one, and around which of them a group forms, is decided here from the
// structure of the op alone, so that ops read from a file, converted ops and edited ones are treated alike.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_OPCLASSES_H
#define MICA_PASSES_DISPATCH_OPCLASSES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <string>

namespace mica {

/// In the order of precedence for being the root of a group, the weakest first.
enum class OpClass {
  Host,         ///< stays in the host function: shape arithmetic, control flow, views, constants
  Fill,         ///< writes one value everywhere
  DataMovement, ///< moves elements without computing: transpose, pad, slice, insert, gather
  Elementwise,  ///< computes each element of the result from elements at related places
  Reduction,    ///< has reduced dimensions and is none of the following
  Pooling,
  Convolution,
  Contraction, ///< matmul and its relatives
};

OpClass classify(mlir::Operation *op);

/// Whether `op` runs in a kernel.
inline bool isKernelWork(mlir::Operation *op) { return classify(op) != OpClass::Host; }

/// Whether `op` only renames the elements of a tensor, in place: reshapes and casts. Between kernels it costs nothing.
bool isTensorView(mlir::Operation *op);

/// A value that every kernel which reads it makes for itself: scalar constants, splats, tensor.empty.
bool isCheapToRecompute(mlir::Operation *op);

/// The kind of op `op` is, in a word for people and kernel names: "matmul", "conv2d", "transpose", "add", "reduce_sum".
std::string kindOf(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_OPCLASSES_H
