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
#include "lib/Bisect/Bisection.h"
#include "lib/Bisect/Compiled.h"
#include "lib/Bisect/ForeignCompiler.h"
#include "lib/Bisect/PipelineFlags.h"
#include "lib/Bisect/Precision.h"
#include "lib/Bisect/Report.h"
#include "lib/Bisect/Strip.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/BuildRecord.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Support/Version.h"
#include "mica/Trace/ToolTrace.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

static constexpr std::string_view kTool = "mica-bisect";

namespace {
struct BisectOptions {
  std::string pipeline, against, record, entry, output, plugin;
  ForeignCommands commands;
  std::vector<std::string> inputs;
  std::vector<std::string> targets;
  std::vector<std::string> compileFlags; ///< of mica-compile, beside plugins
  std::string llvmPlugin;
  Axes axes;
  Limits limits;
  Settings settings;
  bool verbose = false, useCache = true, report = true, strip = false;
  std::optional<double> precision; ///< the limit; 0: the default
  ToolSwitches switches;
};

/// One pipeline to be looked at.
struct PipelineRun {
  std::string text;
  Recorded recorded;
};
} // namespace

static std::vector<FlagGroup> bisectFlags(BisectOptions &options) {
  auto seconds = [](std::string_view name, double &to) {
    return [name, &to](const std::string &value) -> Status {
      MICA_ASSIGN_OR_RETURN(to, parseFlagNumber(name, value));
      return Status::ok();
    };
  };
  auto memory = [&options](const std::string &value) -> Status {
    const std::optional<int64_t> bytes = parseByteCount(value);
    if (!bytes || *bytes <= 0)
      return Error{ErrorCode::InvalidInput, "--memory=" + value + ": not a size", "for example --memory=4GiB"};
    options.limits.memoryBytes = *bytes;
    return Status::ok();
  };
  auto setFalse = [](bool &target) {
    return [&target](const std::string &) {
      target = false;
      return Status::ok();
    };
  };
  return {
      {"Program",
       {{"--entry", Flag::Value::Required, "NAME", "function to run (default: main, or the only public function)",
         setText(options.entry)},
        {"--input", Flag::Value::Required, "VALUE", "value of the next argument: @x.npy, 0.5, 4x8xf32=0.5, random:SEED",
         [&](const std::string &value) {
           options.inputs.push_back(value);
           return Status::ok();
         }}}},
      {"Pipeline",
       {{"--pipeline", Flag::Value::Required, "PIPELINE",
         "pipeline to bisect: as mlir-opt --pass-pipeline takes it, or '--cse --inline'\n"
         "It may go down to the LLVM dialect, or stop anywhere before.",
         setText(options.pipeline)},
        {"--against", Flag::Value::Required, "PIPELINE",
         "bisect this pipeline too: which of the two is wrong is found out", setText(options.against)},
        {"--passes-of", Flag::Value::Required, "RECORD",
         "bisect a record of mica-opt --record instead; FILE may be left out", setText(options.record)},
        {"--opt", Flag::Value::Required, "CMD",
         "compiler to drive, with --run: 'iree-opt --flag'; gets FILE, the flags of\n"
         "some passes and -o OUTPUT. --pipeline may be flags: '--canonicalize --cse'.",
         setText(options.commands.opt)},
        {"--run", Flag::Value::Required, "CMD", "prints what a program computes, with --opt; gets FILE",
         setText(options.commands.run)},
        {"--load-pass-plugin", Flag::Value::Required, "FILE", "load an MLIR pass plugin", setText(options.plugin)}}},
      {"Mica's own pipeline, where no other is given",
       {{"--target", Flag::Value::Required, "cpu|sim,...",
         "target to compile for (default: cpu); several are compared\n"
         "As mica-compile takes it.",
         [&](const std::string &value) {
           for (llvm::StringRef name : llvm::split(value, ','))
             options.targets.push_back(name.str());
           return Status::ok();
         }},
        {"-O", Flag::Value::Required, "0..3", "level of optimization (default: 3)",
         [&](const std::string &value) {
           options.compileFlags.push_back("-O" + value);
           return Status::ok();
         }},
        {"--add-passes", Flag::Value::Required, "PHASE:PIPELINE", "as mica-compile takes it; may be repeated",
         [&](const std::string &value) {
           options.compileFlags.push_back("--add-passes=" + value);
           return Status::ok();
         }},
        {"--load-llvm-pass-plugin", Flag::Value::Required, "FILE", "load an LLVM pass plugin into code generation",
         setText(options.llvmPlugin)},
        {"--axis", Flag::Value::Required, "NAME,...",
         "search these alone: pass, kernel, llvm, threads, input (default: all)\n"
         "pass: states after passes. kernel: some kernels by the reference lowering. llvm: LLVM's passes on one\n"
         "kernel. threads: numbers of threads, orders of the simulator. input: the elements that show it.",
         [&](const std::string &value) -> Status {
           MICA_ASSIGN_OR_RETURN(options.axes, parseAxes(value));
           return Status::ok();
         }}}},
      {"Precision",
       {{"--precision", Flag::Value::Optional, "LIMIT",
         "find the ops whose wider type brings the error of the results under LIMIT\n"
         "In relative L2 against f64; default: a tenth of the error. Instead of a pipeline.",
         [&](const std::string &value) -> Status {
           options.precision = 0;
           if (value.empty())
             return Status::ok();
           MICA_ASSIGN_OR_RETURN(options.precision, parseFlagNumber("--precision", value));
           return Status::ok();
         }}}},
      {"Output",
       {{"-o", Flag::Value::Required, "DIR",
         "folder of the report (default: build_output/NAME-verdict)\n"
         "report.md for a tracker, test.mlir, input.mlir, verdict.json.",
         setText(options.output)},
        {"--no-report", Flag::Value::None, "", "write no report", setFalse(options.report)},
        {"--strip", Flag::Value::None, "", "leave names and weights out of the report", setTrue(options.strip)},
        {"--no-reduce", Flag::Value::None, "", "do not reduce the input of the pass",
         setFalse(options.settings.reduce)},
        {"--verbose", Flag::Value::None, "", "print what each state of the program gives", setTrue(options.verbose)}}},
      {"Limits",
       {{"--budget", Flag::Value::Required, "SECONDS", "time limit for the reduction, in seconds (default: 60)",
         seconds("--budget", options.settings.reduction.seconds)},
        {"--resume", Flag::Value::None, "",
         "go on with a reduction where an earlier call was out of time, or was ended\n"
         "Needs the same program, pipeline and inputs, and the cache.",
         setTrue(options.settings.reduction.resumes)},
        {"--run-seconds", Flag::Value::Required, "SECONDS",
         "time limit for one run of the program, in seconds (default: 30)",
         seconds("--run-seconds", options.limits.seconds)},
        {"--memory", Flag::Value::Required, "SIZE", "memory limit for one run of the program (default: 8GiB)", memory},
        {"--no-cache", Flag::Value::None, "", "run states again whose outcome is known", setFalse(options.useCache)}}},
      logFlags(options.switches)};
}

static Result<irtools::Document> readProgram(const std::string &file, mlir::MLIRContext &context) {
  MICA_ASSIGN_OR_RETURN(irtools::Document document, irtools::readDocument(file, context));
  if (!document.root)
    return Error{ErrorCode::InvalidInput, file + ": " + document.problem, "mica-opt " + file + " shows the place"};
  irtools::unwrapModule(document);
  return document;
}

static Status checkArguments(const BisectOptions &options, const std::vector<std::string> &words) {
  const std::string usage = "usage: mica-bisect FILE [--pipeline='builtin.module(...)']; see mica-bisect --help";
  if (words.size() > 1)
    return Error{ErrorCode::InvalidInput, "got " + std::to_string(words.size()) + " files, expected 1", usage};
  if (words.empty() && options.record.empty())
    return Error{ErrorCode::InvalidInput, "no program given", usage};
  if (options.precision) {
    if (!options.pipeline.empty() || !options.record.empty() || !options.commands.opt.empty() || words.empty())
      return Error{ErrorCode::InvalidInput, "--precision takes a program, and no pipeline",
                   "mica-bisect FILE --precision"};
    return Status::ok();
  }
  if (!options.pipeline.empty() && !options.record.empty())
    return Error{ErrorCode::InvalidInput, "--pipeline and --passes-of are both given", "give one of them"};
  const bool isOwn = options.pipeline.empty() && options.record.empty();
  if (isOwn && !(options.commands.opt.empty() && options.commands.run.empty() && options.against.empty()))
    return Error{ErrorCode::InvalidInput, "no pipeline given", usage};
  if (!isOwn && !(options.targets.empty() && options.compileFlags.empty() && options.llvmPlugin.empty()))
    return Error{ErrorCode::InvalidInput,
                 "--target, -O, --add-passes and --load-llvm-pass-plugin are for Mica's own pipeline, and another one "
                 "is given",
                 "leave out --pipeline and --passes-of, or these"};
  if (options.commands.opt.empty() != options.commands.run.empty())
    return Error{ErrorCode::InvalidInput,
                 options.commands.opt.empty() ? "--run is given without --opt" : "--opt is given without --run",
                 "--opt=CMD runs the passes, --run=CMD prints what the program computes"};
  if (options.commands.opt.empty())
    return Status::ok();
  for (const auto &[flag, isGiven] :
       {std::pair("--passes-of", !options.record.empty()), std::pair("--entry", !options.entry.empty()),
        std::pair("--input", !options.inputs.empty()), std::pair("--load-pass-plugin", !options.plugin.empty()),
        std::pair("--strip", options.strip)})
    if (isGiven)
      return Error{ErrorCode::InvalidInput, std::string(flag) + " has no effect with --opt and --run",
                   "leave it out; the commands may have what they need"};
  return Status::ok();
}

/// Loads what `given` names by --load-pass-plugin=; `flags` receives these.
static Status loadPlugins(const BisectOptions &options, const std::vector<std::string> &given,
                          std::vector<std::string> &flags) {
  for (const std::string &flag : given) {
    llvm::StringRef file = flag;
    if (!file.consume_front("--load-pass-plugin="))
      continue;
    llvm::Expected<mlir::PassPlugin> plugin = mlir::PassPlugin::load(file.str());
    if (!plugin)
      return Error{ErrorCode::InvalidInput, "cannot load '" + file.str() + "': " + llvm::toString(plugin.takeError()),
                   "give a plugin as for mlir-opt --load-pass-plugin"};
    plugin->registerPassRegistryCallbacks();
    flags.push_back(flag);
  }
  return Status::ok();
}

/// Where outcomes are kept from one call to the next; "": nowhere.
static fs::path outcomesFolder(const BisectOptions &options) {
  Result<fs::path> folder = cacheFolder();
  return folder && options.useCache ? *folder / "outcomes" : fs::path();
}

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

/// The verdict of the program, or of the first pipeline that is not right; `pipeline` receives which.
static Result<Verdict> judgeAll(const std::vector<PipelineRun> &runs, mlir::ModuleOp program, const Entry &entry,
                                mlir::MLIRContext &context, Runner &runner, const Settings &settings,
                                std::string &pipeline) {
  Baseline baseline;
  pipeline = runs.front().text;
  if (std::optional<Verdict> verdict = judgeProgram(program, entry, runner, settings, baseline))
    return *verdict;
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

static fs::path reportFolder(const BisectOptions &options, const std::string &program) {
  if (!options.output.empty())
    return options.output;
  return fs::path("build_output") / (fs::path(program == "-" ? "stdin" : program).stem().string() + "-verdict");
}

/// Writes the report and ends.
static Result<int> finish(const BisectOptions &options, const Verdict &verdict, const fs::path &folder,
                          const ReportInput &input, const Runner *runner, trace::ToolTrace &trace) {
  llvm::outs() << describe(verdict);
  if (options.report) {
    MICA_RETURN_IF_ERROR(writeReport(folder, verdict, input, runner));
    trace.file("written", folder.string());
    llvm::outs() << "report: " << (folder / "report.md").string() << "\n";
  }
  trace.note("verdict", trace::quoteJson(kindName(verdict.kind)));
  return exitCodeOf(verdict.kind);
}

/// The program of an artifact as it was before any pass.
static Result<mlir::OwningOpRef<mlir::ModuleOp>> programOf(const fs::path &artifact, mlir::MLIRContext &context) {
  std::error_code ignored;
  fs::path file = artifact / artifact::kOriginalFile;
  if (!fs::exists(file, ignored))
    file = artifact / artifact::kInputFile;
  MICA_ASSIGN_OR_RETURN(irtools::Document document, readProgram(file.string(), context));
  std::string error;
  if (!compiler::attachConstants(*document.root, artifact.string(), error))
    return Error{ErrorCode::Damaged, error, "compile the program again"};
  return std::move(document.root);
}

/// The record of a compile that failed, where a pass ended the compiler.
static std::optional<Recorded> crashOf(const fs::path &artifact) {
  Result<Recorded> recorded = Recorded::open(artifact.string() + ".failed");
  if (!recorded || !recorded->record().failure() || recorded->record().failure()->how == "failed")
    return std::nullopt;
  return std::move(*recorded);
}

/// A compile takes longer than a program.
static constexpr double kCompileFactor = 10;

/// Compiles `name` for `target` to `artifact`. A verdict where that ends the compiler.
static Result<std::optional<Verdict>> compileProgram(const BisectOptions &options, const std::string &name,
                                                     const std::string &target, const CompiledProgram &program,
                                                     const Entry &entry, const Baseline &baseline,
                                                     mlir::MLIRContext &context, Runner &runner) {
  std::vector<std::string> command{runner.tool("mica-compile").string(), name, "-o", program.folder.string(),
                                   "--target=" + target};
  command.insert(command.end(), options.compileFlags.begin(), options.compileFlags.end());
  command.insert(command.end(), program.plugins.begin(), program.plugins.end());
  ProcessOptions process;
  process.standardOutput = runner.folder() / "compile.out";
  process.standardError = runner.folder() / "compile.err";
  process.secondsLimit = runner.limits().seconds * kCompileFactor;
  process.memoryLimit = runner.limits().memoryBytes;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  if (code == 0)
    return std::optional<Verdict>();
  if (const std::optional<Recorded> crashed = crashOf(program.folder)) {
    MICA_ASSIGN_OR_RETURN(Verdict verdict, bisectPasses(*crashed, entry, baseline, context, runner, options.settings));
    return std::optional(std::move(verdict));
  }
  MICA_ASSIGN_OR_RETURN(const std::string said, readFile(process.standardError));
  if (code == 1)
    return Error{ErrorCode::InvalidInput, "the program cannot be compiled:\n" + llvm::StringRef(said).rtrim().str(),
                 "mica-compile " + name + " --target=" + target};
  Verdict verdict;
  verdict.kind = Verdict::Kind::Crash;
  verdict.headline = "mica-compile ended with exit code " + std::to_string(code);
  verdict.evidence.push_back(llvm::StringRef(said).rtrim().str());
  return std::optional(std::move(verdict));
}

/// Plugins as flags of mica-compile.
static std::vector<std::string> pluginFlags(const BisectOptions &options) {
  std::vector<std::string> flags;
  if (!options.plugin.empty())
    flags.push_back("--load-pass-plugin=" + options.plugin);
  if (!options.llvmPlugin.empty())
    flags.push_back("--load-llvm-pass-plugin=" + options.llvmPlugin);
  return flags;
}

/// How `program` is compiled, for people: plugins without their folders.
static std::string compileText(const BisectOptions &options, const std::string &program, const std::string &target,
                               const std::vector<std::string> &plugins) {
  std::vector<std::string> arguments{fs::path(program).filename().string(), "-o", "artifact"};
  if (!target.empty())
    arguments.push_back("--target=" + target);
  arguments.insert(arguments.end(), options.compileFlags.begin(), options.compileFlags.end());
  for (const std::string &plugin : plugins) {
    const size_t at = plugin.find('=');
    arguments.push_back(plugin.substr(0, at + 1) + fs::path(plugin.substr(at + 1)).filename().string());
  }
  return shellText("mica-compile", arguments);
}

/// How an artifact was compiled, for people: files without their folders.
static std::string compileText(const artifact::BuildRecord &build) {
  std::vector<std::string> arguments;
  for (size_t i = 1; i < build.commandLine.size(); ++i) {
    const llvm::StringRef word = build.commandLine[i];
    if (word == "-o") {
      ++i;
      continue;
    }
    if (word == "--force")
      continue;
    const bool namesFile =
        llvm::any_of(std::initializer_list<llvm::StringRef>{"--load-pass-plugin=", "--load-llvm-pass-plugin=",
                                                            "--machine=", "--link="},
                     [&](llvm::StringRef flag) { return word.starts_with(flag); });
    const size_t from = word.starts_with("-") ? word.find('=') + 1 : 0;
    arguments.push_back(word.starts_with("-") && !namesFile
                            ? word.str()
                            : word.take_front(from).str() + fs::path(word.substr(from).str()).filename().string());
  }
  arguments.insert(arguments.end(), {"-o", "artifact"});
  return shellText("mica-compile", arguments);
}

/// Of verdicts for several targets the worst that is not right, with what the others gave.
static Result<Verdict> judgeTargets(const BisectOptions &options, const std::string &name, mlir::ModuleOp written,
                                    const Entry &entry, Runner &runner, std::string &compile) {
  Baseline baseline;
  if (std::optional<Verdict> verdict = judgeProgram(written, entry, runner, options.settings, baseline))
    return *verdict;
  mlir::MLIRContext &context = *written.getContext();
  if (isArtifact(name)) {
    CompiledProgram program{name, pluginsOf(name)};
    compile = compileText(artifact::readBuildRecord(name));
    return bisectCompiled(program, written, entry, baseline, runner, options.settings, options.axes);
  }
  std::vector<std::string> targets = options.targets;
  if (targets.empty())
    targets.push_back("cpu");
  std::optional<Verdict> worst;
  std::vector<std::string> others;
  for (const std::string &target : targets) {
    const CompiledProgram program{runner.folder() / ("artifact" + std::to_string(others.size())), pluginFlags(options)};
    MICA_ASSIGN_OR_RETURN(std::optional<Verdict> verdict,
                          compileProgram(options, name, target, program, entry, baseline, context, runner));
    if (!verdict) {
      MICA_ASSIGN_OR_RETURN(verdict,
                            bisectCompiled(program, written, entry, baseline, runner, options.settings, options.axes));
    }
    others.push_back("--target=" + target + ": " + kindName(verdict->kind));
    if (worst && exitCodeOf(verdict->kind) <= exitCodeOf(worst->kind))
      continue;
    if (targets.size() > 1 && exitCodeOf(verdict->kind) != 0)
      verdict->headline += (verdict->headline.empty() ? "" : ", ") + ("with --target=" + target);
    worst = std::move(verdict);
    compile = compileText(options, name, target, program.plugins);
  }
  if (targets.size() > 1)
    worst->evidence.insert(worst->evidence.end(), others.begin(), others.end());
  return *worst;
}

/// A program, or an artifact, that Mica compiles.
static Result<int> bisectOwn(BisectOptions &options, const std::string &name, trace::ToolTrace &trace) {
  const fs::path folder = reportFolder(options, name);
  if (options.report)
    MICA_RETURN_IF_ERROR(checkReportFolder(folder));
  if (isArtifact(name) && (!options.targets.empty() || !options.compileFlags.empty()))
    return Error{ErrorCode::InvalidInput, "--target, -O and --add-passes have no effect on an artifact",
                 "give the program instead"};
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::vector<std::string> flags;
  MICA_RETURN_IF_ERROR(loadPlugins(options, isArtifact(name) ? pluginsOf(name) : pluginFlags(options), flags));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-bisect"));
  MICA_ASSIGN_OR_RETURN(Runner runner, Runner::create(options.limits, scratch.path(), outcomesFolder(options)));
  trace.file("read", name);
  mlir::OwningOpRef<mlir::ModuleOp> written;
  std::string file = name;
  if (isArtifact(name)) {
    MICA_ASSIGN_OR_RETURN(written, programOf(name, context));
  } else {
    MICA_ASSIGN_OR_RETURN(irtools::Document document, readProgram(name, context));
    written = std::move(document.root);
    if (name == "-") {
      file = (scratch.path() / "stdin.mlir").string();
      MICA_RETURN_IF_ERROR(writeFile(file, irtools::printModule(*written, /*withLocations=*/true)));
    }
  }
  std::vector<std::string> notes;
  MICA_ASSIGN_OR_RETURN(const Entry entry, findEntry(*written, options.entry, options.inputs, notes));
  for (const std::string &note : notes)
    printNote(kTool, note);
  std::string compile = compileText(options, file, "", {});
  MICA_ASSIGN_OR_RETURN(Verdict verdict, judgeTargets(options, file, *written, entry, runner, compile));
  Entry reported = entry;
  if (options.strip)
    MICA_RETURN_IF_ERROR(stripVerdict(verdict, reported, context));
  const std::string program = options.strip ? "program.mlir" : fs::path(name).filename().string();
  MICA_ASSIGN_OR_RETURN(const int code,
                        finish(options, verdict, folder, {program, "", flags, reported, {}, compile}, &runner, trace));
  if (options.verbose)
    llvm::outs() << runner.runs() << " runs, " << runner.cached() << " outcomes known before\n";
  return code;
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

static Result<int> bisectProgram(BisectOptions &options, const std::vector<std::string> &given,
                                 trace::ToolTrace &trace) {
  if (options.verbose)
    options.settings.progress = [](const std::string &line) { llvm::outs() << "  " << line << "\n"; };
  std::vector<std::string> words = given;
  if (words.size() == 1 && options.pipeline.empty() && options.record.empty() && isRecord(words.front()))
    options.record = std::exchange(words, {}).front();
  MICA_RETURN_IF_ERROR(checkArguments(options, words));
  if (options.pipeline.empty() && options.record.empty() && !options.precision)
    return bisectOwn(options, words.front(), trace);
  const std::string name = words.empty() ? options.record : words.front();
  const fs::path folder = reportFolder(options, name);
  if (options.report && !options.precision)
    MICA_RETURN_IF_ERROR(checkReportFolder(folder));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-bisect"));
  if (!options.commands.opt.empty())
    return bisectByCommands(options, name, folder, scratch.path(), trace);
  std::vector<std::string> flags;
  MICA_RETURN_IF_ERROR(loadPlugins(options, pluginFlags(options), flags));
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
    MICA_ASSIGN_OR_RETURN(irtools::Document document, readProgram(name, context));
    program = std::move(document.root);
  }
  trace.file("read", name);
  std::vector<std::string> notes;
  MICA_ASSIGN_OR_RETURN(const Entry entry, findEntry(*program, options.entry, options.inputs, notes));
  for (const std::string &note : notes)
    printNote(kTool, note);
  for (std::string *text : {&options.pipeline, &options.against}) {
    MICA_ASSIGN_OR_RETURN(*text, pipelineOfFlags(*text, context));
  }
  if (options.precision) {
    MICA_ASSIGN_OR_RETURN(const Precision precision,
                          findPrecision(*program, entry, *options.precision, options.settings.reduction.seconds));
    llvm::outs() << describe(precision);
    return precision.mending ? 0 : 1;
  }
  MICA_ASSIGN_OR_RETURN(const std::vector<PipelineRun> runs, recordAll(options, *program, flags, runner));
  std::string pipeline;
  MICA_ASSIGN_OR_RETURN(Verdict verdict, judgeAll(runs, *program, entry, context, runner, options.settings, pipeline));
  Entry reported = entry;
  if (options.strip)
    MICA_RETURN_IF_ERROR(stripVerdict(verdict, reported, context));
  const std::string file = options.strip ? "program.mlir" : fs::path(name).filename().string();
  MICA_ASSIGN_OR_RETURN(const int code,
                        finish(options, verdict, folder, {file, pipeline, flags, reported, {}}, &runner, trace));
  if (options.verbose)
    llvm::outs() << runner.runs() << " runs, " << runner.cached() << " outcomes known before\n";
  return code;
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
