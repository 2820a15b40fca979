//===- ScalarBounds.cpp - bounds of elementwise operations ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An operand's bound is propagated through an op by evaluating it at both ends of the interval: exact for locally
// monotonic functions, and correct for comparisons and roundings, whose result changes if the interval contains the
// threshold.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace mica::reference {

namespace {
using Rounding = ScalarRule::Rounding;

/// Significant bits, smallest normal exponent, largest finite number.
struct Format {
  int precision, minExponent;
  double largest;
};

Format formatOf(ElementType type) {
  switch (type.dtype) {
  case DType::F32:
    return {24, -126, 0x1.fffffep127};
  case DType::F16:
    return {11, -14, 65504};
  case DType::BF16:
    return {8, -126, 0x1.FEp127};
  case DType::F8E4M3FN:
    return {4, -6, 448};
  case DType::F8E5M2:
    return {3, -14, 57344};
  default:
    return {53, -1022, std::numeric_limits<double>::max()};
  }
}

const llvm::StringMap<Rounding> &roundings() {
  static const llvm::StringMap<Rounding> table = [] {
    llvm::StringMap<Rounding> map;
    auto add = [&](Rounding rounding, std::initializer_list<StringRef> names) {
      for (StringRef name : names)
        map[name] = rounding;
    };
    add(Rounding::Add, {"arith.addf", "mica.add", "tosa.add"});
    add(Rounding::Sub, {"arith.subf", "mica.sub", "tosa.sub"});
    add(Rounding::Mul, {"arith.mulf", "mica.mul", "tosa.mul"});
    add(Rounding::Div, {"arith.divf", "mica.div"});
    add(Rounding::Sqrt, {"math.sqrt", "mica.sqrt"});
    add(Rounding::Basic, {"math.fma", "vector.fma", "tosa.reciprocal"});
    add(Rounding::Cast, {"arith.truncf", "arith.extf", "arith.sitofp", "arith.uitofp", "mica.cast", "tosa.cast"});
    add(Rounding::Exact,
        {"arith.negf",   "arith.remf",     "arith.maximumf",    "arith.minimumf", "arith.maxnumf", "arith.minnumf",
         "arith.select", "arith.bitcast",  "arith.cmpf",        "math.absf",      "math.ceil",     "math.floor",
         "math.round",   "math.roundeven", "math.trunc",        "math.copysign",  "math.clampf",   "mica.neg",
         "mica.abs",     "mica.rem",       "mica.max",          "mica.min",       "mica.relu",     "mica.clamp",
         "mica.select",  "mica.compare",   "mica.floor",        "mica.ceil",      "mica.round",    "tosa.abs",
         "tosa.ceil",    "tosa.floor",     "tosa.clamp",        "tosa.maximum",   "tosa.minimum",  "tosa.negate",
         "tosa.select",  "tosa.identity",  "math.isnan",        "math.isinf",     "math.isfinite", "math.isnormal",
         "tosa.equal",   "tosa.greater",   "tosa.greater_equal"});
    // Within a few units in the last place for every argument (test/Integration/math-accuracy.test).
    for (StringRef name :
         {"sin", "cos",  "tan",   "asin", "acos", "atan",  "sinh",  "cosh",  "tanh", "asinh", "acosh", "atanh",
          "exp", "exp2", "expm1", "log",  "log2", "log10", "log1p", "rsqrt", "cbrt", "erf",   "erfc"}) {
      map["math." + name.str()] = Rounding::Function;
      map["mica." + name.str()] = Rounding::Function;
      map["tosa." + name.str()] = Rounding::Function;
    }
    add(Rounding::Power, {"math.powf", "mica.pow", "tosa.pow"});
    // 1 + erf(x) cancels for large negative x.
    add(Rounding::Gelu, {"mica.gelu"});
    return map;
  }();
  return table;
}

/// Whether `raw`, an f64, is the op's exact value.
bool isExact(Rounding rounding, const Cell *args, double raw) {
  if (!std::isfinite(raw))
    return true;
  switch (rounding) {
  case Rounding::Exact:
    return true;
  case Rounding::Add:
  case Rounding::Sub: {
    const double a = args[0].f, b = rounding == Rounding::Add ? args[1].f : -args[1].f;
    const double part = raw - a;
    return (a - (raw - part)) + (b - part) == 0;
  }
  case Rounding::Mul:
    return std::fma(args[0].f, args[1].f, -raw) == 0;
  case Rounding::Div:
    return std::fma(raw, args[1].f, -args[0].f) == 0;
  case Rounding::Sqrt:
    return std::fma(raw, raw, -args[0].f) == 0;
  default:
    return false;
  }
}

/// The distance of `other` from `value`.
double distance(bool isFloat, Cell value, Cell other) {
  if (!isFloat)
    return std::fabs(double(other.i) - double(value.i));
  if (value.f == other.f || (std::isnan(value.f) && std::isnan(other.f)))
    return 0;
  const double difference = std::fabs(other.f - value.f);
  return std::isnan(difference) ? kUnknown : difference;
}

} // namespace

bool isPoison(const ScalarOp &scalar, const ScalarRule &rule, const Cell *args) {
  if (!scalar.in.isFloat) // a shift
    return scalar.in.asUnsigned(args[1].i) >= scalar.in.bits;
  if (scalar.out.isFloat)
    return false;
  const double value = std::trunc(args[0].f);
  const double limit = std::ldexp(1.0, static_cast<int>(scalar.out.bits) - (rule.isUnsigned ? 0 : 1));
  return std::isnan(value) || value >= limit || value < (rule.isUnsigned ? 0 : -limit);
}
static thread_local bool hasNoRoundingErrors = false;

WithoutRoundingErrors::WithoutRoundingErrors(bool isOff)
    : before(std::exchange(hasNoRoundingErrors, hasNoRoundingErrors || isOff)) {}
WithoutRoundingErrors::~WithoutRoundingErrors() { hasNoRoundingErrors = before; }
bool roundingErrorsAreOff() { return hasNoRoundingErrors; }

double unitRoundoff(ElementType type) { return hasNoRoundingErrors ? 0 : std::ldexp(1.0, -formatOf(type).precision); }

double halfSmallest(ElementType type) {
  if (hasNoRoundingErrors)
    return 0;
  const Format format = formatOf(type);
  return std::max(std::ldexp(1.0, format.minExponent - format.precision), 5e-324);
}

double largestFinite(ElementType type) { return formatOf(type).largest; }

ElementType accumulatorOf(ElementType type, bool narrow) {
  return !narrow && type.isFloat && formatOf(type).precision < 24 ? ElementType(DType::F32) : type;
}

int lastBit(double value) {
  if (value == 0 || !std::isfinite(value))
    return 5000;
  int exponent = 0;
  const auto digits = static_cast<int64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  return exponent - 53 + __builtin_ctzll(static_cast<unsigned long long>(digits));
}

double roundedBound(ElementType type, double raw, double bound, double roundings) {
  if (!std::isfinite(raw))
    return std::isnan(bound) || std::isinf(bound) ? kUnknown : 0;
  const double own = roundings * std::max(unitRoundoff(type) * std::fabs(raw), halfSmallest(type));
  const double total = bound + own, largest = formatOf(type).largest;
  if (!(total < kUnknown))
    return kUnknown;
  // Near the largest number, one implementation may overflow and another may not.
  if (std::fabs(raw) + total > largest && std::fabs(raw) - total <= largest * (1 + unitRoundoff(type)))
    return kUnknown;
  return total;
}

ScalarRule scalarRule(Operation *op) {
  ScalarRule rule;
  const StringRef name = op->getName().getStringRef();
  if (auto it = roundings().find(name); it != roundings().end())
    rule.rounding = it->second;
  rule.mayPoison = name == "arith.fptosi" || name == "arith.fptoui" || name == "arith.shli" || name == "arith.shrsi" ||
                   name == "arith.shrui" || name == "index.shl" || name == "index.shrs" || name == "index.shru";
  rule.isUnsigned = name == "arith.fptoui";
  rule.selects = name == "arith.select" || name == "mica.select" || name == "tosa.select";
  for (Type type : op->getOperandTypes())
    rule.in.push_back(ElementType::of(type).value_or(ElementType(DType::I64)));
  return rule;
}

double scalarBound(const ScalarOp &scalar, const ScalarRule &rule, ElementType unit, const Cell *args,
                   const double *bounds, Cell raw) {
  const size_t count = rule.in.size();
  const bool isFloat = scalar.out.isFloat;
  const bool isPower = isFloat && rule.rounding == Rounding::Power;
  const bool isComposed =
      isPower || (isFloat && (rule.rounding == Rounding::Composed || rule.rounding == Rounding::Gelu));
  const bool isFunction = isComposed || rule.rounding == Rounding::Function;
  double squares = 0, only = 0;
  bool anyBound = false;
  if (rule.mayPoison && isPoison(scalar, rule, args))
    return kUnknown;
  if (rule.selects && bounds[0] == 0)
    return bounds[args[0].i ? 1 : 2];
  Trap trap;
  for (size_t k = 0; k < count; ++k) {
    double reach = bounds[k];
    anyBound |= reach > 0;
    // Intermediate rounding before the last function. Powers of 1, and those with an infinity, are exact.
    const bool isExactPower = isPower && (args[0].f == 1 || !std::isfinite(args[0].f) || !std::isfinite(args[1].f));
    if (isComposed && rule.in[k].isFloat && !isExactPower)
      reach += 2 * unitRoundoff(unit) * std::fabs(args[k].f);
    if (reach == 0 || std::isnan(reach))
      continue;
    if (std::isinf(reach)) {
      if (bounds[k] > 0)
        return kUnknown;
      continue;
    }
    double worst = 0;
    Cell changed[8], unchanged = raw;
    std::copy_n(args, count, changed);
    // A power of a negative number is that of its absolute value, with a sign: the exponent, an integer, is exact, and
    // what is rounded is its product with the logarithm.
    if (isPower && k == 1 && bounds[k] == 0 && args[0].f < 0) {
      changed[0].f = -args[0].f;
      unchanged.f = std::fabs(raw.f);
    }
    for (const int sign : {1, -1}) {
      if (rule.in[k].isFloat)
        changed[k].f = args[k].f + sign * reach;
      else if (rule.in[k].bits == 1)
        changed[k].i = !args[k].i;
      else
        changed[k].i = rule.in[k].wrap(args[k].i + sign * static_cast<int64_t>(std::min(std::ceil(reach), 1e18)));
      Cell other = scalar.fn(scalar, changed, trap);
      if (trap.message)
        return kUnknown;
      if (!isFloat)
        other.i = scalar.out.wrap(other.i);
      // Rounding inside of an op does not take an exact operand out of its domain.
      if (isFloat && bounds[k] == 0 && std::isnan(other.f))
        continue;
      worst = std::max(worst, distance(isFloat, unchanged, other));
    }
    only = std::max(only, worst);
    squares += worst * worst;
  }
  // Squares of the smallest numbers underflow.
  double bound = std::max(std::sqrt(squares), only);
  if (!isFloat)
    return bound;
  if (!(bound < kUnknown))
    return kUnknown;
  if (rule.rounding == Rounding::Exact)
    return bound;
  // Casting a representable number changes nothing.
  const bool isRounded = unit.round(raw.f) == raw.f;
  if (!anyBound && isRounded && (rule.rounding == Rounding::Cast || isExact(rule.rounding, args, raw.f)))
    return 0;
  if (!anyBound && rule.rounding == Rounding::Cast && rule.in[0].isFloat)
    return roundedBound(unit, raw.f, 0);
  if (rule.rounding == Rounding::Gelu && std::isfinite(raw.f))
    bound += kFunctionRoundings * unitRoundoff(unit) * std::fabs(args[0].f);
  return roundedBound(unit, raw.f, bound, isFunction ? kFunctionRoundings : kRoundings);
}

} // namespace mica::reference
