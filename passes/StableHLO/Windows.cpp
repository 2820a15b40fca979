//===- Windows.cpp - converting ops on windows -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A convolution and a reduce_window are a linalg.generic over the padded operand. A select_and_scatter is a loop over
// the source, with a loop over the window that finds the selected element.
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

static Value constantOf(OpBuilder &builder, Location loc, Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, int64_t(value)));
}

/// The even or odd numbers of a padding: those before, or those after.
static SmallVector<int64_t> half(ArrayRef<int64_t> padding, size_t first) {
  SmallVector<int64_t> values;
  for (size_t i = first; i < padding.size(); i += 2)
    values.push_back(padding[i]);
  return values;
}

static SmallVector<int64_t> lessOne(ArrayRef<int64_t> dilation) {
  return llvm::map_to_vector(dilation, [](int64_t value) { return value - 1; });
}

//===------------------------------------------------------------------------------------------------------------===//
// convolution
//===------------------------------------------------------------------------------------------------------------===//

/// A factor of a product, in the type of the sum.
static Value widened(OpBuilder &builder, Location loc, Value value, Type sum, bool isUnsigned) {
  const Type from = value.getType();
  if (from == sum)
    return value;
  if (isa<FloatType>(sum))
    return from.getIntOrFloatBitWidth() < sum.getIntOrFloatBitWidth()
               ? arith::ExtFOp::create(builder, loc, sum, value).getResult()
               : arith::TruncFOp::create(builder, loc, sum, value).getResult();
  if (from.getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(builder, loc, sum, value);
  return isUnsigned || isBool(from) ? arith::ExtUIOp::create(builder, loc, sum, value).getResult()
                                    : arith::ExtSIOp::create(builder, loc, sum, value).getResult();
}

/// Splits dimension `dim` into `count` groups.
static Value grouped(OpBuilder &builder, Location loc, Value value, int64_t dim, int64_t count) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] /= count;
  shape.insert(shape.begin() + dim, count);
  return reshaped(builder, loc, value, shape);
}

Converted hlotomica::convertConvolution(hlo::ConvolutionOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType to = typeOf(op);
  const Type element = to.getElementType();
  const bool isFloat = isa<FloatType>(element);
  for (Value value : {op.getLhs(), op.getRhs()}) {
    if (!typeOf(value).hasStaticShape() || !to.hasStaticShape())
      return refuse(op, kStatic);
    if (isFloat ? !isa<FloatType>(elementOf(value)) : !isInteger(elementOf(value)) || !isInteger(element))
      return refuse(op, "operands and result are all floats or all integers");
  }
  hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  const int64_t spatial = to.getRank() - 2;
  const SmallVector<int64_t> strides = hlo::listOr(op.getWindowStridesAttr(), spatial, 1),
                             lhsDilation = hlo::listOr(op.getLhsDilationAttr(), spatial, 1),
                             rhsDilation = hlo::listOr(op.getRhsDilationAttr(), spatial, 1),
                             reversal = hlo::listOr(op.getWindowReversalAttr(), spatial, 0),
                             padding = hlo::listOr(op.getPaddingAttr(), 2 * spatial, 0);
  // [batch, spatial.., features] and [spatial.., input features, output features].
  SmallVector<int64_t> order{numbers.getInputBatchDimension()};
  llvm::append_range(order, numbers.getInputSpatialDimensions());
  order.push_back(numbers.getInputFeatureDimension());
  Value lhs = transposed(builder, loc, op.getLhs(), order);
  order.assign(numbers.getKernelSpatialDimensions().begin(), numbers.getKernelSpatialDimensions().end());
  order.push_back(numbers.getKernelInputFeatureDimension());
  order.push_back(numbers.getKernelOutputFeatureDimension());
  Value rhs = transposed(builder, loc, op.getRhs(), order);
  SmallVector<int64_t> reversed;
  for (int64_t dim = 0; dim < spatial; ++dim)
    if (reversal[dim])
      reversed.push_back(dim);
  if (!reversed.empty())
    rhs = FlipOp::create(builder, loc, rhs.getType(), rhs, reversed);
  const auto around = [&](ArrayRef<int64_t> values) {
    SmallVector<int64_t> all{0};
    llvm::append_range(all, values);
    all.push_back(0);
    return all;
  };
  lhs = padded(builder, loc, lhs, constantOf(builder, loc, elementOf(lhs), 0), around(half(padding, 0)),
               around(half(padding, 1)), around(lessOne(lhsDilation)));

  // The groups, of features or of batches, are a dimension of both operands and of the result.
  const int64_t featureGroups = op.getFeatureGroupCount(), batchGroups = op.getBatchGroupCount();
  const bool ofFeatures = featureGroups > 1, ofBatches = batchGroups > 1, hasGroups = ofFeatures || ofBatches;
  if (ofFeatures)
    lhs = grouped(builder, loc, lhs, spatial + 1, featureGroups);
  if (ofBatches)
    lhs = grouped(builder, loc, lhs, 0, batchGroups);
  if (hasGroups)
    rhs = grouped(builder, loc, rhs, spatial + 1, featureGroups * batchGroups);
  // Loops: batch, spatial.., [group], output feature, window.., input feature.
  unsigned next = 0;
  const auto loop = [&] { return builder.getAffineDimExpr(next++); };
  const AffineExpr batch = loop();
  SmallVector<AffineExpr> places, window;
  for (int64_t dim = 0; dim < spatial; ++dim)
    places.push_back(loop());
  const AffineExpr group = hasGroups ? loop() : AffineExpr(), feature = loop();
  const unsigned parallel = next;
  for (int64_t dim = 0; dim < spatial; ++dim)
    window.push_back(loop());
  const AffineExpr summed = loop();
  SmallVector<AffineExpr> left, right(window), result{batch};
  if (ofBatches)
    left.push_back(group);
  left.push_back(batch);
  for (int64_t dim = 0; dim < spatial; ++dim)
    left.push_back(places[dim] * strides[dim] + window[dim] * rhsDilation[dim]);
  if (ofFeatures)
    left.push_back(group);
  left.push_back(summed);
  right.push_back(summed);
  llvm::append_range(result, places);
  if (hasGroups) {
    right.push_back(group);
    result.push_back(group);
  }
  right.push_back(feature);
  result.push_back(feature);
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> exprs : {ArrayRef(left), ArrayRef(right), ArrayRef(result)})
    maps.push_back(AffineMap::get(next, 0, exprs, builder.getContext()));
  SmallVector<utils::IteratorType> iterators(parallel, utils::IteratorType::parallel);
  iterators.append(next - parallel, utils::IteratorType::reduction);

  const Type sum = isFloat && element.getIntOrFloatBitWidth() < 32 ? Type(builder.getF32Type()) : element;
  SmallVector<int64_t> shape{to.getDimSize(numbers.getOutputBatchDimension())};
  for (int64_t dim : numbers.getOutputSpatialDimensions())
    shape.push_back(to.getDimSize(dim));
  const SmallVector<int64_t> flat = [&] {
    SmallVector<int64_t> all(shape);
    all.push_back(to.getDimSize(numbers.getOutputFeatureDimension()));
    return all;
  }();
  if (hasGroups)
    shape.push_back(featureGroups * batchGroups);
  shape.push_back(flat.back() / (featureGroups * batchGroups));
  auto type = RankedTensorType::get(shape, sum);
  Value start = filled(builder, loc, type, constantOf(builder, loc, sum, 0));
  const bool leftUnsigned = isUnsignedOperand(op, 0), rightUnsigned = isUnsignedOperand(op, 1);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{lhs, rhs}, start, maps, iterators,
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        Value a = widened(inner, at, arguments[0], sum, leftUnsigned);
        Value b = widened(inner, at, arguments[1], sum, rightUnsigned);
        Value value =
            isFloat
                ? arith::AddFOp::create(inner, at, arguments[2], arith::MulFOp::create(inner, at, a, b)).getResult()
                : arith::AddIOp::create(inner, at, arguments[2], arith::MulIOp::create(inner, at, a, b)).getResult();
        linalg::YieldOp::create(inner, at, value);
      });
  Value value = reshaped(builder, loc, generic.getResult(0), flat);
  if (sum != element)
    value =
        CastOp::create(builder, loc, RankedTensorType::get(flat, element), value, Overflow::Wrap, Rounding::TowardZero);
  // From [batch, spatial.., features] to the result's order.
  SmallVector<int64_t> back(to.getRank());
  back[numbers.getOutputBatchDimension()] = 0;
  for (auto [index, dim] : llvm::enumerate(numbers.getOutputSpatialDimensions()))
    back[dim] = int64_t(index) + 1;
  back[numbers.getOutputFeatureDimension()] = spatial + 1;
  return Values{transposed(builder, loc, value, back)};
}

//===------------------------------------------------------------------------------------------------------------===//
// reduce_window, select_and_scatter
//===------------------------------------------------------------------------------------------------------------===//

Converted hlotomica::convertReduceWindow(hlo::ReduceWindowOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const int64_t rank = typeOf(op.getInputs().front()).getRank();
  for (auto [input, init, result] : llvm::zip_equal(op.getInputs(), op.getInitValues(), op.getResults())) {
    if (!typeOf(input).hasStaticShape() || !typeOf(result).hasStaticShape())
      return refuse(op, kStatic);
    if (elementOf(input) != elementOf(init) || elementOf(input) != elementOf(result))
      return refuse(op, "operands, initial values and results have the same element types");
  }
  const SmallVector<int64_t> window = hlo::listOf(op.getWindowDimensions()),
                             strides = hlo::listOr(op.getWindowStridesAttr(), rank, 1),
                             base = hlo::listOr(op.getBaseDilationsAttr(), rank, 1),
                             dilation = hlo::listOr(op.getWindowDilationsAttr(), rank, 1),
                             padding = hlo::listOr(op.getPaddingAttr(), 2 * rank, 0);
  SmallVector<Value> operands, starts;
  for (auto [input, init, result] : llvm::zip_equal(op.getInputs(), op.getInitValues(), op.getResults())) {
    Value scalar = scalarOf(builder, loc, init);
    operands.push_back(padded(builder, loc, input, scalar, half(padding, 0), half(padding, 1), lessOne(base)));
    starts.push_back(filled(builder, loc, typeOf(result), scalar));
  }
  // Its shape is that of the window.
  operands.push_back(tensor::EmptyOp::create(builder, loc, window, elementOf(operands.front())));
  SmallVector<AffineExpr> from, result, inside;
  for (int64_t dim = 0; dim < rank; ++dim) {
    result.push_back(builder.getAffineDimExpr(dim));
    inside.push_back(builder.getAffineDimExpr(rank + dim));
    from.push_back(result.back() * strides[dim] + inside.back() * dilation[dim]);
  }
  const size_t count = op.getInputs().size();
  SmallVector<AffineMap> maps(count, AffineMap::get(2 * rank, 0, from, builder.getContext()));
  maps.push_back(AffineMap::get(2 * rank, 0, inside, builder.getContext()));
  maps.append(count, AffineMap::get(2 * rank, 0, result, builder.getContext()));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.append(rank, utils::IteratorType::reduction);
  return combineInLoop(builder, loc, op.getBody().front(), operands, starts, maps, iterators);
}

Converted hlotomica::convertSelectAndScatter(hlo::SelectAndScatterOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op.getOperand()), source = typeOf(op.getSource());
  if (!type.hasStaticShape() || !source.hasStaticShape())
    return refuse(op, kStatic);
  const Type element = type.getElementType();
  for (Value value : {op.getSource(), op.getInitValue(), op.getResult()})
    if (elementOf(value) != element)
      return refuse(op, "operands and result have the same element type");
  const int64_t rank = type.getRank();
  const SmallVector<int64_t> window = hlo::listOr(op.getWindowDimensionsAttr(), rank, 1),
                             strides = hlo::listOr(op.getWindowStridesAttr(), rank, 1),
                             low = half(hlo::listOr(op.getPaddingAttr(), 2 * rank, 0), 0);
  Value start = filled(builder, loc, type, scalarOf(builder, loc, op.getInitValue()));
  if (source.getNumElements() == 0)
    return Values{start};
  LogicalResult status = success();
  // Carried in the window: whether an element is selected, its value and its position.
  const auto visit = [&](OpBuilder &inner, ValueRange place, ValueRange offset, ValueRange state) {
    const auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(inner, loc, value); };
    Value isInside = arith::ConstantIntOp::create(inner, loc, 1, 1);
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value first = arith::MulIOp::create(inner, loc, place[dim], index(strides[dim]));
      Value position = arith::AddIOp::create(inner, loc, first, offset[dim]);
      position = arith::SubIOp::create(inner, loc, position, index(low[dim]));
      Value isLow = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::sge, position, index(0));
      Value isHigh =
          arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, position, index(type.getDimSize(dim)));
      isInside = arith::AndIOp::create(inner, loc, isInside, arith::AndIOp::create(inner, loc, isLow, isHigh));
      at.push_back(position);
    }
    for (Value &position : at)
      position = arith::SelectOp::create(inner, loc, isInside, position, index(0));
    Value value = tensor::ExtractOp::create(inner, loc, op.getOperand(), at);
    Converted keeps = convertToScalars(op.getSelect().front(), {state[1], value}, inner);
    if (failed(keeps)) {
      status = failure();
      return SmallVector<Value>(state);
    }
    Value yes = arith::ConstantIntOp::create(inner, loc, 1, 1);
    Value isKept = arith::AndIOp::create(inner, loc, state[0], keeps->front());
    Value isTaken = arith::AndIOp::create(inner, loc, isInside, arith::XOrIOp::create(inner, loc, isKept, yes));
    SmallVector<Value> next{arith::OrIOp::create(inner, loc, state[0], isInside),
                            arith::SelectOp::create(inner, loc, isTaken, value, state[1])};
    for (int64_t dim = 0; dim < rank; ++dim)
      next.push_back(arith::SelectOp::create(inner, loc, isTaken, at[dim], state[dim + 2]));
    return next;
  };
  SmallVector<Value> results =
      loopsOver(builder, loc, source.getShape(), start, [&](OpBuilder &inner, ValueRange coordinate, ValueRange now) {
        SmallVector<Value> place(coordinate);
        Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
        SmallVector<Value> state{arith::ConstantIntOp::create(inner, loc, 0, 1), constantOf(inner, loc, element, 0)};
        state.append(rank, zero);
        state = loopsOver(inner, loc, window, state, [&](OpBuilder &innermost, ValueRange offset, ValueRange current) {
          return visit(innermost, place, offset, current);
        });
        const ArrayRef<Value> at = ArrayRef(state).drop_front(2);
        Value old = tensor::ExtractOp::create(inner, loc, now.front(), at);
        Value given = tensor::ExtractOp::create(inner, loc, op.getSource(), place);
        Converted made = convertToScalars(op.getScatter().front(), {old, given}, inner);
        if (failed(made)) {
          status = failure();
          return SmallVector<Value>(now);
        }
        Value value = arith::SelectOp::create(inner, loc, state[0], made->front(), old);
        return SmallVector<Value>{tensor::InsertOp::create(inner, loc, value, now.front(), at)};
      });
  if (failed(status))
    return failure();
  return Values(results.begin(), results.end());
}
