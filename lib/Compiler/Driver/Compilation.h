//===- Compilation.h - one compile, from options to folder --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the steps of a compile have in common: Compile.cpp has them in their order, PlanPasses.cpp says which passes
// run.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_COMPILATION_H
#define MICA_LIB_COMPILER_DRIVER_COMPILATION_H

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Codegen/KernelCode.h"
#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "lib/Compiler/Emit/ArtifactBuilder.h"
#include "lib/Compiler/Emit/CompileLog.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Compiler/Driver/Compile.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Record/Progress.h"
#include "mica/Support/Machine.h"
#include "passes/Pipelines/Phases.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

struct RecordedState;

/// One compile, from options to folder.
class Compilation {
public:
  explicit Compilation(CompileOptions given)
      : options(std::move(given)), pool(makePool(options.threads)),
        context(makeRegistry(),
                options.threads == 0 ? mlir::MLIRContext::Threading::ENABLED : mlir::MLIRContext::Threading::DISABLED) {
    if (pool)
      context.setThreadPool(*pool);
  }

  Status run();

  /// Whether a pass failed of which nothing was recorded, because no snapshots were asked for.
  bool failedUnrecorded() const { return artifact && options.dump == DumpMode::Off && recorder && recorder->failure(); }
  /// The text of the program, for a second compile: the standard input can be read once.
  std::string takeText();
  /// Makes this the second compile of a program that failed, `text`: says nothing, and keeps the record of the failure
  /// alone.
  void repeatFailure(std::string text);
  /// Whether run() failed only because of kernels: the program's host functions may do all of it. What was said of the
  /// failure is held then.
  bool mayRunOnHost() const;
  /// The options of a compile of the same program, `text`, without kernels.
  CompileOptions optionsOnHost(std::string text) const;
  /// The errors of passes; none where no program was read.
  std::vector<RecordedDiagnostic> errors() const {
    return input.errors ? input.errors->errors() : std::vector<RecordedDiagnostic>();
  }
  /// Whether functions of the program may have no kernels while others have some.
  bool mayRunPartlyOnHost() const { return mayRunOnHost() && target.backend->supportsHostFunctions(); }
  /// What diagnostics printed, or hold; null where no program was read.
  std::shared_ptr<HeldText> said() const { return input.said; }
  /// Where the record of a failure is kept; empty where there is none.
  const std::filesystem::path &keptFolder() const { return keptRecord; }
  /// Keeps what is said of a failure.
  void holdErrors() { holdsErrors = true; }
  /// Of what run() gave: where the program holds what only passes leave, a fault is the program's.
  Status judge(Status status) const;

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    mica::registerAllDialects(registry);
    return registry;
  }

  /// Milliseconds of a clock that only goes forward.
  static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  Status prepareTarget();
  Status prepareOutput();
  Status readProgram();
  Status parseProgram();
  Status adoptProgramStage();
  void describeProgram();
  Status checkProgramFlags();
  Status resumeProgram();
  Status takeKernelsAt();
  Status adoptSimulatedKernels();
  Result<RecordedState> loadResumed(int position);
  Status adoptOrigin(const std::string &folder);
  Status planPasses();
  void choosePipelineOptions();
  void choosePhases();
  void makeRecorder();
  Status planResumedPasses();
  Status planPhases();
  void planReferencePasses();
  void planSimPasses();
  Status runPasses();
  Status runManager(mlir::PassManager &pm);
  Status afterInput();
  Status afterKernel();
  Status recordLoweredKernels();
  llvm::StringRef sourceText() const;
  void copyKernels();
  Status copyPlainKernels();
  Status lowerPlainKernels(llvm::function_ref<void(mlir::OpPassManager &)> build);
  Status placePlainKernels();
  /// What --plain-kernels makes of `kernel`; null where that does not name it.
  mlir::ModuleOp plainFormOf(mlir::ModuleOp kernel);
  void lowerReplays();
  void lowerReplays(mlir::ModuleOp copies, CodeUnit::Kind kind);
  Status emitText();
  void printLimitedPasses();
  Status generate();
  Status finish();
  void warnOfHost();
  Error failureOf(Phase phase);
  Status keepRecord(const Status &status);

  mlir::ModuleOp program() { return *module; }
  bool isForDevice() const { return target.device.has_value(); }
  /// Whether the program holds GPU kernels, which the simulator takes as they are.
  bool isSimulated() const {
    const bool isWritten = holdsLaunches && options.from.value_or(Phase::Input) == Phase::Input;
    return target.backend && target.backend->info().isSimulated && (isWritten || holdsPlainEntries);
  }
  bool includes(Phase phase) const { return phase >= first && phase <= last; }

  /// Null: as many threads as there are CPUs, or none but the caller's.
  static std::unique_ptr<llvm::ThreadPoolInterface> makePool(int threads) {
    return threads > 1 ? std::make_unique<llvm::DefaultThreadPool>(llvm::hardware_concurrency(threads)) : nullptr;
  }

  CompileOptions options;                          ///< as given, and as the program says that it was compiled so far
  std::unique_ptr<llvm::ThreadPoolInterface> pool; ///< ends after the context
  mlir::MLIRContext context;
  std::optional<std::string> givenText; ///< of the program, in a second compile
  std::unique_ptr<mlir::ScopedDiagnosticHandler> silence;
  Input input;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OwningOpRef<mlir::ModuleOp> original;   ///< of a compile to an artifact: the program before any pass
  std::optional<ArtifactBuilder> artifact;      ///< when a folder is made
  std::optional<std::filesystem::path> scratch; ///< record of a compile that makes no folder: none
  Target target;
  Machine machine; ///< as measured or given, less what the target does not ask for
  PipelineOptions pipelineOptions;
  Phase first = Phase::Input, last = Phase::Object;
  /// With --resume: what is left of the recorded pipeline: up to phase schedule, in phase kernel, in phase lowered.
  std::optional<std::array<std::string, 3>> resumed;
  std::optional<artifact::Artifact> origin; ///< the artifact that is resumed
  std::string recordFolder;                 ///< its record
  int lastKernelPass = 0;                   ///< of that record: the position at which phase kernel ends
  /// Phases input; tensor to schedule; kernel; lowered. One manager each, also so that no nest of one phase merges with
  /// the next phase's.
  std::unique_ptr<mlir::PassManager> early, middle, kernels, late;
  std::unique_ptr<PassRecorder> recorder;
  bool holdsErrors = false;
  std::filesystem::path keptRecord;
  bool failedInPass = false;      ///< or in code generation
  bool givesPlans = false;        ///< the program as read: see holdsPlans()
  bool holdsLaunches = false;     ///< the program as read: ops of the gpu dialect
  bool holdsPlainEntries = false; ///< the program as read: what the simulator's passes leave
  Progress progress;
  std::atomic<int64_t> doneSteps{0};
  int64_t totalSteps = 0;
  NamedTimes beforeTimes, objectTimes;
  double started = now(); ///< of the run
  std::vector<CodeUnit> units;
  /// By kernel and binding: id of the operation whose result it is.
  std::map<std::string, std::map<unsigned, std::string>> resultsOf;
  /// Copies of kernels before phase kernel; null: none are made.
  mlir::OwningOpRef<mlir::ModuleOp> replays, faultReplays;
  mlir::OwningOpRef<mlir::ModuleOp> plainKernels; ///< of --plain-kernels, until they are in their places; or null
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_COMPILATION_H
