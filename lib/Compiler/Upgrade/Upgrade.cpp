//===- Upgrade.cpp - upgrading older spellings -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Scans the text operation by operation. Comments, strings and resources are skipped.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Upgrade/Upgrade.h"

#include "lib/Compiler/Upgrade/Rules.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mica;
using namespace mica::compiler;

namespace {
class Upgrader final : public UpgradeContext {
public:
  explicit Upgrader(llvm::StringRef text);

  UpgradedText run();

  std::string define(const std::string &operation) override;
  std::optional<llvm::SmallVector<int64_t>> constant(llvm::StringRef value) const override;
  void note(const std::string &message) override { messages.push_back(message); }

private:
  void visit(TextCursor &cursor, llvm::StringRef name);
  std::pair<size_t, llvm::StringRef> resultsBefore(size_t position) const;
  void remember(llvm::StringRef results, TextCursor cursor, llvm::StringRef name);

  llvm::StringRef text;
  llvm::StringMap<UpgradeRule> rules;
  std::string prefix; ///< of new names; unused in the text
  int64_t named = 0;
  llvm::StringMap<std::string> constants; ///< the last constant of a name, as attribute

  std::string out;
  size_t copied = 0; ///< end of the part of `text` that was copied to `out`
  llvm::MapVector<std::string, UpgradeNote, std::map<std::string, unsigned>> notes;

  llvm::SmallVector<std::string> definitions, messages; ///< of the current rule
};
} // namespace

Upgrader::Upgrader(llvm::StringRef text) : text(text), prefix("%old") {
  addTosaRules(rules);
  addTensorRules(rules);
  while (text.contains(prefix))
    prefix += "_";
}

std::string Upgrader::define(const std::string &operation) {
  std::string name = prefix + std::to_string(named++);
  definitions.push_back(name + " = " + operation);
  return name;
}

std::optional<llvm::SmallVector<int64_t>> Upgrader::constant(llvm::StringRef value) const {
  auto found = constants.find(value);
  return found == constants.end() ? std::nullopt : readIntegers(found->second);
}

/// The start of the statement of the operation at `position`, and the names of its results.
std::pair<size_t, llvm::StringRef> Upgrader::resultsBefore(size_t position) const {
  llvm::StringRef before = text.take_front(position).rtrim(" \t");
  if (!before.consume_back("="))
    return {position, ""};
  before = before.rtrim(" \t");
  constexpr llvm::StringLiteral kNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-%:, \t";
  size_t end = before.find_last_not_of(kNames);
  llvm::StringRef names = end == llvm::StringRef::npos ? before : before.drop_front(end + 1);
  names = names.trim(" \t");
  return {size_t(names.data() - text.data()), names};
}

/// Remembers a constant, for operations that take it as an attribute.
void Upgrader::remember(llvm::StringRef results, TextCursor cursor, llvm::StringRef name) {
  if (name == "arith.constant") {
    cursor.word();
    cursor.skipSpace();
    if (!cursor.rest().starts_with("dense<"))
      return;
    llvm::StringRef begin = cursor.rest();
    cursor.word();
    if (!cursor.balanced() || !cursor.consume(":") || !cursor.type())
      return;
    constants[results] = begin.drop_back(cursor.rest().size()).str();
    return;
  }
  if (std::optional<OpText> op = readOp(cursor))
    for (const char *key : {"value", "values"})
      if (const std::string *attribute = op->attribute(key))
        constants[results] = *attribute;
}

void Upgrader::visit(TextCursor &cursor, llvm::StringRef name) {
  auto [begin, results] = resultsBefore(cursor.position());
  if (name == "arith.constant" || name == "tosa.const")
    remember(results, cursor, name);
  auto rule = rules.find(name);
  if (rule == rules.end())
    return;
  TextCursor behind = cursor;
  definitions.clear();
  messages.clear();
  int64_t namedBefore = named;
  std::optional<std::string> replacement = rule->second(behind, *this);
  if (!replacement || begin < copied) {
    named = namedBefore;
    return;
  }
  // New statements get lines of their own, with the same indentation.
  out += text.slice(copied, begin);
  size_t lineBegin = text.take_front(begin).rfind('\n') + 1;
  llvm::StringRef indent = text.slice(lineBegin, begin).take_while([](char c) { return c == ' ' || c == '\t'; });
  for (const std::string &definition : definitions)
    out += definition + "\n" + indent.str();
  out += text.slice(begin, cursor.position());
  out += *replacement;
  copied = behind.position();
  for (const std::string &message : messages) {
    UpgradeNote &entry = notes[message];
    if (entry.count++ == 0)
      entry.first = llvm::SMLoc::getFromPointer(text.data() + cursor.position());
    entry.message = message;
  }
  cursor = behind;
}

UpgradedText Upgrader::run() {
  TextCursor cursor(text);
  while (!cursor.atEnd()) {
    cursor.skipSpace();
    if (cursor.atEnd() || cursor.rest().starts_with("{-#"))
      break; // resources: no operations from here on
    char c = cursor.rest().front();
    TextCursor start = cursor;
    llvm::StringRef name;
    if (c == '"') {
      name = cursor.quoted().drop_front();
      name.consume_back("\"");
      if (!cursor.rest().ltrim().starts_with("("))
        continue;
    } else if (c == '%' || c == '@' || c == '#' || c == '!' || c == '^') {
      cursor.advance();
      if (c == '@' && cursor.rest().starts_with("\""))
        cursor.quoted();
      else
        cursor.word();
      continue;
    } else {
      name = cursor.word();
      if (name.empty()) {
        cursor.advance();
        continue;
      }
    }
    TextCursor at = start;
    visit(at, name);
    if (at.position() != start.position())
      cursor = at;
  }
  out += text.drop_front(copied);
  UpgradedText result{std::move(out), {}};
  for (auto &[message, note] : notes)
    result.notes.push_back(note);
  llvm::sort(result.notes,
             [](const UpgradeNote &a, const UpgradeNote &b) { return a.first.getPointer() < b.first.getPointer(); });
  return result;
}

UpgradedText compiler::upgradeText(llvm::StringRef text) { return Upgrader(text).run(); }
