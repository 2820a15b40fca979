//===- Scalars.cpp - bodies of reductions on scalars ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The ops of a body work on tensors of rank 0; in a linalg.generic they work on its scalars:
//
//   %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// becomes
//   %0 = arith.cmpf ogt, %a, %b : f32
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {

class Scalars {
public:
  Scalars(Operation *op, ValueRange operands, OpBuilder &builder)
      : op(op), operands(operands), builder(builder), loc(op->getLoc()),
        element(operands.empty() ? Type() : operands.front().getType()), isFloat(isa_and_present<FloatType>(element)) {}

  FailureOr<Value> convert();

private:
  template <typename Twin> FailureOr<Value> twin() { return Twin::create(builder, loc, operands).getResult(); }
  template <typename OfFloats, typename OfIntegers> FailureOr<Value> ofNumbers() {
    if (isFloat)
      return twin<OfFloats>();
    return isInteger(element) ? twin<OfIntegers>() : refused();
  }
  /// `OfBits` is the op on i1.
  template <typename OfFloats, typename OfIntegers, typename OfBits> FailureOr<Value> ofAll() {
    return isBool(element) ? twin<OfBits>() : ofNumbers<OfFloats, OfIntegers>();
  }
  template <typename OfBits> FailureOr<Value> ofBits() {
    return element.isSignlessInteger() ? twin<OfBits>() : refused();
  }
  FailureOr<Value> refused() {
    return refuse(op, "in a body that is not one sum, product, maximum or minimum, the ops are add, and, compare, "
                      "constant, maximum, minimum, multiply, negate, not, or, select, subtract and xor");
  }
  FailureOr<Value> convertCompare(hlo::CompareOp compare);

  Operation *op;
  ValueRange operands;
  OpBuilder &builder;
  Location loc;
  Type element;
  bool isFloat;
};

FailureOr<Value> Scalars::convertCompare(hlo::CompareOp compare) {
  using Direction = hlo::ComparisonDirection;
  const hlo::ComparisonType order = compare.getCompareType().value_or(hlo::ComparisonType::NOTYPE);
  if (order == hlo::ComparisonType::TOTALORDER || (order == hlo::ComparisonType::UNSIGNED && !isBool(element)))
    return refuse(op, "TOTALORDER, and UNSIGNED on signless integers, are not; FLOAT and SIGNED are");
  const Direction direction = compare.getComparisonDirection();
  if (isFloat) {
    arith::CmpFPredicate predicate = arith::CmpFPredicate::OEQ;
    switch (direction) {
    case Direction::EQ:
      break;
    case Direction::NE:
      predicate = arith::CmpFPredicate::UNE;
      break;
    case Direction::GE:
      predicate = arith::CmpFPredicate::OGE;
      break;
    case Direction::GT:
      predicate = arith::CmpFPredicate::OGT;
      break;
    case Direction::LE:
      predicate = arith::CmpFPredicate::OLE;
      break;
    case Direction::LT:
      predicate = arith::CmpFPredicate::OLT;
      break;
    }
    return arith::CmpFOp::create(builder, loc, predicate, operands[0], operands[1]).getResult();
  }
  if (!element.isSignlessInteger())
    return refused();
  const bool isLogical = isBool(element);
  arith::CmpIPredicate predicate = arith::CmpIPredicate::eq;
  switch (direction) {
  case Direction::EQ:
    break;
  case Direction::NE:
    predicate = arith::CmpIPredicate::ne;
    break;
  case Direction::GE:
    predicate = isLogical ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
    break;
  case Direction::GT:
    predicate = isLogical ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
    break;
  case Direction::LE:
    predicate = isLogical ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
    break;
  case Direction::LT:
    predicate = isLogical ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    break;
  }
  return arith::CmpIOp::create(builder, loc, predicate, operands[0], operands[1]).getResult();
}

FailureOr<Value> Scalars::convert() {
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](hlo::ConstantOp constant) -> FailureOr<Value> {
        const TypedAttr value = splatValue(constant);
        if (!value || !value.getType().isIntOrFloat() ||
            (isa<IntegerType>(value.getType()) && !value.getType().isSignlessInteger()))
          return refused();
        return arith::ConstantOp::create(builder, loc, value).getResult();
      })
      .Case([&](hlo::AddOp) { return ofAll<arith::AddFOp, arith::AddIOp, arith::OrIOp>(); })
      .Case([&](hlo::SubtractOp) { return ofNumbers<arith::SubFOp, arith::SubIOp>(); })
      .Case([&](hlo::MulOp) { return ofAll<arith::MulFOp, arith::MulIOp, arith::AndIOp>(); })
      .Case([&](hlo::MaxOp) { return ofAll<arith::MaximumFOp, arith::MaxSIOp, arith::OrIOp>(); })
      .Case([&](hlo::MinOp) { return ofAll<arith::MinimumFOp, arith::MinSIOp, arith::AndIOp>(); })
      .Case([&](hlo::AndOp) { return ofBits<arith::AndIOp>(); })
      .Case([&](hlo::OrOp) { return ofBits<arith::OrIOp>(); })
      .Case([&](hlo::XorOp) { return ofBits<arith::XOrIOp>(); })
      .Case([&](hlo::NotOp) -> FailureOr<Value> {
        if (!element.isSignlessInteger())
          return refused();
        Value ones = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, -1));
        return arith::XOrIOp::create(builder, loc, operands[0], ones).getResult();
      })
      .Case([&](hlo::NegOp) -> FailureOr<Value> {
        if (isFloat)
          return twin<arith::NegFOp>();
        if (!isInteger(element))
          return refused();
        Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, 0));
        return arith::SubIOp::create(builder, loc, zero, operands[0]).getResult();
      })
      .Case([&](hlo::CompareOp compare) { return convertCompare(compare); })
      .Case([&](hlo::SelectOp) { return twin<arith::SelectOp>(); })
      .Default([&](Operation *) { return refused(); });
}

} // namespace

Converted hlotomica::convertToScalars(Block &block, ArrayRef<Value> arguments, OpBuilder &builder) {
  IRMapping scalars;
  scalars.map(block.getArguments(), arguments);
  const auto scalarsOf = [&](Operation &op) -> Converted {
    Values values;
    for (Value operand : op.getOperands()) {
      if (!scalars.contains(operand))
        return refuse(&op, "the body of a reduction uses only its own values");
      values.push_back(scalars.lookup(operand));
    }
    return values;
  };
  for (Operation &op : block.without_terminator()) {
    Converted operands = scalarsOf(op);
    if (failed(operands))
      return failure();
    FailureOr<Value> result = Scalars(&op, *operands, builder).convert();
    if (failed(result))
      return failure();
    scalars.map(op.getResult(0), *result);
  }
  return scalarsOf(block.back());
}
