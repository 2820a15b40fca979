//===- PerfHints.h - performance hints ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: hints derived from remarks of passes, kernel records and task lists: tensors that are written and read back,
// kernels that only move data, scalar loops, and work that runs on one thread. Hints about little memory are omitted.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_PERFHINTS_H
#define MICA_LIB_COMPILER_EMIT_PERFHINTS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Emit/CompileOptions.h"
#include "mica/Compiler/Record/PassRecorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::compiler {

struct PerfHint {
  std::string kernel;
  int64_t bytes = 0;            ///< bytes read and written per call of the program because of it
  std::string cause;            ///< "written by kernel a and read back by kernel b: ..."
  std::string change;           ///< what the user can do
  std::string source;           ///< "model.mlir:3:8", of the op it is about; may be empty
  std::vector<std::string> ids; ///< ops it is about
};

/// The hints for a program, by descending bytes.
std::vector<PerfHint> findPerfHints(const PassRecorder &recorder, const artifact::Manifest &manifest,
                                    const std::vector<artifact::TaskList> &lists);

/// The hint for a program that runs entirely in host functions, because of `reason` at `source` ("m.mlir:3:8" or "").
PerfHint hostHint(const std::string &reason, const std::string &source, const artifact::Manifest &manifest);

PerfHint hostFunctionHint(const HostFunction &function);

/// report/perf_hints.json.
std::string printPerfHints(const std::vector<PerfHint> &hints);

/// The same as messages of topic perf_hints.
void logPerfHints(const std::vector<PerfHint> &hints);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_PERFHINTS_H
