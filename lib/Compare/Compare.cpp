//===- Compare.cpp - are two tensors the same? -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One pass over the elements; sums in f64.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Compare.h"

#include "mica/Compare/Print.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace mica {
namespace {

/// The bits of a float element as a number whose order is the order of the values: -0 and +0 are both 0.
int64_t ordered(const HostTensor &tensor, int64_t i) {
  const int64_t width = dtypeBytes(tensor.dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data.data() + i * width, static_cast<size_t>(width));
  const uint64_t sign = uint64_t(1) << (width * 8 - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) ? -magnitude : magnitude;
}

void raise(Extreme &extreme, double value, int64_t index) {
  if (extreme.index < 0 || value > extreme.value)
    extreme = {value, index};
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// The difference of two integer elements, exact in 128 bits.
double integerDifference(const HostTensor &a, const HostTensor &b, int64_t i) {
  __int128 x = a.asInt(i), y = b.asInt(i);
  if (a.dtype == DType::UI64) {
    x = static_cast<uint64_t>(a.asInt(i));
    y = static_cast<uint64_t>(b.asInt(i));
  }
  return static_cast<double>(x > y ? x - y : y - x);
}

/// Takes the pair at `i` into the measures; false where it violates rtol and atol.
class Measures {
public:
  Measures(Comparison &result, const Tolerance &tolerance)
      : result(result), rtol(tolerance.rtol.value_or(0)), atol(tolerance.atol.value_or(0)) {}

  void takeFloat(const HostTensor &actual, const HostTensor &expected, int64_t i) {
    const double a = actual.asDouble(i), e = expected.asDouble(i);
    if (a == e || (std::isnan(a) && std::isnan(e))) {
      expectedSquares += std::isfinite(e) ? e * e : 0;
      return;
    }
    ++result.differing;
    if (!std::isfinite(a) || !std::isfinite(e)) {
      ++result.violations;
      if (result.nonFinite++ == 0)
        result.firstNonFinite = i;
      return;
    }
    take(std::fabs(a - e), e, i);
    raise(result.ulp, ulpDistance(actual, expected, i), i);
  }

  void takeInteger(const HostTensor &actual, const HostTensor &expected, int64_t i) {
    const double difference = integerDifference(actual, expected, i), e = expected.asDouble(i);
    if (difference == 0) {
      expectedSquares += e * e;
      return;
    }
    ++result.differing;
    take(difference, e, i);
  }

  double relativeL2() const {
    if (differenceSquares == 0)
      return 0;
    return expectedSquares == 0 ? std::numeric_limits<double>::infinity()
                                : std::sqrt(differenceSquares / expectedSquares);
  }

private:
  void take(double difference, double e, int64_t i) {
    differenceSquares += difference * difference;
    expectedSquares += e * e;
    raise(result.absolute, difference, i);
    raise(result.relative, e == 0 ? std::numeric_limits<double>::infinity() : difference / std::fabs(e), i);
    if (!(difference <= atol + rtol * std::fabs(e)))
      ++result.violations;
  }

  Comparison &result;
  double rtol, atol;
  double differenceSquares = 0, expectedSquares = 0;
};

} // namespace

double defaultRelativeL2(DType type) {
  switch (type) {
  case DType::F64:
    return 1e-12;
  case DType::F32:
    return 1e-5;
  case DType::F16:
    return 2e-3;
  case DType::BF16:
    return 1e-2;
  case DType::F8E4M3FN: // half a step of 3 and of 2 mantissa bits
    return 6e-2;
  case DType::F8E5M2:
    return 1.2e-1;
  default:
    return 0;
  }
}

double ulpDistance(const HostTensor &a, const HostTensor &b, int64_t index) {
  if (std::isnan(a.asDouble(index)) && std::isnan(b.asDouble(index)))
    return 0;
  const __int128 x = ordered(a, index), y = ordered(b, index);
  return static_cast<double>(x > y ? x - y : y - x);
}

std::string indexString(int64_t flat, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = shape[d] ? flat % shape[d] : 0;
    flat = shape[d] ? flat / shape[d] : 0;
  }
  std::string text = "[";
  for (size_t d = 0; d < index.size(); ++d)
    text += (d ? ", " : "") + std::to_string(index[d]);
  return text + "]";
}

Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const Tolerance &tolerance) {
  Comparison result;
  result.dtype = expected.dtype;
  result.shape = expected.shape;
  result.elements = expected.numElements();
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    result.reason = "it is " + actual.typeString() + ", expected is " + expected.typeString();
    return result;
  }
  Measures measures(result, tolerance);
  const bool floats = isFloat(expected.dtype);
  for (int64_t i = 0; i < result.elements; ++i) {
    if (floats)
      measures.takeFloat(actual, expected, i);
    else
      measures.takeInteger(actual, expected, i);
  }
  result.relativeL2 = measures.relativeL2();

  const bool isTf32 = tolerance.tf32 && expected.dtype == DType::F32;
  const double limit = defaultRelativeL2(isTf32 ? DType::F16 : expected.dtype);
  if (result.nonFinite > 0)
    result.reason = std::to_string(result.nonFinite) + " of " + std::to_string(result.elements) +
                    " elements are NaN or infinite on one side only, first at " +
                    indexString(result.firstNonFinite, result.shape);
  else if (tolerance.rtol || tolerance.atol)
    result.reason = result.violations == 0
                        ? ""
                        : std::to_string(result.violations) + " of " + std::to_string(result.elements) +
                              " elements are beyond atol " + number(tolerance.atol.value_or(0)) + " + rtol " +
                              number(tolerance.rtol.value_or(0)) + " * |expected|";
  else if (!floats)
    result.reason = result.differing == 0
                        ? ""
                        : std::to_string(result.differing) + " of " + std::to_string(result.elements) +
                              " elements differ, integers must be equal";
  else if (!(result.relativeL2 <= limit))
    result.reason = "rel-L2 is " + number(result.relativeL2) + ", the tolerance of " +
                    std::string(dtypeName(expected.dtype)) + (isTf32 ? ", with tf32," : "") + " is " + number(limit);
  result.same = result.reason.empty();
  return result;
}

std::string describe(const Comparison &comparison, const HostTensor &actual, const HostTensor &expected) {
  std::string text = comparison.same ? "same" : "DIFFERENT: " + comparison.reason;
  if (comparison.differing == 0)
    return text + (comparison.same ? " (all " + std::to_string(comparison.elements) + " elements equal" +
                                         (isFloat(comparison.dtype) ? ", rel-L2 0)" : ")")
                                   : "");
  auto at = [&](const Extreme &extreme) {
    return indexString(extreme.index, comparison.shape) + " (" + formatElement(actual, extreme.index) + " for " +
           formatElement(expected, extreme.index) + ")";
  };
  if (comparison.absolute.index >= 0) {
    text += "\n  largest absolute difference " + number(comparison.absolute.value) + " at " + at(comparison.absolute);
    text += "\n  largest relative difference " + number(comparison.relative.value) + " at " + at(comparison.relative);
  }
  if (comparison.ulp.index >= 0) {
    char ulps[32];
    std::snprintf(ulps, sizeof ulps, "%.0f", comparison.ulp.value);
    text += "\n  largest difference in ULP " + std::string(ulps) + " at " + at(comparison.ulp);
  }
  if (comparison.firstNonFinite >= 0)
    text += "\n  first NaN or infinity on one side at " + at({0, comparison.firstNonFinite});
  if (isFloat(comparison.dtype))
    text += "\n  rel-L2 " + number(comparison.relativeL2);
  text += "\n  " + std::to_string(comparison.differing) + " of " + std::to_string(comparison.elements) +
          " elements are not equal";
  return text;
}

} // namespace mica
