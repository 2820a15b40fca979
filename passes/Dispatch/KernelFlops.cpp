//===- KernelFlops.cpp - counting floating-point operations of a kernel -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See KernelFlops.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/KernelFlops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// Whether `op` computes a float; comparisons, selects and conversions do not count.
static bool isFlop(Operation *op) {
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      !isa<FloatType>(op->getResult(0).getType()))
    return false;
  return !isa<arith::ConstantOp, arith::SelectOp>(op) && !isa<CastOpInterface>(op);
}

std::optional<int64_t> mica::countFlops(func::FuncOp kernel) {
  int64_t total = 0;
  WalkResult result = kernel.walk([&](linalg::LinalgOp op) {
    int64_t perPoint = 0;
    op.getBlock()->walk([&](Operation *inner) { perPoint += isFlop(inner); });
    if (perPoint == 0)
      return WalkResult::advance();
    int64_t flops = perPoint;
    for (int64_t size : op.getStaticLoopRanges())
      if (ShapedType::isDynamic(size) || llvm::MulOverflow(flops, size, flops))
        return WalkResult::interrupt();
    return llvm::AddOverflow(total, flops, total) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ? std::nullopt : std::optional(total);
}
