//===- Passes.h - passes of the area Sim ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, and their pipeline.
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

/// Lowers a module with gpu.launch or gpu.launch_func and its gpu.modules to host functions: kernels become functions
/// that call markers (passes/Codegen/Sim/Markers.h) and contain the access checks.
void buildSimProgram(mlir::OpPassManager &pm, const SimOptions &options);
/// After the conversions to the LLVM dialect: splits kernels into regions, and creates their tables and launch
/// functions.
void buildSimCode(mlir::OpPassManager &pm, const SimOptions &options);

/// `mica-sim-lowering`: both, with the reference lowering of the host functions in between.
void registerSimPipeline();

} // namespace mica

#endif // MICA_PASSES_CODEGEN_SIM_PASSES_H
