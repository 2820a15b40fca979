//===- InferMovement.cpp - result types of data movement operations ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For each operation of MovementOps.td: inference of result types, reification of result shapes, and folds. See
// InferOps.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"
#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

using Types = SmallVectorImpl<Type>;

/// Appends the sizes of result `index`, as constants where its type is static.
static void addSizes(OpBuilder &builder, OpResult result, SmallVector<OpFoldResult> sizes,
                     ReifiedRankedShapedTypeDims &shapes) {
  for (auto [dim, size] : llvm::enumerate(typeOf(result).getShape()))
    if (!ShapedType::isDynamic(size))
      sizes[dim] = builder.getIndexAttr(size);
  shapes.push_back(std::move(sizes));
}

/// The shape of mica.gather's result, for static or dynamic sizes.
template <typename Size>
static SmallVector<Size> gathered(ArrayRef<Size> input, ArrayRef<Size> indices, int64_t axis, int64_t batchDims) {
  SmallVector<Size> shape(input.take_front(axis));
  llvm::append_range(shape, indices.drop_front(batchDims));
  llvm::append_range(shape, input.drop_front(axis + 1));
  return shape;
}

SmallVector<int64_t> mica::gatheredShape(ArrayRef<int64_t> input, ArrayRef<int64_t> indices, int64_t axis,
                                         int64_t batchDims) {
  return gathered(input, indices, axis, batchDims);
}

/// The sizes of the result of a gather through `indices`.
static LogicalResult reifyGathered(OpBuilder &builder, OpResult result, Value input, Value indices, int64_t axis,
                                   int64_t batchDims, ReifiedRankedShapedTypeDims &shapes) {
  Location loc = result.getOwner()->getLoc();
  SmallVector<OpFoldResult> from = tensor::getMixedSizes(builder, loc, input);
  SmallVector<OpFoldResult> by = tensor::getMixedSizes(builder, loc, indices);
  addSizes(builder, result, gathered<OpFoldResult>(from, by, axis, batchDims), shapes);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType input = typeOf(adaptor.getInput()), indices = typeOf(adaptor.getIndices());
  int64_t axis = adaptor.getAxis(), batch = adaptor.getBatchDims();
  if (axis < 0 || axis >= input.getRank() || batch < 0 || batch > axis || batch > indices.getRank())
    return failure();
  results.push_back(
      RankedTensorType::get(gatheredShape(input.getShape(), indices.getShape(), axis, batch), input.getElementType()));
  return success();
}

LogicalResult GatherOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyGathered(builder, getOperation()->getResult(0), getInput(), getIndices(), getAxis(), getBatchDims(),
                       shapes);
}

LogicalResult EmbeddingOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType table = typeOf(adaptor.getTable()), indices = typeOf(adaptor.getIndices());
  if (table.getRank() != 2)
    return failure();
  results.push_back(
      RankedTensorType::get(gatheredShape(table.getShape(), indices.getShape(), 0, 0), table.getElementType()));
  return success();
}

LogicalResult EmbeddingOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyGathered(builder, getOperation()->getResult(0), getTable(), getIndices(), 0, 0, shapes);
}

//===------------------------------------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  if (adaptor.getInputs().empty())
    return failure();
  RankedTensorType first = typeOf(adaptor.getInputs()[0]);
  int64_t axis = adaptor.getAxis();
  SmallVector<int64_t> shape(first.getShape());
  if (axis < 0 || axis >= first.getRank())
    return failure();
  for (Value input : adaptor.getInputs().drop_front()) {
    RankedTensorType type = typeOf(input);
    if (type.getRank() != first.getRank())
      return failure();
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (static_cast<int64_t>(dim) == axis)
        shape[dim] =
            ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[dim]) ? ShapedType::kDynamic : shape[dim] + size;
      else if (ShapedType::isDynamic(shape[dim]))
        shape[dim] = size;
  }
  results.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult ConcatOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  int64_t axis = getAxis();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInputs()[0]);
  AffineExpr a, b;
  bindSymbols(getContext(), a, b);
  for (Value input : getInputs().drop_front())
    sizes[axis] = affine::makeComposedFoldedAffineApply(
        builder, getLoc(), a + b, {sizes[axis], tensor::getMixedSize(builder, getLoc(), input, axis)});
  addSizes(builder, getOperation()->getResult(0), std::move(sizes), shapes);
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs()[0].getType() == getType())
    return getInputs()[0];
  return {};
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType input = typeOf(adaptor.getInput());
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= input.getRank())
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  for (int64_t size : adaptor.getSizes()) {
    shape[axis] = size;
    results.push_back(RankedTensorType::get(shape, input.getElementType()));
  }
  return success();
}

LogicalResult SplitOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  for (auto [result, size] : llvm::zip_equal(getOperation()->getResults(), getSizes())) {
    sizes[getAxis()] = builder.getIndexAttr(size);
    addSizes(builder, result, sizes, shapes);
  }
  return success();
}

SmallVector<OpFoldResult> SliceOp::getMixedOffsets() {
  Builder builder(getContext());
  return ::mlir::getMixedValues(getStaticOffsets(), getOffsets(), builder);
}

SmallVector<OpFoldResult> SliceOp::getMixedSizes() {
  Builder builder(getContext());
  return ::mlir::getMixedValues(getStaticSizes(), getSizes(), builder);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  results.push_back(RankedTensorType::get(adaptor.getStaticSizes(), typeOf(adaptor.getInput()).getElementType()));
  return success();
}

LogicalResult SliceOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  addSizes(builder, getOperation()->getResult(0), getMixedSizes(), shapes);
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // The whole of a tensor of static shape: the verifier has checked that it is in bounds, so every offset is 0.
  if (getInput().getType() == getType() && getType().hasStaticShape() &&
      llvm::all_of(getStrides(), [](int64_t stride) { return stride == 1; }))
    return getInput();
  return {};
}

LogicalResult TileOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType input = typeOf(adaptor.getInput());
  if (static_cast<int64_t>(adaptor.getMultiples().size()) != input.getRank())
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  for (auto [size, multiple] : llvm::zip(shape, adaptor.getMultiples()))
    size = ShapedType::isDynamic(size) ? size : size * multiple;
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult TileOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  for (auto [size, multiple] : llvm::zip(sizes, getMultiples()))
    size = affine::makeComposedFoldedAffineApply(builder, getLoc(), builder.getAffineSymbolExpr(0) * multiple, {size});
  addSizes(builder, getOperation()->getResult(0), std::move(sizes), shapes);
  return success();
}

OpFoldResult TileOp::fold(FoldAdaptor) {
  bool once = llvm::all_of(getMultiples(), [](int64_t multiple) { return multiple == 1; });
  if (once && getInput().getType() == getType())
    return getInput();
  return {};
}

OpFoldResult FlipOp::fold(FoldAdaptor) {
  // Reversing the same dimensions twice, or only dimensions of size 1, is a no-op.
  if (auto inner = getInput().getDefiningOp<FlipOp>(); inner && inner.getDims() == getDims())
    return inner.getInput();
  if (llvm::all_of(getDims(), [&](int64_t dim) { return getType().getDimSize(dim) == 1; }))
    return getInput();
  return {};
}

//===------------------------------------------------------------------------------------------------------------===//
// By order
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult SortOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType input = typeOf(adaptor.getInput());
  results.assign({input, RankedTensorType::get(input.getShape(), IntegerType::get(context, 64))});
  return success();
}

LogicalResult SortOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  for (OpResult result : getOperation()->getResults())
    addSizes(builder, result, tensor::getMixedSizes(builder, getLoc(), getInput()), shapes);
  return success();
}

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor, Types &results) {
  RankedTensorType input = typeOf(adaptor.getInput());
  SmallVector<int64_t> shape(input.getShape());
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= input.getRank())
    return failure();
  shape[axis] = adaptor.getK();
  results.assign({RankedTensorType::get(shape, input.getElementType()),
                  RankedTensorType::get(shape, IntegerType::get(context, 64))});
  return success();
}

LogicalResult TopKOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  sizes[getAxis()] = builder.getIndexAttr(getK());
  for (OpResult result : getOperation()->getResults())
    addSizes(builder, result, sizes, shapes);
  return success();
}
