//===- DumpTensors.cpp - the tensors of a dump for the page ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Elements travel as base64 of little-endian floats: of f32 where that holds the type, else of f64. Each tensor is a
// text of its own, which the page loads when it is shown; equal tensors share one.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/DumpTensors.h"

#include "mica/Dump/Dump.h"
#include "mica/Support/Base64.h"
#include "mica/Support/Text.h"
#include "mica/Trace/JsonScan.h"

#include <cmath>
#include <map>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

constexpr size_t kMostTensors = 5000;

/// Whether f32 has all values of the type.
bool fitsFloat(DType type) {
  switch (type) {
  case DType::F64:
  case DType::I64:
  case DType::UI64:
  case DType::I32:
  case DType::UI32:
  case DType::Index:
    return false;
  default:
    return true;
  }
}

template <typename Float> std::string encoded(const HostTensor &tensor) {
  std::vector<Float> values(size_t(tensor.numElements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = Float(tensor.asDouble(int64_t(i)));
  return encodeBase64({reinterpret_cast<const char *>(values.data()), values.size() * sizeof(Float)});
}

/// As the page reads a number that JSON has not.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

} // namespace

Result<Json> dumpOf(ArtifactContext &context, const fs::path &run, int64_t &room) {
  const fs::path folder = run / "dump", index = folder / dump::kIndexFile;
  std::error_code ignored;
  if (!fs::exists(index, ignored))
    return Json(nullptr);
  const fs::path payload = folder / dump::kPayloadFile;
  if (!liesInside(context.artifact.folder(), index) ||
      (fs::exists(payload, ignored) && !liesInside(context.artifact.folder(), payload)))
    return Json(nullptr);
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  if (!dump) {
    context.notes.push_back("the dump of run " + trace::validUtf8(run.filename().string()) +
                            " is not shown: " + trace::validUtf8(dump.error().message));
    return Json(nullptr);
  }
  std::map<std::pair<int64_t, int64_t>, int64_t> texts; ///< by offset and bytes
  Json rows = Json::array();
  int64_t left = 0; // elements that there is no room for
  for (size_t i = 0; i < dump->tensors().size() && i < kMostTensors; ++i) {
    const dump::Tensor &tensor = dump->tensors()[i];
    const dump::Launch &launch = dump->launchOf(tensor);
    const dump::Site &site = dump->siteOf(tensor);
    const dump::Binding &binding = dump->bindingOf(tensor);
    const dump::Op *op = dump->opOf(tensor);
    const dump::Statistics &values = tensor.statistics;
    const bool isWide = !fitsFloat(tensor.dtype);
    const int64_t bytes = tensor.elements() * (isWide ? 8 : 4);
    int64_t text = -1;
    if (tensor.offset >= 0 && bytes > 0) {
      const auto [it, isNew] = texts.try_emplace({tensor.offset, tensor.bytes}, -1);
      if (isNew && context.tensors && bytes <= room) {
        if (const Result<HostTensor> elements = dump->read(tensor); elements) {
          MICA_ASSIGN_OR_RETURN(it->second,
                                context.addText(isWide ? encoded<double>(*elements) : encoded<float>(*elements)));
          room -= bytes;
        }
      }
      text = it->second;
      left += text < 0;
    }
    Json statistics = tensor.hash.empty()
                          ? Json(nullptr)
                          : row(number(values.min), number(values.max), number(values.mean), number(values.absMax),
                                values.nan, values.inf, values.zero, values.count);
    std::string from = tensor.from;
    if (tensor.fromLaunch >= 0)
      from = "launch " + std::to_string(tensor.fromLaunch);
    rows.push_back(row(launch.number, launch.iteration, tensor.isAfter, std::string(dump::roleName(binding.role)),
                       trace::validUtf8(binding.name), std::string(dtypeName(tensor.dtype)), tensor.shape,
                       context.kernelNumber(site.kernel), op ? context.names.id(op->id) : std::string(),
                       trace::validUtf8(from), tensor.isChanged, std::move(statistics), tensor.hash.substr(0, 12), text,
                       isWide, trace::validUtf8(tensor.missing), tensor.sampledBytes > 0,
                       dump->written(tensor.fromLaunch, tensor.fromBinding)));
  }
  Json missing = Json::array();
  for (const dump::Missing &lack : dump->missing())
    missing.push_back(row(trace::validUtf8(lack.why), lack.tensors, lack.bytes));
  return row(dump->level(), dump->ended(), std::move(missing), std::move(rows), left, int64_t(dump->tensors().size()));
}

} // namespace mica::report
