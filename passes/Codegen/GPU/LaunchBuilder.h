//===- LaunchBuilder.h - building launches ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits gpu.launch ops with one thread per iteration of a loop nest. Private to passes/Codegen/GPU.
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

/// A distributed loop: `count` iterations from `begin`, with step `step`.
struct SharedLoop {
  mlir::OpFoldResult begin, step, count;
};

class LaunchBuilder {
public:
  /// `threads`: threads per block.
  LaunchBuilder(mlir::func::FuncOp func, int64_t threads) : func(func), threads(threads) {}

  /// Emits a launch of one thread per iteration of `loops` (all of them, outermost first; no loop: one thread), at the
  /// insertion point of `rewriter`. `body` is called with the insertion point inside and the loops' induction
  /// variables. Returns null if a loop is known to have no iterations. If this is known only at run time, the launch is
  /// inside of a conditional.
  mlir::gpu::LaunchOp launch(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops,
                             llvm::function_ref<void(mlir::ValueRange)> body);

  /// Emits a launch of a cooperative group of `lanes` threads (whole warps) per iteration of `loops`, with `groups`
  /// groups per block and workgroup memory of the types `memory`. `body` gets the loops' induction variables, the
  /// thread's number in its group, and the memory. With several groups per block, `body` must not contain barriers,
  /// because some groups may not execute it.
  mlir::gpu::LaunchOp
  launchGroups(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops, int64_t lanes,
               int64_t groups, llvm::ArrayRef<mlir::Type> memory,
               llvm::function_ref<void(mlir::ValueRange, mlir::Value, llvm::ArrayRef<mlir::BlockArgument>)> body);

  /// The induction variables of `loops` in iteration `number`.
  llvm::SmallVector<mlir::Value> positionsAt(mlir::RewriterBase &rewriter, mlir::Location loc,
                                             llvm::ArrayRef<SharedLoop> loops, mlir::Value number) {
    return positionsOf(rewriter, loc, loops, countOf(rewriter, loc, loops), number);
  }

private:
  /// The iteration counts of the loops, and their product.
  struct Iterations {
    llvm::SmallVector<mlir::Value> counts;
    mlir::Value total;
    std::optional<int64_t> known; ///< the total
  };
  Iterations countOf(mlir::RewriterBase &rewriter, mlir::Location loc, llvm::ArrayRef<SharedLoop> loops);
  /// Creates the launch, with `each` iterations per block and the insertion point in its body; on the host, inside of a
  /// conditional if there may be no iteration.
  mlir::gpu::LaunchOp open(mlir::RewriterBase &rewriter, mlir::Location loc, const Iterations &iterations, int64_t each,
                           int64_t threadsX, int64_t threadsY, llvm::ArrayRef<mlir::Type> memory);
  /// The induction variables of the loops in iteration `number`.
  static llvm::SmallVector<mlir::Value> positionsOf(mlir::RewriterBase &rewriter, mlir::Location loc,
                                                    llvm::ArrayRef<SharedLoop> loops, const Iterations &iterations,
                                                    mlir::Value number);

  mlir::func::FuncOp func;
  int64_t threads;
  int64_t next = 0; ///< number of the next launch
};

/// Size in bytes of `type` if a thread can access several contiguous elements as a vector; else 0 (sub-byte types,
/// 8-bit floats, more than 8 bytes).
int64_t vectorElementBytes(mlir::Type type);

/// The number of elements of `elementBytes` bytes per access of at most `bytes` bytes, such that `size` is a multiple
/// of it; at least 1.
int64_t elementsPerAccess(int64_t bytes, int64_t elementBytes, int64_t size);

/// The number of elements along the innermost loop of `op`, on buffers, that a thread can process with accesses of at
/// most `bytes` bytes; 1 if it is not elementwise over contiguous elements.
int64_t elementsPerThread(mlir::linalg::GenericOp op, int64_t bytes);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_LAUNCHBUILDER_H
