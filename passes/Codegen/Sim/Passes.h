//===- Passes.h - passes of the area Sim ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, and the pipeline of them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_PASSES_H
#define MICA_PASSES_CODEGEN_SIM_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace mica {
namespace codegen {
class Target;
} // namespace codegen

/// The target sim. Constant.
const codegen::Target &getSimTarget();

#define GEN_PASS_DECL
#include "passes/Codegen/Sim/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Sim/Passes.h.inc"

/// Options of the pipeline; the text forms are mica-opt's, `--mica-sim-lowering="checks=bounds+race"`.
struct SimOptions : public mlir::PassPipelineOptions<SimOptions> {
  Option<std::string> checks{*this, "checks",
                             llvm::cl::desc("What kernels check, joined by +: bounds, race, init, barrier, async, "
                                            "alignment, bank, coalescing; all (the first six); none"),
                             llvm::cl::init("all")};
  Option<std::string> kernels{*this, "kernels",
                              llvm::cl::desc("Names of the kernels that do, joined by +; * stands for any text"),
                              llvm::cl::init("*")};
  ListOption<std::string> emulatedFloats{
      *this, "emulated-floats",
      llvm::cl::desc("16-bit floats (f16, bf16) that the host does not convert to and from f32")};
};

/// From a module with gpu.launch or gpu.launch_func and its gpu.modules to functions of the host: kernels are functions
/// that call markers (passes/Codegen/Sim/Markers.h), with the checks of accesses in them.
void buildSimProgram(mlir::OpPassManager &pm, const SimOptions &options);
/// Behind the conversions to the LLVM dialect: kernels in regions, with their tables and the functions that launch
/// them.
void buildSimCode(mlir::OpPassManager &pm, const SimOptions &options);

/// `mica-sim-lowering`: both, with the reference lowering of the host between them.
void registerSimPipeline();

} // namespace mica

#endif // MICA_PASSES_CODEGEN_SIM_PASSES_H
