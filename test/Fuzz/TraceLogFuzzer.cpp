//===- TraceLogFuzzer.cpp - trace logs -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Whatever the bytes: every line is accounted for, pieces of any size give the same, and what is handed on as JSON is
// JSON.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Trace/Reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

using namespace mica;
using namespace mica::trace;

namespace {

void checkRecord(Record &record) {
  for (const Defect &defect : record.defects)
    fuzz::expect(!defect.what.empty() && isUtf8(defect.what), "a defect says something that can be printed");
  if (!record.envelope.empty()) {
    fuzz::expect(
        nlohmann::json::accept(record.notes.any() ? strictJson(record.envelope) : std::string(record.envelope)),
        "an envelope that is taken is JSON");
    fuzz::expect(!record.kind.empty() || !record.defects.empty(), "a record without kind is a defect");
  }
  if (record.event)
    fuzz::expect(nlohmann::json::accept(strictJson(record.payload)), "an event that is taken is JSON");
  const std::string quoted = quoteJson(record.payload);
  fuzz::expect(nlohmann::json::parse(quoted, nullptr, false) == validUtf8(record.payload), "quoted text comes back");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text = fuzz::view(data, size);
  std::vector<std::pair<int64_t, size_t>> whole, pieces;
  StringTable strings;
  const ReadCounts counts = readLogText(text,
                                        [&](Record &record) {
                                          checkRecord(record);
                                          if (record.kind == "str")
                                            strings.define(record);
                                          whole.push_back({record.line, record.payload.size()});
                                        },
                                        {.chunk = 4096, .threads = 1});
  strings.all();
  const int64_t lines = std::count(text.begin(), text.end(), '\n') + (!text.empty() && text.back() != '\n');
  fuzz::expect(counts.lines == lines, "every line is counted");
  fuzz::expect(counts.bytes == static_cast<int64_t>(size), "every byte is counted");
  const ReadCounts again = readLogText(text,
                                       [&](Record &record) {
                                         pieces.push_back({record.line, record.payload.size()});
                                       },
                                       {.chunk = 13, .threads = 1});
  fuzz::expect(whole == pieces && again.lines == lines, "pieces of another size give the same");
  readLogText(text, [](Record &record) { checkRecord(record); }, {.chunk = 13, .longestRecord = 100, .threads = 1});
  return 0;
}
