//===- PassDumpTest.cpp - dumps of passes in memory -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/PrintDump.h"

#include <gtest/gtest.h>

namespace mica::passdump {
namespace {

std::string runsOf(const std::string &text) {
  const Result<Dump> dump = parseDump(text, "x.txt");
  return dump ? printRuns(*dump) : "error: " + dump.error().message;
}

constexpr const char *kOne = "module {\n  func.func @f() {\n    %0 = a.b\n    %1 = a.b\n    c.d %0, %1\n  }\n}\n";
constexpr const char *kTwo = "module {\n  func.func @f() {\n    %0 = a.b\n    c.d %0, %0\n  }\n}\n";

TEST(PassDumpTest, HeadersOfMlir) {
  EXPECT_EQ(runsOf(std::string("noise\n// -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //\n") +
                   kOne + "\n\n// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //\n" + kTwo +
                   "// -----// IR Dump After (anonymous namespace)::P Failed (p) //----- //\n" + kTwo),
            "f (1)\n  0001 CSE (cse) on func.func @f: 1 op removed, 5 -> 4 ops\n"
            "  0002 (anonymous namespace)::P (p): failed, 4 ops\n"
            "MLIR pass dump: 2 passes or stages, 1 changed something\n"
            "the lines before the first dump are no part of it and are left out\n");
  // A header in the middle of a line, as threads write it.
  EXPECT_EQ(
      runsOf(
          "// *** IR Dump After A ***\nmodule {\n}  // -----// IR Dump After B (b) //----- //\nmodule {\n  x.y\n}\n"),
      "module 1\n  0001 A: first text, 1 op\n  0002 B (b): 1 op added, 1 -> 2 ops\nMLIR pass dump: 2 passes or stages, "
      "2 changed something\n");
}

TEST(PassDumpTest, FunctionsOfAModule) {
  // Two functions in turn, then the module of both: what it is compared with is put together.
  const std::string f = "func.func @f() {\n  a.b\n}\n", g = "func.func @g() {\n  c.d\n}\n";
  EXPECT_EQ(runsOf("// -----// IR Dump After P (p) //----- //\n" + f + "// -----// IR Dump After P (p) //----- //\n" +
                   g +
                   "// -----// IR Dump After Q (q) //----- //\nmodule {\n  func.func @f() {\n    a.b\n  }\n  func.func "
                   "@g() {\n    c.e\n  }\n}\n" +
                   "// -----// IR Dump After P (p) //----- //\n" + f),
            "f (1)\n  0001 P (p) on @f: first text, 2 ops\n  0002 P (p) on @g: first text, 2 ops\n"
            "  0003 Q (q): 1 op added, 1 removed, 5 ops\n  0004 P (p) on @f: nothing, 2 ops\n"
            "MLIR pass dump: 4 passes or stages, 3 changed something\n");
}

TEST(PassDumpTest, ModulesOfOneProcess) {
  std::string text;
  for (const char *kernel : {"one", "two", "one"})
    for (const char *pass : {"A", "B"})
      text += std::string("// -----// IR Dump After ") + pass + " //----- //\nmodule {\n  tt.func @" + kernel +
              "() {\n    " + (*pass == 'A' ? "tt.x" : "ttg.y") + "\n  }\n}\n";
  EXPECT_EQ(runsOf(text), "one (1)\n  0001 A: first text, 3 ops\n  0002 B: 1 op added, 1 removed, 3 ops\n"
                          "two (2)\n  0003 A: first text, 3 ops\n  0004 B: 1 op added, 1 removed, 3 ops\n"
                          "one (3)\n  0005 A: first text, 3 ops\n  0006 B: 1 op added, 1 removed, 3 ops\n"
                          "MLIR pass dump: 6 passes or stages, 6 changed something\n");
}

TEST(PassDumpTest, HeadersOfLlvm) {
  EXPECT_EQ(runsOf("; *** IR Dump Before SROAPass on f ***\ndefine void @f() {\n  %a = alloca i32\n  ret void\n}\n"
                   "; *** IR Dump After SROAPass on f ***\ndefine void @f() {\n  ret void\n}\n"
                   "*** IR Dump After InstCombinePass on f omitted because no change ***\n"
                   "*** IR Deleted After X on f ***\n"),
            "f (1)\n  0001 SROAPass on f: 1 op removed, 3 -> 2 ops\n  0002 InstCombinePass on f: nothing\n"
            "LLVM pass dump: 2 passes or stages, 1 changed something\n");
}

TEST(PassDumpTest, HeadersOfOlderVersions) {
  EXPECT_EQ(runsOf("// *** IR Dump Before CSE *** ('func' operation: @f)\nfunc @f() {\n  a.b\n  a.c\n}\n"
                   "// *** IR Dump After CSE *** ('func' operation: @f)\nfunc @f() {\n  a.b\n}\n"
                   "// -----// IR Dump After {anonymous}::P () //----- //\nfunc @f() {\n  a.b\n}\n"),
            "f (1)\n  0001 CSE on func @f: 1 op removed, 3 -> 2 ops\n  0002 {anonymous}::P on @f: nothing, 2 ops\n"
            "MLIR pass dump: 2 passes or stages, 1 changed something\n");
}

TEST(PassDumpTest, LogsThatWriteBeforeEachLine) {
  EXPECT_EQ(runsOf("[rank0]: // -----// IR Dump After A (a) //----- //\n[rank0]: module {\n[rank0]:   x.y\n[rank0]: }\n"
                   "[rank0]: // -----// IR Dump After B (b) //----- //\n[rank0]: module {\n[rank0]: }\n"),
            "module 1\n  0001 A (a): first text, 2 ops\n  0002 B (b): 1 op removed, 2 -> 1 ops\n"
            "MLIR pass dump: 2 passes or stages, 2 changed something\n");
}

TEST(PassDumpTest, DiagnosticsAreNoPartOfAText) {
  EXPECT_EQ(
      runsOf("// -----// IR Dump Before A (a) //----- //\nmodule {\n  x.y\n}\n/a/f.mlir:3:4: error: no\n    %1 = x.y "
             "%0 : i1\n         ^\n/a/f.mlir:3:4: note: see current operation: %1 = x.y\n// -----// IR Dump After A "
             "Failed (a) //----- //\nmodule {\n  x.y\n}\n"),
      "module 1\n  0001 A (a): failed, 2 ops\nMLIR pass dump: 1 text, 0 changed something\n");
}

TEST(PassDumpTest, ColoursOfATerminal) {
  EXPECT_EQ(runsOf("// -----// IR Dump After A (a) //----- //\n\x1b[1;32mmodule\x1b[0m {\n  x.y\n}\n"),
            "module 1\n  0001 A (a): first text, 2 ops\nMLIR pass dump: 1 text, 1 changed something\n");
}

TEST(PassDumpTest, TextsThatAreCutOffAreLabelled) {
  const std::string whole = "// -----// IR Dump After A (a) //----- //\nmodule {\n  x.y {a = [1,\n 2]}\n}\n";
  EXPECT_EQ(runsOf(whole).find("cut off"), std::string::npos);
  for (size_t size = whole.find("module {") + 8; size < whole.size() - 2; ++size)
    EXPECT_NE(runsOf(whole.substr(0, size)).find("the text is cut off"), std::string::npos) << whole.substr(0, size);
  EXPECT_NE(runsOf("*** IR Dump After P on f ***\ndefine void @f() {\n  ret void\n").find("the text is cut off"),
            std::string::npos);
}

TEST(PassDumpTest, WhatIsNoDumpIsAnError) {
  EXPECT_EQ(runsOf("hello"), "error: x.txt holds no dump of a compiler's passes");
  EXPECT_EQ(runsOf(""), "error: x.txt holds no dump of a compiler's passes");
  EXPECT_EQ(runsOf(std::string("\0\1\2IR Dump After", 16)), "error: x.txt holds no dump of a compiler's passes");
}

TEST(PassDumpTest, FirstDivergence) {
  auto text = [](const char *value) {
    return "// -----// IR Dump After A (a) //----- //\nmodule {\n  x.y\n}\n// -----// IR Dump After B (b) //----- "
           "//\nmodule {\n  x.y {v = " +
           std::string(value) + "}\n}\n// -----// IR Dump After C (c) //----- //\nmodule {\n  x.z {v = " + value +
           "}\n}\n";
  };
  Result<Dump> one = parseDump(text("1"), "one"), two = parseDump(text("2"), "two");
  ASSERT_TRUE(one && two);
  const DumpComparison found = compareDumps(*one, *two);
  EXPECT_FALSE(found.same);
  EXPECT_EQ(found.text, "first difference after b of module 1:\n  ~ x.y  line 2 -> 2\n      text: 1} -> 2}\n  then "
                        "c\n1 texts are the same, 2 differ\n");
  EXPECT_TRUE(compareDumps(*one, *one).same);
}

} // namespace
} // namespace mica::passdump
