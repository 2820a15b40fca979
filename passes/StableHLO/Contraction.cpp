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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// A linalg.generic over batch, free and contracted dimensions, for sizes that are known when the program runs.
static Value contracted(hlo::DotGeneralOp op, Value lhs, Value rhs, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const hlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  const int64_t batch = int64_t(numbers.getLhsBatchingDimensions().size()),
                sums = int64_t(numbers.getLhsContractingDimensions().size()), rank = typeOf(op.getResult()).getRank(),
                loops = rank + sums;
  SmallVector<Value> sizes;
  int64_t next = batch;
  const auto mapOf = [&](Value side, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
    SmallVector<AffineExpr> exprs(typeOf(side).getRank());
    for (auto [index, dim] : llvm::enumerate(batching))
      exprs[dim] = builder.getAffineDimExpr(index);
    for (auto [index, dim] : llvm::enumerate(contracting))
      exprs[dim] = builder.getAffineDimExpr(rank + index);
    for (auto [dim, expr] : llvm::enumerate(exprs))
      if (!expr) {
        expr = builder.getAffineDimExpr(next++);
        sizes.push_back(sizeOf(builder, loc, side, int64_t(dim)));
      }
    return AffineMap::get(loops, 0, exprs, builder.getContext());
  };
  for (int64_t dim : numbers.getLhsBatchingDimensions())
    sizes.push_back(sizeOf(builder, loc, lhs, dim));
  const AffineMap left = mapOf(lhs, numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions()),
                  right = mapOf(rhs, numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions());
  SmallVector<AffineExpr> out;
  for (int64_t dim = 0; dim < rank; ++dim)
    out.push_back(builder.getAffineDimExpr(dim));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.append(sums, utils::IteratorType::reduction);
  SmallVector<int64_t> shape;
  for (Value size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  const Type element = elementOf(lhs);
  const auto type = RankedTensorType::get(shape, element);
  Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicOnes(type, sizes));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  return linalg::GenericOp::create(builder, loc, type, ValueRange{lhs, rhs}, start,
                                   {left, right, AffineMap::get(loops, 0, out, builder.getContext())}, iterators,
                                   [&](OpBuilder &inner, Location at, ValueRange arguments) {
                                     Value sum;
                                     if (isa<FloatType>(element)) {
                                       Value product = arith::MulFOp::create(inner, at, arguments[0], arguments[1]);
                                       sum = arith::AddFOp::create(inner, at, arguments[2], product);
                                     } else {
                                       Value product = arith::MulIOp::create(inner, at, arguments[0], arguments[1]);
                                       sum = arith::AddIOp::create(inner, at, arguments[2], product);
                                     }
                                     linalg::YieldOp::create(inner, at, sum);
                                   })
      .getResult(0);
}

Converted hlotomica::convertDot(hlo::DotGeneralOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const Type to = elementOf(op.getResult());
  if (isBool(to) && isBool(elementOf(op.getLhs())) && isBool(elementOf(op.getRhs())))
    return convertLogicalDot(op, builder);
  const auto isOfKind = [&](Type type) { return isa<FloatType>(to) ? isa<FloatType>(type) : isInteger(type); };
  if (!isOfKind(elementOf(op.getLhs())) || !isOfKind(elementOf(op.getRhs())) || (!isa<FloatType>(to) && !isInteger(to)))
    return refuse(op, "operands and result are all floats, all integers or all i1");
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
  if (!typeOf(lhs).hasStaticShape() || !typeOf(rhs).hasStaticShape()) {
    const Type sum = !isa<FloatType>(to)                    ? to
                     : elementOf(lhs).isF64() || to.isF64() ? Type(builder.getF64Type())
                                                            : builder.getF32Type();
    return Values{
        cast(builder, loc, contracted(op, cast(builder, loc, lhs, sum), cast(builder, loc, rhs, sum), builder), to)};
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
