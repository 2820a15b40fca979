//===- GathersToLoops.h - lowering tensor.gather and tensor.scatter -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream lowers neither. The optimizing pipelines have a separate expansion (passes/Tensor/ExpandGather.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_GATHERSTOLOOPS_H
#define MICA_PASSES_CODEGEN_REFERENCE_GATHERSTOLOOPS_H

#include "mlir/IR/Operation.h"

namespace mica::plain {

/// Replaces every tensor.gather in `function` by a tensor.generate, and every tensor.scatter by loops that insert one
/// element at a time.
void convertGathers(mlir::Operation *function);

} // namespace mica::plain

#endif // MICA_PASSES_CODEGEN_REFERENCE_GATHERSTOLOOPS_H
