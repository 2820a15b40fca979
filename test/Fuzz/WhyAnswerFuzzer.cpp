//===- WhyAnswerFuzzer.cpp - fuzzes the reader of why.json -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Whatever the file holds, the row is none, or one that the page can walk: edges between nodes that are there.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "lib/Report/Artifact/WhyAnswer.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Json row = report::whyRow(fuzz::view(data, size));
  if (row.is_null())
    return 0;
  fuzz::expect(row.is_array() && row.size() == 5 && row[1].is_array() && !row[1].empty(), "an answer has nodes");
  const auto nodes = int64_t(row[1].size());
  for (const Json &edge : row[2]) {
    fuzz::expect(edge[0].get<int64_t>() >= 0 && edge[0].get<int64_t>() < nodes, "an edge begins at a node");
    fuzz::expect(edge[1].get<int64_t>() >= 0 && edge[1].get<int64_t>() < nodes, "an edge ends at a node");
  }
  fuzz::expect(row[3].get<int64_t>() >= -1 && row[3].get<int64_t>() < nodes, "the first difference is a node");
  fuzz::expect(!printJsonLine(row).empty(), "the row can be printed");
  return 0;
}
