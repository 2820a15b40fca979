//===- Verify.h - what the verifiers of stablehlo share -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the dialect. A dynamic size fits every size.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_VERIFY_H
#define MICA_DIALECTS_STABLEHLO_IR_VERIFY_H

#include "dialects/StableHLO/IR/StableHLODialect.h"

namespace mica::stablehlo::verifier {

mlir::RankedTensorType typeOf(mlir::Value value);
bool fits(int64_t a, int64_t b);
bool fit(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
bool isScalar(mlir::Value value);
std::string text(llvm::ArrayRef<int64_t> shape);
/// Checks that the result has the sizes `shape` and the element type `element`.
llvm::LogicalResult verifyResult(mlir::Operation *op, llvm::ArrayRef<int64_t> shape, mlir::Type element);
/// Checks that the dimensions are different and less than `rank`.
llvm::LogicalResult verifyDims(mlir::Operation *op, llvm::ArrayRef<int64_t> dims, int64_t rank, llvm::StringRef what);
llvm::LogicalResult verifyCount(mlir::Operation *op, size_t count, int64_t rank, llvm::StringRef what);
/// Checks that `block` has arguments and a return of the given types. Sizes may be known better on one side.
llvm::LogicalResult verifyBlock(mlir::Operation *op, mlir::Block &block, mlir::TypeRange arguments,
                                mlir::TypeRange results);
/// Checks that each list has `rank` values, none below `least`.
llvm::LogicalResult verifyLists(mlir::Operation *op,
                                llvm::ArrayRef<std::pair<llvm::StringRef, llvm::SmallVector<int64_t>>> lists,
                                int64_t rank, int64_t least);
/// The number of positions of a window.
int64_t windowed(int64_t size, int64_t baseDilation, int64_t low, int64_t high, int64_t window, int64_t windowDilation,
                 int64_t stride);

} // namespace mica::stablehlo::verifier

#endif // MICA_DIALECTS_STABLEHLO_IR_VERIFY_H
