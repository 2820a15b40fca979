//===- RunTool.cpp - mica-run ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The steps in order. Nothing is written before inputs and flags are validated.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/RunTool/RunTool.h"

#include "lib/RunTool/Cache.h"
#include "lib/RunTool/Capture.h"
#include "lib/RunTool/CheckPasses.h"
#include "lib/RunTool/Checks.h"
#include "lib/RunTool/CrashNames.h"
#include "lib/RunTool/Deps.h"
#include "lib/RunTool/Deterministic.h"
#include "lib/RunTool/Doctor/Doctor.h"
#include "lib/RunTool/DumpNotes.h"
#include "lib/RunTool/Edits.h"
#include "lib/RunTool/Golden.h"
#include "lib/RunTool/Inputs.h"
#include "lib/RunTool/Locate.h"
#include "lib/RunTool/MemoryMap.h"
#include "lib/RunTool/NanOrigin.h"
#include "lib/RunTool/Options.h"
#include "lib/RunTool/Outputs.h"
#include "lib/RunTool/PostMortem.h"
#include "lib/RunTool/Printed.h"
#include "lib/RunTool/Ranks.h"
#include "lib/RunTool/RunFolder.h"
#include "lib/RunTool/Sandbox.h"
#include "lib/RunTool/Schedule.h"
#include "lib/RunTool/Times.h"
#include "lib/RunTool/Why.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/Verify.h"
#include "mica/Runtime/Communicator.h"
#include "mica/Runtime/Context.h"
#include "mica/Runtime/Devices.h"
#include "mica/Runtime/Isolated.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>

#include <sys/resource.h>

namespace fs = std::filesystem;

namespace mica {
namespace runtool {
namespace {

/// Milliseconds since its creation or the last query.
class Stopwatch {
public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double elapsed = std::chrono::duration<double, std::milli>(now - start).count();
    start = now;
    return elapsed;
  }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// --in-place: copies the final value of a modified argument to the argument's memory.
void storeBack(const artifact::EntryRecord &entry, const std::vector<runtime::Tensor> &results,
               std::span<const runtime::TensorView> inputs) {
  for (size_t i = 0; i < results.size(); ++i)
    if (int64_t argument = entry.results[i].updates; argument >= 0)
      std::memcpy(const_cast<void *>(inputs[size_t(argument)].data), results[i].buffer.data(),
                  size_t(results[i].bytes()));
}

/// Runs the entry again without observers for --repeat, then with times per kernel for --time.
Status measure(const Options &options, const std::shared_ptr<const runtime::Program> &program, size_t entry,
               std::span<const runtime::TensorView> inputs, Times &times) {
  // The measured runs use the same kernels as the recorded run, without observers. A rank that waits forever is no
  // rarer in them, and exchanges are what one may want to measure.
  Switches specialize;
  MICA_ASSIGN_OR_RETURN(const int32_t ranks, runtime::ranksOf(program->manifest()));
  for (Switch which :
       {Switch::Specialize, Switch::SpecializeAfter, Switch::SpecializeLimit, Switch::SpecializeWait, Switch::RankCheck,
        Switch::RankNccl, Switch::RankOverlap, Switch::RankTrace, Switch::HangTimeout})
    if (options.debug.isSet(which) && (which != Switch::HangTimeout || ranks > 0))
      MICA_RETURN_IF_ERROR(
          specialize.set(switchTable()[size_t(which)].name, options.debug.text(which), options.debug.source(which)));
  runtime::ContextOptions plain;
  plain.threads = options.threads;
  plain.ranksAsThreads = options.ranksAsThreads;
  plain.switches = specialize;
  MICA_ASSIGN_OR_RETURN(auto context, runtime::Context::create(program, std::move(plain)));
  std::vector<runtime::Tensor> results;
  MICA_RETURN_IF_ERROR(context->invoke(entry, inputs, results));
  for (int64_t i = 0; i < options.repeat; ++i) {
    Stopwatch watch;
    MICA_RETURN_IF_ERROR(context->invoke(entry, inputs, results));
    times.runs.push_back(watch.lap());
    if (options.inPlace)
      storeBack(program->manifest().entries[entry], results, inputs);
  }
  if (!options.time)
    return {};
  const std::unique_ptr<runtime::KernelTimes> kernels = runtime::KernelTimes::create();
  runtime::ContextOptions observed;
  observed.threads = options.threads;
  observed.ranksAsThreads = options.ranksAsThreads;
  observed.observers = {kernels.get()};
  observed.switches = specialize;
  MICA_ASSIGN_OR_RETURN(context, runtime::Context::create(program, std::move(observed)));
  MICA_RETURN_IF_ERROR(context->invoke(entry, inputs, results));
  kernels->reset();
  Stopwatch watch;
  for (int64_t i = 0; i < options.repeat; ++i)
    MICA_RETURN_IF_ERROR(context->invoke(entry, inputs, results));
  times.observedRuns = options.repeat;
  times.observed = watch.lap() / double(options.repeat);
  times.kernels = kernels->entries();
  times.kernelsBusy = double(kernels->busyNs()) / 1e6 / double(options.repeat);
  times.memory = context->memoryUse();
  return {};
}

/// The run whose results are used: recorded in the run folder.
Result<std::vector<HostTensor>> recordedRun(const Options &options,
                                            const std::shared_ptr<const runtime::Program> &program, size_t entry,
                                            std::span<const runtime::TensorView> inputs, const RunFolder &run,
                                            const Located &located, Captures &captures, Times &times) {
  MICA_ASSIGN_OR_RETURN(std::unique_ptr<runtime::EventLog> log, runtime::EventLog::create(run.path() / "events.jsonl"));
  runtime::ContextOptions contextOptions;
  contextOptions.threads = options.threads;
  contextOptions.observers = {log.get()};
  const std::unique_ptr<runtime::KernelTimes> kernels = runtime::KernelTimes::create();
  contextOptions.trace = options.trace;
  contextOptions.ranksAsThreads = options.ranksAsThreads;
  contextOptions.provenance = located.provenance();
  if (options.trace)
    contextOptions.observers.push_back(kernels.get());
  contextOptions.switches = options.debug;
  if (!options.debug.isSet(Switch::LaunchLedger))
    MICA_RETURN_IF_ERROR(
        contextOptions.switches.set("launch-ledger", (run.path() / "launches.ledger").string(), SwitchSource::Default));
  const DumpNotes notes(contextOptions.switches, *program, run.path());
  MICA_RETURN_IF_ERROR(notes.prepare(contextOptions.switches));
  applySchedule(options, *program, contextOptions);
  if (options.checkOps) {
    captures.folder = run.path() / "captures";
    MICA_ASSIGN_OR_RETURN(contextOptions.backends, runtime::createBackends(*program, contextOptions));
    for (std::unique_ptr<runtime::Backend> &backend : contextOptions.backends)
      backend = captureBackend(std::move(backend), captures);
  }
  MICA_ASSIGN_OR_RETURN(auto context, runtime::Context::create(program, std::move(contextOptions)));
  Stopwatch watch;
  const Result<std::vector<runtime::Tensor>> invoked = context->invoke(entry, inputs);
  times.firstRun = watch.lap();
  if (!invoked) {
    context.reset();
    if (const Status reported = notes.report(); !reported)
      printWarning(kTool, reported.error().message, reported.error().hint);
    return invoked.error();
  }
  const std::vector<runtime::Tensor> &tensors = *invoked;
  if (options.inPlace)
    storeBack(program->manifest().entries[entry], tensors, inputs);
  context.reset();
  MICA_RETURN_IF_ERROR(notes.report());
  MICA_RETURN_IF_ERROR(log->close());
  if (options.trace)
    options.trace->run(*program, entry, run.path() / "events.jsonl", kernels->entries());
  MICA_RETURN_IF_ERROR(captures.failure);
  std::vector<HostTensor> results;
  for (const runtime::Tensor &tensor : tensors)
    results.push_back(tensor.toHost());
  return results;
}

/// The devices that run kernels of `entry`.
std::vector<std::string> devicesOf(const runtime::Program &program, const artifact::EntryRecord &entry) {
  std::set<std::string> devices;
  for (const artifact::TaskList &list : program.taskLists())
    if (list.name.starts_with(entry.name + "_"))
      for (const artifact::TaskRecord &task : list.tasks)
        devices.insert(task.device);
  return {devices.begin(), devices.end()};
}

/// State shared by all runs of an artifact.
struct LoadedArtifact {
  const Options &options;
  const Located &located;
  std::shared_ptr<const runtime::Program> program;
  size_t entryIndex = 0;
  std::vector<ValueRange> ranges;

  const artifact::EntryRecord &entry() const { return program->manifest().entries[entryIndex]; }
};

/// One run with all requested checks. `set`: the inputs are generated for a check; `isMain`: its results are printed.
Result<CheckOutcome> runWith(const LoadedArtifact &loaded, std::optional<InputSet> set, bool isMain, Times &times) {
  const Options &options = loaded.options;
  const artifact::EntryRecord &entry = loaded.entry();
  const fs::path &folder = loaded.located.folder;
  Stopwatch watch;
  MICA_ASSIGN_OR_RETURN(const std::vector<Input> inputs, makeInputs(options, entry, loaded.ranges, set, !isMain));
  MICA_ASSIGN_OR_RETURN(const RunFolder run, RunFolder::createFor(folder, options.runDir));
  MICA_RETURN_IF_ERROR(run.writeInputs(inputs));
  std::vector<runtime::TensorView> views;
  for (const Input &input : inputs)
    views.push_back(input.view());
  times.inputs = watch.lap();

  if (options.checkUndefined && isMain) {
    CheckOutcome undefined;
    MICA_ASSIGN_OR_RETURN(undefined.childExitCode, checkUndefined(folder, entry, run));
    if (undefined.childExitCode != 0)
      return undefined;
  }
  Captures captures;
  // The program may be undefined for generated inputs: it only runs if the evaluator has a result.
  CheckOutcome outcome;
  if (set) {
    const bool isOptional = *set != InputSet::Random;
    MICA_ASSIGN_OR_RETURN(const int code, evaluateReference(options, folder, entry, run, isOptional));
    outcome.isUndefined = code != 0 && isOptional;
    outcome.childExitCode = isOptional ? 0 : code;
    if (code != 0)
      return outcome;
  }
  // Its printed output is compared too, and shown after the run.
  const fs::path printed = run.path() / "data" / "printed.txt";
  std::optional<StandardOutputCapture> capture;
  if (options.checkReference)
    capture.emplace(printed);
  Result<std::vector<HostTensor>> ran =
      recordedRun(options, loaded.program, loaded.entryIndex, views, run, loaded.located, captures, times);
  if (capture) {
    capture->end();
    if (const Result<std::string> text = readFile(printed); isMain && text)
      std::fwrite(text->data(), 1, text->size(), stdout);
  }
  if (!ran)
    return withNanOrigin(options, folder, loaded.program->manifest(), entry, run, ran.error());
  const std::vector<HostTensor> results = *std::move(ran);
  watch.lap();
  MICA_RETURN_IF_ERROR(run.writeTensors("out", results));
  const bool explains = !options.why.empty() || !options.whoUses.empty();
  if (isMain && !explains)
    MICA_RETURN_IF_ERROR(writeOutputs(options, entry, results));
  times.outputs = watch.lap();

  if (isMain && (options.repeat > 1 || options.time)) {
    times.threads = options.threads > 0 ? options.threads : runtime::availableCpus();
    MICA_RETURN_IF_ERROR(measure(options, loaded.program, loaded.entryIndex, views, times));
    std::printf("%s", repeatLine(times).c_str());
    if (options.time)
      std::printf("%s", timeTree(times).c_str());
  }

  if (explains)
    return explainElement(options, folder, loaded.program->manifest(), entry, run);
  if (options.checkReference) {
    std::fflush(stdout);
    MICA_ASSIGN_OR_RETURN(outcome, checkReference(options, folder, loaded.program->manifest(), entry, run, results,
                                                  captures.tensors, set));
    if (outcome.childExitCode != 0 || outcome.isUndefined)
      return outcome;
  }
  bool same = outcome.same;
  if (options.checkPasses && isMain) {
    std::fflush(stdout);
    const auto &compiledWith = loaded.program->manifest().options;
    if (const auto plain = compiledWith.find("plain"); plain != compiledWith.end() && plain->second == "on")
      return Error{ErrorCode::Unsupported,
                   "--check-passes: the whole program runs in its host functions: there are no snapshots to compare",
                   "--check-reference compares its results"};
    MICA_ASSIGN_OR_RETURN(outcome, checkPasses(options, folder, entry, run, results));
    if (outcome.childExitCode != 0)
      return outcome;
    same = outcome.same && same;
  }
  if (options.checkDeterministic > 0 && isMain) {
    std::fflush(stdout);
    MICA_ASSIGN_OR_RETURN(const bool repeats,
                          checkDeterministic(options, loaded.program, loaded.entryIndex, views, run));
    same = repeats && same;
  }
  if (options.schedule && isMain) {
    std::fflush(stdout);
    MICA_ASSIGN_OR_RETURN(const bool repeats,
                          checkSchedule(options, loaded.program, loaded.entryIndex, views, results, run));
    same = repeats && same;
  }
  if (options.golden && isMain) {
    MICA_ASSIGN_OR_RETURN(outcome, checkGolden(options, entry, results));
    same = outcome.same && same;
  }
  // Kept at last: what a requested check finds wrong is no golden data.
  if (!options.saveGolden.empty() && isMain) {
    if (!same)
      printWarning(kTool, "nothing is kept in " + options.saveGolden.string() + ": the results are wrong");
    else
      MICA_RETURN_IF_ERROR(saveGolden(options, loaded.located.programOf(loaded.program->manifest()),
                                      loaded.program->manifest(), entry, run.path() / "data", results,
                                      devicesOf(*loaded.program, entry)));
  }
  outcome.same = same;
  if (!same)
    std::printf("the tensors of this run are in %s\n", (run.path() / "data").string().c_str());
  return outcome;
}

/// The sets of generated inputs: the requested ones, else all if results are compared with the reference and no inputs
/// are given.
std::vector<InputSet> setsOf(const Options &options, const artifact::EntryRecord &entry) {
  const bool isGiven = !options.inputs.empty() || !options.inputArchives.empty() || !options.goldenData.empty();
  if (!options.checkReference || isGiven || entry.args.empty())
    return {};
  std::vector<InputSet> sets = options.inputSets;
  if (sets.empty())
    sets = {InputSet::Exact, InputSet::Random, InputSet::Adversarial, InputSet::Nan, InputSet::Infinity};
  // Without floats there are no NaN inputs.
  const bool anyFloat = std::any_of(entry.args.begin(), entry.args.end(),
                                    [](const artifact::TensorSpec &argument) { return isFloat(argument.dtype); });
  if (!anyFloat)
    std::erase_if(sets, [](InputSet set) { return set == InputSet::Nan || set == InputSet::Infinity; });
  return sets;
}

/// All steps after the artifact was found. Returns the exit code.
Result<int> runArtifact(Options options, const Located &located) {
  Times times;
  if (located.compiled)
    times.compile = located.compileSeconds * 1000;
  Stopwatch watch;
  if (options.list) {
    MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(located.folder));
    for (const artifact::EntryRecord &entry : artifact.manifest().entries)
      std::printf("%s\n", signature(entry).c_str());
    return 0;
  }
  if (options.deps) {
    MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(located.folder));
    MICA_ASSIGN_OR_RETURN(const bool complete, showDependencies(artifact, *options.deps));
    return complete ? 0 : exitCode(ErrorCode::Difference);
  }
  if (options.memoryMap) {
    MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(located.folder));
    MICA_ASSIGN_OR_RETURN(const bool whole, showMemoryMap(artifact, *options.memoryMap));
    return whole ? 0 : exitCode(ErrorCode::Difference);
  }
  if (options.verify) {
    MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(located.folder));
    MICA_RETURN_IF_ERROR(artifact::verifyWhole(artifact));
  }
  LoadedArtifact loaded{options, located, nullptr, 0, {}};
  MICA_ASSIGN_OR_RETURN(loaded.program,
                        runtime::Program::load(located.folder, {options.debug.flag(Switch::MmapWeights)}));
  MICA_RETURN_IF_ERROR(checkRankOptions(options, loaded.program->manifest()));
  rememberFunctions(*loaded.program);
  const std::map<std::string, std::string> &made = loaded.program->manifest().options;
  const auto tf32 = made.find("allow-tf32");
  options.tolerance.tf32 = tf32 != made.end() && tf32->second == "on";
  times.load = watch.lap();
  MICA_ASSIGN_OR_RETURN(loaded.entryIndex, loaded.program->findEntry(options.entry));
  MICA_RETURN_IF_ERROR(checkOutputs(options, loaded.entry()));
  if (!options.why.empty())
    MICA_RETURN_IF_ERROR(elementName(options.why, false, loaded.program->manifest(), loaded.entry()).status());
  if (!options.whoUses.empty())
    MICA_RETURN_IF_ERROR(elementName(options.whoUses, true, loaded.program->manifest(), loaded.entry()).status());
  if (options.golden)
    MICA_RETURN_IF_ERROR(options.golden->checkProgram(located.programOf(loaded.program->manifest()),
                                                      loaded.program->manifest(), loaded.entry(), options.anyProgram));
  MICA_ASSIGN_OR_RETURN(loaded.ranges, readInputRanges(located.folder, loaded.entry()));

  const std::vector<InputSet> sets = setsOf(options, loaded.entry());
  if (sets.empty()) {
    MICA_ASSIGN_OR_RETURN(const CheckOutcome outcome, runWith(loaded, std::nullopt, /*isMain=*/true, times));
    return outcome.childExitCode != 0 ? outcome.childExitCode : outcome.same ? 0 : exitCode(ErrorCode::Difference);
  }
  // The printed results are those of the random inputs, if these are among the sets.
  const auto random = std::find(sets.begin(), sets.end(), InputSet::Random);
  const InputSet main = random == sets.end() ? sets.front() : *random;
  bool same = true;
  for (const InputSet set : sets) {
    Times others;
    MICA_ASSIGN_OR_RETURN(const CheckOutcome outcome, runWith(loaded, set, set == main, set == main ? times : others));
    if (outcome.childExitCode != 0)
      return outcome.childExitCode;
    if (outcome.isUndefined)
      std::printf("reference, %s: the program has no result for these\n", std::string(inputSetName(set)).c_str());
    same = outcome.same && same;
  }
  return same ? 0 : exitCode(ErrorCode::Difference);
}

/// The exit code of a finished run, whose error is printed.
int finish(Result<int> code) {
  // A full disk behind the standard output is an error.
  if (code && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    code = Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  if (code)
    return *code;
  std::fflush(stdout);
  printError(kTool, code.error());
  return exitCode(code.error().code);
}

Result<int> runOnce(Options options) {
  if (!options.goldenData.empty()) {
    MICA_ASSIGN_OR_RETURN(options.golden, GoldenData::open(options.goldenData));
    MICA_RETURN_IF_ERROR(replayConditions(*options.golden, options));
  }
  MICA_RETURN_IF_ERROR(checkGoldenFolder(options));
  if (!options.why.empty())
    MICA_RETURN_IF_ERROR(options.debug.set("dump-tensors", "2", SwitchSource::Flag));
  MICA_ASSIGN_OR_RETURN(const Located located, locateArtifact(options));
  if (located.childExitCode != 0)
    return located.childExitCode;
  if (!options.sandbox || options.list)
    return runArtifact(options, located);
  MICA_ASSIGN_OR_RETURN(const SandboxPaths paths, sandboxPaths(options, located.folder));
  return runConfined(paths, *options.sandbox, [&] { return finish(runArtifact(options, located)); });
}

/// --watch: an error ends one run, but not the loop.
Result<int> runAgainAndAgain(Options options) {
  Watch watch(options.program);
  for (;;) {
    MICA_RETURN_IF_ERROR(watch.begin());
    Result<int> code = runOnce(options);
    std::fflush(stdout);
    if (!code)
      printError(kTool, code.error());
    options.reset.clear();
    printNote(kTool, "waiting for " + options.program + " to be saved");
    MICA_RETURN_IF_ERROR(watch.wait());
  }
}

Result<int> run(int argc, char **argv) {
  Options options;
  CommandLine line = commandLine(options);
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> positional, line.parse(argc, argv));
  if (line.helpWanted()) {
    std::printf("%s", line.helpText().c_str());
    if (line.helpAllWanted()) {
      std::printf("\nEnvironment\n");
      for (const EnvironmentVariable &variable : environmentVariables())
        std::printf("  %-27s %s\n", std::string(variable.name).c_str(), std::string(variable.help).c_str());
    }
    return 0;
  }
  if (line.versionWanted()) {
    std::printf("mica-run %s\nartifact schema %d.%d, no LLVM inside (mica-compile --version names the compiler's)\n",
                std::string(version()).c_str(), artifact::kSchemaMajor, artifact::kSchemaMinor);
    return 0;
  }
  for (const std::string &warning : splitText(unknownEnvironmentWarning(), '\n'))
    if (!warning.empty())
      printWarning(kTool, warning);
  constexpr SwitchPhase kPhases[] = {SwitchPhase::Compile, SwitchPhase::Run};
  MICA_ASSIGN_OR_RETURN(std::optional<Switches> debug,
                        options.list ? applySwitches(options.switches, "mica-run --list", std::span(kPhases).first(1))
                                     : applySwitches(options.switches, kTool, kPhases));
  if (!debug)
    return 0;
  options.debug = *std::move(debug);
  if (options.debug.isSet(Switch::MemoryLimit))
    setMemoryLimit(options.debug.bytes(Switch::MemoryLimit));
  MICA_RETURN_IF_ERROR(finishOptions(options, positional));
  MICA_RETURN_IF_ERROR(startRanks(options, argc, argv));
  silenceOtherRanks();
  if (options.listDevices) {
    for (const runtime::DeviceInfo &device : runtime::listDevices())
      std::printf("%s  %s%s\n", device.name.c_str(), device.available ? "" : "none: ", device.text.c_str());
    return 0;
  }
  if (!options.postMortem.empty())
    return showPostMortem(options.postMortem);
  if (options.doctor)
    return runDoctor(options);
  options.trace = runtime::RunTrace::fromEnvironment();
  if (options.cleanCache)
    MICA_RETURN_IF_ERROR(cleanCache());
  if (options.program.empty())
    return options.cacheStatistics ? showCache() : Result<int>(0);
  Result<int> code = options.watch ? runAgainAndAgain(options) : runOnce(options);
  if (options.trace)
    if (Status written = options.trace->status(); !written)
      printWarning(kTool, "the trace is incomplete: " + written.error().message, written.error().hint);
  if (code && options.cacheStatistics)
    MICA_RETURN_IF_ERROR(showCache().status());
  return code;
}

} // namespace
} // namespace runtool

/// The worker that libmica starts for mica_run_isolated().
static Status confineWorker(const runtime::IsolatedCall &call) {
  // Memory files are not part of the address space, so limit the size of the answer, too.
  if (const rlimit size{static_cast<rlim_t>(call.memoryBytes), static_cast<rlim_t>(call.memoryBytes)};
      call.memoryBytes > 0 && ::setrlimit(RLIMIT_FSIZE, &size) != 0)
    return systemError("limit", "the answer of an isolated call", errno);
  runtool::SandboxPaths paths = runtool::systemPaths();
  paths.read.push_back(call.folder);
  return runtool::confineProcess(paths, {.memoryBytes = call.memoryBytes});
}

int runTool(int argc, char **argv) {
  makeFileSizeLimitAnError();
  makeOutOfMemoryAnError(runtool::kTool);
  runtool::installCrashHandler();
  if (argc == 2 && argv[1] == runtime::kIsolatedWorkerFlag)
    return runtime::serveIsolatedCall(confineWorker);
  handleTruncation(runtool::kTool.data());
  Result<int> code = catchOutOfMemory([&] { return runtool::run(argc, argv); });
  const int exit = runtool::finish(std::move(code));
  if (const std::string warning = logWarnings(); !warning.empty())
    printWarning(runtool::kTool, warning);
  return exit;
}

} // namespace mica
