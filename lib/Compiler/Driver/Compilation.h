//===- Compilation.h - one compile --------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The state shared by the steps of a compile: Compile.cpp has the steps in order, PlanPasses.cpp selects the passes.
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
#include "passes/Shard/Passes.h"

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

/// One compile, from options to the output folder.
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

  /// Whether a pass failed without a record, because no snapshots were requested.
  bool failedUnrecorded() const { return artifact && options.dump == DumpMode::Off && recorder && recorder->failure(); }
  /// Moves out the program's text for a second compile: the standard input can be read only once.
  std::string takeText();
  /// Makes this the second compile of a failed program, `text`: prints nothing, and keeps only the record of the
  /// failure.
  void repeatFailure(std::string text);
  /// Whether run() failed only because of kernels, so that the program can run in host functions. Messages of the
  /// failure are then held back.
  bool mayRunOnHost() const;
  /// What to try where switches of checks keep the program out of host functions; "" where none do.
  std::string hintOfChecks() const;
  /// The options for compiling the same program, `text`, without kernels.
  CompileOptions optionsOnHost(std::string text) const;
  /// The errors of passes; none if no program was read.
  std::vector<RecordedDiagnostic> errors() const {
    return input.errors ? input.errors->errors() : std::vector<RecordedDiagnostic>();
  }
  /// Whether some functions of the program may run without kernels while others have some.
  bool mayRunPartlyOnHost() const { return mayRunOnHost() && target.backend->supportsHostFunctions(); }
  /// The output of diagnostics, printed or held back; null if no program was read.
  std::shared_ptr<HeldText> said() const { return input.said; }
  /// The folder of a failure's record; empty if there is none.
  const std::filesystem::path &keptFolder() const { return keptRecord; }
  /// Holds back the messages of a failure.
  void holdErrors() { holdsErrors = true; }
  /// Adjusts the status of run(): if the program contains ops that only passes create, a fault is the program's.
  Status judge(Status status) const;

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    mica::registerAllDialects(registry);
    return registry;
  }

  /// Milliseconds of a monotonic clock.
  static double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// The switches given that check kernels, so that the program may not run without them.
  std::vector<std::string> checksOfKernels() const;
  /// Whether the whole program failed because of its kernels alone.
  bool hasHostForm() const;
  Status prepareTarget();
  Status prepareOutput();
  Status readProgram();
  Status parseProgram();
  Status adoptProgramStage();
  void describeProgram();
  Status checkProgramFlags();
  Status adoptShardFlag();
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
  Status checkSchedule();
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
  /// Whether the program contains GPU kernels, which the simulator runs unchanged.
  bool isSimulated() const {
    const bool isWritten = holdsLaunches && options.from.value_or(Phase::Input) == Phase::Input;
    return target.backend && target.backend->info().isSimulated && (isWritten || holdsPlainEntries);
  }
  bool includes(Phase phase) const { return phase >= first && phase <= last; }

  /// Null: one thread per CPU, or only the calling thread.
  static std::unique_ptr<llvm::ThreadPoolInterface> makePool(int threads) {
    return threads > 1 ? std::make_unique<llvm::DefaultThreadPool>(llvm::hardware_concurrency(threads)) : nullptr;
  }

  CompileOptions options;                          ///< as given, plus those recorded in the program
  std::unique_ptr<llvm::ThreadPoolInterface> pool; ///< destroyed after the context
  mlir::MLIRContext context;
  std::optional<std::string> givenText; ///< of the program, in a second compile
  std::unique_ptr<mlir::ScopedDiagnosticHandler> silence;
  Input input;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OwningOpRef<mlir::ModuleOp> original;      ///< of a compile to an artifact: the program before any pass
  std::optional<ArtifactBuilder> artifact;         ///< set if an artifact is made
  std::optional<std::filesystem::path> scratch;    ///< record of a compile that makes no folder: none
  std::optional<AnnotateProgramOptions> shardings; ///< of --shard
  Target target;
  Machine machine; ///< as measured or given, restricted to what the target depends on
  PipelineOptions pipelineOptions;
  Phase first = Phase::Input, last = Phase::Object;
  /// With --resume: the rest of the recorded pipeline: up to phase schedule, in phase kernel, in phase lowered.
  std::optional<std::array<std::string, 3>> resumed;
  std::optional<artifact::Artifact> origin; ///< the artifact that is resumed
  std::string recordFolder;                 ///< its record
  int lastKernelPass = 0;                   ///< of that record: the position at which phase kernel ends
  /// Phases input; tensor to schedule; kernel; lowered. One manager each, also to keep nested pipelines of adjacent
  /// phases from merging.
  std::unique_ptr<mlir::PassManager> early, middle, kernels, late;
  std::unique_ptr<PassRecorder> recorder;
  bool holdsErrors = false;
  std::filesystem::path keptRecord;
  bool failedInPass = false;      ///< or in code generation
  bool givesPlans = false;        ///< the program as read: see holdsPlans()
  bool holdsLaunches = false;     ///< the program as read: ops of the gpu dialect
  bool isForRanks = false;        ///< the program as read: ops of the dialect shard, or --shard
  bool holdsPlainEntries = false; ///< the program as read: what the simulator's passes leave
  Progress progress;
  std::atomic<int64_t> doneSteps{0};
  int64_t totalSteps = 0;
  NamedTimes beforeTimes, objectTimes;
  double started = now(); ///< of the run
  std::vector<CodeUnit> units;
  /// By kernel and binding: the id of the operation whose result it is.
  std::map<std::string, std::map<unsigned, std::vector<std::string>>> resultsOf;
  /// Copies of kernels before phase kernel; null if none are made.
  mlir::OwningOpRef<mlir::ModuleOp> replays, faultReplays, dumpReplays;
  mlir::OwningOpRef<mlir::ModuleOp> plainKernels; ///< of --plain-kernels, until they are in their places; or null
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_COMPILATION_H
