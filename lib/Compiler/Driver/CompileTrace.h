//===- CompileTrace.h - trace records of a compile ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the log of a compile for MICA_TRACE=FOLDER, in the format of docs/Trace.md. All data is read from the
// finished artifact, so a compile without a trace has no overhead.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_COMPILETRACE_H
#define MICA_LIB_COMPILER_DRIVER_COMPILETRACE_H

#include "mica/Compiler/Driver/Compile.h"

#include "mica/Trace/Products.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// Lives as long as a compile. Does nothing if MICA_TRACE is not set or no artifact is made. Write errors are printed
/// as a warning.
class CompileTrace {
public:
  explicit CompileTrace(const CompileOptions &options);
  ~CompileTrace();
  /// Writes the records of the compile, which ended with `status`.
  void finish(const Status &status);

private:
  void finishArtifact();
  void finishFailure(const Error &error);

  /// Adds fields of `compilation_metrics` that the parent process passed.
  void addParentsFields(std::vector<std::pair<std::string, std::string>> &fields) const;

  const CompileOptions &options;
  std::unique_ptr<trace::Writer> writer;
  trace::ProgramUnits unit;    ///< [0/0], [1/0]; others where MICA_TRACE_PARENT says so
  std::string recompileReason; ///< of MICA_TRACE_PARENT
  double started = 0;          ///< microseconds since 1970
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_COMPILETRACE_H
