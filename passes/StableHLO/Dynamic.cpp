//===- Dynamic.cpp - sizes that are known when the program runs ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Forms of ops that move elements for sizes and positions that are values. Where no op of mica or tensor fits all of
// them, a linalg.generic over the result extracts each element from the operand:
//
//   %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : .. -> tensor<?xf32>
// becomes, for each index i of the result
//   p = i - low; p is in range and a multiple of interior + 1 ? x[p / (interior + 1)] : v
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

Value hlotomica::sizeOf(OpBuilder &builder, Location loc, Value value, int64_t dim) {
  if (!typeOf(value).isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, typeOf(value).getDimSize(dim));
  return tensor::DimOp::create(builder, loc, value, dim);
}

SmallVector<Value> hlotomica::sizesOf(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < typeOf(value).getRank(); ++dim)
    sizes.push_back(sizeOf(builder, loc, value, dim));
  return sizes;
}

SmallVector<Value> hlotomica::dynamicOnes(RankedTensorType type, ValueRange sizes) {
  SmallVector<Value> result;
  for (auto [size, value] : llvm::zip_equal(type.getShape(), sizes))
    if (ShapedType::isDynamic(size))
      result.push_back(value);
  return result;
}

Value hlotomica::tabulated(OpBuilder &builder, Location loc, RankedTensorType type, ValueRange sizes,
                           llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> element) {
  Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicOnes(type, sizes));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), empty,
                                   builder.getMultiDimIdentityMap(type.getRank()), iterators,
                                   [&](OpBuilder &inner, Location at, ValueRange) {
                                     SmallVector<Value> coordinate;
                                     for (int64_t dim = 0; dim < type.getRank(); ++dim)
                                       coordinate.push_back(linalg::IndexOp::create(inner, at, dim));
                                     linalg::YieldOp::create(inner, at, element(inner, at, coordinate));
                                   })
      .getResult(0);
}

/// Element `index` of a list of integers, as an index. Lists are mostly concatenated of single sizes, which are taken
/// from there.
static Value elementOfList(OpBuilder &builder, Location loc, Value list, int64_t index, bool isUnsigned) {
  if (DenseIntElementsAttr constant; matchPattern(list, m_Constant(&constant)))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValues<APInt>()[index].getSExtValue());
  if (auto concat = list.getDefiningOp<ConcatOp>()) {
    for (Value input : concat->getOperands()) {
      if (!typeOf(input).hasStaticShape())
        break;
      if (index < typeOf(input).getNumElements())
        return elementOfList(builder, loc, input, index, isUnsigned);
      index -= typeOf(input).getNumElements();
    }
  }
  if (auto reshape = list.getDefiningOp<ReshapeOp>(); reshape && typeOf(list).getNumElements() == 1)
    return elementOfList(builder, loc, reshape.getInput(), 0, isUnsigned);
  if (auto elements = list.getDefiningOp<tensor::FromElementsOp>(); elements && typeOf(list).hasStaticShape()) {
    Value element = elements.getElements()[index];
    if (auto cast = element.getDefiningOp<arith::IndexCastOp>(); cast && isa<IndexType>(cast.getIn().getType()))
      return cast.getIn();
    return indexOf(builder, loc, element, isUnsigned);
  }
  // Values of rank 0 leave kernels.
  if (typeOf(list).getRank() == 1) {
    const Type element = elementOf(list);
    if (typeOf(list).getDimSize(0) != 1)
      list = SliceOp::create(builder, loc, RankedTensorType::get({1}, element), list, ValueRange(), ValueRange(),
                             ArrayRef<int64_t>(index), ArrayRef<int64_t>(1), ArrayRef<int64_t>(1));
    list = reshaped(builder, loc, list, {});
  }
  return indexOf(builder, loc, scalarOf(builder, loc, list), isUnsigned);
}

FailureOr<SmallVector<Value>> hlotomica::listOperand(Operation *op, unsigned number, OpBuilder &builder) {
  Value list = op->getOperand(number);
  RankedTensorType type = typeOf(list);
  if (type.hasStaticShape() && type.getRank() > 1) {
    list = reshaped(builder, op->getLoc(), list, type.getNumElements());
    type = typeOf(list);
  }
  if (type.getRank() != 1 || !type.hasStaticShape() ||
      !(isInteger(type.getElementType()) || type.getElementType().isIndex()))
    return refuse(op, "sizes and positions are lists of integers of a static length");
  SmallVector<Value> values;
  for (int64_t i = 0; i < type.getDimSize(0); ++i)
    values.push_back(elementOfList(builder, op->getLoc(), list, i, isUnsignedOperand(op, number)));
  return values;
}

RankedTensorType hlotomica::typeOfSizes(ValueRange sizes, Type element) {
  return refined(RankedTensorType::get(SmallVector<int64_t>(sizes.size(), ShapedType::kDynamic), element), sizes);
}

RankedTensorType hlotomica::refined(RankedTensorType type, ValueRange sizes) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, value] : llvm::zip_equal(shape, sizes))
    if (const std::optional<int64_t> known = getConstantIntValue(value); known && *known >= 0)
      size = *known;
  return RankedTensorType::get(shape, type.getElementType());
}

/// Operand `number`, the shape of the result; a size that the type states must be that of the list.
static FailureOr<SmallVector<Value>> shapeOperand(Operation *op, unsigned number, OpBuilder &builder) {
  FailureOr<SmallVector<Value>> sizes = listOperand(op, number, builder);
  if (failed(sizes))
    return failure();
  const IndexMath math(builder, op->getLoc());
  const RankedTensorType type = typeOf(op->getResult(0));
  if (int64_t(sizes->size()) != type.getRank())
    return refuse(op, "the shape has a size for each dimension of the result");
  for (auto [dim, size] : llvm::enumerate(*sizes)) {
    if (type.isDynamicDim(dim)) {
      math.require(math.atMost(math.constant(0), size),
                   op->getName().getStringRef() + ": the size of dimension " + Twine(dim) + " is negative");
      continue;
    }
    Value stated = math.constant(type.getDimSize(dim));
    math.require(math.equal(size, stated), op->getName().getStringRef() + ": the size of dimension " + Twine(dim) +
                                               " is not the " + Twine(type.getDimSize(dim)) + " of the result's type");
    size = stated;
  }
  return sizes;
}

/// Whether both are the same constant, or the same dimension of one tensor.
static bool isSameSize(Value a, Value b) {
  if (a == b)
    return true;
  if (const auto known = getConstantIntValue(a))
    return getConstantIntValue(b) == known;
  auto one = a.getDefiningOp<tensor::DimOp>(), other = b.getDefiningOp<tensor::DimOp>();
  return one && other && one.getSource() == other.getSource() && one.getConstantIndex() &&
         one.getConstantIndex() == other.getConstantIndex();
}

/// A dimension of size 1 of the operand is repeated, also where its size is only known when the program runs.
static Value broadcastTo(OpBuilder &builder, Location loc, Value operand, RankedTensorType type, ValueRange sizes,
                         ArrayRef<int64_t> dims) {
  const RankedTensorType from = typeOf(operand);
  return tabulated(builder, loc, type, sizes, [&](OpBuilder &inner, Location at, ValueRange coordinate) {
    SmallVector<Value> place;
    Value zero = arith::ConstantIndexOp::create(inner, at, 0), one = arith::ConstantIndexOp::create(inner, at, 1);
    for (auto [dim, target] : llvm::enumerate(dims)) {
      if (!from.isDynamicDim(dim)) {
        place.push_back(from.getDimSize(dim) == 1 ? zero : coordinate[target]);
        continue;
      }
      Value size = sizeOf(inner, at, operand, int64_t(dim));
      Value repeats = arith::CmpIOp::create(inner, at, arith::CmpIPredicate::eq, size, one);
      place.push_back(arith::SelectOp::create(inner, at, repeats, zero, coordinate[target]));
    }
    return Value(tensor::ExtractOp::create(inner, at, operand, place));
  });
}

/// An operand of static sizes needs no look at them.
static Value broadcastStatic(OpBuilder &builder, Location loc, Value operand, RankedTensorType type, ValueRange sizes,
                             ArrayRef<int64_t> dims) {
  const RankedTensorType from = typeOf(operand);
  SmallVector<int64_t> kept;
  SmallVector<AffineExpr> exprs;
  for (auto [dim, target] : llvm::enumerate(dims)) {
    if (from.getDimSize(dim) == 1)
      continue;
    kept.push_back(from.getDimSize(dim));
    exprs.push_back(builder.getAffineDimExpr(target));
  }
  const int64_t rank = type.getRank();
  Value given = reshaped(builder, loc, operand, kept);
  Value empty = tensor::EmptyOp::create(builder, loc, type, dynamicOnes(type, sizes));
  return linalg::GenericOp::create(
             builder, loc, type, given, empty,
             {AffineMap::get(rank, 0, exprs, builder.getContext()), builder.getMultiDimIdentityMap(rank)},
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
             [](OpBuilder &inner, Location at, ValueRange arguments) {
               linalg::YieldOp::create(inner, at, arguments.front());
             })
      .getResult(0);
}

static Converted convertBroadcast(Operation *op, ArrayRef<int64_t> dims, SmallVector<Value> sizes, OpBuilder &builder) {
  const Location loc = op->getLoc();
  Value operand = op->getOperand(0);
  RankedTensorType type = typeOf(op->getResult(0));
  // A size of the operand above 1 is that of the result.
  const IndexMath math(builder, loc);
  for (auto [dim, target] : llvm::enumerate(dims)) {
    const int64_t known = typeOf(operand).getDimSize(dim);
    Value size = sizeOf(builder, loc, operand, int64_t(dim)), wanted = sizes[target];
    if (known == 1 || isSameSize(size, wanted))
      continue;
    Value fits = math.equal(size, wanted);
    if (ShapedType::isDynamic(known))
      fits = math.either(fits, math.equal(size, math.constant(1)));
    else
      sizes[target] = size;
    math.require(fits, op->getName().getStringRef() + ": dimension " + Twine(dim) +
                           " of the operand is neither 1 nor the size of dimension " + Twine(target) +
                           " of the result");
  }
  type = refined(type, sizes);
  return Values{typeOf(operand).hasStaticShape() ? broadcastStatic(builder, loc, operand, type, sizes, dims)
                                                 : broadcastTo(builder, loc, operand, type, sizes, dims)};
}

/// One dynamic dimension follows from the number of elements. With more of them the operand becomes a list first.
static Converted convertReshape(Operation *op, ArrayRef<Value> sizes, OpBuilder &builder) {
  const Location loc = op->getLoc();
  Value operand = op->getOperand(0);
  const RankedTensorType type = refined(typeOf(op->getResult(0)), sizes);
  if (type.hasStaticShape() || type.getRank() == 0)
    return Values{reshaped(builder, loc, operand, type.getShape())};
  Value list = reshaped(builder, loc, operand,
                        {typeOf(operand).hasStaticShape() ? typeOf(operand).getNumElements() : ShapedType::kDynamic});
  SmallVector<ReassociationIndices> groups{llvm::to_vector<2>(llvm::seq<int64_t>(0, type.getRank()))};
  SmallVector<OpFoldResult> shape = getMixedValues(type.getShape(), dynamicOnes(type, sizes), builder);
  auto dynamic = RankedTensorType::get({ShapedType::kDynamic}, type.getElementType());
  if (list.getType() != dynamic)
    list = tensor::CastOp::create(builder, loc, dynamic, list);
  return Values{tensor::ExpandShapeOp::create(builder, loc, type, list, groups, shape).getResult()};
}

Value hlotomica::padded(OpBuilder &builder, Location loc, Value operand, Value scalar, ValueRange low, ValueRange high,
                        ValueRange interior) {
  const IndexMath math(builder, loc);
  Value zero = math.constant(0), one = math.constant(1);
  const SmallVector<Value> inputs = sizesOf(builder, loc, operand);
  SmallVector<Value> sizes, steps;
  for (auto [dim, before, after, between] : llvm::enumerate(low, high, interior)) {
    Value gaps = math.max(math.sub(inputs[dim], one), zero);
    Value whole = math.add(math.add(inputs[dim], math.mul(gaps, between)), math.add(before, after));
    math.require(math.both(math.atMost(zero, whole), math.atMost(zero, between)),
                 "stablehlo: the padding of dimension " + Twine(dim) + " is negative between elements, or its result");
    sizes.push_back(whole);
    steps.push_back(math.add(between, one));
  }
  const RankedTensorType type = typeOfSizes(sizes, elementOf(operand));
  return tabulated(builder, loc, type, sizes, [&](OpBuilder &inner, Location at, ValueRange coordinate) {
    Value isInside = arith::ConstantIntOp::create(inner, at, 1, 1);
    SmallVector<Value> place;
    const auto holds = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      isInside =
          arith::AndIOp::create(inner, at, isInside, arith::CmpIOp::create(inner, at, predicate, a, b).getResult());
    };
    for (auto [index, before, step, size] : llvm::zip_equal(coordinate, low, steps, inputs)) {
      Value from = arith::SubIOp::create(inner, at, index, before);
      Value quotient = arith::DivSIOp::create(inner, at, from, step);
      holds(arith::CmpIPredicate::sge, from, zero);
      holds(arith::CmpIPredicate::eq, arith::RemSIOp::create(inner, at, from, step), zero);
      holds(arith::CmpIPredicate::slt, quotient, size);
      place.push_back(quotient);
    }
    // An operand without elements has none at position 0 either.
    auto choice = scf::IfOp::create(inner, at, type.getElementType(), isInside, /*withElseRegion=*/true);
    OpBuilder then = choice.getThenBodyBuilder();
    scf::YieldOp::create(then, at, tensor::ExtractOp::create(then, at, operand, place).getResult());
    OpBuilder otherwise = choice.getElseBodyBuilder();
    scf::YieldOp::create(otherwise, at, scalar);
    return choice.getResult(0);
  });
}

static Converted convertPad(Operation *op, ArrayRef<Value> low, ArrayRef<Value> high, ArrayRef<Value> interior,
                            OpBuilder &builder) {
  return Values{padded(builder, op->getLoc(), op->getOperand(0), scalarOf(builder, op->getLoc(), op->getOperand(1)),
                       low, high, interior)};
}

static Converted convertSlice(Operation *op, ArrayRef<Value> starts, ArrayRef<Value> limits, ArrayRef<Value> strides,
                              OpBuilder &builder) {
  const Location loc = op->getLoc();
  const IndexMath math(builder, loc);
  Value zero = math.constant(0), one = math.constant(1), operand = op->getOperand(0);
  SmallVector<Value> sizes;
  for (auto [dim, start, limit, stride] : llvm::enumerate(starts, limits, strides)) {
    Value holds = math.both(math.atMost(zero, start), math.atMost(start, limit));
    holds = math.both(holds, math.atMost(limit, sizeOf(builder, loc, operand, int64_t(dim))));
    math.require(math.both(holds, math.atMost(one, stride)), op->getName().getStringRef() +
                                                                 ": the slice of dimension " + Twine(dim) +
                                                                 " is not within the operand");
    Value length = math.max(math.sub(limit, start), zero), step = math.max(stride, one);
    sizes.push_back(math.div(math.add(length, math.sub(step, one)), step));
  }
  const RankedTensorType type = refined(typeOf(op->getResult(0)), sizes);
  return Values{tabulated(builder, loc, type, sizes, [&](OpBuilder &inner, Location at, ValueRange coordinate) {
    SmallVector<Value> place;
    for (auto [index, start, stride] : llvm::zip_equal(coordinate, starts, strides))
      place.push_back(
          arith::AddIOp::create(inner, at, start, arith::MulIOp::create(inner, at, index, stride).getResult()));
    return Value(tensor::ExtractOp::create(inner, at, operand, place));
  })};
}

/// `count` lists, the operands from `first` on.
static FailureOr<SmallVector<SmallVector<Value>>> lists(Operation *op, unsigned first, unsigned count,
                                                        OpBuilder &builder) {
  SmallVector<SmallVector<Value>> all;
  for (unsigned i = 0; i < count; ++i) {
    FailureOr<SmallVector<Value>> list = listOperand(op, first + i, builder);
    if (failed(list))
      return failure();
    all.push_back(*list);
  }
  return all;
}

Converted hlotomica::convertDynamicForm(Operation *op, OpBuilder &builder) {
  const Location loc = op->getLoc();
  const IndexMath math(builder, loc);
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::BroadcastInDimOp broadcast) -> Converted {
        // A dynamic size of the result is one of the operand.
        const SmallVector<int64_t> dims = broadcast.getBroadcastDimensions();
        const RankedTensorType type = typeOf(broadcast);
        SmallVector<Value> sizes(type.getRank());
        for (auto [dim, target] : llvm::enumerate(dims))
          sizes[target] = sizeOf(builder, loc, broadcast.getOperand(), int64_t(dim));
        for (int64_t dim = 0; dim < type.getRank(); ++dim) {
          if (!type.isDynamicDim(dim))
            sizes[dim] = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
          else if (!sizes[dim])
            return refuse(op, "a dynamic size of the result is one of the operand");
        }
        return convertBroadcast(op, dims, sizes, builder);
      })
      .Case([&](hlo::DynamicBroadcastInDimOp broadcast) -> Converted {
        FailureOr<SmallVector<Value>> sizes = shapeOperand(op, 1, builder);
        if (failed(sizes))
          return failure();
        return convertBroadcast(op, broadcast.getBroadcastDimensions(), *sizes, builder);
      })
      .Case([&](hlo::DynamicReshapeOp) -> Converted {
        FailureOr<SmallVector<Value>> sizes = shapeOperand(op, 1, builder);
        if (failed(sizes))
          return failure();
        return convertReshape(op, *sizes, builder);
      })
      .Case([&](hlo::DynamicIotaOp iota) -> Converted {
        FailureOr<SmallVector<Value>> sizes = shapeOperand(op, 0, builder);
        if (failed(sizes))
          return failure();
        const RankedTensorType type = refined(typeOf(iota), *sizes);
        return Values{IotaOp::create(builder, loc, type, int64_t(iota.getIotaDimension()), dynamicOnes(type, *sizes))
                          .getResult()};
      })
      .Case([&](hlo::PadOp pad) {
        return convertPad(op, math.constants(pad.getEdgePaddingLow()), math.constants(pad.getEdgePaddingHigh()),
                          math.constants(pad.getInteriorPadding()), builder);
      })
      .Case([&](hlo::DynamicPadOp) -> Converted {
        auto all = lists(op, 2, 3, builder);
        return succeeded(all) ? convertPad(op, (*all)[0], (*all)[1], (*all)[2], builder) : Converted(failure());
      })
      .Case([&](hlo::SliceOp slice) {
        return convertSlice(op, math.constants(slice.getStartIndices()), math.constants(slice.getLimitIndices()),
                            math.constants(slice.getStrides()), builder);
      })
      .Case([&](hlo::RealDynamicSliceOp) -> Converted {
        auto all = lists(op, 1, 3, builder);
        return succeeded(all) ? convertSlice(op, (*all)[0], (*all)[1], (*all)[2], builder) : Converted(failure());
      })
      .Case([&](hlo::DynamicGatherOp gather) -> Converted {
        FailureOr<SmallVector<Value>> sizes = listOperand(op, 2, builder);
        return succeeded(sizes) ? convertGather(op, gather.getDimensionNumbers(), *sizes, builder)
                                : Converted(failure());
      })
      .Default([&](Operation *) -> Converted { return refuse(op, "the sizes of the result must be static"); });
}

/// A condition on sizes, which the run checks.
Converted hlotomica::convertShapeAssertion(hlo::CustomCallOp op, OpBuilder &builder) {
  Value holds = op.getInputs().front();
  if (op.getNumResults() != 0 || !isa<RankedTensorType>(holds.getType()) || typeOf(holds).getRank() != 0 ||
      !isBool(elementOf(holds)))
    return refuse(op, "a shape assertion has a condition of rank 0 and no results");
  auto message = op->getAttrOfType<StringAttr>("error_message");
  cf::AssertOp::create(
      builder, op.getLoc(), scalarOf(builder, op.getLoc(), holds),
      ("a condition on sizes does not hold: " + (message ? message.getValue() : "shape_assertion")).str());
  return Values();
}
