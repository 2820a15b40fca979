//===- Contraction.cpp - converting stablehlo.dot_general -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The operands become batches of matrices, [batch.., m, k] and [batch.., k, n]: transposed where their dimensions stand
// otherwise, and reshaped where several dimensions, or none, are free or contracted.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
/// An operand as batches of matrices.
struct Side {
  Value value;
  SmallVector<int64_t> batch, free, summed; ///< sizes
  bool isTransposed = false;                ///< the matrix has the contracted dimension where the other has it free
};
} // namespace

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// `sumsLast`: the contracted dimension is the last one, as of the left operand.
static Side makeSide(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> summed,
                     bool sumsLast) {
  const RankedTensorType type = typeOf(value);
  SmallVector<int64_t> free;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(summed, dim))
      free.push_back(dim);
  const auto order = [&](ArrayRef<int64_t> second, ArrayRef<int64_t> third) {
    SmallVector<int64_t> dims(batch);
    llvm::append_range(dims, second);
    llvm::append_range(dims, third);
    return dims;
  };
  const auto sizes = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t dim) { return type.getDimSize(dim); });
  };
  const SmallVector<int64_t> freeFirst = order(free, summed), sumFirst = order(summed, free);
  Side side{value, sizes(batch), sizes(free), sizes(summed)};
  side.isTransposed =
      llvm::is_sorted(sumsLast ? sumFirst : freeFirst) && !llvm::is_sorted(sumsLast ? freeFirst : sumFirst);
  const bool putsFreeFirst = sumsLast != side.isTransposed;
  side.value = transposed(builder, loc, value, putsFreeFirst ? freeFirst : sumFirst);
  SmallVector<int64_t> shape(side.batch);
  shape.push_back(product(putsFreeFirst ? side.free : side.summed));
  shape.push_back(product(putsFreeFirst ? side.summed : side.free));
  side.value = reshaped(builder, loc, side.value, shape);
  return side;
}

static Value cast(OpBuilder &builder, Location loc, Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return CastOp::create(builder, loc, RankedTensorType::get(typeOf(value).getShape(), element), value, Overflow::Wrap,
                        Rounding::TowardZero);
}

/// Integers in the type of the result; unsigned ones get zeros.
static Value asInteger(OpBuilder &builder, Location loc, Value value, Type to, bool isUnsigned) {
  const unsigned width = elementOf(value).getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (!isUnsigned || width >= toWidth)
    return value;
  value = cast(builder, loc, value, to);
  Value mask = ConstantOp::create(
      builder, loc, RankedTensorType::get(SmallVector<int64_t>(typeOf(value).getRank(), 1), to),
      DenseElementsAttr::get(RankedTensorType::get(SmallVector<int64_t>(typeOf(value).getRank(), 1), to),
                             Attribute(builder.getIntegerAttr(to, APInt::getLowBitsSet(toWidth, width)))));
  return BitwiseAndOp::create(builder, loc, value.getType(), value, mask);
}

/// Products and sums of i1: counts, of which those above 0 are true.
static Converted convertLogicalDot(hlo::DotGeneralOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  Type count = builder.getI32Type();
  auto type = typeOf(op.getResult());
  auto counts = RankedTensorType::get(type.getShape(), count);
  auto made = hlo::DotGeneralOp::create(builder, loc, counts, cast(builder, loc, op.getLhs(), count),
                                        cast(builder, loc, op.getRhs(), count), op.getDotDimensionNumbers(),
                                        op.getPrecisionConfigAttr());
  Converted sums = convertDot(made, builder);
  if (failed(sums))
    return failure();
  made.erase();
  Value zero = splat(builder, loc, RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), count), 0);
  return Values{CompareOp::create(builder, loc, type, Comparison::Ne, sums->front(), zero).getResult()};
}

Converted hlotomica::convertPlainDot(hlo::DotOp op, OpBuilder &builder) {
  const int64_t last = typeOf(op.getLhs()).getRank() - 1;
  auto numbers = hlo::DotDimensionNumbersAttr::get(builder.getContext(), {}, {}, {last}, {0});
  auto made = hlo::DotGeneralOp::create(builder, op.getLoc(), op.getType(), op.getLhs(), op.getRhs(), numbers,
                                        op.getPrecisionConfigAttr());
  if (Attribute flags = op->getAttr(hlo::kUnsignedAttr))
    made->setAttr(hlo::kUnsignedAttr, flags);
  Converted results = convertDot(made, builder);
  if (succeeded(results))
    made.erase();
  return results;
}

Converted hlotomica::convertDot(hlo::DotGeneralOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const Type to = elementOf(op.getResult());
  if (isBool(to) && isBool(elementOf(op.getLhs())) && isBool(elementOf(op.getRhs())))
    return convertLogicalDot(op, builder);
  const auto isOfKind = [&](Type type) { return isa<FloatType>(to) ? isa<FloatType>(type) : isInteger(type); };
  if (!isOfKind(elementOf(op.getLhs())) || !isOfKind(elementOf(op.getRhs())) || (!isa<FloatType>(to) && !isInteger(to)))
    return refuse(op, "operands and result are all floats, all integers or all i1");
  for (Value value : {op.getLhs(), op.getRhs(), op.getResult()})
    if (!typeOf(value).hasStaticShape())
      return refuse(op, "all sizes must be static");

  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (isInteger(to)) {
    // Integers of different widths or signedness: products and sums have the width of the result.
    lhs = asInteger(builder, loc, lhs, to, isUnsignedOperand(op, 0));
    rhs = asInteger(builder, loc, rhs, to, isUnsignedOperand(op, 1));
  }
  // Of two element types, the wider one holds the values of both, except that f16 and bf16 need f32.
  Type element = elementOf(lhs);
  if (element != elementOf(rhs)) {
    const unsigned a = element.getIntOrFloatBitWidth(), b = elementOf(rhs).getIntOrFloatBitWidth();
    if (a == b)
      element = a >= 32 ? element : builder.getF32Type();
    else if (b > a)
      element = elementOf(rhs);
    lhs = cast(builder, loc, lhs, element);
    rhs = cast(builder, loc, rhs, element);
  }
  hlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  Side left = makeSide(builder, loc, lhs, numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions(),
                       /*sumsLast=*/true);
  Side right = makeSide(builder, loc, rhs, numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions(),
                        /*sumsLast=*/false);
  SmallVector<int64_t> shape(left.batch);
  shape.push_back(product(left.free));
  shape.push_back(product(right.free));
  // Sums in f32 where the result has another type of the same width, such as f16 of bf16.
  const unsigned width = element.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  const Type sum = toWidth > width ? to : toWidth == width && to != element ? builder.getF32Type() : element;
  auto type = RankedTensorType::get(shape, sum);
  Value result = MatmulOp::create(builder, loc, type, left.value, right.value, left.isTransposed, right.isTransposed);
  return Values{reshaped(builder, loc, cast(builder, loc, result, to), typeOf(op.getResult()).getShape())};
}
