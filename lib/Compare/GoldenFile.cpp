//===- GoldenFile.cpp - golden.json, the record of a run that was kept --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/GoldenFile.h"

#include "lib/Support/Json.h"
#include "mica/Compare/Criteria.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Schemas.h"

#include <charconv>

namespace fs = std::filesystem;

namespace mica {
namespace {

constexpr std::string_view kHint = "keep the run again: mica-run PROGRAM --save-golden=DIR";

/// Golden data comes from others: it may name files of its own folder only.
bool isInside(const std::string &name) {
  const fs::path path = splitArchiveMember(name).file;
  if (path.empty() || path.is_absolute() || name.find('\0') != std::string::npos)
    return false;
  for (const fs::path &part : path)
    if (part == "..")
      return false;
  return path.extension() == ".npy" || archiveForm(path);
}

GoldenTensor parseTensor(const JsonCursor &cursor, bool isResult) {
  GoldenTensor tensor;
  const std::string type = cursor.field("type").string();
  tensor.file = cursor.field("file").string();
  tensor.hash = cursor.field("hash").string();
  if (cursor.failed())
    return tensor;
  if (Result<artifact::TensorSpec> parsed = parseTensorType(type))
    tensor.type = *std::move(parsed);
  else
    cursor.field("type").fail("is no tensor type, got '" + type + "'");
  if (cursor.has("name"))
    tensor.type.name = cursor.field("name").string();
  if (isResult && cursor.has("argument"))
    tensor.type.updates = cursor.field("argument").integer(0, 1 << 20);
  if (!isResult && cursor.has("from"))
    tensor.from = cursor.field("from").string();
  if (isResult && cursor.has("compare"))
    tensor.compare = cursor.field("compare").string();
  if (!isInside(tensor.file))
    cursor.field("file").fail("is no .npy, .npz or .safetensors file of its folder, got '" + tensor.file + "'");
  return tensor;
}

Json printTensor(const GoldenTensor &tensor) {
  Json json = Json::object();
  if (!tensor.type.name.empty())
    json["name"] = tensor.type.name;
  json["type"] = shapedTypeString(tensor.type.shape, tensor.type.dtype);
  json["file"] = tensor.file;
  json["hash"] = tensor.hash;
  if (tensor.type.updates >= 0)
    json["argument"] = tensor.type.updates;
  if (!tensor.from.empty())
    json["from"] = tensor.from;
  if (!tensor.compare.empty())
    json["compare"] = tensor.compare;
  return json;
}

} // namespace

Result<Golden> parseGolden(std::string_view text, const std::string &file) {
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file));
  JsonReport report{file, std::string(kHint), {}};
  const JsonCursor root(document.root(), report);
  Golden golden;
  const std::string format = root.field("format").string(), number = root.field("schema").string();
  if (!report.failure && format != schemaFormat(Schema::Golden))
    root.field("format").fail("is '" + format + "', expected '" + schemaFormat(Schema::Golden) + "'");
  if (report.failure)
    return *report.failure;
  int major = 0;
  std::from_chars(number.data(), number.data() + number.size(), major);
  if (major != schemaInfo(Schema::Golden).major)
    return Error{ErrorCode::Unsupported,
                 file + ": schema " + number + " is not supported, expected " +
                     std::to_string(schemaInfo(Schema::Golden).major) + ".x",
                 std::string(kHint)};
  golden.micaVersion = root.field("mica").string();
  const JsonCursor program = root.field("program");
  golden.program = program.field("name").string();
  golden.programHash = program.field("hash").string();
  golden.entry = program.field("entry").string();
  golden.weights = program.field("weights").strings();
  const JsonCursor run = root.field("run");
  golden.target = run.field("target").string();
  golden.cpu = run.field("cpu").string();
  golden.devices = run.field("devices").strings();
  run.field("options").forEachMember(
      [&](const std::string &key, const JsonCursor &value) { golden.options[key] = value.string(); });
  golden.switches = run.field("switches").string();
  golden.schedule = run.field("schedule").string();
  golden.threads = run.field("threads").integer(0, 4096);
  golden.compare = root.field("compare").string();
  root.field("inputs").forEach(
      [&](const JsonCursor &item, size_t) { golden.inputs.push_back(parseTensor(item, false)); });
  root.field("results").forEach(
      [&](const JsonCursor &item, size_t) { golden.results.push_back(parseTensor(item, true)); });
  if (report.failure)
    return *report.failure;
  std::vector<std::string> criteria{golden.compare};
  for (const GoldenTensor &result : golden.results)
    criteria.push_back(result.compare);
  for (const std::string &each : criteria)
    if (!each.empty())
      if (const Result<Criteria> parsed = parseCriteria(each); !parsed)
        return Error{ErrorCode::InvalidInput, file + ": compare: " + parsed.error().message, parsed.error().hint};
  return golden;
}

std::string printGolden(const Golden &golden) {
  Json json = Json::object();
  json["format"] = schemaFormat(Schema::Golden);
  json["schema"] = schemaVersion(Schema::Golden);
  json["mica"] = golden.micaVersion;
  json["program"] = {
      {"name", golden.program}, {"hash", golden.programHash}, {"entry", golden.entry}, {"weights", golden.weights}};
  Json options = Json::object();
  for (const auto &[key, value] : golden.options)
    options[key] = value;
  json["run"] = {{"target", golden.target},  {"cpu", golden.cpu},           {"devices", golden.devices},
                 {"options", options},       {"switches", golden.switches}, {"schedule", golden.schedule},
                 {"threads", golden.threads}};
  json["compare"] = golden.compare;
  for (const auto &[key, tensors] : {std::pair("inputs", &golden.inputs), std::pair("results", &golden.results)}) {
    json[key] = Json::array();
    for (const GoldenTensor &tensor : *tensors)
      json[key].push_back(printTensor(tensor));
  }
  return printJson(json);
}

std::string tensorHash(DType dtype, const std::vector<int64_t> &shape, std::string_view elements) {
  Hasher hasher;
  hasher.update(shapedTypeString(shape, dtype));
  hasher.update(std::string_view("\n"));
  hasher.update(elements);
  return hasher.hex();
}

std::string tensorHash(const HostTensor &tensor) {
  return tensorHash(tensor.dtype, tensor.shape,
                    {reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size()});
}

Result<HostTensor> readGoldenTensor(const fs::path &folder, const GoldenTensor &which) {
  const ArchiveMember member = splitArchiveMember(which.file);
  const fs::path file = folder / member.file;
  const TypeCheck check = [&](const HostTensor &type) -> Status {
    if (type.dtype == which.type.dtype && type.shape == which.type.shape)
      return {};
    return Error{ErrorCode::Damaged,
                 (folder / which.file).string() + ": got " + type.typeString() + ", expected " +
                     shapedTypeString(which.type.shape, which.type.dtype) + " as golden.json says",
                 std::string(kHint)};
  };
  Result<HostTensor> tensor = Error{ErrorCode::NotFound, "", ""};
  if (archiveForm(file)) {
    MICA_ASSIGN_OR_RETURN(const auto archive, TensorArchive::open(file));
    tensor = archive->read(member.tensor, which.type.dtype, check);
  } else {
    tensor = readNpy(file, which.type.dtype, check);
  }
  if (!tensor)
    return tensor.error();
  if (const std::string hash = tensorHash(*tensor); hash != which.hash)
    return Error{ErrorCode::Damaged,
                 (folder / which.file).string() + ": is not the tensor that was kept: its hash is " + hash +
                     ", expected " + which.hash,
                 std::string(kHint) + "; the folder without golden.json is taken as it is"};
  return tensor;
}

} // namespace mica
