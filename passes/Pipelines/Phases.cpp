//===- Phases.cpp - the phases of a compile ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table of phases and the composition of their pipelines; see Phases.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Pipelines/Phases.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mica;

static constexpr PhaseInfo kPhases[] = {
    {Phase::Input, "input", "the program as parsed, checked for ops and types Mica takes, constants as resources"},
    {Phase::Tensor, "tensor", "mica and linalg on tensors; every op has an id"},
    {Phase::Dispatch, "dispatch", "linalg in fused groups; each group is a named kernel, each call of it a dispatch"},
    {Phase::Schedule, "schedule", "buffers assigned, task lists with their dependencies, host functions"},
    {Phase::Kernel, "kernel", "each kernel tiled, mapped to shares of work, vectorized, bufferized"},
    {Phase::Lowered, "lowered", "LLVM dialect per kernel and for the host functions"},
    {Phase::Object, "object", ".ll, .s and .o per kernel, linked into program.so"},
};

llvm::ArrayRef<PhaseInfo> mica::allPhases() { return kPhases; }

llvm::StringRef mica::phaseName(Phase phase) { return kPhases[static_cast<size_t>(phase)].name; }

std::optional<Phase> mica::parsePhase(llvm::StringRef name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

void mica::buildPhasePipeline(Phase phase, mlir::OpPassManager &pm, const PipelineOptions &options) {
  switch (phase) {
  case Phase::Input:
    return buildInputPhase(pm, options);
  case Phase::Tensor:
    return buildTensorPhase(pm, options);
  case Phase::Dispatch:
    return buildDispatchPhase(pm, options);
  case Phase::Schedule:
    return hasLaunches(options) ? buildGpuSchedulePhase(pm, options) : buildSchedulePhase(pm, options);
  case Phase::Kernel:
    return hasLaunches(options) ? buildGpuKernelPhase(pm, options) : buildCpuKernelPhase(pm, options);
  case Phase::Lowered:
    buildHostLoweredPhase(pm, options);
    return hasLaunches(options) ? buildGpuLoweredPhase(pm, options) : buildCpuLoweredPhase(pm, options);
  case Phase::Object:
    return;
  }
}

void mica::buildPipeline(Phase first, Phase last, mlir::OpPassManager &pm, const PipelineOptions &options) {
  for (const PhaseInfo &info : kPhases)
    if (info.phase >= first && info.phase <= last)
      buildPhasePipeline(info.phase, pm, options);
}

namespace {
/// Binds one phase to the function-pointer shape that pipeline registration takes.
template <Phase phase> struct RegisterPhase {
  RegisterPhase() {
    const PhaseInfo &info = kPhases[static_cast<size_t>(phase)];
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
  mlir::PassPipelineRegistration<PipelineOptions>("mica-cpu-pipeline", "All phases from input to lowered, for the CPU",
                                                  [](mlir::OpPassManager &pm, const PipelineOptions &options) {
                                                    buildPipeline(Phase::Input, Phase::Lowered, pm, options);
                                                  });
}
