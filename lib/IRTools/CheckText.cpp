//===- CheckText.cpp - converting lines of IR to FileCheck patterns ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CheckText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/CheckText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::irtools;

/// Maximum length of a list of numbers in a pattern; longer ones are matched by a wildcard.
static constexpr size_t kLongestNumbers = 80;

static bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }

/// The name at the start of `text`, after its sigil. A trailing dot or hyphen belongs to what follows ("->").
static llvm::StringRef nameAt(llvm::StringRef text) { return text.take_while(isNameChar).rtrim("-."); }

std::string irtools::escapeCheck(llvm::StringRef text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    llvm::StringRef rest = text.drop_front(i);
    if (rest.starts_with("[[") || rest.starts_with("{{")) {
      out += rest[0] == '[' ? "{{\\[\\[}}" : "{{\\{\\{}}";
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool irtools::containsWord(llvm::StringRef line, llvm::StringRef word) {
  for (size_t at = line.find(word); at != llvm::StringRef::npos; at = line.find(word, at + 1)) {
    bool beginsFree = at == 0 || !isNameChar(line[at - 1]);
    bool endsFree = at + word.size() == line.size() || !isNameChar(line[at + word.size()]);
    if (beginsFree && endsFree)
      return true;
  }
  return false;
}

std::vector<std::string> irtools::wrapCheck(llvm::StringRef pattern, size_t width) {
  std::vector<std::string> parts;
  while (pattern.size() > width) {
    // Blanks outside of variables, regular expressions and quotes; preferably before text that MLIR prints on a new
    // line.
    size_t any = 0, good = 0;
    int depth = 0;
    bool isQuoted = false;
    for (size_t i = 0; i + 1 < pattern.size() && i < width; ++i) {
      llvm::StringRef rest = pattern.drop_front(i);
      if (pattern[i] == '"')
        isQuoted = !isQuoted;
      if (rest.starts_with("[[") || rest.starts_with("{{"))
        ++depth;
      else if (rest.starts_with("]]") || rest.starts_with("}}"))
        depth = std::max(0, depth - 1);
      if (depth != 0 || isQuoted || pattern[i] != ' ' || i < 16)
        continue;
      any = i;
      for (llvm::StringRef word : {" ins(", " outs(", " attrs =", " -> ", " : ", " {", " iter_args("})
        if (rest.starts_with(word))
          good = i;
    }
    size_t at = good > width / 3 ? good : any;
    if (at == 0)
      break;
    parts.push_back(pattern.take_front(at).rtrim().str());
    pattern = pattern.drop_front(at).ltrim();
  }
  parts.push_back(pattern.str());
  return parts;
}

/// Splits at commas outside of brackets and quotes.
static std::vector<llvm::StringRef> splitList(llvm::StringRef text) {
  std::vector<llvm::StringRef> parts;
  int depth = 0;
  bool isQuoted = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      isQuoted = !isQuoted;
    if (isQuoted)
      continue;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && (i == 0 || text[i - 1] != '-'))) {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  if (begin < text.size())
    parts.push_back(text.drop_front(begin).trim());
  return parts;
}

/// Position of the parenthesis that closes the one at `open`; npos if there is none.
static size_t closing(llvm::StringRef text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')' && --depth == 0)
      return i;
  }
  return llvm::StringRef::npos;
}

FunctionLine irtools::readFunctionLine(llvm::StringRef line) {
  FunctionLine result;
  line = line.trim();
  line.consume_back("{");
  line = line.rtrim();
  size_t at = line.find('@');
  size_t open = at == llvm::StringRef::npos ? at : line.find('(', at);
  size_t close = open == llvm::StringRef::npos ? open : closing(line, open);
  if (close == llvm::StringRef::npos) {
    result.head = line.str();
    return result;
  }
  result.head = line.take_front(open + 1).str();
  for (llvm::StringRef part : splitList(line.slice(open + 1, close))) {
    if (!part.consume_front("%"))
      continue;
    auto [name, type] = part.split(": ");
    // Without the argument's attributes.
    result.arguments.push_back({name.str(), type.split(" {").first.str()});
  }
  result.tail = line.drop_front(close + 1).trim().str();
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Aliases
//===------------------------------------------------------------------------------------------------------------===//

void CheckAliases::read(const std::vector<std::string> &text) {
  for (llvm::StringRef line : text) {
    if (!line.starts_with("#") && !line.starts_with("!"))
      break;
    auto [name, value] = line.split(" = ");
    all.push_back({name.str(), value.str()});
  }
}

/// "#map1" -> "$MAP1": the dollar keeps a variable across labels.
static std::string aliasVariable(llvm::StringRef name) {
  std::string text = "$";
  for (char c : name.drop_front())
    text += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return text;
}

std::string CheckAliases::use(llvm::StringRef name) {
  for (const auto &[alias, value] : all)
    if (alias == name) {
      needed.insert(alias);
      return name.take_front(1).str() + "[[" + aliasVariable(name) + "]]";
    }
  return "";
}

std::vector<std::string> CheckAliases::definitions() const {
  std::vector<std::string> lines;
  for (const auto &[alias, value] : all)
    if (needed.count(alias))
      lines.push_back("// CHECK-DAG:   " + alias.substr(0, 1) + "[[" + aliasVariable(alias) +
                      ":.*]] = " + escapeCheck(value));
  return lines;
}

//===------------------------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------------------------===//

void CheckNames::count(llvm::StringRef line) {
  for (size_t at = line.find('%'); at != llvm::StringRef::npos; at = line.find('%', at + 1))
    if (llvm::StringRef name = nameAt(line.drop_front(at + 1)); !name.empty())
      ++counts[("%" + name).str()];
}

/// A variable name for the value: its own name if it has one, else that of its op on `line`.
std::string CheckNames::variable(llvm::StringRef name, llvm::StringRef line) {
  llvm::StringRef from = name.drop_front();
  if (llvm::all_of(from, llvm::isDigit) && line.starts_with("%")) {
    llvm::StringRef op = line.split(" = ").second;
    op.consume_front("\"");
    op = op.take_while(isNameChar);
    from = op.contains('.') ? op.rsplit('.').second : op;
  }
  std::string base;
  for (char c : from)
    base += c == '-' ? 'M' : llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  if (base.empty() || llvm::isDigit(base[0]))
    base = "V" + base;
  std::string unique = base;
  for (int i = 1; !taken.insert(unique).second; ++i)
    unique = base + "_" + std::to_string(i);
  return unique;
}

std::string CheckNames::argument(llvm::StringRef name, llvm::StringRef type) {
  std::string full = ("%" + name).str();
  std::string text = "%{{[^:]*}}";
  if (isUsedAgain(full)) {
    std::string to = variable(full, "");
    variables[full] = to;
    text = "%[[" + to + ":[^:]*]]";
  }
  return text + ": " + rewrite(type);
}

/// The pattern for `name` at `at` of `line`. Sibling regions may reuse a name, so every definition captures.
std::string CheckNames::capture(const std::string &name, llvm::StringRef line, size_t at) {
  size_t equal = line.starts_with("%") ? line.find(" = ") : 0;
  bool isResult = at < equal;
  llvm::StringRef after = line.drop_front(at + name.size());
  bool isArgument = after.starts_with(" = ") || (line.starts_with("^") && after.starts_with(":"));
  auto known = variables.find(name);
  if (known != variables.end() && !isResult && !isArgument)
    return "%[[" + known->second + "]]";
  if (!isUsedAgain(name))
    return "%{{[^ ,:)]+}}";
  std::string to = variable(name, isResult ? line : "");
  variables[name] = to;
  return "%[[" + to + (isResult ? ":.*]]" : ":[^ ,:)]+]]");
}

/// Length of a long list of numbers at the start of `text`, after "dense<"; 0 if it is short.
static size_t numbersLength(llvm::StringRef text) {
  size_t end = text.find('>');
  return end != llvm::StringRef::npos && end > kLongestNumbers ? end : 0;
}

/// Length of "file":12:3 at the start of `text`; 0 if it has another form.
static size_t positionLength(llvm::StringRef text) {
  size_t end = text.starts_with("\"") ? text.find('"', 1) : llvm::StringRef::npos;
  if (end == llvm::StringRef::npos || end + 2 >= text.size() || text[end + 1] != ':' || !llvm::isDigit(text[end + 2]))
    return 0;
  size_t after = text.find_first_not_of("0123456789:", end + 1);
  return after == llvm::StringRef::npos ? text.size() : after;
}

std::string CheckNames::rewrite(llvm::StringRef line) {
  std::string out, literal;
  auto put = [&](const std::string &pattern) {
    out += escapeCheck(literal) + pattern;
    literal.clear();
  };
  llvm::StringRef rest = line;
  size_t equal = line.starts_with("%") ? line.find(" = ") : llvm::StringRef::npos;
  if (equal != llvm::StringRef::npos) {
    // A result that is not used in the checks.
    bool isUsed = llvm::any_of(splitList(line.take_front(equal)), [&](llvm::StringRef each) {
      return isUsedAgain(("%" + nameAt(each.drop_front())).str());
    });
    if (!isUsed)
      rest = line.drop_front(equal + 3);
  }
  while (!rest.empty()) {
    size_t at = line.size() - rest.size(), length = 0;
    llvm::StringRef name = nameAt(rest.drop_front());
    if (rest[0] == '%' && !name.empty()) {
      put(capture(("%" + name).str(), line, at));
      rest = rest.drop_front(1 + name.size());
    } else if (std::string alias =
                   rest[0] == '#' || rest[0] == '!' ? aliases.use(rest.take_front(1 + name.size())) : "";
               !alias.empty()) {
      put(alias);
      rest = rest.drop_front(1 + name.size());
    } else if ((length = positionLength(rest))) {
      // The position in the test itself.
      put("{{\"[^\"]*\":[0-9]+:[0-9]+}}");
      rest = rest.drop_front(length);
    } else if (rest.consume_front("dense<")) {
      literal += "dense<";
      if ((length = numbersLength(rest))) {
        put("{{.*}}");
        rest = rest.drop_front(length);
      }
    } else {
      literal += rest[0];
      rest = rest.drop_front();
    }
  }
  put("");
  return out;
}
