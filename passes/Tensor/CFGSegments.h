//===- CFGSegments.h - blocks of a region, made structured some at a time -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's transformation of branches to loops and conditionals looks for cycles among all blocks that are left,
// again at each branch: the time grows with the square of their number. So the blocks of a large region are given to it
// in segments.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_CFGSEGMENTS_H
#define MICA_PASSES_TENSOR_CFGSEGMENTS_H

#include "mlir/IR/Region.h"
#include "mlir/Transforms/CFGToSCF.h"

namespace mica {

/// Applies `interface` to the first blocks of `region`, about `blocks` at a time and whole cycles always, until no more
/// than these are left. Precondition: all blocks can be reached. Leaves the region as it is where it has fewer, or has
/// exits of different kinds, cycles without an exit, or terminators that give values of their own. Failure where
/// upstream's transformation fails.
llvm::LogicalResult structureSegments(mlir::Region &region, mlir::CFGToSCFInterface &interface, size_t blocks);

} // namespace mica

#endif // MICA_PASSES_TENSOR_CFGSEGMENTS_H
