//===- CheckReshapes.cpp - host functions touch no memory outside of a tensor ---------------------------- ---===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See dialects/MicaSched/IR/ReshapeChecks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/Passes.h"

#include "dialects/MicaSched/IR/ReshapeChecks.h"

namespace mica {
#define GEN_PASS_DEF_CHECKRESHAPES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

namespace {
struct CheckReshapes : mica::impl::CheckReshapesBase<CheckReshapes> {
  void runOnOperation() override { mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/false); }
};
} // namespace
