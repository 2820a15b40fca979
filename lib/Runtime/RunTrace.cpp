//===- RunTrace.cpp - what happens at run time, as records of a trace --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header. Payloads have the form of PyTorch's where it has the same thing: `recompile_reasons` is a list of
// sentences, `..._cache_hit` has `key` and `components`, `dynamo_guards` a list of `code` with stacks.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/RunTrace.h"

#include "lib/Runtime/Specialize/ShapeClasses.h"
#include "lib/Runtime/Specialize/Specializations.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Schemas.h"

#include <utility>

namespace fs = std::filesystem;

namespace mica::runtime {
namespace {

using trace::CompileId;
using trace::JsonFields;
using trace::quoteJson;

constexpr trace::WritePlace kPlace{"lib/Runtime/RunTrace.cpp", 0};
constexpr int64_t kMostInvocations = 1000;
/// Bytes of a run's events that a trace holds; of more there is the file.
constexpr size_t kLongestEvents = size_t(8) << 20;

std::string list(const std::vector<std::string> &texts) {
  std::string json = "[";
  for (const std::string &text : texts)
    json += (json.size() > 1 ? ",\n" : "") + quoteJson(text);
  return json + "]";
}

std::string object(const JsonFields &fields) {
  std::string json = "{";
  for (const auto &[name, value] : fields)
    json += (json.size() > 1 ? ", " : "") + quoteJson(name) + ": " + value;
  return json + "}";
}

std::string joined(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts)
    all += (all.empty() ? "" : "; ") + text;
  return all;
}

/// Where entry `entry` begins, as far as the artifact tells.
trace::StackFrame placeOf(const artifact::Manifest &manifest, const artifact::EntryRecord &entry) {
  for (const artifact::TensorSpec &argument : entry.args)
    if (argument.position)
      return {argument.position->file, argument.position->line, entry.name, ""};
  return {manifest.inputFile, 0, entry.name, ""};
}

JsonFields metricsOf(const artifact::Manifest &manifest, const artifact::EntryRecord &entry) {
  const trace::StackFrame place = placeOf(manifest, entry);
  return {{"co_name", quoteJson(entry.name)},
          {"co_filename", quoteJson(place.file)},
          {"co_firstlineno", std::to_string(trace::frameLine(place.line))},
          {"graph_input_count", std::to_string(entry.args.size())}};
}

} // namespace

RunTrace::RunTrace(std::unique_ptr<trace::Writer> writer) : writer(std::move(writer)) {}

std::shared_ptr<RunTrace> RunTrace::fromEnvironment() {
  std::optional<std::string> folder = environmentValue("MICA_TRACE");
  if (!folder)
    return nullptr;
  return std::make_shared<RunTrace>(trace::Writer::inFolder(*folder));
}

CompileId RunTrace::unit(const Program &program, size_t entry, int64_t number) {
  int64_t first = 0;
  bool toTell = false;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto [slot, added] = firstUnits.emplace(program.folder().string(), nextUnit);
    first = slot->second;
    if (added) {
      nextUnit += int64_t(program.manifest().entries.size());
      toTell = !std::exchange(nextIsTold, false);
    }
  }
  if (toTell)
    compiledBefore(program.folder(), first, "loaded");
  return {-1, first + int64_t(entry), number, 0};
}

/// The records of compiles that were made before this process, of the artifact's entries from unit `first` on: what its
/// compiler would have written, so that the log is enough for its pages. An artifact of the same contents is reported
/// once.
void RunTrace::compiledBefore(const fs::path &folder, int64_t first, const char *how) {
  Result<artifact::Artifact> opened = artifact::Artifact::open(folder);
  if (!opened)
    return; // it cannot be run either
  const artifact::Manifest &manifest = opened->manifest();
  const trace::ProgramUnits units{first, 0};
  // A reader takes what follows a manifest for that artifact's.
  std::lock_guard<std::mutex> telling(productsMutex);
  std::string sameAs;
  const trace::ProductsSummary products = productsOf(*opened, units, sameAs, /*starts=*/true);
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    JsonFields fields = metricsOf(manifest, manifest.entries[i]);
    fields.push_back({"restart_reasons", products.reasons(i)});
    fields.push_back({"fail_type", "null"});
    fields.push_back({"fail_reason", "null"});
    fields.push_back({how, "true"});
    if (!sameAs.empty() || i > 0)
      fields.push_back({"compiled_with", quoteJson(sameAs.empty() ? units(0).text() : sameAs)});
    writer->metrics(fields, units(i, products.attempts(i)), kPlace);
  }
}

/// Writes the beginning and the products of an artifact, whose entries are `units`; nothing but the beginning where one
/// of the same contents was told as `sameAs`.
trace::ProductsSummary RunTrace::productsOf(const artifact::Artifact &artifact, const trace::ProgramUnits &units,
                                            std::string &sameAs, bool starts) {
  const artifact::Manifest &manifest = artifact.manifest();
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    writer->start({placeOf(manifest, manifest.entries[i])}, units(i), kPlace);
    if (starts)
      trace::writeGuards(*writer, manifest.entries[i], units(i));
  }
  Result<std::string> text = readFile(artifact.path(artifact::kManifestFile));
  auto [slot, isNew] = told.emplace(text ? hashHex(*text) : artifact.path("").string(), units(0).text());
  if (isNew)
    return trace::writeProducts(*writer, artifact, units);
  sameAs = slot->second;
  return {};
}

std::string RunTrace::childSetting() {
  std::lock_guard<std::mutex> lock(mutex);
  return object(
      {{"log", quoteJson(writer->childSetting())}, {"frame_id", std::to_string(nextUnit)}, {"frame_compile_id", "0"}});
}

std::string RunTrace::childSetting(const Program &program, const Specialization &specialization) {
  const CompileId id = unit(program, specialization.entry, specialization.number);
  JsonFields fields = {{"log", quoteJson(writer->childSetting())},
                       {"frame_id", std::to_string(id.frame)},
                       {"frame_compile_id", std::to_string(id.frameCompile)}};
  if (!specialization.reasons.empty())
    fields.push_back({"recompile_reason", quoteJson(joined(specialization.reasons))});
  return object(fields);
}

void RunTrace::cacheRecord(const artifact::CacheOutcome &outcome, const CompileId &compile) {
  std::vector<std::string> components;
  for (const auto &[name, value] : outcome.key)
    components.push_back("[" + hashHex(value).substr(0, 16) + "] " + name + ": " + value);
  const std::string kind(artifact::cacheOutcomeName(outcome.kind));
  JsonFields fields = {{"key", quoteJson(outcome.key.empty() ? "" : artifact::hashOf(outcome.key))},
                       {"components", list(components)},
                       {"artifact", quoteJson(outcome.folder.string())}};
  if (!outcome.why.empty())
    fields.push_back({outcome.kind == artifact::CacheOutcome::Kind::Bypass ? "cache_bypass_reason" : "reason",
                      quoteJson(outcome.why)});
  if (!outcome.changed.empty())
    fields.push_back({"changed", list(outcome.changed)});
  writer->artifact("mica_cache_" + kind, object(fields), compile, kPlace, /*json=*/true);
}

void RunTrace::cache(const artifact::CacheOutcome &outcome) {
  int64_t first;
  {
    std::lock_guard<std::mutex> lock(mutex);
    first = nextUnit;
    nextIsTold = true;
  }
  cacheRecord(outcome, {-1, first, 0, 0});
  if (!outcome.changed.empty())
    writer->artifact("recompile_reasons", list(outcome.changed), {-1, first, 0, 0}, kPlace, /*json=*/true);
  if (outcome.kind != artifact::CacheOutcome::Kind::Hit)
    return; // the compiler told the rest
  compiledBefore(outcome.folder, first, "cached");
}

void RunTrace::guards(const Program &program, size_t entry, int64_t number, std::span<const Guard> guards,
                      const std::vector<std::string> &reasons) {
  const artifact::EntryRecord &record = program.manifest().entries[entry];
  const CompileId compile = unit(program, entry, number);
  std::string items;
  for (const Guard &guard : guards) {
    const artifact::SourcePosition place =
        record.args[guard.argument].position.value_or(artifact::SourcePosition{"", 0, 0});
    items += (items.empty() ? "" : ",\n") +
             object({{"code", quoteJson(guardCode(record, guard))},
                     {"stack", "null"},
                     {"user_stack", writer->frames({{place.file, place.line, record.name, ""}})}});
  }
  writer->record("dynamo_guards", "{}", compile, kPlace, "[" + items + "]");
  if (!reasons.empty())
    writer->artifact("recompile_reasons", list(reasons), compile, kPlace, /*json=*/true);
}

void RunTrace::specializationMade(const Program &program, const Specialization &specialization,
                                  const artifact::CacheOutcome &outcome, double started) {
  const CompileId compile = unit(program, specialization.entry, specialization.number);
  cacheRecord(outcome, compile);
  if (outcome.kind != artifact::CacheOutcome::Kind::Hit)
    return;
  const artifact::EntryRecord &entry = program.manifest().entries[specialization.entry];
  std::lock_guard<std::mutex> telling(productsMutex);
  trace::ProductsSummary products;
  std::string sameAs;
  if (Result<artifact::Artifact> opened = artifact::Artifact::open(outcome.folder))
    products = productsOf(*opened, {compile.frame, compile.frameCompile}, sameAs, /*starts=*/false);
  else
    writer->start({placeOf(program.manifest(), entry)}, compile, kPlace);
  JsonFields fields = metricsOf(program.manifest(), entry);
  fields.push_back({"restart_reasons", products.reasons(0)});
  fields.push_back({"fail_type", "null"});
  fields.push_back({"fail_reason", "null"});
  fields.push_back({"cached", "true"});
  if (!sameAs.empty())
    fields.push_back({"compiled_with", quoteJson(sameAs)});
  fields.push_back({"specialized_for", quoteJson(specialization.text)});
  fields.push_back({"duration_us", std::to_string(int64_t(trace::microsecondsNow() - started))});
  if (!specialization.reasons.empty())
    fields.push_back({"recompile_reason", quoteJson(joined(specialization.reasons))});
  writer->metrics(fields, {compile.autograd, compile.frame, compile.frameCompile, products.attempts(0)}, kPlace);
}

void RunTrace::specializationFailed(const Program &program, const Specialization &specialization, const Error &error) {
  const CompileId compile = unit(program, specialization.entry, specialization.number);
  writer->artifact("specialization_failed", error.message + (error.hint.empty() ? "" : "\nhint: " + error.hint) + "\n",
                   compile, kPlace);
  // What runs in its place is the next attempt of this compile.
  writer->artifact("strategy_fallback",
                   object({{"kernel", "\"\""},
                           {"rejected", "\"specialized kernels\""},
                           {"selected", "\"generic kernels\""},
                           {"reason", quoteJson(error.message)}}),
                   {compile.autograd, compile.frame, compile.frameCompile, 1}, kPlace, /*json=*/true);
  if (specialization.told)
    return;
  const artifact::EntryRecord &entry = program.manifest().entries[specialization.entry];
  writer->start({placeOf(program.manifest(), entry)}, compile, kPlace);
  JsonFields fields = metricsOf(program.manifest(), entry);
  fields.push_back({"restart_reasons", list({"specialized kernels rejected for generic kernels: " + error.message})});
  fields.push_back({"fail_type", "\"NotSpecialized\""});
  fields.push_back({"fail_reason", quoteJson(error.message)});
  fields.push_back({"specialized_for", quoteJson(specialization.text)});
  writer->metrics(fields, compile, kPlace);
}

void RunTrace::invocation(const Program &program, size_t entry, int64_t number, bool begins) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    invocations += begins;
    if (invocations > kMostInvocations)
      return;
  }
  writer->event("call " + program.manifest().entries[entry].name, begins ? 'B' : 'E', trace::microsecondsNow(),
                unit(program, entry, number), kPlace);
}

void RunTrace::run(const Program &program, size_t entry, const fs::path &events,
                   std::span<const KernelTimes::Entry> kernels) {
  const CompileId compile = unit(program, entry, 0);
  std::error_code ignored;
  writer->artifact("run_events",
                   object({{"schema", quoteJson(schemaFormat(Schema::Events))},
                           {"version", std::to_string(schemaNumber(Schema::Events))},
                           {"file", quoteJson(fs::absolute(events, ignored).string())}}),
                   compile, kPlace, /*json=*/true);
  const fs::path folder = events.parent_path().filename();
  if (Result<std::string> text = readFile(events); text && text->size() <= kLongestEvents)
    writer->artifact("launch_events", *text, compile, kPlace, /*json=*/false,
                     {{"file", quoteJson("runs/" + folder.string() + "/events.jsonl")}});
  std::string items;
  for (const KernelTimes::Entry &kernel : kernels)
    items += (items.empty() ? "" : ",\n") + object({{"kernel", quoteJson(kernel.kernel)},
                                                    {"launches", std::to_string(kernel.launches)},
                                                    {"total_ns", std::to_string(kernel.totalNs)},
                                                    {"min_ns", std::to_string(kernel.minNs)},
                                                    {"max_ns", std::to_string(kernel.maxNs)}});
  writer->artifact("launches", "[" + items + "]", compile, kPlace, /*json=*/true);
}

} // namespace mica::runtime
