//===- Record.h - records of a trace log -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a line of a log in the TORCH_TRACE format says, as pieces of the log's text, and what can be wrong with it.
// docs/Trace.md describes the format as Mica reads and writes it.
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

/// Which compile a record is about. A missing part is -1; all parts missing: no compile.
struct CompileId {
  int64_t autograd = -1;     ///< the graph captured by compiled autograd
  int64_t frame = -1;        ///< the code object or, in Mica's traces, the unit
  int64_t frameCompile = -1; ///< how often that was compiled before
  int64_t attempt = -1;      ///< restarts within the compile; -1 where the record does not say

  bool isNone() const { return autograd < 0 && frame < 0 && frameCompile < 0; }
  /// "0/1", "!2/0/1", "!2", with a suffix "_3" for attempt 3; "-" for a missing part; "" for no compile.
  std::string text() const;
  /// The same compile whatever the attempt; attempt 0 and none are one.
  CompileId withoutAttempt() const { return {autograd, frame, frameCompile, -1}; }
  /// As a folder's name, "-_0_1_0"; attempt 0 and none give the same.
  std::string folder() const;
  auto operator<=>(const CompileId &) const = default;
};

/// What can be wrong with a log. Those up to TooLong are damage, which --strict fails on; those after it are legal but
/// worth knowing.
enum class DefectKind {
  NoRecord,       ///< a line that is neither a record nor a payload
  OrphanPayload,  ///< payload lines that no record announced
  Json,           ///< the envelope is not a JSON object
  Kind,           ///< the envelope has no kind, or several
  Field,          ///< a field is missing or of another type
  PayloadHash,    ///< the payload is not the one its hash names
  PayloadMissing, ///< a payload is announced and there is none
  PayloadJson,    ///< the payload should be JSON and is not
  Rank,           ///< a record of another rank than the log's first
  String,         ///< a string id that no record defined, or defined twice
  TooLong,        ///< a record beyond the size kept in memory; its rest was not read
  Truncated,      ///< the last line has no newline: whole it may be all the same
  NonFinite,      ///< NaN or Infinity in JSON
  Utf8,           ///< bytes that are no UTF-8, or half a character
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

/// One record. All pieces are of the reader's buffer and live until the callback returns.
struct Record {
  int64_t line = 0;  ///< of its first line in the log, from 1
  int64_t bytes = 0; ///< in the log, payload included
  char level = 'V';
  std::string_view date, time; ///< "1206", "15:18:15.925000": local time of the writer
  int64_t pid = 0;
  std::string_view path; ///< the source file of the logging call
  int64_t pathLine = 0;
  std::string_view envelope;       ///< the JSON object; "" where it is damaged
  std::vector<JsonMember> members; ///< of the envelope, and of their objects (depth 2)
  JsonNotes notes;
  std::string_view kind;     ///< "" where the envelope has none
  std::string_view metadata; ///< the value of the kind's key
  CompileId compile;
  std::optional<int64_t> rank;
  /// Its lines end in CR LF, which no writer does: the log was converted, and is read as it was before.
  bool converted = false;
  bool hasPayload = false;    ///< the envelope announces a payload
  bool cut = false;           ///< the payload is longer than what is kept
  std::string_view payload;   ///< without indentation
  Digest digest{};            ///< of `payload` as it was read
  std::optional<Event> event; ///< of a chromium_event whose payload is sound
  std::vector<Defect> defects;

  /// The value of `key` in the metadata; "" where there is none.
  std::string_view field(std::string_view key) const;
};

/// A kind of record that Mica knows.
struct RecordKind {
  std::string_view name;
  bool payload; ///< comes with a payload
  bool product; ///< its payload is listed as a product of the compile
  std::string_view meaning;
};
/// The kind `name`; null where it is unknown, which is no defect.
const RecordKind *findKind(std::string_view name);

} // namespace mica::trace

#endif // MICA_TRACE_RECORD_H
