//===- ReplayProbes.h - probes of replays -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the passes that build replays of kernels (BuildReplay.cpp, BuildFaultReplay.cpp).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_REPLAYPROBES_H
#define MICA_PASSES_CODEGEN_COMMON_REPLAYPROBES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// The position, in the result of the linalg.generic around `op`, of the element that its body computes; created at the
/// beginning of the body. Empty if `op` is in none or in one that computes a part inside of a loop, if the result has
/// more than `most` dimensions, or if an iteration does not compute exactly one element.
llvm::SmallVector<mlir::Value> elementComputedBy(mlir::Operation *op, size_t most);

/// Redirects the writes of a kernel to temporaries, since a replay must not update results. materialize_in_destination
/// ops are left to the caller.
void keepArgumentsUnchanged(mlir::func::FuncOp kernel);

/// Adds to the replay the attributes of a function with checks: `probes` reports, none of which fails a launch.
void describeProbes(mlir::func::FuncOp kernel, int64_t probes);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_REPLAYPROBES_H
