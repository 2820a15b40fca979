//===- Nesting.cpp - texts that are nested too deep to be parsed ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// See Nesting.h.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Nesting.h"

#include <algorithm>

using namespace mica;

static bool isNameEnd(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// Position behind the string that begins at `at`.
static size_t skipString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return at + 1;
}

/// Whether the '<' at `at` opens a list of parameters, as in tensor<4xf32>, and is no comparison.
static bool opensParameters(std::string_view text, size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ', behind = at + 1 < text.size() ? text[at + 1] : ' ';
  return behind != '=' && (isNameEnd(before) || before == '_' || before == '<' || before == '"');
}

Status mica::checkNesting(std::string_view text, const std::string &name) {
  unsigned depth = 0, angles = 0; // angles are in depth too
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = skipString(text, at);
      continue;
    }
    if (c == '/' && text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '(' || c == '[' || c == '{' || (c == '<' && opensParameters(text, at))) {
      angles += c == '<';
      if (++depth > kMostNesting) {
        const std::string_view before = text.substr(0, at);
        const size_t line = std::count(before.begin(), before.end(), '\n') + 1,
                     column = at - (before.rfind('\n') + 1) + 1;
        return Error{ErrorCode::InvalidInput,
                     name + ":" + std::to_string(line) + ":" + std::to_string(column) +
                         ": brackets are nested more than " + std::to_string(kMostNesting) + " deep",
                     "move inner regions to functions of their own; MLIR's parser has no room for more"};
      }
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (angles > 0 && c == '>' && text[at - 1] != '-' && text[at - 1] != '=') {
      --angles;
      --depth;
    }
    ++at;
  }
  return {};
}
