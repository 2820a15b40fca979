//===- PassDumpFuzzer.cpp - dumps of other compilers -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Whatever the bytes: ops lie in the text and in each other, every line that is listed as unparsed exists, a text does
// not differ from itself, and what is printed holds no control characters.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/PassDump/PrintDump.h"

#include <algorithm>

using namespace mica;
using namespace mica::passdump;

namespace {

void checkScan(std::string_view text, Language language) {
  const Scan found = scan(text, language);
  const int64_t lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (size_t i = 0; i < found.ops.size(); ++i) {
    const ScannedOp &op = found.ops[i];
    fuzz::expect(op.begin <= op.headEnd && op.headEnd <= op.end && op.end <= text.size(), "an op lies in the text");
    fuzz::expect(op.line >= 1 && op.line <= op.lastLine && op.lastLine <= lines, "an op has lines of the text");
    fuzz::expect(op.next > static_cast<int32_t>(i) && op.next <= static_cast<int32_t>(found.ops.size()),
                 "the next op comes after it");
    if (op.parent >= 0) {
      const ScannedOp &parent = found.ops[static_cast<size_t>(op.parent)];
      fuzz::expect(op.parent < static_cast<int32_t>(i) && op.next <= parent.next && op.begin >= parent.begin,
                   "an op lies in its parent");
    }
    fuzz::expect(op.firstUse + op.useCount <= found.uses.size(), "uses are those of the scan");
    sourceLines(found, op.location);
  }
  for (const UnparsedLines &range : found.unparsed)
    fuzz::expect(range.first >= 1 && range.first <= range.last && range.last <= lines, "unparsed lines exist");
  const Part whole{text, &found, -1};
  fuzz::expect(compare(whole, whole).same(), "a text does not differ from itself");
  const std::string_view half = text.substr(0, text.size() / 2);
  const Scan part = scan(half, language);
  compare({half, &part, -1}, whole);
  compare(whole, {half, &part, -1});
}

void expectPlain(const std::string &text) {
  fuzz::expect(
      std::none_of(text.begin(), text.end(), [](char c) { return c != '\n' && static_cast<unsigned char>(c) < 32; }),
      "no control character is printed");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text = fuzz::view(data, size);
  guessLanguage(text);
  for (const Language language : {Language::Mlir, Language::Llvm, Language::Hlo, Language::Other})
    checkScan(text, language);
  const Result<Dump> dump = parseDump(std::string(text), "input");
  if (!dump) {
    fuzz::checkRefusal(dump.error());
    return 0;
  }
  expectPlain(printRuns(*dump));
  size_t found = 0, changed = 0;
  expectPlain(printChanges(*dump, "", found, changed));
  fuzz::expect(compareDumps(*dump, *dump).same, "a dump does not differ from itself");
  return 0;
}
