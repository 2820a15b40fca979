//===- ImageOps.cpp - padding and resizing -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints, result shapes and folds of the operations of ImageOps.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"
#include "dialects/Mica/IR/Inference.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;
using namespace mica::inference;

//===------------------------------------------------------------------------------------------------------------===//
// Pad
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  auto input = tensorOf(adaptor.getInput());
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh();
  if (low.size() != input.getShape().size() || high.size() != low.size())
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!isDynamic(size))
      size += low[dim] + high[dim];
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult PadOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  for (auto [dim, size] : llvm::enumerate(sizes))
    size = affine::makeComposedFoldedAffineApply(
        builder, getLoc(), builder.getAffineSymbolExpr(0) + (getLow()[dim] + getHigh()[dim]), {size});
  return finishShape(builder, *this, std::move(sizes), shapes);
}

LogicalResult PadOp::verifyConstraints() {
  RankedTensorType input = getInput().getType();
  size_t rank = input.getRank();
  if (failed(verifyList(*this, "C1", "low", getLow(), rank, 0)) ||
      failed(verifyList(*this, "C1", "high", getHigh(), rank, 0)))
    return failure();
  if (TypedAttr value = getValueAttr()) {
    if (getMode() != PadMode::Constant)
      return emitOpError() << "(C2) a value is allowed only with mode constant, got " << stringifyPadMode(getMode());
    if (value.getType() != input.getElementType())
      return emitOpError() << "(C2) the value must have the operand's element type " << input.getElementType()
                           << ", got " << value.getType();
  }
  for (auto [dim, size] : llvm::enumerate(input.getShape())) {
    int64_t most = std::max(getLow()[dim], getHigh()[dim]);
    if (isDynamic(size) && most > 0 && getMode() != PadMode::Constant)
      (void)mayBeAtLeast(*this, "C3", sizeIn("the input", getInput(), dim),
                         getMode() == PadMode::Reflect ? most + 1
                         : getMode() == PadMode::Wrap  ? most
                                                       : 1,
                         " for mode " + stringifyPadMode(getMode()));
    if (isDynamic(size) || most == 0)
      continue;
    // The maximum padding that the mode can derive from that many elements.
    int64_t limit = getMode() == PadMode::Reflect ? size - 1
                    : getMode() == PadMode::Wrap  ? size
                    : getMode() == PadMode::Edge  ? (size > 0 ? most : 0)
                                                  : most;
    if (most > limit)
      return emitOpError() << "(C3) mode " << stringifyPadMode(getMode()) << " allows a border of at most "
                           << std::max<int64_t>(limit, 0) << " from the " << size << " elements of dim " << dim
                           << ", got " << most;
  }
  return verifyResult(*this, "C4");
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t size) { return size == 0; };
  bool nothing = llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero);
  return nothing && getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

//===------------------------------------------------------------------------------------------------------------===//
// Resize
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ResizeOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  ImageDims dims = getImageDims();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getInput());
  unsigned next = 0;
  for (int64_t dim : {dims.height, dims.width})
    if (getType().isDynamicDim(dim))
      sizes[dim] = getSizes()[next++];
  return finishShape(builder, *this, std::move(sizes), shapes);
}

LogicalResult ResizeOp::verifyConstraints() {
  RankedTensorType input = getInput().getType(), result = getType();
  if (getMode() == ResizeMode::Bilinear && failed(verifyElementsOf(*this, "the input", getInput(), Elements::Float)))
    return failure();
  if (failed(verifyRank(*this, "C2", "input", getInput(), 4)))
    return failure();
  ImageDims dims = getImageDims();
  auto mayKeep = [&](int64_t dim) {
    return result.isDynamicDim(dim) ||
           mayBeEqual(*this, "C3", sizeIn("the input", getInput(), dim), sizeIn("the result", getResult(), dim));
  };
  if (result.getElementType() != input.getElementType() || result.getRank() != 4 || !mayKeep(dims.batch) ||
      !mayKeep(dims.channel))
    return emitOpError() << "(C3) the result has the operand's element type, batch and channels, but the operand is "
                         << input << " and the result " << result;
  unsigned dynamic = 0;
  for (int64_t dim : {dims.height, dims.width}) {
    (void)mayBeAtLeast(*this, "C4", sizeIn("the input", getInput(), dim), 1);
    if (result.isDynamicDim(dim) && dynamic < getSizes().size())
      (void)mayBeAtLeast(*this, "C4", sizeGiven("dim " + Twine(dim) + " of the result", getSizes()[dynamic]), 1);
    dynamic += result.isDynamicDim(dim);
    for (RankedTensorType type : {input, result})
      if (type.getDimSize(dim) == 0)
        return emitOpError() << "(C4) height and width are at least 1, but dim " << dim << " of the "
                             << (type == input ? "input" : "result") << " is 0";
  }
  if (getSizes().size() != dynamic)
    return emitOpError() << "(C5) one size must be given per dynamic height and width of the result, " << dynamic
                         << ", got " << getSizes().size();
  return success();
}
