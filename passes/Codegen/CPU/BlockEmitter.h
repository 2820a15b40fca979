//===- BlockEmitter.h - register blocks of a contraction and the ops fused with it -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits the loops of one group of linalg ops on tensors: a contraction, the op that initializes its result, and its
// elementwise consumers, all computed on vectors in registers. It only uses scf.for, tensor.extract,
// vector.transfer_read/_write and the ops of the linalg bodies on one-dimensional vectors, so that no further rewriting
// is needed to get machine vectors.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H
#define MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H

#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/FusedGroup.h"

#include "mlir/IR/PatternMatch.h"

namespace mica::cpu {

/// Replaces the group's ops by loops over register blocks. Fails, without changes, if the config does not fit the ops.
/// `hasByteDots`: whether the form Interleaved has an instruction for four products of 8-bit integers.
llvm::LogicalResult emitGroup(mlir::RewriterBase &rewriter, FusedGroup group, const ContractionPlan &plan,
                              bool hasByteDots);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H
