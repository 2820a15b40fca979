//===- CheckText.h - converting lines of IR to FileCheck patterns ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Names of values and aliases become FileCheck variables, special characters are escaped, long lines are split.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_CHECKTEXT_H
#define MICA_LIB_IRTOOLS_CHECKTEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mica::irtools {

/// `text` as a pattern that matches it.
std::string escapeCheck(llvm::StringRef text);

/// Whether `word` occurs in `line` and is not part of a longer name.
bool containsWord(llvm::StringRef line, llvm::StringRef word);

/// Splits a pattern into parts of at most `width` characters if that is possible outside of variables.
std::vector<std::string> wrapCheck(llvm::StringRef pattern, size_t width);

/// The first line of a printed function: "func.func @f(", the arguments by name and type, and the rest ("-> f32").
struct FunctionLine {
  std::string head;
  std::vector<std::pair<std::string, std::string>> arguments; ///< "arg0", "tensor<4xf32>"
  std::string tail;
};
FunctionLine readFunctionLine(llvm::StringRef line);

/// The attribute aliases of a text: "#map = affine_map<...>".
class CheckAliases {
public:
  void read(const std::vector<std::string> &text);
  /// "#[[$MAP]]" for "#map", and records that it is needed; "" if it is not an alias.
  std::string use(llvm::StringRef name);
  /// CHECK-DAG lines of the needed aliases.
  std::vector<std::string> definitions() const;

private:
  std::vector<std::pair<std::string, std::string>> all; ///< "#map", "affine_map<...>"
  std::set<std::string> needed;
};

/// The values of one function.
class CheckNames {
public:
  explicit CheckNames(CheckAliases &aliases) : aliases(aliases) {}
  /// To be called for all lines before rewrite(): only names that occur twice are captured.
  void count(llvm::StringRef line);
  bool isUsedAgain(llvm::StringRef name) const { return counts.lookup(name) > 1; }
  /// The line as a pattern. A name is captured at its first occurrence.
  std::string rewrite(llvm::StringRef line);
  /// An argument of the function: "%[[ARG0:[^:]*]]: f32".
  std::string argument(llvm::StringRef name, llvm::StringRef type);

private:
  std::string variable(llvm::StringRef name, llvm::StringRef line);
  std::string capture(const std::string &name, llvm::StringRef line, size_t at);

  CheckAliases &aliases;
  llvm::StringMap<int> counts;
  llvm::StringMap<std::string> variables;
  std::set<std::string> taken;
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_CHECKTEXT_H
