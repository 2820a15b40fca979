//===- KernelCode.h - code of all kernels of a program ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// From a program of phase lowered to machine code: a unit per kernel, per part of a kernel that is for a device, and
// one of the host functions. Units are independent and are made in parallel.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_KERNELCODE_H
#define MICA_LIB_COMPILER_CODEGEN_KERNELCODE_H

#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Index/RecordTypes.h"
#include "mica/Compiler/Record/Progress.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// What becomes one object file (or one text of a device).
struct CodeUnit {
  enum class Kind { Device, Kernel, Host, Replay, FaultReplay, DumpReplay };
  Kind kind;
  std::string name; ///< of the kernel; "host"
  mlir::OwningOpRef<mlir::ModuleOp> module;
  double milliseconds = 0; ///< that its code took
  GeneratedCode code = {}; ///< empty before generateUnits
};

/// The units of `program`, kernels in its order, each with its part for a device before it, the host functions last.
std::vector<CodeUnit> codeUnits(mlir::ModuleOp program);

/// How the code of a program is made.
struct CodeSettings {
  int optLevel = 3;
  /// Kernels of the reference lowering, whose code is of level 0 and without plugins.
  std::vector<std::string> plainKernels;
  std::string limitedKernel; ///< of `passLimit`
  std::optional<int64_t> passLimit;
  std::vector<std::string> llvmPlugins; ///< as CodegenOptions has them
};

/// Makes the code of all, on the context's threads, and runs `meanwhile`, where there is one, on one of them first.
/// `onCode` hears which unit a thread begins and ends. The first error in the units' order.
Status generateUnits(std::vector<CodeUnit> &units, const Target &target, const CodeSettings &settings,
                     Progress &progress, const std::function<void(const std::string &, bool)> &onCode,
                     const std::function<void()> &meanwhile);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_KERNELCODE_H
