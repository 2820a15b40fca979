//===- Checks.cpp - converting the checks of test programs -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A check becomes an assertion that holds if a predicate holds for each pair of elements:
//
//   check.expect_eq %a, %b : tensor<4xf32>
// becomes a linalg.generic of the predicate, its minimum, and a cf.assert with the name of the check.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {
enum class Relation { Equal, Near, Close };

struct Check {
  Relation relation;
  double tolerance = 0;  ///< of Near: relative to the expected value, absolute below 1
  uint64_t distance = 0; ///< of Close: the number of steps between floats
};

/// The predicate of two scalars.
class Predicate {
public:
  Predicate(const Check &check, OpBuilder &builder, Location loc) : check(check), builder(builder), loc(loc) {}

  Value of(Value a, Value b) {
    if (!isa<FloatType>(a.getType()))
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
    Value result = check.relation == Relation::Equal  ? sameBits(a, b)
                   : check.relation == Relation::Near ? isNear(a, b)
                                                      : isClose(a, b);
    return either(both(is(arith::CmpFPredicate::UNO, a, a), is(arith::CmpFPredicate::UNO, b, b)), result);
  }

private:
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value is(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }

  Value sameBits(Value a, Value b) {
    Type bits = builder.getIntegerType(a.getType().getIntOrFloatBitWidth());
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                 arith::BitcastOp::create(builder, loc, bits, a),
                                 arith::BitcastOp::create(builder, loc, bits, b));
  }

  Value isNear(Value a, Value b) {
    Type wide = builder.getF64Type();
    if (a.getType() != wide) {
      a = arith::ExtFOp::create(builder, loc, wide, a);
      b = arith::ExtFOp::create(builder, loc, wide, b);
    }
    const auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
    };
    Value difference = math::AbsFOp::create(builder, loc, arith::SubFOp::create(builder, loc, a, b));
    Value scale = arith::MaximumFOp::create(builder, loc, number(1), math::AbsFOp::create(builder, loc, b));
    Value limit = arith::MulFOp::create(builder, loc, scale, number(check.tolerance));
    // Infinities are near themselves alone.
    Value isFinite = is(arith::CmpFPredicate::OLT, difference, number(std::numeric_limits<double>::infinity()));
    return either(is(arith::CmpFPredicate::OEQ, a, b),
                  both(isFinite, is(arith::CmpFPredicate::OLE, difference, limit)));
  }

  Value isClose(Value a, Value b) {
    Value first = orderedBits(builder, loc, a), second = orderedBits(builder, loc, b);
    Value high = arith::MaxSIOp::create(builder, loc, first, second),
          low = arith::MinSIOp::create(builder, loc, first, second);
    Value steps = arith::SubIOp::create(builder, loc, high, low); // fits in unsigned
    const unsigned width = steps.getType().getIntOrFloatBitWidth();
    const uint64_t most = width < 64 ? std::min(check.distance, (uint64_t(1) << width) - 1) : check.distance;
    Value limit = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(steps.getType(), APInt(width, most)));
    Value isWithin = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, steps, limit);
    Value isNumber = is(arith::CmpFPredicate::ORD, a, b);
    return both(isNumber, isWithin);
  }

  const Check &check;
  OpBuilder &builder;
  Location loc;
};
} // namespace

static Converted assertAll(Operation *op, StringRef name, const Check &check, Value actual, Value expected,
                           OpBuilder &builder) {
  const Location loc = op->getLoc();
  const RankedTensorType type = typeOf(actual);
  if (elementOf(actual) != elementOf(expected) || type.getRank() != typeOf(expected).getRank())
    return refuse(op, "both values have one type");
  const IndexMath math(builder, loc);
  const SmallVector<Value> sizes = sizesOf(builder, loc, actual);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    math.require(math.equal(sizes[dim], sizeOf(builder, loc, expected, dim)),
                 name + ": the values differ in the size of dimension " + Twine(dim));
  if (llvm::is_contained(type.getShape(), 0))
    return op->getNumResults() == 0 ? Values()
                                    : Values{splat(builder, loc, RankedTensorType::get({}, builder.getI1Type()), 1)};
  const int64_t rank = type.getRank();
  auto flags = RankedTensorType::get(type.getShape(), builder.getI1Type());
  Value empty = tensor::EmptyOp::create(builder, loc, flags, dynamicOnes(flags, sizes));
  SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  Value holds = linalg::GenericOp::create(builder, loc, flags, ValueRange{actual, expected}, empty, maps, iterators,
                                          [&](OpBuilder &inner, Location at, ValueRange arguments) {
                                            Value result = Predicate(check, inner, at).of(arguments[0], arguments[1]);
                                            linalg::YieldOp::create(inner, at, result);
                                          })
                    .getResult(0);
  if (rank != 0) {
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    holds = ReduceOp::create(builder, loc, RankedTensorType::get({}, builder.getI1Type()), ReduceKind::Min, holds, dims,
                             /*keep_dims=*/false);
  }
  static constexpr StringLiteral kRelations[] = {"differ", "are not near each other", "are not close to each other"};
  cf::AssertOp::create(builder, loc, scalarOf(builder, loc, holds),
                       (name + ": the values " + kRelations[size_t(check.relation)]).str());
  if (op->getNumResults() == 0)
    return Values();
  return Values{holds};
}

static Converted convertCustomCall(hlo::CustomCallOp op, OpBuilder &builder) {
  const StringRef target = op.getCallTargetName();
  if (target == "shape_assertion" && !op.getInputs().empty())
    return convertShapeAssertion(op, builder);
  const std::optional<Check> check =
      llvm::StringSwitch<std::optional<Check>>(target)
          .Cases({"check.expect_eq", "check.eq"}, Check{Relation::Equal})
          .Cases({"check.expect_almost_eq", "check.almost_eq"}, Check{Relation::Near, 0.0001})
          .Cases({"check.expect_close", "check.close"}, Check{Relation::Close, 0, 3})
          .Default(std::nullopt);
  // Some versions return whether it holds.
  const bool returns =
      op.getNumResults() == 1 && typeOf(op.getResult(0)) == RankedTensorType::get({}, builder.getI1Type());
  if (!check || op.getInputs().size() != 2 || !(op.getNumResults() == 0 || returns))
    return refuse(op, "there is no code for the target '" + target + "'" +
                          (target.starts_with("stablehlo.dynamic_")
                               ? ", whose sizes follow from no constant; export the function for given sizes"
                               : ""));
  return assertAll(op, target, *check, op.getInputs()[0], op.getInputs()[1], builder);
}

Converted hlotomica::convertCheck(Operation *op, OpBuilder &builder) {
  const StringRef name = op->getName().getStringRef();
  const auto constantOf = [&](ElementsAttr value) -> Value {
    return ConstantOp::create(builder, op->getLoc(), cast<RankedTensorType>(value.getShapedType()), value);
  };
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::CustomCallOp call) { return convertCustomCall(call, builder); })
      .Case([&](hlocheck::ExpectEqOp eq) {
        return assertAll(op, name, {Relation::Equal}, eq.getActual(), eq.getExpected(), builder);
      })
      .Case([&](hlocheck::ExpectEqConstOp eq) {
        return assertAll(op, name, {Relation::Equal}, eq.getLhs(), constantOf(eq.getValue()), builder);
      })
      .Case([&](hlocheck::ExpectAlmostEqOp eq) {
        return assertAll(op, name, {Relation::Near, eq.getTolerance().convertToDouble()}, eq.getActual(),
                         eq.getExpected(), builder);
      })
      .Case([&](hlocheck::ExpectAlmostEqConstOp eq) {
        return assertAll(op, name, {Relation::Near, eq.getTolerance().convertToDouble()}, eq.getLhs(),
                         constantOf(eq.getValue()), builder);
      })
      .Case([&](hlocheck::ExpectCloseOp close) -> Converted {
        if (close.getMinUlpDifference() != 0)
          return refuse(op, "'min_ulp_difference' is 0");
        return assertAll(op, name, {Relation::Close, 0, close.getMaxUlpDifference()}, close.getActual(),
                         close.getExpected(), builder);
      })
      .Default([&](Operation *) -> Converted { return failure(); });
}
