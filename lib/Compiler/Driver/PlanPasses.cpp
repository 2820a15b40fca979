//===- PlanPasses.cpp - selecting the passes of a compile ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Fills the pass managers of a compile: the requested phases, the rest of a recorded pipeline, the reference lowering,
// or the simulator's passes for programs with their own GPU kernels. All of them are recorded.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/Compilation.h"

#include "lib/Compiler/Driver/PhasePipelines.h"
#include "lib/Compiler/Record/PassLog.h"
#include "mica/Compiler/Program/Version.h"
#include "passes/BuildPipelines.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Sim/Passes.h"
#include "passes/StableHLO/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

void Compilation::choosePipelineOptions() {
  pipelineOptions.optLevel = options.optLevel;
  pipelineOptions.transform = options.transform;
  pipelineOptions.assertLevel = options.assertLevel;
  pipelineOptions.proveChecks = options.proveChecks;
  pipelineOptions.trackReads = options.trackReads;
  pipelineOptions.nanCheck = options.nanCheck;
  pipelineOptions.materialize = options.dumpMaterialize;
  pipelineOptions.vectorBits = target.host.vectorBits;
  pipelineOptions.int8DotBits = target.host.int8DotBits;
  pipelineOptions.int16PairBits = target.host.int16PairBits;
  pipelineOptions.emulatedFloats = ArrayRef<std::string>(target.host.emulatedFloats);
  pipelineOptions.target = target.backend->name().str();
  target.backend->setChip(llvm::StringRef(options.target).split(':').second, pipelineOptions);
  pipelineOptions.allowTf32 = options.allowTf32;
  pipelineOptions.simChecks = options.simChecks;
  pipelineOptions.simKernels = options.simKernels;
  SmallVector<llvm::StringRef> hostFunctions;
  llvm::StringRef(options.hostFunctions).split(hostFunctions, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : hostFunctions)
    pipelineOptions.hostFunctions.push_back(name.str());
  SmallVector<llvm::StringRef> hostOps;
  llvm::StringRef(options.hostOps).split(hostOps, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef number : hostOps)
    if (int64_t value = 0; !number.getAsInteger(10, value))
      pipelineOptions.hostOps.push_back(value);
  if (machine.l1DataBytes > 0)
    pipelineOptions.l1Bytes = machine.l1DataBytes;
  if (machine.l2Bytes > 0)
    pipelineOptions.l2Bytes = machine.l2Bytes;
}

void Compilation::choosePhases() {
  if (options.from)
    first = static_cast<Phase>(std::min<int>(static_cast<int>(*options.from) + 1, static_cast<int>(Phase::Object)));
  if (options.to)
    last = *options.to;
  if (options.emit == Emit::Mlir && last == Phase::Object)
    last = Phase::Lowered;
}

void Compilation::makeRecorder() {
  RecorderOptions recorderOptions;
  recorderOptions.mode = artifact ? options.dump : DumpMode::Off;
  if (artifact) {
    recorderOptions.directory = (artifact->path() / "passes_dump").string();
    recorderOptions.keptDirectory = (artifact->failedPath() / "passes_dump").string();
    recorderOptions.reproducer = "../repro";
  }
  recorderOptions.tool = "mica-compile " + versionText();
  recorderOptions.assumeVerified = true;
  recorderOptions.timesAside = artifact.has_value();
  recorderOptions.sealsSnapshots = keepsEverySnapshot(options.dump);
  recorderOptions.plainSnapshots = !options.archive;
  recorderOptions.remarks = artifact.has_value() || logsNeedRemarks();
  recorderOptions.onPass = [this](int position, llvm::StringRef pass, llvm::StringRef anchor) {
    std::string what = anchor.empty() ? pass.str() : (pass + " @" + anchor).str();
    progress.step(position, totalSteps, what);
    if (options.onActivity)
      options.onActivity(" in pass " + what);
  };
  recorder = std::make_unique<PassRecorder>(recorderOptions);
}

/// The rest of a recorded pipeline.
Status Compilation::planResumedPasses() {
  auto plan = [&](std::unique_ptr<PassManager> &pm, llvm::StringRef text) {
    pm = std::make_unique<PassManager>(&context, "builtin.module");
    text.consume_front("builtin.module(");
    text.consume_back(")");
    return failed(parsePassPipeline(text, *pm));
  };
  if (plan(middle, (*resumed)[0]) || plan(kernels, (*resumed)[1]) || plan(late, (*resumed)[2]))
    return Error{ErrorCode::Damaged, "the remaining pipeline in the record does not parse",
                 "the record was written by another version; compile the program again"};
  for (PassManager *pm : {middle.get(), kernels.get(), late.get()}) {
    recorder->attach(*pm);
    logPasses(*pm);
  }
  totalSteps = static_cast<int64_t>(recorder->passes().size());
  return Status::ok();
}

Status Compilation::planPhases() {
  auto plan = [&](std::unique_ptr<PassManager> &pm, Phase from, Phase to) -> Status {
    from = std::max(from, first);
    to = std::min(to, last);
    if (from > to)
      return Status::ok();
    pm = std::make_unique<PassManager>(&context, "builtin.module");
    MICA_ASSIGN_OR_RETURN(auto spans, buildPhases(from, to, *pm, pipelineOptions, options, shardings));
    pm->enableVerifier(options.verifyEach);
    recorder->attach(*pm, spans);
    logPasses(*pm);
    return Status::ok();
  };
  MICA_RETURN_IF_ERROR(plan(early, Phase::Input, Phase::Input));
  MICA_RETURN_IF_ERROR(plan(middle, Phase::Tensor, Phase::Schedule));
  MICA_RETURN_IF_ERROR(plan(kernels, Phase::Kernel, Phase::Kernel));
  MICA_RETURN_IF_ERROR(plan(late, Phase::Lowered, Phase::Lowered));
  totalSteps = static_cast<int64_t>(recorder->passes().size());
  return Status::ok();
}

Status Compilation::planPasses() {
  choosePipelineOptions();
  choosePhases();
  makeRecorder();
  if (options.plain && !isSimulated())
    planReferencePasses();
  else if (isSimulated())
    planSimPasses();
  else
    return resumed ? planResumedPasses() : planPhases();
  return Status::ok();
}

/// Phase input of a program that has no kernels.
static void buildHostInput(OpPassManager &pm, llvm::StringRef transform) {
  pm.addPass(createApplyTransforms({transform.str()}));
  pm.addPass(createLegalizeStableHLOTypes());
  pm.addPass(createLegalizeSignedness());
  SplitComplexOptions split;
  split.entriesOnly = true; // upstream lowers complex values that callers need not pass
  pm.addPass(createSplitComplex(split));
  pm.addPass(createConvertStableHLOToMica());
  VerifyInputOptions verify;
  verify.onHost = true;
  pm.addPass(createVerifyInput(verify));
  pm.addPass(createHideFunctions());
  pm.addPass(createExternalizeConstants());
}

/// The reference lowering replaces the passes of tensor to schedule and of lowered.
void Compilation::planReferencePasses() {
  auto plan = [&](std::unique_ptr<PassManager> &pm, llvm::function_ref<void(OpPassManager &)> build) {
    pm = std::make_unique<PassManager>(&context, "builtin.module");
    build(*pm);
    pm->enableVerifier(options.verifyEach);
    recorder->attach(*pm);
    logPasses(*pm);
  };
  if (!resumed)
    plan(early, [&](OpPassManager &pm) { buildHostInput(pm, options.transform); });
  plan(middle, buildReferenceProgram);
  plan(late, [&](OpPassManager &pm) { buildReferenceCode(pm, target.host.emulatedFloats); });
  totalSteps = static_cast<int64_t>(recorder->passes().size());
}

/// The simulator's passes replace those of tensor and of lowered; the phases between have none.
void Compilation::planSimPasses() {
  SimOptions sim;
  sim.checks = options.simChecks;
  sim.kernels = options.simKernels;
  sim.emulatedFloats = ArrayRef<std::string>(target.host.emulatedFloats);
  auto plan = [&](std::unique_ptr<PassManager> &pm, llvm::function_ref<void(OpPassManager &)> build) {
    pm = std::make_unique<PassManager>(&context, "builtin.module");
    build(*pm);
    pm->enableVerifier(options.verifyEach);
    recorder->attach(*pm);
  };
  if (includes(Phase::Tensor))
    plan(middle, [&](OpPassManager &pm) {
      // Of a state of phase kernel, the kernels that launch others are functions of the program first.
      if (options.plain)
        pm.addPass(createCallKernels());
      buildSimProgram(pm, sim);
    });
  if (includes(Phase::Lowered))
    plan(late, [&](OpPassManager &pm) { buildSimCode(pm, sim); });
  totalSteps = static_cast<int64_t>(recorder->passes().size());
}
