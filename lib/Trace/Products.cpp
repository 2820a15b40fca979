//===- Products.cpp - artifacts in trace logs -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Weights of more than 64 elements are in no record: snapshots refer to them by hash, and the input snapshot, which
// precedes that, is in the archive without them.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Products.h"

#include "mica/Artifact/Edits.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Base64.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <optional>

using namespace mica;
using namespace mica::trace;

namespace fs = std::filesystem;

/// Larger texts are referred to by file and hash.
static constexpr uintmax_t kLongestPayload = uintmax_t(8) << 20;
/// Line length of base64 data.
static constexpr size_t kLineLength = 1024;

static constexpr WritePlace kPlace{"lib/Trace/Products.cpp", 0};

namespace {
/// A run of a pass that changed something, from passes_dump/index.json.
struct SnapshotRun {
  std::string pass, phase, op, file;
};
struct PassRuns {
  std::vector<SnapshotRun> snapshots;
  std::map<std::string, double> phases; ///< milliseconds of all runs, including those without changes
  std::string index;                    ///< passes and runs as JSON
};

class Products {
public:
  Products(Writer &writer, const artifact::Artifact &artifact) : writer(writer), artifact(artifact) {}

  /// Writes the text `file` of the artifact as a dump; only its path and hash if it is large. Its line map is kept for
  /// addMaps().
  void addDump(const std::string &file, const std::string &name, const char *type, const CompileId &compile,
               const JsonFields &extra = {}) {
    Result<std::string> text = artifact::readText(artifact.path(file));
    if (!text)
      return;
    JsonFields more = extra;
    if (text->size() > kLongestPayload)
      *text = "of " + std::to_string(text->size()) + " bytes, with the hash " + hashHex(*text) + ": " +
              artifact.path(file).string() + "\n";
    else
      more.push_back({"file", quoteJson(file)});
    writer.record("graph_dump", "{\"name\": " + quoteJson(name) + ", \"type\": \"" + type + "\"}", compile, kPlace,
                  *text, more);
    if (Result<artifact::StoredLineMap> map = artifact::readLineMap(artifact.path(file)))
      maps += (maps.empty() ? "" : ",\n") + quoteJson(file) + ": " + map->json;
  }

  /// Writes a JSON file, if it exists.
  void addJson(const std::string &file, const char *name, const CompileId &compile) {
    if (Result<std::string> text = readFile(artifact.path(file)); text && text->size() <= kLongestPayload)
      writer.artifact(name, *text, compile, kPlace, /*json=*/true, {{"file", quoteJson(file)}});
  }

  /// Writes the snapshots: their archive if there is one, else the last of each phase as texts.
  void addSnapshots(const PassRuns &record, const ProgramUnits &unit,
                    const std::map<std::string, size_t> &entryOfKernel) {
    writer.artifact("snapshots", record.index, unit(0), kPlace, /*json=*/true,
                    {{"file", quoteJson("passes_dump/index.json")}});
    // Plain files have their archive beside them, which is valid as long as none was edited.
    const bool isEdited = std::any_of(artifact.manifest().files.begin(), artifact.manifest().files.end(),
                                      [](const artifact::FileRecord &each) { return !each.original.empty(); });
    const bool isSealed = artifact::isSealed(artifact.path("passes_dump"));
    const std::string file = "passes_dump/" + std::string(artifact::kSnapshotArchiveFile);
    Result<std::string> pack = readFile(artifact.path(isSealed ? file : std::string(artifact::kOriginalSnapshotsFile)));
    if (!isSealed && (!pack || isEdited))
      return addLastSnapshots(record, unit, entryOfKernel);
    if (!pack)
      return;
    std::string text = encodeBase64(*pack, kLineLength);
    JsonFields extra = {{"file", quoteJson(file)}, {"content", "\"base64\""}};
    if (text.size() > kLongestPayload) {
      text = "of " + std::to_string(pack->size()) + " bytes, with the hash " + hashHex(*pack) + ": " +
             artifact.path(file).string() + "\n";
      extra.clear();
    }
    writer.artifact("snapshots_archive", text, unit(0), kPlace, /*json=*/false, extra);
  }

  /// Writes the line maps of all dumps so far.
  void addMaps(const CompileId &compile) {
    if (!maps.empty() && maps.size() <= 2 * kLongestPayload)
      writer.artifact("line_maps", "{" + maps + "}", compile, kPlace, /*json=*/true, {{"content", "\"line_maps\""}});
  }

private:
  void addLastSnapshots(const PassRuns &record, const ProgramUnits &unit,
                        const std::map<std::string, size_t> &entryOfKernel) {
    std::map<std::pair<std::string, std::string>, const SnapshotRun *> last;
    std::vector<std::pair<std::string, std::string>> order;
    for (const SnapshotRun &snapshot : record.snapshots) {
      if (snapshot.phase == "input" || snapshot.phase.empty() ||
          (!snapshot.op.empty() && !entryOfKernel.count(snapshot.op)))
        continue;
      const SnapshotRun *&slot = last[{snapshot.phase, snapshot.op}];
      if (!slot)
        order.push_back({snapshot.phase, snapshot.op});
      slot = &snapshot;
    }
    for (const auto &key : order) {
      const SnapshotRun &snapshot = *last[key];
      const auto kernel = entryOfKernel.find(snapshot.op);
      const bool ofKernel = kernel != entryOfKernel.end();
      addDump("passes_dump/" + snapshot.file, ofKernel ? snapshot.op + "." + snapshot.phase : snapshot.phase, "mlir",
              unit(ofKernel ? kernel->second : 0),
              {{"phase", quoteJson(snapshot.phase)}, {"pass", quoteJson(snapshot.pass)}});
    }
  }

  Writer &writer;
  const artifact::Artifact &artifact;
  std::string maps; ///< members of an object: the map by its text's file
};
} // namespace

static std::string_view member(const std::vector<JsonMember> &members, std::string_view key) {
  for (const JsonMember &m : members)
    if (m.key == key)
      return m.value;
  return {};
}

/// The members except those called `dropped`, as an object.
static std::string without(const std::vector<JsonMember> &members, std::string_view dropped) {
  std::string text;
  for (const JsonMember &m : members) {
    if (m.key == dropped)
      continue;
    text += text.empty() ? "{\"" : ", \"";
    text += m.key;
    text += "\": ";
    text += m.value;
  }
  return text + "}";
}

/// The record of the passes; empty if there is none. Omits from the index the remaining pipeline of each pass, whose
/// total size is quadratic, and what can be counted in the snapshots.
static PassRuns readRecord(const fs::path &folder) {
  PassRuns record;
  Result<std::string> text = readFile(folder / "index.json");
  std::vector<JsonMember> members;
  if (!text || !scanJson(*text, &members).ok)
    return record;
  const artifact::BuildRecord build = artifact::readBuildRecord(folder.parent_path());
  std::map<int64_t, std::pair<std::string, std::string>> names;
  std::string passes, runs;
  for (std::string_view element : jsonElements(member(members, "passes"))) {
    std::vector<JsonMember> pass;
    scanJson(element, &pass);
    names[jsonInteger(member(pass, "position")).value_or(0)] = {jsonString(member(pass, "pass")).value_or(""),
                                                                jsonString(member(pass, "phase")).value_or("")};
    passes += (passes.empty() ? "" : ",\n") + std::string(element);
  }
  for (std::string_view element : jsonElements(member(members, "records"))) {
    std::vector<JsonMember> run;
    scanJson(element, &run);
    SnapshotRun snapshot;
    std::tie(snapshot.pass, snapshot.phase) = names[jsonInteger(member(run, "position")).value_or(0)];
    snapshot.op = jsonString(member(run, "op")).value_or("");
    const double ms = jsonNumber(member(run, "ms"))
                          .value_or(build.timeOf(jsonInteger(member(run, "position")).value_or(0),
                                                 jsonString(member(run, "path")).value_or(snapshot.op)));
    record.phases[snapshot.phase.empty() ? "other" : snapshot.phase] += ms;
    snapshot.file = jsonString(member(run, "file")).value_or("");
    if (!snapshot.file.empty())
      record.snapshots.push_back(std::move(snapshot));
    // Readers of a trace have no build.json beside the index.
    const std::string time = std::to_string(ms);
    if (member(run, "ms").empty())
      run.push_back({"ms", time});
    runs += (runs.empty() ? "" : ",\n") + without(run, "kinds");
  }
  passes = "[" + passes + "]";
  runs = "[" + runs + "]";
  for (JsonMember &m : members)
    m.value = m.key == "passes" ? std::string_view(passes) : m.key == "records" ? std::string_view(runs) : m.value;
  record.index = without(members, "");
  return record;
}

/// The entry of the task list `name`, "<entry>_<n>".
static size_t entryOfList(const artifact::Manifest &manifest, const std::string &name) {
  for (size_t i = 0; i < manifest.entries.size(); ++i)
    if (name.substr(0, name.rfind('_')) == manifest.entries[i].name)
      return i;
  return 0;
}

/// The first entry that launches each kernel; the first entry for kernels that are not launched.
static std::map<std::string, size_t> findEntries(const artifact::Artifact &artifact) {
  std::map<std::string, size_t> entryOfKernel;
  for (const artifact::TaskList &list : artifact.taskLists())
    for (const artifact::TaskRecord &task : list.tasks)
      entryOfKernel.emplace(task.kernel, entryOfList(artifact.manifest(), list.name));
  for (const artifact::KernelRecord &kernel : artifact.manifest().kernels)
    entryOfKernel.emplace(kernel.name, 0);
  return entryOfKernel;
}

/// Writes the strategies that passes rejected: from report/remarks.json, those with `Rejected` and `Selected`.
/// Rejections by one kernel for one reason at several places are one attempt.
static void addFallBacks(Writer &writer, const artifact::Artifact &artifact, const ProgramUnits &unit,
                         const std::map<std::string, size_t> &entryOfKernel,
                         std::vector<std::vector<std::string>> &fallBacks) {
  Result<std::string> text = readFile(artifact.path("report/remarks.json"));
  std::vector<JsonMember> members;
  if (!text || text->find("\"Rejected\"") == std::string::npos || !scanJson(*text, &members).ok)
    return;
  for (std::string_view element : jsonElements(member(members, "remarks"))) {
    std::vector<JsonMember> remark, args;
    scanJson(element, &remark);
    scanJson(member(remark, "args"), &args);
    const std::string rejected = jsonString(member(args, "Rejected")).value_or("");
    const std::string selected = jsonString(member(args, "Selected")).value_or("");
    const std::string reason = jsonString(member(args, "Reason")).value_or("");
    if (rejected.empty() || selected.empty())
      continue;
    std::string kernel = jsonString(member(remark, "op")).value_or("");
    kernel.resize(std::min(kernel.size(), kernel.find_first_of("@/.")));
    const auto owner = entryOfKernel.find(kernel);
    const size_t entry = owner == entryOfKernel.end() ? 0 : owner->second;
    std::vector<std::string> &reasons = fallBacks[entry];
    std::string sentence = kernel + ": " + rejected + " rejected for " + selected + ": " + reason;
    if (std::find(reasons.begin(), reasons.end(), sentence) != reasons.end())
      continue;
    reasons.push_back(std::move(sentence));
    auto list = [&](std::string_view key) {
      const std::string_view value = member(remark, key);
      return value.empty() ? std::string("[]") : std::string(value);
    };
    writer.artifact("strategy_fallback",
                    "{\"kernel\": " + quoteJson(kernel) + ",\n\"rejected\": " + quoteJson(rejected) +
                        ",\n\"selected\": " + quoteJson(selected) + ",\n\"reason\": " + quoteJson(reason) +
                        ",\n\"pass\": " + quoteJson(jsonString(member(remark, "pass")).value_or("")) +
                        ",\n\"op\": " + list("ids") + ",\n\"sources\": " + list("sources") + "}",
                    unit(entry, static_cast<int64_t>(reasons.size())), kPlace, /*json=*/true);
  }
}

void trace::writeGuards(Writer &writer, const artifact::EntryRecord &entry, const CompileId &compile) {
  std::string items;
  for (size_t index = 0; index < entry.args.size(); ++index) {
    const artifact::TensorSpec &spec = entry.args[index];
    const std::string name = spec.name.empty() ? "arg" + std::to_string(index) : spec.name;
    const std::string type = shapedTypeString(spec.shape, spec.dtype);
    const artifact::SourcePosition place = spec.position.value_or(artifact::SourcePosition{"", 0, 0});
    items += (items.empty() ? "" : ",\n") + std::string("{\"code\": ") + quoteJson(name + ".type == " + type) +
             ", \"stack\": null, \"user_stack\": " + writer.frames({{place.file, place.line, entry.name, ""}}) + "}";
  }
  writer.record("dynamo_guards", "{}", compile, kPlace, "[" + items + "]");
}

std::string ProductsSummary::reasons(size_t entry) const {
  std::string json = "[";
  for (size_t i = 0; i < static_cast<size_t>(attempts(entry)); ++i)
    json += (json.size() > 1 ? ", " : "") + quoteJson(fallBacks[entry][i]);
  return json + "]";
}

ProductsSummary trace::writeProducts(Writer &writer, const artifact::Artifact &artifact, const ProgramUnits &unit) {
  const std::map<std::string, size_t> entryOfKernel = findEntries(artifact);
  ProductsSummary summary;
  const size_t entries = std::max<size_t>(artifact.manifest().entries.size(), 1);
  summary.fallBacks.resize(entries);
  summary.kernels.resize(entries);
  for (const auto &[kernel, entry] : entryOfKernel)
    ++summary.kernels[entry];
  Products products(writer, artifact);
  products.addJson(std::string(artifact::kManifestFile), "manifest", unit(0));
  PassRuns record = readRecord(artifact.path("passes_dump"));
  if (!record.index.empty())
    products.addSnapshots(record, unit, entryOfKernel);
  for (const artifact::KernelRecord &kernel : artifact.manifest().kernels) {
    const auto entry = entryOfKernel.find(kernel.name);
    const CompileId compile = unit(entry == entryOfKernel.end() ? 0 : entry->second);
    JsonFields ops = {{"op", "["}};
    for (const std::string &id : kernel.opIds)
      ops[0].second += (ops[0].second.size() > 1 ? ", " : "") + quoteJson(id);
    ops[0].second += "]";
    for (const auto &[file, type] : {std::pair("kernel.mlir", "mlir"), {"kernel.ll", "llvm"}, {"kernel.s", "asm"}})
      products.addDump("kernels/" + kernel.name + "/" + file, kernel.name, type, compile, ops);
  }
  products.addDump("host/schedule.mlir", "host_schedule", "mlir", unit(0));
  products.addMaps(unit(0));
  products.addJson(std::string(artifact::kTasksFile), "tasks", unit(0));
  for (const char *name : {"fusion", "memory", "perf_hints", "remarks"})
    products.addJson(std::string("report/") + name + ".json", name, unit(0));
  addFallBacks(writer, artifact, unit, entryOfKernel, summary.fallBacks);
  summary.phases = std::move(record.phases);
  return summary;
}
