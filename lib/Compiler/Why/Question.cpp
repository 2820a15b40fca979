//===- Question.cpp - the element that is asked about -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Why/Question.h"

#include "mica/Support/Text.h"

#include <charconv>

namespace mica::compiler {

static std::optional<int64_t> parseNumber(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

Result<Question> parseQuestion(const std::string &text) {
  const Error invalid{ErrorCode::InvalidInput, "'" + text + "' names no element",
                      "write it as result0[3,7]: a name, and an index for each dimension, from 0"};
  Question question;
  question.text = text;
  const size_t open = text.find('[');
  question.name = text.substr(0, open);
  if (question.name.empty())
    return invalid;
  if (open == std::string::npos)
    return question;
  if (text.back() != ']')
    return invalid;
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  if (inside.empty())
    return question;
  for (const std::string &part : splitText(inside, ',')) {
    const std::optional<int64_t> number = parseNumber(part);
    if (!number)
      return invalid;
    question.index.push_back(*number);
  }
  return question;
}

Result<int64_t> elementIn(const Question &question, llvm::ArrayRef<int64_t> shape, const std::string &type) {
  if (question.index.size() != shape.size())
    return Error{ErrorCode::InvalidInput,
                 question.text + ": got " + std::to_string(question.index.size()) + " indices, expected " +
                     std::to_string(shape.size()) + " for " + type,
                 "an index for each dimension, from 0"};
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (question.index[d] < 0 || question.index[d] >= shape[d])
      return Error{ErrorCode::InvalidInput,
                   question.text + ": is outside of its tensor, " + type + ": index " + std::to_string(d) + " is " +
                       std::to_string(question.index[d]) + ", expected 0 to " + std::to_string(shape[d] - 1),
                   ""};
    flat = flat * shape[d] + question.index[d];
  }
  return flat;
}

} // namespace mica::compiler
