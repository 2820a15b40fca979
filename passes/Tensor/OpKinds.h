//===- OpKinds.h - kinds of ops by structure --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An op's class and kind are derived from the structure of the op alone, so that ops read from a file, converted ops
// and edited ones are treated alike: a linalg.generic that multiplies matrices is a matmul. mica-tensor-annotate-kinds
// attaches the kind to the op, for readers; passes call the functions here.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_OPKINDS_H
#define MICA_PASSES_TENSOR_OPKINDS_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mica {

/// Classes of ops, by increasing precedence for being the root of a kernel.
enum class OpClass {
  Host,         ///< no computation on tensors: shape arithmetic, control flow, views, constants
  BufferCode,   ///< loops on buffers of the program, a separate kernel
  Fill,         ///< fills with one value
  DataMovement, ///< moves elements without computing: transpose, pad, slice, insert, gather
  Elementwise,  ///< computes each element of the result from elements at related positions
  Reduction,    ///< has reduction dimensions and is none of the following
  Pooling,
  Convolution,
  Contraction, ///< matmul and similar ops
};

OpClass classify(mlir::Operation *op);

/// The kind of op `op` is. An op of linalg on tensors is one of
///
///   fill  copy  transpose  broadcast  gather  move  elementwise  reduction  softmax
///   [batch_]matmul  [batch_]matvec  [batch_]dot  [depthwise_]conv<N>d  <combiner>_pool<N>d
///
/// and an op of another dialect, or without loops (linalg.pack), is named by its op name.
std::string kindOf(mlir::Operation *op);

/// The same for names of kernels, where elementwise ops and reductions are named after their computation: "add",
/// "relu", "reduce_sum".
std::string wordFor(mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_OPKINDS_H
