//===- ReduceTool.cpp - mica-reduce -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ReduceTool.h. The pipeline, where there is one, is reduced before and after the program, until neither becomes
// smaller.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Reduce/ReduceTool.h"

#include "dialects/RegisterDialects.h"
#include "lib/IRTools/TestGenProbe.h"
#include "lib/Reduce/Checkpoint.h"
#include "lib/Reduce/CommandTest.h"
#include "lib/Reduce/PipelineReduction.h"
#include "mica/IRTools/Document.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Support/Version.h"
#include "mica/Trace/ToolTrace.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <thread>

using namespace mica;
using namespace mica::reduce;
namespace fs = std::filesystem;

static constexpr std::string_view kTool = "mica-reduce";

namespace {
struct ReduceOptions {
  std::string test, pipeline, output;
  int64_t interesting = 0, jobs = irtools::defaultJobs();
  double budget = 0; ///< 0: none
  CommandLimits limits;
  bool resume = false, verbose = false;
  ToolSwitches switches;
};
} // namespace

static std::vector<FlagGroup> reduceFlags(ReduceOptions &options) {
  auto integer = [](std::string_view name, int64_t &to, int64_t low, int64_t high) {
    return [name, &to, low, high](const std::string &value) -> Status {
      MICA_ASSIGN_OR_RETURN(to, parseFlagInteger(name, value, low, high));
      return Status::ok();
    };
  };
  return {{"Test",
           {{"--test", Flag::Value::Required, "CMD",
             "command for /bin/sh, with the file as $1 (default: as its last argument)\n"
             "Its output is dropped. A pipeline is $2, and the variable MICA_PIPELINE.",
             setText(options.test)},
            {"--interesting-exit-code", Flag::Value::Required, "N",
             "exit code that means the property holds (default: 0, as for llvm-reduce)\n"
             "1 takes a script for mlir-reduce.",
             integer("--interesting-exit-code", options.interesting, 0, 255)},
            {"--pipeline", Flag::Value::Required, "PIPELINE", "reduce this pipeline too: drop passes and their options",
             setText(options.pipeline)}}},
          {"Output",
           {{"-o", Flag::Value::Required, "FILE",
             "the smallest form so far (default: build_output/NAME-reduced.mlir)\n"
             "A reduced pipeline is written to FILE.pipeline.",
             setText(options.output)},
            {"--resume", Flag::Value::None, "", "go on where an earlier call was interrupted, or out of time",
             setTrue(options.resume)},
            {"--verbose", Flag::Value::None, "", "print each smaller form's size", setTrue(options.verbose)}}},
          {"Limits",
           {{"--budget", Flag::Value::Required, "SECONDS", "time limit for the reduction, in seconds (default: none)",
             setNumber("--budget", options.budget)},
            {"--run-seconds", Flag::Value::Required, "SECONDS",
             "time limit for one run of the test, in seconds (default: 60)",
             setNumber("--run-seconds", options.limits.seconds)},
            {"--memory", Flag::Value::Required, "SIZE", "memory limit for one run of the test (default: 8G)",
             setByteCount("--memory", options.limits.memoryBytes)},
            {"--jobs", Flag::Value::Required, "N",
             "runs at once (default: one per core)\nThe result does not depend on it.",
             integer("--jobs", options.jobs, 1, 256)}}},
          logFlags(options.switches)};
}

//===------------------------------------------------------------------------------------------------------------===//
// Interrupts
//===------------------------------------------------------------------------------------------------------------===//

static volatile std::sig_atomic_t interruptedBy = 0;

namespace {
/// While it lives, SIGINT and SIGTERM request a stop, so that what was found is kept and no command goes on.
class InterruptWatch {
public:
  InterruptWatch() {
    for (int signal : {SIGINT, SIGTERM})
      std::signal(signal, [](int number) { interruptedBy = number; });
  }
  ~InterruptWatch() {
    for (int signal : {SIGINT, SIGTERM})
      std::signal(signal, SIG_DFL);
  }
  std::stop_token token() const { return source.get_token(); }

private:
  std::stop_source source;
  std::jthread watcher{[this](std::stop_token ends) {
    while (!ends.stop_requested() && !interruptedBy)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (interruptedBy)
      source.request_stop();
  }};
};
} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// One reduction
//===------------------------------------------------------------------------------------------------------------===//

namespace {
class Session {
public:
  Session(const ReduceOptions &options, fs::path output, CommandTest &test, std::stop_token stop)
      : options(options), output(std::move(output)), test(test), stop(std::move(stop)) {
    state.pipeline = options.pipeline;
  }

  /// Takes the program as it was given, or as an earlier call left it.
  Status open(const std::string &file, mlir::MLIRContext &context);
  Status run();

  int64_t opsBefore = 0, opsAfter = 0;
  int passesBefore = 0, passesAfter = 0;
  bool isFinished = false;

private:
  bool mayGoOn() const { return !stop.stop_requested() && (options.budget <= 0 || Clock::now() < deadline); }
  bool holds(mlir::ModuleOp candidate) {
    std::unique_ptr<irtools::RunningTest> running = test.start(candidate, state.pipeline, state.keepsLocations);
    return running->holds();
  }
  Status prepare(const std::string &file);
  void save();
  bool reducePrograms();
  bool reducePipelines();

  using Clock = std::chrono::steady_clock;
  const ReduceOptions &options;
  const fs::path output;
  CommandTest &test;
  const std::stop_token stop;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.budget));
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Checkpoint state;
  Status written; ///< the first error of a write
};
} // namespace

static Result<mlir::OwningOpRef<mlir::ModuleOp>> readModule(const std::string &file, mlir::MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(irtools::Document document, irtools::readProgram(file, context));
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (problem.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      problem = diagnostic.str();
    return mlir::success();
  });
  if (mlir::failed(mlir::verify(*document.root)))
    return Error{ErrorCode::InvalidInput, file + " does not verify: " + problem,
                 "reduce the input of the pass that left it so: mica-opt --record names that"};
  return std::move(document.root);
}

/// What a state of a reduction depends on.
static Result<std::string> keyOf(const ReduceOptions &options, const std::string &file) {
  MICA_ASSIGN_OR_RETURN(const std::string contents, readFile(file));
  Hasher hasher;
  for (const std::string &part :
       {contents, options.test, options.pipeline, std::to_string(options.interesting), std::string(version())}) {
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  return hasher.hex();
}

Status Session::open(const std::string &file, mlir::MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(state.key, keyOf(options, file));
  MICA_ASSIGN_OR_RETURN(module, readModule(file, context));
  opsBefore = irtools::countOps(*module);
  passesBefore = countPasses(options.pipeline);
  if (!options.pipeline.empty() && passesBefore == 0)
    return Error{ErrorCode::InvalidInput, "'" + options.pipeline + "' is no pipeline",
                 "write it as for mica-opt: --pipeline='builtin.module(func.func(cse))'"};
  if (!options.resume)
    return prepare(file);
  MICA_ASSIGN_OR_RETURN(state, readCheckpoint(output, state.key));
  MICA_ASSIGN_OR_RETURN(module, readModule(output.string(), context));
  if (!state.keepsLocations)
    irtools::stripLocations(*module);
  return Status::ok();
}

Status Session::prepare(const std::string &file) {
  // The test gets a model as a program of IR.
  if (fs::path(file).extension() != ".onnx")
    MICA_RETURN_IF_ERROR(test.checkGiven(file, options.pipeline));
  mlir::OwningOpRef<mlir::ModuleOp> plain = mlir::cast<mlir::ModuleOp>((*module)->clone());
  irtools::stripLocations(*plain);
  if (holds(*plain)) {
    module = std::move(plain);
  } else {
    state.keepsLocations = true;
    if (!holds(*module) && !stop.stop_requested())
      return Error{ErrorCode::InvalidInput,
                   "the test holds for " + file + ", but not for the same program as MLIR prints it",
                   "it must not depend on comments, names of values, or how the text is laid out"};
  }
  mlir::OwningOpRef<mlir::ModuleOp> light = mlir::cast<mlir::ModuleOp>((*module)->clone());
  irtools::replaceResources(*light);
  if (holds(*light))
    module = std::move(light);
  save();
  return written;
}

/// What was found is kept at once.
void Session::save() {
  auto note = [this](Status status) {
    if (written && !status)
      written = std::move(status);
  };
  note(writeFileAtomic(output, irtools::printParseable(*module, state.keepsLocations)));
  note(writeCheckpoint(output, state));
  if (!options.pipeline.empty())
    note(writeFileAtomic(output.string() + ".pipeline", state.pipeline + "\n"));
  if (options.verbose)
    llvm::errs() << kTool << ": " << irtools::countOps(*module) << " ops"
                 << (options.pipeline.empty() ? "" : ", " + std::to_string(countPasses(state.pipeline)) + " passes")
                 << " after " << test.runs() << " runs\n";
}

bool Session::reducePipelines() {
  if (options.pipeline.empty())
    return false;
  const std::string text = irtools::printParseable(*module, state.keepsLocations);
  PipelineReductionOptions reduction;
  reduction.jobs = static_cast<unsigned>(options.jobs);
  reduction.mayGoOn = [this] { return written && mayGoOn(); };
  bool found = false;
  reduction.found = [&](const std::string &pipeline) {
    state.pipeline = pipeline;
    found = true;
    save();
  };
  reducePipeline(
      state.pipeline, [&](const std::string &pipeline) { return test.start(text, pipeline); }, reduction);
  return found;
}

bool Session::reducePrograms() {
  irtools::ReductionOptions reduction;
  reduction.jobs = static_cast<unsigned>(options.jobs);
  reduction.mayGoOn = [this] { return written && mayGoOn(); };
  reduction.begin = state.position;
  bool found = false;
  reduction.found = [&](mlir::ModuleOp, const irtools::ReductionPosition &position) {
    state.position = position;
    found = true;
    save();
  };
  irtools::reduceModule(
      module, [this](mlir::ModuleOp candidate) { return test.start(candidate, state.pipeline, state.keepsLocations); },
      reduction);
  if (mayGoOn())
    state.position = {};
  return found;
}

Status Session::run() {
  bool found = true;
  while (found && written && mayGoOn()) {
    found = reducePipelines();
    found |= reducePrograms();
    // Without a pipeline, nothing has changed since the last round of the program.
    if (options.pipeline.empty())
      break;
  }
  MICA_RETURN_IF_ERROR(written);
  opsAfter = irtools::countOps(*module);
  passesAfter = countPasses(state.pipeline);
  isFinished = mayGoOn();
  if (isFinished) {
    std::error_code ignored;
    fs::remove(checkpointFile(output), ignored);
  }
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// The command line
//===------------------------------------------------------------------------------------------------------------===//

static Status reduceFile(const ReduceOptions &options, const std::vector<std::string> &words, trace::ToolTrace &trace) {
  const std::string usage = "usage: mica-reduce FILE --test=CMD; see mica-reduce --help";
  if (words.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 words.empty() ? "no file given" : "got " + std::to_string(words.size()) + " files, expected 1", usage};
  if (options.test.empty())
    return Error{ErrorCode::InvalidInput, "no test given", usage};
  const std::string &file = words.front();
  const fs::path output = options.output.empty()
                              ? fs::path("build_output") / (fs::path(file).stem().string() + "-reduced.mlir")
                              : fs::path(options.output);
  std::error_code ignored;
  if (fs::equivalent(file, output, ignored))
    return Error{ErrorCode::InvalidInput, output.string() + " is the file to reduce", "give another one with -o"};
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  // Candidates are verified in copies of this process, in which threads would not be there.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-reduce"));
  if (output.has_parent_path())
    MICA_RETURN_IF_ERROR(makeFolder(output.parent_path()));
  const auto begin = std::chrono::steady_clock::now();
  const InterruptWatch watch;
  CommandTest test(options.test, static_cast<int>(options.interesting), options.limits, scratch.path(), watch.token());
  Session session(options, output, test, watch.token());
  trace.file("read", file);
  MICA_RETURN_IF_ERROR(session.open(file, context));
  MICA_RETURN_IF_ERROR(session.run());
  trace.file("written", output.string());
  trace.note("ops_before", std::to_string(session.opsBefore));
  trace.note("ops_after", std::to_string(session.opsAfter));
  trace.note("attempts", std::to_string(test.runs()));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  llvm::outs() << output.string() << ": " << session.opsBefore << " ops reduced to " << session.opsAfter;
  if (!options.pipeline.empty())
    llvm::outs() << ", " << session.passesBefore << " passes to " << session.passesAfter;
  llvm::outs() << llvm::formatv(" in {0} runs of the test, {1:F1} s\n", test.runs(), took.count());
  if (!session.isFinished)
    printNote(kTool, std::string(interruptedBy ? "interrupted" : "stopped at the time limit") +
                         "; the same call with --resume goes on");
  return Status::ok();
}

static Status reduceCall(int argc, char **argv, trace::ToolTrace &trace) {
  ReduceOptions options;
  CommandLine line(
      kTool, "mica-reduce FILE --test=CMD [-o OUT] [flags]",
      "Makes FILE, and a pipeline, as small as CMD allows: the smallest form found for which CMD ends with\n"
      "exit code 0, as it must for FILE. For crashes, verifier errors, wrong numbers, findings of checks.",
      reduceFlags(options),
      "0  the smallest form found is written\n"
      "1  wrong flag, input or file; or the test does not hold for FILE");
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    llvm::outs() << line.helpText();
    return Status::ok();
  }
  if (line.versionWanted()) {
    llvm::outs() << kTool << " " << version() << "\n";
    return Status::ok();
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return Status::ok();
  trace.begin();
  return reduceFile(options, words, trace);
}

int reduce::runReduceTool(int argc, char **argv) {
  makeOutOfMemoryAnError(kTool);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  llvm::install_out_of_memory_new_handler();
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  const Status status = reduceCall(argc, argv, trace);
  if (!status)
    printError(kTool, status.error());
  const int code = status ? 0 : exitCode(status.error().code);
  trace.end(code, status ? nullptr : &status.error());
  // Whoever started the tool is to see that it was interrupted.
  if (interruptedBy)
    std::raise(interruptedBy);
  return code;
}
