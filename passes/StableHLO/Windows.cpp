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
  const RankedTensorType type = typeOf(value);
  if (type.hasStaticShape()) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= count;
    shape.insert(shape.begin() + dim, count);
    return reshaped(builder, loc, value, shape);
  }
  const IndexMath math(builder, loc);
  SmallVector<Value> sizes = sizesOf(builder, loc, value);
  math.require(math.equal(math.rem(sizes[dim], math.constant(count)), math.constant(0)),
               "stablehlo: a size is no multiple of the " + Twine(count) + " groups");
  sizes[dim] = math.div(sizes[dim], math.constant(count));
  sizes.insert(sizes.begin() + dim, math.constant(count));
  SmallVector<ReassociationIndices> groups;
  for (int64_t from = 0, to = 0; from < type.getRank(); ++from) {
    groups.push_back({to++});
    if (from == dim)
      groups.back().push_back(to++);
  }
  const RankedTensorType split = typeOfSizes(sizes, type.getElementType());
  return tensor::ExpandShapeOp::create(builder, loc, split, value, groups,
                                       getMixedValues(split.getShape(), dynamicOnes(split, sizes), builder));
}

/// Makes one of dimension `dim` and the next.
static Value ungrouped(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  const RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  const int64_t inner = shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  const bool isDynamic = ShapedType::isDynamic(inner) || ShapedType::isDynamic(shape[dim]);
  shape[dim] = isDynamic ? ShapedType::kDynamic : shape[dim] * inner;
  if (type.hasStaticShape())
    return reshaped(builder, loc, value, shape);
  SmallVector<ReassociationIndices> groups;
  for (int64_t from = 0; from < type.getRank(); ++from) {
    groups.push_back({from});
    if (from == dim)
      groups.back().push_back(++from);
  }
  return tensor::CollapseShapeOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
                                         groups);
}

/// The number of windows along a padded dimension.
static Value windowCount(OpBuilder &builder, Location loc, Value padded, Value window, int64_t dilation,
                         int64_t stride) {
  const IndexMath math(builder, loc);
  Value zero = math.constant(0), one = math.constant(1), step = math.constant(stride);
  Value reach = math.add(math.mul(math.max(math.sub(window, one), zero), math.constant(dilation)), one);
  reach = math.min(reach, math.mul(window, reach)); // 0 for an empty window
  Value count = math.div(math.max(math.add(math.sub(padded, reach), step), zero), step);
  return math.select(math.equal(padded, zero), zero, count);
}

/// A convolution whose padding before and after the spatial dimensions is given as values.
template <typename Op> static Converted convolution(Op op, ValueRange low, ValueRange high, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const IndexMath math(builder, loc);
  const RankedTensorType to = typeOf(op);
  const Type element = to.getElementType();
  const bool isFloat = isa<FloatType>(element);
  for (Value value : {op.getLhs(), op.getRhs()}) {
    if (isFloat ? !isa<FloatType>(elementOf(value)) : !isInteger(elementOf(value)) || !isInteger(element))
      return refuse(op, "operands and result are all floats or all integers");
  }
  hlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  const int64_t spatial = to.getRank() - 2;
  const SmallVector<int64_t> strides = hlo::listOr(op.getWindowStridesAttr(), spatial, 1),
                             lhsDilation = hlo::listOr(op.getLhsDilationAttr(), spatial, 1),
                             rhsDilation = hlo::listOr(op.getRhsDilationAttr(), spatial, 1),
                             reversal = hlo::listOr(op.getWindowReversalAttr(), spatial, 0);
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
  const auto around = [&](auto values, auto none) {
    values.insert(values.begin(), none);
    values.push_back(none);
    return values;
  };
  Value zero = constantOf(builder, loc, elementOf(lhs), 0);
  const auto before = getConstantIntValues(getAsOpFoldResult(low)),
             after = getConstantIntValues(getAsOpFoldResult(high));
  if (before && after)
    lhs = padded(builder, loc, lhs, zero, around(*before, 0), around(*after, 0), around(lessOne(lhsDilation), 0));
  else
    lhs = padded(builder, loc, lhs, zero, around(SmallVector<Value>(low), math.constant(0)),
                 around(SmallVector<Value>(high), math.constant(0)), math.constants(around(lessOne(lhsDilation), 0)));
  // The sizes of the result, in the order [batch, spatial.., features].
  SmallVector<Value> sizes{sizeOf(builder, loc, lhs, 0)};
  for (int64_t dim = 0; dim < spatial; ++dim)
    sizes.push_back(windowCount(builder, loc, sizeOf(builder, loc, lhs, dim + 1), sizeOf(builder, loc, rhs, dim),
                                rhsDilation[dim], strides[dim]));

  // The groups, of features or of batches, are a dimension of both operands and of the result.
  const int64_t featureGroups = op.getFeatureGroupCount(), batchGroups = op.getBatchGroupCount();
  const bool ofFeatures = featureGroups > 1, ofBatches = batchGroups > 1, hasGroups = ofFeatures || ofBatches;
  if (ofFeatures)
    lhs = grouped(builder, loc, lhs, spatial + 1, featureGroups);
  if (ofBatches)
    lhs = grouped(builder, loc, lhs, 0, batchGroups);
  if (hasGroups)
    rhs = grouped(builder, loc, rhs, spatial + 1, featureGroups * batchGroups);
  if (ofBatches)
    sizes.front() = sizeOf(builder, loc, lhs, 1);
  if (hasGroups)
    sizes.push_back(math.constant(featureGroups * batchGroups));
  sizes.push_back(sizeOf(builder, loc, rhs, typeOf(rhs).getRank() - 1));
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
  const RankedTensorType type = typeOfSizes(sizes, sum);
  Value start = filled(builder, loc, type, constantOf(builder, loc, sum, 0), dynamicOnes(type, sizes));
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
  Value value = hasGroups ? ungrouped(builder, loc, generic.getResult(0), spatial + 1) : generic.getResult(0);
  if (sum != element)
    value = CastOp::create(builder, loc, typeOf(value).clone(element), value, Overflow::Wrap, Rounding::TowardZero);
  // From [batch, spatial.., features] to the result's order.
  SmallVector<int64_t> back(to.getRank());
  back[numbers.getOutputBatchDimension()] = 0;
  for (auto [index, dim] : llvm::enumerate(numbers.getOutputSpatialDimensions()))
    back[dim] = int64_t(index) + 1;
  back[numbers.getOutputFeatureDimension()] = spatial + 1;
  return Values{transposed(builder, loc, value, back)};
}

Converted hlotomica::convertConvolution(hlo::ConvolutionOp op, OpBuilder &builder) {
  const IndexMath math(builder, op.getLoc());
  const SmallVector<int64_t> padding = hlo::listOr(op.getPaddingAttr(), 2 * (typeOf(op).getRank() - 2), 0);
  return convolution(op, math.constants(half(padding, 0)), math.constants(half(padding, 1)), builder);
}

Converted hlotomica::convertConvolution(hlo::DynamicConvOp op, OpBuilder &builder) {
  FailureOr<SmallVector<Value>> padding = listOperand(op, 2, builder);
  if (failed(padding))
    return failure();
  if (int64_t(padding->size()) != 2 * (typeOf(op).getRank() - 2))
    return refuse(op, "the padding has two values for each spatial dimension");
  SmallVector<Value> low, high;
  for (size_t i = 0; i < padding->size(); i += 2) {
    low.push_back((*padding)[i]);
    high.push_back((*padding)[i + 1]);
  }
  return convolution(op, low, high, builder);
}

//===------------------------------------------------------------------------------------------------------------===//
// reduce_window, select_and_scatter
//===------------------------------------------------------------------------------------------------------------===//

Converted hlotomica::convertReduceWindow(hlo::ReduceWindowOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const int64_t rank = typeOf(op.getInputs().front()).getRank();
  for (auto [input, init, result] : llvm::zip_equal(op.getInputs(), op.getInitValues(), op.getResults())) {
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
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < rank; ++dim)
      sizes.push_back(windowCount(builder, loc, sizeOf(builder, loc, operands.back(), dim),
                                  IndexMath(builder, loc).constant(window[dim]), dilation[dim], strides[dim]));
    const RankedTensorType type = typeOfSizes(sizes, elementOf(result));
    starts.push_back(filled(builder, loc, type, scalar, dynamicOnes(type, sizes)));
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
  const Type element = type.getElementType();
  for (Value value : {op.getSource(), op.getInitValue(), op.getResult()})
    if (elementOf(value) != element)
      return refuse(op, "operands and result have the same element type");
  const int64_t rank = type.getRank();
  const SmallVector<int64_t> window = hlo::listOr(op.getWindowDimensionsAttr(), rank, 1),
                             strides = hlo::listOr(op.getWindowStridesAttr(), rank, 1),
                             low = half(hlo::listOr(op.getPaddingAttr(), 2 * rank, 0), 0),
                             high = half(hlo::listOr(op.getPaddingAttr(), 2 * rank, 0), 1);
  const IndexMath math(builder, loc);
  const SmallVector<Value> sizes = sizesOf(builder, loc, op.getOperand());
  Value start = filled(builder, loc, type, scalarOf(builder, loc, op.getInitValue()), dynamicOnes(type, sizes));
  if (llvm::is_contained(source.getShape(), 0))
    return Values{start};
  SmallVector<Value> counts = sizesOf(builder, loc, op.getSource());
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value whole = math.add(sizes[dim], math.constant(low[dim] + high[dim]));
    Value wanted = windowCount(builder, loc, whole, math.constant(window[dim]), 1, strides[dim]);
    math.require(math.equal(counts[dim], wanted), "stablehlo.select_and_scatter: dimension " + Twine(dim) +
                                                      " of the source is not the number of windows");
  }
  if (rank != 0)
    counts.front() = unlessEmpty(builder, loc, sizes, counts.front());
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
      Value isHigh = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, position, sizes[dim]);
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
      loopsOver(builder, loc, counts, start, [&](OpBuilder &inner, ValueRange coordinate, ValueRange now) {
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
