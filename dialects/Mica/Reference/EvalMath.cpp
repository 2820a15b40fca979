//===- EvalMath.cpp - math --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uses the C library's functions in f64: for narrower types this is almost always the correctly rounded value.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mica::reference {

/// `base` to an integer power by repeated squaring, modulo 2^64. A negative power of other bases than 1 and -1 rounds
/// to 0; of 0 it is a division by zero.
static Cell integerPower(const ScalarOp &op, const Cell *args, Trap &trap) {
  int64_t base = op.in.asSigned(args[0].i), exponent = op.in.asSigned(args[1].i);
  if (exponent < 0) {
    if (base == 0)
      trap.message = "division by zero: 0 to a negative power";
    int64_t sign = exponent % 2 ? -1 : 1;
    return Cell::of(base == 1 ? int64_t(1) : base == -1 ? sign : int64_t(0));
  }
  uint64_t result = 1, square = base;
  for (; exponent; exponent >>= 1, square *= square)
    if (exponent & 1)
      result *= square;
  return Cell::of(int64_t(result));
}

static void addClassification(ScalarTable &table) {
  auto add = [&](StringRef name, ScalarFn fn) { table.add(name, fn, nullptr); };
  add(math::IsNaNOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(int64_t(std::isnan(a[0].f))); });
  add(math::IsInfOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(int64_t(std::isinf(a[0].f))); });
  add(math::IsFiniteOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(int64_t(std::isfinite(a[0].f))); });
  // The smallest normal number depends on the operand's type: in f64 that of every narrower type is normal.
  table.add(
      math::IsNormalOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(int64_t(std::isfinite(a[0].f) && std::abs(a[0].f) >= op.low.f));
      },
      nullptr,
      [](Operation *op, ScalarOp &scalar) {
        auto type = cast<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType()));
        scalar.low = Cell::of(APFloat::getSmallestNormalized(type.getFloatSemantics()).convertToDouble());
      });
}

static LogicalResult evalSincos(math::SincosOp op, Operands in, Results &out, Evaluator &evaluator) {
  for (double (*fn)(double) : {static_cast<double (*)(double)>(std::sin), static_cast<double (*)(double)>(std::cos)}) {
    FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), in[0].shape());
    if (failed(result))
      return failure();
    for (int64_t i = 0, e = in[0].size(); i < e; ++i)
      result->mutableData()[i].f = fn(in[0].data()[i].f);
    result->roundAll();
    out.push_back(std::move(*result));
  }
  return success();
}

void addMathOps(OpTable &table) {
  ScalarTable &scalars = table.scalars;
  scalars.unaryF<math::AbsFOp>([](double x) { return std::fabs(x); });
  scalars.unaryF<math::AcosOp>([](double x) { return std::acos(x); });
  scalars.unaryF<math::AcoshOp>([](double x) { return std::acosh(x); });
  scalars.unaryF<math::AsinOp>([](double x) { return std::asin(x); });
  scalars.unaryF<math::AsinhOp>([](double x) { return std::asinh(x); });
  scalars.unaryF<math::AtanOp>([](double x) { return std::atan(x); });
  scalars.unaryF<math::AtanhOp>([](double x) { return std::atanh(x); });
  scalars.unaryF<math::CbrtOp>([](double x) { return std::cbrt(x); });
  scalars.unaryF<math::CeilOp>([](double x) { return std::ceil(x); });
  scalars.unaryF<math::CosOp>([](double x) { return std::cos(x); });
  scalars.unaryF<math::CoshOp>([](double x) { return std::cosh(x); });
  scalars.unaryF<math::ErfOp>([](double x) { return std::erf(x); });
  scalars.unaryF<math::ErfcOp>([](double x) { return std::erfc(x); });
  scalars.unaryF<math::ExpOp>([](double x) { return std::exp(x); });
  scalars.unaryF<math::Exp2Op>([](double x) { return std::exp2(x); });
  scalars.unaryF<math::ExpM1Op>([](double x) { return std::expm1(x); });
  scalars.unaryF<math::FloorOp>([](double x) { return std::floor(x); });
  scalars.unaryF<math::LogOp>([](double x) { return std::log(x); });
  scalars.unaryF<math::Log10Op>([](double x) { return std::log10(x); });
  scalars.unaryF<math::Log1pOp>([](double x) { return std::log1p(x); });
  scalars.unaryF<math::Log2Op>([](double x) { return std::log2(x); });
  // Half away from zero.
  scalars.unaryF<math::RoundOp>([](double x) { return std::round(x); });
  scalars.unaryF<math::RoundEvenOp>([](double x) { return std::nearbyint(x); });
  scalars.unaryF<math::RsqrtOp>([](double x) { return 1.0 / std::sqrt(x); });
  scalars.unaryF<math::SinOp>([](double x) { return std::sin(x); });
  scalars.unaryF<math::SinhOp>([](double x) { return std::sinh(x); });
  scalars.unaryF<math::SqrtOp>([](double x) { return std::sqrt(x); });
  scalars.unaryF<math::TanOp>([](double x) { return std::tan(x); });
  scalars.unaryF<math::TanhOp>([](double x) { return std::tanh(x); });
  scalars.unaryF<math::TruncOp>([](double x) { return std::trunc(x); });
  scalars.binaryF<math::Atan2Op>([](double y, double x) { return std::atan2(y, x); });
  scalars.binaryF<math::CopySignOp>([](double x, double sign) { return std::copysign(x, sign); });
  scalars.binaryF<math::PowFOp>([](double x, double y) { return std::pow(x, y); });

  scalars.add(
      math::FmaOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) { return Cell::of(std::fma(a[0].f, a[1].f, a[2].f)); }, nullptr);
  scalars.add(
      math::ClampFOp::getOperationName(),
      [](const ScalarOp &, const Cell *a, Trap &) {
        return Cell::of(ieeeMinimum(ieeeMaximum(a[0].f, a[1].f), a[2].f));
      },
      nullptr);
  scalars.add(
      math::FPowIOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        // The exponent is signed: true is -1.
        return Cell::of(std::pow(a[0].f, double(op.aux ? -a[1].i : a[1].i)));
      },
      nullptr,
      [](Operation *op, ScalarOp &scalar) {
        scalar.aux = getElementTypeOrSelf(op->getOperand(1).getType()).isInteger(1);
      });
  scalars.add(math::IPowIOp::getOperationName(), nullptr, integerPower);

  scalars.unaryI<math::AbsIOp>([](const ScalarOp &op, int64_t x) {
    int64_t value = op.in.asSigned(x);
    return value < 0 ? int64_t(-uint64_t(value)) : value;
  });
  scalars.unaryI<math::CountLeadingZerosOp>(
      [](const ScalarOp &op, int64_t x) { return std::countl_zero(op.in.asUnsigned(x)) - int64_t(64 - op.in.bits); });
  scalars.unaryI<math::CountTrailingZerosOp>([](const ScalarOp &op, int64_t x) {
    return std::min<int64_t>(std::countr_zero(op.in.asUnsigned(x)), op.in.bits);
  });
  scalars.unaryI<math::CtPopOp>([](const ScalarOp &op, int64_t x) { return std::popcount(op.in.asUnsigned(x)); });
  addClassification(scalars);
  table.add<math::SincosOp>(evalSincos);
}

} // namespace mica::reference
