//===- BuildPipelines.cpp - pipelines of the phases ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BuildPipelines.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/BuildPipelines.h"

#include "passes/Codegen/Reference/Passes.h"
#include "passes/Shard/Passes.h"
#include "passes/Targets.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mica;

/// Functions that run without kernels are lowered first, after ids are assigned.
static void addHostFunctions(mlir::OpPassManager &pm, const PipelineOptions &options) {
  if (options.hostFunctions.empty() && options.hostOps.empty())
    return;
  pm.addPass(createAssignIds());
  LowerHostFunctionsOptions lower;
  lower.functions = llvm::to_vector(ArrayRef<std::string>(options.hostFunctions));
  lower.emulatedFloats = llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats));
  pm.addPass(createLowerHostFunctions(lower));
}

void mica::buildPhasePipeline(Phase phase, mlir::OpPassManager &pm, const PipelineOptions &options) {
  const codegen::Target &target = *lookupTarget(options.target);
  switch (phase) {
  case Phase::Input:
    buildInputPhase(pm, options);
    if (!options.hostFunctions.empty())
      pm.addPass(createHideFunctions({llvm::to_vector(ArrayRef<std::string>(options.hostFunctions))}));
    return;
  case Phase::Tensor:
    addHostFunctions(pm, options);
    buildTensorPhase(pm, options);
    pm.addPass(createPartitionProgram());
    pm.addPass(createConvertShardToMicaSched());
    return;
  case Phase::Dispatch:
    return buildDispatchPhase(pm, options, target.info());
  case Phase::Schedule:
    buildSchedulePhase(pm, options);
    return target.addSchedulePasses(pm, options);
  case Phase::Kernel:
    return target.buildKernelPhase(pm, options);
  case Phase::Lowered:
    buildHostLoweredPhase(pm, options);
    return target.buildLoweredPhase(pm, options);
  case Phase::Object:
    return;
  }
}

void mica::buildPipeline(Phase first, Phase last, mlir::OpPassManager &pm, const PipelineOptions &options) {
  for (const PhaseInfo &info : allPhases())
    if (info.phase >= first && info.phase <= last)
      buildPhasePipeline(info.phase, pm, options);
}

namespace {
/// Adapts one phase to the function pointer that pipeline registration takes.
template <Phase phase> struct RegisterPhase {
  RegisterPhase() {
    const PhaseInfo &info = allPhases()[static_cast<size_t>(phase)];
    mlir::PassPipelineRegistration<PipelineOptions>(
        ("mica-phase-" + info.name).str(), info.description,
        [](mlir::OpPassManager &pm, const PipelineOptions &options) { buildPhasePipeline(phase, pm, options); });
  }
};
} // namespace

void mica::registerPipelines() {
  RegisterPhase<Phase::Input>();
  RegisterPhase<Phase::Tensor>();
  RegisterPhase<Phase::Dispatch>();
  RegisterPhase<Phase::Schedule>();
  RegisterPhase<Phase::Kernel>();
  RegisterPhase<Phase::Lowered>();
  mlir::PassPipelineRegistration<PipelineOptions>("mica-pipeline", "All phases from input to lowered",
                                                  [](mlir::OpPassManager &pm, const PipelineOptions &options) {
                                                    buildPipeline(Phase::Input, Phase::Lowered, pm, options);
                                                  });
}
