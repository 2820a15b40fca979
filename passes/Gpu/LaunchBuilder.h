//===- LaunchBuilder.h - launches of a kernel -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes gpu.launch ops: one thread per iteration of a space of loops. Private to passes/Gpu.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_GPU_LAUNCHBUILDER_H
#define MICA_PASSES_GPU_LAUNCHBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::device {

/// A loop that threads share: its iterations run from `begin`, `step` apart, `count` of them.
struct SharedLoop {
  mlir::OpFoldResult begin, step, count;
};

class LaunchBuilder {
public:
  /// `threads`: of a block.
  LaunchBuilder(mlir::func::FuncOp func, int64_t threads) : func(func), threads(threads) {}

  /// A launch of one thread per iteration of `loops` (all of them, outermost first; no loop: one thread), at the insertion point of
  /// `rewriter`. `body` is called with that point inside and the positions of the loops. None where a loop is known not to run. The
  /// launch itself is returned; around it may be a conditional, where only the host at run time knows that there is something to do.
  mlir::gpu::LaunchOp launch(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops,
                             llvm::function_ref<void(mlir::ValueRange)> body);

private:
  mlir::func::FuncOp func;
  int64_t threads;
  int64_t next = 0; ///< number of the next launch
};

/// How many elements of the innermost loop of `op`, which is on buffers, a thread can take at once so that each access is one of
/// at most `bytes` bytes; 1 where it is no elementwise op over consecutive elements.
int64_t elementsPerThread(mlir::linalg::GenericOp op, int64_t bytes);

} // namespace mica::device

#endif // MICA_PASSES_GPU_LAUNCHBUILDER_H
