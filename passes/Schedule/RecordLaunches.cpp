//===- RecordLaunches.cpp - pass mica-schedule-record-launches --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td. Attaches the launch record to a kernel's module before the kernel is lowered.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Schedule/LaunchInfo.h"
#include "passes/Schedule/Passes.h"

namespace mica {
#define GEN_PASS_DEF_RECORDLAUNCHES
#include "passes/Schedule/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class RecordLaunches : public mica::impl::RecordLaunchesBase<RecordLaunches> {
public:
  void runOnOperation() override {
    if (!sched::isKernelModule(getOperation()))
      return;
    ModuleOp kernel = getOperation();
    std::string problem;
    DictionaryAttr launch = launchInfo(kernel, problem);
    if (!launch) {
      kernel.emitError() << "kernel '" << kernel.getName().value_or("") << "' cannot be launched: " << problem;
      return signalPassFailure();
    }
    kernel->setAttr(sched::kLaunchAttr, launch);
  }
};
} // namespace
