//===- ShardValues.h - shardings of values ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Gives arguments, results and operands a shard.shard.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_SHARDVALUES_H
#define MICA_DIALECTS_MICASCHED_IR_SHARDVALUES_H

#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mica {

/// By dimension: the axes of the grid that split it.
using SplitAxes = llvm::SmallVector<llvm::SmallVector<int16_t>>;

/// The name of the grid that is added to a program without one.
inline constexpr llvm::StringLiteral kGridName = "ranks";

/// The attribute mica_sched.sharding of a part of a tensor of `shape`. Dimensions beyond `axes` are not split.
inline mlir::DictionaryAttr describeParts(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> grid,
                                          const SplitAxes &axes, llvm::ArrayRef<int64_t> shape) {
  mlir::Builder b(context);
  llvm::SmallVector<mlir::Attribute> splits(shape.size(), b.getDenseI64ArrayAttr({}));
  for (auto [split, dim] : llvm::zip(axes, splits))
    dim = b.getDenseI64ArrayAttr(llvm::SmallVector<int64_t>(split.begin(), split.end()));
  return b.getDictionaryAttr({b.getNamedAttr("grid", b.getDenseI64ArrayAttr(grid)),
                              b.getNamedAttr("axes", b.getArrayAttr(splits)),
                              b.getNamedAttr("shape", b.getDenseI64ArrayAttr(shape))});
}

/// `value`, for users that want it split. What computes it keeps its own sharding: the two may differ, as for a sum
/// over a dimension that is split.
inline mlir::shard::ShardOp shardForUsers(mlir::OpBuilder &b, mlir::Value value, mlir::FlatSymbolRefAttr grid,
                                          const SplitAxes &axes) {
  auto splits = llvm::map_to_vector(
      axes, [&](llvm::ArrayRef<int16_t> split) { return mlir::shard::GridAxesAttr::get(b.getContext(), split); });
  mlir::Value sharding = mlir::shard::ShardingOp::create(b, value.getLoc(), grid, splits);
  auto annotation = mlir::shard::ShardOp::create(b, value.getLoc(), value, sharding);
  annotation.setAnnotateForUsers(true);
  return annotation;
}

inline void shardArgument(mlir::BlockArgument argument, mlir::FlatSymbolRefAttr grid, const SplitAxes &axes) {
  mlir::OpBuilder b = mlir::OpBuilder::atBlockBegin(argument.getOwner());
  mlir::shard::ShardOp annotation = shardForUsers(b, argument, grid, axes);
  argument.replaceAllUsesExcept(annotation.getResult(), annotation);
}

inline void shardOperand(mlir::OpOperand &operand, mlir::FlatSymbolRefAttr grid, const SplitAxes &axes) {
  mlir::OpBuilder b(operand.getOwner());
  operand.set(shardForUsers(b, operand.get(), grid, axes).getResult());
}

} // namespace mica

#endif // MICA_DIALECTS_MICASCHED_IR_SHARDVALUES_H
