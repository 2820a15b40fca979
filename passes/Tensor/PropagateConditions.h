//===- PropagateConditions.h - conditions inside of ifs on them are constants ------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What upstream's pattern ConditionPropagation of `scf.if` does, in time that grows with the uses of a condition. The
// pattern looks at all of them for each `scf.if`, so that thousands on one condition take the square of their number.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_PROPAGATECONDITIONS_H
#define MICA_PASSES_TENSOR_PROPAGATECONDITIONS_H

#include "mlir/IR/Operation.h"

namespace mica {

/// Replaces conditions of `leastUses` or more uses, inside of the scf.if on them in `root`, by constants. Looks at each
/// use once.
void propagateConditions(mlir::Operation *root, unsigned leastUses);

} // namespace mica

#endif // MICA_PASSES_TENSOR_PROPAGATECONDITIONS_H
