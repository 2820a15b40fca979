//===- ToolTrace.h - trace logs of tools -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The log of a tool that neither compiles nor runs programs, for MICA_TRACE=FOLDER: its command line, the files it read
// and wrote, and its outcome. The tools that compile and run have logs of their own (docs/Trace.md).
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_TOOLTRACE_H
#define MICA_TRACE_TOOLTRACE_H

#include "mica/Support/Status.h"
#include "mica/Trace/Writer.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mica::trace {

/// "InvalidInput" and so on, the values of `fail_type` and `error_type`.
std::string_view errorCodeName(ErrorCode code);

/// Writes the artifact `tool`: the tool's name, its command line and working folder.
void writeToolRecord(Writer &writer, std::string_view tool, const std::vector<std::string> &commandLine,
                     const CompileId &compile, WritePlace place);

/// The log of one call of a tool. Does nothing if MICA_TRACE is not set. Thread-safe; write errors never fail the call,
/// and are printed as a warning at the end.
class ToolTrace {
public:
  /// Writes nothing yet: a call for help leaves no log.
  ToolTrace(std::string_view tool, int argc, const char *const *argv);

  /// Whether MICA_TRACE is set, so that expensive data should be collected.
  bool isOn() const { return writer != nullptr; }
  /// Writes nothing from here on, because another log covers this call.
  void leave() { writer = nullptr; }

  /// Begins the log: the artifact `tool` and the span of the call. If the process dies later, these records remain.
  void begin();
  /// Adds a file or folder, which is logged at the end. `role`: "read", "compared", "written". "" is ignored.
  void file(std::string_view role, const std::string &path);
  /// Writes a text that the call produced, as an artifact; JSON if `json`. After begin().
  void artifact(std::string_view name, std::string_view text, bool json, const JsonFields &extra = {});
  /// A span nested in that of the call begins ('B') or ends ('E') on this thread. After begin().
  void span(std::string_view name, char phase, const JsonFields &arguments = {});
  /// Adds a member to the outcome; `json` is its value.
  void note(std::string_view key, std::string json);

  /// The call ended with `code`; `error`, or null, if it failed. Ends the log; begins it first if the call failed
  /// before begin().
  void end(int code, const Error *error = nullptr);

private:
  std::string tool;
  std::vector<std::string> commandLine;
  std::unique_ptr<Writer> writer;
  bool begun = false;
  std::mutex mutex;
  std::map<std::string, std::vector<std::string>, std::less<>> files; ///< by role, each once
  JsonFields notes;
};

/// The end of a tool that prints: its exit code, with the error printed. `helps`: it only printed help, which leaves no
/// log.
int endTool(std::string_view tool, ToolTrace &trace, Result<int> code, bool helps);

} // namespace mica::trace

#endif // MICA_TRACE_TOOLTRACE_H
