//===- ComplexMath.cpp - complex functions of real ones ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Functions of numbers of 32-bit floats are computed in 64 bits, where no intermediate result overflows.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

Value Arith::add(Value a, Value b) { return hlo::AddOp::create(builder, loc, a.getType(), a, b); }
Value Arith::sub(Value a, Value b) { return hlo::SubtractOp::create(builder, loc, a.getType(), a, b); }
Value Arith::mul(Value a, Value b) { return hlo::MulOp::create(builder, loc, a.getType(), a, b); }
Value Arith::div(Value a, Value b) { return hlo::DivOp::create(builder, loc, a.getType(), a, b); }
Value Arith::max(Value a, Value b) { return hlo::MaxOp::create(builder, loc, a.getType(), a, b); }
Value Arith::min(Value a, Value b) { return hlo::MinOp::create(builder, loc, a.getType(), a, b); }
Value Arith::neg(Value a) { return hlo::NegOp::create(builder, loc, a.getType(), a); }

Value Arith::number(Value like, double value) {
  return constantLike(like, builder.getFloatAttr(getElementTypeOrSelf(like), value));
}

static Value constantOf(OpBuilder &builder, Location loc, RankedTensorType type, TypedAttr element) {
  return hlo::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, Attribute(element)));
}

Value Arith::constantLike(Value like, TypedAttr element) {
  auto type = cast<RankedTensorType>(like.getType()).clone(element.getType());
  if (type.hasStaticShape())
    return constantOf(builder, loc, type, element);
  Value one = constantOf(builder, loc, RankedTensorType::get({}, element.getType()), element);
  return broadcast(one, like, {});
}

Value Arith::integer(int64_t value) {
  return constantOf(builder, loc, RankedTensorType::get({}, builder.getI64Type()), builder.getI64IntegerAttr(value));
}

Value Arith::sizeOf(Value value, int64_t dim) {
  if (const int64_t size = tensorOf(value).getDimSize(dim); !ShapedType::isDynamic(size))
    return integer(size);
  return hlo::GetDimensionSizeOp::create(builder, loc, RankedTensorType::get({}, builder.getI64Type()), value,
                                         uint64_t(dim));
}

Value Arith::list(ValueRange values) {
  if (values.empty()) {
    auto type = RankedTensorType::get(0, builder.getI64Type());
    return hlo::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, ArrayRef<int64_t>()));
  }
  SmallVector<Value> parts;
  for (Value value : values)
    parts.push_back(hlo::ReshapeOp::create(builder, loc, RankedTensorType::get(1, getElementTypeOrSelf(value)), value));
  return hlo::ConcatenateOp::create(
      builder, loc, RankedTensorType::get(int64_t(parts.size()), getElementTypeOrSelf(values.front())), parts, 0);
}

Value Arith::shapeOf(Value value) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < tensorOf(value).getRank(); ++dim)
    sizes.push_back(sizeOf(value, dim));
  return list(sizes);
}

Value Arith::sum(Value value, ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  const Type element = tensorOf(value).getElementType();
  auto scalar = RankedTensorType::get({}, element);
  Value zero =
      hlo::ConstantOp::create(builder, loc, scalar, DenseElementsAttr::get(scalar, builder.getZeroAttr(element)));
  auto type = RankedTensorType::get(shape, element);
  auto reduce = hlo::ReduceOp::create(builder, loc, TypeRange(type), value, zero, SmallVector<int64_t>(dims));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
  hlo::ReturnOp::create(builder, loc, add(block->getArgument(0), block->getArgument(1)));
  return reduce.getResult(0);
}

Value Arith::broadcast(Value value, Value like, ArrayRef<int64_t> dims) {
  auto type = tensorOf(like).clone(tensorOf(value).getElementType());
  if (type.hasStaticShape())
    return value.getType() == type
               ? value
               : hlo::BroadcastInDimOp::create(builder, loc, type, value, builder.getDenseI64ArrayAttr(dims))
                     .getResult();
  return hlo::DynamicBroadcastInDimOp::create(builder, loc, type, value, shapeOf(like),
                                              builder.getDenseI64ArrayAttr(dims), {}, {});
}

static Value compared(Arith &arith, hlo::ComparisonDirection direction, Value a, Value b) {
  Type type = cast<RankedTensorType>(a.getType()).clone(arith.builder.getI1Type());
  return hlo::CompareOp::create(arith.builder, arith.loc, type, a, b, direction, hlo::ComparisonTypeAttr());
}

Value Arith::equal(Value a, Value b) { return compared(*this, hlo::ComparisonDirection::EQ, a, b); }
Value Arith::less(Value a, Value b) { return compared(*this, hlo::ComparisonDirection::LT, a, b); }

Value Arith::select(Value pred, Value a, Value b) {
  return hlo::SelectOp::create(builder, loc, a.getType(), pred, a, b);
}

Value Arith::both(Value a, Value b) { return hlo::AndOp::create(builder, loc, a.getType(), a, b); }
Value Arith::either(Value a, Value b) { return hlo::OrOp::create(builder, loc, a.getType(), a, b); }
Value Arith::atan2(Value y, Value x) { return hlo::Atan2Op::create(builder, loc, y.getType(), y, x); }

Value Arith::as(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return hlo::ConvertOp::create(builder, loc, type.clone(element), value);
}

using Complex = ComplexFormulas<Arith>;

/// A function that is computed in wider floats.
static std::optional<Parts> computeFunction(Operation *op, ArrayRef<Parts> z, Complex &c) {
  return llvm::TypeSwitch<Operation *, std::optional<Parts>>(op)
      .Case([&](hlo::DivOp) { return c.quotient(z[0], z[1]); })
      .Case([&](hlo::ExpOp) { return c.exponential(z[0]); })
      .Case([&](hlo::LogOp) { return c.logarithm(z[0]); })
      .Case([&](hlo::Log1pOp) { return c.logarithmPlusOne(z[0]); })
      .Case([&](hlo::Expm1Op) { return c.exponentialMinusOne(z[0]); })
      .Case([&](hlo::SqrtOp) { return c.root(z[0]); })
      .Case([&](hlo::RsqrtOp) { return c.quotient(c.number(z[0], 1), c.root(z[0])); })
      .Case([&](hlo::TanhOp) { return c.hyperbolicTangent(z[0]); })
      .Case([&](hlo::TanOp) {
        const Parts t = c.hyperbolicTangent({c.neg(z[0].im), z[0].re});
        return Parts{t.im, c.neg(t.re)};
      })
      .Case([&](hlo::SineOp) { return c.sine(z[0]); })
      .Case([&](hlo::CosineOp) { return c.cosine(z[0]); })
      .Case([&](hlo::CbrtOp) { return c.cubicRoot(z[0]); })
      .Case([&](hlo::LogisticOp) { return c.logistic(z[0]); })
      .Case([&](hlo::PowOp) { return c.power(z[0], z[1]); })
      .Case([&](hlo::AbsOp) {
        return Parts{c.magnitude(z[0]), Value()};
      })
      .Case([&](hlo::SignOp) { return c.direction(z[0]); })
      .Default(std::optional<Parts>());
}

std::optional<Parts> hlotypes::computeComplex(Operation *op, ArrayRef<Parts> operands, OpBuilder &builder) {
  Complex c(builder, op->getLoc());
  if (isa<hlo::AddOp>(op))
    return c.sum(operands[0], operands[1]);
  if (isa<hlo::SubtractOp>(op))
    return Parts{c.sub(operands[0].re, operands[1].re), c.sub(operands[0].im, operands[1].im)};
  if (isa<hlo::MulOp>(op))
    return c.product(operands[0], operands[1]);
  if (isa<hlo::NegOp>(op))
    return c.negated(operands[0]);
  if (auto compare = dyn_cast<hlo::CompareOp>(op)) {
    const hlo::ComparisonDirection direction = compare.getComparisonDirection();
    if (direction != hlo::ComparisonDirection::EQ && direction != hlo::ComparisonDirection::NE)
      return std::nullopt;
    Value re = compared(c, direction, operands[0].re, operands[1].re);
    Value im = compared(c, direction, operands[0].im, operands[1].im);
    return Parts{direction == hlo::ComparisonDirection::EQ ? c.both(re, im) : c.either(re, im), Value()};
  }
  const Type element = getElementTypeOrSelf(operands[0].re), wide = builder.getF64Type();
  SmallVector<Parts> widened;
  for (Parts part : operands)
    widened.push_back({c.as(part.re, wide), c.as(part.im, wide)});
  std::optional<Parts> result = computeFunction(op, widened, c);
  if (!result)
    return std::nullopt;
  return Parts{c.as(result->re, element), result->im ? c.as(result->im, element) : Value()};
}
