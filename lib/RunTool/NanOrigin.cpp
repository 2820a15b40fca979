//===- NanOrigin.cpp - finding the origin of a NaN in a fused kernel ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/NanOrigin.h"

#include "lib/RunTool/Checks.h"
#include "lib/Support/Json.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <cmath>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The kernel that the message of nan-check names; null for other errors.
const artifact::KernelRecord *kernelOf(const Error &error, const artifact::Manifest &manifest) {
  if (!error.message.starts_with("NaN/Inf: "))
    return nullptr;
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    if (error.message.find("; in kernel '" + kernel.name + "'") != std::string::npos)
      return &kernel;
  return nullptr;
}

/// NaN or +inf; -inf is used by masks.
bool hasBad(const HostTensor &tensor, std::string &first) {
  if (!isFloat(tensor.dtype))
    return false;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    const double value = tensor.asDouble(i);
    if (!std::isnan(value) && !(std::isinf(value) && value > 0))
      continue;
    first = std::isnan(value) ? "nan" : "inf";
    return true;
  }
  return false;
}

/// "mica.div [3ee125ca38da] at n.mlir:3:8 gives nan", of the first operation with such a value.
Result<std::string> firstBad(const fs::path &folder) {
  const fs::path file = folder / "ops.json";
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file.string()));
  const Json &json = document.root();
  JsonReport report{file.string(), "", {}};
  std::string found;
  JsonCursor(json, report).field("ops").forEach([&](const JsonCursor &op, size_t) {
    for (const std::string &name : op.field("files").strings()) {
      std::string value;
      if (!found.empty())
        return;
      Result<HostTensor> tensor = readNpy(folder / name);
      if (!tensor || !hasBad(*tensor, value))
        continue;
      const std::vector<std::string> sources = op.field("sources").strings();
      found = op.field("kind").string() + " [" + op.field("id").string() + "]" +
              (sources.empty() ? "" : " at " + sources.back()) + " gives " + value;
    }
  });
  if (report.failure)
    return *report.failure;
  return found;
}

} // namespace

Error withNanOrigin(const Options &options, const fs::path &artifact, const artifact::Manifest &manifest,
                    const artifact::EntryRecord &entry, const RunFolder &run, Error error) {
  const artifact::KernelRecord *kernel = kernelOf(error, manifest);
  // The kernel's replay has found it already.
  if (!kernel || kernel->opIds.size() < 2 || error.message.find("; the kernel gives ") != std::string::npos)
    return error;
  Options evaluation = options;
  evaluation.checkOps = true;
  // Programs of later phases have no source operations to name.
  const Result<int> code = evaluateReference(evaluation, artifact, entry, run, /*quiet=*/true);
  if (!code || *code != 0)
    return error;
  const Result<std::string> origin = firstBad(run.path() / "data" / "reference" / "ops");
  if (origin && !origin->empty())
    error.message += "; first in the reference evaluator: " + *origin;
  return error;
}

} // namespace mica::runtool
