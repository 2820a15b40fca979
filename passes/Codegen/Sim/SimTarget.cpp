//===- SimTarget.cpp - the target sim -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Kernels are compiled as for a GPU, and become host functions that the runtime's simulator calls.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/GPUTarget.h"
#include "passes/Codegen/Sim/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;

namespace {
struct SimTarget final : GPUTarget {
  SimTarget() : GPUTarget("sim") {}
  Result<codegen::CodeTarget> hostCode(StringRef chip, StringRef hostLevel, const Machine *machine) const override;
  void buildLoweredPhase(OpPassManager &pm, const PipelineOptions &options) const override;

protected:
  bool supportsHostFunctions() const override { return true; }
  bool hasMemoryService() const override { return true; }
  SelectHostFallbackPassOptions hostFallback(const PipelineOptions &) const override {
    SelectHostFallbackPassOptions options;
    options.abi = DeviceABI::Host;
    return options;
  }
};
} // namespace

Result<codegen::CodeTarget> SimTarget::hostCode(StringRef chip, StringRef hostLevel, const Machine *machine) const {
  if (!chip.empty())
    return Error{ErrorCode::InvalidInput, "the simulator has no chips: 'sim:" + chip.str() + "'", "give --target=sim"};
  return Target::hostCode(chip, hostLevel, machine);
}

/// Lowers the wrapper and its launches to host functions.
void SimTarget::buildLoweredPhase(OpPassManager &pm, const PipelineOptions &options) const {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addNestedPass<func::FuncOp>(createEraseCollectivesPass());
  addLowerChecks(kernel, options);
  kernel.addPass(createLowerDynamicAllocsPass());
  kernel.addPass(createConvertKernelEntryPass());
  kernel.nest<gpu::GPUModuleOp>().addPass(createExpandCollectives());
  kernel.addPass(createConvertGpuToSim());
  CheckAccessesOptions checks;
  checks.checks = options.simChecks;
  checks.kernels = options.simKernels;
  kernel.addPass(createCheckAccesses(checks));
  kernel.addNestedPass<func::FuncOp>(createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(createEmulateNarrowIntsPass());
  kernel.addNestedPass<func::FuncOp>(
      createExpandNarrowFloatCastsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  addLowerToLLVMPasses(kernel, options.emulatedFloats);
  kernel.addPass(createSplitAtBarriers());
  kernel.addPass(createReturnSimStatusPass());
}

const codegen::Target &mica::getSimTarget() {
  static const SimTarget target;
  return target;
}
