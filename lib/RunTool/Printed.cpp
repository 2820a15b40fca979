//===- Printed.cpp - what programs print ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Printed.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace mica::runtool {

StandardOutputCapture::StandardOutputCapture(const std::filesystem::path &file) {
  std::fflush(stdout);
  const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0)
    return;
  saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (saved >= 0)
    dup2(to, STDOUT_FILENO);
  close(to);
}

void StandardOutputCapture::end() {
  if (saved < 0)
    return;
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  saved = -1;
}

namespace {
/// A number, a word, or a mark.
struct Token {
  std::string text;
  bool isNumber = false, isAddress = false;
  size_t line = 1;
};

std::vector<Token> tokensOf(const std::string &text) {
  std::vector<Token> tokens;
  size_t line = 1;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c))) {
      line += c == '\n';
      ++at;
      continue;
    }
    Token token{"", false, false, line};
    const char *begin = text.c_str() + at;
    char *end = nullptr;
    const bool isWord = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    std::strtod(begin, &end);
    const auto length = static_cast<size_t>(end - begin);
    if (text.compare(at, 2, "0x") == 0) {
      token.isAddress = true;
      token.text = std::string(begin, length > 0 ? length : 2);
    } else if (length > 0 && !(isWord && std::isalnum(static_cast<unsigned char>(*end)))) {
      token.isNumber = true;
      token.text = std::string(begin, length);
    } else if (isWord) {
      size_t last = at;
      while (last < text.size() && (std::isalnum(static_cast<unsigned char>(text[last])) || text[last] == '_'))
        ++last;
      token.text = text.substr(at, last - at);
    } else {
      token.text = std::string(1, c);
    }
    at += token.text.size();
    tokens.push_back(std::move(token));
  }
  return tokens;
}

bool agree(const Token &actual, const Token &expected, double bound) {
  if (actual.text == expected.text || std::isinf(bound))
    return true;
  const double a = std::strtod(actual.text.c_str(), nullptr), e = std::strtod(expected.text.c_str(), nullptr);
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) && std::isnan(e);
  // Six digits are printed; of two numbers that differ, the last digit may.
  return bound > 0 && std::fabs(a - e) <= bound + 1e-5 * std::fabs(e);
}
} // namespace

std::string comparePrinted(const std::string &actual, const std::string &expected, const std::vector<double> &bounds) {
  const std::vector<Token> got = tokensOf(actual), wanted = tokensOf(expected);
  size_t number = 0;
  for (size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
    if (i >= got.size())
      return "the text ends, expected '" + wanted[i].text + "' in line " + std::to_string(wanted[i].line);
    if (i >= wanted.size())
      return "line " + std::to_string(got[i].line) + ": got '" + got[i].text + "', expected the end";
    const Token &a = got[i], &e = wanted[i];
    const double bound = e.isNumber && number < bounds.size() ? bounds[number++] : 0;
    const bool same = a.isNumber == e.isNumber && a.isAddress == e.isAddress &&
                      (e.isAddress || (e.isNumber ? agree(a, e, bound) : a.text == e.text));
    if (!same)
      return "line " + std::to_string(a.line) + ": got " + a.text + ", expected " + e.text;
  }
  return "";
}

} // namespace mica::runtool
