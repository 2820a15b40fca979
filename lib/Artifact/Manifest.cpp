//===- Manifest.cpp - manifest.json and launch.json --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reader and writer of the manifest. The reader validates everything that its users rely on, so that an error in an
// edited file is reported here: unique names, indices in range, consistent sizes.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/Manifest.h"

#include "mica/Support/Schemas.h"

#include "lib/Artifact/CollectiveJson.h"
#include "lib/Artifact/ManifestJson.h"
#include "mica/ABI/Kernel.h"

#include <algorithm>
#include <map>
#include <set>

namespace mica::artifact {
namespace {

constexpr std::string_view kFormat = schemaInfo(Schema::Manifest).format;

std::string_view accessName(Access access) {
  switch (access) {
  case Access::Read:
    return "read";
  case Access::Write:
    return "write";
  case Access::ReadWrite:
    return "readwrite";
  }
  return "";
}

//===-----------------------------------------------------------------------------------------------------------===//
// Writing
//===-----------------------------------------------------------------------------------------------------------===//

template <typename Items, typename Print> Json printList(const Items &items, Print print) {
  Json list = Json::array();
  for (const auto &item : items)
    list.push_back(print(item));
  return list;
}

Json printCheck(const CheckRecord &check) {
  Json item = Json::object();
  if (!check.kind.empty()) {
    item["kind"] = check.kind;
    item["binding"] = check.binding;
  }
  if (check.kind.empty() || check.isLoop())
    item["message"] = check.message;
  item["ops"] = check.ops;
  if (check.part >= 0)
    item["part"] = check.part;
  if (check.temporary >= 0)
    item["temporary"] = check.temporary;
  return item;
}

Json printChecks(const KernelChecks &checks) {
  Json json = Json{{"proved", checks.proved},
                   {"kept", checks.sites.size()},
                   {"not_checkable", checks.notCheckable},
                   {"sites", printList(checks.sites, printCheck)}};
  if (!checks.finite.empty())
    json["finite"] = checks.finite;
  if (checks.shadows)
    json["shadows"] = Json{{"fills", checks.shadows->fills},
                           {"allocations", printList(checks.shadows->allocations, [](const auto &allocation) {
                              Json item = printSpec(allocation.type);
                              item["ops"] = allocation.ops;
                              item["writers"] = allocation.writers;
                              return item;
                            })}};
  return json;
}

Json printKernel(const KernelRecord &kernel) {
  Json json = Json::object();
  json["name"] = kernel.name;
  json["root_kind"] = kernel.rootKind;
  json["op_ids"] = kernel.opIds;
  json["op_kinds"] = kernel.opKinds;
  json["bindings"] = printList(kernel.bindings, [](const BindingRecord &binding) {
    Json item = printSpec(binding.type);
    item["access"] = std::string(accessName(binding.access));
    if (binding.shareElements > 0)
      item["share_elements"] = binding.shareElements;
    if (binding.op >= 0)
      item["op"] = binding.op;
    return item;
  });
  json["scalar_args"] = kernel.scalarArgs;
  json["grid"] = kernel.grid;
  json["scratch_bytes"] = kernel.scratchBytes;
  json["flops"] = kernel.flops;
  json["hash"] = kernel.hash;
  json["strategy"] = kernel.strategy;
  if (kernel.masks)
    json["masks"] = true;
  if (kernel.checks)
    json["checks"] = printChecks(*kernel.checks);
  if (kernel.device)
    json["device"] = Json{{"file", kernel.device->file},
                          {"chip", kernel.device->chip},
                          {"entries", printList(kernel.device->entries, [](const DeviceEntry &entry) {
                             return Json{{"name", entry.name},
                                         {"registers", entry.registers},
                                         {"spill_bytes", entry.spillBytes},
                                         {"shared_bytes", entry.sharedBytes}};
                           })}};
  for (const auto &[key, replay] :
       {std::pair("replay", &kernel.replay), std::pair("fault_replay", &kernel.faultReplay)})
    if (*replay)
      json[key] = Json{{"scratch_bytes", (*replay)->scratchBytes}, {"sites", printList((*replay)->sites, printCheck)}};
  if (kernel.dumpReplay)
    json["dump_replay"] = Json{{"scratch_bytes", kernel.dumpReplay->scratchBytes},
                               {"checks", kernel.dumpReplay->checks},
                               {"tensors", printList(kernel.dumpReplay->tensors, [](const DumpReplay::Tensor &tensor) {
                                  Json item = printSpec(tensor.type);
                                  item["op"] = tensor.op;
                                  item["sizes"] = printList(tensor.sizes, [](const DumpReplay::Size &size) {
                                    return Json{{"binding", size.binding}, {"dim", size.dim}};
                                  });
                                  return item;
                                })}};
  if (!kernel.hostReason.empty())
    json["host_reason"] = kernel.hostReason;
  if (kernel.collective)
    json["collective"] = printCollective(*kernel.collective);
  return json;
}

Json printEntry(const EntryRecord &entry) {
  Json json{{"name", entry.name},
            {"args", printList(entry.args, printSpec)},
            {"results", printList(entry.results, printSpec)}};
  if (!entry.relatedSizes.empty())
    json["related_sizes"] = printList(entry.relatedSizes, [](const SizeRelation &relation) {
      Json item{{"argument", relation.argument}, {"dimension", relation.dimension}};
      if (relation.other < 0)
        item["size"] = relation.size;
      else
        item.update(Json{{"other", relation.other}, {"other_dimension", relation.otherDimension}});
      item["op"] = relation.op;
      return item;
    });
  return json;
}

Json printConstant(const ConstantRecord &constant) {
  Json json = printSpec(constant.type);
  json.erase("name");
  Json item = Json::object();
  item["name"] = constant.name;
  item.update(json);
  item["offset"] = constant.offset;
  item["bytes"] = constant.bytes;
  return item;
}

Json printPosition(const SourcePosition &position) {
  Json json = Json::object();
  json["file"] = position.file;
  json["line"] = position.line;
  json["column"] = position.column;
  return json;
}

Json printOp(const OpRecord &op) {
  Json json = Json::object();
  json["id"] = op.id;
  json["kind"] = op.kind;
  json["function"] = op.function;
  json["ordinal"] = op.ordinal;
  json["fingerprint"] = op.fingerprint;
  json["positions"] = printList(op.positions, printPosition);
  if (!op.body.empty())
    json["body"] = printList(op.body, [](const BodyOpRecord &inner) {
      Json item = Json::object();
      item["kind"] = inner.kind;
      if (inner.position)
        item["position"] = printPosition(*inner.position);
      return item;
    });
  if (!op.name.empty())
    json["name"] = op.name;
  if (!op.scopes.empty())
    json["scopes"] = op.scopes;
  if (!op.shape.empty())
    json["shape"] = op.shape;
  if (op.isTagged)
    json["dump"] = true;
  return json;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Reading
//===-----------------------------------------------------------------------------------------------------------===//

/// Reads the list `key` of `parent`, one record per element, by `read`.
template <typename Record, typename Read>
std::vector<Record> readList(const JsonCursor &parent, std::string_view key, Read read) {
  std::vector<Record> records;
  parent.field(key).forEach([&](const JsonCursor &item, size_t) { records.push_back(read(item)); });
  return records;
}

/// Reads a name that must be unique in its list.
std::string readUniqueName(const JsonCursor &item, std::string_view key, std::set<std::string> &seen) {
  const JsonCursor cursor = item.field(key);
  std::string name = cursor.string();
  if (!cursor.failed() && name.empty())
    cursor.fail("is empty");
  if (!cursor.failed() && !seen.insert(name).second)
    cursor.fail("names '" + name + "' a second time");
  return name;
}

void checkId(const JsonCursor &cursor, const std::string &id) {
  const bool isId = id.size() == 12 && std::all_of(id.begin(), id.end(), [](char c) {
                      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                    });
  if (!cursor.failed() && !isId)
    cursor.fail("should be an op id of 12 hex digits, found \"" + id + "\"");
}

std::vector<std::string> readIds(const JsonCursor &list) {
  std::vector<std::string> ids;
  list.forEach([&](const JsonCursor &item, size_t) {
    ids.push_back(item.string());
    checkId(item, ids.back());
  });
  return ids;
}

BindingRecord readBinding(const JsonCursor &item) {
  BindingRecord binding;
  binding.type = readSpec(item);
  const JsonCursor access = item.field("access");
  const std::string name = access.string();
  if (item.has("share_elements"))
    binding.shareElements = item.field("share_elements").integer(1);
  if (item.has("op"))
    binding.op = item.field("op").integer(0);
  for (Access candidate : {Access::Read, Access::Write, Access::ReadWrite}) {
    if (name == accessName(candidate)) {
      binding.access = candidate;
      return binding;
    }
  }
  if (!access.failed())
    access.fail("should be read, write or readwrite, found \"" + name + "\"");
  return binding;
}

/// Reads positions in the kernel's list of operations.
std::vector<int64_t> readOps(const JsonCursor &item, const KernelRecord &kernel, const char *key = "ops") {
  const JsonCursor ops = item.field(key);
  std::vector<int64_t> positions = ops.integers(0);
  for (int64_t op : positions)
    if (!item.failed() && op >= int64_t(kernel.opIds.size()))
      ops.fail("names operation " + std::to_string(op) + " of " + std::to_string(kernel.opIds.size()));
  return positions;
}

CheckRecord readCheck(const JsonCursor &item, const KernelRecord &kernel) {
  CheckRecord check;
  if (item.has("kind")) {
    const JsonCursor binding = item.field("binding");
    check.kind = item.field("kind").string();
    check.binding = binding.integer(-1);
    if (!item.failed() && check.binding >= int64_t(kernel.bindings.size()))
      binding.fail("is " + std::to_string(check.binding) + ", but the kernel has " +
                   std::to_string(kernel.bindings.size()) + " bindings");
  }
  if (check.kind.empty() || check.isLoop())
    check.message = item.field("message").string();
  check.ops = readOps(item, kernel);
  if (item.has("part"))
    check.part = item.field("part").integer(0);
  if (item.has("temporary"))
    check.temporary = item.field("temporary").integer(0, int64_t(kernel.opIds.size()) - 1);
  return check;
}

KernelChecks readChecks(const JsonCursor &item, const KernelRecord &kernel) {
  KernelChecks checks;
  checks.proved = item.field("proved").integer(0);
  checks.notCheckable = item.field("not_checkable").integer(0);
  checks.sites =
      readList<CheckRecord>(item, "sites", [&](const JsonCursor &check) { return readCheck(check, kernel); });
  if (item.has("finite"))
    checks.finite = item.field("finite").string();
  if (item.has("shadows")) {
    const JsonCursor shadows = item.field("shadows");
    checks.shadows.emplace();
    const JsonCursor fills = shadows.field("fills");
    checks.shadows->fills = fills.integers(0);
    for (int64_t binding : checks.shadows->fills)
      if (!item.failed() && binding >= int64_t(kernel.bindings.size()))
        fills.fail("names binding " + std::to_string(binding) + " of " + std::to_string(kernel.bindings.size()));
    checks.shadows->allocations =
        readList<KernelShadows::Allocation>(shadows, "allocations", [&](const JsonCursor &allocation) {
          return KernelShadows::Allocation{readSpec(allocation), readOps(allocation, kernel),
                                           readOps(allocation, kernel, "writers")};
        });
  }
  return checks;
}

/// Reads the record of what a kernel keeps inside.
DumpReplay readDumpReplay(const JsonCursor &given, const KernelRecord &kernel) {
  DumpReplay replay;
  replay.scratchBytes = given.field("scratch_bytes").integer(0);
  replay.checks = given.field("checks").integer(0);
  replay.tensors = readList<DumpReplay::Tensor>(given, "tensors", [&](const JsonCursor &item) {
    DumpReplay::Tensor tensor;
    tensor.type = readSpec(item);
    tensor.op = item.field("op").integer(0, int64_t(kernel.opIds.size()) - 1);
    tensor.sizes = readList<DumpReplay::Size>(item, "sizes", [&](const JsonCursor &size) {
      DumpReplay::Size made{size.field("binding").integer(-2, int64_t(kernel.bindings.size()) - 1), 0};
      // Of a buffer, a dynamic dimension; of the scalars, one of them; else the size itself.
      const bool isScalar = made.binding == -1;
      made.dim = size.field("dim").integer(0, isScalar ? kernel.scalarArgs - 1 : INT64_MAX);
      if (!size.failed() && made.binding >= 0 &&
          made.dim >= int64_t(kernel.bindings[size_t(made.binding)].type.shape.size()))
        size.field("dim").fail("is no dimension of that buffer");
      return made;
    });
    if (!item.failed() &&
        int64_t(tensor.sizes.size()) != std::count_if(tensor.type.shape.begin(), tensor.type.shape.end(),
                                                      [](int64_t extent) { return extent < 0; }))
      item.field("sizes").fail("has not one entry for each dynamic dimension");
    return tensor;
  });
  return replay;
}

KernelRecord readKernel(const JsonCursor &item, std::set<std::string> &names) {
  KernelRecord kernel;
  kernel.name = readUniqueName(item, "name", names);
  const bool wellNamed = kernel.name.size() <= 80 && std::all_of(kernel.name.begin(), kernel.name.end(), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                         });
  if (!item.failed() && !wellNamed)
    item.field("name").fail("should be at most 80 of [a-z0-9_], found \"" + kernel.name + "\"");
  kernel.rootKind = item.field("root_kind").string();
  kernel.opIds = readIds(item.field("op_ids"));
  kernel.opKinds = item.field("op_kinds").strings();
  if (!item.failed() && kernel.opKinds.size() != kernel.opIds.size())
    item.field("op_kinds")
        .fail("has " + std::to_string(kernel.opKinds.size()) + " elements, op_ids has " +
              std::to_string(kernel.opIds.size()));
  kernel.bindings = readList<BindingRecord>(item, "bindings", readBinding);
  kernel.scalarArgs = item.field("scalar_args").integer(0);
  kernel.grid = item.field("grid").integer(-1);
  if (!item.failed() && kernel.grid == 0)
    item.field("grid").fail("is 0, should be a number of shares, or -1 where known at run time only");
  kernel.scratchBytes = item.field("scratch_bytes").integer(0);
  kernel.flops = item.field("flops").integer(-1);
  kernel.hash = item.field("hash").string();
  kernel.strategy = item.field("strategy").string();
  if (item.has("masks"))
    kernel.masks = item.field("masks").boolean();
  if (item.has("checks"))
    kernel.checks = readChecks(item.field("checks"), kernel);
  if (item.has("device")) {
    const JsonCursor device = item.field("device");
    kernel.device.emplace();
    kernel.device->file = device.field("file").string();
    kernel.device->chip = device.field("chip").string();
    kernel.device->entries = readList<DeviceEntry>(device, "entries", [](const JsonCursor &entry) {
      return DeviceEntry{entry.field("name").string(), entry.field("registers").integer(-1),
                         entry.field("spill_bytes").integer(-1), entry.field("shared_bytes").integer(-1)};
    });
  }
  for (const auto &[key, replay] :
       {std::pair("replay", &kernel.replay), std::pair("fault_replay", &kernel.faultReplay)}) {
    if (!item.has(key))
      continue;
    const JsonCursor given = item.field(key);
    replay->emplace();
    (*replay)->scratchBytes = given.field("scratch_bytes").integer(0);
    (*replay)->sites =
        readList<CheckRecord>(given, "sites", [&](const JsonCursor &site) { return readCheck(site, kernel); });
  }
  if (item.has("dump_replay"))
    kernel.dumpReplay = readDumpReplay(item.field("dump_replay"), kernel);
  if (item.has("host_reason"))
    kernel.hostReason = item.field("host_reason").string();
  if (item.has("collective"))
    kernel.collective = readCollective(item.field("collective"), kernel);
  return kernel;
}

/// Reads one of an entry's `related_sizes`, whose dimensions must exist.
SizeRelation readSizeRelation(const JsonCursor &item, const std::vector<TensorSpec> &args) {
  SizeRelation relation;
  relation.argument = item.field("argument").integer(0);
  relation.dimension = item.field("dimension").integer(0);
  if (item.has("size")) {
    relation.size = item.field("size").integer(0);
  } else {
    relation.other = item.field("other").integer(0);
    relation.otherDimension = item.field("other_dimension").integer(0);
  }
  relation.op = item.field("op").string();
  auto exists = [&](int64_t argument, int64_t dimension) {
    return argument < int64_t(args.size()) && dimension < int64_t(args[size_t(argument)].shape.size());
  };
  if (!item.failed() && (!exists(relation.argument, relation.dimension) ||
                         (relation.other >= 0 && !exists(relation.other, relation.otherDimension))))
    item.field("argument").fail("and the keys beside it name a dimension that no argument of the entry has");
  return relation;
}

EntryRecord readEntry(const JsonCursor &item, std::set<std::string> &names) {
  EntryRecord entry{readUniqueName(item, "name", names), readList<TensorSpec>(item, "args", readSpec),
                    readList<TensorSpec>(item, "results", readSpec)};
  for (const TensorSpec &result : entry.results)
    if (result.updates >= int64_t(entry.args.size()) ||
        (result.updates >= 0 && (entry.args[size_t(result.updates)].dtype != result.dtype ||
                                 entry.args[size_t(result.updates)].shape != result.shape)))
      item.field("results").fail("say that argument " + std::to_string(result.updates) +
                                 " is updated, but the entry has no such argument of the result's type");
  if (item.has("related_sizes"))
    entry.relatedSizes = readList<SizeRelation>(
        item, "related_sizes", [&](const JsonCursor &relation) { return readSizeRelation(relation, entry.args); });
  return entry;
}

/// Constants of equal bytes and different types share name and offset: `places` maps names to offset and size.
ConstantRecord readConstant(const JsonCursor &item, std::map<std::string, std::pair<int64_t, int64_t>> &places) {
  ConstantRecord constant;
  const JsonCursor name = item.field("name");
  constant.name = name.string();
  if (!name.failed() && constant.name.empty())
    name.fail("is empty");
  constant.type = readSpec(item);
  constant.type.name.clear();
  const JsonCursor offset = item.field("offset"), bytes = item.field("bytes");
  constant.offset = offset.integer(0);
  constant.bytes = bytes.integer(0);
  if (item.failed())
    return constant;
  if (constant.offset % MICA_BUFFER_ALIGNMENT != 0)
    offset.fail("is " + std::to_string(constant.offset) + ", should be a multiple of " +
                std::to_string(MICA_BUFFER_ALIGNMENT));
  else if (constant.bytes != staticBytes(constant.type))
    bytes.fail("is " + std::to_string(constant.bytes) + ", but " +
               shapedTypeString(constant.type.shape, constant.type.dtype) + " takes " +
               std::to_string(staticBytes(constant.type)));
  else if (constant.offset > INT64_MAX - constant.bytes)
    offset.fail("is " + std::to_string(constant.offset) + ", larger than any file");
  else if (const auto [known, isNew] = places.try_emplace(constant.name, constant.offset, constant.bytes);
           !isNew && known->second != std::pair(constant.offset, constant.bytes))
    name.fail("names '" + constant.name + "' a second time, with another offset or size");
  return constant;
}

SourcePosition readPosition(const JsonCursor &position) {
  return {position.field("file").string(), position.field("line").integer(0), position.field("column").integer(0)};
}

OpRecord readOp(const JsonCursor &item, std::set<std::string> &ids) {
  OpRecord op;
  op.id = readUniqueName(item, "id", ids);
  const JsonCursor id = item.field("id");
  checkId(id, op.id);
  op.kind = item.field("kind").string();
  op.function = item.field("function").string();
  op.ordinal = item.field("ordinal").integer(0);
  op.fingerprint = item.field("fingerprint").string();
  op.positions = readList<SourcePosition>(item, "positions", readPosition);
  if (item.has("body"))
    op.body = readList<BodyOpRecord>(item, "body", [](const JsonCursor &inner) {
      BodyOpRecord record{inner.field("kind").string()};
      if (inner.has("position"))
        record.position = readPosition(inner.field("position"));
      return record;
    });
  if (item.has("name"))
    op.name = item.field("name").string();
  if (item.has("scopes"))
    op.scopes = item.field("scopes").strings();
  if (item.has("shape"))
    op.shape = readList<int64_t>(item, "shape", [](const JsonCursor &size) { return size.integer(-1); });
  if (item.has("dump"))
    op.isTagged = item.field("dump").boolean();
  return op;
}

/// Paths of the artifact are relative and inside of it: an edited manifest must not name other files of the user.
void checkPath(const JsonCursor &cursor, const std::string &path) {
  if (cursor.failed())
    return;
  const bool escapes = path.empty() || path[0] == '/' || path == ".." || path.starts_with("../") ||
                       path.ends_with("/..") || path.find("/../") != std::string::npos;
  if (escapes)
    cursor.fail("should be a path inside the artifact, found \"" + path + "\"");
}

void readFiles(const JsonCursor &root, std::vector<FileRecord> &files) {
  std::set<std::string> paths;
  const JsonCursor list = root.field("files");
  list.forEach([&](const JsonCursor &item, size_t) {
    FileRecord file;
    file.path = readUniqueName(item, "path", paths);
    checkPath(item.field("path"), file.path);
    file.inputs = item.field("inputs").strings();
    file.command = item.field("command").string();
    file.hash = item.field("hash").string();
    if (item.has("original"))
      file.original = item.field("original").string();
    if (item.has("packed"))
      file.packed = item.field("packed").boolean();
    if (item.has("sampled"))
      file.sampled = item.field("sampled").string();
    files.push_back(std::move(file));
  });
  list.forEach([&](const JsonCursor &item, size_t) {
    item.field("inputs").forEach([&](const JsonCursor &input, size_t) {
      if (!paths.contains(input.string()))
        input.fail("names \"" + input.string() + "\", which is not a file of this artifact");
    });
  });
}

void readSites(const JsonCursor &root, Manifest &manifest) {
  std::map<std::string, const KernelRecord *> kernels;
  for (const KernelRecord &kernel : manifest.kernels)
    kernels[kernel.name] = &kernel;
  root.field("sites").forEach([&](const JsonCursor &item, size_t) {
    SiteRecord site;
    const JsonCursor kernelKey = item.field("kernel"), ids = item.field("op_ids");
    site.kernel = kernelKey.string();
    site.opIds = readIds(ids);
    if (item.has("tensors"))
      site.tensors = item.field("tensors").strings();
    if (item.has("loop"))
      site.loop = item.field("loop").string();
    if (!item.failed()) {
      auto kernel = kernels.find(site.kernel);
      if (kernel == kernels.end())
        kernelKey.fail("names the kernel '" + site.kernel + "', which the manifest does not have");
      else if (kernel->second->opIds.size() != site.opIds.size())
        ids.fail("has " + std::to_string(site.opIds.size()) + " elements, op_ids of the kernel '" + site.kernel +
                 "' has " + std::to_string(kernel->second->opIds.size()));
    }
    manifest.sites.push_back(std::move(site));
  });
}

} // namespace

Result<Manifest> parseManifest(std::string_view text, std::string_view file) {
  const std::string hint = "the file was cut off or edited; restore it, or compile the model again";
  Result<JsonDocument> json = parseJson(text, file);
  if (!json)
    return Error{json.error().code, json.error().message, hint};
  JsonReport report{std::string(file), hint, {}};
  const JsonCursor root(json->root(), report);

  Manifest manifest;
  MICA_RETURN_IF_ERROR(readSchema(root, report, kFormat, manifest.schemaMajor, manifest.schemaMinor));
  const JsonCursor tools = root.field("tools");
  manifest.micaVersion = tools.field("mica").string();
  manifest.llvmVersion = tools.field("llvm").string();
  if (manifest.schemaMajor < 2)
    manifest.commandLine = root.field("command_line").strings();
  manifest.inputFile = root.field("input_file").string();
  if (manifest.schemaMajor >= 2)
    manifest.inputHash = root.field("input_hash").string();
  const JsonCursor target = root.field("target");
  manifest.target = target.field("name").string();
  manifest.triple = target.field("triple").string();
  manifest.cpu = target.field("cpu").string();
  manifest.cpuFeatures = target.field("cpu_features").strings();
  root.field("options").forEachMember(
      [&](const std::string &key, const JsonCursor &value) { manifest.options[key] = value.string(); });

  std::set<std::string> entryNames, kernelNames, opIds;
  std::map<std::string, std::pair<int64_t, int64_t>> constantPlaces;
  manifest.entries =
      readList<EntryRecord>(root, "entries", [&](const JsonCursor &item) { return readEntry(item, entryNames); });
  manifest.kernels =
      readList<KernelRecord>(root, "kernels", [&](const JsonCursor &item) { return readKernel(item, kernelNames); });
  manifest.constants = readList<ConstantRecord>(
      root, "constants", [&](const JsonCursor &item) { return readConstant(item, constantPlaces); });
  manifest.ops = readList<OpRecord>(root, "ops", [&](const JsonCursor &item) { return readOp(item, opIds); });
  readSites(root, manifest);
  readFiles(root, manifest.files);
  if (report.failure)
    return *report.failure;
  return manifest;
}

std::string printManifest(const Manifest &manifest) {
  JsonPrinter json;
  json.add("format", std::string(kFormat));
  json.add("schema", std::to_string(manifest.schemaMajor) + "." + std::to_string(manifest.schemaMinor));
  json.add("tools", Json{{"mica", manifest.micaVersion}, {"llvm", manifest.llvmVersion}});
  if (manifest.schemaMajor < 2)
    json.add("command_line", manifest.commandLine);
  json.add("input_file", manifest.inputFile);
  if (manifest.schemaMajor >= 2)
    json.add("input_hash", manifest.inputHash);
  json.add("target", Json{{"name", manifest.target},
                          {"triple", manifest.triple},
                          {"cpu", manifest.cpu},
                          {"cpu_features", manifest.cpuFeatures}});
  Json options = Json::object();
  for (const auto &[key, value] : manifest.options)
    options[key] = value;
  json.add("options", options);
  json.addList("entries", manifest.entries, printEntry);
  json.addList("kernels", manifest.kernels, printKernel);
  json.addList("constants", manifest.constants, printConstant);
  json.addList("ops", manifest.ops, printOp);
  json.addList("sites", manifest.sites, [](const SiteRecord &site) {
    Json item = Json::object();
    item["kernel"] = site.kernel;
    item["op_ids"] = site.opIds;
    if (!site.tensors.empty())
      item["tensors"] = site.tensors;
    if (!site.loop.empty())
      item["loop"] = site.loop;
    return item;
  });
  json.addList("files", manifest.files, [](const FileRecord &record) {
    Json item = Json::object();
    item["path"] = record.path;
    item["inputs"] = record.inputs;
    item["command"] = record.command;
    item["hash"] = record.hash;
    if (!record.original.empty())
      item["original"] = record.original;
    if (record.packed)
      item["packed"] = true;
    if (!record.sampled.empty())
      item["sampled"] = record.sampled;
    return item;
  });
  return json.finish();
}

std::string printLaunch(const KernelRecord &kernel) {
  Json json = Json::object();
  json["format"] = schemaFormat(Schema::Launch);
  json["schema"] = schemaText();
  json.update(printKernel(kernel));
  return printJson(json);
}

} // namespace mica::artifact
