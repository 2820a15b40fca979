//===- Target.h - what a target is to the compiler ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The compiler half of a target: its limits, the pipelines of the phases that differ, and the files its code lies in.
// One object a target; passes/Targets.h lists them. The other half, which runs programs, is
// lib/Runtime/Backend/Registration.h; both carry the row of mica/Support/Targets.h that has their name.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_TARGET_H
#define MICA_PASSES_CODEGEN_TARGET_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Targets.h"
#include "passes/Codegen/CodeTarget.h"
#include "passes/Pipelines/Phases.h"

#include <optional>
#include <string>
#include <vector>

namespace mica {
struct Machine;
} // namespace mica

namespace mica::codegen {

/// The files in a kernel's folder that code of a GPU lies in.
struct DeviceFiles {
  std::string text;      ///< assembly: "kernel.ptx"
  std::string binary;    ///< what a loader takes, where that is not the text: "kernel.hsaco"; "": the text
  bool isLinked = false; ///< the binary is the object linked by itself; else it is the object
};

class Target {
public:
  /// `name` is that of a row of mica/Support/Targets.h.
  explicit Target(llvm::StringRef name);
  virtual ~Target() = default;

  const TargetInfo &info() const { return row; }
  llvm::StringRef name() const { return {row.name.data(), row.name.size()}; }

  //===--- Options and limits ----------------------------------------------------------------------------------===//

  /// The processors of code that runs on the host. `chip` is what stands behind the target's colon; `hostLevel` the
  /// level of x86-64 that was asked for apart ("": this machine); `machine` stands in for what would be measured of
  /// this machine (null: it is measured).
  virtual Result<CodeTarget> hostCode(llvm::StringRef chip, llvm::StringRef hostLevel, const Machine *machine) const;
  /// The GPU of `chip` ("": the oldest that is common). InvalidInput for chips that LLVM does not know or that are too
  /// old. Only where info().hasDeviceCode.
  virtual Result<CodeTarget> deviceCode(llvm::StringRef chip) const;
  /// What the pipelines know of `chip`.
  virtual void setChip(llvm::StringRef chip, PipelineOptions &options) const {}
  /// Whether kernels can check themselves (assert-level).
  virtual bool supportsAssertLevel() const { return true; }
  /// Whether kernels can check for uses of uninitialized memory (uninitialized-read-check).
  virtual bool supportsReadCheck() const { return false; }
  /// Whether functions of a program may run in host functions while others have kernels.
  virtual bool supportsHostFunctions() const { return false; }

  //===--- Pipelines -------------------------------------------------------------------------------------------===//

  /// Appends what phase schedule needs beyond the passes that all targets have.
  virtual void addSchedulePasses(mlir::OpPassManager &pm) const {}
  virtual void buildKernelPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const = 0;
  virtual void buildLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const = 0;

  //===--- Emission and artifact parts -------------------------------------------------------------------------===//

  /// Only where info().hasDeviceCode, as the next one.
  virtual DeviceFiles deviceFiles() const { return {}; }
  /// The entries of the assembly `text`, which lies in `file`, with their registers and memory where that is known. A
  /// target that has an assembler beside LLVM's writes what it makes as `cubin` (where not "").
  virtual Result<std::vector<artifact::DeviceEntry>>
  describeCode(llvm::StringRef text, const std::string &file, const CodeTarget &code, const std::string &cubin) const;
  /// Whether the assembly is PTX.
  virtual bool emitsPtx() const { return false; }

private:
  const TargetInfo &row;
};

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_TARGET_H
