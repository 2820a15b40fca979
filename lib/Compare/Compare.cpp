//===- Compare.cpp - comparison of two tensors -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One pass over the elements; sums are accumulated in f64.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Compare.h"

#include "mica/Compare/Print.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace mica {
namespace {

/// Maps the bits of a float to an integer with the same order: -0 and +0 are both 0.
int64_t ordered(const HostTensor &tensor, int64_t i) {
  const int64_t width = dtypeBytes(tensor.dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data.data() + i * width, static_cast<size_t>(width));
  const uint64_t sign = uint64_t(1) << (width * 8 - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) ? -magnitude : magnitude;
}

/// Maximum number of elements that are listed.
constexpr int64_t kShownViolations = 5;

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

/// The median magnitude of the finite elements other than 0: a tensor may be mostly zeros.
double medianMagnitude(const HostTensor &tensor) {
  std::vector<double> magnitudes;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    if (const double value = std::fabs(tensor.asDouble(i)); std::isfinite(value) && value != 0)
      magnitudes.push_back(value);
  if (magnitudes.empty())
    return 0;
  const auto middle = magnitudes.begin() + static_cast<ptrdiff_t>(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return *middle;
}

/// The allowed difference per element.
class Limits {
public:
  Limits(const HostTensor &expected, const Tolerance &tolerance, const HostTensor *bounds, double relative)
      : bounds(bounds), scale(tolerance.tf32 && expected.dtype == DType::F32 ? 8192 : 1) {
    if (tolerance.rtol || tolerance.atol) {
      this->bounds = nullptr;
      rtol = tolerance.rtol.value_or(0);
      atol = tolerance.atol.value_or(0);
    } else if (!bounds && isFloat(expected.dtype)) {
      rtol = kElementFactor * relative;
      atol = rtol * medianMagnitude(expected);
    }
  }

  bool hasBounds() const { return bounds; }
  double at(int64_t i, double expected) const {
    return bounds ? scale * bounds->asDouble(i) : atol + rtol * std::fabs(expected);
  }

private:
  const HostTensor *bounds;
  double scale, rtol = 0, atol = 0;
};

/// Accumulates the measures over pairs of elements.
class Measures {
public:
  Measures(Comparison &result, const Limits &limits) : result(result), limits(limits) {}

  void takeFloat(const HostTensor &actual, const HostTensor &expected, int64_t i) {
    const double a = actual.asDouble(i), e = expected.asDouble(i);
    const double limit = limits.at(i, e);
    const bool isUnknown = limits.hasBounds() && std::isinf(limit);
    result.unknown += isUnknown;
    if (std::isnan(a) && std::isnan(e)) {
      ++result.nans;
      return;
    }
    if (a == e) {
      expectedSquares += std::isfinite(e) ? e * e : 0;
      // Zeros of different signs.
      if (limits.hasBounds() && limit == 0 && std::signbit(a) != std::signbit(e)) {
        ++result.differing;
        violate(i);
      }
      return;
    }
    ++result.differing;
    if (!std::isfinite(a) || !std::isfinite(e)) {
      if (!isUnknown)
        violate(i);
      if (result.nonFinite++ == 0)
        result.firstNonFinite = i;
      return;
    }
    take(std::fabs(a - e), e, limit, i);
    raise(result.ulp, ulpDistance(actual, expected, i), i);
  }

  void takeInteger(const HostTensor &actual, const HostTensor &expected, int64_t i) {
    const double difference = integerDifference(actual, expected, i), e = expected.asDouble(i);
    const double limit = limits.at(i, e);
    result.unknown += limits.hasBounds() && std::isinf(limit);
    if (difference == 0) {
      expectedSquares += e * e;
      return;
    }
    ++result.differing;
    take(difference, e, limit, i);
  }

  double relativeL2() const {
    if (differenceSquares == 0)
      return 0;
    return expectedSquares == 0 ? std::numeric_limits<double>::infinity()
                                : std::sqrt(differenceSquares / expectedSquares);
  }

private:
  void violate(int64_t i) {
    if (result.violations++ < kShownViolations)
      result.firstViolations.push_back(i);
  }

  void take(double difference, double e, double limit, int64_t i) {
    if (!(difference <= limit))
      violate(i);
    else if (limit > 0 && std::isfinite(limit))
      result.largestShare = std::max(result.largestShare, difference / limit);
    if (limits.hasBounds() && std::isinf(limit))
      return; // excluded from the norm too
    differenceSquares += difference * difference;
    expectedSquares += e * e;
    raise(result.absolute, difference, i);
    raise(result.relative, e == 0 ? std::numeric_limits<double>::infinity() : difference / std::fabs(e), i);
  }

  Comparison &result;
  const Limits &limits;
  double differenceSquares = 0, expectedSquares = 0;
};

} // namespace

double defaultRelativeL2(DType type) {
  switch (partOf(type)) {
  case DType::F64:
    return 1e-12;
  case DType::F32:
    return 1e-5;
  case DType::F16:
    return 2e-3;
  case DType::BF16:
    return 1e-2;
  case DType::F8E4M3FN: // half a unit of 3 and of 2 mantissa bits
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

std::string partString(int64_t flat, const HostTensor &tensor) {
  return indexString(flat / 2, tensor.shape) + (flat % 2 ? ".im" : ".re");
}

Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, const Tolerance &tolerance,
                          const HostTensor *bounds) {
  Comparison result;
  result.dtype = expected.dtype;
  result.shape = expected.shape;
  result.elements = expected.numElements();
  if (actual.dtype != expected.dtype || actual.shape != expected.shape) {
    result.reason = "got " + actual.typeString() + ", expected " + expected.typeString();
    return result;
  }
  if (isComplex(expected.dtype))
    return compareTensors(actual.asParts(), expected.asParts(), tolerance, bounds);
  if (bounds && (bounds->dtype != DType::F64 || bounds->shape != expected.shape)) {
    result.reason = "the bounds are " + bounds->typeString() + " for a result of " + expected.typeString();
    return result;
  }
  const bool floats = isFloat(expected.dtype);
  const bool isTf32 = tolerance.tf32 && expected.dtype == DType::F32;
  const double limit = defaultRelativeL2(isTf32 ? DType::F16 : expected.dtype);
  const Limits limits(expected, tolerance, bounds, limit);
  Measures measures(result, limits);
  for (int64_t i = 0; i < result.elements; ++i) {
    if (floats)
      measures.takeFloat(actual, expected, i);
    else
      measures.takeInteger(actual, expected, i);
  }
  result.relativeL2 = measures.relativeL2();
  result.isBounded = limits.hasBounds();

  const std::string count = std::to_string(result.violations) + " of " + std::to_string(result.elements) + " elements";
  const std::string verb = result.violations == 1 ? " is " : " are ";
  if (tolerance.rtol || tolerance.atol)
    result.tolerance = "atol " + number(tolerance.atol.value_or(0)) + " + rtol " + number(tolerance.rtol.value_or(0)) +
                       " * |expected|";
  else if (result.isBounded)
    result.tolerance = "the bound of the op's rounding, at most " + number(result.largestShare) + " of it";
  else if (floats)
    result.tolerance = "limit " + number(limit);
  if (result.nonFinite > 0 && result.violations > 0 && !result.isBounded)
    result.reason = std::to_string(result.nonFinite) + " of " + std::to_string(result.elements) +
                    " elements are NaN or infinite on one side only, first at " +
                    indexString(result.firstNonFinite, result.shape);
  else if (tolerance.rtol || tolerance.atol)
    result.reason = result.violations == 0 ? "" : count + verb + "beyond " + result.tolerance;
  else if (!floats)
    result.reason = result.violations == 0
                        ? ""
                        : count + (result.violations == 1 ? " differs" : " differ") + ", integers must be equal";
  else if (result.isBounded)
    result.reason = result.violations == 0 ? "" : count + verb + "beyond the bound of the op's rounding";
  else if (!(result.relativeL2 <= limit))
    result.reason = "rel-L2 is " + number(result.relativeL2) + ", the tolerance of " +
                    std::string(dtypeName(expected.dtype)) + (isTf32 ? ", with tf32," : "") + " is " + number(limit);
  else if (result.violations > 0)
    result.reason = count + verb + "far off for a tensor with rel-L2 " + number(result.relativeL2);
  result.same = result.reason.empty();
  return result;
}

std::string describe(const Comparison &comparison, const HostTensor &actual, const HostTensor &expected,
                     const HostTensor *bounds) {
  const bool areParts = isComplex(actual.dtype) && actual.dtype == expected.dtype && actual.shape == expected.shape;
  const HostTensor found = areParts ? actual.asParts() : actual, wanted = areParts ? expected.asParts() : expected;
  const bool floats = isFloat(comparison.dtype);
  std::string notes;
  if (comparison.nans > 0)
    notes += ", " + std::to_string(comparison.nans) + " of them NaN";
  if (comparison.unknown > 0)
    notes += ", " + std::to_string(comparison.unknown) + " not checked: undefined, or any number by rounding";
  if (comparison.same && comparison.unknown == comparison.elements && comparison.elements > 0)
    return "not checked: all " + std::to_string(comparison.elements) +
           " elements are undefined in the program, or any number by rounding";
  if (comparison.same && comparison.differing == 0)
    return "same (all " + std::to_string(comparison.elements) + " elements equal" + notes +
           (floats ? ", rel-L2 0)" : ")");
  std::string text = comparison.same ? (floats ? "within tolerance (rel-L2 " + number(comparison.relativeL2) + ", " +
                                                     comparison.tolerance + notes + ")"
                                               : "within tolerance (" + comparison.tolerance + notes + ")")
                                     : "DIFFERENT: " + comparison.reason;
  auto at = [&](int64_t index) {
    std::string place = (areParts ? partString(index, actual) : indexString(index, comparison.shape)) + " (got " +
                        formatElement(found, index) + ", expected " + formatElement(wanted, index);
    if (comparison.isBounded && bounds && bounds->asDouble(index) > kSignOfZeroBound)
      place += ", bound " + number(bounds->asDouble(index));
    return place + ")";
  };
  for (int64_t index : comparison.firstViolations)
    text += "\n  at " + at(index);
  if (comparison.violations > static_cast<int64_t>(comparison.firstViolations.size()) &&
      !comparison.firstViolations.empty())
    text += "\n  and at " +
            std::to_string(comparison.violations - static_cast<int64_t>(comparison.firstViolations.size())) + " more";
  if (comparison.absolute.index >= 0) {
    text +=
        "\n  largest absolute difference " + number(comparison.absolute.value) + " at " + at(comparison.absolute.index);
    text +=
        "\n  largest relative difference " + number(comparison.relative.value) + " at " + at(comparison.relative.index);
  }
  if (comparison.ulp.index >= 0) {
    char ulps[32];
    std::snprintf(ulps, sizeof ulps, "%.0f", comparison.ulp.value);
    text += "\n  largest difference in ULP " + std::string(ulps) + " at " + at(comparison.ulp.index);
  }
  if (comparison.firstNonFinite >= 0)
    text += "\n  first NaN or infinity on one side at " + at(comparison.firstNonFinite);
  if (floats)
    text += "\n  rel-L2 " + number(comparison.relativeL2);
  text += "\n  " + std::to_string(comparison.differing) + " of " + std::to_string(comparison.elements) +
          " elements are not equal";
  return text;
}

} // namespace mica
