//===- Dump.cpp - reading a dump -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A dump is what another process left, maybe on another machine: nothing in it is taken for granted.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Dump/Dump.h"

#include "lib/Support/Json.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace fs = std::filesystem;

namespace mica::dump {

std::string_view roleName(Binding::Role role) {
  constexpr std::string_view kNames[] = {"input", "output", "inout", "inside"};
  return kNames[size_t(role)];
}

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size; // the reader has seen that it fits
  return count;
}

//===-----------------------------------------------------------------------------------------------------------===//
// The index
//===-----------------------------------------------------------------------------------------------------------===//

class Dump::Parser {
public:
  Parser(Dump &dump, std::string_view file) : dump(dump), file(file) {}

  Status parse(std::string_view text) {
    for (bool isFirst = true; !text.empty(); isFirst = false) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++number;
      if (end == text.npos) {
        // What a process wrote when it was killed.
        dump.isCut = true;
        return isFirst ? notADump() : Status();
      }
      const std::string place = std::string(file) + " line " + std::to_string(number);
      Result<JsonDocument> document = parseJson(line, place);
      if (!document)
        return isFirst ? notADump() : Status(document.error());
      JsonReport report{place, "the file is damaged or was edited", {}};
      const JsonCursor root(document->root(), report);
      if (isFirst)
        MICA_RETURN_IF_ERROR(header(root));
      else
        member(root);
      if (report.failure)
        return *report.failure;
    }
    return number == 0 ? notADump() : Status();
  }

private:
  Error notADump() const {
    return {ErrorCode::Damaged, std::string(file) + " is not the index of a dump",
            "the switch dump-tensors writes one: mica-run DIR --mica-debug=dump-tensors=2"};
  }

  Status header(const JsonCursor &root) {
    if (!root.has("schema") || root.field("schema").string() != schemaFormat(Schema::Dump))
      return notADump();
    if (const int64_t version = root.field("version").integer(0); version != schemaNumber(Schema::Dump))
      return Error{ErrorCode::Unsupported,
                   std::string(file) + " has version " + std::to_string(version) + " of the format, this tool reads " +
                       std::to_string(schemaNumber(Schema::Dump)),
                   "use the mica-dump that belongs to the mica-run that wrote it"};
    dump.askedLevel = root.field("level").integer(0, 3);
    dump.programPath = root.field("program").string();
    dump.hash = root.field("program_hash").string();
    dump.targetName = root.field("target").string();
    dump.identity = root.field("identity").string();
    if (root.field("byte_order").string() != "little")
      root.field("byte_order").fail("is not \"little\"");
    return {};
  }

  void member(const JsonCursor &root) {
    if (root.has("site"))
      return root.has("launch") ? launch(root) : site(root);
    if (root.has("done"))
      return end(root, "done", Launch::End::Done);
    if (root.has("failed"))
      return end(root, "failed", Launch::End::Failed);
    if (root.has("skipped"))
      return end(root, "skipped", Launch::End::Skipped);
    if (root.has("end")) {
      dump.hasEnd = true;
      dump.lost = root.field("end").field("lost").integer(0);
      return;
    }
    // Of a newer minor version.
  }

  void site(const JsonCursor &root) {
    Site site;
    site.number = root.field("site").integer(0);
    site.kernel = root.field("kernel").string();
    site.kind = root.field("kind").string();
    site.device = root.field("device").string();
    root.field("ops").forEach([&](const JsonCursor &op, size_t) {
      site.ops.push_back({op.field("id").string(), op.field("kind").string(),
                          op.has("name") ? op.field("name").string() : "",
                          op.has("source") ? op.field("source").string() : ""});
    });
    root.field("bindings").forEach([&](const JsonCursor &binding, size_t) {
      Binding made;
      const std::string role = binding.field("role").string();
      for (const auto each : {Binding::Role::Input, Binding::Role::Output, Binding::Role::InOut, Binding::Role::Inside})
        if (role == roleName(each))
          made.role = each;
      if (!binding.failed() && role != roleName(made.role))
        binding.field("role").fail("is '" + role + "', not input, output, inout or inside");
      const std::string type = binding.field("dtype").string();
      if (const std::optional<DType> known = parseDType(type))
        made.dtype = *known;
      else
        binding.field("dtype").fail("is '" + type + "', which is no element type");
      made.shape = binding.field("shape").integers(-1);
      made.name = binding.has("name") ? binding.field("name").string() : "";
      made.op = binding.has("op") ? binding.field("op").integer(0, int64_t(site.ops.size()) - 1) : -1;
      site.bindings.push_back(std::move(made));
    });
    if (root.failed())
      return;
    if (!sites.emplace(site.number, dump.allSites.size()).second)
      return root.field("site").fail("is there a second time");
    dump.allSites.push_back(std::move(site));
  }

  void launch(const JsonCursor &root) {
    Launch launch;
    launch.number = root.field("launch").integer(1);
    const auto site = sites.find(root.field("site").integer());
    if (site == sites.end())
      return root.field("site").fail("is not one of a line before");
    launch.site = site->second;
    launch.call = root.field("call").integer(0);
    launch.iteration = root.field("iteration").integer(0);
    if (root.failed())
      return;
    if (!launches.emplace(launch.number, dump.allLaunches.size()).second)
      return root.field("launch").fail("is there a second time");
    dump.allLaunches.push_back(launch);
    if (root.has("before"))
      tensors(root.field("before"), dump.allLaunches.size() - 1, false);
    if (root.has("inside"))
      tensors(root.field("inside"), dump.allLaunches.size() - 1, true);
  }

  void end(const JsonCursor &root, std::string_view key, Launch::End how) {
    const JsonCursor number = root.field(key);
    const auto it = launches.find(number.integer());
    if (it == launches.end())
      return number.fail("is not a launch of a line before");
    Launch &launch = dump.allLaunches[it->second];
    if (launch.end != Launch::End::Running)
      return number.fail("has ended before");
    launch.end = how;
    launch.status = root.has("status") ? root.field("status").integer() : 0;
    if (root.has("after"))
      tensors(root.field("after"), it->second, true);
  }

  void tensors(const JsonCursor &list, size_t launch, bool isAfter) {
    list.forEach([&](const JsonCursor &item, size_t) { tensor(item, launch, isAfter); });
  }

  void tensor(const JsonCursor &item, size_t launch, bool isAfter) {
    const Site &site = dump.allSites[dump.allLaunches[launch].site];
    Tensor tensor;
    tensor.launch = launch;
    tensor.isAfter = isAfter;
    tensor.binding = size_t(item.field("binding").integer(0, int64_t(site.bindings.size()) - 1));
    if (item.failed())
      return;
    const Binding &binding = site.bindings[tensor.binding];
    tensor.dtype = binding.dtype;
    tensor.shape = item.has("shape") ? item.field("shape").integers(0) : binding.shape;
    if (item.failed())
      return;
    const bool fits =
        tensor.shape.size() == binding.shape.size() &&
        std::equal(tensor.shape.begin(), tensor.shape.end(), binding.shape.begin(),
                   [](int64_t size, int64_t wanted) { return size >= 0 && (wanted < 0 || wanted == size); });
    const std::optional<int64_t> bytes = fits ? checkedBytes(tensor.shape, dtypeBytes(tensor.dtype)) : std::nullopt;
    if (!bytes)
      return item.fail("has the shape [" + sizesText(tensor.shape) + "], its site says [" + sizesText(binding.shape) +
                       "]");
    tensor.bytes = *bytes;
    if (item.has("hash")) {
      tensor.hash = item.field("hash").string();
      if (item.has("sampled"))
        tensor.sampledBytes = item.field("sampled").integer(2 * kSampleBlock, tensor.bytes - 1);
      if (tensor.sampledBytes % kSampleBlock != 0 && !item.failed())
        item.field("sampled").fail("is not a multiple of " + std::to_string(kSampleBlock));
      if (item.failed())
        return;
      statistics(item.field("stats"), tensor);
    }
    if (item.has("offset"))
      tensor.offset = item.field("offset").integer(kPayloadBegin, INT64_MAX - tensor.bytes);
    if (item.has("offset") && !item.failed() && tensor.offset % kPayloadAlignment != 0)
      item.field("offset").fail("is not a multiple of " + std::to_string(kPayloadAlignment));
    if (item.has("from"))
      tensor.from = item.field("from").string();
    if (item.has("launch")) {
      tensor.fromLaunch = item.field("launch").integer(1);
      tensor.fromBinding = item.field("of").integer(0);
    }
    tensor.isChanged = item.has("changed") && item.field("changed").boolean();
    if (item.has("missing"))
      tensor.missing = item.field("missing").string();
    if (!item.failed())
      dump.allTensors.push_back(std::move(tensor));
  }

  /// [min, max, mean, absMax, NaN, Inf, zeros].
  static void statistics(const JsonCursor &list, Tensor &tensor) {
    Statistics &into = tensor.statistics;
    into.count = tensor.sampledBytes > 0 ? tensor.sampledBytes / dtypeBytes(tensor.dtype) : tensor.elements();
    size_t count = 0;
    list.forEach([&](const JsonCursor &item, size_t i) {
      ++count;
      double *const numbers[] = {&into.min, &into.max, &into.mean, &into.absMax};
      int64_t *const counts[] = {&into.nan, &into.inf, &into.zero};
      if (i < 4)
        *numbers[i] = item.number();
      else if (i < 7)
        *counts[i - 4] = item.integer(0, into.count);
    });
    if (!list.failed() && count != 7)
      list.fail("has " + std::to_string(count) + " numbers, not 7");
    if (!list.failed() && into.finite() < 0)
      list.fail("counts more NaN and infinities than there are elements");
  }

  static std::string sizesText(const std::vector<int64_t> &sizes) {
    std::string text;
    for (int64_t size : sizes)
      text += (text.empty() ? "" : ", ") + std::to_string(size);
    return text;
  }

  Dump &dump;
  std::string_view file;
  int64_t number = 0; ///< of the line
  std::map<int64_t, size_t> sites, launches;
};

/// What was read is, where nothing else is said of it, what the launch that wrote it left.
void Dump::link() {
  for (size_t i = 0; i < allLaunches.size(); ++i)
    launchPositions.emplace_back(allLaunches[i].number, i);
  std::sort(launchPositions.begin(), launchPositions.end());
  for (size_t i = 0; i < allTensors.size(); ++i)
    if (allTensors[i].isAfter)
      writes.push_back({launchOf(allTensors[i]).number, int64_t(allTensors[i].binding), int64_t(i)});
  std::sort(writes.begin(), writes.end());
  for (Tensor &tensor : allTensors) {
    if (tensor.isAfter || !tensor.hash.empty() || tensor.fromLaunch < 0)
      continue;
    const int64_t source = written(tensor.fromLaunch, tensor.fromBinding);
    if (source < 0)
      continue;
    const Tensor &from = allTensors[size_t(source)];
    if (from.bytes != tensor.bytes || from.dtype != tensor.dtype)
      continue;
    tensor.hash = from.hash;
    tensor.statistics = from.statistics;
    tensor.offset = from.offset;
  }
  std::map<std::string, Missing> reasons;
  for (const Tensor &tensor : allTensors) {
    if (tensor.missing.empty())
      continue;
    Missing &missing = reasons[tensor.missing];
    missing.why = tensor.missing;
    ++missing.tensors;
    missing.bytes = saturatingAdd(missing.bytes, tensor.bytes);
  }
  for (auto &[why, missing] : reasons)
    account.push_back(std::move(missing));
}

int64_t Dump::findLaunch(int64_t number) const {
  const auto it = std::lower_bound(launchPositions.begin(), launchPositions.end(), std::pair(number, size_t(0)));
  return it != launchPositions.end() && it->first == number ? int64_t(it->second) : -1;
}

int64_t Dump::written(int64_t number, int64_t binding) const {
  const auto it = std::lower_bound(writes.begin(), writes.end(), std::array<int64_t, 3>{number, binding, 0});
  return it != writes.end() && (*it)[0] == number && (*it)[1] == binding ? (*it)[2] : -1;
}

const Op *Dump::opOf(const Tensor &tensor) const {
  const Binding &binding = bindingOf(tensor);
  if (tensor.isAfter)
    return binding.op >= 0 ? &siteOf(tensor).ops[size_t(binding.op)] : nullptr;
  const int64_t source = tensor.fromLaunch >= 0 ? written(tensor.fromLaunch, tensor.fromBinding) : -1;
  return source >= 0 ? opOf(allTensors[size_t(source)]) : nullptr;
}

Result<Dump> Dump::parse(std::string_view index, std::string_view file) {
  Dump dump;
  dump.payloadError = Error{ErrorCode::NotFound, "the dump has no elements", ""};
  // A process that was killed leaves zeros behind its last line.
  MICA_RETURN_IF_ERROR(Parser(dump, file).parse(index.substr(0, index.find('\0'))));
  dump.link();
  return dump;
}

/// Where the dump is that `path` names; `path` where there is none.
static fs::path folderOf(const fs::path &path) {
  std::error_code ignored;
  if (path.filename() == kIndexFile && !fs::is_directory(path, ignored))
    return path.parent_path().empty() ? fs::path(".") : path.parent_path();
  for (const fs::path &folder : {path, path / "dump"})
    if (fs::exists(folder / kIndexFile, ignored))
      return folder;
  // Names of runs begin with their time.
  fs::path latest;
  for (const fs::directory_entry &run : fs::directory_iterator(path / "runs", ignored))
    if (run.path().filename() > latest.filename() && !run.is_symlink(ignored) &&
        fs::exists(run.path() / "dump" / kIndexFile, ignored))
      latest = run.path();
  return latest.empty() ? path : latest / "dump";
}

Result<Dump> Dump::open(const fs::path &path) {
  const fs::path folder = folderOf(path);
  std::error_code ignored;
  const fs::path index = folder / kIndexFile;
  if (!fs::exists(index, ignored))
    return Error{ErrorCode::NotFound, path.string() + " has no dump: there is no " + std::string(kIndexFile),
                 "a run with a dump leaves one in its folder: mica-run DIR --mica-debug=dump-tensors=2"};
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(index));
  MICA_ASSIGN_OR_RETURN(Dump dump, parse(text, index.string()));
  dump.place = folder;
  dump.payloadError.reset();
  if (Status opened = dump.openPayload(); !opened)
    dump.payloadError = opened.error();
  return dump;
}

//===-----------------------------------------------------------------------------------------------------------===//
// The elements
//===-----------------------------------------------------------------------------------------------------------===//

Status Dump::openPayload() {
  const fs::path path = place / kPayloadFile;
  MICA_ASSIGN_OR_RETURN(file, MappedFile::open(path));
  if (file->size() < kPayloadBegin || !file->contents().starts_with(kPayloadMagic))
    return Error{ErrorCode::Damaged, path.string() + " does not hold the elements of a dump", "copy both files of it"};
  ContentHash there;
  std::memcpy(there.data(), file->data() + kPayloadMagic.size(), sizeof there);
  if (hashText(there) != identity)
    return Error{ErrorCode::Damaged,
                 path.string() + " is of another dump than " + std::string(kIndexFile) + " beside it",
                 "copy both files of one dump"};
  return {};
}

Result<std::span<const uint8_t>> Dump::payload(const Tensor &tensor) const {
  if (tensor.offset < 0)
    return Error{ErrorCode::NotFound,
                 tensor.missing.empty() ? "the dump has statistics of this tensor, not its elements"
                                        : "the elements of this tensor are missing: " + tensor.missing,
                 tensor.missing.empty() ? "dump-tensors=2 keeps all elements; with 1 or 3, the switches dump-op, "
                                          "dump-kernel, dump-kind and dump-name select"
                                        : ""};
  if (payloadError)
    return *payloadError;
  if (tensor.bytes > file->size() || tensor.offset > file->size() - tensor.bytes)
    return Error{ErrorCode::Damaged,
                 (place / kPayloadFile).string() + " is cut off: it has " + std::to_string(file->size()) +
                     " bytes, and the tensor reaches to byte " + std::to_string(tensor.offset + tensor.bytes),
                 "copy it again; mica-dump still lists what the index says"};
  return std::span(file->data() + tensor.offset, size_t(tensor.bytes));
}

Result<HostTensor> Dump::read(const Tensor &tensor) const {
  MICA_ASSIGN_OR_RETURN(const std::span<const uint8_t> bytes, payload(tensor));
  HostTensor copy;
  copy.dtype = tensor.dtype;
  copy.shape = tensor.shape;
  copy.data.assign(bytes.begin(), bytes.end());
  return copy;
}

Result<std::string> Dump::hashOfElements(const Tensor &tensor, int64_t sampledBytes) const {
  MICA_ASSIGN_OR_RETURN(const std::span<const uint8_t> bytes, payload(tensor));
  return hashText(sampledBytes > 0
                      ? fingerprintOfSample(tensor.dtype, bytes.data(), tensor.elements(), sampledBytes).hash
                      : contentHash(bytes.data(), int64_t(bytes.size())));
}

Result<bool> Dump::verify(const Tensor &tensor) const {
  MICA_ASSIGN_OR_RETURN(const std::string hash, hashOfElements(tensor, tensor.sampledBytes));
  return hash == tensor.hash;
}

} // namespace mica::dump
