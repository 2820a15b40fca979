//===- Phases.cpp - phases of a compile -------------------------------------------------------------------------===//
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

#include "mica/Support/Targets.h"

using namespace mica;

static constexpr PhaseInfo kPhases[] = {
    {Phase::Input, "input", "the program as parsed, checked for ops and types Mica takes, constants as resources"},
    {Phase::Tensor, "tensor", "mica and linalg on tensors; every op has an id"},
    {Phase::Dispatch, "dispatch", "linalg in fused groups; each group is a named kernel, each call of it a dispatch"},
    {Phase::Schedule, "schedule", "buffers assigned, task lists with their dependencies, host functions"},
    {Phase::Kernel, "kernel", "each kernel tiled, distributed, vectorized, bufferized"},
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

bool mica::looksForNans(const PipelineOptions &options) {
  const TargetInfo *target = findTarget(options.target.getValue());
  return options.nanCheck && target && target->launches && !target->isCompiledOnly;
}
