//===- InputSets.cpp - generated inputs for checks ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/InputSets.h"

#include "lib/Compare/Random.h"
#include "lib/Support/Json.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fs = std::filesystem;

namespace mica {
namespace {

constexpr std::string_view kNames[] = {"exact inputs", "random inputs", "adversarial inputs", "inputs with one NaN",
                                       "inputs with one infinity"};

struct FloatFormat {
  int digits, minExponent, maxExponent;
};

FloatFormat formatOf(DType type) {
  switch (type) {
  case DType::F64:
    return {53, -1022, 1023};
  case DType::F16:
    return {11, -14, 15};
  case DType::BF16:
    return {8, -126, 127};
  case DType::F8E4M3FN:
    return {4, -6, 8};
  case DType::F8E5M2:
    return {3, -14, 15};
  default:
    return {24, -126, 127};
  }
}

/// One value in four is from a list of edge cases; the others have magnitudes that differ by up to 2^32, small enough
/// that products of several are finite.
double adversarialFloat(DType type, Random &numbers) {
  const FloatFormat format = formatOf(type);
  const double sign = numbers.below(2) ? -1 : 1;
  if (numbers.below(4) == 0) {
    const std::array<double, 12> special = {
        0.0,
        1.0,
        0.5,
        1.5,
        2.5,
        3.5,                                                     // ties of rounding to integers
        1.0 + std::ldexp(1.0, 1 - format.digits),                // the next number after 1
        1.0 - std::ldexp(1.0, -format.digits),                   // the previous number before 1
        std::ldexp(1.0, format.minExponent + 1 - format.digits), // the smallest number
        std::ldexp(3.0, format.minExponent - format.digits + 2), // another subnormal
        std::ldexp(1.0, format.minExponent),
        std::ldexp(1.0, format.digits) // larger numbers are all integers
    };
    return sign * special[numbers.below(special.size())];
  }
  const int reach = std::min(format.maxExponent / 3, 16);
  const int exponent = static_cast<int>(numbers.below(static_cast<uint64_t>(2 * reach + 1))) - reach;
  return sign * std::ldexp(1.0 + static_cast<double>(numbers.below(4096)) / 4096, exponent);
}

/// The range of generated values of an integer type; small for index, which is usually a size.
std::pair<int64_t, int64_t> limitsOf(DType type) {
  switch (type) {
  case DType::I1:
    return {0, 1};
  case DType::I4:
    return {-8, 7};
  case DType::Index:
    return {0, 1 << 20};
  case DType::UI8:
  case DType::UI16:
  case DType::UI32:
    return {0, (int64_t(1) << (8 * dtypeBytes(type))) - 1};
  case DType::UI64:
    return {0, std::numeric_limits<int64_t>::max()};
  default: {
    const int bits = static_cast<int>(8 * dtypeBytes(type));
    const int64_t high = static_cast<int64_t>(~uint64_t(0) >> (65 - bits));
    return {-high - 1, high};
  }
  }
}

int64_t integerOf(InputSet set, const artifact::TensorSpec &argument, const ValueRange &range, int64_t position,
                  Random &numbers) {
  auto [low, high] = limitsOf(argument.dtype);
  const bool isKnown = range.low || range.high;
  low = std::max(low, range.low.value_or(low));
  high = std::max(low, std::min(high, range.high.value_or(high)));
  // An index without a known range is a size, an offset or a count.
  if (argument.dtype == DType::Index && !isKnown && !range.isSize)
    return range.isNotZero ? 1 : 0;
  if (range.isSize)
    return std::clamp<int64_t>(1, low, high);
  // A scalar is usually a count, and a run must not take forever.
  const bool isTame = set != InputSet::Adversarial || argument.shape.empty() || argument.dtype == DType::Index;
  int64_t value = 0;
  if (isKnown && (set == InputSet::Adversarial || set == InputSet::Nan))
    value = (position % 2 == 0) == (set == InputSet::Adversarial) ? high : low; // each position gets both ends
  else if (isKnown && (isTame || high - low < 1024))
    value = numbers.below(4) == 0 ? (numbers.below(2) ? low : high) : numbers.within(low, high);
  else if (isTame)
    value = numbers.within(std::max<int64_t>(low, set == InputSet::Exact ? -4 : 0),
                           std::min<int64_t>(high, set == InputSet::Exact ? 4 : 9));
  else
    switch (numbers.below(8)) {
    case 0:
      value = low;
      break;
    case 1:
      value = high;
      break;
    case 2:
      value = std::max<int64_t>(low, -1);
      break;
    case 3:
      value = 0;
      break;
    default:
      value = numbers.within(low, high);
    }
  if (range.isNotZero && (value == 0 || value == -1))
    value = high >= 1 ? 1 : low;
  return value;
}

} // namespace

std::string_view inputSetName(InputSet set) { return kNames[static_cast<size_t>(set)]; }

Result<std::vector<InputSet>> parseInputSets(std::string_view text) {
  std::vector<InputSet> sets;
  auto add = [&](InputSet set) {
    if (std::find(sets.begin(), sets.end(), set) == sets.end())
      sets.push_back(set);
  };
  for (const std::string &name : splitText(text, ',')) {
    if (name == "exact")
      add(InputSet::Exact);
    else if (name == "random")
      add(InputSet::Random);
    else if (name == "adversarial")
      for (InputSet set : {InputSet::Adversarial, InputSet::Nan, InputSet::Infinity})
        add(set);
    else
      return Error{ErrorCode::InvalidInput, "--input-sets=" + std::string(text) + ": there is no set '" + name + "'",
                   "the sets are exact, random, adversarial"};
  }
  return sets;
}

Result<std::vector<ValueRange>> readInputRanges(const fs::path &artifact, const artifact::EntryRecord &entry) {
  std::vector<ValueRange> ranges(entry.args.size());
  const fs::path file = artifact / "report" / "input_ranges.json";
  std::error_code missing;
  if (!fs::exists(file, missing))
    return ranges;
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file.string()));
  const Json &json = document.root();
  JsonReport report{file.string(), "compile the program again", {}};
  JsonCursor(json, report).field("ranges").forEach([&](const JsonCursor &item, size_t) {
    const std::string name = item.field("entry").string();
    const int64_t argument = item.field("argument").integer(0);
    if (name != entry.name || argument >= static_cast<int64_t>(ranges.size()))
      return;
    ValueRange &range = ranges[static_cast<size_t>(argument)];
    if (item.has("low"))
      range.low = item.field("low").integer(std::numeric_limits<int64_t>::min());
    if (item.has("high"))
      range.high = item.field("high").integer(std::numeric_limits<int64_t>::min());
    const std::string use = item.field("use").string();
    range.isNotZero = use == "divisor";
    range.isSize = use == "size";
  });
  if (report.failure)
    return *report.failure;
  return ranges;
}

HostTensor makeSetInput(InputSet set, const artifact::TensorSpec &argument, size_t position, const ValueRange &range,
                        bool isSpecial) {
  if (isComplex(argument.dtype)) {
    artifact::TensorSpec parts = argument;
    parts.dtype = partOf(argument.dtype);
    parts.shape.push_back(2);
    return fromParts(makeSetInput(set, parts, position, range, isSpecial));
  }
  std::vector<int64_t> shape = argument.shape;
  for (int64_t &size : shape)
    size = size < 0 ? 1 : size;
  HostTensor tensor(argument.dtype, shape);
  const int64_t count = tensor.numElements();
  Random numbers(0x5eed + 1000 * static_cast<uint64_t>(set) + position);
  if (!isFloat(argument.dtype)) {
    for (int64_t i = 0; i < count; ++i)
      tensor.setInt(i, integerOf(set, argument, range, i, numbers));
    return tensor;
  }
  switch (set) {
  case InputSet::Exact:
    for (int64_t i = 0; i < count; ++i)
      tensor.setDouble(i, static_cast<double>(numbers.within(-3, 3)));
    break;
  case InputSet::Adversarial:
    for (int64_t i = 0; i < count; ++i)
      tensor.setDouble(i, adversarialFloat(argument.dtype, numbers));
    break;
  default:
    fillRandom(tensor, position, -1, 1);
  }
  if (isSpecial && count > 0) {
    const double value =
        set == InputSet::Nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    tensor.setDouble(static_cast<int64_t>(numbers.below(static_cast<uint64_t>(count))), value);
  }
  return tensor;
}

} // namespace mica
