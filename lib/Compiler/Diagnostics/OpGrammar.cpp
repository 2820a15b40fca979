//===- OpGrammar.cpp - the assembly grammar of ops ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table is generated from TableGen (tools/scripts/op_grammar.py).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Diagnostics/OpGrammar.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mica;

namespace {
struct Grammar {
  llvm::StringLiteral op, text, example;
};
} // namespace

static constexpr Grammar kGrammars[] = {
#include "lib/Compiler/Diagnostics/OpGrammar.inc"
};

static const Grammar *findGrammar(llvm::StringRef op) {
  const Grammar *found = llvm::find_if(kGrammars, [&](const Grammar &grammar) { return grammar.op == op; });
  return found == std::end(kGrammars) ? nullptr : found;
}

llvm::StringRef compiler::grammarOf(llvm::StringRef op) {
  const Grammar *grammar = findGrammar(op);
  return grammar ? llvm::StringRef(grammar->text) : "";
}

llvm::StringRef compiler::exampleOf(llvm::StringRef op) {
  const Grammar *grammar = findGrammar(op);
  return grammar ? llvm::StringRef(grammar->example) : "";
}

/// The last op name in `line`, "arith.addf"; "" if there is none.
static llvm::StringRef lastOp(llvm::StringRef line) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  llvm::StringRef found;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      at = std::min(line.find('"', at + 1), line.size() - 1) + 1;
      continue;
    }
    llvm::StringRef word = line.drop_front(at).take_while(isPart);
    if (word.empty()) {
      ++at;
      continue;
    }
    // Not %value, @symbol, #attribute, !type or ^block.
    const bool isMarked = at > 0 && llvm::StringRef("%@#!^").contains(line[at - 1]);
    if (!isMarked && llvm::isAlpha(word.front()) && word.contains('.'))
      found = word;
    at += word.size();
  }
  return found;
}

llvm::StringRef compiler::opBefore(llvm::StringRef text) {
  // An op may span several lines.
  constexpr int kMostLines = 8;
  for (int k = 0; k < kMostLines; ++k) {
    llvm::StringRef last = text.substr(text.rfind('\n') + 1);
    if (llvm::StringRef op = lastOp(last); !op.empty())
      return grammarOf(op).empty() ? llvm::StringRef() : op;
    if (text.size() == last.size())
      break;
    text = text.drop_back(last.size() + 1);
  }
  return "";
}
