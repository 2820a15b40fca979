//===- LoopSteps.h - loops whose step is not positive ------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The steps of scf.for and scf.parallel are positive. A loop whose step is 0 does not end, and one whose step is
// negative runs until its counter overflows. Where the bounds leave nothing to do, the step does not matter.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_LOOPSTEPS_H
#define MICA_PASSES_CHECK_LOOPSTEPS_H

#include "mlir/IR/Builders.h"

namespace mica {

/// One dimension of a loop nest, and whether it ends.
struct LoopStep {
  mlir::Value ok, lower, upper, step;
};

inline constexpr llvm::StringLiteral kLoopStepMessage = "the step of the loop is not positive: (from, to, step) =";

/// The steps of `op` that are neither positive by themselves nor limited yet; empty where it is no loop of scf.
llvm::SmallVector<mlir::Value> unknownSteps(mlir::Operation *op);

/// Makes each dimension of `op` with an unknown step run no iteration where the step is not positive, and gives what
/// is to be checked before the loop. `builder` stands before `op`.
llvm::SmallVector<LoopStep> limitUnknownSteps(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace mica

#endif // MICA_PASSES_CHECK_LOOPSTEPS_H
