//===- ManifestJson.cpp - shared parts of manifest.json and tasks.json -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header. docs/Artifact.md describes the keys.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Artifact/ManifestJson.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Text.h"

#include <charconv>

namespace mica::artifact {

// These three files share one version.
static_assert(schemaInfo(Schema::Manifest).major == kSchemaMajor &&
              schemaInfo(Schema::Manifest).minor == kSchemaMinor && schemaInfo(Schema::Tasks).major == kSchemaMajor &&
              schemaInfo(Schema::Tasks).minor == kSchemaMinor && schemaInfo(Schema::Launch).major == kSchemaMajor &&
              schemaInfo(Schema::Launch).minor == kSchemaMinor);

std::string schemaText() { return std::to_string(kSchemaMajor) + "." + std::to_string(kSchemaMinor); }

Status readSchema(const JsonCursor &root, JsonReport &report, std::string_view format, int &major, int &minor) {
  const JsonCursor formatKey = root.field("format");
  const std::string found = formatKey.string();
  if (!report.failure && found != format)
    formatKey.fail("should be \"" + std::string(format) + "\", found \"" + found + "\"");
  const JsonCursor schemaKey = root.field("schema");
  const std::string schema = schemaKey.string();
  if (report.failure)
    return *report.failure;
  const std::vector<std::string> parts = splitText(schema, '.');
  auto parse = [](const std::string &text, int &value) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0;
  };
  if (parts.size() != 2 || !parse(parts[0], major) || !parse(parts[1], minor)) {
    schemaKey.fail("should be MAJOR.MINOR such as \"" + schemaText() + "\", found \"" + schema + "\"");
    return *report.failure;
  }
  if (major > kSchemaMajor)
    return Error{ErrorCode::Unsupported,
                 report.file + ": schema " + schema + " is newer than this Mica reads (" + schemaText() + ")",
                 "use the Mica that wrote it (manifest.json: tools.mica), or compile the model again with this one"};
  return {};
}

TensorSpec readSpec(const JsonCursor &cursor) {
  TensorSpec spec;
  if (cursor.has("name"))
    spec.name = cursor.field("name").string();
  const JsonCursor dtype = cursor.field("dtype");
  const std::string name = dtype.string();
  if (std::optional<DType> type = parseDType(name))
    spec.dtype = *type;
  else if (!dtype.failed())
    dtype.fail("should be an element type such as \"f32\", found \"" + name + "\"");
  const JsonCursor shape = cursor.field("shape");
  spec.shape = shape.integers(-1);
  // Only static sizes: dynamic ones may be 0 at run time.
  std::vector<int64_t> known = spec.shape;
  std::erase(known, -1);
  if (!cursor.failed() && !checkedBytes(known, dtypeBytes(spec.dtype)))
    shape.fail("has more than 2^63 bytes");
  if (cursor.has("updates"))
    spec.updates = cursor.field("updates").integer(0);
  if (cursor.has("position")) {
    const JsonCursor position = cursor.field("position");
    spec.position = SourcePosition{position.field("file").string(), position.field("line").integer(0),
                                   position.field("column").integer(0)};
  }
  return spec;
}

Json printSpec(const TensorSpec &spec) {
  Json json = Json::object();
  if (!spec.name.empty())
    json["name"] = spec.name;
  json["dtype"] = std::string(dtypeName(spec.dtype));
  json["shape"] = spec.shape;
  if (spec.updates >= 0)
    json["updates"] = spec.updates;
  if (spec.position)
    json["position"] =
        Json{{"file", spec.position->file}, {"line", spec.position->line}, {"column", spec.position->column}};
  return json;
}

int64_t staticBytes(const TensorSpec &spec) {
  return dynamicDims(spec) > 0 ? -1 : checkedBytes(spec.shape, dtypeBytes(spec.dtype)).value_or(-1);
}

int64_t dynamicDims(const TensorSpec &spec) {
  int64_t count = 0;
  for (int64_t size : spec.shape)
    count += size < 0;
  return count;
}

} // namespace mica::artifact
