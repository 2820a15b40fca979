//===- CheckOps.cpp - comparing results of ops -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A kernel may write the value of any op of its group, possibly reshaped; so each op's value of the same type and
// number of elements is a candidate, and the nearest one is used.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/CheckOps.h"

#include "lib/RunTool/Checks.h"

#include "lib/Support/Json.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// A value of an op; an op in a loop has several.
struct OpValue {
  std::string kind, source;
  std::string file;
};

using OpValues = std::multimap<std::string, OpValue>;

Result<OpValues> readOps(const fs::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file.string()));
  const Json &json = document.root();
  JsonReport report{file.string(), "", {}};
  const JsonCursor root(json, report);
  OpValues values;
  root.field("ops").forEach([&](const JsonCursor &op, size_t) {
    const std::vector<std::string> sources = op.field("sources").strings();
    for (const std::string &name : op.field("files").strings())
      values.insert(
          {op.field("id").string(), {op.field("kind").string(), sources.empty() ? "" : sources.back(), name}});
  });
  if (report.failure)
    return *report.failure;
  return values;
}

/// The candidate nearest to a tensor.
struct Nearest {
  const OpValue *value = nullptr;
  std::string id;
  Comparison comparison;
  Expected expected;
};

Result<Nearest> findNearest(const HostTensor &actual, const std::vector<std::string> &ids, const OpValues &values,
                            const fs::path &folder, const Tolerance &tolerance) {
  Nearest nearest;
  for (const std::string &id : ids) {
    const auto [begin, end] = values.equal_range(id);
    for (auto it = begin; it != end; ++it) {
      MICA_ASSIGN_OR_RETURN(Expected expected, readExpected(folder / it->second.file, actual.dtype));
      if (expected.tensor.dtype != actual.dtype || expected.tensor.numElements() != actual.numElements())
        continue;
      expected.tensor.shape = actual.shape;
      if (expected.bounds)
        expected.bounds->shape = actual.shape;
      Comparison comparison = compareTensors(actual, expected.tensor, tolerance, expected.boundsOrNull());
      const bool better = !nearest.value || (comparison.same && !nearest.comparison.same) ||
                          (comparison.same == nearest.comparison.same &&
                           std::pair(comparison.nonFinite, comparison.relativeL2) <
                               std::pair(nearest.comparison.nonFinite, nearest.comparison.relativeL2));
      if (better)
        nearest = {&it->second, id, std::move(comparison), std::move(expected)};
    }
  }
  return nearest;
}

const std::vector<std::string> *idsOf(const CapturedTensor &tensor, const artifact::Manifest &manifest) {
  if (tensor.site >= 0)
    return &manifest.sites[static_cast<size_t>(tensor.site)].opIds;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    if (kernel.name == tensor.kernel)
      return &kernel.opIds;
  return nullptr;
}

} // namespace

Result<bool> compareOps(std::span<const CapturedTensor> captured, const artifact::Manifest &manifest,
                        const fs::path &folder, const Tolerance &tolerance) {
  MICA_ASSIGN_OR_RETURN(const OpValues values, readOps(folder / "ops.json"));
  std::string firstDifferent;
  size_t same = 0, different = 0, without = 0;
  for (const CapturedTensor &tensor : captured) {
    MICA_ASSIGN_OR_RETURN(const HostTensor actual, readNpy(tensor.file, tensor.dtype));
    const std::vector<std::string> *ids = idsOf(tensor, manifest);
    MICA_ASSIGN_OR_RETURN(const Nearest nearest,
                          findNearest(actual, ids ? *ids : std::vector<std::string>(), values, folder, tolerance));
    std::string line = "ops: kernel " + tensor.kernel + ", binding " + std::to_string(tensor.binding) + " (" +
                       actual.typeString() + "): ";
    if (!nearest.value) {
      ++without;
      std::printf("%sno op of its group has a value of this type and size\n", line.c_str());
      continue;
    }
    const std::string op = nearest.value->kind + " [" + nearest.id + "]" +
                           (nearest.value->source.empty() ? "" : " at " + nearest.value->source);
    line += op + ": " + describe(nearest.comparison, actual, nearest.expected.tensor, nearest.expected.boundsOrNull());
    std::printf("%s\n", line.c_str());
    if (nearest.comparison.same) {
      ++same;
      continue;
    }
    if (different++ == 0)
      firstDifferent = "kernel " + tensor.kernel + ", " + op + ", " + tensor.file.string();
  }
  std::printf("ops: %zu tensors agree with the reference, %zu differ, %zu have no counterpart\n", same, different,
              without);
  if (different > 0)
    std::printf("ops: first difference: %s\n", firstDifferent.c_str());
  return different == 0;
}

} // namespace mica::runtool
