//===- CompileLog.h - log messages of a compile -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the messages of MICA_LOGS in the compiler half. Each function first checks whether its topics are enabled.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_COMPILELOG_H
#define MICA_LIB_COMPILER_EMIT_COMPILELOG_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Record/PassRecorder.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Whether an enabled topic needs the remarks of passes.
bool logsNeedRemarks();

/// Topic import: the program as read, or after phase input (`what` says which).
void logProgram(const std::string &input, llvm::StringRef what, mlir::ModuleOp program);
/// Topics dispatch and fusion, after phase schedule.
void logKernels(mlir::ModuleOp program, const PassRecorder &recorder);
/// Topics schedule, output_code and dynamic. `schedule`: the text of host/schedule.mlir.
void logSchedule(const artifact::Manifest &manifest, const std::vector<artifact::TaskList> &lists,
                 llvm::StringRef schedule);
/// Topic kernel_code: kernel.mlir.
void logKernelSnapshot(llvm::StringRef kernel, llvm::StringRef text);
/// Topics codegen and kernel_code. `kernel`: "" for the host functions; `strategy`: the kernel's strategy.
void logCode(llvm::StringRef kernel, llvm::StringRef strategy, double milliseconds, const GeneratedCode &code);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_COMPILELOG_H
