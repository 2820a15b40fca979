//===- ReadProgram.cpp - reading the program to compile -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads a file, a given text, or the recorded state of an earlier compile.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/Compilation.h"

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "lib/Compiler/Diagnostics/FailureClassification.h"
#include "lib/Compiler/Driver/ShardFlag.h"
#include "lib/Compiler/Emit/CompileLog.h"
#include "lib/Compiler/Emit/Stages.h"
#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Compiler/Record/RecordedState.h"

#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Sim/Passes.h"
#include "passes/Shard/Passes.h"
#include "passes/StableHLO/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <filesystem>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// Reads the file, the standard input, or the given text.
Status Compilation::parseProgram() {
  const double start = now();
  std::unique_ptr<llvm::MemoryBuffer> text;
  if (givenText)
    text = llvm::MemoryBuffer::getMemBufferCopy(*givenText, options.input == "-" ? "<stdin>" : options.input);
  else if (options.text)
    text = llvm::MemoryBuffer::getMemBuffer(*options.text, options.input == "-" ? "<stdin>" : options.input);
  MICA_ASSIGN_OR_RETURN(input, readInput(options.input, context, std::move(text)));
  module = std::move(input.module);
  if (holdsErrors)
    input.said->hold();
  beforeTimes.push_back({"parse", now() - start});
  return Status::ok();
}

/// Takes over the options with which the program was compiled so far, and what its first phase needs.
Status Compilation::adoptProgramStage() {
  MICA_RETURN_IF_ERROR(adoptStage(program(), options));
  if (options.from)
    MICA_RETURN_IF_ERROR(prepareTarget());
  if (options.emit == Emit::Ptx && !target.backend->emitsPtx())
    return Error{ErrorCode::InvalidInput, "--emit=ptx needs --target=cuda, got --target=" + options.target,
                 "--target=cuda:sm_80 --emit=ptx; --emit=asm prints the assembly of any target"};
  // Text without locations has lost the ids, which this phase needs.
  if (options.from == Phase::Tensor) {
    PassManager ids(&context);
    ids.addPass(createAssignIds());
    if (failed(ids.run(program())))
      return Error{ErrorCode::InvalidInput, input.name + ": not compiled: see the errors above", ""};
  }
  return Status::ok();
}

/// Determines properties of the program that the pipeline depends on.
void Compilation::describeProgram() {
  givesPlans = holdsPlans(program());
  holdsLaunches =
      program()
          .walk([](Operation *op) {
            return isa_and_present<gpu::GPUDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  isForRanks = hasShardOps(program()) || isForSeveralProcesses(program()) || !options.shard.empty();
  holdsPlainEntries = llvm::any_of(program().getOps<func::FuncOp>(), [](func::FuncOp function) {
    return !function.isExternal() && function->hasAttr(kPlainEntryAttr);
  });
}

/// For the reference lowering of a state of phase kernel whose kernels run on a GPU: these run in the simulator.
Status Compilation::adoptSimulatedKernels() {
  auto isOfGpu = [](Operation *op) {
    return isa_and_present<gpu::GPUDialect>(op->getDialect()) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!options.plain ||
      llvm::none_of(kernelsOf(program()), [&](ModuleOp kernel) { return kernel.walk(isOfGpu).wasInterrupted(); }))
    return Status::ok();
  options.target = "sim";
  holdsLaunches = true;
  return prepareTarget();
}

/// Rejects flags that do not apply to the program.
Status Compilation::checkProgramFlags() {
  if (isSimulated() && (options.plain || !options.addedPasses.empty() || !options.specialize.empty()))
    return Error{ErrorCode::InvalidInput, "a program with GPU kernels for --target=sim takes no other compile flags",
                 "leave out --plain, --add-passes and --specialize; --compile-to=PHASE prints what becomes of FILE"};
  if (isSimulated() && !options.plainKernels.empty())
    return Error{ErrorCode::InvalidInput, "--plain-kernels does not apply to a program with GPU kernels",
                 "leave it out"};
  if (target.backend->info().launches && options.plain)
    return Error{ErrorCode::InvalidInput, "--plain supports only the CPU", "leave out --target"};
  return Status::ok();
}

/// Finds the values that --shard names.
Status Compilation::adoptShardFlag() {
  if (options.shard.empty())
    return Status::ok();
  if (options.from || isSimulated() || holdsLaunches)
    return Error{ErrorCode::InvalidInput, "--shard=" + options.shard + ": tensors are split before phase tensor only",
                 "give the program as it was written"};
  if (options.shard == kShardAnnotations) {
    program()->setAttr(kUseShardingsAttr, UnitAttr::get(&context));
    return Status::ok();
  }
  MICA_ASSIGN_OR_RETURN(const ShardFlag flag, ShardFlag::parse(options.shard));
  MICA_ASSIGN_OR_RETURN(shardings, resolveShardFlag(flag, program(), sourceText(),
                                                    fs::path(input.name).filename().string(), options.shard));
  return Status::ok();
}

/// "DIR:12" -> DIR, 12.
static std::pair<std::string, int> splitResume(const std::string &text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size() ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos)
    return {text, -1};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

/// The position before the first pass of `phase`.
static int firstOf(const RecordedState &state, llvm::StringRef phase) {
  auto found = llvm::find_if(state.passes, [&](const RecordedPass &pass) { return pass.phase == phase; });
  return static_cast<int>(found - state.passes.begin());
}

/// The state of the record after pass `position`.
Result<RecordedState> Compilation::loadResumed(int position) {
  std::string error;
  std::optional<RecordedState> state = loadRecordedState(recordFolder, position, &context, error);
  // Large constants are stored under the names that phase input gives them, so a snapshot of that phase is lowered from
  // its last pass on.
  if (options.plain && state && state->position < firstOf(*state, "tensor"))
    state = loadRecordedState(recordFolder, firstOf(*state, "tensor"), &context, error);
  if (!state)
    return Error{ErrorCode::InvalidInput, error,
                 "give --resume=DIR[:NNNN] with the folder of an artifact or of a record"};
  return std::move(*state);
}

/// Takes over the options of the artifact in `folder`, if it is one.
Status Compilation::adoptOrigin(const std::string &folder) {
  if (artifact::isArtifact(folder)) {
    MICA_ASSIGN_OR_RETURN(artifact::Artifact opened, artifact::Artifact::open(folder));
    origin.emplace(std::move(opened));
    if (!options.plain) {
      MICA_RETURN_IF_ERROR(adoptOptions(origin->manifest(), options));
      MICA_RETURN_IF_ERROR(prepareTarget());
    }
  } else if (artifact) {
    return Error{ErrorCode::InvalidInput, folder + " is no artifact: its entries are not known",
                 "resume an artifact of mica-compile, or print a stage: mica-opt --resume=" + options.resume};
  }
  return Status::ok();
}

/// --kernels-at: kernels as they were after other passes.
Status Compilation::takeKernelsAt() {
  std::map<int, RecordedState> states;
  for (const auto &[name, position] : options.kernelsAt) {
    if (!states.count(position)) {
      MICA_ASSIGN_OR_RETURN(RecordedState state, loadResumed(position));
      states.emplace(position, std::move(state));
    }
    auto find = [&name = name](ModuleOp from) -> ModuleOp {
      for (ModuleOp kernel : kernelsOf(from))
        if (kernel.getName().value_or("") == name)
          return kernel;
      return {};
    };
    ModuleOp here = find(program()), there = find(*states.at(position).module);
    if (!here || !there)
      return Error{ErrorCode::InvalidInput,
                   "--kernels-at: there is no kernel '" + name + "' " +
                       (here ? "after pass " + std::to_string(position) : "in the snapshot that is resumed"),
                   "kernels have their names from phase dispatch on"};
    OpBuilder(here).clone(*there);
    here.erase();
  }
  return Status::ok();
}

Status Compilation::resumeProgram() {
  const double start = now();
  auto [folder, position] = splitResume(options.resume);
  fs::path record = fs::path(folder) / "passes_dump";
  input.sources = std::make_shared<llvm::SourceMgr>();
  input.diagnostics = std::make_unique<SourceMgrDiagnosticHandler>(*input.sources, &context, llvm::errs());
  input.errors = std::make_shared<ErrorListener>();
  input.errors->listen(context);
  recordFolder = fs::exists(record) ? record.string() : folder;
  MICA_ASSIGN_OR_RETURN(RecordedState state, loadResumed(position));
  module = std::move(state.module);
  MICA_RETURN_IF_ERROR(takeKernelsAt());
  input.name = options.resume;
  MICA_RETURN_IF_ERROR(adoptOrigin(folder));
  MICA_RETURN_IF_ERROR(adoptSimulatedKernels());
  std::optional<PipelineNode> root = parsePipelineText(state.pipeline);
  if (!root)
    return Error{ErrorCode::Damaged, "the pipeline in the record of " + folder + " does not parse",
                 "compile the program again"};
  int beforeKernel = firstOf(state, "kernel"), beforeLowered = firstOf(state, "lowered");
  lastKernelPass = beforeLowered;
  resumed.emplace(
      std::array<std::string, 3>{pipelineRange({*root}, state.position, beforeKernel),
                                 pipelineRange({*root}, std::max(state.position, beforeKernel), beforeLowered),
                                 pipelineRange({*root}, std::max(state.position, beforeLowered), root->countPasses())});
  if (!options.plainKernels.empty() && state.position > beforeKernel)
    return Error{ErrorCode::InvalidInput, "--plain-kernels needs the kernels as phase schedule leaves them",
                 "resume an earlier snapshot: --resume=" + folder + ":" + std::to_string(beforeKernel)};
  beforeTimes.push_back({"load snapshots", now() - start});
  return Status::ok();
}

Status Compilation::readProgram() {
  if (!options.resume.empty())
    return resumeProgram();
  MICA_RETURN_IF_ERROR(parseProgram());
  MICA_RETURN_IF_ERROR(adoptProgramStage());
  describeProgram();
  MICA_RETURN_IF_ERROR(checkProgramFlags());
  MICA_RETURN_IF_ERROR(adoptShardFlag());
  MICA_RETURN_IF_ERROR(adoptSimulatedKernels());
  logProgram(input.name, "as read", program());
  return Status::ok();
}
