//===- ScanLines.cpp - ops of LLVM IR and HLO -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Both are lines: a function or computation, the instructions in it, its closing brace. Numbers of values, blocks,
// metadata and attribute groups are left out of hashes, since any edit renumbers them.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Scanners.h"

#include <algorithm>
#include <array>
#include <string>

namespace mica::passdump {
namespace {

/// What is common to languages of lines.
class LineScanner {
public:
  LineScanner(std::string_view text, Scan &scan, size_t mostOps) : text(text), result(scan), mostOps(mostOps) {}

protected:
  std::string_view trimmed(size_t begin, size_t end) const {
    while (begin < end && isSpace(text[begin]))
      ++begin;
    while (end > begin && isSpace(text[end - 1]))
      --end;
    return text.substr(begin, end - begin);
  }

  ScannedOp &addOp(std::string_view name, size_t begin, size_t end) {
    ScannedOp op;
    op.name = name;
    op.begin = begin;
    op.headEnd = op.end = end;
    op.line = op.lastLine = line;
    op.parent = around;
    op.firstUse = static_cast<uint32_t>(result.uses.size());
    op.next = static_cast<int32_t>(result.ops.size()) + 1;
    result.ops.push_back(op);
    return result.ops.back();
  }

  /// Ends op `number` and takes it into what is around.
  void finish(size_t number, uint64_t own) {
    ScannedOp &op = result.ops[number];
    op.useCount = static_cast<uint32_t>(result.uses.size()) - op.firstUse;
    op.own = own;
    op.deep = deepHash(result, number, 0);
    if (around >= 0)
      inside = mix(inside, op.deep);
  }

  void openBody(size_t number) {
    around = static_cast<int32_t>(number);
    result.ops[number].regions = 1;
    inside = 0;
    values.clear();
    arguments = 0;
  }

  void closeBody(size_t end) {
    if (around < 0)
      return addUnparsed(result, line);
    ScannedOp &op = result.ops[static_cast<size_t>(around)];
    op.end = end;
    op.lastLine = line;
    op.next = static_cast<int32_t>(result.ops.size());
    op.deep = mix(op.deep, inside);
    around = -1;
  }

  void use(std::string_view name) {
    ValueUse made;
    made.name = name;
    if (const auto found = values.find(name); found != values.end()) {
      made = found->second;
      made.name = name;
    }
    result.uses.push_back(made);
  }

  std::string_view text;
  Scan &result;
  size_t mostOps;
  int64_t line = 0;
  int32_t around = -1; ///< the function or computation at hand
  uint64_t inside = 0;
  int32_t arguments = 0;
  std::unordered_map<std::string_view, ValueUse> values;
};

class LlvmScanner : LineScanner {
public:
  using LineScanner::LineScanner;

  void run() {
    for (size_t at = 0; at < text.size();) {
      size_t end = lineEnd(text, at);
      ++line;
      const size_t next = end + 1;
      const std::string_view here = trimmed(at, end);
      at = next;
      if (here.empty() || here[0] == ';' || result.ops.size() >= mostOps) {
        if (!here.empty() && here[0] != ';')
          addUnparsed(result, line);
        continue;
      }
      const size_t begin = static_cast<size_t>(here.data() - text.data());
      if (around < 0) {
        outside(here, begin);
        continue;
      }
      if (here[0] == '}') {
        closeBody(begin + 1);
        continue;
      }
      const size_t word = skipName(here, here[0] == '"' ? 0 : 0);
      if ((here[0] == '"' && here.find("\":") != std::string_view::npos) ||
          (word && charAt(here, word) == ':' && !here.starts_with("#dbg")))
        continue; // a label
      // A switch goes on until its bracket is closed.
      end = begin + here.size();
      const int64_t first = line;
      while (openBrackets(text.substr(begin, end - begin)) > 0 && end < text.size() && line - first < 100'000) {
        const size_t last = lineEnd(text, end + 1);
        ++line;
        if (trimmed(end + 1, last).ends_with(']')) {
          end = last;
          break;
        }
        end = last;
      }
      instruction(text.substr(begin, end - begin), begin, first);
      at = std::max(next, end + 1); // blanks at the end of the line are behind `end`
    }
    result.isCut = around >= 0;
    if (around >= 0)
      closeBody(text.size());
    result.lines = line;
  }

private:
  static int openBrackets(std::string_view line) {
    int depth = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"')
        i = skipQuoted(line, i) - 1;
      else if (line[i] == ';')
        break;
      else if (line[i] == '[')
        ++depth;
      else if (line[i] == ']')
        --depth;
    }
    return line.find("switch ") != std::string_view::npos ? depth : 0;
  }

  void outside(std::string_view here, size_t begin) {
    if (here.starts_with("define ") || here.starts_with("declare ")) {
      ScannedOp &op = addOp(here.substr(0, here.find(' ')), begin, begin + here.size());
      const size_t number = result.ops.size() - 1, symbol = here.find('@');
      size_t last = symbol;
      if (symbol != std::string_view::npos) {
        last = charAt(here, symbol + 1) == '"' ? skipQuoted(here, symbol + 1) : skipName(here, symbol + 1);
        op.symbol = here.substr(symbol + 1, last - symbol - 1);
      }
      const bool hasBody = here[0] == 'd' && here[2] == 'f' && here.ends_with('{');
      if (hasBody)
        op.headEnd = begin + here.size() - 1;
      const uint64_t own = hashTokens(here, false);
      const int32_t outer = around;
      finish(number, own);
      around = outer;
      if (hasBody) {
        openBody(number);
        for (size_t at = here.find('%'); at != std::string_view::npos; at = here.find('%', at + 1))
          if (const size_t end = skipName(here, at + 1); end > at + 1)
            values[here.substr(at, end - at)] = {static_cast<int32_t>(number), arguments++, true, {}};
        if (const size_t dbg = here.find("!dbg "); dbg != std::string_view::npos)
          result.ops[number].location = here.substr(dbg + 5, skipName(here, dbg + 6) - dbg - 5);
      }
      return;
    }
    const size_t equal = here.find(" = ");
    if (here[0] == '!' && equal != std::string_view::npos) {
      result.aliases.insert_or_assign(here.substr(0, equal), here.substr(equal + 3));
      return;
    }
    if (here[0] == '@' && equal != std::string_view::npos) {
      ScannedOp &op = addOp("global", begin, begin + here.size());
      op.symbol = here.substr(1, equal - 1);
      finish(result.ops.size() - 1, hashTokens(here, false));
      return;
    }
    if (here[0] == '%' || here[0] == '$' || here.starts_with("attributes ") || here.starts_with("source_filename") ||
        here.starts_with("target ") || here.starts_with("module asm"))
      return;
    addUnparsed(result, line);
  }

  void instruction(std::string_view here, size_t begin, int64_t first) {
    std::string_view rest = here, defined;
    if (here[0] == '%') {
      const size_t end = charAt(here, 1) == '"' ? skipQuoted(here, 1) : skipName(here, 1);
      const size_t equal = skipSpaces(here, end);
      if (charAt(here, equal) != '=')
        return addUnparsed(result, line);
      defined = here.substr(0, end);
      rest = here.substr(skipSpaces(here, equal + 1));
    }
    size_t wordEnd = skipName(rest, 0);
    std::string_view opcode = rest.substr(0, wordEnd);
    if (opcode == "tail" || opcode == "musttail" || opcode == "notail")
      opcode = "call";
    if (rest.starts_with("#dbg_"))
      opcode = rest.substr(0, skipName(rest, 1));
    if (opcode.empty() || !(isLetter(opcode[0]) || opcode[0] == '#'))
      return addUnparsed(result, line);
    ScannedOp &op = addOp(opcode, begin, begin + here.size());
    op.line = first;
    op.results = !defined.empty();
    if (opcode == "call" || opcode == "invoke")
      if (const size_t symbol = rest.find('@'); symbol != std::string_view::npos)
        op.symbol = rest.substr(symbol + 1, skipName(rest, symbol + 1) - symbol - 1);
    if (const size_t dbg = rest.find("!dbg "); dbg != std::string_view::npos)
      op.location = rest.substr(dbg + 5, skipName(rest, dbg + 6) - dbg - 5);
    const size_t number = result.ops.size() - 1;
    const uint64_t own = hashTokens(rest, true);
    finish(number, own);
    if (!defined.empty())
      values[defined] = {static_cast<int32_t>(number), 0, false, {}};
  }

  /// Of the tokens of a line without names of values, blocks, metadata and attribute groups. `uses`: values are noted.
  uint64_t hashTokens(std::string_view here, bool uses) {
    uint64_t hash = 0;
    bool label = false;
    for (size_t at = 0; at < here.size();) {
      const char c = here[at];
      if (c == ';')
        break;
      size_t end = at + 1;
      if (c == '"') {
        end = skipQuoted(here, at);
        hash = mixText(hash, here.substr(at, end - at));
      } else if (c == '%') {
        end = charAt(here, at + 1) == '"' ? skipQuoted(here, at + 1) : skipName(here, at + 1);
        hash = mix(hash, '%');
        if (uses && !label)
          use(here.substr(at, end - at));
      } else if (c == '#' || c == '!') {
        end = skipName(here, at + 1);
      } else if (isWord(c)) {
        end = skipName(here, at);
        const std::string_view word = here.substr(at, end - at);
        label = word == "label";
        if (word != "dbg")
          hash = mixText(hash, word);
        at = end;
        continue;
      } else if (!isSpace(c) && c != ',' && c != '\n') {
        hash = mix(hash, static_cast<unsigned char>(c));
      }
      if (!isSpace(c))
        label = false;
      at = end;
    }
    return hash;
  }
};

class HloScanner : LineScanner {
public:
  using LineScanner::LineScanner;

  void run() {
    for (size_t at = 0; at < text.size();) {
      const size_t end = lineEnd(text, at);
      ++line;
      std::string_view here = trimmed(at, end);
      at = end + 1;
      if (here.empty() || here.starts_with("HloModule") || here.starts_with("//") || (around < 0 && tableRow(here)))
        continue;
      const int64_t first = line;
      if (around >= 0 && here[0] != '}')
        here = withLiteral(here, at);
      const size_t begin = static_cast<size_t>(here.data() - text.data());
      if (result.ops.size() >= mostOps)
        addUnparsed(result, line);
      else if (around >= 0 && here[0] == '}')
        closeBody(begin + 1);
      else if (around < 0 && here.ends_with('{'))
        computation(here, begin);
      else if (around < 0 || !instruction(here, begin, first))
        addUnparsed(result, line);
    }
    result.isCut = around >= 0;
    if (around >= 0)
      closeBody(text.size());
    result.lines = line;
  }

private:
  /// The tables of files and stack frames before the computations: a title, then rows that begin with their number.
  bool tableRow(std::string_view here) {
    static constexpr std::array<std::string_view, 4> kTitles = {"FileNames", "FileLocations", "StackFrames",
                                                                "FunctionNames"};
    if (const auto *title = std::find(kTitles.begin(), kTitles.end(), here); title != kTitles.end()) {
      table = static_cast<uint64_t>(title - kTitles.begin()) + 1;
      return true;
    }
    size_t end = 0;
    uint64_t number = 0;
    for (; end < 9 && isDigit(charAt(here, end)); ++end)
      number = number * 10 + static_cast<uint64_t>(here[end] - '0');
    if (!table || !end || charAt(here, end) != ' ')
      return false;
    result.tables.emplace(table << 32 | number, here.substr(end + 1));
    return true;
  }

  /// `here` with the lines on which a literal goes on, "constant({" to "})"; `at` moves behind them.
  std::string_view withLiteral(std::string_view here, size_t &at) {
    constexpr int64_t kMostLines = 10'000;
    const size_t begin = static_cast<size_t>(here.data() - text.data());
    size_t last = at, scanned = 0;
    int64_t lines = 0;
    int depth = 0;
    std::string_view all = here;
    while (true) {
      for (; scanned < all.size(); ++scanned) {
        const char c = all[scanned];
        if (c == '"')
          scanned = std::min(skipQuoted(all, scanned), all.size()) - 1;
        else
          depth += (c == '(' || c == '{') - (c == ')' || c == '}');
      }
      if (depth <= 0)
        break;
      if (last >= text.size() || ++lines > kMostLines || text[last] == '}')
        return here;
      const size_t end = lineEnd(text, last);
      last = end + 1;
      all = text.substr(begin, end - begin);
    }
    if (!lines)
      return here;
    line += lines;
    at = last;
    return all;
  }

  uint64_t table = 0; ///< that is being read; 0: none

  void computation(std::string_view here, size_t begin) {
    const bool entry = here.starts_with("ENTRY ");
    size_t at = entry ? skipSpaces(here, 6) : 0;
    if (charAt(here, at) == '%')
      ++at;
    const size_t end = skipName(here, at);
    ScannedOp &op = addOp(entry ? "ENTRY" : "computation", begin, begin + here.size());
    op.symbol = here.substr(at, end - at);
    op.headEnd = begin + here.size() - 1;
    const size_t number = result.ops.size() - 1;
    finish(number, mix(entry, mixText(0, withoutNumber(op.symbol))));
    openBody(number);
  }

  /// "add.12" as "add": numbers are given anew by every pass.
  static std::string_view withoutNumber(std::string_view name) {
    const size_t end = name.find_last_not_of("0123456789.");
    return name.substr(0, end == std::string_view::npos ? 0 : end + 1);
  }

  static size_t skipBalanced(std::string_view here, size_t at) {
    int depth = 0;
    for (; at < here.size(); ++at) {
      if (here[at] == '"')
        at = skipQuoted(here, at) - 1;
      else if (here[at] == '(' || here[at] == '{')
        ++depth;
      else if ((here[at] == ')' || here[at] == '}') && --depth <= 0)
        return at + 1;
    }
    return here.size();
  }

  bool instruction(std::string_view here, size_t begin, int64_t first) {
    size_t at = 0;
    const bool root = here.starts_with("ROOT ");
    if (root)
      at = skipSpaces(here, 5);
    if (charAt(here, at) == '%')
      ++at;
    const size_t nameEnd = skipName(here, at);
    const std::string_view defined = here.substr(at, nameEnd - at);
    at = skipSpaces(here, nameEnd);
    if (defined.empty() || charAt(here, at) != '=')
      return false;
    at = skipSpaces(here, at + 1);
    const size_t typeBegin = at;
    if (charAt(here, at) == '(')
      at = skipBalanced(here, at);
    else
      while (at < here.size() && !isSpace(here[at]))
        ++at;
    const std::string_view type = here.substr(typeBegin, at - typeBegin);
    at = skipSpaces(here, at);
    const size_t opEnd = skipName(here, at);
    const std::string_view opcode = here.substr(at, opEnd - at);
    if (opcode.empty() || charAt(here, opEnd) != '(')
      return false;
    ScannedOp &op = addOp(opcode, begin, begin + here.size());
    op.line = first;
    op.results = 1;
    const size_t number = result.ops.size() - 1;
    const size_t operandsEnd = skipBalanced(here, opEnd);
    uint64_t hash = mix(mixText(mixText(root, opcode), type), 0);
    const std::string_view inner = here.substr(opEnd + 1, operandsEnd - std::min(operandsEnd, opEnd + 2));
    if (opcode == "constant" || opcode == "parameter" || opcode == "iota")
      hash = mixText(hash, inner);
    else
      operands(inner);
    const size_t metadata = here.find("metadata={", operandsEnd);
    hash = attributes(here.substr(operandsEnd, metadata == std::string_view::npos ? metadata : metadata - operandsEnd),
                      hash);
    if (metadata != std::string_view::npos)
      result.ops[number].location = here.substr(metadata, skipBalanced(here, metadata) - metadata);
    finish(number, hash);
    values[defined] = {static_cast<int32_t>(number), 0, false, {}};
    return true;
  }

  /// Each ends with a name: "f32[2]{0} %a", "%a" or "a".
  void operands(std::string_view list) {
    size_t last = 0;
    int depth = 0;
    auto take = [&](size_t end) {
      std::string_view operand = list.substr(last, end - last);
      while (!operand.empty() && isSpace(operand.back()))
        operand.remove_suffix(1);
      const size_t space = operand.find_last_of(" /");
      if (space != std::string_view::npos)
        operand.remove_prefix(space + 1);
      if (operand.starts_with('%'))
        operand.remove_prefix(1);
      if (!operand.empty())
        use(operand);
    };
    for (size_t i = 0; i < list.size(); ++i) {
      const char c = list[i];
      if (c == '(' || c == '{' || c == '[')
        ++depth;
      else if (c == ')' || c == '}' || c == ']')
        --depth;
      else if (c == ',' && depth == 0) {
        take(i);
        last = i + 1;
      }
    }
    take(list.size());
  }

  static uint64_t attributes(std::string_view list, uint64_t hash) {
    for (size_t at = 0; at < list.size();) {
      size_t end = at + 1;
      if (list[at] == '%') {
        end = skipName(list, at + 1);
        hash = mixText(hash, withoutNumber(list.substr(at, end - at)));
      } else if (list[at] == '"') {
        end = skipQuoted(list, at);
        hash = mixText(hash, list.substr(at, end - at));
      } else if (isWord(list[at])) {
        end = skipName(list, at);
        hash = mixText(hash, list.substr(at, end - at));
      } else if (!isSpace(list[at]) && list[at] != ',') {
        hash = mix(hash, static_cast<unsigned char>(list[at]));
      }
      at = end;
    }
    return hash;
  }
};

} // namespace

void scanLlvm(std::string_view text, Scan &scan, size_t mostOps) { LlvmScanner(text, scan, mostOps).run(); }
void scanHlo(std::string_view text, Scan &scan, size_t mostOps) { HloScanner(text, scan, mostOps).run(); }

} // namespace mica::passdump
