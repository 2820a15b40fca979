//===- Common.cpp - what the conversions of stablehlo share -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Common.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

LogicalResult hlotomica::refuse(Operation *op, const Twine &why) {
  return op->emitOpError("is not supported in this form: ") << why;
}

Value hlotomica::reshaped(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elementOf(value));
  if (type == value.getType())
    return value;
  return ReshapeOp::create(builder, loc, type, value);
}

Value hlotomica::withRank(OpBuilder &builder, Location loc, Value value, int64_t rank) {
  if (typeOf(value).getRank() != 0)
    return value;
  return reshaped(builder, loc, value, SmallVector<int64_t>(rank, 1));
}

Value hlotomica::transposed(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(typeOf(value).getDimSize(dim));
  return TransposeOp::create(builder, loc, RankedTensorType::get(shape, elementOf(value)), value, permutation);
}

Value hlotomica::scalarOf(OpBuilder &builder, Location loc, Value value) {
  return tensor::ExtractOp::create(builder, loc, value, ValueRange());
}

Value hlotomica::filled(OpBuilder &builder, Location loc, RankedTensorType type, Value scalar,
                        ValueRange dynamicSizes) {
  Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicSizes);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

Value hlotomica::splat(OpBuilder &builder, Location loc, RankedTensorType type, double value) {
  const Type element = type.getElementType();
  const Attribute attribute = isa<FloatType>(element) ? Attribute(builder.getFloatAttr(element, value))
                                                      : Attribute(builder.getIntegerAttr(element, int64_t(value)));
  auto elements = DenseElementsAttr::get(type, attribute);
  return ConstantOp::create(builder, loc, type, elements);
}

TypedAttr hlotomica::splatValue(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return nullptr;
  return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

ResultRange hlotomica::loopOver(OpBuilder &builder, Location loc, Value size, ValueRange carried,
                                llvm::function_ref<SmallVector<Value>(OpBuilder &, Value, ValueRange)> body) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, size, one, carried,
                                 [&](OpBuilder &inner, Location at, Value index, ValueRange values) {
                                   scf::YieldOp::create(inner, at, body(inner, index, values));
                                 });
  return loop.getResults();
}

SmallVector<Value>
hlotomica::loopsOver(OpBuilder &builder, Location loc, ArrayRef<int64_t> sizes, ValueRange carried,
                     llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> body) {
  return loopsOver(builder, loc, IndexMath(builder, loc).constants(sizes), carried, body);
}

SmallVector<Value>
hlotomica::loopsOver(OpBuilder &builder, Location loc, ValueRange sizes, ValueRange carried,
                     llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> body) {
  SmallVector<Value> indices;
  std::function<SmallVector<Value>(OpBuilder &, ValueRange)> nest = [&](OpBuilder &at, ValueRange values) {
    if (indices.size() == sizes.size())
      return body(at, indices, values);
    Value size = sizes[indices.size()];
    return SmallVector<Value>(loopOver(at, loc, size, values, [&](OpBuilder &inner, Value index, ValueRange now) {
      indices.push_back(index);
      SmallVector<Value> results = nest(inner, now);
      indices.pop_back();
      return results;
    }));
  };
  return nest(builder, carried);
}

Value hlotomica::indexOf(OpBuilder &builder, Location loc, Value integer, bool isUnsigned) {
  if (isUnsigned && integer.getType().getIntOrFloatBitWidth() < 64)
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), integer);
  Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), integer);
  if (!isUnsigned)
    return index;
  // A value beyond the greatest index is as far out of range as that.
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value most = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int64_t>::max());
  Value isLarge = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, zero);
  return arith::SelectOp::create(builder, loc, isLarge, most, index);
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes and positions
//===------------------------------------------------------------------------------------------------------------===//

Value IndexMath::constant(int64_t value) const { return arith::ConstantIndexOp::create(builder, loc, value); }
SmallVector<Value> IndexMath::constants(ArrayRef<int64_t> values) const {
  return llvm::map_to_vector(values, [&](int64_t value) { return constant(value); });
}
Value IndexMath::add(Value a, Value b) const { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
Value IndexMath::sub(Value a, Value b) const { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
Value IndexMath::mul(Value a, Value b) const { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
Value IndexMath::div(Value a, Value b) const { return builder.createOrFold<arith::DivUIOp>(loc, a, b); }
Value IndexMath::rem(Value a, Value b) const { return builder.createOrFold<arith::RemUIOp>(loc, a, b); }
Value IndexMath::min(Value a, Value b) const { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
Value IndexMath::max(Value a, Value b) const { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }
Value IndexMath::equal(Value a, Value b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a, b);
}
Value IndexMath::atMost(Value a, Value b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, a, b);
}
Value IndexMath::both(Value a, Value b) const { return builder.createOrFold<arith::AndIOp>(loc, a, b); }
Value IndexMath::either(Value a, Value b) const { return builder.createOrFold<arith::OrIOp>(loc, a, b); }
Value IndexMath::select(Value pred, Value a, Value b) const {
  return builder.createOrFold<arith::SelectOp>(loc, pred, a, b);
}
void IndexMath::require(Value condition, const Twine &message) const {
  if (!matchPattern(condition, m_One()))
    cf::AssertOp::create(builder, loc, condition, message.str());
}

Value hlotomica::unlessEmpty(OpBuilder &builder, Location loc, ValueRange sizes, Value count) {
  const IndexMath math(builder, loc);
  for (Value size : sizes)
    if (const auto known = getConstantIntValue(size); !known || *known == 0)
      count = math.select(math.equal(size, math.constant(0)), math.constant(0), count);
  return count;
}
