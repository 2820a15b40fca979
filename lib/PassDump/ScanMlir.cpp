//===- ScanMlir.cpp - ops of MLIR in any dialect --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Relies on what the printer of MLIR does and custom assembly cannot change: an op begins on a line of its own or after
// the brace of its region, brackets balance, and a name has a dot unless its dialect is the default one of the op
// around it. A brace opens a region where what follows it can begin an op or a block, else a dictionary.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Scanners.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace mica::passdump {
namespace {

constexpr size_t kDeepest = 10'000; ///< nested ops

template <size_t N> bool isOneOf(std::string_view word, const std::array<std::string_view, N> &words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words that continue the assembly of an op on a new line.
constexpr std::array<std::string_view, 40> kContinuations = {
    "else",      "case",       "default",  "do",          "ins",           "outs",      "attributes",
    "iter_args", "to",         "step",     "overlap",     "left",          "right",     "present",
    "absent",    "init",       "combiner", "cleanup",     "alloc",         "dealloc",   "copy",
    "destroy",   "mapping",    "catch",    "loc",         "threads",       "blocks",    "workgroup",
    "private",   "dimensions", "after",    "permutation", "indexing_maps", "iterators", "atomic",
    "reduction", "and",        "at",       "while",       "args"};

/// Ops that are printed without a dialect at the top of a file, now or in older versions.
constexpr std::array<std::string_view, 4> kTopOps = {"module", "func", "unrealized_conversion_cast", "llvm"};

/// An op that was begun. The one at hand, or the owner of an open region.
struct Statement {
  int32_t op;
  size_t indent;        ///< column of its first byte
  std::string brackets; ///< that are open in its text
  uint64_t hash = 0;
  uint64_t inside = 0; ///< of the ops in its regions
  int32_t arguments = 0;
  size_t firstUse = 0;    ///< in `open`
  size_t firstHidden = 0; ///< in `hidden`, behind its own results
  size_t bindsTo = 0;     ///< values before this position are defined, not used
};

struct Definition {
  int32_t op = -1, number = 0;
  bool argument = false;
};

/// What a name stood for before it was defined anew.
struct Hidden {
  std::string_view name;
  Definition definition; ///< op -1: nothing
};

class Scanner {
public:
  Scanner(std::string_view text, Scan &scan, size_t mostOps) : text(text), result(scan), mostOps(mostOps) {}

  void run() {
    while (at < text.size()) {
      if (inStatement)
        stepStatement();
      else
        stepList();
    }
    // An op at the end of the text is complete where no bracket and no region of it is open.
    result.isCut = stack.size() > 1 || (!stack.empty() && (!inStatement || !stack.back().brackets.empty()));
    while (!stack.empty())
      endStatement();
    result.lines = line - (!text.empty() && text.back() == '\n');
  }

private:
  // Between ops.

  void stepList() {
    skipBlank();
    if (at >= text.size())
      return;
    const char c = text[at];
    if (c == '}' && !stack.empty()) {
      ++at;
      lastByte = at;
      inStatement = true;
      stack.back().hash = mix(stack.back().hash, '}');
      return;
    }
    if (c == '^')
      return readLabel();
    if (text.substr(at, 3) == "{-#")
      return skipResources();
    if (stack.empty() && (c == '#' || c == '!') && readAlias())
      return;
    if (result.ops.size() < mostOps) {
      if (startsOp(at))
        return beginStatement();
      // A line that is not understood but opens a region is an op without a name: what is inside is read.
      const size_t end = lineEnd(text, at);
      const size_t last = text.find_last_not_of(" \t\r", end ? end - 1 : 0);
      if (last != std::string_view::npos && last > at && text[last] == '{' && stack.size() < kDeepest &&
          !stack.empty()) {
        addUnparsed(result, line);
        pushStatement();
        at = last;
        stack.back().hash = mixText(1, text.substr(result.ops.back().begin, last - result.ops.back().begin));
        return openRegion();
      }
    }
    addUnparsed(result, line);
    at = lineEnd(text, at);
  }

  /// Skips spaces, comments and ends of lines.
  void skipBlank() {
    while (at < text.size()) {
      const char c = text[at];
      if (c == '\n') {
        ++line;
        lineBegin = ++at;
      } else if (isSpace(c)) {
        ++at;
      } else if (c == '/' && charAt(text, at + 1) == '/') {
        at = lineEnd(text, at);
      } else {
        return;
      }
    }
  }

  /// `^bb1(%arg0: i32, ...):`. Its arguments belong to the op around it.
  void readLabel() {
    const size_t begin = at;
    at = skipName(text, at + 1);
    int depth = 0;
    for (; at < text.size() && text[at] != '\n'; ++at) {
      const char c = text[at];
      if (c == '"') {
        at = skipQuoted(text, at) - 1;
      } else if (c == '/' && charAt(text, at + 1) == '/') {
        break;
      } else if (c == '(' || c == '[') {
        ++depth;
      } else if (c == ')' || c == ']') {
        --depth;
      } else if (c == '%') {
        const size_t end = skipName(text, at + 1);
        if (!stack.empty())
          define(text.substr(at, end - at), {stack.back().op, stack.back().arguments++, true});
        at = end - 1;
      } else if (c == ':' && depth <= 0) {
        ++at;
        if (!stack.empty())
          stack.back().hash = mix(stack.back().hash, '^');
        return;
      }
    }
    if (stack.empty() || text.substr(begin, at - begin).find(':') == std::string_view::npos)
      addUnparsed(result, line);
  }

  void skipResources() {
    size_t end = text.find("#-}", at);
    end = end == std::string_view::npos ? text.size() : end + 3;
    line += std::count(text.begin() + static_cast<ptrdiff_t>(at), text.begin() + static_cast<ptrdiff_t>(end), '\n');
    at = end;
  }

  /// `#map = ...`, `!type = ...`: to the end of the line on which its brackets are closed.
  bool readAlias() {
    const size_t nameEnd = skipName(text, at + 1);
    size_t begin = skipSpaces(text, nameEnd);
    if (nameEnd == at + 1 || charAt(text, begin) != '=')
      return false;
    begin = skipSpaces(text, begin + 1);
    const std::string_view name = text.substr(at, nameEnd - at);
    int depth = 0;
    size_t end = begin;
    for (; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '"') {
        end = skipQuoted(text, end) - 1;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || c == '}') {
        --depth;
      } else if (c == '\n') {
        if (depth <= 0)
          break;
        ++line;
      }
    }
    const std::string_view value = text.substr(begin, end - begin);
    result.aliases.insert_or_assign(name, value);
    if (name[0] != '#' || !value.starts_with("loc("))
      aliasHashes.insert_or_assign(name, hashValue(value));
    at = end;
    return true;
  }

  /// The hash of an attribute or type, in which aliases count as what they stand for.
  uint64_t hashValue(std::string_view value) const {
    uint64_t hash = 0;
    for (size_t i = 0; i < value.size();) {
      if (value[i] == '"') {
        const size_t end = skipQuoted(value, i);
        hash = mixText(hash, value.substr(i, end - i));
        i = end;
      } else if (value[i] == '#' || value[i] == '!') {
        const size_t end = skipName(value, i + 1);
        hash = mix(hash, aliasHash(value.substr(i, end - i)));
        i = end;
      } else if (isWord(value[i])) {
        const size_t end = skipWord(value, i);
        hash = mixText(hash, value.substr(i, end - i));
        i = end;
      } else {
        if (!isSpace(value[i]) && value[i] != '\n')
          hash = mix(hash, static_cast<unsigned char>(value[i]));
        ++i;
      }
    }
    return hash;
  }
  uint64_t aliasHash(std::string_view name) const {
    const auto found = aliasHashes.find(name);
    return found == aliasHashes.end() ? mixText(0, name) : found->second;
  }

  // Where ops begin.

  /// After "%a, %b:2 =", or 0 where there is no such thing.
  size_t skipResults(size_t from) const {
    for (size_t i = from; charAt(text, i) == '%';) {
      const size_t end = skipName(text, i + 1);
      if (end == i + 1)
        return 0;
      i = end;
      if (charAt(text, i) == ':' && isDigit(charAt(text, i + 1)))
        for (++i; isDigit(charAt(text, i));)
          ++i;
      i = skipSpaces(text, i);
      if (charAt(text, i) == '=' && charAt(text, i + 1) != '=')
        return i + 1;
      if (charAt(text, i) != ',')
        return 0;
      i = skipSpaces(text, i + 1);
    }
    return 0;
  }

  bool startsOp(size_t from) const {
    const char c = charAt(text, from);
    if (c == '%')
      return skipResults(from) != 0;
    if (c == '"') {
      const size_t end = skipQuoted(text, from);
      return end > from + 2 && charAt(text, skipSpaces(text, end)) == '(' && text[end - 1] == '"';
    }
    if (!isLetter(c))
      return false;
    const size_t end = skipWord(text, from);
    const std::string_view word = text.substr(from, end - from);
    const char next = charAt(text, end), then = charAt(text, skipSpaces(text, end));
    if (then == '=' || isOneOf(word, kContinuations))
      return false;
    const bool ends =
        next == '\0' || isSpace(next) || std::string_view("\n({<[@%\"}#!").find(next) != std::string_view::npos;
    const size_t dot = word.find('.');
    if (dot != std::string_view::npos && dot > 0 && dot + 1 < word.size())
      return ends || next == '-';
    if (stack.empty())
      return isOneOf(word, kTopOps) ? ends : ends && then == '@';
    return ends;
  }

  // In an op.

  void pushStatement() {
    stack.push_back(
        {static_cast<int32_t>(result.ops.size()), at - lineBegin, {}, 0, 0, 0, open.size(), hidden.size(), 0});
    ScannedOp op;
    op.begin = op.end = op.headEnd = at;
    op.line = op.lastLine = line;
    op.parent = stack.size() > 1 ? stack[stack.size() - 2].op : -1;
    op.region = op.parent < 0 ? 0 : std::max(0, result.ops[static_cast<size_t>(op.parent)].regions - 1);
    result.ops.push_back(op);
    lastByte = at;
    lastLine = line;
    inStatement = true;
  }

  void beginStatement() {
    pushStatement();
    const size_t number = result.ops.size() - 1;
    if (text[at] == '%')
      readResults(number);
    stack.back().firstHidden = hidden.size();
    ScannedOp &op = result.ops[number];
    const char c = charAt(text, at);
    if (c == '"') {
      const size_t end = skipQuoted(text, at);
      op.name = text.substr(at + 1, end - at - (text[end - 1] == '"' ? 2 : 1));
      at = end;
    } else if (isLetter(c)) {
      const size_t end = skipWord(text, at);
      op.name = text.substr(at, end - at);
      at = end;
    } else {
      addUnparsed(result, line);
    }
    lastByte = at;
    Statement &statement = stack.back();
    statement.hash = mix(mixText(0, op.name), static_cast<uint64_t>(op.results));
  }

  void readResults(size_t number) {
    int32_t count = 0;
    while (charAt(text, at) == '%') {
      const size_t end = skipName(text, at + 1);
      define(text.substr(at, end - at), {static_cast<int32_t>(number), count, false});
      at = end;
      int32_t pack = 1;
      if (charAt(text, at) == ':') {
        pack = 0;
        for (++at; isDigit(charAt(text, at)); ++at)
          pack = std::min(pack * 10 + (text[at] - '0'), 1'000'000);
      }
      count = std::min(count + pack, 1'000'000);
      at = skipSpaces(text, at);
      const bool ends = charAt(text, at) != ',';
      at = skipSpaces(text, at + 1); // after "=" or ","
      if (ends)
        break;
    }
    result.ops[number].results = count;
  }

  void define(std::string_view name, Definition definition) {
    Definition &known = definitions[name];
    hidden.push_back({name, known});
    known = definition;
  }

  /// Values that regions define are not seen behind them; other functions use the same names.
  void leaveScope(size_t firstHidden) {
    for (; hidden.size() > firstHidden; hidden.pop_back())
      definitions[hidden.back().name] = hidden.back().definition;
  }

  void take(size_t end) {
    at = end;
    lastByte = end;
    lastLine = line;
  }
  void takeChar() {
    stack.back().hash = mix(stack.back().hash, static_cast<unsigned char>(text[at]));
    take(at + 1);
  }
  void takeText(size_t end) {
    stack.back().hash = mixText(stack.back().hash, text.substr(at, end - at));
    take(end);
  }

  void stepStatement() {
    Statement &statement = stack.back();
    const char c = text[at];
    switch (c) {
    case ' ':
    case '\t':
    case '\r':
      ++at;
      return;
    case '\n':
      return endLine();
    case '/':
      if (charAt(text, at + 1) == '/') {
        at = lineEnd(text, at);
        return;
      }
      return takeChar();
    case '"':
      return takeText(skipQuoted(text, at));
    case '%':
      return readValue();
    case '@':
      return readSymbol();
    case '#':
    case '!': {
      const size_t end = skipName(text, at + 1);
      statement.hash = mix(statement.hash, aliasHash(text.substr(at, end - at)));
      return take(end);
    }
    case '^':
      statement.hash = mix(statement.hash, '^');
      return take(skipName(text, at + 1));
    case '(':
      if (const size_t end = bindingsEnd(at + 1))
        statement.bindsTo = end;
      [[fallthrough]];
    case '[':
      statement.brackets += c;
      return takeChar();
    case ')':
    case ']':
      if (!statement.brackets.empty() && statement.brackets.back() == (c == ')' ? '(' : '['))
        statement.brackets.pop_back();
      return takeChar();
    case '{':
      if (opensRegion() && stack.size() < kDeepest)
        return openRegion();
      statement.brackets += c;
      return takeChar();
    case '}':
      if (!statement.brackets.empty() && statement.brackets.back() == '{') {
        statement.brackets.pop_back();
        return takeChar();
      }
      if (!statement.brackets.empty())
        addUnparsed(result, line);
      return endStatement(); // it closes the region around
    default:
      if (isWord(c)) {
        const size_t end = skipWord(text, at);
        if (end - at == 3 && charAt(text, end) == '(' && text.substr(at, 3) == "loc")
          return readLocation(end);
        return takeText(end);
      }
      return takeChar();
    }
  }

  /// Whether what follows says that the values before it are those of a region: "=", "in".
  bool isBinder(size_t from) const {
    const size_t next = skipSpaces(text, from);
    if (charAt(text, next) == '=')
      return charAt(text, next + 1) != '=';
    return text.substr(next, 2) == "in" && (isSpace(charAt(text, next + 2)) || charAt(text, next + 2) == '(');
  }

  /// Of "%i, %j) =", "%i, %j) in (" and "%i, %j) : index =" after a parenthesis: the position of the closing one; of
  /// other lists 0.
  size_t bindingsEnd(size_t from) const {
    for (size_t i = skipSpaces(text, from); charAt(text, i) == '%';) {
      i = skipSpaces(text, skipName(text, i + 1));
      if (charAt(text, i) == ':')
        i = skipSpaces(text, skipWord(text, skipSpaces(text, i + 1)));
      if (charAt(text, i) == ',') {
        i = skipSpaces(text, i + 1);
        continue;
      }
      if (charAt(text, i) != ')')
        return 0;
      size_t next = skipSpaces(text, i + 1);
      if (charAt(text, next) == ':')
        next = skipWord(text, skipSpaces(text, next + 1));
      return isBinder(next) ? i : 0;
    }
    return 0;
  }

  void readValue() {
    const size_t end = skipName(text, at + 1);
    const std::string_view name = text.substr(at, end - at);
    Statement &statement = stack.back();
    statement.hash = mix(statement.hash, '%');
    const char next = charAt(text, end);
    // "port: %value: type" names a port.
    const bool isNamed = at > 1 && text[at - 1] == ' ' && text[at - 2] == ':';
    const bool defines = (next == ':' && !isDigit(charAt(text, end + 1)) && charAt(text, end + 1) != ':' && !isNamed) ||
                         at < statement.bindsTo || isBinder(end);
    if (defines) {
      define(name, {statement.op, statement.arguments++, true});
      return take(end);
    }
    ValueUse use;
    use.name = name;
    size_t last = end;
    int32_t number = 0;
    if (next == '#')
      for (++last; isDigit(charAt(text, last)); ++last)
        number = std::min(number * 10 + (text[last] - '0'), 1'000'000);
    if (const auto found = definitions.find(name); found != definitions.end() && found->second.op >= 0) {
      use.op = found->second.op;
      use.number = found->second.number + number;
      use.argument = found->second.argument;
    }
    open.push_back(use);
    take(last);
  }

  void readSymbol() {
    size_t end = charAt(text, at + 1) == '"' ? skipQuoted(text, at + 1) : skipName(text, at + 1);
    ScannedOp &op = result.ops[static_cast<size_t>(stack.back().op)];
    if (op.symbol.empty()) {
      op.symbol = text.substr(at + 1, end - at - 1);
      if (op.symbol.size() > 1 && op.symbol.front() == '"' && op.symbol.back() == '"')
        op.symbol = op.symbol.substr(1, op.symbol.size() - 2);
    }
    takeText(end);
  }

  /// `open`: its parenthesis.
  void readLocation(size_t open) {
    int depth = 0;
    size_t end = open;
    for (; end < text.size() && text[end] != '\n'; ++end) {
      if (text[end] == '"') {
        end = skipQuoted(text, end) - 1;
      } else if (text[end] == '(' || text[end] == '[' || text[end] == '<') {
        ++depth;
      } else if ((text[end] == ')' || text[end] == ']' || (text[end] == '>' && text[end - 1] != '-')) && --depth == 0) {
        break;
      }
    }
    end = std::min(end, text.size());
    // A location within brackets is that of an argument.
    if (stack.back().brackets.empty())
      result.ops[static_cast<size_t>(stack.back().op)].location = text.substr(open + 1, end - std::min(end, open + 1));
    take(std::min(end + 1, text.size()));
  }

  /// Whether the brace at hand opens a region: what follows it can begin an op or a block, and cannot begin an entry of
  /// a dictionary.
  bool opensRegion() const {
    if (at > 0 && text[at - 1] == '<')
      return false;
    size_t i = at + 1;
    bool crossed = false;
    for (; i < text.size(); ++i) {
      if (text[i] == '\n')
        crossed = true;
      else if (text[i] == '/' && charAt(text, i + 1) == '/')
        i = lineEnd(text, i) - 1;
      else if (!isSpace(text[i]))
        break;
    }
    const char c = charAt(text, i);
    if (c == '\0' || c == '^')
      return true;
    // "{%size}" is a part of a type.
    if (c == '%')
      return crossed || skipResults(i) != 0;
    if (c == '}')
      return crossed;
    if (c == '"') {
      const char then = charAt(text, skipSpaces(text, skipQuoted(text, i)));
      return then == '(';
    }
    if (!isLetter(c))
      return false;
    const size_t end = skipWord(text, i);
    size_t j = end;
    bool newLine = false;
    for (; j < text.size() && (isSpace(text[j]) || text[j] == '\n'); ++j)
      newLine = newLine || text[j] == '\n';
    const char then = charAt(text, j);
    // "{llvm.noalias}" is a dictionary, "{ arith.addf }" and a line of its own a region.
    if (then == '}')
      return (crossed || isSpace(text[at + 1])) && text.substr(i, end - i).find('.') != std::string_view::npos
                 ? true
                 : newLine && crossed;
    if (then == '=' || then == ',')
      return newLine && then != '=' && crossed;
    if (then == ':')
      return newLine || text.substr(i, end - i).find('.') != std::string_view::npos;
    return true;
  }

  void openRegion() {
    Statement &statement = stack.back();
    ScannedOp &op = result.ops[static_cast<size_t>(statement.op)];
    if (op.regions == 0)
      op.headEnd = at;
    ++op.regions;
    statement.hash = mix(statement.hash, '{');
    statement.inside = mix(statement.inside, '{');
    take(at + 1);
    inStatement = false;
  }

  /// At the end of a line: whether the op goes on.
  void endLine() {
    const size_t before = stack.back().indent;
    skipBlank();
    if (at >= text.size())
      return;
    const char c = text[at];
    Statement &statement = stack.back();
    if (!statement.brackets.empty()) {
      // A line that begins an op, not further in than this one, is one: a bracket was not closed.
      if (at - lineBegin <= before && (c == '%' || isLetter(c)) && startsOp(at) && statement.brackets.back() != '{' &&
          lineBegin > 0) {
        addUnparsed(result, lastLine);
        endStatement();
      }
      return;
    }
    if (isLetter(c) && continues(before))
      return;
    if (c == '^' || c == '}' || text.substr(at, 3) == "{-#" || startsOp(at))
      return endStatement();
    if (stack.size() == 1 && (c == '#' || c == '!'))
      return endStatement();
    if (isLetter(c)) {
      const size_t end = skipWord(text, at);
      const std::string_view word = text.substr(at, end - at);
      if (!isOneOf(word, kContinuations) && charAt(text, skipSpaces(text, end)) != '=')
        endStatement();
      return;
    }
    // At the top what follows an op may be anything, such as the output of a tool.
    if (stack.size() == 1 && std::string_view("-:({[=,<%").find(c) == std::string_view::npos)
      endStatement();
  }

  /// Whether the word at the beginning of a line continues an op that begins at column `indent`: one without a dialect
  /// further in, such as "cond {", or a numbered part, "partition0(...) {".
  bool continues(size_t indent) const {
    const size_t end = skipWord(text, at);
    std::string_view word = text.substr(at, end - at);
    if (word.find('.') != std::string_view::npos)
      return false;
    if (at - lineBegin > indent && stack.size() > 1)
      return true;
    while (!word.empty() && isDigit(word.back()))
      word.remove_suffix(1);
    return word == "partition" && word.size() < end - at;
  }

  void endStatement() {
    const Statement &statement = stack.back();
    const size_t number = static_cast<size_t>(statement.op);
    ScannedOp &op = result.ops[number];
    op.end = std::max(lastByte, op.begin);
    if (op.regions == 0)
      op.headEnd = op.end;
    op.lastLine = lastLine;
    op.next = static_cast<int32_t>(result.ops.size());
    op.own = statement.hash;
    op.firstUse = static_cast<uint32_t>(result.uses.size());
    op.useCount = static_cast<uint32_t>(open.size() - statement.firstUse);
    const auto first = open.begin() + static_cast<ptrdiff_t>(statement.firstUse);
    result.uses.insert(result.uses.end(), first, open.end());
    open.erase(first, open.end());
    op.deep = deepHash(result, number, statement.inside);
    const uint64_t deep = op.deep;
    if (op.regions)
      leaveScope(statement.firstHidden);
    stack.pop_back();
    if (!stack.empty())
      stack.back().inside = mix(stack.back().inside, deep);
    inStatement = false;
  }

  std::string_view text;
  Scan &result;
  size_t mostOps;
  size_t at = 0, lineBegin = 0, lastByte = 0;
  int64_t line = 1, lastLine = 1;
  bool inStatement = false; ///< else between the ops of the last one's region, or of the file
  std::vector<Statement> stack;
  std::vector<ValueUse> open; ///< uses of the ops of `stack`, the innermost last
  std::unordered_map<std::string_view, Definition> definitions;
  std::vector<Hidden> hidden; ///< by the definitions of the regions that are open, the innermost last
  std::unordered_map<std::string_view, uint64_t> aliasHashes;
};

} // namespace

void scanMlir(std::string_view text, Scan &scan, size_t mostOps) { Scanner(text, scan, mostOps).run(); }

} // namespace mica::passdump
