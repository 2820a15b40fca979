//===- PassIndexFuzzer.cpp - passes_dump/index.json and line maps -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Both are read by reports only, from folders that people edit.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "lib/Report/LineMap.h"
#include "lib/Report/PassIndex.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text = fuzz::view(data, size);
  if (Result<report::PassIndex> index = report::parsePassIndex(text, "index.json"); !index)
    fuzz::checkRefusal(index.error());
  if (Result<std::vector<int64_t>> lines = report::parseLinesOfOp(text, "x.map.json", "3f2a91c07b1e"); !lines)
    fuzz::checkRefusal(lines.error());
  else
    report::lineRanges(*lines);
  return 0;
}
