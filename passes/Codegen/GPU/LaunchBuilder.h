//===- LaunchBuilder.h - launches of a kernel -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes gpu.launch ops: one thread per iteration of a space of loops. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_LAUNCHBUILDER_H
#define MICA_PASSES_CODEGEN_GPU_LAUNCHBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mica::device {

/// A loop that threads share: its iterations run from `begin`, `step` apart, `count` of them.
struct SharedLoop {
  mlir::OpFoldResult begin, step, count;
};

class LaunchBuilder {
public:
  /// `threads`: of a block.
  LaunchBuilder(mlir::func::FuncOp func, int64_t threads) : func(func), threads(threads) {}

  /// A launch of one thread per iteration of `loops` (all of them, outermost first; no loop: one thread), at the
  /// insertion point of `rewriter`. `body` is called with that point inside and the positions of the loops. None where
  /// a loop is known not to run. The launch itself is returned; around it may be a conditional, where only the host at
  /// run time knows that there is something to do.
  mlir::gpu::LaunchOp launch(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops,
                             llvm::function_ref<void(mlir::ValueRange)> body);

  /// A launch of a cooperative group of `lanes` threads (whole warps) per iteration of `loops`, `groups` of them a
  /// block, whose block has workgroup memory of the types `memory`. `body` gets the positions of the loops, the
  /// thread's number in its cooperative group, and the memory; where a block has several cooperative groups, not all of
  /// them need come there: no barriers.
  mlir::gpu::LaunchOp
  launchGroups(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops, int64_t lanes,
               int64_t groups, llvm::ArrayRef<mlir::Type> memory,
               llvm::function_ref<void(mlir::ValueRange, mlir::Value, llvm::ArrayRef<mlir::BlockArgument>)> body);

  /// Positions of `loops` in iteration `number` of all of them.
  llvm::SmallVector<mlir::Value> positionsAt(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             llvm::ArrayRef<SharedLoop> loops, mlir::Value number) {
    return positionsOf(rewriter, loc, loops, countOf(rewriter, loc, loops), number);
  }

private:
  /// How many iterations the loops have, each and together.
  struct Iterations {
    llvm::SmallVector<mlir::Value> counts;
    mlir::Value total;
    std::optional<int64_t> known; ///< the total
  };
  Iterations countOf(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops);
  /// The launch with the insertion point in its body, for `each` iterations a block; on the host, a conditional around
  /// it where there may be none.
  mlir::gpu::LaunchOp open(mlir::RewriterBase &rewriter, mlir::Location loc, const Iterations &iterations, int64_t each,
                           int64_t threadsX, int64_t threadsY, llvm::ArrayRef<mlir::Type> memory);
  /// Positions of the loops in iteration `number`.
  static llvm::SmallVector<mlir::Value> positionsOf(mlir::RewriterBase &rewriter, mlir::Location loc,
                                                    llvm::ArrayRef<SharedLoop> loops, const Iterations &iterations,
                                                    mlir::Value number);

  mlir::func::FuncOp func;
  int64_t threads;
  int64_t next = 0; ///< number of the next launch
};

/// Bytes of one `type`, where a thread can take several side by side as a vector; 0 where it cannot (parts of a byte,
/// 8-bit floats, more than 8 bytes).
int64_t vectorElementBytes(mlir::Type type);

/// How many elements of `elementBytes` bytes an access of at most `bytes` bytes has so that `size` elements are whole
/// accesses; 1 at least.
int64_t elementsPerAccess(int64_t bytes, int64_t elementBytes, int64_t size);

/// How many elements of the innermost loop of `op`, which is on buffers, a thread can take at once so that each access
/// is one of at most `bytes` bytes; 1 where it is no elementwise op over consecutive elements.
int64_t elementsPerThread(mlir::linalg::GenericOp op, int64_t bytes);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_LAUNCHBUILDER_H
