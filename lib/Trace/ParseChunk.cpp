//===- ParseChunk.cpp - parsing a chunk of a log ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A record is a line with a prefix and an envelope, followed by lines that begin with a tab. Parsing does not depend on
// the preceding chunk, so chunks are parsed in any order.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Trace/ParseChunk.h"

#include "mica/Support/Text.h"

#include <cstring>

namespace mica::trace {
namespace {

/// An excerpt of the log for a message: short, one line, printable.
std::string excerpt(std::string_view text) {
  constexpr size_t kShown = 120;
  std::string out = validUtf8(text.substr(0, kShown));
  for (char &c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return "'" + out + (text.size() > kShown ? "...'" : "'");
}

bool takeDigits(std::string_view &text, size_t count, std::string_view &digits) {
  if (text.size() < count)
    return false;
  for (size_t i = 0; i < count; ++i)
    if (text[i] < '0' || text[i] > '9')
      return false;
  digits = text.substr(0, count);
  text.remove_prefix(count);
  return true;
}
bool takeDigits(std::string_view &text, size_t count) {
  std::string_view ignored;
  return takeDigits(text, count, ignored);
}
bool takeChar(std::string_view &text, char c) {
  if (text.empty() || text.front() != c)
    return false;
  text.remove_prefix(1);
  return true;
}
bool takeNumber(std::string_view &text, int64_t &number) {
  size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9')
    ++count;
  const std::optional<int64_t> value = count ? jsonInteger(text.substr(0, count)) : std::nullopt;
  if (!value)
    return false;
  number = *value;
  text.remove_prefix(count);
  return true;
}

/// "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] {...": false if `line` has another form.
bool parsePrefix(std::string_view line, Record &record) {
  std::string_view rest = line;
  if (rest.empty() || !std::strchr("VIWEC", rest.front()))
    return false;
  record.level = rest.front();
  rest.remove_prefix(1);
  if (!takeDigits(rest, 4, record.date) || !takeChar(rest, ' '))
    return false;
  const char *time = rest.data();
  if (!takeDigits(rest, 2) || !takeChar(rest, ':') || !takeDigits(rest, 2) || !takeChar(rest, ':') ||
      !takeDigits(rest, 2) || !takeChar(rest, '.') || !takeDigits(rest, 6))
    return false;
  record.time = {time, 15};
  if (!takeChar(rest, ' ') || !takeNumber(rest, record.pid) || !takeChar(rest, ' '))
    return false;
  const size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return false;
  record.path = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  if (!takeNumber(rest, record.pathLine) || !takeChar(rest, ']') || !takeChar(rest, ' '))
    return false;
  record.converted = !rest.empty() && rest.back() == '\r';
  rest.remove_suffix(record.converted ? 1 : 0);
  record.envelope = rest;
  return true;
}

class ChunkParser {
public:
  explicit ChunkParser(Chunk &chunk)
      : chunk(chunk), at(chunk.text.data()), end(chunk.text.data() + chunk.text.size()) {}

  void run() {
    while (at < end) {
      if (skipEmptyLine())
        continue;
      if (*at == '\t') {
        orphans();
      } else {
        record();
      }
    }
  }

private:
  /// The line at `at`, which is advanced past it. A last line without newline is included.
  std::string_view takeLine() {
    const char *newline = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    const std::string_view line(at, static_cast<size_t>((newline ? newline : end) - at));
    ended = newline != nullptr;
    at += line.size() + (ended ? 1 : 0);
    ++chunk.lines;
    return line;
  }

  /// Skips the line at `at` if it is empty or has only CR LF.
  bool skipEmptyLine() {
    const size_t length = *at == '\n' ? 1 : *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 0;
    at += length;
    chunk.lines += length > 0;
    chunk.emptyLines += length > 0;
    return length > 0;
  }

  /// Removes the tabs of the payload lines at `at` in place, and returns the resulting text.
  std::string_view takePayload(bool converted) {
    char *const first = at;
    char *to = at;
    while (at < end) {
      if (skipEmptyLine())
        continue;
      if (*at != '\t')
        break;
      ++at;
      std::string_view line = takeLine();
      if (converted && !line.empty() && line.back() == '\r')
        line.remove_suffix(1);
      std::memmove(to, line.data(), line.size());
      to += line.size();
      *to++ = '\n';
    }
    return {first, to > first ? static_cast<size_t>(to - first) - 1 : 0};
  }

  void add(Record &record, DefectKind kind, std::string what) {
    record.defects.push_back({kind, record.line, std::move(what)});
  }

  void orphans() {
    Record &record = chunk.records.emplace_back();
    record.line = chunk.lines + 1;
    const char *const first = at;
    const std::string_view text = takePayload(false);
    record.bytes = at - first;
    const int64_t lines = chunk.lines + 1 - record.line;
    add(record, DefectKind::OrphanPayload,
        groupDigits(lines) + (lines == 1 ? " line" : " lines") +
            " of a payload that no record announces: " + excerpt(text));
  }

  void record() {
    Record &record = chunk.records.emplace_back();
    record.line = chunk.lines + 1;
    const char *const first = at;
    const std::string_view line = takeLine();
    const bool lineEnded = ended;
    if (!parsePrefix(line, record)) {
      const int64_t number = record.line;
      record = Record();
      record.line = number;
      add(record, DefectKind::NoRecord, "not a record: " + excerpt(line));
    } else {
      envelope(record);
    }
    const int64_t payloadLine = chunk.lines + 1;
    const bool announced = record.hasPayload || record.envelope.empty();
    const bool follows = at < end && *at == '\t';
    if (follows && (announced || !record.path.empty()))
      payload(record, payloadLine);
    else if (record.hasPayload && !record.cut)
      payloadAbsent(record);
    record.bytes = at - first;
    const bool cutEnd = chunk.skipped && at == end;
    if (cutEnd) {
      record.cut = true;
      record.bytes += chunk.skipped;
      add(record, DefectKind::TooLong,
          "a record of " + byteSize(record.bytes) + "; what is beyond " + byteSize(record.bytes - chunk.skipped) +
              " was not read");
    }
    if (chunk.last && at == end && !(follows ? ended : lineEnded) && !cutEnd)
      add(record, DefectKind::Truncated,
          "the log ends without a newline: if the writer was stopped within this record, that is damage of its own");
  }

  void envelope(Record &record) {
    const std::string_view text = record.envelope;
    const JsonScan scan = scanJson(text, &record.members, 2);
    if (!scan.ok || text.front() != '{') {
      add(record, DefectKind::Json,
          "the envelope is not a JSON object: expected " +
              (scan.ok ? std::string("'{'")
                       : std::string(scan.expected) + " at byte " + std::to_string(scan.errorAt + 1)) +
              ", found " + excerpt(text.substr(scan.ok ? 0 : scan.errorAt)));
      record.envelope = {};
      record.members.clear();
      return;
    }
    record.notes = scan.notes;
    if (scan.notes.nonFinite)
      add(record, DefectKind::NonFinite, "NaN or Infinity in the envelope");
    if (scan.notes.invalidUtf8 || scan.notes.surrogate)
      add(record, DefectKind::Utf8, "the envelope holds bytes that are no UTF-8, or half a character");
    for (const JsonMember &member : record.members)
      if (member.depth == 1)
        contextOrKind(record, member);
    if (record.kind.empty())
      add(record, DefectKind::Kind, "no kind: the envelope has context keys only");
    else if (const RecordKind *kind = findKind(record.kind);
             kind && kind->payload && !record.hasPayload && record.kind != "artifact")
      add(record, DefectKind::Field, "a record of kind " + std::string(record.kind) + " without has_payload");
  }

  void contextOrKind(Record &record, const JsonMember &member) {
    auto id = [&](int64_t &part) {
      if (isJsonNull(member.value))
        return;
      const std::optional<int64_t> value = jsonInteger(member.value);
      if (value && *value >= 0)
        part = *value;
      else
        add(record, DefectKind::Field,
            std::string(member.key) + " should be a number from 0, found " + excerpt(member.value));
    };
    if (member.key == "frame_id")
      return id(record.compile.frame);
    if (member.key == "frame_compile_id")
      return id(record.compile.frameCompile);
    if (member.key == "compiled_autograd_id")
      return id(record.compile.autograd);
    if (member.key == "attempt")
      return id(record.compile.attempt);
    if (member.key == "rank") {
      int64_t rank = -1;
      id(rank);
      if (rank >= 0)
        record.rank = rank;
      return;
    }
    if (member.key == "has_payload") {
      if (isJsonNull(member.value))
        return;
      record.hasPayload = true;
      const std::string_view text = member.value;
      if (text.size() < 2 || !parseDigest(text.substr(1, text.size() - 2), announced)) {
        announced = {};
        add(record, DefectKind::Field, "has_payload should be 32 hex digits, found " + excerpt(text));
      }
      return;
    }
    if (member.key == "stack" || member.key == "severity" || member.key == "timestamp" || member.key == "pathname" ||
        member.key == "thread" || member.key == "mica" || isJsonNull(member.value))
      return;
    // A key that is neither context nor a known kind is an unknown kind, or context of a newer writer.
    const bool known = findKind(member.key), hadKnown = findKind(record.kind);
    const bool isObject = member.value.front() == '{',
               hadObject = !record.metadata.empty() && record.metadata.front() == '{';
    if (known && hadKnown) {
      add(record, DefectKind::Kind,
          "several kinds: " + excerpt(record.kind) + " and " + excerpt(member.key) + "; the first counts");
    } else if (record.kind.empty() || (known && !hadKnown) || (!hadKnown && isObject && !hadObject)) {
      record.kind = member.key;
      record.metadata = member.value;
    }
  }

  void payloadAbsent(Record &record) {
    if (!(chunk.skipped && at == end))
      add(record, DefectKind::PayloadMissing, "a payload is announced, and no line that begins with a tab follows");
  }

  void payload(Record &record, int64_t line) {
    const Digest expected = announced;
    record.payload = takePayload(record.converted);
    if (chunk.skipped && at == end)
      return;
    if (!record.hasPayload) {
      if (record.envelope.empty())
        return; // the payload of a damaged envelope is counted with it
      add(record, DefectKind::OrphanPayload,
          groupDigits(chunk.lines + 1 - line) + " lines follow that the record does not announce");
      record.payload = {};
      return;
    }
    record.digest = md5(record.payload);
    if (record.digest != expected)
      add(record, DefectKind::PayloadHash,
          "the payload (" + byteSize(static_cast<int64_t>(record.payload.size())) + ") has the hash " +
              hexDigits(record.digest) + ", the record says " + hexDigits(expected) +
              (record.payload.find('\r') != std::string_view::npos
                   ? "; it holds carriage returns: was the log converted?"
                   : ""));
    if (record.kind == "chromium_event")
      event(record);
    else if (wantsJson(record))
      checkJson(record);
    else if (!isUtf8(record.payload))
      add(record, DefectKind::Utf8, "the payload holds bytes that are no UTF-8");
  }

  static bool wantsJson(const Record &record) {
    return record.kind == "dynamo_guards" || (record.kind == "artifact" && record.field("encoding") == "\"json\"");
  }

  void noteJson(Record &record, const JsonScan &scan) {
    if (!scan.ok)
      add(record, DefectKind::PayloadJson,
          "the payload should be JSON: expected " + std::string(scan.expected) + " at byte " +
              std::to_string(scan.errorAt + 1) + ", found " + excerpt(record.payload.substr(scan.errorAt)));
    if (scan.notes.nonFinite)
      add(record, DefectKind::NonFinite, "NaN or Infinity in the payload");
    if (scan.notes.invalidUtf8 || scan.notes.surrogate)
      add(record, DefectKind::Utf8, "the payload holds bytes that are no UTF-8, or half a character");
  }
  void checkJson(Record &record) { noteJson(record, scanJson(record.payload)); }

  void event(Record &record) {
    fields.clear();
    const JsonScan scan = scanJson(record.payload, &fields, 2);
    noteJson(record, scan);
    if (!scan.ok)
      return;
    Event event;
    bool timed = false;
    auto unquoted = [](std::string_view value) {
      return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : std::string_view();
    };
    for (const JsonMember &field : fields) {
      if (field.depth == 2) {
        if (field.key == "compile_id")
          event.compileId = unquoted(field.value);
        if (field.value.size() >= kLongArgument)
          event.longArguments.push_back(field);
      } else if (field.key == "name") {
        event.name = unquoted(field.value);
      } else if (field.key == "ph") {
        event.phase = unquoted(field.value);
      } else if (field.key == "ts") {
        const std::optional<double> ts = jsonNumber(field.value);
        timed = ts.has_value();
        event.microseconds = ts.value_or(0);
      } else if (field.key == "pid") {
        event.pid = jsonInteger(field.value).value_or(0);
      } else if (field.key == "tid") {
        event.tid = jsonInteger(field.value).value_or(0);
      }
    }
    if (event.name.empty() || event.phase.empty() || !timed)
      return add(record, DefectKind::Field, "a timing event without name, ph or ts");
    record.event = std::move(event);
  }

  Chunk &chunk;
  char *at;
  char *end;
  bool ended = true;  ///< the last line had a newline
  Digest announced{}; ///< of the current record
  std::vector<JsonMember> fields;
};

} // namespace

void parseChunk(Chunk &chunk) { ChunkParser(chunk).run(); }

} // namespace mica::trace
