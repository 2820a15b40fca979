//===- Print.cpp - tensors in NumPy's print format ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Follows numpy/core/arrayprint.py (FloatingFormat, IntegerFormat, BoolFormat, _formatArray): formats are chosen for
// the elements that are printed, then rows are filled word by word.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Print.h"

#include "lib/Compare/Digits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace mica {
namespace {

constexpr int kPrecision = 8;
constexpr int64_t kThreshold = 1000;
constexpr int64_t kEdge = 3;
constexpr size_t kLineWidth = 75;

std::string padLeft(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string integerText(const HostTensor &tensor, int64_t i) {
  return tensor.dtype == DType::UI64 ? std::to_string(static_cast<uint64_t>(tensor.asInt(i)))
                                     : std::to_string(tensor.asInt(i));
}

/// The common format of all printed float elements.
class FloatFormat {
public:
  FloatFormat(const HostTensor &tensor, const std::vector<int64_t> &shown) : type(tensor.dtype) {
    double high = 0, low = std::numeric_limits<double>::infinity();
    bool hasFinite = false, hasOther = false, hasNegativeInfinity = false;
    for (int64_t i : shown) {
      const double value = tensor.asDouble(i);
      if (!std::isfinite(value)) {
        hasOther = true;
        hasNegativeInfinity |= std::isinf(value) && value < 0;
        continue;
      }
      hasFinite = true;
      if (value != 0) {
        high = std::max(high, std::fabs(value));
        low = std::min(low, std::fabs(value));
      }
    }
    scientific = high > 0 && (high >= 1e8 || low < 0.0001 || high / low > 1000.0);
    size_t exponentSize = 0, fraction = 0;
    for (int64_t i : shown) {
      const double value = tensor.asDouble(i);
      if (!std::isfinite(value))
        continue;
      const DecimalText text =
          scientific ? scientificDigits(value, type, kPrecision) : positionalDigits(value, type, kPrecision);
      left = std::max(left, text.whole.size());
      fraction = std::max(fraction, text.fraction.size());
      exponentSize = std::max(exponentSize, text.exponent.size());
    }
    exponentDigits = exponentSize >= 2 ? exponentSize - 2 : 0;
    fractionSize = fraction;
    right = fraction + exponentSize;
    if (hasOther) {
      const size_t offset = hasFinite ? right + 1 : 1;
      const size_t widest = hasNegativeInfinity ? 4 : 3;
      left = std::max(left, widest > offset ? widest - offset : 0);
    }
  }

  std::string operator()(double value) const {
    if (std::isnan(value))
      return padLeft("nan", left + right + 1);
    if (std::isinf(value))
      return padLeft(value < 0 ? "-inf" : "inf", left + right + 1);
    if (!scientific) {
      const DecimalText text = positionalDigits(value, type, kPrecision);
      return padLeft(text.whole, left) + "." + text.fraction + std::string(right - text.fraction.size(), ' ');
    }
    DecimalText text = scientificDigits(value, type, kPrecision);
    text.fraction.append(fractionSize - text.fraction.size(), '0');
    const std::string digits = text.exponent.substr(2);
    return padLeft(text.whole, left) + "." + text.fraction + text.exponent.substr(0, 2) +
           std::string(exponentDigits > digits.size() ? exponentDigits - digits.size() : 0, '0') + digits;
  }

private:
  DType type;
  bool scientific = false;
  size_t left = 0, right = 0, fractionSize = 0, exponentDigits = 0;
};

/// The positions `shown`, of complex elements, among the parts `part`: 0 the real ones, 1 the imaginary ones.
std::vector<int64_t> partsShown(const std::vector<int64_t> &shown, int64_t part) {
  std::vector<int64_t> positions;
  for (int64_t i : shown)
    positions.push_back(2 * i + part);
  return positions;
}

/// As NumPy prints complex numbers: both parts in columns, the imaginary ones with their signs.
class ComplexFormat {
public:
  ComplexFormat(const HostTensor &tensor, const std::vector<int64_t> &shown)
      : parts(tensor.asParts()), real(parts, partsShown(shown, 0)), imaginary(parts, partsShown(shown, 1)) {
    for (int64_t i : shown)
      width = std::max(width, signedPart(i).size());
  }

  std::string operator()(int64_t i) const {
    std::string text = padLeft(signedPart(i), width);
    text.insert(text.find_last_not_of(' ') + 1, "j");
    return real(parts.asDouble(2 * i)) + text;
  }

private:
  std::string signedPart(int64_t i) const {
    const double value = parts.asDouble(2 * i + 1);
    std::string text = imaginary(value);
    text.erase(0, text.find_first_not_of(' '));
    return text.front() == '-' ? text : "+" + text;
  }

  const HostTensor parts;
  const FloatFormat real, imaginary;
  size_t width = 0;
};

/// Fills rows with words and nests brackets.
class Layout {
public:
  Layout(const std::vector<int64_t> &shape, bool summarize, std::function<std::string(int64_t)> word)
      : shape(shape), summarize(summarize), word(std::move(word)) {}

  std::string format() const { return axisText(0, 0, " ", kLineWidth); }

  /// The row-major positions that are printed.
  std::vector<int64_t> shown() const {
    std::vector<int64_t> positions{0};
    for (int64_t size : shape) {
      std::vector<int64_t> next;
      for (int64_t base : positions)
        for (int64_t i : items(size))
          if (i >= 0)
            next.push_back(base * size + i);
      positions = std::move(next);
    }
    return positions;
  }

private:
  /// The printed positions of a dimension; -1 is an ellipsis.
  std::vector<int64_t> items(int64_t size) const {
    std::vector<int64_t> result;
    const bool cut = summarize && size > 2 * kEdge;
    for (int64_t i = 0; i < size; ++i) {
      if (cut && i == kEdge) {
        result.push_back(-1);
        i = size - kEdge;
      }
      result.push_back(i);
    }
    return result;
  }

  std::string axisText(size_t axis, int64_t base, const std::string &indent, size_t width) const {
    if (axis == shape.size())
      return word(base);
    const bool last = axis + 1 == shape.size();
    std::string text, line = indent;
    bool first = true;
    for (int64_t i : items(shape[axis])) {
      const std::string piece = i < 0 ? "..." : axisText(axis + 1, base * shape[axis] + i, indent + " ", width - 1);
      if (!last) {
        text += (first ? "" : std::string(shape.size() - axis - 1, '\n')) + indent + piece;
      } else {
        if (!first)
          line += " ";
        if (line.size() + piece.size() > width - 1 && line.size() > indent.size()) {
          while (!line.empty() && line.back() == ' ')
            line.pop_back();
          text += line + "\n";
          line = indent;
        }
        line += piece;
      }
      first = false;
    }
    if (last)
      text += line;
    return "[" + text.substr(indent.size()) + "]";
  }

  const std::vector<int64_t> &shape;
  bool summarize;
  std::function<std::string(int64_t)> word;
};

} // namespace

std::string formatElement(const HostTensor &tensor, int64_t index) {
  if (tensor.dtype == DType::I1)
    return tensor.asInt(index) ? "True" : "False";
  if (isInteger(tensor.dtype))
    return integerText(tensor, index);
  if (isComplex(tensor.dtype)) {
    HostTensor one(tensor.dtype, {});
    const auto width = static_cast<size_t>(dtypeBytes(tensor.dtype));
    std::memcpy(one.data.data(), tensor.data.data() + static_cast<size_t>(index) * width, width);
    const std::string re = formatElement(one.asParts(), 0), im = formatElement(one.asParts(), 1);
    return re + (im.front() == '-' ? "" : "+") + im + "j";
  }
  const double value = tensor.asDouble(index), magnitude = std::fabs(value);
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  if (value == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    const DecimalText text = positionalDigits(value, tensor.dtype, 340);
    return text.whole + "." + (text.fraction.empty() ? "0" : text.fraction);
  }
  const DecimalText text = scientificDigits(value, tensor.dtype, 340);
  return text.whole + (text.fraction.empty() ? "" : "." + text.fraction) + text.exponent;
}

std::string formatTensor(const HostTensor &tensor) {
  if (tensor.shape.empty())
    return formatElement(tensor, 0);
  const int64_t count = tensor.numElements();
  if (count == 0)
    return "[]";
  const bool summarize = count > kThreshold;
  const std::vector<int64_t> shown = Layout(tensor.shape, summarize, nullptr).shown();
  if (isFloat(tensor.dtype)) {
    const FloatFormat format(tensor, shown);
    return Layout(tensor.shape, summarize, [&](int64_t i) { return format(tensor.asDouble(i)); }).format();
  }
  if (isComplex(tensor.dtype))
    return Layout(tensor.shape, summarize, ComplexFormat(tensor, shown)).format();
  auto text = [&](int64_t i) { return tensor.dtype == DType::I1 ? formatElement(tensor, i) : integerText(tensor, i); };
  size_t width = tensor.dtype == DType::I1 ? 5 : 0;
  for (int64_t i : shown)
    width = std::max(width, text(i).size());
  return Layout(tensor.shape, summarize, [&](int64_t i) { return padLeft(text(i), width); }).format();
}

} // namespace mica
