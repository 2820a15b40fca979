//===- Question.h - the element that is asked about ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: parses "NAME[3,7]", and finds the element in a tensor.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_WHY_QUESTION_H
#define MICA_LIB_COMPILER_WHY_QUESTION_H

#include "mica/Support/Status.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

struct Question {
  std::string text; ///< as asked
  std::string name;
  std::vector<int64_t> index;
};

/// Parses "NAME[I,J]"; a scalar is NAME or NAME[]. InvalidInput quotes the text.
Result<Question> parseQuestion(const std::string &text);

/// The row-major position of the element in a tensor of `shape`, whose type is `type` in messages. InvalidInput: the
/// rank is another one, or an index is out of range.
Result<int64_t> elementIn(const Question &question, llvm::ArrayRef<int64_t> shape, const std::string &type);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_WHY_QUESTION_H
