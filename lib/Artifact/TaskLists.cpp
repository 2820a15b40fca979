//===- TaskLists.cpp - host/tasks.json ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reader and writer of the task lists. The runtime executes them without checking indices and sizes, so every one is
// checked here.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Artifact/ManifestJson.h"

#include "mica/ABI/Kernel.h"
#include "mica/Support/Schemas.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace mica::artifact {
namespace {

constexpr std::string_view kFormat = schemaInfo(Schema::Tasks).format;

struct KindRow {
  BufferKind kind;
  std::string_view name;
};
constexpr std::array<KindRow, 4> kKinds{{{BufferKind::Parameter, "parameter"},
                                         {BufferKind::Constant, "constant"},
                                         {BufferKind::Arena, "arena"},
                                         {BufferKind::Dynamic, "dynamic"}}};

std::string_view kindName(BufferKind kind) {
  for (const KindRow &row : kKinds)
    if (row.kind == kind)
      return row.name;
  return "";
}

/// The last index of a list of `count` elements.
int64_t last(size_t count) { return static_cast<int64_t>(count) - 1; }

/// Checks that [offset, offset + bytes) is within `room` bytes of `what`.
void checkRange(const JsonCursor &item, int64_t offset, int64_t bytes, int64_t room, const std::string &what) {
  if (!item.failed() && (offset > room || bytes > room - offset))
    item.fail("is bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) + " of " + what +
              ", which has " + std::to_string(room));
}

/// The first buffer of a parameter is all of it. Later ones may be parts.
void checkParameter(const JsonCursor &item, const BufferRecord &buffer, const TaskList &list) {
  if (item.failed())
    return;
  const auto whole = std::find_if(list.buffers.begin(), list.buffers.end(), [&](const BufferRecord &other) {
    return other.kind == BufferKind::Parameter && other.index == buffer.index;
  });
  if (whole == list.buffers.end() && buffer.offset != 0)
    item.field("offset").fail("is " + std::to_string(buffer.offset) + ", should be 0: the first buffer of parameter " +
                              std::to_string(buffer.index) + " is all of it");
  // If the parameter's size is dynamic, it is checked against the launches of an edited list.
  else if (whole != list.buffers.end() && whole->bytes >= 0)
    checkRange(item, buffer.offset, std::max<int64_t>(buffer.bytes, 0), whole->bytes,
               "parameter " + std::to_string(buffer.index) + " of " + list.name);
}

/// Reads which part of `constant` a rank has; returns its bytes.
int64_t readPart(const JsonCursor &item, const ConstantRecord &constant, BufferRecord &buffer) {
  ShardingRecord part;
  part.grid = readGrid(item);
  std::vector<bool> used;
  part.axes = {readAxes(item.field("axes"), part.grid, used)};
  if (item.failed())
    return 0;
  const int64_t parts = part.parts(0);
  if (constant.type.shape.empty() || constant.type.shape[0] != parts)
    item.fail("is for " + std::to_string(parts) + " parts, the constant " + constant.name + " is " +
              shapedTypeString(constant.type.shape, constant.type.dtype));
  buffer.partBytes = constant.bytes / parts;
  if (!item.failed() && buffer.partBytes % MICA_BUFFER_ALIGNMENT != 0)
    item.fail("gives each rank " + std::to_string(buffer.partBytes) + " bytes, should be a multiple of " +
              std::to_string(MICA_BUFFER_ALIGNMENT));
  buffer.part = std::move(part);
  return buffer.partBytes;
}

BufferRecord readBuffer(const JsonCursor &item, const TaskList &list, const Manifest &manifest) {
  BufferRecord buffer;
  const JsonCursor kindKey = item.field("kind");
  const std::string kind = kindKey.string();
  bool known = false;
  for (const KindRow &row : kKinds) {
    if (row.name == kind) {
      buffer.kind = row.kind;
      known = true;
    }
  }
  if (!known && !item.failed())
    kindKey.fail("should be parameter, constant, arena or dynamic, found \"" + kind + "\"");
  buffer.type = readSpec(item);
  if (item.failed())
    return buffer;
  const int64_t limit = int64_t(1) << 61;
  switch (buffer.kind) {
  case BufferKind::Parameter:
    buffer.index = item.field("index").integer(0, list.parameters - 1);
    buffer.offset = item.field("offset").integer(0, limit);
    buffer.bytes = item.field("bytes").integer(-1, limit);
    checkParameter(item, buffer, list);
    break;
  case BufferKind::Constant:
    buffer.index = item.field("index").integer(0, last(manifest.constants.size()));
    buffer.offset = item.field("offset").integer(0, limit);
    buffer.bytes = item.field("bytes").integer(0, limit);
    if (!item.failed()) {
      const ConstantRecord &constant = manifest.constants[static_cast<size_t>(buffer.index)];
      int64_t room = constant.bytes;
      if (item.has("part"))
        room = readPart(item.field("part"), constant, buffer);
      checkRange(item, buffer.offset, buffer.bytes, room, "the constant " + constant.name);
    }
    break;
  case BufferKind::Arena:
    buffer.offset = item.field("offset").integer(0, limit);
    buffer.bytes = item.field("bytes").integer(0, limit);
    if (!item.failed() && buffer.offset % MICA_BUFFER_ALIGNMENT != 0)
      item.field("offset").fail("is " + std::to_string(buffer.offset) + ", should be a multiple of " +
                                std::to_string(MICA_BUFFER_ALIGNMENT));
    checkRange(item, buffer.offset, buffer.bytes, list.arenaBytes, "the arena of " + list.name);
    break;
  case BufferKind::Dynamic:
    buffer.bytes = -1;
    buffer.sizeScalar = item.field("size_scalar").integer(0, list.scalars - 1);
    if (item.has("view_of")) {
      const JsonCursor viewKey = item.field("view_of");
      buffer.offset = item.field("offset").integer(0, limit);
      buffer.viewOf = viewKey.integer(0, last(list.buffers.size()));
      if (!item.failed() && (list.buffers[static_cast<size_t>(buffer.viewOf)].kind != BufferKind::Dynamic ||
                             list.buffers[static_cast<size_t>(buffer.viewOf)].viewOf >= 0))
        viewKey.fail("is " + std::to_string(buffer.viewOf) + ", should be a dynamic buffer with memory of its own");
    }
    break;
  }
  const int64_t needed = item.failed() ? -1 : staticBytes(buffer.type);
  // A buffer in an arena or a constant may have padding; a parameter has its exact size.
  const bool isExact = buffer.kind == BufferKind::Parameter && needed >= 0;
  if (!item.failed() && (isExact ? needed != buffer.bytes : buffer.bytes >= 0 && needed > buffer.bytes))
    item.field("bytes").fail("is " + std::to_string(buffer.bytes) + ", but " +
                             shapedTypeString(buffer.type.shape, buffer.type.dtype) + " takes " +
                             std::to_string(needed));
  return buffer;
}

using KernelsByName = std::map<std::string, const KernelRecord *>;

TaskRecord readTask(const JsonCursor &item, const TaskList &list, const Manifest &manifest,
                    const KernelsByName &kernels) {
  TaskRecord task;
  const JsonCursor kernelKey = item.field("kernel"), buffers = item.field("buffers"), scalars = item.field("scalars");
  task.kernel = kernelKey.string();
  task.buffers = buffers.integers(0, last(list.buffers.size()));
  task.scalars = scalars.integers(0, list.scalars - 1);
  task.deps = item.field("deps").integers(0, last(list.tasks.size()));
  const JsonCursor siteKey = item.field("site");
  task.site = siteKey.integer(-1, last(manifest.sites.size()));
  task.device = item.field("device").string();
  if (item.failed())
    return task;

  auto found = kernels.find(task.kernel);
  if (found == kernels.end()) {
    kernelKey.fail("names the kernel '" + task.kernel + "', which the manifest does not have");
    return task;
  }
  const KernelRecord &kernel = *found->second;
  int64_t scalarCount = kernel.scalarArgs;
  for (const BindingRecord &binding : kernel.bindings)
    scalarCount += dynamicDims(binding.type);
  if (task.buffers.size() != kernel.bindings.size())
    buffers.fail("has " + std::to_string(task.buffers.size()) + " elements, the kernel '" + task.kernel + "' has " +
                 std::to_string(kernel.bindings.size()) + " bindings");
  else if (static_cast<int64_t>(task.scalars.size()) != scalarCount)
    scalars.fail("has " + std::to_string(task.scalars.size()) + " elements, the kernel '" + task.kernel + "' takes " +
                 std::to_string(scalarCount) + " (dynamic dimensions, then arguments)");
  else if (task.site >= 0 && manifest.sites[static_cast<size_t>(task.site)].kernel != task.kernel)
    siteKey.fail("is " + std::to_string(task.site) + ", a launch of '" +
                 manifest.sites[static_cast<size_t>(task.site)].kernel + "', not of '" + task.kernel + "'");
  for (size_t i = 0; i < task.buffers.size() && !item.failed(); ++i) {
    const BufferRecord &buffer = list.buffers[static_cast<size_t>(task.buffers[i])];
    const int64_t needed = staticBytes(kernel.bindings[i].type);
    if (buffer.bytes >= 0 && needed > buffer.bytes)
      buffers.fail("gives binding " + std::to_string(i) + " of the kernel '" + task.kernel + "' " +
                   std::to_string(buffer.bytes) + " bytes, it needs " + std::to_string(needed));
    else if (buffer.kind == BufferKind::Constant && kernel.bindings[i].access != Access::Read)
      buffers.fail("lets the kernel '" + task.kernel + "' write to a constant (binding " + std::to_string(i) + ")");
  }
  return task;
}

} // namespace

Result<std::vector<TaskList>> parseTaskLists(std::string_view text, std::string_view file, const Manifest &manifest) {
  const std::string hint = "the file was cut off or edited, or belongs to another manifest; restore it, or compile "
                           "the model again";
  Result<JsonDocument> json = parseJson(text, file);
  if (!json)
    return Error{json.error().code, json.error().message, hint};
  JsonReport report{std::string(file), hint, {}};
  const JsonCursor root(json->root(), report);
  int major = 0, minor = 0;
  MICA_RETURN_IF_ERROR(readSchema(root, report, kFormat, major, minor));

  KernelsByName kernels;
  for (const KernelRecord &kernel : manifest.kernels)
    kernels[kernel.name] = &kernel;
  std::set<std::string> names;
  std::vector<TaskList> lists;
  root.field("lists").forEach([&](const JsonCursor &item, size_t) {
    TaskList list;
    const JsonCursor name = item.field("name");
    list.name = name.string();
    if (!item.failed() && !names.insert(list.name).second)
      name.fail("names '" + list.name + "' a second time");
    list.parameters = item.field("parameters").integer(0);
    list.scalars = item.field("scalars").integer(0);
    list.arenaBytes = item.field("arena_bytes").integer(0, int64_t(1) << 61);
    item.field("buffers").forEach(
        [&](const JsonCursor &buffer, size_t) { list.buffers.push_back(readBuffer(buffer, list, manifest)); });
    item.field("tasks").forEach(
        [&](const JsonCursor &task, size_t) { list.tasks.push_back(readTask(task, list, manifest, kernels)); });
    lists.push_back(std::move(list));
  });
  if (report.failure)
    return *report.failure;
  return lists;
}

std::string printTaskLists(const std::vector<TaskList> &lists) {
  Json json = Json::object();
  json["format"] = std::string(kFormat);
  json["schema"] = schemaText();
  Json items = Json::array();
  for (const TaskList &list : lists) {
    Json item = Json::object();
    item["name"] = list.name;
    item["parameters"] = list.parameters;
    item["scalars"] = list.scalars;
    item["arena_bytes"] = list.arenaBytes;
    Json buffers = Json::array();
    for (const BufferRecord &buffer : list.buffers) {
      Json entry = Json::object();
      entry["kind"] = std::string(kindName(buffer.kind));
      if (buffer.kind == BufferKind::Parameter || buffer.kind == BufferKind::Constant)
        entry["index"] = buffer.index;
      if (buffer.kind == BufferKind::Dynamic) {
        entry["size_scalar"] = buffer.sizeScalar;
        if (buffer.viewOf >= 0) {
          entry["view_of"] = buffer.viewOf;
          entry["offset"] = buffer.offset;
        }
      } else {
        entry["offset"] = buffer.offset;
        entry["bytes"] = buffer.bytes;
      }
      if (buffer.part)
        entry["part"] = Json{{"grid", buffer.part->grid}, {"axes", buffer.part->axes[0]}};
      entry.update(printSpec(buffer.type));
      buffers.push_back(std::move(entry));
    }
    item["buffers"] = std::move(buffers);
    Json tasks = Json::array();
    for (const TaskRecord &task : list.tasks)
      tasks.push_back(Json{{"kernel", task.kernel},
                           {"buffers", task.buffers},
                           {"scalars", task.scalars},
                           {"deps", task.deps},
                           {"site", task.site},
                           {"device", task.device}});
    item["tasks"] = std::move(tasks);
    items.push_back(std::move(item));
  }
  json["lists"] = std::move(items);
  return printJson(json);
}

} // namespace mica::artifact
