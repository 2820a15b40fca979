//===- Elementwise.cpp - elementwise operators ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Operators on one element at a time, with NumPy's broadcasting. Where the dialect has a twin it is used, otherwise the
// scalar computation stands in a linalg.generic.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/Scalars.h"
#include "lib/Import/ONNX/SmallTypes.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

template <typename Op> static LogicalResult mathUnary(Node &node) {
  return mapInput(node, [](Scalars &s, Value x) { return Op::create(s.builder, s.loc, x).getResult(); });
}

/// A twin in the dialect, of floats alone or of integers too.
template <typename Op, bool takesIntegers = false> static LogicalResult twin(Node &node) {
  if (!isa<FloatType>(node.element(0)) && !(takesIntegers && !node.element(0).isInteger(1)))
    return node.refuse("its element type is not supported");
  node.set(0, node.unary<Op>(node.in(0)), node.isUnsigned(0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult importer::checkSameTypes(Node &node) {
  for (unsigned i = 1; i < node.inputCount(); ++i)
    if (node.element(i) != node.element(0) || node.isUnsigned(i) != node.isUnsigned(0))
      return node.refuse("its inputs have different element types",
                         "correct the model: onnx.checker.check_model(model, full_check=True)");
  return success();
}

/// Opsets before 7 align the second input at `axis`, if broadcasting is asked for.
static Value secondInput(Node &node) {
  if (node.opset >= 7 || !node.integer("broadcast") || !node.hasAttribute("axis"))
    return node.in(1);
  const int64_t axis = node.integer("axis"), behind = node.rank(0) - axis - node.rank(1);
  if (axis < 0 || behind <= 0)
    return node.in(1);
  Sizes sizes = node.sizesOf(node.in(1));
  sizes.append(behind, node.index(1));
  return node.reshaped(node.in(1), sizes);
}

enum class Arithmetic { Add, Sub, Mul, Div };

/// The elements of the result of two integer inputs whose elements are known.
static void combineElements(Node &node, Arithmetic kind, Tensor &result) {
  const auto &a = node.operand(0).elements, &c = node.operand(1).elements;
  if (!a || !c || (a->size() != c->size() && a->size() != 1 && c->size() != 1) || result.rank() > 1 ||
      node.isUnsigned(0))
    return;
  Sizes elements;
  for (size_t i = 0; i < (a->size() == 1 ? c->size() : a->size()); ++i) {
    OpFoldResult x = (*a)[a->size() == 1 ? 0 : i], y = (*c)[c->size() == 1 ? 0 : i];
    if (kind == Arithmetic::Div && (!getConstantIntValue(y) || *getConstantIntValue(y) == 0))
      return;
    elements.push_back(kind == Arithmetic::Add   ? node.plus(x, y)
                       : kind == Arithmetic::Sub ? node.minus(x, y)
                       : kind == Arithmetic::Mul ? node.times(x, y)
                                                 : node.dividedBy(x, y));
  }
  result.elements = std::move(elements);
}

template <Arithmetic kind> static LogicalResult buildArithmetic(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  if (node.element(0).isInteger(1))
    return node.refuse("its inputs are of type bool");
  Value x = node.in(0), y = secondInput(node);
  Tensor result;
  result.isUnsigned = node.isUnsigned(0);
  if (kind == Arithmetic::Div && node.isUnsigned(0))
    result.value = node.elementwise({x, y}, node.element(0), [](OpBuilder &builder, Location loc, ValueRange args) {
      // As mica.div defines it: a division by zero gives 0.
      Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(args[0].getType()));
      Value one = arith::ConstantOp::create(builder, loc, builder.getOneAttr(args[0].getType()));
      Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, args[1], zero);
      Value divisor = arith::SelectOp::create(builder, loc, isZero, one, args[1]);
      Value quotient = arith::DivUIOp::create(builder, loc, args[0], divisor);
      return arith::SelectOp::create(builder, loc, isZero, zero, quotient).getResult();
    });
  else
    result.value = kind == Arithmetic::Add   ? node.add(x, y)
                   : kind == Arithmetic::Sub ? node.sub(x, y)
                   : kind == Arithmetic::Mul ? node.mul(x, y)
                                             : node.div(x, y);
  if (node.isRefused())
    return failure();
  combineElements(node, kind, result);
  node.set(0, std::move(result));
  return success();
}

static LogicalResult buildNeg(Node &node) {
  if (node.element(0).isInteger(1))
    return node.refuse("its input is of type bool");
  Tensor result;
  result.value = node.unary<NegOp>(node.in(0));
  result.isUnsigned = node.isUnsigned(0);
  if (const auto &elements = node.operand(0).elements) {
    result.elements.emplace();
    for (OpFoldResult element : *elements)
      result.elements->push_back(node.minus(node.index(0), element));
  }
  node.set(0, std::move(result));
  return success();
}

/// The remainder: the sign of the divisor, or with fmod that of the dividend.
static LogicalResult buildMod(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  const bool isFmod = node.integer("fmod") != 0, isUnsigned = node.isUnsigned(0);
  if (isa<FloatType>(node.element(0)) && !isFmod)
    return node.refuse("floats need fmod = 1");
  if (!isUnsigned && isFmod) {
    node.set(0, node.binary<RemOp>(node.in(0), node.in(1)));
    return success();
  }
  Value result =
      node.elementwise({node.in(0), node.in(1)}, node.element(0), [&](OpBuilder &b, Location loc, ValueRange args) {
        Value x = args[0], y = args[1];
        Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
        Value one = arith::ConstantOp::create(b, loc, b.getOneAttr(x.getType()));
        Value isZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, zero);
        if (isUnsigned) {
          Value divisor = arith::SelectOp::create(b, loc, isZero, one, y);
          return Value(arith::RemUIOp::create(b, loc, x, divisor));
        }
        // -1 and 0 as divisors: the remainder is 0, and nothing overflows.
        Value minusOne = arith::ConstantOp::create(b, loc, b.getIntegerAttr(x.getType(), -1));
        Value isTrivial =
            arith::OrIOp::create(b, loc, isZero, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, minusOne));
        Value divisor = arith::SelectOp::create(b, loc, isTrivial, one, y);
        Value rest = arith::RemSIOp::create(b, loc, x, divisor);
        Value isNonZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, rest, zero);
        Value differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                              arith::XOrIOp::create(b, loc, rest, divisor), zero);
        Value adjusts = arith::AndIOp::create(b, loc, isNonZero, differs);
        Value adjusted = arith::AddIOp::create(b, loc, rest, divisor);
        return Value(arith::SelectOp::create(b, loc, adjusts, adjusted, rest));
      });
  node.set(0, result, isUnsigned);
  return success();
}

/// The result has the type of the base; the exponent may have another.
static LogicalResult buildPow(Node &node) {
  Type base = node.element(0), exponent = node.element(1);
  Value x = node.in(0), y = secondInput(node);
  if (base.isInteger(1) || exponent.isInteger(1))
    return node.refuse("its inputs are of type bool");
  if (isa<FloatType>(base)) {
    node.set(0, node.binary<PowOp>(x, node.cast(y, base, node.isUnsigned(1))));
    return success();
  }
  if (isa<IntegerType>(exponent) && !node.isUnsigned(0)) {
    node.set(0, node.binary<PowOp>(x, node.cast(y, base, node.isUnsigned(1))));
    return success();
  }
  Type wide = node.b.getF64Type();
  Value power = node.binary<PowOp>(node.cast(x, wide, node.isUnsigned(0)), node.cast(y, wide, node.isUnsigned(1)));
  node.set(0, node.cast(power, base, false, node.isUnsigned(0)), node.isUnsigned(0));
  return success();
}

/// The largest or smallest of any number of inputs.
template <bool isMax> static Value extremum(Node &node, Value x, Value y, bool isUnsigned) {
  if (!isUnsigned)
    return isMax ? node.binary<MaxOp>(x, y) : node.binary<MinOp>(x, y);
  return node.elementwise({x, y}, llvm::cast<RankedTensorType>(x.getType()).getElementType(),
                          [](OpBuilder &b, Location loc, ValueRange args) {
                            return isMax ? arith::MaxUIOp::create(b, loc, args[0], args[1]).getResult()
                                         : arith::MinUIOp::create(b, loc, args[0], args[1]).getResult();
                          });
}

template <bool isMax> static LogicalResult buildExtremum(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  Value result = node.in(0);
  for (unsigned i = 1; i < node.inputCount(); ++i)
    result = extremum<isMax>(node, result, node.in(i), node.isUnsigned(0));
  node.set(0, result, node.isUnsigned(0));
  return success();
}

template <bool isMean> static LogicalResult buildSum(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  Value result = node.in(0);
  for (unsigned i = 1; i < node.inputCount(); ++i)
    result = node.add(result, node.in(i));
  if (isMean)
    result = node.div(result, node.constant(node.element(0), node.inputCount()));
  node.set(0, result, node.isUnsigned(0));
  return success();
}

static LogicalResult buildClip(Node &node) {
  Value result = node.in(0);
  const Type element = node.element(0);
  const bool isUnsigned = node.isUnsigned(0);
  if (node.opset < 11) {
    if (node.hasAttribute("min"))
      result = extremum<true>(node, result, node.constant(element, node.real("min")), isUnsigned);
    if (node.hasAttribute("max"))
      result = extremum<false>(node, result, node.constant(element, node.real("max")), isUnsigned);
  } else {
    if (node.has(1))
      result = extremum<true>(node, result, node.in(1), isUnsigned);
    if (node.has(2))
      result = extremum<false>(node, result, node.in(2), isUnsigned);
  }
  node.set(0, result, isUnsigned);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Comparisons, logic and bits
//===------------------------------------------------------------------------------------------------------------===//

template <Comparison predicate> static LogicalResult buildCompare(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  Value x = node.in(0), y = secondInput(node);
  if (!node.isUnsigned(0) || predicate == Comparison::Eq) {
    node.set(0, node.compare(predicate, x, y));
  } else {
    const arith::CmpIPredicate test = predicate == Comparison::Lt   ? arith::CmpIPredicate::ult
                                      : predicate == Comparison::Le ? arith::CmpIPredicate::ule
                                      : predicate == Comparison::Gt ? arith::CmpIPredicate::ugt
                                                                    : arith::CmpIPredicate::uge;
    node.set(0, node.elementwise({x, y}, node.b.getI1Type(), [&](OpBuilder &b, Location loc, ValueRange args) {
      return arith::CmpIOp::create(b, loc, test, args[0], args[1]).getResult();
    }));
  }
  return success();
}

template <typename Op> static LogicalResult buildLogical(Node &node) {
  if (!node.element(0).isInteger(1) || (node.inputCount() > 1 && !node.element(1).isInteger(1)))
    return node.refuse("its inputs are not of type bool");
  node.set(0, node.binary<Op>(node.in(0), secondInput(node)));
  return success();
}

static LogicalResult buildNot(Node &node) {
  if (!node.element(0).isInteger(1))
    return node.refuse("its input is not of type bool");
  node.set(0, node.unary<LogicalNotOp>(node.in(0)));
  return success();
}

template <typename Op> static LogicalResult buildBitwise(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  node.set(0, node.binary<Op>(node.in(0), node.in(1)), node.isUnsigned(0));
  return success();
}

static LogicalResult buildBitwiseNot(Node &node) {
  if (!isa<IntegerType>(node.element(0)) || node.element(0).isInteger(1))
    return node.refuse("its input is not of an integer type");
  node.set(0, node.unary<BitwiseNotOp>(node.in(0)), node.isUnsigned(0));
  return success();
}

static LogicalResult buildBitShift(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  const std::string direction = node.text("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.refuse("direction is '" + llvm::Twine(direction) + "', neither LEFT nor RIGHT");
  node.set(0,
           direction == "LEFT" ? node.binary<ShiftLeftOp>(node.in(0), node.in(1))
                               : node.binary<ShiftRightLogicalOp>(node.in(0), node.in(1)),
           node.isUnsigned(0));
  return success();
}

static LogicalResult buildWhere(Node &node) {
  if (node.element(1) != node.element(2) || !node.element(0).isInteger(1))
    return node.refuse("its inputs have different element types");
  Tensor result;
  result.value = node.select(node.in(0), node.in(1), node.in(2));
  result.isUnsigned = node.isUnsigned(1);
  const auto &condition = node.operand(0).elements, &x = node.operand(1).elements, &y = node.operand(2).elements;
  if (condition && x && y && !node.isRefused() && result.rank() <= 1) {
    Sizes elements;
    const size_t count = std::max({condition->size(), x->size(), y->size()});
    for (size_t i = 0; i < count; ++i) {
      auto pick = [&](const Sizes &list) { return list[list.size() == 1 ? 0 : i]; };
      if ((condition->size() != 1 && condition->size() != count) || (x->size() != 1 && x->size() != count) ||
          (y->size() != 1 && y->size() != count) || !getConstantIntValue(pick(*condition)))
        break;
      elements.push_back(*getConstantIntValue(pick(*condition)) ? pick(*x) : pick(*y));
    }
    if (elements.size() == count)
      result.elements = std::move(elements);
  }
  node.set(0, std::move(result));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Conversions and tests of floats
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult castTo(Node &node, Type element, bool isUnsigned, Type small) {
  Tensor result;
  result.small = small;
  result.isUnsigned = isUnsigned;
  const bool saturates = node.integer("saturate", 1) != 0;
  if (small)
    result.value = toSmall(node, node.in(0), node.isUnsigned(0), small, isUnsigned, saturates);
  else if (saturates && isa<Float8E4M3FNType, Float8E5M2Type>(element) && node.element(0) != element)
    result.value = saturated(node, node.in(0), node.isUnsigned(0), element);
  else
    result.value = node.cast(node.in(0), element, node.isUnsigned(0), isUnsigned);
  // Sizes stay sizes in the usual types.
  if (node.operand(0).elements && (element.isInteger(64) || element.isInteger(32)) && !isUnsigned)
    result.elements = node.operand(0).elements;
  node.set(0, std::move(result));
  return success();
}

static LogicalResult buildCast(Node &node);

static LogicalResult buildCastLike(Node &node) {
  return castTo(node, node.element(1), node.isUnsigned(1), node.small(1));
}

static LogicalResult buildIsNan(Node &node) {
  node.set(0, node.compare(Comparison::Ne, node.in(0), node.in(0)));
  return success();
}

static LogicalResult buildIsInf(Node &node) {
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  const bool positive = node.integer("detect_positive", 1), negative = node.integer("detect_negative", 1);
  node.set(0, node.elementwise(node.in(0), node.b.getI1Type(), [&](OpBuilder &b, Location loc, ValueRange args) {
    Scalars s(b, loc);
    auto equals = [&](double value) -> Value {
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, args[0], s.number(args[0].getType(), value));
    };
    const double infinity = std::numeric_limits<double>::infinity();
    Value none = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
    return arith::OrIOp::create(b, loc, positive ? equals(infinity) : none, negative ? equals(-infinity) : none)
        .getResult();
  }));
  return success();
}

static LogicalResult buildSign(Node &node) {
  const bool isUnsigned = node.isUnsigned(0);
  return mapInput(
      node,
      [&](Scalars &s, Value x) {
        Value zero = s.number(x.getType(), 0), one = s.number(x.getType(), 1), minusOne = s.number(x.getType(), -1);
        if (isUnsigned) {
          Value isZero = arith::CmpIOp::create(s.builder, s.loc, arith::CmpIPredicate::eq, x, zero);
          return s.select(isZero, zero, one);
        }
        // NaN stays NaN.
        Value rest = s.select(s.less(x, zero), minusOne, isa<FloatType>(x.getType()) ? x : zero);
        return s.select(s.less(zero, x), one, rest);
      },
      /*floatsOnly=*/false);
}

static LogicalResult buildReciprocal(Node &node) {
  return mapInput(node, [&](Scalars &s, Value x) { return s.div(s.number(x.getType(), 1), x); });
}

static LogicalResult buildAbs(Node &node) {
  node.set(0, node.isUnsigned(0) ? node.in(0) : node.unary<AbsOp>(node.in(0)), node.isUnsigned(0));
  return success();
}

static LogicalResult buildIdentity(Node &node) {
  node.set(0, node.operand(0));
  return success();
}

static LogicalResult buildDropout(Node &node) {
  // With training_mode the mask is random, unless nothing is dropped.
  if (node.opset >= 12 && node.has(2)) {
    std::optional<Ints> training = node.constantsOf(2, "training_mode");
    if (!training)
      return failure();
    std::optional<llvm::SmallVector<double>> ratio;
    if (node.has(1))
      ratio = node.realsOf(1);
    const bool dropsNothing = ratio && ratio->size() == 1 && ratio->front() == 0;
    if (training->size() == 1 && training->front() && !dropsNothing)
      return node.refuse("in training mode its result is random", "export the model for inference: model.eval()");
  }
  if (node.opset < 7 && !node.integer("is_test"))
    return node.refuse("in training mode (is_test = 0) its result is random",
                       "export the model for inference: model.eval()");
  node.set(0, node.operand(0));
  if (node.wants(1)) {
    const Type element = node.opset < 10 ? node.element(0) : Type(node.b.getI1Type());
    Sizes sizes = node.sizesOf(node.in(0));
    node.set(1, node.filled(sizes, node.scalar(element, 1)));
  }
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Table
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult buildCast(Node &node) {
  static const std::pair<llvm::StringRef, int32_t> kNames[] = {{"FLOAT", 1},    {"UINT8", 2},  {"INT8", 3},
                                                               {"INT32", 6},    {"INT64", 7},  {"BOOL", 9},
                                                               {"FLOAT16", 10}, {"DOUBLE", 11}};
  int64_t to = node.integer("to");
  if (node.opset < 6)
    for (auto [name, number] : kNames)
      if (name == node.text("to"))
        to = number;
  bool isUnsigned = false;
  Type element = node.importer.elementType(static_cast<int32_t>(to), isUnsigned);
  if (!element)
    return node.refuse(to == ::onnx::TensorProto::STRING ? "converts to strings, which are not supported"
                       : to == kFloat8E8M0
                           ? "converts to float8e8m0, which is not supported; store its scales as floats"
                           : "element type " + llvm::Twine(to) + " of TensorProto.DataType is not supported");
  return castTo(node, element, isUnsigned, smallTypeOf(static_cast<int32_t>(to), *node.b.getContext()));
}

static LogicalResult buildBitCast(Node &node) {
  bool isUnsigned = false;
  const Type element = node.importer.elementType(static_cast<int32_t>(node.integer("to")), isUnsigned);
  if (!element)
    return node.refuse("element type " + llvm::Twine(node.integer("to")) + " of TensorProto.DataType is not supported");
  const Type given = node.element(0);
  if (smallTypeOf(static_cast<int32_t>(node.integer("to")), *node.b.getContext()))
    return node.refuse("element type " + llvm::Twine(node.integer("to")) + " is carried in wider elements",
                       "store the tensor in that type, or use Cast");
  // A boolean is a byte there, and a bit here.
  if (!given.isIntOrFloat() || given.isInteger(1) || element.isInteger(1) ||
      given.getIntOrFloatBitWidth() != element.getIntOrFloatBitWidth())
    return node.refuse("its element types are not of one width");
  Value value = node.in(0);
  if (given != element)
    value = node.generated(node.sizesOf(value), element, [&](OpBuilder &b, Location loc, ValueRange at) {
      return arith::BitcastOp::create(b, loc, element, tensor::ExtractOp::create(b, loc, node.in(0), at)).getResult();
    });
  node.set(0, value, isUnsigned);
  return success();
}

void importer::addElementwise(OpTable &table) {
  table.add("Abs", buildAbs, 1, 1);
  table.add("Acos", mathUnary<math::AcosOp>, 1, 1);
  table.add("Acosh", mathUnary<math::AcoshOp>, 1, 1);
  table.add("Add", buildArithmetic<Arithmetic::Add>, 2, 2);
  table.add("And", buildLogical<LogicalAndOp>, 2, 2);
  table.add("Asin", mathUnary<math::AsinOp>, 1, 1);
  table.add("Asinh", mathUnary<math::AsinhOp>, 1, 1);
  table.add("Atan", mathUnary<math::AtanOp>, 1, 1);
  table.add("Atanh", mathUnary<math::AtanhOp>, 1, 1);
  table.add("BitCast", buildBitCast, 1, 1);
  table.add("BitShift", buildBitShift, 2, 2);
  table.add("BitwiseAnd", buildBitwise<BitwiseAndOp>, 2, 2);
  table.add("BitwiseNot", buildBitwiseNot, 1, 1);
  table.add("BitwiseOr", buildBitwise<BitwiseOrOp>, 2, 2);
  table.add("BitwiseXor", buildBitwise<BitwiseXorOp>, 2, 2);
  table.add("Cast", buildCast, 1, 1);
  table.add("CastLike", buildCastLike, 2, 2);
  table.add("Ceil", twin<CeilOp>, 1, 1);
  table.add("Clip", buildClip, 1, 3);
  table.add("Cos", twin<CosOp>, 1, 1);
  table.add("Cosh", mathUnary<math::CoshOp>, 1, 1);
  table.add("Div", buildArithmetic<Arithmetic::Div>, 2, 2);
  table.add("Dropout", buildDropout, 1, 3);
  table.add("Equal", buildCompare<Comparison::Eq>, 2, 2);
  table.add("Erf", twin<ErfOp>, 1, 1);
  table.add("Exp", twin<ExpOp>, 1, 1);
  table.add("Floor", twin<FloorOp>, 1, 1);
  table.add("Greater", buildCompare<Comparison::Gt>, 2, 2);
  table.add("GreaterOrEqual", buildCompare<Comparison::Ge>, 2, 2);
  table.addForSequences("Identity", buildIdentity, 1, 1);
  table.add("IsInf", buildIsInf, 1, 1);
  table.add("IsNaN", buildIsNan, 1, 1);
  table.add("Less", buildCompare<Comparison::Lt>, 2, 2);
  table.add("LessOrEqual", buildCompare<Comparison::Le>, 2, 2);
  table.add("Log", twin<LogOp>, 1, 1);
  table.add("Max", buildExtremum<true>, 1);
  table.add("Mean", buildSum<true>, 1);
  table.add("Min", buildExtremum<false>, 1);
  table.add("Mod", buildMod, 2, 2);
  table.add("Mul", buildArithmetic<Arithmetic::Mul>, 2, 2);
  table.add("Neg", buildNeg, 1, 1);
  table.add("Not", buildNot, 1, 1);
  table.add("Or", buildLogical<LogicalOrOp>, 2, 2);
  table.add("Pow", buildPow, 2, 2);
  table.add("Reciprocal", buildReciprocal, 1, 1);
  table.add("Relu", twin<ReluOp, true>, 1, 1);
  table.add("Round", twin<RoundOp>, 1, 1);
  table.add("Sigmoid", twin<SigmoidOp>, 1, 1);
  table.add("Sign", buildSign, 1, 1);
  table.add("Sin", twin<SinOp>, 1, 1);
  table.add("Sinh", mathUnary<math::SinhOp>, 1, 1);
  table.add("Sqrt", twin<SqrtOp>, 1, 1);
  table.add("Sub", buildArithmetic<Arithmetic::Sub>, 2, 2);
  table.add("Sum", buildSum<false>, 1);
  table.add("Tan", mathUnary<math::TanOp>, 1, 1);
  table.add("Tanh", twin<TanhOp>, 1, 1);
  table.add("Where", buildWhere, 3, 3);
  table.add("Xor", buildLogical<LogicalXorOp>, 2, 2);
  for (llvm::StringRef name :
       {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"})
    table.refuse(name, "its result is random; make it an input of the model");
}
