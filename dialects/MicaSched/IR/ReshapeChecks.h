//===- ReshapeChecks.h - sizes that the program computes fit what they are sizes of ------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes mica_sched.check_reshape and mica_sched.check_sum. Of the optimizing pipelines and the reference lowering
// alike: the checks compute nothing of a program, and in one whose sizes fit they could be left out.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_RESHAPECHECKS_H
#define MICA_DIALECTS_MICASCHED_IR_RESHAPECHECKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace mica::sched {

/// Puts checks before each op below `root` that has something in a shape that only the run can find unfit. Not in
/// linalg ops and scf.forall, unless `inKernelWork`.
void checkReshapes(mlir::Operation *root, bool inKernelWork);

/// Puts a check before each memref.view and memref.reinterpret_cast below `root` whose elements may be outside of the
/// memory of its buffer.
void checkViews(mlir::Operation *root);

/// Puts checks before `op`, which works on buffers: dimensions that one loop indexes are equal, and the other positions
/// that it accesses are in the buffer. Kernels can contain these checks.
void checkStructuredSizes(mlir::linalg::LinalgOp op);

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_RESHAPECHECKS_H
