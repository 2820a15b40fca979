//===- OptTool.cpp - mica-opt -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OptTool.h. Mica's additions are instrumentations added by upstream's pass manager setup function, so every flag
// of mlir-opt works unchanged.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Tools/OptTool.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Crash/CrashRecord.h"
#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "lib/Compiler/Emit/CompileLog.h"
#include "lib/Compiler/Record/OptReproducer.h"
#include "lib/Compiler/Record/PassLog.h"
#include "lib/Compiler/Tools/DebugOutput.h"
#include "lib/Compiler/Tools/OptHelp.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Compiler/Emit/CheckIds.h"
#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Compiler/Input/DynamicLists.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Compiler/Record/PassRecorder.h"
#include "mica/Compiler/Record/RecordedConstants.h"
#include "mica/Compiler/Record/RecordedState.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Compiler/Upgrade/Upgrade.h"
#include "mica/Import/Foreign.h"
#include "mica/Support/Allocator.h"
#include "mica/Support/BugReport.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Nesting.h"
#include "mica/Support/Process.h"
#include "mica/Support/ToolSwitches.h"
#include "mica/Trace/JsonScan.h"
#include "mica/Trace/ToolTrace.h"
#include "passes/RegisterPasses.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <tuple>
#include <unistd.h>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
/// Runs a function on the program before the first pass.
class Prelude : public PassInstrumentation {
public:
  using Function = std::function<LogicalResult(Operation *)>;
  explicit Prelude(Function function) : function(std::move(function)) {}
  void runBeforePass(Pass *pass, Operation *op) override {
    if (!function)
      return;
    Function once = std::move(function);
    function = nullptr;
    if (failed(once(op)))
      signalPassFailure(pass);
  }

private:
  Function function;
};

/// A no-op pass: instrumentations only run with at least one pass.
struct NothingPass : PassWrapper<NothingPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NothingPass)
  StringRef getName() const final { return "Nothing"; }
  void runOnOperation() final { markAllAnalysesPreserved(); }
};

/// The recorders of one run: one per chunk of a split input file.
struct Recorders {
  std::vector<std::string> flags;
  std::mutex mutex;
  bool verifiesPasses = true;
  std::vector<std::unique_ptr<PassRecorder>> all;

  PassRecorder &add(llvm::StringRef directory, DumpMode mode) {
    std::lock_guard lock(mutex);
    RecorderOptions options;
    options.flags = flags;
    options.mode = mode;
    options.assumeVerified = verifiesPasses;
    llvm::SmallString<256> path(directory);
    if (!all.empty())
      llvm::sys::path::append(path, "chunk_" + std::to_string(all.size()));
    options.directory = path.str().str();
    options.tool = "mica-opt " + versionText();
    all.push_back(std::make_unique<PassRecorder>(options));
    return *all.back();
  }
};
} // namespace

/// Reports the error that ends a run, and logs it.
static int fail(const llvm::Twine &message, std::optional<Error> &told) {
  llvm::errs() << "mica-opt: error: " << message << "\n";
  told = Error{ErrorCode::InvalidInput, message.str(), ""};
  return 1;
}

/// "DIR", "DIR:12" -> folder and position (-1 where none is given).
static std::pair<std::string, int> parseResume(llvm::StringRef text) {
  auto [directory, number] = text.rsplit(':');
  int position = -1;
  if (!number.empty() && !number.getAsInteger(10, position))
    return {directory.str(), position};
  return {text.str(), -1};
}

/// The folder of a record, given that folder or the artifact that contains it.
static std::string recordFolder(llvm::StringRef directory) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, "passes_dump");
  return llvm::sys::fs::exists(path) ? path.str().str() : directory.str();
}

/// Rewrites older spellings in `input` and prints what was changed.
static std::unique_ptr<llvm::MemoryBuffer> upgrade(std::unique_ptr<llvm::MemoryBuffer> input) {
  if (isBytecode(input->getMemBufferRef())) {
    llvm::errs() << "mica-opt: " << input->getBufferIdentifier()
                 << ": --upgrade reads text; bytecode is upgraded as it is "
                    "read\n";
    return input;
  }
  UpgradedText upgraded = upgradeText(input->getBuffer());
  const std::string name = input->getBufferIdentifier().str();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  for (const UpgradeNote &note : upgraded.notes) {
    auto [line, column] = sources.getLineAndColumn(note.first);
    llvm::errs() << name << ":" << line << ":" << column << ": upgraded: " << note.message;
    if (note.count > 1)
      llvm::errs() << " (" << note.count << " times)";
    llvm::errs() << "\n";
  }
  if (upgraded.notes.empty())
    llvm::errs() << name << ": upgraded: nothing, no older spelling is in it\n";
  return llvm::MemoryBuffer::getMemBufferCopy(upgraded.text, name);
}

/// The position of the pass that wrote `file`, if it is the snapshot of a nested op that is not self-contained: it
/// calls other functions, or needs a parent of another kind.
static std::optional<int> positionOfPart(llvm::StringRef file, llvm::StringRef text, const DialectRegistry &registry,
                                         bool allowUnregistered) {
  auto [number, rest] = llvm::sys::path::filename(file).split('_');
  int position = 0;
  llvm::SmallString<256> index(llvm::sys::path::parent_path(file));
  llvm::sys::path::append(index, "index.json");
  if (number.getAsInteger(10, position) || !rest.contains('@') || !llvm::sys::fs::exists(index))
    return std::nullopt;
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(allowUnregistered);
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
  if (parseSourceString<ModuleOp>(text, ParserConfig(&context)))
    return std::nullopt;
  return position;
}

/// The errors of parsing and verifying `input`. The driver uses a context of its own, to which no handler can be added.
static std::vector<RecordedDiagnostic> readAgain(llvm::MemoryBufferRef input, MLIRContext &context) {
  ErrorListener listener;
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
  listener.listen(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input), llvm::SMLoc());
  (void)parseSourceFile<ModuleOp>(sources, &context);
  return listener.errors();
}

/// verifyDynamicLists on `input`, before the driver's verifier and printer read operands that are not there. Where the
/// text does not parse, the driver reports why.
static LogicalResult verifyLists(llvm::MemoryBufferRef input, const DialectRegistry &registry, bool allowUnregistered) {
  if (!mayHaveUncheckedLists(input.getBuffer()))
    return success();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(allowUnregistered);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input), llvm::SMLoc());
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler silence(&context, [](Diagnostic &) { return success(); });
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context, /*verifyAfterParse=*/false));
  }
  SourceMgrDiagnosticHandler shown(sources, &context);
  return module ? verifyDynamicLists(*module) : success();
}

namespace {
/// Traces passes for MICA_TRACE: spans while they run, and a table at the end.
class PassTrace {
public:
  explicit PassTrace(trace::ToolTrace &trace) : trace(trace) {}

  /// Observes the passes of `pm`, one for each chunk of a split input, whose pipelines are recorded.
  PassListener attach(PassManager &pm) {
    if (!trace.isOn())
      return {};
    std::string pipeline;
    llvm::raw_string_ostream os(pipeline);
    pm.printAsTextualPipeline(os);
    std::lock_guard lock(mutex);
    if (pipeline != lastPipeline)
      trace.artifact("pipeline", pipeline, /*json=*/false);
    lastPipeline = pipeline;
    return [this](const PassRan &ran, char phase) { add(ran, phase); };
  }

  void finish() {
    if (!rows.empty())
      trace.artifact("passes", llvm::formatv("{0}", llvm::json::Value(std::move(rows))).str(), /*json=*/true);
  }

private:
  void add(const PassRan &ran, char phase) {
    const std::string on = trace::quoteJson(ran.on);
    if (phase == 'B')
      return trace.span(ran.pass, 'B', {{"on", on}});
    const char *changed = ran.changed ? "true" : "false", *failed = ran.failed ? "true" : "false";
    trace.span(ran.pass, 'E', {{"on", on}, {"changed", changed}, {"failed", failed}});
    std::lock_guard lock(mutex);
    llvm::json::Object row{{"pass", llvm::json::fixUTF8(ran.pass)},
                           {"on", llvm::json::fixUTF8(ran.on)},
                           {"ms", std::round(ran.milliseconds * 1000) / 1000},
                           {"changed", ran.changed},
                           {"failed", ran.failed},
                           {"ops_before", ran.opsBefore}};
    if (!ran.failed)
      row["ops_after"] = ran.opsAfter;
    rows.push_back(std::move(row));
  }

  trace::ToolTrace &trace;
  std::mutex mutex; ///< chunks of a split input run concurrently
  llvm::json::Array rows;
  std::string lastPipeline;
};
} // namespace

/// Adds the record in `folder` to the trace: its index, and the snapshots up to the maximum size of a record.
static void traceRecord(trace::ToolTrace &trace, const std::filesystem::path &folder) {
  constexpr size_t kLongest = size_t(8) << 20;
  if (Result<std::string> index = readFile(folder / "index.json"); index && index->size() <= kLongest)
    trace.artifact("snapshots", *index, /*json=*/true, {{"folder", trace::quoteJson(folder.string())}});
  std::vector<std::filesystem::path> snapshots;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".mlir")
      snapshots.push_back(at->path());
  std::sort(snapshots.begin(), snapshots.end());
  for (const std::filesystem::path &snapshot : snapshots)
    if (Result<std::string> text = readFile(snapshot); text && text->size() <= kLongest)
      trace.artifact(snapshot.filename().string(), *text, /*json=*/false,
                     {{"file", trace::quoteJson(snapshot.filename().string())}});
}

namespace {
/// Mica's own flags, beside those of mlir-opt.
struct OptFlags {
  llvm::cl::OptionCategory category{"Mica options"};
  llvm::cl::opt<std::string> record{"record", llvm::cl::value_desc("DIR"), llvm::cl::cat(category),
                                    llvm::cl::desc("Record every pass: write snapshots and index to DIR")};
  llvm::cl::opt<DumpMode> dump{
      "dump-passes", llvm::cl::cat(category), llvm::cl::init(DumpMode::Passes),
      llvm::cl::desc("With --record: snapshots to keep (default: passes)"),
      llvm::cl::values(
          clEnumValN(DumpMode::Off, "off", "none"),
          clEnumValN(DumpMode::Phases, "phases", "the last of each phase or pipeline nest"),
          clEnumValN(DumpMode::Passes, "passes", "every pass that changed something"),
          clEnumValN(DumpMode::Patterns, "patterns", "also which rewrite pattern changed which op (slow)"))};
  llvm::cl::opt<double> passTimeLimit{
      "pass-time-limit", llvm::cl::value_desc("SECONDS"), llvm::cl::cat(category), llvm::cl::init(600),
      llvm::cl::desc(
          "With --record: stop with exit code 4 if a pass runs longer (default: 600; 0: no limit); its input is kept")};
  llvm::cl::opt<std::string> resume{
      "resume", llvm::cl::value_desc("DIR[:NNNN]"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Start from snapshot NNNN (default: the last) of the artifact or record DIR. Without passes on the "
          "command line, run the rest of its pipeline")};
  llvm::cl::opt<bool> checkIds{"mica-check-ids", llvm::cl::cat(category),
                               llvm::cl::desc("Print the op ids that each pass loses, and how many ops have ids")};
  llvm::cl::opt<std::string> logTopics{"mica-logs", llvm::cl::value_desc("TOPIC,..."), llvm::cl::cat(category),
                                       llvm::cl::desc("Set log topics; =help lists them (default: MICA_LOGS)")};
  llvm::cl::opt<std::string> reproducer{
      "reproducer", llvm::cl::value_desc("DIR"), llvm::cl::cat(category),
      llvm::cl::desc(
          "Write a reproducer of the passes on the program to DIR, and run nothing. With --resume and no passes: "
          "of the pass that failed, or the one after NNNN")};
  llvm::cl::opt<bool> strip{
      "strip", llvm::cl::cat(category),
      llvm::cl::desc("With --reproducer: remove names, locations and tensor values that the failure does not need")};
  llvm::cl::opt<bool> upgradeInput{
      "upgrade", llvm::cl::cat(category),
      llvm::cl::desc("Rewrite the syntax of older MLIR versions before parsing, and print what was rewritten")};
};

/// One run of mica-opt. A step that ends the run returns its exit code.
class OptCall {
public:
  OptCall(int argc, char **argv, trace::ToolTrace &trace, std::optional<Error> &told)
      : argc(argc), argv(argv), trace(trace), told(told), passTrace(trace) {}

  int run();

  /// Registers the flags on the first call.
  static OptFlags &flags() {
    static OptFlags all;
    return all;
  }

private:
  using ExitCode = std::optional<int>;

  ExitCode parseFlags();
  ExitCode applyLogFlag();
  ExitCode readProgram();
  ExitCode readState(std::string folder, int position);
  ExitCode readFile();
  void prepareRecord();
  int writeReproducer();
  ExitCode runPasses();
  LogicalResult addPasses(PassManager &pm);
  LogicalResult prepareProgram(Operation *root, const std::string &recorded);
  void explainErrors();
  ExitCode finishRecords();

  int argc;
  char **argv;
  trace::ToolTrace &trace;
  std::optional<Error> &told;
  PassTrace passTrace;
  DialectRegistry registry;
  std::string inputName, outputName;
  MlirOptMainConfig config;
  MlirOptMainConfig setup; ///< from the flags, without the passes that are added here
  std::unique_ptr<llvm::MemoryBuffer> input;
  std::string directory; ///< of the program, with its weights
  std::string text;      ///< of the program, if it has a line map
  artifact::StoredLineMap map;
  std::string remaining; ///< with --resume: the rest of the pipeline
  Recorders recorders;
  ErrorListener listener; ///< records errors, for hints
  std::unique_ptr<llvm::ToolOutputFile> output;
  LogicalResult result = failure();
};
} // namespace

OptCall::ExitCode OptCall::parseFlags() {
  llvm::setBugReportMsg(kBugReport);
  // After LLVM has installed its handler for the signal.
  makeFileSizeLimitAnError();
  // LLVM's streams, which print diagnostics, ignore the variable.
  if (environmentValue("NO_COLOR"))
    llvm::errs().enable_colors(false);
  registerAllPasses();
  registerAllDialects(registry);
  if (wantsOptHelp(llvm::ArrayRef(argv + 1, argc - 1))) {
    return printOptHelp(llvm::ArrayRef(argv, argc), flags().category, registry) ? 0 : 1;
  }
  // The full list is upstream's.
  for (char *&argument : llvm::MutableArrayRef(argv, argc))
    if (llvm::StringRef(argument) == "--help-all")
      argument[6] = '\0';
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) { os << "Mica version " << versionText() << "\n"; });
  registerDebugOptions();
  std::tie(inputName, outputName) = registerAndParseCLIOptions(argc, argv, "Mica's pass driver\n", registry);
  applyDebugOptions();
  return std::nullopt;
}

OptCall::ExitCode OptCall::applyLogFlag() {
  ToolSwitches switches;
  if (flags().logTopics.getNumOccurrences() > 0)
    switches.logs = flags().logTopics;
  const Result<bool> helped = applyLogSwitches(switches, "mica-opt");
  if (helped)
    return *helped ? ExitCode(0) : std::nullopt;
  printError("mica-opt", helped.error());
  told = helped.error();
  return exitCode(helped.error().code);
}

OptCall::ExitCode OptCall::readProgram() {
  if (!flags().resume.empty()) {
    auto [folder, position] = parseResume(flags().resume);
    return readState(folder, position);
  }
  if (inputName != "-" && !config.shouldListPasses()) {
    if (auto buffer = openText(inputName)) {
      input = std::move(*buffer);
      // A part is read in its place in the program.
      if (std::optional<int> part = positionOfPart(input->getBufferIdentifier(), input->getBuffer(), registry,
                                                   config.shouldAllowUnregisteredDialects()))
        return readState(llvm::sys::path::parent_path(inputName).str(), *part);
    } else if (llvm::StringRef(inputName).ends_with(artifact::kPackedSuffix)) {
      return fail(inputName + " cannot be read", told);
    }
  }
  return readFile();
}

/// Passes the state to mlir-opt's driver as text with locations; weights are attached by handle.
OptCall::ExitCode OptCall::readState(std::string folder, int position) {
  directory = recordFolder(folder);
  MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  std::string error;
  std::optional<RecordedState> state = loadRecordedState(directory, position, &context, error);
  if (!state)
    return fail(error, told);
  remaining = state->remaining;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  state->module->print(os, OpPrintingFlags().enableDebugInfo().elideLargeResourceString(0));
  input = llvm::MemoryBuffer::getMemBufferCopy(printed, folder);
  return std::nullopt;
}

OptCall::ExitCode OptCall::readFile() {
  if (config.shouldListPasses() || config.shouldShowDialects())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));
  std::string error;
  if (!input)
    input = openInputFile(inputName, &error);
  if (!input)
    return fail(error + "; give a file, or - for stdin", told);
  Result<std::unique_ptr<llvm::MemoryBuffer>> program = importer::asMlir(std::move(input), inputName, registry);
  if (!program)
    return fail(program.error().message, told);
  input = *std::move(program);
  if (flags().upgradeInput)
    input = upgrade(std::move(input));
  if (const Status nesting = checkNesting(input->getBuffer(), inputName == "-" ? "<stdin>" : inputName); !nesting)
    return fail(nesting.error().message + "; " + nesting.error().hint, told);
  if (failed(verifyLists(input->getMemBufferRef(), registry, config.shouldAllowUnregisteredDialects())))
    return 1;
  directory = llvm::sys::path::parent_path(inputName).str();
  if (Result<artifact::StoredLineMap> stored = artifact::readLineMap(inputName)) {
    map = std::move(*stored);
    text = input->getBuffer().str();
  }
  return std::nullopt;
}

void OptCall::prepareRecord() {
  if (!flags().record.empty()) {
    llvm::sys::AddSignalHandler([](void *) { CrashRecord::write("crashed"); }, nullptr);
    CrashRecord::handleCrashes();
    handleTruncation("mica-opt");
    if (flags().passTimeLimit > 0)
      CrashRecord::limitPasses(flags().passTimeLimit, [] { _exit(4); });
  }
  recorders.verifiesPasses = config.shouldVerifyPasses();
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc)) {
    llvm::StringRef flag = argument.drop_while([](char c) { return c == '-'; });
    for (llvm::StringRef name :
         {"load-pass-plugin=", "load-dialect-plugin=", "irdl-file=", "allow-unregistered-dialect"})
      if (flag.size() < argument.size() && flag.starts_with(name))
        recorders.flags.push_back(argument.str());
  }
}

int OptCall::writeReproducer() {
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  PassManager pm(&context);
  if (failed(setup.setupPassPipeline(pm)))
    return 1;
  RecorderOptions options;
  options.tool = "mica-opt " + versionText();
  options.flags = recorders.flags;
  const bool isOfRecord = !flags().resume.empty() && pm.empty();
  std::string error;
  std::optional<Reproducer> shown =
      isOfRecord ? reproducerOfRecord(directory, parseResume(flags().resume).second, options, &context, error)
                 : reproducerOfText(*input, pm, options, error);
  if (shown && !isOfRecord) {
    if (!map.json.empty())
      attachLineMap(*shown->program, text, map.json, map.original);
    attachConstants(*shown->program, directory, error);
  }
  const double limit =
      flags().passTimeLimit.getNumOccurrences() > 0 && flags().passTimeLimit > 0 ? flags().passTimeLimit : 60.0;
  if (shown && error.empty())
    error = writeReproducerOnDemand(std::move(*shown), {flags().reproducer, flags().strip, limit});
  return error.empty() ? 0 : fail(error, told);
}

/// Whether --pass-pipeline is given: 'builtin.module()' asks for the state as it is.
static bool hasPipelineFlag() {
  auto flag = llvm::cl::getRegisteredOptions().find("pass-pipeline");
  return flag != llvm::cl::getRegisteredOptions().end() && flag->second->getNumOccurrences() > 0;
}

/// Attaches ids, positions and weights to the program before the first pass.
LogicalResult OptCall::prepareProgram(Operation *root, const std::string &recorded) {
  if (!map.json.empty())
    attachLineMap(root, text, map.json, map.original);
  if (auto program = dyn_cast<ModuleOp>(root))
    logProgram(input->getBufferIdentifier().str(), "as read", program);
  std::string problem;
  if (attachConstants(root, directory, problem) && !recorded.empty())
    problem = writeRecordedConstants(*root->getContext(), recorded);
  if (problem.empty())
    return success();
  return emitError(root->getLoc()) << problem;
}

/// Adds the passes of the command line, or the rest of the recorded pipeline, and the instrumentations.
LogicalResult OptCall::addPasses(PassManager &pm) {
  if (failed(setup.setupPassPipeline(pm)))
    return failure();
  if (!config.shouldVerifyDiagnostics())
    listener.listen(*pm.getContext());
  if (!flags().resume.empty() && pm.empty() && !remaining.empty() && !hasPipelineFlag()) {
    llvm::StringRef inner = remaining;
    inner.consume_front("builtin.module(");
    inner.consume_back(")");
    if (failed(parsePassPipeline(inner, pm)))
      return failure();
  }
  if (pm.empty() && flags().record.empty())
    pm.addPass(std::make_unique<NothingPass>());
  PassRecorder *recorder = flags().record.empty() ? nullptr : &recorders.add(flags().record, flags().dump);
  const std::string recorded = recorder ? recorder->directory() : "";
  pm.addInstrumentation(
      std::make_unique<Prelude>([this, recorded](Operation *root) { return prepareProgram(root, recorded); }));
  if (recorder) {
    pm.addInstrumentation(createConstantsInstrumentation(recorded));
    recorder->attach(pm);
  }
  logPasses(pm, passTrace.attach(pm));
  if (flags().checkIds)
    pm.addInstrumentation(createCheckIdsInstrumentation(llvm::errs()));
  return success();
}

OptCall::ExitCode OptCall::runPasses() {
  config.setPassPipelineSetupFn([this](PassManager &pm) { return addPasses(pm); });
  std::string error;
  output = openOutputFile(outputName, &error);
  if (!output)
    return fail(error, told);
  result = MlirOptMain(output->os(), llvm::MemoryBuffer::getMemBuffer(input->getMemBufferRef()), registry, config);
  // With --verify-diagnostics all errors are expected.
  if (failed(result) && !config.shouldVerifyDiagnostics())
    explainErrors();
  passTrace.finish();
  return std::nullopt;
}

void OptCall::explainErrors() {
  std::vector<RecordedDiagnostic> errors = listener.errors();
  MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  if (errors.empty())
    errors = readAgain(input->getMemBufferRef(), context);
  llvm::errs() << fixLines(errors, input->getBuffer(), context);
  if (!errors.empty())
    told = Error{ErrorCode::InvalidInput, errors.front().message, ""};
}

OptCall::ExitCode OptCall::finishRecords() {
  for (std::unique_ptr<PassRecorder> &recorder : recorders.all) {
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    if (failed(recorder->finish(&context)))
      return fail(recorder->error(), told);
    if (const std::optional<PassFailure> &failure = recorder->failure(); failure && !failure->command.empty())
      llvm::errs() << "mica-opt: error: pass " << failure->pass << " (" << failure->position << ")"
                   << (failure->anchor.empty() ? "" : " on ") << failure->anchor << " failed; its input is "
                   << recorder->directory() << "/" << failure->input << "\n  the pass alone: cd "
                   << recorder->directory() << " && " << failure->command << "\n"
                   << rejectionLine(*recorder, listener.errors());
    if (trace.isOn()) {
      trace.file("written", recorder->directory());
      traceRecord(trace, recorder->directory());
    }
  }
  return std::nullopt;
}

int OptCall::run() {
  if (ExitCode code = parseFlags())
    return *code;
  if (ExitCode code = applyLogFlag())
    return *code;
  trace.begin();
  config = setup = MlirOptMainConfig::createFromCLOptions();
  if (ExitCode code = readProgram())
    return *code;
  trace.file("read", flags().resume.empty() ? inputName : flags().resume);
  prepareRecord();
  if (flags().strip && flags().reproducer.empty())
    return fail("--strip needs --reproducer=DIR", told);
  if (!flags().reproducer.empty())
    return writeReproducer();
  if (ExitCode code = runPasses())
    return *code;
  if (ExitCode code = finishRecords())
    return *code;
  if (failed(result))
    return 1;
  output->keep();
  if (outputName != "-")
    trace.file("written", outputName);
  return 0;
}

static int runOpt(int argc, char **argv, trace::ToolTrace &trace, std::optional<Error> &told) {
  OptCall::flags();
  llvm::InitLLVM initLLVM(argc, argv);
  makeOutOfMemoryAnError("mica-opt");
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) {
    static std::atomic<bool> isWriting{false};
    if (!isWriting.exchange(true) && CrashRecord::write("ran out of memory"))
      _exit(1);
    endWithoutMemory();
  });
  llvm::install_fatal_error_handler([](void *, const char *message, bool) {
    const bool isSystem = llvm::StringRef(message).contains("pthread_create");
    llvm::errs() << (isSystem ? "mica-opt: error: " : "LLVM ERROR: ") << message << "\n";
    if (isSystem)
      _exit(1);
  });
  return OptCall(argc, argv, trace, told).run();
}

int compiler::runOptTool(int argc, char **argv) {
  keepFreedMemory();
  trace::ToolTrace trace("mica-opt", argc, argv);
  std::optional<Error> told;
  const int code = runOpt(argc, argv, trace, told);
  trace.end(code, told ? &*told : nullptr);
  return code;
}
