//===- AssignDevices.cpp - assigning devices to tasks -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The runtime finds the back end by this name.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica {
#define GEN_PASS_DEF_ASSIGNDEVICESPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct AssignDevicesPass : mica::impl::AssignDevicesPassBase<AssignDevicesPass> {
  using AssignDevicesPassBase::AssignDevicesPassBase;

  void runOnOperation() override {
    getOperation().walk([&](mica::sched::TaskOp task) { task.setDevice(device); });
  }
};
} // namespace
