//===- Writer.h - writes a trace log ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The other side of Reader.h: records in the TORCH_TRACE format, for mica-report and every other reader of it. Writing
// never fails a run: after the first error the writer is silent and status() says why.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_WRITER_H
#define MICA_TRACE_WRITER_H

#include "mica/Support/Log.h"
#include "mica/Support/Status.h"
#include "mica/Trace/Record.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mica::trace {

/// Where in the sources a record is written: goes into the prefix of its line.
struct WritePlace {
  std::string_view path; ///< relative to the tree; no ':'
  int line = 0;
};

/// A frame of a stack, outermost first in lists.
struct StackFrame {
  std::string file; ///< "" for unknown
  int64_t line = 0;
  std::string function;
  std::string source; ///< the line of code, "" where it is not known
};

/// A line number as frames and metrics hold it, in 31 bits: 0, for unknown, where it is none or beyond them.
inline int64_t frameLine(int64_t line) { return line < 0 || line > INT32_MAX ? 0 : line; }

/// Members of an object: key and JSON text. quoteJson makes text of strings.
using JsonFields = std::vector<std::pair<std::string, std::string>>;

/// Writes records of one process to one file. Safe to use from several threads. A process forked from this one writes
/// to a file of its own; one started with childSetting() appends to this one, whole records between whole records.
class Writer {
public:
  /// Logs go to `folder`, which is made with the first record: a run that writes none leaves nothing. `rank` (-1: none)
  /// is in the name of the file and in every record.
  static std::unique_ptr<Writer> inFolder(const std::filesystem::path &folder, int rank = processRank());
  /// For a child: appends to the file that `setting`, the parent's childSetting(), names.
  static Result<std::unique_ptr<Writer>> ofParent(std::string_view setting, int rank = processRank());
  ~Writer();

  /// A record of `kind` with `metadata` (a JSON value; one that is none is written as null). `payload`: its text, or
  /// none. `extra`: what the format has no key for, as members of the key "mica".
  void record(std::string_view kind, std::string_view metadata, const CompileId &compile, WritePlace place,
              std::optional<std::string_view> payload = {}, const JsonFields &extra = {});
  /// A named text; shown by every reader. `json`: whether it is JSON. `extra` as for record().
  void artifact(std::string_view name, std::string_view text, const CompileId &compile, WritePlace place,
                bool json = false, const JsonFields &extra = {});
  /// `stack` as JSON, for payloads with stacks of their own: the names of its files are interned, with a record each
  /// before the first use, as every reader of the format expects.
  std::string frames(const std::vector<StackFrame> &stack);
  /// A compile begins, called from `stack`.
  void start(const std::vector<StackFrame> &stack, const CompileId &compile, WritePlace place);
  /// A compile ended; `fields` of `compilation_metrics`.
  void metrics(const JsonFields &fields, const CompileId &compile, WritePlace place);
  /// The beginning ('B') or end ('E') of a span, or an instant ('i').
  void event(std::string_view name, char phase, double microseconds, const CompileId &compile, WritePlace place,
             const JsonFields &arguments = {});

  /// What a child needs to append to this file, for an environment variable. Each call reserves numbers of strings for
  /// one child.
  std::string childSetting();

  /// The file; "" before the first record and after a failure to make it.
  std::filesystem::path file() const;
  /// The first failure.
  Status status() const;

private:
  class Log;
  Writer();
  Log &log();

  std::filesystem::path folder;
  int rank = -1;
  std::unique_ptr<Log> current;
};

/// Microseconds since 1970, as event() takes them.
double microsecondsNow();

} // namespace mica::trace

#endif // MICA_TRACE_WRITER_H
