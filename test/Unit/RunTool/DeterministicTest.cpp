//===- DeterministicTest.cpp - whether runs repeat ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Dumps of several calls, some of which differ.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Deterministic.h"

#include <gtest/gtest.h>

using namespace mica;

namespace {

/// A dump of calls of two launches each; `hashes` are those of their results.
std::string indexOf(const std::vector<std::pair<std::string, std::string>> &hashes) {
  std::string text = R"({"schema":"mica.dump","version":1,"level":3,"program":"/p","program_hash":"a","target":"cpu",)"
                     R"("byte_order":"little","pid":1,"identity":"00"})"
                     "\n";
  for (const char *site : {"0", "1"})
    text +=
        std::string(R"({"site":)") + site + R"(,"kernel":"k)" + site +
        R"(","kind":"exp","device":"cpu:0","ops":[{"id":"0123456789a)" + site +
        R"(","kind":"mica.exp","source":"m.mlir:3:8"}],"bindings":[{"role":"output","dtype":"f32","shape":[4],"name":"%y)" +
        site +
        R"(","op":0}]})"
        "\n";
  int launch = 0;
  for (size_t call = 0; call < hashes.size(); ++call)
    for (const auto &[site, hash] : {std::pair("0", hashes[call].first), std::pair("1", hashes[call].second)}) {
      const std::string number = std::to_string(++launch);
      text += R"({"launch":)" + number + R"(,"site":)" + site + R"(,"call":)" + std::to_string(call + 1) +
              R"(,"iteration":)" + std::to_string(call) +
              R"(,"before":[]})"
              "\n"
              R"({"done":)" +
              number + R"(,"after":[{"binding":0,"hash":")" + hash +
              R"(","stats":[0,1,0.5,1,0,0,0]}]})"
              "\n";
    }
  return text;
}

std::string textOf(const std::vector<std::pair<std::string, std::string>> &hashes, bool &same) {
  const Result<dump::Dump> dump = dump::Dump::parse(indexOf(hashes), "dump.jsonl");
  EXPECT_TRUE(dump) << (dump ? "" : dump.error().message);
  return dump ? runtool::determinismText(*dump, 3, same) : "";
}

TEST(Determinism, EqualRunsAreTheSame) {
  bool same = false;
  EXPECT_EQ(textOf({{"a", "b"}, {"a", "b"}, {"a", "b"}}, same),
            "deterministic: 3 runs, 2 tensors each: all have the same bits\n");
  EXPECT_TRUE(same);
}

TEST(Determinism, TheFirstTensorThatDiffersIsNamed) {
  bool same = true;
  const std::string text = textOf({{"a", "b"}, {"a", "c"}, {"d", "e"}}, same);
  EXPECT_FALSE(same);
  EXPECT_NE(text.find("DIFFERENT: 3 tensors"), std::string::npos) << text;
  // That of run 3 comes before the one that already differs in run 2.
  EXPECT_NE(text.find("first %y0 (4xf32) of kernel k0, mica.exp [0123456789a0] at m.mlir:3:8"), std::string::npos)
      << text;
  EXPECT_NE(text.find("run 3: min 0, max 1, mean 0.5, 0 NaN, 0 Inf, 0 zeros"), std::string::npos) << text;
}

} // namespace
