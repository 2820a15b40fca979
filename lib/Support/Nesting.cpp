//===- Nesting.cpp - nesting depth of texts -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// See Nesting.h. Three constructs nest in a text:
//
//   scf.if %c { scf.if %c { ...           brackets
//   #a1 = [#a0]  #a2 = [#a1]  ...         aliases, each a bracket inside of the one before
//   affine_map<(d0) -> (d0 + 1 + 1 ...    operators: parsed to a left-deep expression
//
// And one thing ends the parser of MLIR 22 by a signal: array<index: 1>, whose elements have no width.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Nesting.h"

#include "lib/Support/BytecodeNesting.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using namespace mica;

static bool isNameEnd(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
static bool isNamePart(char c) { return isNameEnd(c) || c == '_' || c == '.' || c == '$'; }

namespace {
class TextScan {
public:
  TextScan(std::string_view text, const std::string &name) : text(text), name(name) {}

  Status run();

private:
  void skipString();
  bool opensParameters() const;
  void close(char opening);
  void scanAlias();
  bool isOperator() const;
  bool opensArrayOfIndex() const;
  bool isIndexType(size_t position) const;
  Status refuse(const std::string &what, const std::string &hint) const;
  char charAt(size_t position) const { return position < text.size() ? text[position] : ' '; }

  std::string_view text;
  const std::string &name;
  size_t at = 0;

  struct Bracket {
    char opening;
    unsigned operators = 0; ///< since the last comma in it
  };
  std::vector<Bracket> open;
  size_t depth = 0; ///< of brackets, including the depth of an alias used here

  std::unordered_map<std::string_view, size_t> depthOfAlias;
  std::string_view defined; ///< the alias that is being defined
  std::unordered_set<std::string_view> indexAliases;
};
} // namespace

void TextScan::skipString() {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  ++at;
}

/// Whether the '<' here opens a parameter list, as in tensor<4xf32>, and is not a comparison.
bool TextScan::opensParameters() const {
  const char before = at > 0 ? text[at - 1] : ' ';
  return charAt(at + 1) != '=' && (isNameEnd(before) || before == '_' || before == '<' || before == '"');
}

/// Closes the innermost bracket of this kind; an unmatched '<' inside of it is ignored.
void TextScan::close(char opening) {
  while (!open.empty() && open.back().opening == '<' && opening != '<')
    open.pop_back();
  if (!open.empty() && open.back().opening == opening)
    open.pop_back();
}

/// At '#' or '!': a definition at the top level of the file, or a use.
void TextScan::scanAlias() {
  const size_t begin = at++;
  while (at < text.size() && isNamePart(text[at]))
    ++at;
  const std::string_view alias = text.substr(begin, at - begin);
  const bool beginsLine = begin == 0 || text[begin - 1] == '\n';
  const size_t equals = text.find_first_not_of(" \t", at);
  if (open.empty() && beginsLine && charAt(equals) == '=') {
    defined = alias;
    depthOfAlias[defined] = 0;
    if (isIndexType(equals + 1))
      indexAliases.insert(alias);
    return;
  }
  if (auto found = depthOfAlias.find(alias); found != depthOfAlias.end() && alias != defined)
    depth = open.size() + found->second;
}

/// Whether an operator of an affine expression begins here.
bool TextScan::isOperator() const {
  if (text[at] == '+' || text[at] == '*' || text[at] == '-')
    return charAt(at + 1) != '>';
  if ((text[at] != 'm' && text[at] != 'f' && text[at] != 'c') || (at > 0 && isNamePart(text[at - 1])))
    return false;
  for (const std::string_view word : {"mod", "floordiv", "ceildiv"})
    if (text.substr(at, word.size()) == word && !isNamePart(charAt(at + word.size())))
      return true;
  return false;
}

/// Whether the '<' here is that of array<index: ...>, or of an alias of index.
bool TextScan::opensArrayOfIndex() const {
  constexpr std::string_view kArray = "array";
  if (at < kArray.size() || text.substr(at - kArray.size(), kArray.size()) != kArray ||
      (at > kArray.size() && isNamePart(text[at - kArray.size() - 1])))
    return false;
  return isIndexType(at + 1);
}

/// Whether the type at `position` is index, or an alias of it.
bool TextScan::isIndexType(size_t position) const {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n", position), text.size());
  size_t end = begin + (charAt(begin) == '!');
  while (end < text.size() && isNamePart(text[end]))
    ++end;
  const std::string_view type = text.substr(begin, end - begin);
  return type == "index" || indexAliases.contains(type);
}

Status TextScan::refuse(const std::string &what, const std::string &hint) const {
  const std::string_view before = text.substr(0, at);
  const size_t line = std::count(before.begin(), before.end(), '\n') + 1, column = at - (before.rfind('\n') + 1) + 1;
  return Error{ErrorCode::InvalidInput, name + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + what,
               hint};
}

Status TextScan::run() {
  while (at < text.size()) {
    const char c = text[at];
    depth = open.size();
    if (c == '"') {
      skipString();
      continue;
    }
    if (c == '/' && charAt(at + 1) == '/') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '#' || c == '!') {
      scanAlias();
    } else {
      if (c == '<' && opensArrayOfIndex())
        return refuse("an array<...> of index", "use array<i64: ...>; MLIR's parser ends on elements without a width");
      if (c == '(' || c == '[' || c == '{' || (c == '<' && opensParameters()))
        open.push_back({c});
      else if (c == ')' || c == ']' || c == '}')
        close(c == ')' ? '(' : c == ']' ? '[' : '{');
      else if (c == '>' && at > 0 && text[at - 1] != '-' && text[at - 1] != '=')
        close('<');
      else if (c == ',' && !open.empty())
        open.back().operators = 0;
      else if (!open.empty() && open.back().opening != '{' && isOperator() && ++open.back().operators > kMostNesting)
        return refuse("an expression has more than " + std::to_string(kMostNesting) + " operators",
                      "divide it; MLIR's parser has no room for more");
      depth = open.size();
      ++at;
    }
    if (!defined.empty()) {
      // A definition ends at the next line at the top level.
      size_t &deepest = depthOfAlias[defined];
      deepest = std::max(deepest, depth);
      if (open.empty() && c == '\n')
        defined = {};
    }
    if (depth > kMostNesting) {
      at = c == '#' || c == '!' ? at : at - 1;
      return refuse("brackets are nested more than " + std::to_string(kMostNesting) + " deep",
                    "move inner regions to functions of their own; MLIR's parser has no room for more");
    }
  }
  return {};
}

Status mica::checkTextNesting(std::string_view text, const std::string &name) { return TextScan(text, name).run(); }

Status mica::checkNesting(std::string_view text, const std::string &name) {
  return isBytecodeFile(text) ? checkBytecodeNesting(text, name) : checkTextNesting(text, name);
}
