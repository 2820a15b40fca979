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

/// The sizes of a grid of ranks.
std::vector<int64_t> readGrid(const JsonCursor &cursor) {
  constexpr int64_t kMostRanks = int64_t(1) << 24;
  const JsonCursor field = cursor.field("grid");
  std::vector<int64_t> grid = field.integers(1);
  int64_t ranks = 1;
  for (int64_t size : grid)
    ranks = std::min(kMostRanks + 1, ranks * std::min(size, kMostRanks + 1));
  if (!cursor.failed() && ranks > kMostRanks)
    field.fail("has more than 2^24 ranks");
  return grid;
}

/// Reads axes of `grid`, each once at most.
std::vector<int64_t> readAxes(const JsonCursor &list, const std::vector<int64_t> &grid, std::vector<bool> &used) {
  used.resize(grid.size());
  std::vector<int64_t> axes = list.integers(0);
  for (int64_t axis : axes) {
    if (list.failed())
      return {};
    if (axis >= int64_t(grid.size()) || used[size_t(axis)])
      list.fail("names axis " + std::to_string(axis) + " of a grid of " + std::to_string(grid.size()) +
                " twice, or it has no such axis");
    else
      used[size_t(axis)] = true;
  }
  return axes;
}

static ShardingRecord readSharding(const JsonCursor &cursor, const std::vector<int64_t> &shape) {
  ShardingRecord sharding;
  sharding.grid = readGrid(cursor);
  std::vector<bool> used;
  const JsonCursor axes = cursor.field("axes");
  axes.forEach([&](const JsonCursor &item, size_t) { sharding.axes.push_back(readAxes(item, sharding.grid, used)); });
  if (!cursor.failed() && sharding.axes.size() != shape.size())
    axes.fail("should have an entry for each of the " + std::to_string(shape.size()) + " dimensions");
  for (size_t dim = 0; !cursor.failed() && dim < shape.size(); ++dim)
    if (const int64_t parts = sharding.parts(dim); parts > 1 && (shape[dim] < 0 || shape[dim] % parts != 0))
      axes.fail("splits dimension " + std::to_string(dim) + " into " + std::to_string(parts) +
                " parts of unequal size");
  return sharding;
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
  if (cursor.has("sharding"))
    spec.sharding = readSharding(cursor.field("sharding"), spec.shape);
  if (cursor.has("source_name"))
    spec.sourceName = cursor.field("source_name").string();
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
  if (spec.sharding)
    json["sharding"] = Json{{"grid", spec.sharding->grid}, {"axes", spec.sharding->axes}};
  if (!spec.sourceName.empty())
    json["source_name"] = spec.sourceName;
  return json;
}

int64_t ShardingRecord::parts(size_t dim) const {
  int64_t count = 1;
  for (int64_t axis : axes[dim])
    count *= grid[size_t(axis)];
  return count;
}

int64_t ShardingRecord::partOf(size_t dim, int64_t rank) const {
  std::vector<int64_t> position(grid.size());
  for (size_t axis = grid.size(); axis-- > 0; rank /= grid[axis])
    position[axis] = rank % grid[axis];
  int64_t part = 0;
  for (int64_t axis : axes[dim])
    part = part * grid[size_t(axis)] + position[size_t(axis)];
  return part;
}

std::vector<int64_t> TensorSpec::rankShape() const {
  std::vector<int64_t> sizes = shape;
  for (size_t dim = 0; sharding && dim < sizes.size(); ++dim)
    if (sizes[dim] >= 0)
      sizes[dim] /= sharding->parts(dim);
  return sizes;
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
