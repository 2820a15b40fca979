//===- BenchTool.cpp - mica-bench ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Flags, and the steps in order: the machine, each program with each number of threads, the file of results, and the
// comparison.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/RunTool/BenchTool.h"

#include "lib/RunTool/Bench/Measure.h"
#include "lib/RunTool/Bench/RankProfile.h"
#include "lib/RunTool/Bench/Tables.h"
#include "lib/RunTool/Locate.h"
#include "lib/RunTool/Options.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Runtime/Devices.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Machine.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace fs = std::filesystem;

namespace mica::bench {
namespace {

constexpr std::string_view kTool = "mica-bench";

struct Options {
  std::vector<std::string> runFlags; ///< those of mica-run
  std::vector<int> threads;          ///< empty: all CPUs
  MeasureOptions measure;
  std::string against, json, compare;
  bool machine = false, analyze = false, hot = false, noMachine = false;
  std::vector<int64_t> ranks; ///< --ranks
  std::vector<Link> links;    ///< --links; empty: as measured here
};

Status setThreads(Options &options, const std::string &value) {
  for (const std::string &part : splitText(value, ',')) {
    MICA_ASSIGN_OR_RETURN(const int64_t number, parseFlagInteger("--threads", part, 1, 4096));
    options.threads.push_back(static_cast<int>(number));
  }
  return {};
}

/// A flag that mica-run has too, and gets.
Flag runFlag(Options &options, std::string_view name, std::string_view value, std::string_view help) {
  return {name, Flag::Value::Required, value, help, [&options, name](const std::string &given) {
            options.runFlags.push_back(std::string(name) + (name == "-O" ? "" : "=") + given);
            return Status();
          }};
}

std::function<Status(const std::string &)> setFalse(bool &target) {
  return [&target](const std::string &) {
    target = false;
    return Status();
  };
}

CommandLine commandLine(Options &options) {
  using Value = Flag::Value;
  Options *o = &options;
  return CommandLine(
      kTool, "mica-bench PROGRAM... [flags]",
      "Times compiled programs: artifacts, models (.mlir, .onnx; compiled first, as by mica-run), or folders of .mlir\n"
      "files. Prints the median of a run with its confidence interval, what that is of the machine's limits, and the\n"
      "time of each kernel.",
      {{"Measure",
        {{"--threads", Value::Required, "N,...", "numbers of compute threads, one after the other (default: all CPUs)",
          [o](const std::string &value) { return setThreads(*o, value); }},
         {"--seconds", Value::Required, "N", "seconds of samples for a program and number of threads (default: 1)",
          setNumber("--seconds", o->measure.seconds)},
         {"--warm-up", Value::Required, "N", "seconds of runs before the samples (default: 0.2)",
          setNumber("--warm-up", o->measure.warmUp)},
         {"--samples", Value::Required, "N",
          "samples at least (default: 20)\n"
          "For slow programs: until there are as many, but for ten times --seconds at most.",
          [o](const std::string &value) -> Status {
            MICA_ASSIGN_OR_RETURN(const int64_t number, parseFlagInteger("--samples", value, 3, 1000000));
            o->measure.least = static_cast<int>(number);
            return {};
          }},
         {"--no-counters", Value::None, "", "do not read the processor's counters", setFalse(o->measure.counters)},
         {"--no-kernels", Value::None, "", "do not time kernels", setFalse(o->measure.kernels)},
         {"--no-limits", Value::None, "", "do not measure what the machine can do at most", setTrue(o->noMachine)},
         {"--machine", Value::None, "",
          "measure what the machine can do at most: floating-point operations and bytes in a second\n"
          "Without a program, nothing else is measured.",
          setTrue(o->machine)},
         {"--hot", Value::None, "",
          "show the lines of kernels and host functions in which the time is\n"
          "Of further runs, by samples of the processor's time, as many as the system's timer gives; with the first "
          "number "
          "of threads.",
          setTrue(o->hot)},
         {"--analyze", Value::None, "",
          "show what llvm-mca says of each kernel's innermost loop: cycles, and what limits them\n"
          "For artifacts of x86-64. All data is taken to be in the first cache.",
          setTrue(o->analyze)}}},
       {"Compare",
        {{"--against", Value::Required, "PROGRAM",
          "time another program in turns with each, and compare\n"
          "What disturbs one disturbs the other. Ratios are of the program by PROGRAM.",
          setText(o->against)},
         {"--compare", Value::Required, "OLD.json",
          "compare with the results in a file; without a program, those in a second file (NEW.json)\n"
          "A difference is shown where the 95 % confidence interval of the ratio of the medians excludes 1, a rank "
          "test (Mann and Whitney) gives p < 0.01, and the ratio is more than 0.5 % from 1. Exit code 3 if a program "
          "is slower.",
          setText(o->compare)},
         {"--json", Value::Required, "FILE", "write all samples and results to FILE", setText(o->json)}}},
       {"Ranks",
        {{"--ranks", Value::Required, "FROM..TO",
          "say what a program for several ranks would take with so many (powers of two; or N,N,...)\n"
          "From times of its kernels here and a model of links: docs/Ranks.md.",
          [o](const std::string &value) -> Status {
            MICA_ASSIGN_OR_RETURN(o->ranks, parseRankCounts(value));
            return {};
          }},
         {"--links", Value::Required, "[N:]LATENCY:BANDWIDTH,...",
          "with --ranks: what connects N ranks, then groups of them: 8:1us:300GB/s,5us:25GB/s\n"
          "Without it: threads of this process, as measured.",
          [o](const std::string &value) -> Status {
            MICA_ASSIGN_OR_RETURN(o->links, parseLinks(value));
            return {};
          }}}},
       {"Programs (see mica-run --help-all)",
        {runFlag(options, "--entry", "NAME", "function to run (default: the only entry, or main)"),
         runFlag(options, "--input", "VALUE", "value of the next argument: @x.npy, 4x8xf32=0.5, random:SEED"),
         runFlag(options, "--inputs", "@FILE", "read arguments by name from an .npz or .safetensors file"),
         runFlag(options, "-O", "0..3", "optimization level of models (default: 3)"),
         runFlag(options, "--target", "NAME", "target of models: cpu, cpu:LEVEL, sim, cuda[:sm_XX]")}}},
      "0 measured, 1 wrong usage or program, 2 internal error, 3 a program is slower than what it is compared with");
}

/// The .mlir files of a folder that is no artifact, by name; else the program itself.
Result<std::vector<std::string>> expand(const std::string &program) {
  std::error_code error;
  if (!fs::is_directory(program, error) || fs::exists(fs::path(program) / "manifest.json", error))
    return std::vector<std::string>{program};
  std::vector<std::string> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(program, error))
    if (entry.path().extension() == ".mlir" || entry.path().extension() == ".onnx")
      files.push_back(entry.path().string());
  if (files.empty())
    return Error{ErrorCode::InvalidInput, program + " is neither an artifact nor a folder of .mlir files",
                 "give the folder that mica-compile -o wrote, a model, or a folder of models"};
  std::sort(files.begin(), files.end());
  return files;
}

/// Loads `program` with inputs; nothing where mica-compile has said why it does not compile.
Result<std::optional<Subject>> loadSubject(const Options &options, const std::string &program) {
  runtool::Options run;
  CommandLine line = runtool::commandLine(run);
  std::vector<std::string> arguments = options.runFlags;
  arguments.insert(arguments.begin(), std::string(kTool));
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  MICA_RETURN_IF_ERROR(line.parse(static_cast<int>(pointers.size()), pointers.data()).status());
  MICA_RETURN_IF_ERROR(runtool::finishOptions(run, {program}));
  MICA_ASSIGN_OR_RETURN(const runtool::Located located, runtool::locateArtifact(run));
  if (located.childExitCode != 0)
    return std::optional<Subject>();
  Subject subject;
  subject.name = program;
  subject.folder = located.folder;
  MICA_ASSIGN_OR_RETURN(subject.program, runtime::Program::load(located.folder));
  MICA_ASSIGN_OR_RETURN(subject.entry, subject.program->findEntry(run.entry));
  const artifact::EntryRecord &entry = subject.program->manifest().entries[subject.entry];
  MICA_ASSIGN_OR_RETURN(const std::vector<ValueRange> ranges, readInputRanges(located.folder, entry));
  MICA_ASSIGN_OR_RETURN(subject.inputs, runtool::makeInputs(run, entry, ranges, std::nullopt, /*quiet=*/true));
  return std::optional<Subject>(std::move(subject));
}

/// The loops of the kernels that were measured, or of all.
void analyze(const Subject &subject) {
  std::string cpu;
  if (const Result<Machine> machine = readMachine(subject.folder / "machine.json"))
    cpu = machine->cpu;
  for (const artifact::KernelRecord &kernel : subject.program->manifest().kernels) {
    const Result<LoopAnalysis> analysis = analyzeKernel(subject.folder / "kernels" / kernel.name, cpu);
    if (analysis)
      std::printf("%s", analysisText(kernel.name, *analysis).c_str());
    else
      printNote(kTool, kernel.name + ": " + analysis.error().message);
  }
}

/// Measures and prints one program with each number of threads. False if it does not compile.
Result<bool> measureProgram(const Options &options, const std::string &program, Results &results, Results &others) {
  std::vector<Subject> subjects;
  for (const std::string &name : options.against.empty() ? std::vector<std::string>{program}
                                                         : std::vector<std::string>{program, options.against}) {
    MICA_ASSIGN_OR_RETURN(std::optional<Subject> subject, loadSubject(options, name));
    if (!subject)
      return false;
    subjects.push_back(*std::move(subject));
  }
  for (const int threads : options.threads) {
    std::string problem;
    MICA_ASSIGN_OR_RETURN(std::vector<Measurement> measured, measure(subjects, threads, options.measure, problem));
    static bool isSaid = false;
    if (!problem.empty() && !std::exchange(isSaid, true))
      printNote(kTool, "no counters of the processor: " + problem);
    for (const Measurement &measurement : measured)
      std::printf("%s", measurementText(measurement, results).c_str());
    results.measurements.push_back(measured.front());
    if (measured.size() > 1) {
      // Compared by name.
      measured.back().program = measured.front().program;
      measured.back().entry = measured.front().entry;
      others.measurements.push_back(measured.back());
    }
  }
  for (const Subject &subject : subjects) {
    if (options.hot) {
      MICA_ASSIGN_OR_RETURN(const HotLines hot, sampleRuns(subject, options.threads.front(), options.measure));
      std::printf("%s", hotLinesText(hot, subject.folder).c_str());
    }
    if (options.analyze)
      analyze(subject);
  }
  return true;
}

/// mica-bench --ranks: each program with the ranks that it is compiled for, and the model with more.
Result<bool> scaleProgram(const Options &options, const std::string &program) {
  MICA_ASSIGN_OR_RETURN(const std::optional<Subject> subject, loadSubject(options, program));
  if (!subject)
    return false;
  MICA_ASSIGN_OR_RETURN(const RankProfile measured, profileRanks(*subject, options.measure.seconds));
  const Profile &profile = measured.profile;
  const std::vector<Link> here{fitLink(measured.exchanges)};
  // Ranks that share a CPU take turns.
  const double turns = std::max(1.0, double(profile.ranks) / runtime::availableCpus());
  const Forecast own = forecast(profile, profile.ranks, 1, here);
  std::printf(
      "%s: %lld ranks on threads here: a call takes %.3f ms; the model says %.3f ms (%.2f of it), with links of "
      "%.2f us and %.3f ns a kB\n",
      program.c_str(), static_cast<long long>(profile.ranks), profile.callNs / 1e6,
      (own.kernelNs * turns + own.exchangeNs) / 1e6, (own.kernelNs * turns + own.exchangeNs) / profile.callNs,
      here[0].latencyNs / 1e3, here[0].nsPerByte * 1e3);
  std::printf("%s", forecastText(profile, options.ranks, options.links.empty() ? here : options.links).c_str());
  return true;
}

Result<int> run(int argc, char **argv) {
  Options options;
  CommandLine line = commandLine(options);
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> programs, line.parse(argc, argv));
  if (line.helpWanted()) {
    std::printf("%s", line.helpText().c_str());
    return 0;
  }
  if (line.versionWanted()) {
    std::printf("mica-bench %s\n", std::string(version()).c_str());
    return 0;
  }
  int slower = 0;
  if (!options.compare.empty() && programs.size() == 1 && programs[0].ends_with(".json")) {
    MICA_ASSIGN_OR_RETURN(const Results before, readResults(options.compare));
    MICA_ASSIGN_OR_RETURN(const Results after, readResults(programs[0]));
    std::printf("%s", comparisonText(before, after, slower).c_str());
    return slower > 0 ? exitCode(ErrorCode::Difference) : 0;
  }
  if (programs.empty() && !options.machine)
    return Error{ErrorCode::InvalidInput, "no program given",
                 "give an artifact, a model, or a folder of models; see mica-bench --help"};
  if (!options.links.empty() && options.ranks.empty())
    return Error{ErrorCode::InvalidInput, "--links needs --ranks", "say with how many ranks: --ranks=8..4096"};
  if (!options.ranks.empty()) {
    bool isComplete = true;
    for (const std::string &program : programs) {
      const Result<bool> scaled = scaleProgram(options, program);
      if (!scaled)
        printError(kTool, scaled.error());
      isComplete &= scaled && *scaled;
    }
    return isComplete ? 0 : exitCode(ErrorCode::InvalidInput);
  }
  std::optional<Results> before;
  if (!options.compare.empty()) {
    MICA_ASSIGN_OR_RETURN(before, readResults(options.compare));
  }
  if (options.threads.empty())
    options.threads = {runtime::availableCpus()};

  Results results, others;
  results.machine = others.machine = machineName();
  results.cacheBytes = largestCacheBytes();
  std::printf("%s\n", results.machine.c_str());
  if (!options.noMachine || options.machine)
    for (const int threads : options.threads) {
      results.limits.push_back(probeMachine(threads));
      std::printf("%s\n", limitsText(results.limits.back()).c_str());
    }
  bool isComplete = true;
  for (const std::string &program : programs) {
    MICA_ASSIGN_OR_RETURN(const std::vector<std::string> files, expand(program));
    for (const std::string &file : files) {
      const Result<bool> measured = measureProgram(options, file, results, others);
      std::fflush(stdout);
      if (!measured)
        printError(kTool, measured.error());
      isComplete &= measured && *measured;
    }
  }
  if (!options.json.empty())
    MICA_RETURN_IF_ERROR(writeResults(results, options.json));
  if (!others.measurements.empty())
    std::printf("by %s:\n%s", options.against.c_str(), comparisonText(others, results, slower).c_str());
  if (before) {
    int more = 0;
    std::printf("by %s:\n%s", options.compare.c_str(), comparisonText(*before, results, more).c_str());
    slower += more;
  }
  return !isComplete ? exitCode(ErrorCode::InvalidInput) : slower > 0 ? exitCode(ErrorCode::Difference) : 0;
}

} // namespace
} // namespace mica::bench

int mica::benchTool(int argc, char **argv) {
  makeOutOfMemoryAnError(bench::kTool);
  Result<int> code = catchOutOfMemory([&] { return bench::run(argc, argv); });
  if (code && (std::fflush(stdout) != 0 || std::ferror(stdout)))
    code = Error{ErrorCode::Io, "cannot write the standard output", "is the disk full?"};
  if (code)
    return *code;
  std::fflush(stdout);
  printError(bench::kTool, code.error());
  return exitCode(code.error().code);
}
