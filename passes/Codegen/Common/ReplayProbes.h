//===- ReplayProbes.h - what the probes of replays report ---------------------------------------------------------===//
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

/// The position, in the result of the linalg.generic around `op`, of the element that its body computes; made at the
/// begin of the body. Empty where `op` stands in none or in one that computes a part inside of a loop, where the result
/// has more than `most` dimensions, or where an iteration does not compute one element.
llvm::SmallVector<mlir::Value> elementComputedBy(mlir::Operation *op, size_t most);

/// A replay updates nothing: what a kernel writes stays as it is. Leaves materialize_in_destination ops to the caller.
void keepArgumentsUnchanged(mlir::func::FuncOp kernel);

/// Gives the replay what phase kernel asks of a function with checks: `probes` reports that fail no launch.
void describeProbes(mlir::func::FuncOp kernel, int64_t probes);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_REPLAYPROBES_H
