//===- OpText.h - the text of one operation ----------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Parses the text of an operation without knowing the operation, and finds operations in a file.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_UPGRADE_OPTEXT_H
#define MICA_LIB_COMPILER_UPGRADE_OPTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// A position in a text.
class TextCursor {
public:
  explicit TextCursor(llvm::StringRef text, size_t position = 0) : text(text), at(position) {}

  size_t position() const { return at; }
  bool atEnd() const { return at >= text.size(); }
  llvm::StringRef rest() const { return text.drop_front(at); }
  void advance(size_t count = 1) { at += count; }

  /// Skips blanks, line ends and comments.
  void skipSpace();
  /// Skips `token`, and blanks before it, if it comes next.
  bool consume(llvm::StringRef token);
  /// Letters, digits, '_', '.' and '$'.
  llvm::StringRef word();
  /// A string with its quotes.
  llvm::StringRef quoted();
  /// The text between the bracket here and the matching one. Nothing if there is none.
  std::optional<llvm::StringRef> balanced();
  /// A type: "f32", "tensor<2x?xf32>", "!tosa.shape<4>".
  std::optional<llvm::StringRef> type();
  /// "%name" or "%name#1".
  std::optional<llvm::StringRef> value();

private:
  llvm::StringRef text;
  size_t at;
};

/// Splits `list` at commas outside of brackets.
llvm::SmallVector<llvm::StringRef> splitList(llvm::StringRef list);

/// An operation of the form "name"(operands) <{attributes}> {attributes} : (types) -> types, or the same without quotes
/// and parentheses.
struct OpText {
  llvm::StringRef name;
  llvm::SmallVector<std::string> operands, operandTypes, resultTypes;
  std::vector<std::pair<std::string, std::string>> attributes;

  const std::string *attribute(llvm::StringRef key) const;
  void erase(llvm::StringRef key);
  void set(llvm::StringRef key, const std::string &value);
  void addOperand(const std::string &value, const std::string &type);
  /// Prints it in generic form.
  std::string print() const;
};

/// Parses the operation at the cursor, and advances past it. Nothing if it has another form.
std::optional<OpText> readOp(TextCursor &cursor);

/// A tensor type's element type and sizes; -1 is a dynamic one.
struct TensorText {
  llvm::StringRef container, element; ///< "tensor", "f32"
  llvm::SmallVector<int64_t> sizes;
};
std::optional<TensorText> readTensorType(llvm::StringRef type);

/// The integers of "dense<[1, 2]> : tensor<2xi32>", "array<i64: 1, 2>" or "[1, 2]".
std::optional<llvm::SmallVector<int64_t>> readIntegers(llvm::StringRef attribute);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_UPGRADE_OPTEXT_H
