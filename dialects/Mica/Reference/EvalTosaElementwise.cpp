//===- EvalTosaElementwise.cpp - elementwise tosa ops -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Follows the TOSA 1.0 specification. Where a program must avoid something (integer overflow), integers wrap around;
// division by zero is an error.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"
#include "dialects/Mica/Reference/TosaScale.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------------------------===//

void addTosaArithmetic(ScalarTable &table) {
  table.binaryF<tosa::AddOp>([](double a, double b) { return a + b; });
  table.binaryI<tosa::AddOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a + b; });
  table.binaryF<tosa::SubOp>([](double a, double b) { return a - b; });
  table.binaryI<tosa::SubOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a - b; });
  table.binaryF<tosa::PowOp>([](double a, double b) { return std::pow(a, b); });
  table.add(tosa::IntDivOp::getOperationName(), nullptr, [](const ScalarOp &op, const Cell *a, Trap &trap) {
    if (a[1].i == 0 || (a[1].i == -1 && a[0].i == op.in.lowest().i))
      trap.message = a[1].i == 0 ? "division by zero" : "signed division overflows";
    return Cell::of(trap.message ? int64_t(0) : a[0].i / a[1].i);
  });
  // The third operand shifts the product of i32 right, rounding half up; it is 0 for other types.
  table.add(
      tosa::MulOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(a[0].f * a[1].f); },
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(applyScale(a[0].i, a[1].i, a[2].i, false)); });
  // -(x - input zero point) + output zero point; i8 and i16 saturate, i32 wraps around.
  table.add(
      tosa::NegateOp::getOperationName(), [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(-a[0].f); },
      [](const ScalarOp &op, const Cell *a, Trap &) {
        int64_t value = int64_t(uint64_t(a[1].i) - uint64_t(a[0].i) + uint64_t(a[2].i));
        return Cell::of(op.out.bits <= 16 ? saturate(value, op.out) : value);
      });

  table.unaryF<tosa::AbsOp>([](double x) { return std::fabs(x); });
  table.unaryI<tosa::AbsOp>([](const ScalarOp &, int64_t x) { return x < 0 ? int64_t(-uint64_t(x)) : x; });
  table.unaryF<tosa::CeilOp>([](double x) { return std::ceil(x); });
  table.unaryF<tosa::FloorOp>([](double x) { return std::floor(x); });
  table.unaryF<tosa::CosOp>([](double x) { return std::cos(x); });
  table.unaryF<tosa::SinOp>([](double x) { return std::sin(x); });
  table.unaryF<tosa::ExpOp>([](double x) { return std::exp(x); });
  table.unaryF<tosa::LogOp>([](double x) { return std::log(x); });
  table.unaryF<tosa::ErfOp>([](double x) { return std::erf(x); });
  table.unaryF<tosa::TanhOp>([](double x) { return std::tanh(x); });
  table.unaryF<tosa::SigmoidOp>([](double x) { return 1 / (1 + std::exp(-x)); });
  table.unaryF<tosa::ReciprocalOp>([](double x) { return 1 / x; });
  table.unaryF<tosa::RsqrtOp>([](double x) { return 1 / std::sqrt(x); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Bits and truth values
//===------------------------------------------------------------------------------------------------------------===//

void addBits(ScalarTable &table) {
  table.binaryI<tosa::BitwiseAndOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  table.binaryI<tosa::BitwiseOrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  table.binaryI<tosa::BitwiseXorOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  table.unaryI<tosa::BitwiseNotOp>([](const ScalarOp &, int64_t a) { return ~a; });
  table.unaryI<tosa::ClzOp>(
      [](const ScalarOp &op, int64_t x) { return std::countl_zero(op.in.asUnsigned(x)) - int64_t(64 - op.in.bits); });
  table.binaryI<tosa::LogicalAndOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  table.binaryI<tosa::LogicalOrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  table.binaryI<tosa::LogicalXorOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  table.unaryI<tosa::LogicalNotOp>([](const ScalarOp &, int64_t a) { return a ^ 1; });
  // Shifts by the width or more are not allowed by the specification; here they give 0.
  table.binaryI<tosa::LogicalLeftShiftOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    return uint64_t(b) >= op.in.bits ? 0 : int64_t(uint64_t(a) << b);
  });
  table.binaryI<tosa::LogicalRightShiftOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    return uint64_t(b) >= op.in.bits ? 0 : int64_t(op.in.asUnsigned(a) >> b);
  });
  table.add(
      tosa::ArithmeticRightShiftOp::getOperationName(), nullptr,
      [](const ScalarOp &op, const Cell *a, Trap &) {
        int64_t shift = int64_t(std::min<uint64_t>(a[1].i, 63)), value = a[0].i >> shift;
        bool roundsUp = op.aux && shift > 0 && ((a[0].i >> (shift - 1)) & 1);
        return Cell::of(value + roundsUp);
      },
      [](Operation *op, ScalarOp &scalar) { scalar.aux = cast<tosa::ArithmeticRightShiftOp>(op).getRound(); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Comparison and choice
//===------------------------------------------------------------------------------------------------------------===//

/// Sets `aux` if NaN operands are ignored rather than propagated.
template <typename OpT> void readNanMode(Operation *op, ScalarOp &scalar) {
  scalar.aux = cast<OpT>(op).getNanMode() == tosa::NanPropagationMode::IGNORE;
}

Cell clampFloat(const ScalarOp &op, const Cell *a, Trap &) {
  double atLeast = op.aux ? ieeeMaximumNumber(a[0].f, op.low.f) : ieeeMaximum(a[0].f, op.low.f);
  return Cell::of(op.aux ? ieeeMinimumNumber(atLeast, op.high.f) : ieeeMinimum(atLeast, op.high.f));
}

void readClamp(Operation *op, ScalarOp &scalar) {
  auto clamp = cast<tosa::ClampOp>(op);
  readNanMode<tosa::ClampOp>(op, scalar);
  auto read = [&](Attribute bound) {
    if (auto number = dyn_cast<FloatAttr>(bound))
      return Cell::of(number.getValueAsDouble());
    return Cell::of(scalar.in.wrap(cast<IntegerAttr>(bound).getValue().getSExtValue()));
  };
  scalar.low = read(clamp.getMinVal());
  scalar.high = read(clamp.getMaxVal());
}

void addComparison(ScalarTable &table) {
  table.compareF<tosa::EqualOp>([](double a, double b) { return a == b; });
  table.binaryI<tosa::EqualOp>([](const ScalarOp &, int64_t a, int64_t b) { return a == b; });
  table.compareF<tosa::GreaterOp>([](double a, double b) { return a > b; });
  table.binaryI<tosa::GreaterOp>([](const ScalarOp &, int64_t a, int64_t b) { return a > b; });
  table.compareF<tosa::GreaterEqualOp>([](double a, double b) { return a >= b; });
  table.binaryI<tosa::GreaterEqualOp>([](const ScalarOp &, int64_t a, int64_t b) { return a >= b; });
  table.add(
      tosa::MaximumOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(op.aux ? ieeeMaximumNumber(a[0].f, a[1].f) : ieeeMaximum(a[0].f, a[1].f));
      },
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(std::max(a[0].i, a[1].i)); },
      readNanMode<tosa::MaximumOp>);
  table.add(
      tosa::MinimumOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(op.aux ? ieeeMinimumNumber(a[0].f, a[1].f) : ieeeMinimum(a[0].f, a[1].f));
      },
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(std::min(a[0].i, a[1].i)); },
      readNanMode<tosa::MinimumOp>);
  table.add(
      tosa::ClampOp::getOperationName(), clampFloat,
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(std::min(std::max(a[0].i, op.low.i), op.high.i));
      },
      readClamp);
  auto select = [](const ScalarOp &, const Cell *a, Trap &) { return a[0].i ? a[1] : a[2]; };
  table.add(tosa::SelectOp::getOperationName(), select, select);
}

/// tosa.cast: floats round to the nearest even integer and saturate (NaN gives 0); to i1 means "is not 0"; between
/// integers the low bits are kept.
void addCast(ScalarTable &table) {
  table.add(
      tosa::CastOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        if (op.out.isFloat)
          return Cell::of(op.out.round(a[0].f));
        return Cell::of(op.out.bits == 1 ? int64_t(a[0].f != 0) : truncateToInt(std::nearbyint(a[0].f), op.out));
      },
      [](const ScalarOp &op, const Cell *a, Trap &) {
        if (op.out.isFloat)
          return Cell::of(op.out.ofSigned(a[0].i));
        return Cell::of(op.out.bits == 1 ? int64_t(a[0].i != 0) : a[0].i);
      });
  auto same = [](const ScalarOp &, const Cell *a, Trap &) { return a[0]; };
  table.add(tosa::IdentityOp::getOperationName(), same, same);
}

/// Arithmetic on !tosa.shape values, which are lists of index.
void addShapeArithmetic(ScalarTable &table) {
  table.binaryI<tosa::AddShapeOp>([](const ScalarOp &, int64_t a, int64_t b) { return a + b; });
  table.binaryI<tosa::SubShapeOp>([](const ScalarOp &, int64_t a, int64_t b) { return a - b; });
  table.binaryI<tosa::MulShapeOp>([](const ScalarOp &, int64_t a, int64_t b) { return a * b; });
  table.binaryI<tosa::MaxShapeOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::max(a, b); });
  table.binaryI<tosa::MinShapeOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::min(a, b); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Operands of one element
//===------------------------------------------------------------------------------------------------------------===//

/// For ops whose operands from `numTensors` on have one element for all (a shift, a zero point), of any rank.
template <unsigned numTensors>
LogicalResult evalWithParameters(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  for (Tensor &parameter : in.drop_front(numTensors)) {
    if (parameter.size() != 1)
      return op->emitError() << "an operand of one element is expected, not " << parameter.typeString();
    parameter = parameter.reshaped({});
  }
  return evalElementwise(op, in, out, evaluator);
}

LogicalResult evalMul(tosa::MulOp op, Operands in, Results &out, Evaluator &evaluator) {
  return evalWithParameters<2>(op, in, out, evaluator);
}

LogicalResult evalNegate(tosa::NegateOp op, Operands in, Results &out, Evaluator &evaluator) {
  return evalWithParameters<1>(op, in, out, evaluator);
}

/// i8: table[x + 128]. i16: between entries (x >> 7) + 256 and the next, by the low 7 bits; the result is i32.
FailureOr<Tensor> evalTable(tosa::TableOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0], &entries = in[1];
  bool isWide = input.elementType().bits == 16;
  if (entries.size() != (isWide ? 513 : 256))
    return op.emitError() << "a table of " << (isWide ? 513 : 256) << " entries is expected, not "
                          << entries.typeString();
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), input.shape());
  if (failed(result))
    return failure();
  Cell *cells = result->mutableData();
  for (int64_t i = 0, e = input.size(); i < e; ++i) {
    int64_t x = input.elementType().asSigned(input.intAt(i));
    if (!isWide) {
      cells[i] = entries.data()[x + 128];
      continue;
    }
    int64_t base = entries.intAt((x >> 7) + 256), next = entries.intAt((x >> 7) + 257);
    cells[i].i = base * 128 + (next - base) * (x & 127);
  }
  return result;
}

/// (x - input zero point) * multiplier / 2^shift + output zero point, saturated; multiplier and shift per tensor or per
/// channel (the last dimension).
FailureOr<Tensor> evalRescale(tosa::RescaleOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0], &multipliers = in[1], &shifts = in[2];
  ElementType inType = input.elementType(), outType = *ElementType::of(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, outType, input.shape());
  if (failed(result))
    return failure();
  int64_t channels = op.getPerChannel() && input.rank() > 0 ? input.shape().back() : 1;
  if (multipliers.size() < channels || shifts.size() < channels)
    return op.emitError() << "shape mismatch: " << multipliers.size() << " multipliers for " << channels << " channels";
  auto widen = [](int64_t value, ElementType type, bool isUnsigned) {
    return isUnsigned ? int64_t(type.asUnsigned(value)) : type.asSigned(value);
  };
  int64_t inZero = widen(in[3].intAt(0), in[3].elementType(), op.getInputUnsigned());
  int64_t outZero = widen(in[4].intAt(0), in[4].elementType(), op.getOutputUnsigned());
  bool doubleRound = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  Cell *cells = result->mutableData();
  for (int64_t i = 0, e = input.size(); i < e; ++i) {
    int64_t value = widen(input.intAt(i), inType, op.getInputUnsigned()) - inZero;
    int64_t scaled = applyScale(value, multipliers.intAt(i % channels), shifts.intAt(i % channels), doubleRound);
    cells[i].i = saturate(scaled + outZero, outType, op.getOutputUnsigned());
  }
  return result;
}

} // namespace

void addTosaElementwiseOps(OpTable &table) {
  addTosaArithmetic(table.scalars);
  addBits(table.scalars);
  addComparison(table.scalars);
  addCast(table.scalars);
  addShapeArithmetic(table.scalars);
  table.add<tosa::MulOp>(evalMul);
  table.add<tosa::NegateOp>(evalNegate);
  table.add<tosa::TableOp>(evalTable);
  table.add<tosa::RescaleOp>(evalRescale);
}

} // namespace mica::reference
