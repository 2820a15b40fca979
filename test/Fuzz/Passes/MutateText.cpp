//===- MutateText.cpp - changes of a program's text ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Mutate.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Mutate.h"

#include <array>
#include <cctype>
#include <string_view>

using namespace mica::fuzz;

namespace {
/// A part of the text.
struct Token {
  size_t begin = 0, length = 0;
};
} // namespace

static constexpr std::array<std::string_view, 17> kSizes{"?",
                                                         "0",
                                                         "1",
                                                         "2",
                                                         "3",
                                                         "4",
                                                         "5",
                                                         "7",
                                                         "16",
                                                         "17",
                                                         "64",
                                                         "65",
                                                         "1000",
                                                         "65536",
                                                         "2147483648",
                                                         "1048577",
                                                         "4611686018427387904"};
static constexpr std::array<std::string_view, 16> kElements{"f32", "f16",  "bf16",   "f64",         "i1",    "i4",
                                                            "i8",  "i16",  "i32",    "i64",         "index", "f8E4M3FN",
                                                            "i3",  "i128", "f8E5M2", "complex<f32>"};
static constexpr std::array<std::string_view, 14> kNumbers{"0",
                                                           "1",
                                                           "-1",
                                                           "2",
                                                           "3",
                                                           "7",
                                                           "63",
                                                           "64",
                                                           "255",
                                                           "65537",
                                                           "2147483648",
                                                           "9223372036854775807",
                                                           "-9223372036854775808",
                                                           "4611686018427387904"};

static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Sizes in types: `4` and `?` in `<4x?xf32>`.
static std::vector<Token> sizesOf(std::string_view text) {
  std::vector<Token> found;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i - 1] != '<' && text[i - 1] != 'x')
      continue;
    size_t end = i;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == '?'))
      ++end;
    if (end > i && end < text.size() && text[end] == 'x')
      found.push_back({i, end - i});
  }
  return found;
}

/// Words that are one of `words`, or numbers where there are none; a type's sizes stand in front of its element type.
static std::vector<Token> wordsOf(std::string_view text, bool isElement) {
  std::vector<Token> found;
  for (size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      ++i;
      continue;
    }
    size_t begin = i;
    while (i < text.size() && isWord(text[i]))
      ++i;
    const char before = begin == 0 ? ' ' : text[begin - 1];
    std::string_view word = text.substr(begin, i - begin);
    if (isElement) {
      // "4x5xf32" is one word.
      if (const size_t last = word.rfind('x');
          last != word.npos && last > 0 && last + 1 < word.size() && word != "index")
        if (std::isdigit(static_cast<unsigned char>(word[last - 1])) || text[begin + last - 1] == '?') {
          begin += last + 1;
          word.remove_prefix(last + 1);
        }
      if (word.starts_with('x') && begin > 0 && text[begin - 1] == '?') {
        ++begin;
        word.remove_prefix(1);
      }
      for (std::string_view element : kElements)
        if (word == element)
          found.push_back({begin, word.size()});
    } else if (before != '%' && before != '#' && before != '@' && before != '<' &&
               word.find_first_not_of("0123456789") == word.npos) {
      found.push_back({begin, word.size()});
    }
  }
  return found;
}

std::string mica::fuzz::mutateText(const std::string &text, Random &random) {
  const size_t kind = below(random, 8);
  const std::vector<Token> tokens = kind < 4 ? sizesOf(text) : wordsOf(text, kind < 6);
  if (tokens.empty())
    return text;
  const Token chosen = tokens[below(random, tokens.size())];
  const std::string old = text.substr(chosen.begin, chosen.length);
  const std::string_view replacement = kind < 4   ? kSizes[below(random, kSizes.size())]
                                       : kind < 6 ? kElements[below(random, kElements.size())]
                                                  : kNumbers[below(random, kNumbers.size())];
  // Mostly everywhere, so that types go on to fit each other.
  const bool isEverywhere = kind < 6 ? below(random, 8) != 0 : below(random, 4) == 0;
  std::string changed;
  size_t done = 0;
  for (const Token &token : tokens) {
    if (token.begin != chosen.begin && (!isEverywhere || text.compare(token.begin, token.length, old) != 0))
      continue;
    changed.append(text, done, token.begin - done);
    changed += replacement;
    done = token.begin + token.length;
  }
  return changed.append(text, done);
}
