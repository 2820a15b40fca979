//===- Writer.h - writing trace logs ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Writes records in the TORCH_TRACE format, for mica-report and all other readers of it. Writing never fails a run:
// after the first error nothing more is written, and status() has the error.
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

/// The source position of the logging call, for the prefix of the line.
struct WritePlace {
  std::string_view path; ///< relative to the tree; no ':'
  int line = 0;
};

/// A frame of a stack, outermost first in lists.
struct StackFrame {
  std::string file; ///< "" for unknown
  int64_t line = 0;
  std::string function;
  std::string source; ///< the line of code, "" if unknown
};

/// A line number for frames and metrics, which hold 31 bits: 0 (unknown) if it is negative or larger.
inline int64_t frameLine(int64_t line) { return line < 0 || line > INT32_MAX ? 0 : line; }

/// Members of an object: key and JSON text. quoteJson makes a JSON string.
using JsonFields = std::vector<std::pair<std::string, std::string>>;

/// Writes records of one process to one file. Thread-safe. A process forked from this one writes to a file of its own;
/// one started with childSetting() appends whole records to this one.
class Writer {
public:
  /// Logs go to `folder`, which is created with the first record. `rank` (-1: none) is in the name of the file and in
  /// every record.
  static std::unique_ptr<Writer> inFolder(const std::filesystem::path &folder, int rank = processRank());
  /// For a child process: appends to the file that `setting`, the parent's childSetting(), names.
  static Result<std::unique_ptr<Writer>> ofParent(std::string_view setting, int rank = processRank());
  ~Writer();

  /// A record of `kind` with `metadata` (a JSON value; anything else is written as null). `payload`: its text, or none.
  /// `extra`: members of the key "mica", for data without a key in the format.
  void record(std::string_view kind, std::string_view metadata, const CompileId &compile, WritePlace place,
              std::optional<std::string_view> payload = {}, const JsonFields &extra = {});
  /// A named text; shown by every reader. `json`: whether it is JSON. `extra` as for record().
  void artifact(std::string_view name, std::string_view text, const CompileId &compile, WritePlace place,
                bool json = false, const JsonFields &extra = {});
  /// `stack` as JSON, for payloads with stacks: file names are interned, each defined by a record before its first use,
  /// as readers of the format expect.
  std::string frames(const std::vector<StackFrame> &stack);
  /// A compile begins, called from `stack`.
  void start(const std::vector<StackFrame> &stack, const CompileId &compile, WritePlace place);
  /// A compile ended; `fields` of `compilation_metrics`.
  void metrics(const JsonFields &fields, const CompileId &compile, WritePlace place);
  /// The beginning ('B') or end ('E') of a span, or an instant ('i').
  void event(std::string_view name, char phase, double microseconds, const CompileId &compile, WritePlace place,
             const JsonFields &arguments = {});

  /// The value of the environment variable with which a child process appends to this file. Each call reserves a range
  /// of string numbers for one child.
  std::string childSetting();

  /// The file; "" before the first record and if it could not be created.
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
