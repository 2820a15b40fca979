//===- OpText.cpp - parsing the text of one operation -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Upgrade/OpText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::compiler;

static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

void TextCursor::skipSpace() {
  while (!atEnd()) {
    if (llvm::isSpace(text[at]))
      ++at;
    else if (rest().starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else
      return;
  }
}

bool TextCursor::consume(llvm::StringRef token) {
  TextCursor ahead = *this;
  ahead.skipSpace();
  if (!ahead.rest().starts_with(token))
    return false;
  // A keyword must end where the token ends.
  llvm::StringRef behind = ahead.rest().drop_front(token.size());
  if (isWordChar(token.back()) && !behind.empty() && isWordChar(behind.front()))
    return false;
  at = ahead.at + token.size();
  return true;
}

llvm::StringRef TextCursor::word() {
  llvm::StringRef found = rest().take_while(isWordChar);
  at += found.size();
  return found;
}

llvm::StringRef TextCursor::quoted() {
  size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  end = std::min(end + 1, text.size());
  llvm::StringRef found = text.slice(at, end);
  at = end;
  return found;
}

std::optional<llvm::StringRef> TextCursor::balanced() {
  llvm::SmallVector<char> open;
  size_t begin = at + 1;
  while (!atEnd()) {
    skipSpace();
    if (atEnd())
      break;
    char c = text[at];
    if (c == '"') {
      quoted();
      continue;
    }
    // Skip arrows and comparisons, which are not brackets.
    if (rest().starts_with("->") || rest().starts_with(">=") || rest().starts_with("<=")) {
      at += 2;
      continue;
    }
    ++at;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      open.push_back(c);
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      char expected = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '<';
      if (open.empty() || open.pop_back_val() != expected)
        return std::nullopt;
      if (open.empty())
        return text.slice(begin, at - 1);
    }
  }
  return std::nullopt;
}

std::optional<llvm::StringRef> TextCursor::type() {
  skipSpace();
  size_t begin = at;
  if (!atEnd() && (text[at] == '!' || text[at] == '#'))
    ++at;
  if (word().empty())
    return std::nullopt;
  if (!atEnd() && text[at] == '<' && !balanced())
    return std::nullopt;
  return text.slice(begin, at);
}

std::optional<llvm::StringRef> TextCursor::value() {
  TextCursor ahead = *this;
  ahead.skipSpace();
  if (!ahead.rest().starts_with("%"))
    return std::nullopt;
  llvm::StringRef name =
      ahead.rest().drop_front().take_while([](char c) { return isWordChar(c) || c == '-' || c == '#'; });
  if (name.empty())
    return std::nullopt;
  at = ahead.at + 1 + name.size();
  return text.slice(ahead.at, at);
}

llvm::SmallVector<llvm::StringRef> compiler::splitList(llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> parts;
  TextCursor cursor(list);
  size_t begin = 0;
  while (!cursor.atEnd()) {
    char c = cursor.rest().front();
    if (c == ',') {
      parts.push_back(list.slice(begin, cursor.position()).trim());
      cursor.advance();
      begin = cursor.position();
    } else if (c == '"') {
      cursor.quoted();
    } else if (cursor.rest().starts_with("->")) {
      cursor.advance(2);
    } else if (llvm::StringRef("([{<").contains(c)) {
      if (!cursor.balanced())
        break;
    } else {
      cursor.advance();
    }
  }
  if (llvm::StringRef last = list.drop_front(begin).trim(); !last.empty())
    parts.push_back(last);
  return parts;
}

//===------------------------------------------------------------------------------------------------------------===//
// Operations
//===------------------------------------------------------------------------------------------------------------===//

const std::string *OpText::attribute(llvm::StringRef key) const {
  auto found = llvm::find_if(attributes, [&](const auto &entry) { return entry.first == key; });
  return found == attributes.end() ? nullptr : &found->second;
}

void OpText::erase(llvm::StringRef key) {
  llvm::erase_if(attributes, [&](const auto &entry) { return entry.first == key; });
}

void OpText::set(llvm::StringRef key, const std::string &value) {
  erase(key);
  attributes.push_back({key.str(), value});
}

void OpText::addOperand(const std::string &value, const std::string &type) {
  operands.push_back(value);
  operandTypes.push_back(type);
}

std::string OpText::print() const {
  std::string text = "\"" + name.str() + "\"(" + llvm::join(operands, ", ") + ")";
  if (!attributes.empty()) {
    text += " {";
    for (const auto &[index, entry] : llvm::enumerate(attributes))
      text += (index ? ", " : "") + entry.first + (entry.second.empty() ? "" : " = " + entry.second);
    text += "}";
  }
  text += " : (" + llvm::join(operandTypes, ", ") + ") -> ";
  return text + (resultTypes.size() == 1 ? resultTypes.front() : "(" + llvm::join(resultTypes, ", ") + ")");
}

static void readAttributes(llvm::StringRef list, OpText &op) {
  for (llvm::StringRef entry : splitList(list)) {
    auto [key, value] = entry.split('=');
    op.attributes.push_back({key.trim().str(), value.trim().str()});
  }
}

static bool readTypes(TextCursor &cursor, llvm::SmallVector<std::string> &types) {
  cursor.skipSpace();
  if (cursor.rest().starts_with("(")) {
    std::optional<llvm::StringRef> list = cursor.balanced();
    if (!list)
      return false;
    for (llvm::StringRef type : splitList(*list))
      types.push_back(type.str());
    return true;
  }
  std::optional<llvm::StringRef> type = cursor.type();
  if (type)
    types.push_back(type->str());
  return type.has_value();
}

std::optional<OpText> compiler::readOp(TextCursor &cursor) {
  OpText op;
  TextCursor ahead = cursor;
  if (ahead.rest().starts_with("\"")) {
    op.name = ahead.quoted().drop_front().drop_back();
    ahead.skipSpace();
    std::optional<llvm::StringRef> operands = ahead.rest().starts_with("(") ? ahead.balanced() : std::nullopt;
    if (!operands)
      return std::nullopt;
    for (llvm::StringRef operand : splitList(*operands))
      op.operands.push_back(operand.str());
  } else {
    op.name = ahead.word();
    do {
      if (std::optional<llvm::StringRef> operand = ahead.value())
        op.operands.push_back(operand->str());
    } while (ahead.consume(","));
  }
  for (bool properties : {true, false}) {
    TextCursor list = ahead;
    list.skipSpace();
    if ((properties && !list.consume("<")) || !list.rest().starts_with("{"))
      continue;
    std::optional<llvm::StringRef> inside = list.balanced();
    if (!inside || (properties && !list.consume(">")))
      return std::nullopt;
    readAttributes(*inside, op);
    ahead = list;
  }
  if (!ahead.consume(":") || !readTypes(ahead, op.operandTypes) || !ahead.consume("->") ||
      !readTypes(ahead, op.resultTypes) || op.operandTypes.size() != op.operands.size())
    return std::nullopt;
  cursor = ahead;
  return op;
}

std::optional<TensorText> compiler::readTensorType(llvm::StringRef type) {
  TensorText tensor;
  type = type.trim();
  tensor.container = type.take_until([](char c) { return c == '<'; });
  llvm::StringRef inside = type.drop_front(tensor.container.size());
  if (!inside.consume_front("<") || !inside.consume_back(">"))
    return std::nullopt;
  inside = splitList(inside).front();
  for (;;) {
    llvm::StringRef digits = inside.take_while([](char c) { return llvm::isDigit(c) || c == '?'; });
    llvm::StringRef behind = inside.drop_front(digits.size());
    int64_t size = -1;
    if (digits.empty() || !behind.consume_front("x") || (digits != "?" && digits.getAsInteger(10, size)))
      break;
    tensor.sizes.push_back(size);
    inside = behind;
  }
  tensor.element = inside;
  return tensor;
}

std::optional<llvm::SmallVector<int64_t>> compiler::readIntegers(llvm::StringRef attribute) {
  attribute = attribute.trim();
  std::optional<TensorText> type;
  if (attribute.consume_front("dense<")) {
    auto [list, behind] = attribute.rsplit("> :");
    type = readTensorType(behind);
    if (!type)
      return std::nullopt;
    attribute = list;
  } else if (attribute.consume_front("array<")) {
    attribute.consume_back(">");
    attribute = attribute.split(':').second;
  }
  llvm::SmallVector<int64_t> numbers;
  std::string flat = attribute.str();
  llvm::erase_if(flat, [](char c) { return c == '[' || c == ']'; });
  for (llvm::StringRef part : splitList(flat)) {
    int64_t number = 0;
    if (part.split(':').first.trim().getAsInteger(10, number))
      return std::nullopt;
    numbers.push_back(number);
  }
  if (type) {
    int64_t count = 1;
    for (int64_t size : type->sizes)
      count *= size;
    if (numbers.size() == 1 && count > 1 && count < 64)
      numbers.assign(size_t(count), int64_t(numbers.front()));
    if (count != int64_t(numbers.size()))
      return std::nullopt;
  }
  return numbers;
}
