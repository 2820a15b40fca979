//===- BlockEmitter.h - register blocks of a contraction and what is fused with it -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes the loops of one group of linalg ops on tensors: a contraction, the op that initialises its result
// and the elementwise ops that consume it, all computed on vectors held in registers. Everything is made of
// scf.for, tensor.extract, vector.transfer_read/_write and the ops of the linalg bodies on one-dimensional
// vectors, so that no later rewriting is needed to reach machine vectors.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H
#define MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H

#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/FusedGroup.h"

#include "mlir/IR/PatternMatch.h"

namespace mica::cpu {

/// Replaces the group's ops by loops over register blocks. Fails, changing nothing, where the plan does not
/// fit the ops.
llvm::LogicalResult emitGroup(mlir::RewriterBase &rewriter, FusedGroup group, const ContractionPlan &plan);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_BLOCKEMITTER_H
