//===- EvalMicaElementwise.cpp - elementwise mica ops -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates each op as described in dialects/Mica/IR. Where a formula cancels (1 + erf(x) for negative x), an
// equivalent form without cancellation is used.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Constants.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic and functions
//===------------------------------------------------------------------------------------------------------------===//

double geluExact(double x) { return x / 2 * std::erfc(-x / std::numbers::sqrt2); }

double geluTanh(double x) {
  double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u)); // 1 + tanh(u) = 2 / (1 + e^(-2u))
}

/// Rounded toward zero; 0 for a divisor of 0; the smallest integer divided by -1 wraps around.
int64_t divideIntegers(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? int64_t(-uint64_t(a)) : a / b;
}

int64_t remainderOfIntegers(int64_t a, int64_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}

/// By squaring, modulo 2^64; with a negative exponent 1 / base^-exponent, rounded toward zero, and 0 for base 0.
int64_t powerOfIntegers(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1, square = base;
  for (; exponent; exponent >>= 1, square *= square)
    if (exponent & 1)
      result *= square;
  return int64_t(result);
}

void addArithmetic(ScalarTable &table) {
  table.binaryF<AddOp>([](double a, double b) { return a + b; });
  table.binaryF<SubOp>([](double a, double b) { return a - b; });
  table.binaryF<MulOp>([](double a, double b) { return a * b; });
  table.binaryF<DivOp>([](double a, double b) { return a / b; });
  table.binaryF<RemOp>([](double a, double b) { return std::fmod(a, b); });
  table.binaryF<PowOp>([](double a, double b) { return std::pow(a, b); });
  table.binaryF<MaxOp>([](double a, double b) { return ieeeMaximum(a, b); });
  table.binaryF<MinOp>([](double a, double b) { return ieeeMinimum(a, b); });
  // On i1, with values 0 and 1, the product is the logical and, maximum and minimum are or and and.
  table.binaryI<AddOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a + b; });
  table.binaryI<SubOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a - b; });
  table.binaryI<MulOp>([](const ScalarOp &, uint64_t a, uint64_t b) { return a * b; });
  table.binaryI<DivOp>([](const ScalarOp &, int64_t a, int64_t b) { return divideIntegers(a, b); });
  table.binaryI<RemOp>([](const ScalarOp &, int64_t a, int64_t b) { return remainderOfIntegers(a, b); });
  table.binaryI<PowOp>([](const ScalarOp &, int64_t a, int64_t b) { return powerOfIntegers(a, b); });
  table.binaryI<MaxOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::max(a, b); });
  table.binaryI<MinOp>([](const ScalarOp &, int64_t a, int64_t b) { return std::min(a, b); });
}

void addFunctions(ScalarTable &table) {
  table.unaryF<NegOp>([](double x) { return -x; });
  table.unaryI<NegOp>([](const ScalarOp &, uint64_t x) { return -x; });
  table.unaryF<AbsOp>([](double x) { return std::fabs(x); });
  table.unaryI<AbsOp>([](const ScalarOp &, int64_t x) { return x < 0 ? int64_t(-uint64_t(x)) : x; });
  table.unaryF<ExpOp>([](double x) { return std::exp(x); });
  table.unaryF<LogOp>([](double x) { return std::log(x); });
  table.unaryF<SqrtOp>([](double x) { return std::sqrt(x); });
  table.unaryF<RsqrtOp>([](double x) { return 1 / std::sqrt(x); });
  table.unaryF<SinOp>([](double x) { return std::sin(x); });
  table.unaryF<CosOp>([](double x) { return std::cos(x); });
  table.unaryF<FloorOp>([](double x) { return std::floor(x); });
  table.unaryF<CeilOp>([](double x) { return std::ceil(x); });
  table.unaryF<RoundOp>([](double x) { return std::nearbyint(x); });
  table.unaryF<TanhOp>([](double x) { return std::tanh(x); });
  table.unaryF<ErfOp>([](double x) { return std::erf(x); });
  table.unaryF<SigmoidOp>([](double x) { return 1 / (1 + std::exp(-x)); });
  table.unaryF<ReluOp>([](double x) { return x > 0 || std::isnan(x) ? x : 0.0; });
  table.unaryI<ReluOp>([](const ScalarOp &, int64_t x) { return std::max<int64_t>(x, 0); });
  table.unaryF<SiluOp>([](double x) { return x / (1 + std::exp(-x)); });
  table.add(
      GeluOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) { return Cell::of(op.aux ? geluTanh(a[0].f) : geluExact(a[0].f)); },
      nullptr,
      [](Operation *op, ScalarOp &scalar) {
        scalar.aux = cast<GeluOp>(op).getApproximate() == GeluApproximation::Tanh;
      });
  table.add(
      ClampOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(ieeeMinimum(ieeeMaximum(a[0].f, op.low.f), op.high.f));
      },
      [](const ScalarOp &op, const Cell *a, Trap &) {
        return Cell::of(std::min(std::max(a[0].i, op.low.i), op.high.i));
      },
      [](Operation *op, ScalarOp &scalar) {
        scalar.low = *scalarOf(cast<ClampOp>(op).getMin());
        scalar.high = *scalarOf(cast<ClampOp>(op).getMax());
      });
}

//===------------------------------------------------------------------------------------------------------------===//
// Comparison, choice, bits
//===------------------------------------------------------------------------------------------------------------===//

template <typename Number> int64_t compare(int64_t kind, Number a, Number b) {
  switch (static_cast<Comparison>(kind)) {
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  case Comparison::Lt:
    return a < b;
  case Comparison::Le:
    return a <= b;
  case Comparison::Gt:
    return a > b;
  case Comparison::Ge:
    return a >= b;
  }
  return 0;
}

void addLogic(ScalarTable &table) {
  table.add(
      CompareOp::getOperationName(),
      [](const ScalarOp &op, const Cell *a, Trap &) { return Cell::of(compare(op.aux, a[0].f, a[1].f)); },
      [](const ScalarOp &op, const Cell *a, Trap &) { return Cell::of(compare(op.aux, a[0].i, a[1].i)); },
      [](Operation *op, ScalarOp &scalar) { scalar.aux = static_cast<int64_t>(cast<CompareOp>(op).getKind()); });
  table.add(SelectOp::getOperationName(), nullptr,
            [](const ScalarOp &, const Cell *a, Trap &) { return a[0].i ? a[1] : a[2]; });

  table.binaryI<LogicalAndOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  table.binaryI<LogicalOrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  table.binaryI<LogicalXorOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  table.unaryI<LogicalNotOp>([](const ScalarOp &, int64_t a) { return a ^ 1; });
  table.binaryI<BitwiseAndOp>([](const ScalarOp &, int64_t a, int64_t b) { return a & b; });
  table.binaryI<BitwiseOrOp>([](const ScalarOp &, int64_t a, int64_t b) { return a | b; });
  table.binaryI<BitwiseXorOp>([](const ScalarOp &, int64_t a, int64_t b) { return a ^ b; });
  table.unaryI<BitwiseNotOp>([](const ScalarOp &, int64_t a) { return ~a; });
  table.binaryI<ShiftLeftOp>([](const ScalarOp &op, uint64_t a, int64_t b) {
    uint64_t amount = op.in.asUnsigned(b);
    return amount < op.in.bits ? a << amount : 0;
  });
  table.binaryI<ShiftRightArithmeticOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    return a >> std::min<uint64_t>(op.in.asUnsigned(b), op.in.bits - 1);
  });
  table.binaryI<ShiftRightLogicalOp>([](const ScalarOp &op, int64_t a, int64_t b) {
    uint64_t amount = op.in.asUnsigned(b);
    return amount < op.in.bits ? op.in.asUnsigned(a) >> amount : 0;
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Casts
//===------------------------------------------------------------------------------------------------------------===//

int64_t clampTo(int64_t value, ElementType type) { return std::clamp(value, type.lowest().i, type.highest().i); }

enum CastFlags { kWraps = 1, kRoundsToEven = 2 };

Cell castFloat(const ScalarOp &op, const Cell *a, Trap &) {
  if (op.out.isFloat)
    return a[0];
  if (op.out.bits == 1)
    return Cell::of(int64_t(a[0].f != 0));
  double whole = op.aux & kRoundsToEven ? std::nearbyint(a[0].f) : std::trunc(a[0].f);
  return Cell::of(truncateToInt(whole, op.aux & kWraps ? ElementType(DType::I64) : op.out));
}

Cell castInteger(const ScalarOp &op, const Cell *a, Trap &) {
  if (op.out.isFloat)
    return Cell::of(op.out.ofSigned(a[0].i));
  if (op.out.bits == 1)
    return Cell::of(int64_t(a[0].i != 0));
  return Cell::of(op.aux & kWraps ? a[0].i : clampTo(a[0].i, op.out));
}

/// Scale and zero point of a quantization per element.
class Parameters {
public:
  template <typename OpT> static FailureOr<Parameters> of(OpT op, Operands in) {
    Parameters parameters{&in[1], op.getZeroPoint() ? &in[2] : nullptr, op.getUnsignedStorage(), 1, 1};
    if (std::optional<int64_t> axis = op.getAxis()) {
      parameters.count = in[0].dim(*axis);
      for (int64_t d = *axis + 1; d < in[0].rank(); ++d)
        parameters.inner *= in[0].dim(d);
      for (const Tensor *each : {parameters.scales, parameters.zeros})
        if (each && each->size() != parameters.count)
          return op.emitError() << "shape mismatch: " << each->typeString() << " beside " << parameters.count
                                << " positions along axis " << *axis;
    }
    return parameters;
  }

  double scale(int64_t element) const { return scales->data()[position(element)].f; }
  int64_t zero(int64_t element) const {
    return zeros ? value(zeros->intAt(position(element)), zeros->elementType()) : 0;
  }
  /// The real value of a stored integer, without scale.
  int64_t value(int64_t stored, ElementType type) const {
    return isUnsigned ? int64_t(type.asUnsigned(stored)) : type.asSigned(stored);
  }
  /// Clamps a number to the range of stored integers.
  int64_t store(double number, ElementType type) const {
    double least = isUnsigned ? 0 : -std::ldexp(1.0, type.bits - 1);
    double most = std::ldexp(1.0, type.bits - (isUnsigned ? 0 : 1)) - 1;
    return type.wrap(int64_t(std::clamp(number, least, most)));
  }

  const Tensor *scales, *zeros;
  bool isUnsigned;
  int64_t count, inner; ///< positions along the axis; consecutive elements per position

private:
  int64_t position(int64_t element) const { return element / inner % count; }
};

FailureOr<Tensor> evalQuantize(QuantizeOp op, Operands in, Evaluator &evaluator) {
  FailureOr<Parameters> parameters = Parameters::of(op, in);
  ElementType type = *ElementType::of(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, type, in[0].shape());
  if (failed(parameters) || failed(result))
    return failure();
  ElementType wide = in[0].elementType().bits < 32 ? ElementType(DType::F32) : in[0].elementType();
  Cell *cells = result->mutableData();
  for (int64_t i = 0, e = in[0].size(); i < e; ++i) {
    double whole = std::nearbyint(wide.round(in[0].data()[i].f / parameters->scale(i)));
    cells[i].i = parameters->store((std::isnan(whole) ? 0 : whole) + double(parameters->zero(i)), type);
  }
  return result;
}

FailureOr<Tensor> evalDequantize(DequantizeOp op, Operands in, Evaluator &evaluator) {
  FailureOr<Parameters> parameters = Parameters::of(op, in);
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), in[0].shape());
  if (failed(parameters) || failed(result))
    return failure();
  Cell *cells = result->mutableData();
  for (int64_t i = 0, e = in[0].size(); i < e; ++i) {
    int64_t difference = parameters->value(in[0].intAt(i), in[0].elementType()) - parameters->zero(i);
    cells[i].f = double(difference) * parameters->scale(i);
  }
  result->roundAll();
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Positions
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalIota(IotaOp op, Operands in, Evaluator &evaluator) {
  SmallVector<int64_t> shape(op.getType().getShape());
  size_t next = 0;
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = in[next++].value().i;
  ElementType type = *ElementType::of(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, type, shape);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    int64_t value = position[op.getAxis()];
    *cell++ = type.isFloat ? Cell::of(type.ofSigned(value)) : Cell::of(type.wrap(value));
  });
  return result;
}

FailureOr<Tensor> evalOneHot(OneHotOp op, Operands in, Evaluator &evaluator) {
  int64_t axis = op.getAxis();
  SmallVector<int64_t> shape(in[0].shape());
  shape.insert(shape.begin() + axis, op.getType().getDimSize(axis));
  ElementType type = *ElementType::of(op.getType());
  FailureOr<Tensor> result = evaluator.allocate(op, type, shape);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    SmallVector<int64_t> at(position);
    at.erase(at.begin() + axis);
    *cell++ = type.number(in[0].at(at).i == position[axis]);
  });
  return result;
}

} // namespace

void addMicaElementwiseOps(OpTable &table) {
  addArithmetic(table.scalars);
  addFunctions(table.scalars);
  addLogic(table.scalars);
  table.scalars.add(CastOp::getOperationName(), castFloat, castInteger, [](Operation *op, ScalarOp &scalar) {
    auto castOp = cast<CastOp>(op);
    scalar.aux = (castOp.getOverflow() == Overflow::Wrap ? kWraps : 0) |
                 (castOp.getRounding() == Rounding::NearestEven ? kRoundsToEven : 0);
  });
  table.add<QuantizeOp>(evalQuantize);
  table.add<DequantizeOp>(evalDequantize);
  table.add<IotaOp>(evalIota);
  table.add<OneHotOp>(evalOneHot);
}

} // namespace mica::reference
