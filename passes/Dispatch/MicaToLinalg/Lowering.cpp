//===- Lowering.cpp - shared by the lowerings of mica ops to linalg ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Lowering.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

Value Lowering::empty(ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(builder, loc, sizes, element);
}

Value Lowering::filled(ArrayRef<OpFoldResult> sizes, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, scalar, empty(sizes, value.getType())).getResult(0);
}

Value Lowering::generic(ValueRange inputs, Value output, ArrayRef<AffineMap> maps, ArrayRef<IteratorType> iterators,
                        Body body) {
  auto op = linalg::GenericOp::create(builder, loc, output.getType(), inputs, output, maps, iterators,
                                      [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
                                        linalg::YieldOp::create(b, bodyLoc, body(b, bodyLoc, args));
                                      });
  return op.getResult(0);
}

Value Lowering::parallel(ValueRange inputs, ArrayRef<AffineMap> maps, ArrayRef<OpFoldResult> sizes, Type element,
                         Body body) {
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<IteratorType> iterators(sizes.size(), IteratorType::parallel);
  return generic(inputs, empty(sizes, element), allMaps, iterators, body);
}

Value Lowering::reduce(ValueRange inputs, ArrayRef<int64_t> dims, TypedAttr init, Body body) {
  int64_t rank = cast<RankedTensorType>(inputs[0].getType()).getRank();
  SmallVector<OpFoldResult> sizes;
  SmallVector<IteratorType> iterators;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool reduced = llvm::is_contained(dims, dim);
    iterators.push_back(reduced ? IteratorType::reduction : IteratorType::parallel);
    if (!reduced)
      sizes.push_back(tensor::getMixedSize(builder, loc, inputs[0], dim));
  }
  AffineMap kept = mapWithout(rank, dims, builder.getContext());
  SmallVector<AffineMap> maps(inputs.size() + 1, kept);
  maps[0] = builder.getMultiDimIdentityMap(rank);
  return generic(inputs, filled(sizes, init), maps, iterators, body);
}

/// Groups the dimensions of a shape so that each group has one dimension that is not in `unit`.
static SmallVector<ReassociationIndices> groupsAround(int64_t rank, ArrayRef<int64_t> unit) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!llvm::is_contained(unit, dim)) {
      groups.push_back(std::move(leading));
      leading.clear();
      groups.back().push_back(dim);
    } else if (groups.empty()) {
      leading.push_back(dim);
    } else {
      groups.back().push_back(dim);
    }
  }
  return groups;
}

Value Lowering::dropUnitDims(Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(type.getDimSize(dim));
  auto dropped = RankedTensorType::get(shape, type.getElementType());
  // Undo insertUnitDims(), so that a reduction that keeps its dimensions is adjacent to its user.
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    if (expand.getSrcType() == dropped && expand.getReassociationIndices() == groupsAround(type.getRank(), dims))
      return expand.getSrc();
  return tensor::CollapseShapeOp::create(builder, loc, dropped, value, groupsAround(type.getRank(), dims));
}

Value Lowering::insertUnitDims(Value value, ArrayRef<int64_t> dims, RankedTensorType type,
                               ArrayRef<OpFoldResult> sizes) {
  if (dims.empty())
    return value;
  return castTo(builder, loc, expandTo(builder, loc, value, groupsAround(type.getRank(), dims), sizes), type);
}

Value Lowering::insertUnitDims(Value value, int64_t dim, Value source) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    sizes.push_back(tensor::getMixedSize(builder, loc, source, d >= dim ? d + 1 : d));
  shape.insert(shape.begin() + dim, 1);
  sizes.insert(sizes.begin() + dim, builder.getIndexAttr(1));
  return insertUnitDims(value, dim, RankedTensorType::get(shape, type.getElementType()), sizes);
}

/// The reassociation of a tensor of `rank` whose dimension `dim` is split into two.
static SmallVector<ReassociationIndices> groupsDividing(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups(rank);
  for (int64_t d = 0, next = 0; d < rank; ++d)
    for (int64_t i = 0; i < (d == dim ? 2 : 1); ++i)
      groups[d].push_back(next++);
  return groups;
}

SmallVector<OpFoldResult> Lowering::dividedSizes(ArrayRef<OpFoldResult> sizes, int64_t dim, int64_t groups) {
  SmallVector<OpFoldResult> result(sizes);
  AffineExpr perGroup = builder.getAffineSymbolExpr(0).floorDiv(groups);
  result[dim] = affine::makeComposedFoldedAffineApply(builder, loc, perGroup, {sizes[dim]});
  result.insert(result.begin() + dim, builder.getIndexAttr(groups));
  return result;
}

Value Lowering::divided(Value value, int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = dividedSizes(tensor::getMixedSizes(builder, loc, value), dim, groups);
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(dim))
    shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return castTo(builder, loc, expandTo(builder, loc, value, groupsDividing(type.getRank(), dim), sizes),
                RankedTensorType::get(shape, type.getElementType()));
}

Value Lowering::merged(Value value, int64_t dim) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank() - 1;
  return tensor::CollapseShapeOp::create(builder, loc, value, groupsDividing(rank, dim));
}

OpFoldResult Lowering::product(Value value, ArrayRef<int64_t> dims) {
  int64_t known = 1;
  Value unknown;
  for (int64_t dim : dims) {
    OpFoldResult size = tensor::getMixedSize(builder, loc, value, dim);
    if (std::optional<int64_t> number = getConstantIntValue(size))
      known *= *number;
    else if (Value factor = cast<Value>(size); unknown)
      unknown = arith::MulIOp::create(builder, loc, unknown, factor);
    else
      unknown = factor;
  }
  if (!unknown)
    return builder.getIndexAttr(known);
  if (known == 1)
    return unknown;
  Value factor = arith::ConstantIndexOp::create(builder, loc, known);
  return arith::MulIOp::create(builder, loc, unknown, factor).getResult();
}

AffineMap tolinalg::mapWithout(int64_t rank, ArrayRef<int64_t> dropped, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dropped, dim))
      exprs.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(rank, 0, exprs, context);
}

Value tolinalg::asFloat(OpBuilder &builder, Location loc, OpFoldResult index, Type type) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    return number(builder, loc, type, static_cast<double>(*known));
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), cast<Value>(index));
  return arith::SIToFPOp::create(builder, loc, type, integer);
}

Value tolinalg::number(OpBuilder &builder, Location loc, Type type, double value) {
  TypedAttr attr = isa<FloatType>(type) ? TypedAttr(builder.getFloatAttr(type, value))
                                        : TypedAttr(builder.getIntegerAttr(type, static_cast<int64_t>(value)));
  return arith::ConstantOp::create(builder, loc, attr);
}

/// The infinity of a type, or its largest finite number if it has none.
static TypedAttr extremeFloat(FloatType type, bool negative) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  return FloatAttr::get(type, APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                                  : APFloat::getLargest(semantics, negative));
}

TypedAttr tolinalg::leastValue(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return extremeFloat(floatType, /*negative=*/true);
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, width == 1 ? APInt(1, 0) : APInt::getSignedMinValue(width));
}

TypedAttr tolinalg::greatestValue(Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return extremeFloat(floatType, /*negative=*/false);
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, width == 1 ? APInt(1, 1) : APInt::getSignedMaxValue(width));
}

Type tolinalg::widened(Type element) {
  bool narrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return narrow ? Float32Type::get(element.getContext()) : element;
}

Value tolinalg::widenTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<IntegerType>(type))
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

Value tolinalg::narrowTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : Value(arith::TruncFOp::create(builder, loc, type, value));
}

Value tolinalg::smaller(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  if (lhs.getType().isInteger(1))
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  return arith::MinSIOp::create(builder, loc, lhs, rhs);
}

Value tolinalg::larger(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  if (lhs.getType().isInteger(1))
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  return arith::MaxSIOp::create(builder, loc, lhs, rhs);
}

Value tolinalg::sum(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value tolinalg::expandTo(OpBuilder &builder, Location loc, Value value, ArrayRef<ReassociationIndices> groups,
                         ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape = llvm::map_to_vector(
      sizes, [](OpFoldResult size) { return getConstantIntValue(size).value_or(ShapedType::kDynamic); });
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
  value = castTo(builder, loc, value, tensor::CollapseShapeOp::inferCollapsedType(type, groups));
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups, sizes);
}

SmallVector<OpFoldResult> tolinalg::resultSizes(OpBuilder &builder, ReifyRankedShapedTypeOpInterface op) {
  ReifiedRankedShapedTypeDims shapes;
  // Every mica op can be reified: only upstream's default fails, which none of them uses.
  if (failed(op.reifyResultShapes(builder, shapes)))
    return {};
  return shapes[0];
}

Value tolinalg::castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

void tolinalg::replace(PatternRewriter &rewriter, Operation *op, Value value) {
  rewriter.replaceOp(op, castTo(rewriter, op->getLoc(), value, op->getResult(0).getType()));
}
