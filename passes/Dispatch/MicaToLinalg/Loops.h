//===- Loops.h - lowering ops to loops over rows -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops that are not structured (scatter, sort) become one scf.forall over independent rows with loops inside, on tensors
// that are updated element by element; bufferization makes these updates in place. mica-dispatch-form-groups makes a
// kernel of such a loop.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_MICATOLINALG_LOOPS_H
#define MICA_PASSES_DISPATCH_MICATOLINALG_LOOPS_H

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

namespace mica::tolinalg {

/// Collapses each given range [first, end) of dimensions of `value`; an empty range becomes a dimension of size 1.
mlir::Value regroup(Lowering &lowering, mlir::Value value, llvm::ArrayRef<std::pair<int64_t, int64_t>> ranges);
/// The inverse: reshapes `value`, of three dimensions, to `type` and `sizes`, whose dimensions before and after `axis`
/// are its first and last one.
mlir::Value ungroup(Lowering &lowering, mlir::Value value, int64_t axis, mlir::RankedTensorType type,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Ops on scalars and tensors inside of a loop, all with one location.
struct LoopBody {
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value index(int64_t value) const;
  mlir::Value index(mlir::OpFoldResult value) const;
  mlir::Value read(mlir::Value tensor, mlir::ValueRange at) const;
  mlir::Value write(mlir::Value element, mlir::Value tensor, mlir::ValueRange at) const;
  /// A loop from `from` (inclusive) to `to` with loop-carried `inits`; returns the final values.
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value from, mlir::Value to, mlir::Value step, mlir::ValueRange inits,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(LoopBody, mlir::Value, mlir::ValueRange)> body) const;
};

/// A loop over the rows of outputs `[l, n, t]`: `body` gets the positions (of l and t), the number of positions along t
/// to process, and the block of each output, `[n, number]`; it returns the updated blocks. One step has `blockSize`
/// positions along t.
llvm::SmallVector<mlir::Value>
forEachRow(Lowering &lowering, mlir::ValueRange outputs, int64_t blockSize, llvm::StringRef kind,
           llvm::function_ref<llvm::SmallVector<mlir::Value>(LoopBody, mlir::Value l, mlir::Value t, mlir::Value number,
                                                             mlir::ValueRange blocks)>
               body);

} // namespace mica::tolinalg

#endif // MICA_PASSES_DISPATCH_MICATOLINALG_LOOPS_H
