//===- Record.h - records of a trace log -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A line of a log in the TORCH_TRACE format, as pieces of the log's text, and its possible defects. docs/Trace.md
// describes the format as Mica reads and writes it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_RECORD_H
#define MICA_TRACE_RECORD_H

#include "mica/Trace/JsonScan.h"
#include "mica/Trace/Md5.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::trace {

/// The compile that a record is about. A missing part is -1; all parts missing: no compile.
struct CompileId {
  int64_t autograd = -1;     ///< the graph captured by compiled autograd
  int64_t frame = -1;        ///< the code object or, in Mica's traces, the unit
  int64_t frameCompile = -1; ///< number of earlier compiles of it
  int64_t attempt = -1;      ///< restarts within the compile; -1 if absent

  bool isNone() const { return autograd < 0 && frame < 0 && frameCompile < 0; }
  /// "0/1", "!2/0/1", "!2", with a suffix "_3" for attempt 3; "-" for a missing part; "" for no compile.
  std::string text() const;
  /// The same compile without the attempt; attempt 0 and no attempt are equal.
  CompileId withoutAttempt() const { return {autograd, frame, frameCompile, -1}; }
  /// As a folder name, "-_0_1_0"; attempt 0 and no attempt give the same.
  std::string folder() const;
  auto operator<=>(const CompileId &) const = default;
};

/// Defects of a log. Those up to TooLong are damage, on which --strict fails; those after it are legal but reported.
enum class DefectKind {
  NoRecord,       ///< a line that is neither a record nor a payload
  OrphanPayload,  ///< payload lines that no record announced
  Json,           ///< the envelope is not a JSON object
  Kind,           ///< the envelope has no kind, or several
  Field,          ///< a field is missing or has another type
  PayloadHash,    ///< the payload does not match its hash
  PayloadMissing, ///< an announced payload is missing
  PayloadJson,    ///< a payload should be JSON and is not
  Rank,           ///< a record of another rank than the log's first
  String,         ///< a string id that no record defined, or defined twice
  TooLong,        ///< a record beyond the size kept in memory; its rest was not read
  Truncated,      ///< the last line has no newline, but may be complete
  NonFinite,      ///< NaN or Infinity in JSON
  Utf8,           ///< bytes that are not UTF-8, or a lone surrogate
};
constexpr size_t kDefectKinds = 14;
inline bool isDamage(DefectKind kind) { return kind <= DefectKind::TooLong; }
/// "no record", "payload hash", ...: for tables and messages.
std::string_view defectName(DefectKind kind);

struct Defect {
  DefectKind kind;
  int64_t line = 0; ///< of the log, from 1
  std::string what; ///< what was found and what was expected; may quote the log
};

/// A Chrome trace event, the payload of a `chromium_event`.
struct Event {
  std::string_view name, phase; ///< without quotes, not unescaped
  double microseconds = 0;      ///< since 1970, UTC
  int64_t pid = 0, tid = 0;
  std::string_view compileId; ///< args.compile_id as written, without quotes
  /// Members of `args` of at least kLongArgument bytes.
  std::vector<JsonMember> longArguments;
};
constexpr size_t kLongArgument = 1024;

/// One record. All pieces point into the reader's buffer and are valid until the callback returns.
struct Record {
  int64_t line = 0;  ///< of its first line in the log, from 1
  int64_t bytes = 0; ///< in the log, payload included
  char level = 'V';
  std::string_view date, time; ///< "1206", "15:18:15.925000": local time of the writer
  int64_t pid = 0;
  std::string_view path; ///< the source file of the logging call
  int64_t pathLine = 0;
  std::string_view envelope;       ///< the JSON object; "" if it is damaged
  std::vector<JsonMember> members; ///< of the envelope, and of their objects (depth 2)
  JsonNotes notes;
  std::string_view kind;     ///< "" if the envelope has none
  std::string_view metadata; ///< the value of the kind's key
  CompileId compile;
  std::optional<int64_t> rank;
  /// Its lines end in CR LF, which no writer produces: the log was converted, and is read as the original.
  bool converted = false;
  bool hasPayload = false;    ///< the envelope announces a payload
  bool cut = false;           ///< the payload is longer than the limit
  std::string_view payload;   ///< without indentation
  Digest digest{};            ///< of `payload` as read
  std::optional<Event> event; ///< of a chromium_event with a valid payload
  std::vector<Defect> defects;

  /// The value of `key` in the metadata; "" if there is none.
  std::string_view field(std::string_view key) const;
};

/// A known kind of record.
struct RecordKind {
  std::string_view name;
  bool payload; ///< comes with a payload
  bool product; ///< its payload is listed as a product of the compile
  std::string_view meaning;
};
/// The kind `name`; null if it is unknown, which is not a defect.
const RecordKind *findKind(std::string_view name);

} // namespace mica::trace

#endif // MICA_TRACE_RECORD_H
