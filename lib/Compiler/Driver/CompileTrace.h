//===- CompileTrace.h - a compile as records of a trace -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what MICA_TRACE=FOLDER makes every compile leave, in the format of docs/Trace.md. Everything is read from
// the artifact when it is done, so a compile without a trace does nothing for it.
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

/// Lives as long as a compile does. Does nothing where MICA_TRACE is not set or no artifact is made. A trace that
/// cannot be written is a warning.
class CompileTrace {
public:
  explicit CompileTrace(const CompileOptions &options);
  ~CompileTrace();
  /// Writes the records of the compile, which came to `status`.
  void finish(const Status &status);

private:
  void finishArtifact();
  void finishFailure(const Error &error);

  /// Fields of `compilation_metrics` that only who asked for the compile knows.
  void addParentsFields(std::vector<std::pair<std::string, std::string>> &fields) const;

  const CompileOptions &options;
  std::unique_ptr<trace::Writer> writer;
  trace::ProgramUnits unit;    ///< [0/0], [1/0]; others where MICA_TRACE_PARENT says so
  std::string recompileReason; ///< of MICA_TRACE_PARENT
  double started = 0;          ///< microseconds since 1970
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_COMPILETRACE_H
