//===- CheckReshapes.cpp - plain code touches no memory outside of a tensor -------------------------------- ---===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See dialects/MicaSched/IR/ReshapeChecks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "dialects/MicaSched/IR/ReshapeChecks.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCECHECKRESHAPES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

namespace {
struct ReferenceCheckReshapes : mica::impl::ReferenceCheckReshapesBase<ReferenceCheckReshapes> {
  void runOnOperation() override { mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/true); }
};
} // namespace
