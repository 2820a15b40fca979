//===- Switches.cpp - the switches of MICA_DEBUG -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table, and the ways to set a switch. Costs are what `mica-bench-latency --switches` prints, on
// launches of 25 ns, and what test/Bench/bench_costs.py finds on whole models.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Switches.h"

#include "lib/Support/Json.h"
#include "mica/Support/Checked.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace mica {
namespace {

using Kind = SwitchInfo::Kind;
using S = Switch;
using P = SwitchPhase;

constexpr std::array<SwitchInfo, kSwitchCount> kTable{{
    {S::AllowTf32, "allow-tf32", Kind::Flag, "on|off", "off", P::Compile, true, "",
     "compute f32 contractions on tensor cores, with inputs rounded to tf32 (11 significant bits instead of 24); "
     "--target=cuda and sim only",
     "none: it makes programs faster", "allow-tf32"},
    {S::AssertLevel, "assert-level", Kind::Choice, "none|user|warn|safe|all", "user", P::Compile, true, "",
     "run-time checks: none; user: integer divisions, accesses at given or loaded positions, and the cf.assert of the "
     "program; safe: also slices and shifts; all: every access; warn: as all, but log and continue",
     "safe and all 1.00x on the models of docs/Performance.md, up to 1.16x where nothing is proved",
     "assert-level=all"},
    {S::CheckProofs, "check-proofs", Kind::Flag, "on|off", "on", P::Compile, true,
     "assert-level|uninitialized-read-check", "eliminate checks that cannot fail; off keeps all checks",
     "compile time only", "assert-level=all,check-proofs=off"},
    {S::DeviceSyncMode, "device-sync-mode", Kind::Flag, "on|off", "off", P::Run, false, "",
     "run one kernel at a time, so that a failure has one possible cause",
     "10 ns a launch, and kernels run one after the other", "device-sync-mode"},
    {S::DumpDir, "dump-dir", Kind::File, "DIR", "", P::Run, false, "dump-tensors",
     "folder of the dump; mica-run puts it into the folder of the run", "none", "dump-tensors=2,dump-dir=/tmp/dump"},
    {S::DumpExact, "dump-exact", Kind::Flag, "on|off", "off", P::Run, false, "dump-tensors",
     "keep what operations compute inside of fused kernels, too: each launch is computed a second time, operation by "
     "operation, from what it read, and the kernel stays as it is; when a program is compiled, add the code for it",
     "the time of unoptimized code for each launch that is dumped", "dump-tensors=2,dump-exact",
     /*addsCodeOnDevices=*/true},
    {S::DumpKernel, "dump-kernel", Kind::Names, "NAME+...", "", P::Run, false, "dump-tensors",
     "dump tensors of these kernels; wildcards * and ?", "none", "dump-tensors=1,dump-kernel=softmax*"},
    {S::DumpKind, "dump-kind", Kind::Names, "KIND+...", "", P::Run, false, "dump-tensors",
     "dump tensors of kernels with such a root, or such an operation", "none", "dump-tensors=1,dump-kind=mica.exp"},
    {S::DumpMaterialize, "dump-materialize", Kind::OptionalNames, "PATTERN+...", "", P::Compile, true, "",
     "end kernels behind operations, so that their results are stored and can be dumped; PATTERN: ids and kinds, all "
     "where left out; operations with mica_check.dump always; the kernels are not those of other compiles",
     "as -O0 where every operation has its own kernel", "dump-tensors=2,dump-materialize=mica.exp"},
    {S::DumpMaxBytes, "dump-max-bytes", Kind::Bytes, "BYTES", "", P::Run, false, "dump-tensors",
     "of larger tensors keep the statistics alone; K, M, G and T behind the number stand for 2^10 to 2^40 bytes",
     "none", "dump-tensors=2,dump-max-bytes=1M"},
    {S::DumpMinBytes, "dump-min-bytes", Kind::Bytes, "BYTES", "", P::Run, false, "dump-tensors",
     "of smaller tensors keep the statistics alone", "none", "dump-tensors=2,dump-min-bytes=64K"},
    {S::DumpName, "dump-name", Kind::Names, "NAME+...", "", P::Run, false, "dump-tensors",
     "dump tensors that the source calls so: %q, argument 0", "none", "dump-tensors=1,dump-name=%q+%k"},
    {S::DumpOp, "dump-op", Kind::Names, "ID+...", "", P::Run, false, "dump-tensors",
     "dump tensors of the kernels that compute these operations", "none", "dump-tensors=1,dump-op=3f2a91c07b1e"},
    {S::DumpRole, "dump-role", Kind::Names, "ROLE+...", "", P::Run, false, "dump-tensors",
     "dump tensors that a kernel reads (input), writes (output), or updates (inout)", "none",
     "dump-tensors=1,dump-role=output"},
    {S::DumpSampleBytes, "dump-sample-bytes", Kind::Bytes, "BYTES", "256K", P::Run, false, "dump-tensors",
     "of larger arguments and constants, dump-tensors=3 looks at so many bytes, in blocks of 4096 bytes that are "
     "spread "
     "evenly",
     "1T: reading all of the arguments and constants once in each call", "dump-sample-bytes=1T"},
    {S::DumpTensors, "dump-tensors", Kind::Choice, "0|1|2|3", "0", P::Run, false, "",
     "keep what each kernel reads and writes, for mica-dump; 1: the tensors that dump-op, dump-kernel, dump-kind, "
     "dump-name, dump-role or the program's mica_check.dump select; 2: all; 3: statistics of all, and the elements of "
     "those that are selected",
     "docs/Dumps.md", "dump-tensors=2"},
    {S::HangTimeout, "hang-timeout", Kind::Seconds, "SECONDS", "0", P::Run, false, "",
     "end the process with exit code 4 when no kernel makes progress for this time, and print what runs and what "
     "waits; the same for a loop of a host function when nothing that it carries changes for this time; time without a "
     "CPU does not count; 0: never",
     "0.15 us a launch; 1.00x on kernels of 0.5 ms, 1.04x on those of 5 us", "hang-timeout=30"},
    {S::LaunchLedger, "launch-ledger", Kind::File, "FILE", "", P::Run, false, "",
     "keep the latest launches in a mapped file that survives a crash: mica-run --post-mortem FILE",
     "0.15 us a launch; 1.00x on kernels of 0.5 ms, 1.05x on those of 5 us", "launch-ledger=run.ledger"},
    {S::RankCheck, "rank-check", Kind::Flag, "on|off", "off", P::Run, false, "",
     "compare each exchange between ranks, and its line, with those that the other ranks of the group are about to "
     "make, before it begins",
     "a message of 16 bytes to each member of the group, for each exchange", "rank-check"},
    {S::RankFingerprints, "rank-fingerprints", Kind::Flag, "on|off", "off", P::Run, false, "",
     "compare the bits of each tensor that several ranks have, after each call: an error names the first operation "
     "whose result differs",
     "each tensor that a kernel writes is read once more", "rank-fingerprints"},
    {S::RankNccl, "rank-nccl", Kind::Flag, "on|off", "on", P::Run, false, "",
     "let NCCL exchange tensors in the memory of GPUs, if it is installed and all ranks are processes; off: the host "
     "exchanges them",
     "none", "rank-nccl=off"},
    {S::RankOverlap, "rank-overlap", Kind::Flag, "on|off", "on", P::Run, false, "",
     "let kernels run while ranks exchange tensors; off: a rank does one or the other", "none", "rank-overlap=off"},
    {S::RankTrace, "rank-trace", Kind::File, "DIR", "", P::Run, false, "",
     "keep when each rank ran each kernel and waited in each exchange, in a file for each rank: mica-report DIR",
     "0.1 us a launch, and 40 bytes of memory", "rank-trace=/tmp/ranks"},
    {S::LoopTimeout, "loop-timeout", Kind::Seconds, "SECONDS", "0", P::Run, false, "",
     "end an invocation with exit code 4 when a loop of a host function has run for this time, or the process when a "
     "kernel with an scf.while has, and print the loop, its line, the iterations and the values that it carries; 0: "
     "never",
     "none that is measurable; as hang-timeout where a kernel has an scf.while", "loop-timeout=60"},
    {S::MemoryLimit, "memory-limit", Kind::Bytes, "BYTES", "", P::Run, false, "",
     "reject tensors and temporaries beyond this total of bytes, before touching any; K, M, G and T behind "
     "the number "
     "stand for 2^10 to 2^40 bytes; without it: physical memory and swap, or less where a control group or RLIMIT_AS "
     "says so",
     "none: it is read where memory comes from the system", "memory-limit=2G"},
    {S::MmapWeights, "mmap-weights", Kind::Flag, "on|off", "on", P::Run, false, "",
     "map weights of more than 16 MiB; off: read and verify all of them at load, so that later changes of "
     "constants.bin have no effect",
     "off: memory for the weights, and 1.5 s of processor time per GiB at load, instead of a millisecond",
     "mmap-weights=off"},
    {S::NanCheck, "nan-check", Kind::OptionalNames, "PATTERN+...", "", P::Run, false, "",
     "check the floats that each kernel writes: a NaN or Inf that originates in a kernel fails it, with operation, "
     "operands and element; when a program is compiled, add what finds the operation inside of a kernel; PATTERN: "
     "kernels, kinds or ids that count, all where left out",
     "1.01x to 1.10x on models; reads what was written once, large results part by part while they are in the cache",
     "nan-check=softmax*+mica.exp", /*addsCodeOnDevices=*/true},
    {S::NanNearOverflow, "nan-near-overflow", Kind::Flag, "on|off", "off", P::Run, false, "nan-check",
     "warn of kernels with results beyond 1/16 of the type's largest value, and how many", "as nan-check",
     "nan-check,nan-near-overflow"},
    {S::OpLogFile, "op-log-file", Kind::File, "FILE", "", P::Run, false, "",
     "write the op log to FILE: .json for Chrome and Perfetto, .log or .txt as text, else JSON lines; level trace "
     "unless "
     "op-log-level says otherwise",
     "0.16 us a launch on the thread that launches, without formatting; 1.00x to 1.04x on kernels of 0.5 ms, 1.05x on "
     "those of 5 us",
     "op-log-file=ops.jsonl"},
    {S::OpLogKernel, "op-log-kernel", Kind::Names, "NAME+...", "", P::Run, false, "op-log-level|op-log-file",
     "log only launches of these kernels; wildcards * and ?",
     "1.5 ns for a launch that is filtered out; none if all are", "op-log-level=debug,op-log-kernel=matmul*+softmax*"},
    {S::OpLogKind, "op-log-kind", Kind::Names, "KIND+...", "", P::Run, false, "op-log-level|op-log-file",
     "log only launches of kernels with such a root, or such an operation",
     "1.5 ns for a launch that is filtered out; none if all are", "op-log-level=debug,op-log-kind=softmax+mica.exp"},
    {S::OpLogLevel, "op-log-level", Kind::Choice, "off|trace|debug|info|warning|error|critical", "off", P::Run, false,
     "",
     "log launches; trace: with kernel, shapes, queue wait and source; debug: start and completion; info: completion; "
     "warning: failed launches, and those skipped after them; error: failed launches; critical: none",
     "none when off (1.00x); without op-log-file a write to the standard error per line", "op-log-level=trace"},
    {S::OpLogOp, "op-log-op", Kind::Names, "ID+...", "", P::Run, false, "op-log-level|op-log-file",
     "log only launches that compute these operations", "1.5 ns for a launch that is filtered out; none if all are",
     "op-log-level=debug,op-log-op=3f2a91c07b1e"},
    {S::OpLogTarget, "op-log-target", Kind::Names, "DEVICE+...", "", P::Run, false, "op-log-level|op-log-file",
     "log only launches on these devices", "1.5 ns for a launch that is filtered out; none if all are",
     "op-log-level=debug,op-log-target=cpu:0"},
    {S::SimCheck, "sim-check", Kind::Names, "CHECK+...", "all", P::Compile, true, "",
     "what kernels of the simulator (--target=sim) check: bounds, race, init, barrier, async, alignment; all is these "
     "six; "
     "bank, coalescing and barrier-use are hints about speed; none",
     "docs/Simulator.md", "sim-check=race+bank"},
    {S::SimKernel, "sim-kernel", Kind::Names, "NAME+...", "*", P::Compile, true, "",
     "check only these kernels in the simulator; wildcards * and ?", "none", "sim-kernel=matmul*"},
    {S::SimSchedule, "sim-schedule", Kind::Names, "ORDER[:SEED]", "in-order", P::Run, false, "",
     "execution order of blocks, warps and threads in the simulator: in-order, reversed, random:SEED, or adversarial "
     "(reversed at every barrier)",
     "none but random: up to 1.2x", "sim-schedule=random:42"},
    {S::SourceTracebacks, "source-tracebacks", Kind::Flag, "on|off", "on", P::Run, false, "",
     "show the source lines of the operations that failed and the calls around them, innermost last",
     "none until something fails", "source-tracebacks=off"},
    {S::Specialize, "specialize", Kind::Choice, "off|exact|auto", "off", P::Run, false, "",
     "compile specialized kernels for the sizes of a call, for later calls with the same sizes; exact: all dynamic "
     "sizes are static; auto: sizes that vary between calls stay dynamic; docs/Specialization.md",
     "guard checks at each call of an entry with dynamic sizes; none for others", "specialize=auto"},
    {S::SpecializeAfter, "specialize-after", Kind::Count, "N", "1", P::Run, false, "specialize",
     "specialize at the Nth call with the same sizes", "none", "specialize=exact,specialize-after=3"},
    {S::SpecializeLimit, "specialize-limit", Kind::Count, "N", "8", P::Run, false, "specialize",
     "at most N shape classes per entry", "memory of a context for each", "specialize=exact,specialize-limit=2"},
    {S::SpecializeWait, "specialize-wait", Kind::Flag, "on|off", "off", P::Run, false, "specialize",
     "wait for the compiler; off: the generic kernels run until it is done", "the compile, within the call",
     "specialize=exact,specialize-wait"},
    {S::UninitializedReadCheck, "uninitialized-read-check", Kind::Flag, "on|off", "off", P::Compile, true, "",
     "fail kernels that use uninitialized elements, with the allocation and its last writer; moving an element is not "
     "a use; results must be initialized; includes assert-level=all",
     "docs/Checks.md", "uninitialized-read-check"},
}};

constexpr std::string_view kSensible =
    "device-sync-mode,hang-timeout=60,nan-check,op-log-level=warning,source-tracebacks";

const SwitchInfo *find(std::string_view name) {
  for (const SwitchInfo &info : kTable)
    if (info.name == name)
      return &info;
  return nullptr;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

Error unknownSwitch(std::string_view name) {
  std::vector<std::string> names{"sensible", "help"};
  for (const SwitchInfo &info : kTable)
    names.emplace_back(info.name);
  const std::string nearest = nearestName(name, names);
  return Error{ErrorCode::InvalidInput, "there is no switch '" + std::string(name) + "'",
               (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "The switches are " +
                   joinNames(names, names.size()) + "; --mica-debug=help says what each does"};
}

std::optional<double> secondsOf(std::string_view text) {
  if (text.ends_with('s'))
    text.remove_suffix(1);
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number) || number < 0)
    return std::nullopt;
  return number;
}

std::optional<int64_t> countOf(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    return std::nullopt;
  return number;
}

/// The normalized form of `value`, or an error.
Result<std::string> checkedValue(const SwitchInfo &info, std::string value) {
  const std::string shown = std::string(info.name) + "=" + value;
  auto wrong = [&](const std::string &hint) { return Error{ErrorCode::InvalidInput, shown + ": unknown value", hint}; };
  switch (info.kind) {
  case Kind::Flag:
    for (auto [spelling, meaning] :
         {std::pair("", "on"), std::pair("on", "on"), std::pair("true", "on"), std::pair("1", "on"),
          std::pair("off", "off"), std::pair("false", "off"), std::pair("0", "off")})
      if (value == spelling)
        return std::string(meaning);
    return wrong(unknownNameHint(value, {"on", "off"}));
  case Kind::Choice: {
    const std::vector<std::string> choices = splitText(info.values, '|');
    std::string lower = value;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (std::find(choices.begin(), choices.end(), lower) != choices.end())
      return lower;
    return value.empty() ? Error{ErrorCode::InvalidInput, std::string(info.name) + " needs a value",
                                 "it may be " + joinNames(choices)}
                         : wrong(unknownNameHint(value, choices));
  }
  case Kind::Count:
    if (countOf(value))
      return value;
    return wrong("a number from 1 on: " + std::string(info.example));
  case Kind::Bytes:
    if (parseByteCount(value))
      return value;
    return wrong("a number of bytes: " + std::string(info.example));
  case Kind::Seconds:
    if (secondsOf(value))
      return value;
    return wrong("a number of seconds from 0 on: " + std::string(info.example));
  case Kind::OptionalNames:
    return value.empty() ? "*" : value;
  case Kind::File:
  case Kind::Names:
    if (!value.empty())
      return value;
    return Error{ErrorCode::InvalidInput, std::string(info.name) + " needs a value: " + std::string(info.values),
                 "for example " + std::string(info.example)};
  }
  return value;
}

} // namespace

std::span<const SwitchInfo> switchTable() { return kTable; }
std::string_view sensibleSwitches() { return kSensible; }

std::string_view switchPhaseName(SwitchPhase phase) {
  switch (phase) {
  case SwitchPhase::Compile:
    return "compile";
  case SwitchPhase::Run:
    return "run";
  }
  return "";
}

Switches::Switches() {
  for (const SwitchInfo &info : kTable)
    values[size_t(info.which)].text = info.defaultValue;
}

Status Switches::set(std::string_view name, std::string_view value, SwitchSource source) {
  if (name == "sensible") {
    if (value == "off" || value == "false" || value == "0")
      return {};
    return set(kSensible, source);
  }
  const SwitchInfo *info = find(name);
  if (!info)
    return unknownSwitch(name);
  MICA_ASSIGN_OR_RETURN(std::string checked, checkedValue(*info, std::string(value)));
  Value &held = values[size_t(info->which)];
  if (source >= held.source)
    held = {std::move(checked), source};
  return {};
}

Status Switches::set(std::string_view assignments, SwitchSource source) {
  Switches changed = *this;
  for (const std::string &item : splitText(assignments, ',')) {
    const std::string assignment = trimmed(item);
    if (assignment.empty())
      continue;
    const size_t equals = assignment.find('=');
    const std::string name = trimmed(std::string_view(assignment).substr(0, equals));
    const std::string value = equals == assignment.npos ? "" : trimmed(std::string_view(assignment).substr(equals + 1));
    MICA_RETURN_IF_ERROR(changed.set(name, value, source));
  }
  *this = std::move(changed);
  return {};
}

int64_t Switches::count(Switch which) const { return countOf(text(which)).value_or(1); }

int64_t Switches::bytes(Switch which) const { return parseByteCount(text(which)).value_or(-1); }

double Switches::seconds(Switch which) const { return secondsOf(text(which)).value_or(0); }

std::vector<std::pair<std::string, std::string>> Switches::codeSwitches() const {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const SwitchInfo &info : kTable)
    if (info.changesCode && text(info.which) != info.defaultValue)
      parts.emplace_back(info.name, text(info.which));
  return parts;
}

std::vector<std::pair<std::string, std::string>> Switches::codeSwitches(std::string_view target) const {
  std::vector<std::pair<std::string, std::string>> parts = codeSwitches();
  // On the CPU, kernels get a second version that finds the origin of a NaN.
  if (const TargetInfo *info = findTarget(target); info && !info->isCompiledOnly)
    for (const SwitchInfo &info : kTable)
      if (info.addsCodeOnDevices && text(info.which) != info.defaultValue)
        parts.emplace_back(info.name, info.kind == Kind::Flag ? "on" : "all"); // a value is read at run time
  return parts;
}

std::string Switches::assignments(SwitchSource source) const {
  std::string result;
  for (const SwitchInfo &info : kTable)
    if (this->source(info.which) == source)
      result += (result.empty() ? "" : ", ") + std::string(info.name) + "=" + text(info.which);
  return result;
}

std::string Switches::assignments() const {
  std::string result;
  for (const SwitchInfo &info : kTable)
    if (isSet(info.which))
      result += (result.empty() ? "" : ",") + std::string(info.name) + "=" + text(info.which);
  return result;
}

std::vector<std::string> Switches::warnings(std::span<const SwitchPhase> phases, std::string_view tool) const {
  std::vector<std::string> result;
  for (const SwitchInfo &info : kTable) {
    // Settings of a file are meant for all tools.
    if (!isSet(info.which) || text(info.which) == info.defaultValue || isFromFile(source(info.which)))
      continue;
    // The compiler knows its target, and prints its own warnings.
    const auto acts = [&](SwitchPhase phase) { return std::find(phases.begin(), phases.end(), phase) != phases.end(); };
    if (info.addsCodeOnDevices && acts(P::Compile) && !acts(P::Run))
      continue;
    if (!acts(info.phase)) {
      result.push_back("the switch " + std::string(info.name) + " has no effect in " + std::string(tool) +
                       ": it acts " +
                       (info.phase == SwitchPhase::Compile ? "when a program is compiled (mica-compile)"
                                                           : "when a program runs (mica-run)"));
      continue;
    }
    bool useful = info.needs.empty();
    for (const std::string &needed : splitText(info.needs, '|'))
      if (const SwitchInfo *other = find(needed))
        useful |= text(other->which) != other->defaultValue;
    if (!useful) {
      std::string needed(info.needs);
      if (const size_t bar = needed.find('|'); bar != needed.npos)
        needed.replace(bar, 1, " or ");
      result.push_back("the switch " + std::string(info.name) + " has no effect without " + needed);
    }
  }
  return result;
}

/// Applies the object `debug` of a configuration file.
static Status setFromFile(Switches &switches, const std::string &file, SwitchSource source) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(text, file));
  const Json &json = document.root();
  auto wrong = [&](const std::string &what, std::string hint) {
    return Error{ErrorCode::InvalidInput, file + ": " + what, std::move(hint)};
  };
  const std::string form = "it has the form {\"debug\": {\"op-log-level\": \"trace\", \"device-sync-mode\": true}}";
  if (!json.is_object())
    return wrong("is not a JSON object", form);
  for (const auto &[key, value] : json.items())
    if (key != "debug")
      return wrong("unknown key '" + key + "'", unknownNameHint(key, {"debug"}) + "; " + form);
  if (!json.contains("debug"))
    return {};
  if (!json["debug"].is_object())
    return wrong("'debug' is no object", form);
  for (const auto &[name, value] : json["debug"].items()) {
    if (value.is_structured() || value.is_null())
      return wrong("the value of '" + name + "' is not a string, number or boolean", form);
    const std::string text = value.is_string()    ? value.get<std::string>()
                             : value.is_boolean() ? (value.get<bool>() ? "on" : "off")
                                                  : value.dump();
    if (const SwitchInfo *info = find(name);
        info && info->kind == SwitchInfo::Kind::File && source == SwitchSource::Folder)
      return wrong("'" + name + "' says where a file is written, which " + file + " of a working folder may not",
                   "set it with --mica-debug=" + name + "=" + text +
                       " or MICA_DEBUG, or use the file on purpose: "
                       "MICA_CONFIG=" +
                       file);
    if (Status set = switches.set(name, text, source); !set)
      return wrong(set.error().message, set.error().hint);
  }
  return {};
}

Result<Switches> switchesFromEnvironment(bool readsFolder) {
  Switches switches;
  std::error_code error;
  if (std::optional<std::string> named = environmentValue("MICA_CONFIG")) {
    MICA_RETURN_IF_ERROR(setFromFile(switches, *named, SwitchSource::File));
  } else if (readsFolder && std::filesystem::exists("mica.json", error)) {
    MICA_RETURN_IF_ERROR(setFromFile(switches, "mica.json", SwitchSource::Folder));
  }
  if (std::optional<std::string> text = environmentValue("MICA_DEBUG"))
    if (Status set = switches.set(*text, SwitchSource::Environment); !set)
      return Error{set.error().code, "MICA_DEBUG: " + set.error().message, set.error().hint};
  return switches;
}

std::string switchHelp() {
  std::string text =
      "--mica-debug=NAME[=VALUE],..., or MICA_DEBUG, or {\"debug\": {...}} in mica.json: switches of checks "
      "and logs.\n"
      "A flag wins over the C API, that over MICA_DEBUG, that over the file.\n\n"
      "  sensible\n      " +
      std::string(kSensible) + "\n";
  for (const SwitchInfo &info : kTable)
    text += "\n  " + std::string(info.name) + "=" + std::string(info.values) + "\n      " + std::string(info.help) +
            "\n      default: " + (info.defaultValue.empty() ? "none" : std::string(info.defaultValue)) +
            "; read: " + std::string(switchPhaseName(info.phase)) + "; cost: " + std::string(info.cost) +
            "\n      example: --mica-debug=" + std::string(info.example) + "\n";
  return text;
}

} // namespace mica
