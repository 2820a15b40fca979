//===- SplitLog.cpp - the texts of a log of passes ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A text begins after a line with "IR Dump After" or the like, and ends before the next one. Headers that are read:
//
//   // -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //
//   // -----// IR Dump After (anonymous namespace)::P Failed (p) //----- //
//   // *** IR Dump Before Canonicalizer ***
//   *** IR Dump After InstCombinePass on f ***          ; *** IR Dump At Start ***
//   *** IR Dump After SROAPass on f omitted because no change ***
//   # *** IR Dump After Machine Scheduler (machine-scheduler) ***:
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Readers.h"

#include "lib/PassDump/Cursor.h"

#include <algorithm>
#include <array>

namespace mica::passdump {

namespace {

constexpr std::string_view kMark = "IR Dump ";
constexpr std::string_view kDeleted = "IR Deleted After ";
constexpr std::string_view kIgnored = "IR Pass "; ///< "*** IR Pass P on f ignored ***", of -print-changed

std::string_view trim(std::string_view text) {
  while (!text.empty() && (isSpace(text.front()) || text.front() == '\n'))
    text.remove_prefix(1);
  while (!text.empty() && (isSpace(text.back()) || text.back() == '\n'))
    text.remove_suffix(1);
  return text;
}

bool takeEnd(std::string_view &text, std::string_view end) {
  if (!text.ends_with(end))
    return false;
  text.remove_suffix(end.size());
  text = trim(text);
  return true;
}

/// The last "(...)" of `text`, balanced, which it loses; "" where it does not end with one.
std::string_view takeParens(std::string_view &text) {
  if (!text.ends_with(')'))
    return {};
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')')
      ++depth;
    else if (text[i] == '(' && --depth == 0) {
      const std::string_view inner = text.substr(i + 1, text.size() - i - 2);
      text = trim(text.substr(0, i));
      return inner;
    }
  }
  return {};
}

/// "'func.func' operation: @f" as "func.func @f".
std::string anchorOf(std::string_view words) {
  const size_t quote = words.find('\''), end = words.find('\'', quote + 1);
  if (quote == std::string_view::npos || end == std::string_view::npos)
    return std::string(words);
  std::string anchor(words.substr(quote + 1, end - quote - 1));
  if (const size_t symbol = words.find('@', end); symbol != std::string_view::npos)
    anchor += " " + std::string(trim(words.substr(symbol)));
  return anchor;
}

} // namespace

std::optional<Header> findHeader(std::string_view text, size_t from) {
  for (size_t at = text.find("IR ", from); at != std::string_view::npos; at = text.find("IR ", at + 1)) {
    const bool isDump = text.substr(at, kMark.size()) == kMark,
               isDeleted = text.substr(at, kDeleted.size()) == kDeleted ||
                           (text.substr(at, kIgnored.size()) == kIgnored && from > 0);
    if (!isDump && !isDeleted)
      continue;
    // What stands before it on the line: a comment's stars or dashes.
    const size_t lineBegin = text.rfind('\n', at) == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
    const std::string_view lead = text.substr(lineBegin, at - lineBegin);
    size_t begin = std::string_view::npos;
    bool dashes = false;
    if (lead.ends_with("// -----// ")) {
      begin = at - 11;
      dashes = true;
    } else if (lead.ends_with("// *** ")) {
      begin = at - 7;
    } else if (lead.ends_with("*** ")) {
      begin = at - 4;
      if (begin >= lineBegin + 2 && (text.substr(begin - 2, 2) == "; " || text.substr(begin - 2, 2) == "# "))
        begin -= 2;
    }
    // A test that expects such a line is no dump.
    if (begin == std::string_view::npos || lead.find("CHECK") != std::string_view::npos)
      continue;
    size_t end = lineEnd(text, at);
    std::string_view words = trim(text.substr(at, end - at));
    Header header;
    header.begin = begin;
    header.lead = text.substr(lineBegin, begin - lineBegin);
    State &state = header.state;
    if (dashes) {
      const size_t close = words.find(" //-----");
      if (close == std::string_view::npos)
        continue;
      words = words.substr(0, close);
    } else {
      const size_t close = words.rfind(" ***");
      if (close == std::string_view::npos)
        continue;
      // Older versions of MLIR name what the pass ran on behind the stars.
      if (const std::string_view behind = words.substr(close + 4); behind.find("' operation") != std::string_view::npos)
        state.anchor = anchorOf(behind.substr(0, behind.rfind(')')));
      words = words.substr(0, close);
    }
    header.end = std::min(end + 1, text.size());
    if (isDeleted) {
      header.isDeleted = true;
      return header;
    } else {
      words.remove_prefix(kMark.size());
      if (words.starts_with("After ")) {
        words.remove_prefix(6);
      } else if (words.starts_with("Before ")) {
        words.remove_prefix(7);
        state.when = State::When::Before;
      } else if (words.starts_with("At Start")) {
        state.when = State::When::Stage;
        state.pass = "start";
        header.state.language = Language::Llvm;
        return header;
      } else {
        continue;
      }
    }
    words = trim(words);
    // LLVM: "P on f", "P on f omitted because no change".
    for (const std::string_view reason : {"omitted because no change", "filtered out", "ignored", "(invalidated)"})
      if (takeEnd(words, reason))
        state.unchanged = true;
    if (words.ends_with(')') && words.find("' operation") != std::string_view::npos) {
      std::string_view rest = words;
      if (const std::string_view anchor = takeParens(rest); anchor.find("' operation") != std::string_view::npos) {
        state.anchor = anchorOf(anchor);
        words = rest;
      }
    } else if (const size_t colon = words.find(": '"); colon != std::string_view::npos) {
      state.anchor = anchorOf(words.substr(colon));
      words = trim(words.substr(0, colon));
    }
    if (const size_t on = words.rfind(" on "); on != std::string_view::npos && !dashes) {
      state.anchor = std::string(trim(words.substr(on + 4)));
      if (state.anchor == "[module]")
        state.anchor.clear();
      words = trim(words.substr(0, on));
    }
    // Passes without an argument are printed with "()" by some tools.
    std::string_view rest = words;
    if (const std::string_view argument = takeParens(rest); rest.size() < words.size() && !rest.empty()) {
      state.argument = std::string(argument);
      words = rest;
    }
    state.failed = takeEnd(words, " Failed");
    state.pass = std::string(words.empty() ? state.argument : words);
    if (state.pass.empty())
      state.pass = "(unnamed)";
    return header;
  }
  return std::nullopt;
}

namespace {

/// Lines of -print-changed=diff: each begins with a blank, + or -.
bool isDiff(std::string_view text) {
  bool hasChange = false;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c != ' ' && c != '+' && c != '-' && c != '\n')
      return false;
    hasChange = hasChange || c == '+' || c == '-';
    at = lineEnd(text, at) + 1;
  }
  return hasChange;
}

/// "file:12:3: error: ...", and the like.
bool isDiagnostic(std::string_view line) {
  for (const std::string_view word : {": error: ", ": warning: ", ": note: ", ": remark: "})
    if (const size_t at = line.find(word); at != std::string_view::npos && at > 0 && isDigit(line[at - 1]))
      return line.substr(0, at).find(' ') == std::string_view::npos;
  return false;
}

/// A text without the diagnostics of the tool, each with the line of the source and the mark under it that may follow.
std::string_view withoutDiagnostics(std::string_view body, Dump &dump) {
  bool hasSome = false;
  std::string kept;
  for (size_t at = 0; at < body.size();) {
    const size_t end = lineEnd(body, at);
    const size_t next = std::min(end + 1, body.size());
    if (isDiagnostic(body.substr(at, end - at))) {
      if (!hasSome)
        kept = body.substr(0, at);
      hasSome = true;
      at = next;
      const size_t source = lineEnd(body, at), mark = lineEnd(body, std::min(source + 1, body.size()));
      if (trim(body.substr(source, mark - source)) == "^")
        at = std::min(mark + 1, body.size());
      continue;
    }
    if (hasSome)
      kept += body.substr(at, next - at);
    at = next;
  }
  return hasSome ? std::string_view(dump.storage.emplace_back(std::move(kept))) : body;
}

/// Whether `line` begins like `lead`: digits stand for any digit.
bool beginsLike(std::string_view line, std::string_view lead) {
  if (line.size() < lead.size())
    return false;
  for (size_t i = 0; i < lead.size(); ++i)
    if (line[i] != lead[i] && !(isDigit(line[i]) && isDigit(lead[i])))
      return false;
  return true;
}

/// What a log writes before each line, such as a time or a rank, taken away where nine lines of ten have it.
std::string_view withoutLead(std::string_view body, std::string_view lead, Dump &dump) {
  if (lead.find_first_not_of(" \t") == std::string_view::npos)
    return body;
  while (!lead.empty() && isSpace(lead.back()))
    lead.remove_suffix(1);
  size_t lines = 0, alike = 0;
  for (size_t at = 0; at < body.size();) {
    const size_t end = lineEnd(body, at);
    lines += end > at;
    alike += end > at && beginsLike(body.substr(at, end - at), lead);
    at = end + 1;
  }
  if (alike * 10 < lines * 9 || !alike)
    return body;
  std::string kept;
  kept.reserve(body.size());
  for (size_t at = 0; at < body.size();) {
    const size_t end = lineEnd(body, at);
    std::string_view line = body.substr(at, end - at);
    if (beginsLike(line, lead)) {
      line.remove_prefix(lead.size());
      if (line.starts_with(' '))
        line.remove_prefix(1);
    }
    kept += line;
    kept += '\n';
    at = end + 1;
  }
  return dump.storage.emplace_back(std::move(kept));
}

} // namespace

void splitLog(std::string_view text, Dump &dump) {
  std::optional<Header> header = findHeader(text, 0);
  if (header && !trim(text.substr(0, header->begin - header->lead.size())).empty())
    dump.notes.push_back("the lines before the first dump are no part of it and are left out");
  int64_t line = 1;
  size_t counted = 0;
  bool hasDiff = false;
  while (header) {
    std::optional<Header> next = findHeader(text, header->end);
    State state = std::move(header->state);
    line += std::count(text.begin() + static_cast<ptrdiff_t>(counted),
                       text.begin() + static_cast<ptrdiff_t>(header->begin), '\n');
    counted = header->begin;
    state.where = "line " + std::to_string(line);
    const size_t end = next ? next->begin : text.size();
    std::string_view body = text.substr(header->end, end - std::min(end, header->end));
    // The line of the next header begins with what the log writes before each line.
    if (next && !trim(header->lead).empty() && beginsLike(next->lead, header->lead) && body.ends_with(next->lead))
      body.remove_suffix(next->lead.size());
    body = withoutDiagnostics(withoutLead(body, header->lead, dump), dump);
    while (!body.empty() && (body.back() == '\n' || isSpace(body.back())))
      body.remove_suffix(1);
    while (!body.empty() && (body.front() == '\n' || body.front() == '\r'))
      body.remove_prefix(1);
    state.text = body;
    state.isDiff = isDiff(body);
    state.language = state.isDiff ? Language::Other : guessLanguage(body);
    hasDiff = hasDiff || state.isDiff;
    if (!header->isDeleted && (!body.empty() || state.unchanged))
      dump.states.push_back(std::move(state));
    header = std::move(next);
  }
  if (hasDiff)
    dump.notes.push_back("texts that are differences (-print-changed=diff) are shown, but their ops are not compared; "
                         "-print-changed alone prints whole texts");
}

} // namespace mica::passdump
