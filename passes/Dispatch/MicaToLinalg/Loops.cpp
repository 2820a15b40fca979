//===- Loops.cpp - lowering ops to loops over rows ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Loops.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Loops.h"

#include "passes/Tensor/OpKinds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

Value tolinalg::regroup(Lowering &lowering, Value value, ArrayRef<std::pair<int64_t, int64_t>> ranges) {
  OpBuilder &builder = lowering.builder;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> unit, shape;
  for (auto [position, range] : llvm::enumerate(ranges)) {
    if (range.first == range.second)
      unit.push_back(position);
    else
      llvm::append_range(groups.emplace_back(), llvm::seq(range.first, range.second));
  }
  auto type = cast<RankedTensorType>(value.getType());
  if (static_cast<int64_t>(groups.size()) != type.getRank())
    value = tensor::CollapseShapeOp::create(builder, lowering.loc, value, groups);
  type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t position = 0, next = 0, end = ranges.size(); position < end; ++position) {
    bool isUnit = llvm::is_contained(unit, position);
    shape.push_back(isUnit ? 1 : type.getDimSize(next));
    sizes.push_back(isUnit ? OpFoldResult(builder.getIndexAttr(1))
                           : tensor::getMixedSize(builder, lowering.loc, value, next));
    next += !isUnit;
  }
  return lowering.insertUnitDims(value, unit, RankedTensorType::get(shape, type.getElementType()), sizes);
}

Value tolinalg::ungroup(Lowering &lowering, Value value, int64_t axis, RankedTensorType type,
                        ArrayRef<OpFoldResult> sizes) {
  int64_t rank = type.getRank();
  SmallVector<int64_t> unit;
  if (axis == 0)
    unit.push_back(0);
  if (axis == rank - 1)
    unit.push_back(2);
  value = lowering.dropUnitDims(value, unit);
  SmallVector<ReassociationIndices> groups;
  for (auto [first, end] : {std::pair<int64_t, int64_t>{0, axis}, {axis, axis + 1}, {axis + 1, rank}})
    if (first != end)
      llvm::append_range(groups.emplace_back(), llvm::seq(first, end));
  // The operand's sizes may be more static than the type.
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  auto known = RankedTensorType::get(shape, type.getElementType());
  Type collapsed = tensor::CollapseShapeOp::inferCollapsedType(known, groups);
  value = castTo(lowering.builder, lowering.loc, value, collapsed);
  if (static_cast<int64_t>(groups.size()) == rank)
    return value;
  return expandTo(lowering.builder, lowering.loc, value, groups, sizes);
}

Value LoopBody::index(int64_t value) const { return arith::ConstantIndexOp::create(b, loc, value); }
Value LoopBody::index(OpFoldResult value) const { return getValueOrCreateConstantIndexOp(b, loc, value); }
Value LoopBody::read(Value tensor, ValueRange at) const { return tensor::ExtractOp::create(b, loc, tensor, at); }
Value LoopBody::write(Value element, Value tensor, ValueRange at) const {
  return tensor::InsertOp::create(b, loc, element, tensor, at);
}

SmallVector<Value> LoopBody::loop(Value from, Value to, Value step, ValueRange inits,
                                  llvm::function_ref<SmallVector<Value>(LoopBody, Value, ValueRange)> body) const {
  auto loop = scf::ForOp::create(
      b, loc, from, to, step, inits, [&](OpBuilder &inner, Location innerLoc, Value position, ValueRange carried) {
        scf::YieldOp::create(inner, innerLoc, body(LoopBody{inner, innerLoc}, position, carried));
      });
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value>
tolinalg::forEachRow(Lowering &lowering, ValueRange outputs, int64_t blockSize, StringRef kind,
                     llvm::function_ref<SmallVector<Value>(LoopBody, Value, Value, Value, ValueRange)> body) {
  OpBuilder &builder = lowering.builder;
  Location loc = lowering.loc;
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult rows = tensor::getMixedSize(builder, loc, outputs[0], 0);
  OpFoldResult width = tensor::getMixedSize(builder, loc, outputs[0], 2);
  auto forall =
      scf::ForallOp::create(builder, loc, ArrayRef<OpFoldResult>{zero, zero}, ArrayRef<OpFoldResult>{rows, width},
                            ArrayRef<OpFoldResult>{one, builder.getIndexAttr(blockSize)}, outputs,
                            /*mapping=*/std::nullopt);
  forall->setAttr(kLoopKindAttr, builder.getStringAttr(kind));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forall.getBody());
  Value l = forall.getInductionVars()[0], t = forall.getInductionVars()[1];
  OpFoldResult number = one;
  if (blockSize != 1) {
    AffineExpr d0, s0;
    bindDims(builder.getContext(), d0);
    bindSymbols(builder.getContext(), s0);
    AffineMap map = AffineMap::get(1, 1, {s0 - d0, builder.getAffineConstantExpr(blockSize)}, builder.getContext());
    number = affine::makeComposedFoldedAffineMin(builder, loc, map, {OpFoldResult(t), width});
  }
  SmallVector<OpFoldResult> offsets = {l, zero, t}, strides(3, one);
  SmallVector<Value> blocks;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (BlockArgument output : forall.getRegionIterArgs()) {
    sizes.push_back({one, tensor::getMixedSize(builder, loc, output, 1), number});
    auto type = cast<RankedTensorType>(output.getType());
    auto blockType = RankedTensorType::get(
        {type.getDimSize(1), getConstantIntValue(number).value_or(ShapedType::kDynamic)}, type.getElementType());
    blocks.push_back(tensor::ExtractSliceOp::create(builder, loc, blockType, output, offsets, sizes.back(), strides));
  }
  LoopBody loopBody{builder, loc};
  SmallVector<Value> written = body(loopBody, l, t, loopBody.index(number), blocks);
  builder.setInsertionPointToStart(forall.getTerminator().getBody());
  for (auto [block, output, size] : llvm::zip_equal(written, forall.getRegionIterArgs(), sizes))
    tensor::ParallelInsertSliceOp::create(builder, loc, block, output, offsets, size, strides);
  return SmallVector<Value>(forall.getResults());
}
