//===- LoopSteps.h - loops whose step is not positive ------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The steps of scf.for and scf.parallel must be positive. A loop with step 0 does not terminate, and one with a
// negative step runs until its counter overflows. If the bounds leave no iteration, the step is irrelevant.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_LOOPSTEPS_H
#define MICA_PASSES_CHECK_LOOPSTEPS_H

#include "mlir/IR/Builders.h"

namespace mica {

/// One dimension of a loop nest, and whether it terminates.
struct LoopStep {
  mlir::Value ok, lower, upper, step;
};

inline constexpr llvm::StringLiteral kLoopStepMessage = "the step of the loop is not positive: (from, to, step) =";

/// The steps of `op` that are neither known to be positive nor limited yet; empty if it is not an scf loop.
llvm::SmallVector<mlir::Value> unknownSteps(mlir::Operation *op);

/// Makes each dimension of `op` with an unknown step run no iteration if the step is not positive, and returns the
/// conditions to check before the loop. `builder` is positioned before `op`.
llvm::SmallVector<LoopStep> limitUnknownSteps(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_CHECK_LOOPSTEPS_H
