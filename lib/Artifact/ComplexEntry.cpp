//===- ComplexEntry.cpp - entries with complex arguments and results ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/ComplexEntry.h"

#include <algorithm>

namespace mica::artifact {

static bool anyComplex(const std::vector<TensorSpec> &specs) {
  return std::any_of(specs.begin(), specs.end(), [](const TensorSpec &spec) { return isComplex(spec.dtype); });
}

bool usesComplex(const EntryRecord &entry) { return anyComplex(entry.args) || anyComplex(entry.results); }

static TensorSpec partOf(const TensorSpec &whole, const char *suffix) {
  TensorSpec part = whole;
  part.dtype = mica::partOf(whole.dtype);
  for (std::string *name : {&part.name, &part.sourceName})
    if (!name->empty())
      *name += suffix;
  return part;
}

EntryRecord splitComplex(const EntryRecord &entry) {
  EntryRecord code;
  code.name = entry.name;
  std::vector<int64_t> positions; ///< by argument of `entry`
  for (const TensorSpec &spec : entry.args) {
    positions.push_back(static_cast<int64_t>(code.args.size()));
    if (!isComplex(spec.dtype)) {
      code.args.push_back(spec);
      continue;
    }
    code.args.push_back(partOf(spec, ".re"));
    code.args.push_back(partOf(spec, ".im"));
  }
  for (const TensorSpec &spec : entry.results) {
    const int64_t updates = spec.updates < 0 ? -1 : positions[static_cast<size_t>(spec.updates)];
    const bool isSplit = isComplex(spec.dtype);
    code.results.push_back(isSplit ? partOf(spec, ".re") : spec);
    code.results.back().updates = updates;
    if (!isSplit)
      continue;
    code.results.push_back(partOf(spec, ".im"));
    code.results.back().updates = updates < 0 ? -1 : updates + 1;
  }
  for (SizeRelation relation : entry.relatedSizes) {
    relation.argument = positions[static_cast<size_t>(relation.argument)];
    if (relation.other >= 0)
      relation.other = positions[static_cast<size_t>(relation.other)];
    code.relatedSizes.push_back(std::move(relation));
  }
  return code;
}

/// `real` as the complex tensor of which it is a part.
static TensorSpec wholeOf(TensorSpec real) {
  real.dtype = complexOf(real.dtype).value_or(real.dtype);
  return real;
}

EntryRecord joinComplex(const EntryRecord &code, const ImaginaryParts &imaginary) {
  const auto isMarked = [](const std::vector<bool> &marks, size_t i) { return i < marks.size() && marks[i]; };
  EntryRecord entry;
  entry.name = code.name;
  std::vector<int64_t> positions; ///< in `entry`, by argument of `code`
  for (size_t i = 0; i < code.args.size(); ++i) {
    if (isMarked(imaginary.args, i) && !entry.args.empty())
      entry.args.back() = wholeOf(entry.args.back());
    else
      entry.args.push_back(code.args[i]);
    positions.push_back(static_cast<int64_t>(entry.args.size()) - 1);
  }
  const auto isImaginaryOf = [&](size_t i) {
    if (i == 0 || i >= code.results.size())
      return false;
    const int64_t updates = code.results[i].updates;
    return isMarked(imaginary.results, i) || (updates > 0 && code.results[i - 1].updates == updates - 1 &&
                                              isMarked(imaginary.args, static_cast<size_t>(updates)));
  };
  for (size_t i = 0; i < code.results.size(); ++i) {
    TensorSpec result = code.results[i];
    const bool isWhole = isImaginaryOf(i + 1);
    if (isWhole)
      result = wholeOf(result);
    if (result.updates >= 0)
      result.updates = positions[static_cast<size_t>(result.updates)];
    if (result.updates >= 0 && isComplex(entry.args[static_cast<size_t>(result.updates)].dtype) && !isWhole)
      result.updates = -1;
    entry.results.push_back(std::move(result));
    i += isWhole;
  }
  for (SizeRelation relation : code.relatedSizes) {
    relation.argument = positions[static_cast<size_t>(relation.argument)];
    if (relation.other >= 0)
      relation.other = positions[static_cast<size_t>(relation.other)];
    const bool isSame = relation.argument == relation.other && relation.dimension == relation.otherDimension;
    const bool isKnown =
        std::any_of(entry.relatedSizes.begin(), entry.relatedSizes.end(), [&](const SizeRelation &known) {
          return known.argument == relation.argument && known.dimension == relation.dimension &&
                 known.other == relation.other && known.otherDimension == relation.otherDimension &&
                 known.size == relation.size;
        });
    if (!isSame && !isKnown)
      entry.relatedSizes.push_back(std::move(relation));
  }
  return entry;
}

std::vector<std::string> partNames(const std::vector<TensorSpec> &specs) {
  std::vector<std::string> names;
  for (size_t i = 0; i < specs.size(); ++i)
    for (const char *suffix : {".re", ".im"}) {
      const bool isSplit = isComplex(specs[i].dtype);
      names.push_back(std::to_string(i) + (isSplit ? suffix : ""));
      if (!isSplit)
        break;
    }
  return names;
}

std::vector<HostTensor> splitTensors(std::vector<HostTensor> tensors) {
  std::vector<HostTensor> parts;
  for (HostTensor &tensor : tensors) {
    if (!isComplex(tensor.dtype)) {
      parts.push_back(std::move(tensor));
      continue;
    }
    auto [re, im] = tensor.splitComplex();
    parts.push_back(std::move(re));
    parts.push_back(std::move(im));
  }
  return parts;
}

std::vector<HostTensor> joinNumbers(std::vector<HostTensor> tensors, const std::vector<TensorSpec> &specs) {
  std::vector<HostTensor> whole;
  for (size_t i = 0, next = 0; i < specs.size() && next < tensors.size(); ++i, ++next) {
    if (isComplex(specs[i].dtype) && next + 1 < tensors.size()) {
      whole.push_back(interleave(tensors[next], tensors[next + 1]));
      ++next;
    } else {
      whole.push_back(std::move(tensors[next]));
    }
  }
  return whole;
}

std::vector<HostTensor> joinTensors(std::vector<HostTensor> tensors, const std::vector<TensorSpec> &specs) {
  std::vector<HostTensor> whole = joinNumbers(std::move(tensors), specs);
  for (size_t i = 0; i < whole.size(); ++i)
    if (isComplex(specs[i].dtype))
      whole[i] = fromParts(std::move(whole[i]));
  return whole;
}

} // namespace mica::artifact
