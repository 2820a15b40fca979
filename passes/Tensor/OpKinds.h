//===- OpKinds.h - what kind of op an op is, by its structure ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An op's class and kind are decided here from the structure of the op alone, so that ops read from a file, converted
// ops and edited ones are treated alike: a linalg.generic that multiplies matrices is a matmul.
// mica-tensor-annotate-kinds writes the kind on the op, for people to read; whoever needs to know asks the functions
// here.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_OPKINDS_H
#define MICA_PASSES_TENSOR_OPKINDS_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mica {

/// What an op does, in a few classes; in the order of precedence for being the root of a kernel, the weakest first.
enum class OpClass {
  Host,         ///< no work of its own on tensors: shape arithmetic, control flow, views, constants
  BufferCode,   ///< loops on buffers as the program has them, a kernel of their own
  Fill,         ///< writes one value everywhere
  DataMovement, ///< moves elements without computing: transpose, pad, slice, insert, gather
  Elementwise,  ///< computes each element of the result from elements at related places
  Reduction,    ///< has reduced dimensions and is none of the following
  Pooling,
  Convolution,
  Contraction, ///< matmul and its relatives
};

OpClass classify(mlir::Operation *op);

/// The kind of op `op` is. An op of linalg on tensors is one of
///
///   fill  copy  transpose  broadcast  gather  move  elementwise  reduction  softmax
///   [batch_]matmul  [batch_]matvec  [batch_]dot  [depthwise_]conv<N>d  <combiner>_pool<N>d
///
/// and of another dialect, or without loops (linalg.pack), what its name says.
std::string kindOf(mlir::Operation *op);

/// The same for names of kernels, where elementwise ops and reductions are called by what they compute: "add", "relu",
/// "reduce_sum".
std::string wordFor(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_OPKINDS_H
