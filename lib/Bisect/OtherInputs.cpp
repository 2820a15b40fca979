//===- OtherInputs.cpp - inputs beside the default ones -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OtherInputs.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/OtherInputs.h"

#include "mica/Compare/InputSpec.h"

using namespace mica;
using namespace mica::bisect;

namespace {
/// Sizes, and the ranges that numbers are drawn from: LO to HI - 1.
struct InputKind {
  int64_t size;
  const char *positions, *integers;
};
} // namespace

/// The first is likely to be in bounds, the second may go round a tile or two, the third has numbers of both signs.
static constexpr InputKind kKinds[] = {{4, "1:3", "1:4"}, {9, "2:8", "1:64"}, {4, "0:2", "-100:100"}};

std::optional<Entry> bisect::otherInputs(const Entry &entry, size_t given, unsigned number,
                                         std::vector<std::string> &notes) {
  if (number == 0 || number > std::size(kKinds))
    return std::nullopt;
  const InputKind &kind = kKinds[number - 1];
  const Result<std::vector<artifact::TensorSpec>> specs = inputSpecs(entry);
  if (!specs)
    return std::nullopt;
  Entry other = entry;
  bool isOther = false;
  for (size_t i = given; i < other.inputs.size(); ++i) {
    HostTensor type;
    type.dtype = (*specs)[i].dtype;
    for (const int64_t size : (*specs)[i].shape) {
      type.shape.push_back(size < 0 ? kind.size : size);
      isOther |= size < 0;
    }
    std::string text = type.typeString() + "=random:" + std::to_string(i);
    if (!isFloat(type.dtype)) {
      text += std::string(":") + (type.dtype == DType::I1      ? "0:2"
                                  : type.dtype == DType::Index ? kind.positions
                                                               : kind.integers);
      isOther = true;
    }
    const Result<InputSpec> spec = parseInputSpec(text);
    if (!spec)
      return std::nullopt;
    Result<HostTensor> tensor = makeInput(*spec, (*specs)[i], i);
    if (!tensor)
      return std::nullopt;
    other.inputs[i] = std::move(*tensor);
    notes.push_back("input " + std::to_string(i) + ": --input=" + text);
  }
  return isOther ? std::optional(std::move(other)) : std::nullopt;
}
