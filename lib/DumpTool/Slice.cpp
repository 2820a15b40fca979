//===- Slice.cpp - parts of a tensor -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Slice.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

namespace mica::dumptool {
namespace {

/// What is taken of one dimension.
struct Range {
  int64_t start = 0, step = 1, count = 0;
  bool isKept = true;
};

std::string withoutBlanks(const std::string &text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

std::optional<int64_t> numberOf(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

/// One part of the text, of a dimension of `size` elements.
Result<Range> rangeOf(const std::string &part, size_t dimension, int64_t size, const std::string &text) {
  auto wrong = [&](const std::string &why) {
    return Error{ErrorCode::InvalidInput, "slice " + text + ": " + why,
                 "write an index, start:stop or start:stop:step for each dimension: [0, 2:8, ::2]"};
  };
  Range range;
  if (part.find(':') == part.npos) {
    const std::optional<int64_t> index = numberOf(part);
    if (!index)
      return wrong("'" + part + "' is no index");
    range.start = *index < 0 ? *index + size : *index;
    if (range.start < 0 || range.start >= size)
      return wrong("index " + part + " is outside of dimension " + std::to_string(dimension) + ", which has " +
                   std::to_string(size) + " elements");
    range.count = 1;
    range.isKept = false;
    return range;
  }
  const std::vector<std::string> pieces = splitText(part, ':');
  if (pieces.size() > 3)
    return wrong("'" + part + "' has more than start:stop:step");
  int64_t values[3] = {0, size, 1};
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].empty())
      continue;
    const std::optional<int64_t> number = numberOf(pieces[i]);
    if (!number)
      return wrong("'" + pieces[i] + "' is no number");
    values[i] = i < 2 ? std::clamp<int64_t>(*number < 0 ? *number + size : *number, 0, size) : *number;
  }
  if (values[2] < 1)
    return wrong("the step is " + std::to_string(values[2]) + ", it must be 1 or more");
  range.start = values[0];
  range.step = values[2];
  range.count = values[1] > values[0] ? (values[1] - values[0] - 1) / values[2] + 1 : 0;
  return range;
}

} // namespace

Result<HostTensor> sliceOf(const HostTensor &tensor, const std::string &text) {
  std::string inner = withoutBlanks(text);
  if (inner.starts_with('[') && inner.ends_with(']'))
    inner = inner.substr(1, inner.size() - 2);
  std::vector<std::string> parts = inner.empty() ? std::vector<std::string>() : splitText(inner, ',');
  const size_t rank = tensor.shape.size();
  const auto dots = std::find(parts.begin(), parts.end(), "...");
  const size_t named = parts.size() - (dots != parts.end());
  if (named > rank)
    return Error{ErrorCode::InvalidInput,
                 "slice " + text + " names " + std::to_string(named) + " dimensions, the tensor " +
                     tensor.typeString() + " has " + std::to_string(rank),
                 ""};
  const auto place = size_t(dots - parts.begin());
  if (dots != parts.end())
    parts.erase(dots);
  parts.insert(parts.begin() + int64_t(place), rank - named, ":");
  std::vector<Range> ranges;
  HostTensor result;
  result.dtype = tensor.dtype;
  int64_t count = 1;
  for (size_t d = 0; d < rank; ++d) {
    MICA_ASSIGN_OR_RETURN(Range range, rangeOf(parts[d], d, tensor.shape[d], text));
    if (range.isKept)
      result.shape.push_back(range.count);
    count *= range.count;
    ranges.push_back(range);
  }
  const auto size = size_t(dtypeBytes(tensor.dtype));
  result.data.resize(size_t(count) * size);
  std::vector<int64_t> at(rank, 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t flat = 0;
    for (size_t d = 0; d < rank; ++d)
      flat = flat * tensor.shape[d] + ranges[d].start + at[d] * ranges[d].step;
    std::memcpy(result.data.data() + size_t(i) * size, tensor.data.data() + size_t(flat) * size, size);
    for (size_t d = rank; d-- > 0 && ++at[d] == ranges[d].count;)
      at[d] = 0;
  }
  return result;
}

} // namespace mica::dumptool
