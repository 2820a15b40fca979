//===- Target.h - interface of compilation targets ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The compiler half of a target: its limits, its pipelines, and the files with its code. There is one object per
// target; passes/Targets.h lists them. The half that runs programs is lib/Runtime/Backend/Registration.h; both refer to
// the row of mica/Support/Targets.h with their name.
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

/// The files in a kernel's folder with GPU code.
struct DeviceFiles {
  std::string text;      ///< assembly: "kernel.ptx"
  std::string binary;    ///< for loaders, if that is not the text: "kernel.hsaco"; "": the text
  bool isLinked = false; ///< the binary is linked from the object; else it is the object
};

class Target {
public:
  /// `name` is the name of a row in mica/Support/Targets.h.
  explicit Target(llvm::StringRef name);
  virtual ~Target() = default;

  const TargetInfo &info() const { return row; }
  llvm::StringRef name() const { return {row.name.data(), row.name.size()}; }

  //===--- Options and limits ----------------------------------------------------------------------------------===//

  /// The processor for host code. `chip`: the text after the target's colon; `hostLevel`: an explicitly given x86-64
  /// level ("": this machine); `machine` replaces the measurements of this machine (null: it is measured).
  virtual Result<CodeTarget> hostCode(llvm::StringRef chip, llvm::StringRef hostLevel, const Machine *machine) const;
  /// The GPU of `chip` ("": the oldest common one). InvalidInput for chips that LLVM does not know or that are too old.
  /// Only if info().hasDeviceCode.
  virtual Result<CodeTarget> deviceCode(llvm::StringRef chip) const;
  /// Sets the pipeline options that depend on `chip`.
  virtual void setChip(llvm::StringRef chip, PipelineOptions &options) const {}
  /// Whether kernels support run-time checks (assert-level).
  virtual bool supportsAssertLevel() const { return true; }
  /// Whether kernels support checks for uses of uninitialized memory (uninitialized-read-check).
  virtual bool supportsReadCheck() const { return false; }
  /// Whether some functions of a program may run in host functions while others have kernels.
  virtual bool supportsHostFunctions() const { return false; }

  //===--- Pipelines -------------------------------------------------------------------------------------------===//

  /// Appends target-specific passes to phase schedule.
  virtual void addSchedulePasses(mlir::OpPassManager &pm, const PipelineOptions &options) const {}
  virtual void buildKernelPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const = 0;
  virtual void buildLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const = 0;

  //===--- Emission and artifact parts -------------------------------------------------------------------------===//

  /// This and the next function only if info().hasDeviceCode.
  virtual DeviceFiles deviceFiles() const { return {}; }
  /// The entries of the assembly `text`, in `file`, with their registers and memory if known. A target with its own
  /// assembler writes its output to `cubin` (unless "").
  virtual Result<std::vector<artifact::DeviceEntry>>
  describeCode(llvm::StringRef text, const std::string &file, const CodeTarget &code, const std::string &cubin) const;
  /// Whether the assembly is PTX.
  virtual bool emitsPtx() const { return false; }
  /// Whether artifacts keep LLVM's IR of kernels, device.ll, which users may edit.
  virtual bool keepsDeviceLlvm() const { return emitsPtx(); }

private:
  const TargetInfo &row;
};

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_TARGET_H
