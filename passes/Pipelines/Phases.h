//===- Phases.h - phases of a compile ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The phases of a compile, their names, descriptions and options, and the builders that areas provide for them
// (passes/BuildPipelines.h combines them).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_PIPELINES_PHASES_H
#define MICA_PASSES_PIPELINES_PHASES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mica {
struct TargetInfo;

/// The phases in order. `object` has no passes: it is the code generation for each lowered kernel.
enum class Phase { Input, Tensor, Dispatch, Schedule, Kernel, Lowered, Object };

struct PhaseInfo {
  Phase phase;
  llvm::StringRef name;        ///< "tensor"
  llvm::StringRef description; ///< one line: the form of the IR at the end of the phase
};

/// All phases in order.
llvm::ArrayRef<PhaseInfo> allPhases();
llvm::StringRef phaseName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);

/// Options of every phase's pipeline; their text forms are mica-opt's, `--mica-phase-kernel="vector-bits=512"`.
struct PipelineOptions : public mlir::PassPipelineOptions<PipelineOptions> {
  Option<int> optLevel{*this, "opt-level",
                       llvm::cl::desc("0: no fusion, no tiling, no vectors; 1: fusion; 2: and vectors; 3: all"),
                       llvm::cl::init(3)};
  Option<int> vectorBits{*this, "vector-bits",
                         llvm::cl::desc("Width in bits of the target's vector registers (128, 256, 512)"),
                         llvm::cl::init(512)};
  Option<int> int8DotBits{
      *this, "int8-dot-bits",
      llvm::cl::desc("Width in bits of the widest vector whose 32-bit lanes an instruction adds four "
                     "products of 8-bit integers to; 0: no such instruction"),
      llvm::cl::init(0)};
  Option<int> int16PairBits{
      *this, "int16-pair-bits",
      llvm::cl::desc("Width in bits of the widest vector for whose 32-bit lanes an instruction adds two products of "
                     "16-bit integers; 0: no such instruction"),
      llvm::cl::init(0)};
  ListOption<std::string> emulatedFloats{
      *this, "emulated-floats",
      llvm::cl::desc("16-bit floats (f16, bf16) that the host does not convert to and from f32 by an instruction")};
  Option<int64_t> l1Bytes{*this, "l1-bytes", llvm::cl::desc("Size in bytes of one core's first-level data cache"),
                          llvm::cl::init(32 * 1024)};
  Option<int64_t> l2Bytes{*this, "l2-bytes", llvm::cl::desc("Size in bytes of one core's second-level cache"),
                          llvm::cl::init(1024 * 1024)};
  Option<std::string> transform{*this, "transform",
                                llvm::cl::desc("Name of the transform script in the file that runs on the program"),
                                llvm::cl::init("")};
  ListOption<std::string> hostFunctions{
      *this, "host-functions",
      llvm::cl::desc("Names of functions that have no kernels: the reference lowering lowers them")};
  ListOption<int64_t> hostOps{*this, "host-ops",
                              llvm::cl::desc("Numbers of ops that no kernel takes, as mica-tensor-outline-host-ops "
                                             "counts them")};
  Option<std::string> assertLevel{
      *this, "assert-level",
      llvm::cl::desc("What kernels check while they run: user (the program's own cf.assert, "
                     "in host functions), none, warn, safe, all"),
      llvm::cl::init("user")};
  Option<bool> proveChecks{*this, "prove-checks", llvm::cl::desc("Take away checks that cannot fail"),
                           llvm::cl::init(true)};
  Option<bool> trackReads{*this, "uninitialized-read-check",
                          llvm::cl::desc("Kernels look for uses of elements that nobody wrote, and make every access "
                                         "check of assert-level all"),
                          llvm::cl::init(false)};
  Option<bool> nanCheck{
      *this, "nan-check",
      llvm::cl::desc("Targets cuda, opencl and sim: threads look for NaN and infinities in what they store"),
      llvm::cl::init(false)};
  Option<std::string> materialize{
      *this, "dump-materialize",
      llvm::cl::desc("Ids and kinds of ops, joined by +, whose results are stored; ops with mica_check.dump always"),
      llvm::cl::init("")};
  /// Accepts only names of targets; defined in passes/Targets.cpp, which lists them.
  struct TargetParser : llvm::cl::parser<std::string> {
    using parser::parser;
    bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, std::string &value);
  };
  Option<std::string, TargetParser> target{
      *this, "target", llvm::cl::desc("Target that kernels are compiled for: cpu, sim, cuda, rocm, opencl or spirv"),
      llvm::cl::init("cpu")};
  Option<int64_t> computeCapability{*this, "compute-capability",
                                    llvm::cl::desc("Target cuda: ten times the device's version, 80 for sm_80"),
                                    llvm::cl::init(80)};
  Option<std::string> openclDevice{
      *this, "opencl-device",
      llvm::cl::desc("Target opencl: number and features of the device, as after the colon of --target"),
      llvm::cl::init("")};
  Option<bool> allowTf32{*this, "allow-tf32",
                         llvm::cl::desc("Targets cuda and sim: products of f32 by tensor cores, on inputs rounded to "
                                        "tf32"),
                         llvm::cl::init(false)};
  Option<std::string> simChecks{*this, "sim-check",
                                llvm::cl::desc("Target sim: what kernels check, joined by +, as of mica-sim-lowering"),
                                llvm::cl::init("all")};
  Option<std::string> simKernels{*this, "sim-kernel",
                                 llvm::cl::desc("Target sim: names of the kernels that do, joined by +"),
                                 llvm::cl::init("*")};
};

/// The level of access checks: `assert-level`, or `all` with checks for uninitialized memory, since shadows are
/// accessed at the same indices as their buffers.
inline llvm::StringRef checkLevel(const PipelineOptions &options) {
  llvm::StringRef level = options.assertLevel;
  return options.trackReads && level != "warn" ? llvm::StringRef("all") : level;
}

/// Whether kernels detect NaN and infinities in what they store: `nan-check`, on targets with launches that
/// Mica runs.
bool looksForNans(const PipelineOptions &options);

/// Whether kernels are compiled with checks.
inline bool checksKernels(const PipelineOptions &options) {
  return checkLevel(options) != "user" && checkLevel(options) != "none";
}

// The builders of the areas; each is defined in passes/<Area>/Phase.cpp.
void buildInputPhase(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildTensorPhase(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildDispatchPhase(mlir::OpPassManager &pm, const PipelineOptions &options, const TargetInfo &target);
void buildSchedulePhase(mlir::OpPassManager &pm, const PipelineOptions &options);
void buildHostLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options);

} // namespace mica

#endif // MICA_PASSES_PIPELINES_PHASES_H
