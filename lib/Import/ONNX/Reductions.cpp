//===- Reductions.cpp - reductions along dimensions -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reduce*, ArgMax, ArgMin, CumSum, Softmax and its relatives.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// The dimensions to reduce: an attribute, or from `sinceInput` on an input. `isNoop`: none are.
static std::optional<Ints> reducedDims(Node &node, int64_t sinceInput, bool &isNoop) {
  Ints axes;
  bool areGiven = false;
  if (node.opset >= sinceInput && node.has(1)) {
    std::optional<Ints> values = node.constantsOf(1, "axes");
    if (!values)
      return std::nullopt;
    axes = *values;
    areGiven = !axes.empty();
  } else if (node.opset < sinceInput && node.hasAttribute("axes")) {
    axes = node.integers("axes");
    areGiven = true;
  }
  if (!areGiven) {
    isNoop = node.opset >= sinceInput && node.integer("noop_with_empty_axes") != 0;
    for (int64_t dim = 0; dim < node.rank(0); ++dim)
      axes.push_back(dim);
  }
  return node.axesOf(axes, node.rank(0));
}

enum class Before { Nothing, Square, Magnitude };
enum class Behind { Nothing, Root, Logarithm };

static LogicalResult reduce(Node &node, ReduceKind kind, Before before, Behind behind, int64_t sinceInput) {
  bool isNoop = false;
  std::optional<Ints> dims = reducedDims(node, sinceInput, isNoop);
  if (!dims)
    return failure();
  const Type element = node.element(0);
  const bool isUnsigned = node.isUnsigned(0), keeps = node.integer("keepdims", 1) != 0;
  const bool isOrder = kind == ReduceKind::Max || kind == ReduceKind::Min;
  if (element.isInteger(1) && !isOrder)
    return node.refuse("its input is of type bool");
  if (isNoop)
    dims->clear();
  Value value = node.in(0);
  if (before == Before::Square)
    value = node.mul(value, value);
  if (before == Before::Magnitude && !isUnsigned)
    value = node.unary<AbsOp>(value);
  const bool flips = isUnsigned && isOrder;
  if (flips)
    value = node.flippedTopBit(value);
  if (!isa<FloatType>(element) && (kind == ReduceKind::Mean || behind != Behind::Nothing)) {
    // Functions of integers, as floats and back.
    Value wide = node.cast(value, node.b.getF64Type(), isUnsigned);
    wide = node.reduced(kind, wide, *dims, keeps);
    if (behind == Behind::Root)
      wide = node.unary<SqrtOp>(wide);
    if (behind == Behind::Logarithm)
      wide = node.unary<LogOp>(wide);
    node.set(0, node.cast(wide, element, false, isUnsigned), isUnsigned);
    return success();
  }
  Value result = node.reduced(kind, value, *dims, keeps);
  if (node.isRefused())
    return failure();
  if (flips)
    result = node.flippedTopBit(result);
  if (behind == Behind::Root)
    result = node.unary<SqrtOp>(result);
  if (behind == Behind::Logarithm)
    result = node.unary<LogOp>(result);
  Tensor tensor;
  tensor.isUnsigned = isUnsigned;
  tensor.value = result;
  if (kind == ReduceKind::Prod && node.operand(0).elements && tensor.rank() <= 1 && !dims->empty())
    tensor.elements = Sizes{node.product(*node.operand(0).elements)};
  node.set(0, std::move(tensor));
  return success();
}

template <ReduceKind kind, Before before, Behind behind> static LogicalResult buildReduce(Node &node) {
  return reduce(node, kind, before, behind, /*sinceInput=*/18);
}

/// log(sum(e^x)) = m + log(sum(e^(x - m))), which does not overflow.
static LogicalResult buildLogSumExp(Node &node) {
  bool isNoop = false;
  std::optional<Ints> dims = reducedDims(node, 18, isNoop);
  if (!dims)
    return failure();
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  if (isNoop || dims->empty()) {
    node.set(0, node.in(0));
    return success();
  }
  Value largest = node.reduced(ReduceKind::Max, node.in(0), *dims, true);
  Value sum = node.reduced(ReduceKind::Sum, node.unary<ExpOp>(node.sub(node.in(0), largest)), *dims, true);
  Value result = node.add(largest, node.unary<LogOp>(sum));
  node.set(0, node.integer("keepdims", 1) ? result : node.squeezed(result, *dims));
  return success();
}

template <typename Op> static LogicalResult buildArg(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis)
    return failure();
  const bool keeps = node.integer("keepdims", 1) != 0, isLast = node.integer("select_last_index") != 0;
  Value value = node.isUnsigned(0) ? node.flippedTopBit(node.in(0)) : node.in(0);
  if (isLast)
    value = FlipOp::create(node.b, node.loc, value.getType(), value, llvm::ArrayRef<int64_t>{*axis}).getResult();
  Sizes sizes = node.sizesOf(value);
  OpFoldResult count = sizes[*axis];
  if (getConstantIntValue(count) == 0)
    return node.refuse("dimension " + llvm::Twine(*axis) + " has no elements");
  if (keeps)
    sizes[*axis] = node.index(1);
  else
    sizes.erase(sizes.begin() + *axis);
  RankedTensorType type = node.tensorType(sizes, node.b.getI64Type());
  Value result = Op::create(node.b, node.loc, type, value, *axis, keeps).getResult();
  if (isLast) {
    Value last = node.cast(
        tensor::FromElementsOp::create(node.b, node.loc, RankedTensorType::get({}, node.b.getI64Type()),
                                       arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(),
                                                                  node.indexValue(node.minus(count, node.index(1))))
                                           .getResult()),
        node.b.getI64Type());
    result = node.sub(last, result);
  }
  node.set(0, result);
  return success();
}

/// Whether one of the axes that are read at run time is dimension `dim`, as a tensor of rank 0.
static Value isAmong(Node &node, const Sizes &axes, int64_t dim, int64_t rank) {
  OpBuilder &b = node.b;
  Value found = arith::ConstantOp::create(b, node.loc, b.getBoolAttr(false));
  for (OpFoldResult axis : axes) {
    Value normal = node.indexValue(node.fromEnd(axis, node.index(rank)));
    Value isDim =
        arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::eq, normal, node.indexValue(node.index(dim)));
    found = arith::OrIOp::create(b, node.loc, found, isDim);
  }
  return tensor::FromElementsOp::create(b, node.loc, RankedTensorType::get({}, b.getI1Type()), found);
}

/// With axes that are read at run time: a branch per dimension.
static LogicalResult reduceAtRunTime(Node &node, ReduceKind kind) {
  const int64_t rank = node.rank(0);
  std::optional<Sizes> axes = node.elementsOf(1);
  if (!axes)
    return failure();
  Value value = node.in(0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    Ints shape(llvm::cast<RankedTensorType>(value.getType()).getShape());
    shape[dim] = shape[dim] == 1 ? 1 : ShapedType::kDynamic;
    value = node.either(
        isAmong(node, *axes, dim, rank), RankedTensorType::get(shape, node.element(0)),
        [&] { return node.reduced(kind, value, {dim}, true); }, [&] { return value; });
  }
  if (!node.integer("keepdims", 1)) {
    RankedTensorType declared = node.declaredType(0);
    if (!declared || !declared.hasStaticShape())
      return node.refuse("axes are only known at run time, and the model declares no shape of its result",
                         "make axes a constant of the model");
    value = ReshapeOp::create(node.b, node.loc, declared, value);
  }
  node.set(0, value, node.isUnsigned(0));
  return success();
}

static LogicalResult buildReduceSum(Node &node) {
  if (node.opset >= 13 && node.has(1) && !node.areConstant(1) && !node.element(0).isInteger(1))
    return reduceAtRunTime(node, ReduceKind::Sum);
  return reduce(node, ReduceKind::Sum, Before::Nothing, Behind::Nothing, /*sinceInput=*/13);
}

/// Products of n elements each: of those before an element, by a mask of n x n.
static LogicalResult buildCumProd(Node &node) {
  if (node.element(0).isInteger(1) || node.rank(0) == 0)
    return node.refuse("its input is of type bool, or of rank 0");
  const std::optional<Ints> axes = node.constantsOf(1, "axis");
  if (!axes)
    return failure();
  const std::optional<int64_t> axis = node.axisOf(axes->empty() ? 0 : axes->front(), node.rank(0));
  if (!axis)
    return failure();
  const bool isExclusive = node.integer("exclusive") != 0, isReverse = node.integer("reverse") != 0;
  // Element [.., i, j, ..] is that at j, or 1 where the product at i leaves it out.
  Sizes sizes = node.sizesOf(node.in(0));
  sizes.insert(sizes.begin() + *axis, sizes[*axis]);
  Value input = node.in(0);
  const auto predicate = isReverse ? (isExclusive ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::sge)
                                   : (isExclusive ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sle);
  Value factors = node.generated(sizes, node.element(0), [&](OpBuilder &b, Location loc, ValueRange at) {
    llvm::SmallVector<Value> position(at);
    position.erase(position.begin() + *axis);
    Value isTaken = arith::CmpIOp::create(b, loc, predicate, at[*axis + 1], at[*axis]);
    Value one = arith::ConstantOp::create(b, loc, b.getOneAttr(node.element(0)));
    return arith::SelectOp::create(b, loc, isTaken, tensor::ExtractOp::create(b, loc, input, position), one)
        .getResult();
  });
  node.set(0, node.reduced(ReduceKind::Prod, factors, {*axis + 1}, /*keepDims=*/false), node.isUnsigned(0));
  return success();
}

static LogicalResult buildCumSum(Node &node) {
  if (node.element(0).isInteger(1))
    return node.refuse("its input is of type bool");
  auto sumAlong = [&](int64_t axis) -> Value {
    return CumSumOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), axis, node.integer("exclusive") != 0,
                            node.integer("reverse") != 0);
  };
  if (!node.areConstant(1)) {
    std::optional<Sizes> given = node.elementsOf(1);
    if (!given || given->size() != 1 || node.rank(0) == 0)
      return node.refuse("axis is not a single number");
    Value result = sumAlong(0);
    for (int64_t dim = 1; dim < node.rank(0); ++dim)
      result = node.either(
          isAmong(node, *given, dim, node.rank(0)), node.operand(0).type(), [&] { return sumAlong(dim); },
          [&] { return result; });
    node.set(0, result, node.isUnsigned(0));
    return success();
  }
  std::optional<Ints> axes = node.constantsOf(1, "axis");
  if (!axes)
    return failure();
  std::optional<int64_t> axis = node.axisOf(axes->empty() ? 0 : axes->front(), node.rank(0));
  if (!axis)
    return failure();
  node.set(0, sumAlong(*axis), node.isUnsigned(0));
  return success();
}

/// Softmax, LogSoftmax and Hardmax: along one dimension, and before opset 13 along all from `axis` on.
template <typename Build> static LogicalResult alongAxis(Node &node, Build build) {
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  std::optional<int64_t> axis =
      node.axisOf(node.integer("axis", node.opset < 13 ? 1 : -1), node.rank(0), node.opset < 13);
  if (!axis)
    return failure();
  if (node.opset >= 13 || *axis == node.rank(0) - 1) {
    node.set(0, build(node.in(0), *axis));
    return success();
  }
  Sizes sizes = node.sizesOf(node.in(0));
  llvm::ArrayRef<OpFoldResult> all(sizes);
  Value rows = node.reshaped(node.in(0), {node.product(all.take_front(*axis)), node.product(all.drop_front(*axis))});
  node.set(0, node.reshaped(build(rows, 1), sizes));
  return success();
}

static LogicalResult buildSoftmax(Node &node) {
  return alongAxis(node, [&](Value value, int64_t axis) -> Value {
    return SoftmaxOp::create(node.b, node.loc, value.getType(), value, axis);
  });
}

static LogicalResult buildLogSoftmax(Node &node) {
  return alongAxis(node, [&](Value value, int64_t axis) -> Value {
    Value shifted = node.sub(value, node.reduced(ReduceKind::Max, value, {axis}, true));
    Value sum = node.reduced(ReduceKind::Sum, node.unary<ExpOp>(shifted), {axis}, true);
    return node.sub(shifted, node.unary<LogOp>(sum));
  });
}

static LogicalResult buildHardmax(Node &node) {
  return alongAxis(node, [&](Value value, int64_t axis) -> Value {
    Sizes sizes = node.sizesOf(value);
    Sizes kept = sizes;
    kept[axis] = node.index(1);
    Value first = ArgMaxOp::create(node.b, node.loc, node.tensorType(kept, node.b.getI64Type()), value, axis, true);
    const Type element = llvm::cast<RankedTensorType>(value.getType()).getElementType();
    return node.elementwise({value, first}, element, [&](OpBuilder &b, Location loc, ValueRange args) {
      Value position = arith::IndexCastOp::create(b, loc, args[1].getType(), linalg::IndexOp::create(b, loc, axis));
      Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, position, args[1]);
      return arith::UIToFPOp::create(b, loc, args[0].getType(), isFirst).getResult();
    });
  });
}

void importer::addReductions(OpTable &table) {
  table.add("ArgMax", buildArg<ArgMaxOp>, 1, 1);
  table.add("ArgMin", buildArg<ArgMinOp>, 1, 1);
  table.add("CumProd", buildCumProd, 2, 2);
  table.add("CumSum", buildCumSum, 2, 2);
  table.add("Hardmax", buildHardmax, 1, 1);
  table.add("LogSoftmax", buildLogSoftmax, 1, 1);
  table.add("ReduceL1", buildReduce<ReduceKind::Sum, Before::Magnitude, Behind::Nothing>, 1, 2);
  table.add("ReduceL2", buildReduce<ReduceKind::Sum, Before::Square, Behind::Root>, 1, 2);
  table.add("ReduceLogSum", buildReduce<ReduceKind::Sum, Before::Nothing, Behind::Logarithm>, 1, 2);
  table.add("ReduceLogSumExp", buildLogSumExp, 1, 2);
  table.add("ReduceMax", buildReduce<ReduceKind::Max, Before::Nothing, Behind::Nothing>, 1, 2);
  table.add("ReduceMean", buildReduce<ReduceKind::Mean, Before::Nothing, Behind::Nothing>, 1, 2);
  table.add("ReduceMin", buildReduce<ReduceKind::Min, Before::Nothing, Behind::Nothing>, 1, 2);
  table.add("ReduceProd", buildReduce<ReduceKind::Prod, Before::Nothing, Behind::Nothing>, 1, 2);
  table.add("ReduceSum", buildReduceSum, 1, 2);
  table.add("ReduceSumSquare", buildReduce<ReduceKind::Sum, Before::Square, Behind::Nothing>, 1, 2);
  table.add("Softmax", buildSoftmax, 1, 1);
}
