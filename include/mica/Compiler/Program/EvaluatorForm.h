//===- EvaluatorForm.h - what the reference evaluator gets of a program ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The evaluator has no complex numbers, no integers of 128 bits, no storage of sparse tensors and no StableHLO: these
// are written in other ops before it gets the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PROGRAM_EVALUATORFORM_H
#define MICA_COMPILER_PROGRAM_EVALUATORFORM_H

#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// Rewrites `module` where it has such ops. A complex argument or result becomes two: real and imaginary parts. Errors
/// are diagnostics.
llvm::LogicalResult convertForEvaluator(mlir::ModuleOp module);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_EVALUATORFORM_H
