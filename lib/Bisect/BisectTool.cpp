//===- BisectTool.cpp - mica-bisect -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BisectTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Bisect/BisectTool.h"

#include "dialects/RegisterDialects.h"
#include "lib/Bisect/BisectOptions.h"
#include "lib/Bisect/OtherInputs.h"
#include "lib/Bisect/OwnProgram.h"
#include "lib/Bisect/PipelineFlags.h"
#include "lib/Bisect/Precision.h"
#include "lib/Bisect/Strip.h"
#include "lib/Bisect/ToolParts.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"
#include "mica/Trace/ToolTrace.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

namespace {
/// One pipeline to be looked at.
struct PipelineRun {
  std::string text;
  Recorded recorded;
};
} // namespace

static Result<std::vector<PipelineRun>> recordAll(const BisectOptions &options, mlir::ModuleOp program,
                                                  const std::vector<std::string> &flags, const Runner &runner) {
  std::vector<PipelineRun> runs;
  if (!options.record.empty()) {
    MICA_ASSIGN_OR_RETURN(Recorded recorded, Recorded::open(options.record));
    runs.push_back({"", std::move(recorded)});
  }
  for (const std::string &pipeline : {options.pipeline, options.against}) {
    if (pipeline.empty())
      continue;
    MICA_ASSIGN_OR_RETURN(Recorded recorded, Recorded::make(program, pipeline, flags, runner,
                                                            runner.folder() / std::to_string(runs.size())));
    runs.push_back({pipeline, std::move(recorded)});
  }
  return runs;
}

/// The verdict of the first pipeline that is not right; `pipeline` receives which.
static Result<Verdict> judgePipelines(const std::vector<PipelineRun> &runs, const Entry &entry,
                                      const Baseline &baseline, mlir::MLIRContext &context, Runner &runner,
                                      const Settings &settings, std::string &pipeline) {
  std::optional<Verdict> worst;
  for (const PipelineRun &run : runs) {
    MICA_ASSIGN_OR_RETURN(Verdict verdict, bisectPasses(run.recorded, entry, baseline, context, runner, settings));
    if (!worst || exitCodeOf(verdict.kind) > exitCodeOf(worst->kind) ||
        (worst->kind == Verdict::Kind::Same && verdict.kind == Verdict::Kind::Rounding)) {
      worst = std::move(verdict);
      pipeline = run.text;
    }
  }
  return *worst;
}

/// Of the first pipeline in which a pass ends the compiler, or, with `invalid`, leaves IR that does not verify.
static Result<std::optional<Verdict>> judgeCrashes(const std::vector<PipelineRun> &runs, bool invalid,
                                                   mlir::MLIRContext &context, Runner &runner, const Settings &settings,
                                                   std::string &pipeline) {
  for (const PipelineRun &run : runs) {
    MICA_ASSIGN_OR_RETURN(std::optional<Verdict> verdict, endingPass(run.recorded, context, runner, settings));
    if (!verdict && invalid) {
      MICA_ASSIGN_OR_RETURN(verdict, invalidatingPass(run.recorded, context, runner, settings));
    }
    if (!verdict)
      continue;
    pipeline = run.text;
    return verdict;
  }
  return std::optional<Verdict>();
}

static bool isRight(const Verdict &verdict) {
  return verdict.kind == Verdict::Kind::Same || verdict.kind == Verdict::Kind::Rounding;
}

/// The verdict of the program, or of a pipeline. Where all is right with default inputs, others are tried: of those the
/// first counts that a pipeline is wrong with, and `entry` receives it. `given` is how many inputs the user gave.
static Result<Verdict> judgeAll(const std::vector<PipelineRun> &runs, mlir::ModuleOp program, Entry &entry,
                                size_t given, mlir::MLIRContext &context, Runner &runner, const Settings &settings,
                                std::string &pipeline) {
  Baseline baseline;
  pipeline = runs.front().text;
  const std::optional<Verdict> ofProgram = judgeProgram(program, entry, runner, settings, baseline);
  const bool isUnknown = ofProgram && ofProgram->kind == Verdict::Kind::Inconclusive;
  MICA_ASSIGN_OR_RETURN(std::optional<Verdict> crash,
                        judgeCrashes(runs, isUnknown, context, runner, settings, pipeline));
  if (crash) {
    if (ofProgram && ofProgram->origin)
      crash->evidence.push_back("The program has undefined behavior, too, for which a compiler need not end: " +
                                ofProgram->headline);
    return *crash;
  }
  if (ofProgram)
    return *ofProgram;
  MICA_ASSIGN_OR_RETURN(Verdict verdict, judgePipelines(runs, entry, baseline, context, runner, settings, pipeline));
  int64_t tried = 0;
  for (unsigned number = 1; isRight(verdict); ++number) {
    std::vector<std::string> notes;
    std::optional<Entry> other = otherInputs(entry, given, number, notes);
    if (!other)
      break;
    Baseline with;
    // Such inputs may not be what the program is for: an index out of range, for example.
    if (judgeProgram(program, *other, runner, settings, with) || !with.isChecked)
      continue;
    ++tried;
    std::string wrong;
    MICA_ASSIGN_OR_RETURN(Verdict found, judgePipelines(runs, *other, with, context, runner, settings, wrong));
    if (exitCodeOf(found.kind) != 3)
      continue;
    found.evidence.push_back("With default inputs the program computes the same. The ones that show it: " +
                             joinNames(notes));
    entry = std::move(*other);
    pipeline = wrong;
    return found;
  }
  if (tried > 0)
    verdict.ruledOut.push_back("inputs: the same with " + std::to_string(tried) +
                               (tried > 1 ? " other kinds" : " other kind") + " of generated inputs");
  return verdict;
}

/// Drives the compiler of --opt; of two pipelines the first that is not right counts.
static Result<int> bisectByCommands(const BisectOptions &options, const std::string &name, const fs::path &folder,
                                    const fs::path &scratch, trace::ToolTrace &trace) {
  MICA_ASSIGN_OR_RETURN(const std::string program, readFile(name == "-" ? "/dev/stdin" : name));
  trace.file("read", name);
  std::optional<Verdict> worst;
  std::string pipeline;
  for (const std::string &text : {options.pipeline, options.against}) {
    if (text.empty() || (worst && exitCodeOf(worst->kind) == 3))
      continue;
    MICA_ASSIGN_OR_RETURN(const ForeignPipeline passes, ForeignPipeline::parse(text));
    MICA_ASSIGN_OR_RETURN(Verdict verdict,
                          bisectForeign(program, passes, options.commands, options.limits, scratch, options.settings));
    if (worst && exitCodeOf(verdict.kind) <= exitCodeOf(worst->kind))
      continue;
    worst = std::move(verdict);
    pipeline = text;
  }
  const Entry none;
  return finish(options, *worst, folder, {fs::path(name).filename().string(), pipeline, {}, none, options.commands},
                nullptr, trace);
}

/// Whether `folder` is a record of mica-opt --record.
static bool isRecord(const std::string &folder) {
  std::error_code ignored;
  return !isArtifact(folder) && fs::is_directory(folder, ignored) &&
         fs::exists(fs::path(folder) / "index.json", ignored);
}

static Result<int> report(const BisectOptions &options, Verdict verdict, Entry entry, const std::string &name,
                          const std::string &pipeline, const std::vector<std::string> &flags,
                          mlir::MLIRContext &context, Runner &runner, trace::ToolTrace &trace) {
  if (options.strip)
    MICA_RETURN_IF_ERROR(stripVerdict(verdict, entry, context));
  const std::string file = options.strip ? "program.mlir" : fs::path(name).filename().string();
  MICA_ASSIGN_OR_RETURN(const int code, finish(options, verdict, reportFolder(options, name),
                                               {file, pipeline, flags, std::move(entry), {}}, &runner, trace));
  if (options.verbose)
    llvm::outs() << runner.runs() << " runs, " << runner.cached() << " outcomes known before\n";
  return code;
}

static Result<int> bisectProgram(BisectOptions &options, const std::vector<std::string> &given,
                                 trace::ToolTrace &trace) {
  if (options.verbose)
    options.settings.progress = [](const std::string &line) { llvm::outs() << "  " << line << "\n"; };
  std::vector<std::string> words = given;
  if (words.size() == 1 && options.pipeline.empty() && options.record.empty() && isRecord(words.front()))
    options.record = std::exchange(words, {}).front();
  MICA_RETURN_IF_ERROR(checkArguments(options, words));
  std::optional<ScratchFolder> copied; // of stdin, which may be read twice
  if (options.pipeline.empty() && options.record.empty() && !options.precision) {
    if (words.front() == "-") {
      MICA_ASSIGN_OR_RETURN(copied, ScratchFolder::create("mica-bisect-stdin"));
      MICA_ASSIGN_OR_RETURN(const std::string text, readFile("/dev/stdin"));
      words.front() = (copied->path() / "stdin.mlir").string();
      MICA_RETURN_IF_ERROR(writeFile(words.front(), text));
    }
    std::string rest;
    MICA_ASSIGN_OR_RETURN(const std::optional<int> code, bisectOwn(options, words.front(), trace, rest));
    if (code)
      return *code;
    printNote(kTool,
              "Mica does not compile the program: the rest of its lowering is upstream's, --pipeline='" + rest + "'");
    options.pipeline = rest;
  }
  const std::string name = words.empty() ? options.record : words.front();
  const fs::path folder = reportFolder(options, name);
  if (options.report && !options.precision)
    MICA_RETURN_IF_ERROR(checkReportFolder(folder));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-bisect"));
  if (!options.commands.opt.empty())
    return bisectByCommands(options, name, folder, scratch.path(), trace);
  std::vector<std::string> flags;
  MICA_RETURN_IF_ERROR(loadPlugins(pluginFlags(options), flags));
  MICA_RETURN_IF_ERROR(loadTestPasses(options, flags));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  // Attempts run in copies of this process, in which threads would not be there.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  MICA_ASSIGN_OR_RETURN(Runner runner, Runner::create(options.limits, scratch.path(), outcomesFolder(options)));

  mlir::OwningOpRef<mlir::ModuleOp> program;
  if (words.empty()) {
    MICA_ASSIGN_OR_RETURN(const Recorded recorded, Recorded::open(options.record));
    MICA_ASSIGN_OR_RETURN(program, recorded.state(0, context));
  } else {
    MICA_ASSIGN_OR_RETURN(irtools::Document document, irtools::readProgram(name, context));
    program = std::move(document.root);
  }
  trace.file("read", name);
  std::vector<std::string> notes;
  std::string entryName = options.entry;
  if (options.record.empty()) {
    hostLowered(*program, entryName, notes);
    widenIntegers(*program, entryName, notes);
  }
  Result<Entry> found = findEntry(*program, entryName, options.inputs, notes);
  for (std::string *text : {&options.pipeline, &options.against}) {
    MICA_ASSIGN_OR_RETURN(*text, pipelineOfFlags(*text, context));
  }
  std::vector<PipelineRun> runs;
  if (!options.precision) {
    MICA_ASSIGN_OR_RETURN(runs, recordAll(options, *program, flags, runner));
  }
  std::string pipeline;
  if (!found && !options.precision && options.entry.empty() && options.inputs.empty()) {
    // The compiler may have ended on what cannot be run.
    MICA_ASSIGN_OR_RETURN(std::optional<Verdict> crash,
                          judgeCrashes(runs, /*invalid=*/true, context, runner, options.settings, pipeline));
    if (crash) {
      crash->evidence.push_back("The program was not run: " + found.error().message);
      return report(options, std::move(*crash), Entry(), name, pipeline, flags, context, runner, trace);
    }
  }
  if (!found)
    return found.error();
  Entry entry = std::move(*found);
  for (const std::string &note : notes)
    printNote(kTool, note);
  if (options.precision) {
    MICA_ASSIGN_OR_RETURN(const Precision precision,
                          findPrecision(*program, entry, *options.precision, options.settings.reduction.seconds));
    llvm::outs() << describe(precision);
    return precision.mending ? 0 : 1;
  }
  MICA_ASSIGN_OR_RETURN(Verdict verdict,
                        judgeAll(runs, *program, entry, entry.given, context, runner, options.settings, pipeline));
  return report(options, std::move(verdict), std::move(entry), name, pipeline, flags, context, runner, trace);
}

static Result<int> bisectCall(int argc, char **argv, trace::ToolTrace &trace) {
  BisectOptions options;
  CommandLine line(
      kTool, "mica-bisect FILE [--pipeline=PIPELINE] [flags] | mica-bisect ARTIFACT | mica-bisect RECORD",
      "Finds out why a program computes something else after a pipeline: runs it as written and between\n"
      "passes, names the pass that is to blame, reduces its input, and writes a report for a tracker.\n"
      "FILE has a main that prints or returns numbers, or a function with inputs. Without a pipeline it is\n"
      "compiled as mica-run does it, and its kernels and their code are searched, too.",
      bisectFlags(options),
      "0  verdict same or rounding\n"
      "1  verdict inconclusive; or wrong flag, input or file\n"
      "3  verdict crash, miscompile, undefined behavior or nondeterministic");
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    llvm::outs() << line.helpText();
    return 0;
  }
  if (line.versionWanted()) {
    llvm::outs() << kTool << " " << version() << "\n";
    return 0;
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return 0;
  trace.begin();
  return bisectProgram(options, words, trace);
}

int bisect::runBisectTool(int argc, char **argv) {
  makeOutOfMemoryAnError(kTool);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  llvm::install_out_of_memory_new_handler();
  makeFileSizeLimitAnError();
  trace::ToolTrace trace(kTool, argc, argv);
  const Result<int> code = bisectCall(argc, argv, trace);
  if (!code)
    printError(kTool, code.error());
  const int status = code ? *code : exitCode(code.error().code);
  trace.end(status, code ? nullptr : &code.error());
  return status;
}
