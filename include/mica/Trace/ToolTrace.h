//===- ToolTrace.h - a call of a tool as a trace log -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What MICA_TRACE=FOLDER makes a tool leave that compiles and runs nothing: its command line, what it read and wrote,
// and what became of it. The tools that compile and run have logs of their own (docs/Trace.md).
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

/// "InvalidInput" and so on, as `fail_type` and `error_type` have it.
std::string_view errorCodeName(ErrorCode code);

/// Writes the artifact `tool`: which one was called, how, and in which folder.
void writeToolRecord(Writer &writer, std::string_view tool, const std::vector<std::string> &commandLine,
                     const CompileId &compile, WritePlace place);

/// The log of one call of a tool. Does nothing where MICA_TRACE is not set. Safe to use from several threads; fails
/// nothing: what cannot be written is a warning at the end.
class ToolTrace {
public:
  /// Writes nothing yet: a call for help leaves no log.
  ToolTrace(std::string_view tool, int argc, const char *const *argv);

  /// Where MICA_TRACE is set: what costs time to gather is gathered for it alone.
  bool isOn() const { return writer != nullptr; }
  /// Another log tells of this call: from here on nothing is written.
  void leave() { writer = nullptr; }

  /// Begins the log: the artifact `tool` and the span of the call. What a process that dies later leaves begins with
  /// it.
  void begin();
  /// A file or folder, told of at the end. `role`: "read", "compared", "written". "" is none.
  void file(std::string_view role, const std::string &path);
  /// A text that the call gave, as an artifact; JSON where `json`. After begin().
  void artifact(std::string_view name, std::string_view text, bool json, const JsonFields &extra = {});
  /// A span in that of the call begins ('B') or ends ('E') on this thread. After begin().
  void span(std::string_view name, char phase, const JsonFields &arguments = {});
  /// A member of the outcome beside the others; `json` is its value.
  void note(std::string_view key, std::string json);

  /// The call came to `code`; `error` where it failed, or null. Ends the log; begins it where the call failed before
  /// begin().
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
