//===- PrintedText.cpp - comparison of printed output -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/PrintedText.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace mica {

namespace {
/// A number, a word, or a punctuation character.
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
  // Six digits are printed, of which the last may differ.
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

std::vector<double> printedTolerances(const std::string &actual, const std::string &expected, double relative) {
  const std::vector<Token> got = tokensOf(actual), wanted = tokensOf(expected);
  // A float may be printed as an integer.
  auto isFloat = [](const Token &token) {
    return token.isNumber && token.text.find_first_not_of("+-0123456789") != std::string::npos;
  };
  std::vector<double> largest;
  for (const Token &token : wanted) {
    largest.resize(std::max(largest.size(), token.line + 2));
    const double value = token.isNumber ? std::fabs(std::strtod(token.text.c_str(), nullptr)) : 0;
    if (std::isfinite(value))
      largest[token.line] = std::max(largest[token.line], value);
  }
  std::vector<double> tolerances;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].isNumber)
      continue;
    const size_t line = wanted[i].line;
    const bool rounds = isFloat(wanted[i]) || (i < got.size() && isFloat(got[i]));
    tolerances.push_back(rounds ? relative * std::max({largest[line - 1], largest[line], largest[line + 1]}) : 0);
  }
  return tolerances;
}

} // namespace mica
