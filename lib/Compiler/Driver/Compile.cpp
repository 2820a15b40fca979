//===- Compile.cpp - the steps of a compile -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The steps in order: read the program, run the phases in pass managers (between them the driver describes the program:
// its ops after `input`, its kernels after `kernel`), generate code for each kernel, link, write the manifest, rename
// the folder.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/Compilation.h"

#include "lib/Compiler/Codegen/KernelCode.h"
#include "lib/Compiler/Driver/CompileTrace.h"
#include "lib/Compiler/Driver/HostFunctions.h"
#include "lib/Compiler/Emit/ArtifactBuilder.h"
#include "lib/Compiler/Emit/CheckMemory.h"
#include "lib/Compiler/Emit/CompileLog.h"
#include "lib/Compiler/Emit/OriginalProgram.h"
#include "lib/Compiler/Emit/SourceNames.h"
#include "lib/Compiler/Emit/Stages.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Compiler/Program/ScheduleAudit.h"
#include "mica/Compiler/Record/Progress.h"
#include "mica/Compiler/Record/RecordedState.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Support/Files.h"
#include "mica/Support/Machine.h"
#include "mica/Support/Text.h"

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

#include <filesystem>
#include <future>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

std::string compiler::defaultOutput(const std::string &input) {
  std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
  return (fs::path("build_output") / stem).string();
}

//===------------------------------------------------------------------------------------------------------------===//
// Input and output
//===------------------------------------------------------------------------------------------------------------===//

Status Compilation::prepareTarget() {
  std::optional<Machine> given;
  if (!options.machine.empty()) {
    MICA_ASSIGN_OR_RETURN(given, readMachine(options.machine));
  }
  MICA_ASSIGN_OR_RETURN(target, parseTarget(options.target, options.hostLevel, given ? &*given : nullptr));
  const auto [l1, l2] = given ? std::pair(given->l1DataBytes, given->l2Bytes) : dataCacheSizes();
  machine = {target.host.triple, target.host.tune, target.host.cpuinfoFeatures, l1, l2};
  if (!target.backend->supportsReadCheck() && options.trackReads)
    return Error{ErrorCode::Unsupported,
                 "uninitialized-read-check supports CPU kernels only, got --target=" + options.target,
                 "the simulator has this check: use --target=sim with sim-check=init"};
  if (!target.backend->supportsAssertLevel() && options.assertLevel != "user" && options.assertLevel != "none")
    return Error{ErrorCode::Unsupported,
                 "assert-level=" + options.assertLevel +
                     " puts checks into kernels of the CPU, of --target=cuda and of " +
                     "--target=sim, not of --target=" + options.target,
                 "the simulator runs the same kernels: --target=sim"};
  return Status::ok();
}

Status Compilation::prepareOutput() {
  if (options.emit != Emit::Artifact)
    return Status::ok();
  if (options.output == "-")
    return Error{ErrorCode::InvalidInput, "an artifact is a folder and cannot be written to the standard output",
                 "give -o DIR, or print one stage: --emit=mlir|llvm|asm -o -"};
  std::unique_lock<std::recursive_mutex> held;
  if (options.holdInterrupts)
    held = options.holdInterrupts();
  MICA_ASSIGN_OR_RETURN(ArtifactBuilder builder, ArtifactBuilder::create(options));
  artifact.emplace(std::move(builder));
  if (options.onFolder)
    options.onFolder(artifact->path(), artifact->failedPath());
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// Passes
//===------------------------------------------------------------------------------------------------------------===//

Status Compilation::runManager(PassManager &pm) {
  if (failed(pm.run(program())))
    return failureOf(&pm == early.get() ? Phase::Input : Phase::Lowered);
  return Status::ok();
}

/// A dependency that a list lacks shows in runs by chance; here it is named for certain.
Status Compilation::checkSchedule() {
  const bool isGiven = options.from || resumed || !options.addedPasses.empty();
  if (!options.checkSchedule || options.plain || isSimulated() ||
      succeeded(verifySchedule(program(), isGiven ? AuditScope::All : AuditScope::TaskLists)))
    return Status::ok();
  progress.clear();
  return Error{isGiven ? ErrorCode::InvalidInput : ErrorCode::Internal,
               input.name + ": the order of its tasks is not ensured: see the errors above",
               "add what they name; --no-check-schedule compiles it as it is"};
}

Status Compilation::runPasses() {
  if (artifact)
    recorder->recordInput(program());
  if (artifact)
    artifact->keepHandles(program());
  if (artifact && !origin) {
    MICA_ASSIGN_OR_RETURN(original, originalOf(program(), options.input));
  }
  if (early)
    MICA_RETURN_IF_ERROR(runManager(*early));
  MICA_RETURN_IF_ERROR(afterInput());
  if (early)
    logProgram(input.name, "after phase input", program());
  if (middle)
    MICA_RETURN_IF_ERROR(runManager(*middle));
  if (middle)
    logKernels(program(), *recorder);
  MICA_RETURN_IF_ERROR(checkSchedule());
  if (artifact && options.plain && hasLoweredHost(program()))
    MICA_RETURN_IF_ERROR(recordLoweredKernels());
  else if (artifact)
    MICA_RETURN_IF_ERROR(artifact->recordSchedule(program()));
  if (artifact)
    nameTensors(program(), sourceText(), artifact->lists, artifact->manifest);
  copyKernels();
  MICA_RETURN_IF_ERROR(copyPlainKernels());
  if (kernels)
    MICA_RETURN_IF_ERROR(runManager(*kernels));
  if (!options.plain && !isSimulated() && (last >= Phase::Kernel || resumed))
    MICA_RETURN_IF_ERROR(afterKernel());
  if (late)
    MICA_RETURN_IF_ERROR(runManager(*late));
  MICA_RETURN_IF_ERROR(placePlainKernels());
  progress.clear();
  return Status::ok();
}

/// Records kernels and constants from the snapshots at the end of phase kernel, because a program of phase lowered no
/// longer has them.
Status Compilation::recordLoweredKernels() {
  std::string error;
  std::optional<RecordedState> state = loadRecordedState(recordFolder, lastKernelPass, &context, error);
  if (!state)
    return Error{ErrorCode::Damaged, error, "compile the program again"};
  MICA_RETURN_IF_ERROR(artifact->recordSchedule(*state->module));
  for (ModuleOp kernel : kernelsOf(*state->module))
    MICA_RETURN_IF_ERROR(artifact->recordKernel(kernel, printSnapshot(kernel)));
  return Status::ok();
}

Status Compilation::afterInput() {
  if (!artifact)
    return Status::ok();
  // A program without callable functions is usually a mistake, such as `private` or a library module.
  if (options.resume.empty() && describeEntries(program()).empty())
    return Error{ErrorCode::InvalidInput, input.name + ": the program has no entry: no public func.func with a body",
                 "add a function, or remove `private` from the one to run"};
  if (origin)
    return artifact->recordOrigin(*origin, program());
  artifact->manifest.inputHash = input.hash;
  MICA_RETURN_IF_ERROR(
      artifact->recordProgram(program(), *original, input.name, options.from && *options.from >= Phase::Dispatch));
  original = nullptr;
  return Status::ok();
}

Status Compilation::afterKernel() {
  // Debug lines point into kernel.mlir: it is printed now, and each op keeps its line through the remaining passes.
  for (ModuleOp kernel : kernelsOf(program())) {
    if (ModuleOp plain = plainFormOf(kernel))
      kernel = plain;
    SnapshotOptions snapshotOptions;
    snapshotOptions.assumeVerified = true;
    Snapshot snapshot = printSnapshot(kernel, snapshotOptions);
    std::string file = "kernels/" + kernel.getName().value_or("").str() + "/kernel.mlir";
    if (artifact)
      MICA_RETURN_IF_ERROR(artifact->recordKernel(kernel, snapshot));
    logKernelSnapshot(kernel.getName().value_or(""), snapshot.text);
    attachLinePositions(snapshot, file);
  }
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------------------------===//

Status Compilation::generate() {
  units = codeUnits(program());
  MICA_RETURN_IF_ERROR(checkExternals(*units.back().module, options.libraries));
  lowerReplays();
  // Reference-lowered code is optimized at one level, whatever it is compared with.
  const int level = options.plain ? std::min(options.optLevel, 1) : options.optLevel;
  // Write the record concurrently with code generation.
  const std::function<void()> prepare = artifact ? recorder->prepare() : nullptr;
  CodeSettings settings{level, options.plainKernels, options.limitedKernel, std::nullopt, options.llvmPlugins};
  if (!options.limitedKernel.empty()) {
    settings.passLimit = options.llvmPassLimit;
    std::vector<std::string> names;
    for (const CodeUnit &unit : units)
      if (unit.kind == CodeUnit::Kind::Kernel)
        names.push_back(unit.name);
    if (!llvm::is_contained(names, options.limitedKernel))
      return Error{ErrorCode::InvalidInput, "--llvm-bisect-limit: there is no kernel '" + options.limitedKernel + "'",
                   unknownNameHint(options.limitedKernel, names)};
  }
  MICA_RETURN_IF_ERROR(generateUnits(units, target, settings, progress, options.onCode, prepare));
  printLimitedPasses();
  for (const CodeUnit &unit : units) {
    if (const std::string kind = unit.kind == CodeUnit::Kind::FaultReplay  ? "fault"
                                 : unit.kind == CodeUnit::Kind::DumpReplay ? "dump"
                                 : unit.kind == CodeUnit::Kind::Replay     ? "replay"
                                                                           : "";
        !kind.empty()) {
      objectTimes.push_back({"@" + unit.name + " (" + kind + (kind == "replay" ? ")" : " replay)"), unit.milliseconds});
      MICA_RETURN_IF_ERROR(artifact->recordReplay(unit.name, kind + ".o", unit.code));
      continue;
    }
    const bool isHost = unit.kind == CodeUnit::Kind::Host;
    if (unit.kind == CodeUnit::Kind::Device) {
      objectTimes.push_back({"@" + unit.name + " (device)", unit.milliseconds});
      if (artifact)
        MICA_RETURN_IF_ERROR(artifact->recordDeviceCode(unit.name, unit.code, *target.device));
      continue;
    }
    objectTimes.push_back({isHost ? "host" : "@" + unit.name, unit.milliseconds});
    logCode(isHost ? "" : unit.name, artifact && !isHost ? artifact->strategyOf(unit.name) : "", unit.milliseconds,
            unit.code);
    if (artifact)
      MICA_RETURN_IF_ERROR(isHost ? artifact->recordHostCode(unit.code)
                                  : artifact->recordKernelCode(unit.name, unit.code));
  }
  if (artifact && isForDevice())
    MICA_RETURN_IF_ERROR(artifact->placeTasks());
  return Status::ok();
}

/// As opt -opt-bisect-limit does.
void Compilation::printLimitedPasses() {
  for (const CodeUnit &unit : units)
    for (auto [i, pass] : llvm::enumerate(unit.code.passes))
      llvm::errs() << "BISECT: " << (static_cast<int64_t>(i) < options.llvmPassLimit ? "" : "NOT ") << "running pass ("
                   << i + 1 << ") " << pass << "\n";
}

Status Compilation::emitText() {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(options.output.empty() ? "-" : options.output, &error);
  if (!output)
    return Error{ErrorCode::Io, error, "choose another -o"};
  llvm::raw_ostream &os = output->os();
  if (options.emit == Emit::Mlir) {
    OpPrintingFlags flags;
    flags.enableDebugInfo(options.debugInfo);
    noteStage(program(), last, options);
    program()->print(os, flags);
    os << "\n";
  } else {
    for (const CodeUnit &unit : units)
      if (options.emit != Emit::Ptx || unit.kind == CodeUnit::Kind::Device)
        os << (options.emit == Emit::Llvm ? unit.code.llvmIR : unit.code.assembly) << "\n";
  }
  os.flush();
  if (output->os().has_error()) {
    std::error_code code = output->os().error();
    output->os().clear_error();
    return Error{ErrorCode::Io,
                 "cannot write " +
                     (options.output.empty() || options.output == "-" ? "the standard output" : options.output) + ": " +
                     code.message(),
                 code == std::errc::no_space_on_device ? "the disk is full: free some space, or choose another -o"
                                                       : "choose another -o"};
  }
  output->keep();
  return Status::ok();
}

Status Compilation::finish() {
  if (options.memoryLimit >= 0)
    MICA_RETURN_IF_ERROR(checkMemory(artifact->manifest, artifact->lists, options.memoryLimit));
  double start = now();
  if (!options.libraries.empty())
    artifact->manifest.options["link"] = llvm::join(options.libraries, "\n");
  MICA_RETURN_IF_ERROR(artifact->link());
  objectTimes.push_back({"link", now() - start});
  start = now();
  // Concurrently with the reports; not before the linker is done, which crashes if the disk becomes full during its
  // run.
  std::future<LogicalResult> recorded = std::async(std::launch::async, [this] { return recorder->finish(&context); });
  Status status = artifact->recordReport(*recorder, options);
  if (failed(recorded.get()) && status)
    status = Error{ErrorCode::Io, recorder->error(), "choose another -o, or free space"};
  MICA_RETURN_IF_ERROR(status);
  MICA_RETURN_IF_ERROR(artifact->commit(options, target.host, machine, *recorder, (now() - started) / 1000));
  if (options.onFolder)
    options.onFolder({}, {});
  objectTimes.push_back({"write", now() - start});
  if (!options.quiet)
    llvm::errs() << artifact->summary((now() - started) / 1000) << "\n";
  return Status::ok();
}

Status Compilation::run() {
  MICA_RETURN_IF_ERROR(prepareTarget());
  MICA_RETURN_IF_ERROR(prepareOutput());
  MICA_RETURN_IF_ERROR(readProgram());
  MICA_RETURN_IF_ERROR(planPasses());
  if (givenText)
    silence = std::make_unique<ScopedDiagnosticHandler>(&context, [](Diagnostic &) { return success(); });
  Status status = runPasses();
  if (!status)
    return keepRecord(status);
  if (givenText)
    return Status::ok();
  bool needsCode = last == Phase::Object && options.emit != Emit::Mlir;
  if (needsCode) {
    status = generate();
    failedInPass = !status && status.error().code == ErrorCode::Internal;
    MICA_RETURN_IF_ERROR(status);
  }
  warnOfHost();
  status = artifact ? finish() : emitText();
  if (status && options.time)
    printTimes(llvm::errs(), *recorder, beforeTimes, objectTimes, now() - started);
  return status;
}

/// Compiles the program for host functions alone; prints nothing if that fails too.
static bool compileOnHost(const CompileOptions &options) {
  Compilation compilation(options);
  compilation.holdErrors();
  const bool isDone = bool(compilation.run());
  if (std::shared_ptr<HeldText> said = compilation.said())
    isDone ? said->release() : said->drop();
  return isDone;
}

/// Maximum number of compiles before the whole program runs in host functions: a pass ends at its first error, and the
/// next attempt may fail for another function.
static constexpr int kMostPartlyOnHost = 12;

/// Compiles the program without kernels for the ops or functions of `errors`, and repeats while a compile fails with
/// errors in further ones. Prints nothing if that fails.
static bool compilePartlyOnHost(const CompileOptions &options, const std::string &text,
                                std::vector<RecordedDiagnostic> errors) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext parsed(registry);
  Result<Input> input = readInput(options.input, parsed, llvm::MemoryBuffer::getMemBuffer(text, options.input));
  if (!input)
    return false;
  std::vector<HostFunction> parts;
  for (int tried = 0; tried < kMostPartlyOnHost && addHostParts(*input->module, errors, parts); ++tried) {
    Compilation compilation(withHostParts(options, text, parts));
    compilation.holdErrors();
    const Status status = compilation.run();
    if (std::shared_ptr<HeldText> said = compilation.said())
      status ? said->release() : said->drop();
    std::error_code ignored;
    if (!status && !compilation.keptFolder().empty())
      fs::remove_all(compilation.keptFolder(), ignored);
    if (status || !compilation.mayRunPartlyOnHost())
      return bool(status);
    errors = compilation.errors();
  }
  return false;
}

/// Compiles; if this fails without a record, compiles again with one.
static Status compileRecorded(const CompileOptions &options) {
  std::string text;
  Status status;
  std::shared_ptr<HeldText> said;
  std::optional<CompileOptions> onHost;
  std::vector<RecordedDiagnostic> errors;
  bool isUnrecorded = false, isPartly = false;
  fs::path record;
  {
    Compilation compilation(options);
    compilation.holdErrors();
    status = compilation.judge(compilation.run());
    said = compilation.said();
    // What a check of the program refuses has no record.
    isUnrecorded = !status && status.error().code == ErrorCode::Internal && compilation.failedUnrecorded();
    record = compilation.keptFolder();
    errors = compilation.errors();
    isPartly = !status && compilation.mayRunPartlyOnHost();
    if (!status && compilation.mayRunOnHost())
      onHost = compilation.optionsOnHost(compilation.takeText());
    else if (said)
      said->release();
    if (isUnrecorded)
      text = compilation.takeText();
  }
  if (onHost && ((isPartly && compilePartlyOnHost(options, *onHost->text, errors)) || compileOnHost(*onHost))) {
    said->drop();
    std::error_code ignored;
    if (!record.empty())
      fs::remove_all(record, ignored);
    return Status::ok();
  }
  if (said)
    said->release();
  if (!isUnrecorded)
    return status;
  // By default nothing is recorded, so a failure is recorded by a second compile.
  CompileOptions recording = options;
  recording.dump = DumpMode::Passes;
  Compilation again(recording);
  again.repeatFailure(std::move(text));
  Status recorded = again.run();
  if (!recorded && recorded.error().code == ErrorCode::Internal)
    return recorded;
  Error error = status.error();
  error.hint = "compiled again for a record of its passes, the program did not fail: the failure is one of chance; "
               "--dump-passes=passes records it where it fails";
  return error;
}

Status compiler::compile(const CompileOptions &options) {
  CompileTrace trace(options);
  Status status = compileRecorded(options);
  trace.finish(status);
  return status;
}

Status compiler::listEntries(const std::string &file) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  MICA_ASSIGN_OR_RETURN(Input input, readInput(file, context));
  for (const artifact::EntryRecord &entry : describeEntries(*input.module)) {
    auto print = [](const std::vector<artifact::TensorSpec> &specs) {
      std::string text;
      for (const artifact::TensorSpec &spec : specs) {
        if (!text.empty())
          text += ", ";
        text += spec.name.empty() ? "" : spec.name + ": ";
        text += shapedTypeString(spec.shape, spec.dtype);
      }
      return text;
    };
    llvm::outs() << entry.name << "(" << print(entry.args) << ") -> (" << print(entry.results) << ")\n";
  }
  return Status::ok();
}
