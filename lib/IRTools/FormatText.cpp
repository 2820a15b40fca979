//===- FormatText.cpp - indentation of MLIR text ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MLIR's parser says where ops and blocks begin. A pair of braces is a region if one of these lies in it and in no pair
// inside it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/FormatText.h"

#include "mica/Support/Nesting.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mlir;
using namespace mica;

namespace {

/// A pair of brackets; positions in the text.
struct Brackets {
  size_t open, close;
  char kind;
  size_t parent; ///< of the pair around it; kNone: none
  bool isRegion = false;
};
constexpr size_t kNone = ~size_t(0);

/// The brackets of a text, and where it is inside of which.
class BracketMap {
public:
  explicit BracketMap(llvm::StringRef text) {
    size_t current = kNone;
    for (size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') {
        for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
          at += text[at] == '\\';
      } else if (c == '/' && text.substr(at).starts_with("//")) {
        at = std::min(text.find('\n', at), text.size()) - 1;
      } else if (c == '{' || c == '(' || c == '[') {
        pairs.push_back({at, text.size(), c, current});
        starts.push_back({at + 1, current = pairs.size() - 1});
      } else if ((c == '}' || c == ')' || c == ']') && current != kNone) {
        pairs[current].close = at;
        starts.push_back({at, current = pairs[current].parent});
      }
    }
  }

  /// The innermost pair around the position; kNone: none. A bracket itself is outside of its pair.
  size_t around(size_t position) const {
    auto after = std::upper_bound(starts.begin(), starts.end(), position,
                                  [](size_t at, auto &start) { return at < start.first; });
    return after == starts.begin() ? kNone : std::prev(after)->second;
  }

  /// The pair that the bracket at the position, the first of its line, closes; kNone: none.
  size_t closedAt(size_t position) const {
    const size_t pair = position == 0 ? kNone : around(position - 1);
    return pair != kNone && pairs[pair].close == position ? pair : kNone;
  }

  /// Marks the innermost pair of braces around the position.
  void markRegion(size_t position) {
    size_t pair = around(position);
    while (pair != kNone && pairs[pair].kind != '{')
      pair = pairs[pair].parent;
    if (pair != kNone)
      pairs[pair].isRegion = true;
  }

  std::vector<Brackets> pairs;

private:
  std::vector<std::pair<size_t, size_t>> starts; ///< from this position on, inside of this pair
};

struct Line {
  size_t begin, end;  ///< without the line break, and without the spaces at its end
  size_t indent;      ///< bytes
  bool hasReturn;     ///< ends with "\r\n"
  size_t columns = 0; ///< of the indentation; a tab counts as one level
};

constexpr size_t kLevel = 2;

/// Indents one part of a file.
class Formatter {
public:
  Formatter(llvm::StringRef text) : text(text), brackets(text) {
    for (size_t at = 0; at < text.size();) {
      const size_t next = std::min(text.find('\n', at), text.size());
      const llvm::StringRef whole = text.slice(at, next), line = whole.rtrim();
      const size_t indent = line.size() - line.ltrim().size();
      if (line.empty() && next == text.size())
        break; // spaces behind the last line
      lines.push_back({at, at + line.size(), indent, whole.ends_with("\r")});
      for (char c : line.take_front(indent))
        lines.back().columns += c == '\t' ? kLevel : 1;
      at = next + 1;
    }
  }

  /// Parses the text; the error if that fails.
  std::optional<std::string> parse(const DialectRegistry &registry) {
    if (Status nesting = checkNesting(text, "the text"); !nesting)
      return nesting.error().message;
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects();
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
        error = diagnostic.str();
    });
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
    const char *start = sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
    Block block;
    AsmParserState state;
    if (failed(parseAsmSourceFile(sources, &block, ParserConfig(&context, /*verifyAfterParse=*/false), &state)))
      return error.empty() ? "it does not parse" : error;
    auto add = [&](llvm::SMLoc loc, std::set<size_t> &list) {
      if (!loc.isValid() || loc.getPointer() < start || loc.getPointer() > start + text.size())
        return;
      list.insert(loc.getPointer() - start);
      brackets.markRegion(loc.getPointer() - start);
    };
    for (const auto &op : state.getOpDefs())
      add(op.resultGroups.empty() ? op.loc.Start : op.resultGroups.front().definition.loc.Start, ops);
    for (const auto &definition : state.getBlockDefs())
      if (definition.definition.loc.isValid() && *definition.definition.loc.Start.getPointer() == '^')
        add(definition.definition.loc.Start, labels);
    return std::nullopt;
  }

  std::string format() {
    std::string out;
    bool inMetadata = false;
    for (size_t number = 0; number < lines.size(); ++number) {
      const Line &line = lines[number];
      const llvm::StringRef body = text.slice(line.begin + line.indent, line.end);
      size_t columns = line.columns;
      if (inMetadata || body.starts_with("{-#"))
        inMetadata = !body.contains("#-}");
      else if (body.starts_with("//"))
        columns = line.indent == 0 ? 0 : commentColumns(number);
      else if (const std::optional<size_t> wanted = anchorColumns(number)) {
        shift = int64_t(*wanted) - int64_t(line.columns);
        columns = *wanted;
      } else
        columns = shifted(line.columns);
      if (!body.empty())
        out.append(columns, ' ').append(body);
      out += line.hasReturn ? "\r\n" : "\n";
    }
    return out;
  }

private:
  size_t shifted(size_t columns) const { return size_t(std::max<int64_t>(0, int64_t(columns) + shift)); }

  /// How many regions are around the position; those that open on one line count once.
  size_t depth(size_t position) const {
    size_t levels = 0, lastLine = kNone;
    for (size_t pair = brackets.around(position); pair != kNone; pair = brackets.pairs[pair].parent) {
      if (!brackets.pairs[pair].isRegion)
        continue;
      const size_t line = lineOf(brackets.pairs[pair].open);
      levels += line != lastLine;
      lastLine = line;
    }
    return levels;
  }

  size_t lineOf(size_t position) const {
    auto after = std::upper_bound(lines.begin(), lines.end(), position,
                                  [](size_t at, const Line &line) { return at < line.begin; });
    return after - lines.begin() - 1;
  }

  /// The columns before a line that begins an op, a block or an alias, or ends a region; none for other lines.
  std::optional<size_t> anchorColumns(size_t number) const {
    const size_t at = lines[number].begin + lines[number].indent;
    const llvm::StringRef body = text.slice(at, lines[number].end);
    if (body.empty())
      return std::nullopt;
    if (ops.contains(at))
      return kLevel * depth(at);
    if (labels.contains(at))
      return kLevel * (std::max<size_t>(depth(at), 1) - 1);
    if ((body.front() == '#' || body.front() == '!') && brackets.around(at) == kNone &&
        llvm::StringRef(body.drop_front().ltrim("_.$-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            .ltrim()
            .starts_with("="))
      return 0;
    if (body.front() != '}')
      return std::nullopt;
    const size_t pair = brackets.closedAt(at);
    if (pair == kNone)
      return std::nullopt;
    const Line &opening = lines[lineOf(brackets.pairs[pair].open)];
    const bool endsLine = brackets.pairs[pair].open + 1 == opening.end && brackets.pairs[pair].kind == '{';
    if (!brackets.pairs[pair].isRegion && !(endsLine && lineIsAnchor(lineOf(brackets.pairs[pair].open))))
      return std::nullopt;
    return kLevel * depth(at);
  }

  bool lineIsAnchor(size_t number) const {
    const size_t at = lines[number].begin + lines[number].indent;
    return ops.contains(at) || (at < lines[number].end && text[at] == '}' && anchorColumns(number));
  }

  /// A comment goes with the next line that is none.
  size_t commentColumns(size_t number) const {
    for (size_t next = number + 1; next < lines.size(); ++next) {
      const size_t at = lines[next].begin + lines[next].indent;
      if (at == lines[next].end || text.substr(at).starts_with("//"))
        continue;
      if (text[at] == '}') // the last comment in a region is about its ops
        return kLevel * depth(lines[number].begin);
      if (const std::optional<size_t> columns = anchorColumns(next))
        return *columns;
      break;
    }
    return shifted(lines[number].columns);
  }

  llvm::StringRef text;
  BracketMap brackets;
  std::vector<Line> lines;
  std::set<size_t> ops, labels; ///< where they begin
  int64_t shift = 0;            ///< of the last op's first line
};

} // namespace

std::string irtools::formatText(llvm::StringRef text, const DialectRegistry &registry,
                                std::vector<UnreadPart> &unread) {
  std::string out;
  size_t number = 1;
  while (!text.empty()) {
    // The part up to the line that separates it from the next one.
    size_t end = 0;
    while (end < text.size()) {
      const size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
      const bool separates = text.slice(end, next).trim().starts_with("// -----");
      end = next;
      if (separates)
        break;
    }
    const llvm::StringRef part = text.take_front(end);
    text = text.drop_front(end);
    Formatter formatter(part);
    if (std::optional<std::string> error = formatter.parse(registry)) {
      unread.push_back({number, *error});
      out += part;
    } else
      out += formatter.format();
    number += part.count('\n');
  }
  return out;
}
