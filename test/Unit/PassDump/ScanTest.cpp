//===- ScanTest.cpp - ops of texts that no parser here knows ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/ScanDiff.h"

#include <gtest/gtest.h>

#include <string>

namespace mica::passdump {
namespace {

/// "1 module, 2 a.b": lines and names of the ops.
std::string opsOf(std::string_view text, Language language = Language::Mlir) {
  std::string list;
  for (const ScannedOp &op : scan(text, language).ops)
    list += (list.empty() ? "" : ", ") + std::to_string(op.line) + " " + std::string(op.name);
  return list;
}

/// "changed a.b 3>4": kind, op and lines of each change.
std::string changesOf(std::string_view before, std::string_view after, Language language = Language::Mlir) {
  static constexpr const char *kNames[] = {"added", "removed", "changed", "moved"};
  const Scan a = scan(before, language), b = scan(after, language);
  std::string list;
  for (const ScanChange &change : compare({before, &a, -1}, {after, &b, -1}).changes) {
    list += (list.empty() ? "" : ", ") + std::string(kNames[static_cast<size_t>(change.kind)]) + " " +
            std::string(change.op) + " " + std::to_string(change.before) + ">" + std::to_string(change.after);
    if (change.nested)
      list += " with " + std::to_string(change.nested);
  }
  return list;
}

TEST(ScanTest, CustomAssembly) {
  EXPECT_EQ(opsOf("module {\n  func.func @f(%arg0: i32) -> i32 {\n    %0 = foo.bar %arg0, [1, 2] {a = 1} : i32\n"
                  "    return %0 : i32\n  }\n}\n"),
            "1 module, 2 func.func, 3 foo.bar, 4 return");
  // Regions that begin on a line, words that go on after one, dictionaries that are no regions.
  EXPECT_EQ(opsOf("%0 = a.switch %x\ncase 2 {\n  a.yield\n}\ndefault {\n  b.yield\n}\nc.end {unit, b = {c = 1}}\n"),
            "1 a.switch, 3 a.yield, 6 b.yield, 8 c.end");
  EXPECT_EQ(opsOf("a.if %x {\n  b.c\n} else {\n  d.e\n}\n"), "1 a.if, 2 b.c, 4 d.e");
  EXPECT_EQ(opsOf("%r = linalg.map { arith.addf } ins(%a : t) outs(%b : t)\nf.g {llvm.noalias}\n"),
            "1 linalg.map, 1 arith.addf, 2 f.g");
}

TEST(ScanTest, GenericForm) {
  EXPECT_EQ(opsOf("\"builtin.module\"() <{sym_name = \"m\"}> ({\n^bb0(%a: i32):\n  %0:2 = \"x.y\"(%a) ({\n  }, {\n"
                  "    \"z.w\"() : () -> ()\n  }) {k = \"}\"} : (i32) -> (i32, i32)\n}) : () -> ()\n"),
            "1 builtin.module, 3 x.y, 5 z.w");
}

TEST(ScanTest, OperandsAndLocations) {
  const std::string text =
      "#map = affine_map<(d0) -> (d0)>\nfunc.func @f(%arg0: i32 loc(\"a\":1:2)) {\n"
      "  %0:2 = a.b %arg0 : i32 loc(#loc1)\n  c.d %0#1, %0#0 : i32 loc(callsite(\"n\"(#loc1) at \"s.py\":9:1))\n}\n"
      "#loc = loc(\"f.mlir\":3:4)\n#loc1 = loc(fused[#loc, \"g.py\":7:8])\n";
  const Scan found = scan(text, Language::Mlir);
  ASSERT_EQ(found.ops.size(), 3u);
  EXPECT_EQ(found.ops[0].symbol, "f");
  EXPECT_EQ(found.ops[1].results, 2);
  EXPECT_EQ(found.ops[1].parent, 0);
  EXPECT_TRUE(found.uses[found.ops[1].firstUse].argument);
  ASSERT_EQ(found.ops[2].useCount, 2u);
  EXPECT_EQ(found.uses[found.ops[2].firstUse].op, 1);
  EXPECT_EQ(found.uses[found.ops[2].firstUse].number, 1);
  EXPECT_EQ(sourceLines(found, found.ops[1].location), (std::vector<SourceLine>{{"f.mlir", 3, 4}, {"g.py", 7, 8}}));
  EXPECT_EQ(sourceLines(found, found.ops[2].location).size(), 3u);
  EXPECT_TRUE(found.unparsed.empty());
}

TEST(ScanTest, WhatCannotBeReadIsListed) {
  const Scan found = scan("module {\n  a.b\n}\nwarning: this is no op\n[ 12%] a line\nmodule {\n}\n", Language::Mlir);
  EXPECT_EQ(found.ops.size(), 3u);
  EXPECT_EQ(found.unparsedLines(), 2);
  EXPECT_EQ(scan("}}}))>\n{{{{\n\"", Language::Mlir).ops.size(), 0u);
  // A bracket that is never closed does not swallow the rest.
  EXPECT_EQ(opsOf("module {\n  a.b (%x\n  %1 = c.d\n  e.f\n}\n"), "1 module, 2 a.b, 3 c.d, 4 e.f");
}

TEST(ScanTest, DeepNestingIsNoRecursion) {
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += "a.b {\n";
  EXPECT_GT(scan(text, Language::Mlir).ops.size(), 9000u);
}

TEST(ScanTest, LlvmAndHlo) {
  const std::string llvm =
      "define i32 @f(i32 %a) !dbg !4 {\nentry:\n  %b = add nsw i32 %a, 1, !dbg !7\n"
      "  switch i32 %b, label %x [\n    i32 1, label %x\n  ]\nx:\n  ret i32 %b\n}\n"
      "!3 = !DIFile(filename: \"a.c\", directory: \"/d\")\n!4 = distinct !DISubprogram(name: \"f\", file: !3)\n"
      "!7 = !DILocation(line: 5, column: 2, scope: !4)\n";
  EXPECT_EQ(opsOf(llvm, Language::Llvm), "1 define, 3 add, 4 switch, 8 ret");
  const Scan found = scan(llvm, Language::Llvm);
  EXPECT_EQ(sourceLines(found, found.ops[1].location), (std::vector<SourceLine>{{"/d/a.c", 5, 2}}));
  const std::string hlo =
      "HloModule m\n\nENTRY %main (x: f32[2]) -> f32[2] {\n  %x = f32[2]{0} parameter(0)\n"
      "  ROOT %add.1 = f32[2]{0} add(f32[2]{0} %x, f32[2]{0} %x), metadata={source_file=\"f.py\" source_line=4}\n}\n";
  EXPECT_EQ(opsOf(hlo, Language::Hlo), "3 ENTRY, 4 parameter, 5 add");
  const Scan module = scan(hlo, Language::Hlo);
  EXPECT_EQ(sourceLines(module, module.ops[2].location), (std::vector<SourceLine>{{"f.py", 4, 0}}));
  std::string renumbered = hlo;
  renumbered.replace(renumbered.find("%add.1"), 6, "%add.9");
  EXPECT_EQ(changesOf(hlo, renumbered, Language::Hlo), "");
}

TEST(ScanTest, LanguageOfAText) {
  EXPECT_EQ(guessLanguage("// a comment\n#map = x\nmodule {}"), Language::Mlir);
  EXPECT_EQ(guessLanguage("\"a.b\"() : () -> ()"), Language::Mlir);
  EXPECT_EQ(guessLanguage("; ModuleID = 'x'\n"), Language::Llvm);
  EXPECT_EQ(guessLanguage("HloModule m\n"), Language::Hlo);
  EXPECT_EQ(guessLanguage("#!/bin/sh is a comment of something else\x01"),
            Language::Mlir); // an alias is all that "#" says
  EXPECT_EQ(guessLanguage(".version 8.0\n.target sm_90\n"), Language::Other);
  EXPECT_EQ(guessLanguage("hello"), Language::Other);
}

TEST(ScanDiffTest, NamesAndAliasesAreNoDifference) {
  EXPECT_EQ(changesOf("#map = affine_map<(d0) -> (d0)>\nmodule {\n  %0 = a.b {m = #map} loc(\"x\":1:1)\n  c.d %0\n}\n",
                      "#map9 = affine_map<(d0) -> (d0)>\nmodule {\n  %v = a.b {m = #map9}\n  c.d %v\n}\n"),
            "");
}

TEST(ScanDiffTest, EachKindOfChange) {
  const std::string text =
      "module {\n  %0 = a.const {v = 1}\n  %1 = a.const {v = 2}\n  %2 = a.add %0, %1\n  a.use %2\n}\n";
  EXPECT_EQ(
      changesOf(text, "module {\n  %0 = a.const {v = 1}\n  %1 = a.const {v = 2}\n  %2 = a.add %1, %0\n  a.use %2\n}\n"),
      "changed a.add 4>4");
  EXPECT_EQ(
      changesOf(text, "module {\n  %0 = a.const {v = 1}\n  %1 = a.const {v = 3}\n  %2 = a.add %0, %1\n  a.use %2\n}\n"),
      "changed a.const 3>3");
  EXPECT_EQ(changesOf(text, "module {\n  %0 = a.const {v = 1}\n  %2 = a.add %0, %0\n  a.use %2\n}\n"),
            "removed a.const 3>0, changed a.add 4>3");
  EXPECT_EQ(changesOf(text, "module {\n  %0 = a.const {v = 1}\n  %1 = a.const {v = 2}\n  %2 = a.add %0, %1\n  b.loop "
                            "{\n    b.x\n    b.y\n  }\n  a.use %2\n}\n"),
            "added b.loop 0>5 with 2");
  EXPECT_EQ(changesOf("module {\n  a.x\n  a.loop {\n    a.y {k}\n    a.z\n  }\n}\n",
                      "module {\n  a.y {k}\n  a.x\n  a.loop {\n    a.z\n  }\n}\n"),
            "moved a.y 4>2");
}

TEST(ScanDiffTest, DetailsShowTheDifferingMiddle) {
  const std::string x = "a.b 1 2 3", y = "a.b 1 7 3";
  const Scan a = scan(x, Language::Mlir), b = scan(y, Language::Mlir);
  const ScanDifference found = compare({x, &a, -1}, {y, &b, -1});
  ASSERT_EQ(found.changes.size(), 1u);
  ASSERT_EQ(found.changes[0].details.size(), 1u);
  EXPECT_EQ(found.changes[0].details[0].before, "2");
  EXPECT_EQ(found.changes[0].details[0].after, "7");
}

TEST(ScanTest, BlanksAtTheEndOfALineOfLlvm) {
  const Scan found = scan("define void @f() {\n  %1 = add i32 1, 2 \n  ret void  \n}\n", Language::Llvm);
  ASSERT_EQ(found.ops.size(), 3u);
  EXPECT_EQ(found.ops[2].line, 3);
  EXPECT_EQ(found.ops[0].lastLine, 4);
}

TEST(ScanTest, StackFramesOfHlo) {
  const Scan found =
      scan("HloModule m\n\nFileNames\n1 \"/a/lib.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
           "7 {file_name_id=1 function_name_id=1 line=4 end_line=5 column=8 end_column=20}\n\nStackFrames\n"
           "3 {file_location_id=7 parent_frame_id=1}\n\n\nENTRY e {\n  a = f32[] parameter(0), "
           "metadata={op_name=\"a\" stack_frame_id=3}\n  ROOT b = f32[] negate(a), metadata={op_name=\"b\" "
           "stack_frame_id=9}\n}\n",
           Language::Hlo);
  ASSERT_EQ(found.ops.size(), 3u);
  EXPECT_EQ(found.unparsedLines(), 0);
  const std::vector<SourceLine> lines = sourceLines(found, found.ops[1].location);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], (SourceLine{"/a/lib.py", 4, 8}));
  EXPECT_TRUE(sourceLines(found, found.ops[2].location).empty());
}

TEST(ScanTest, LiteralsOfHloOnSeveralLines) {
  const Scan found = scan("HloModule m\nENTRY e {\n  c = f32[2,1]{1,0} constant({\n    { 1 },\n    { 2 }\n  })\n"
                          "  ROOT b = f32[2,1]{1,0} negate(c)\n}\n",
                          Language::Hlo);
  ASSERT_EQ(found.ops.size(), 3u);
  EXPECT_EQ(found.unparsedLines(), 0);
  EXPECT_EQ(found.ops[1].line, 3);
  EXPECT_EQ(found.ops[1].lastLine, 6);
  EXPECT_EQ(found.ops[2].line, 7);
  // One that does not end is a line, not the rest of the text.
  EXPECT_EQ(scan("HloModule m\nENTRY e {\n  c = f32[2] constant({\n}\nENTRY f {\n  d = f32[] parameter(0)\n}\n",
                 Language::Hlo)
                .ops.size(),
            4u);
}

/// What a value of the op on `line` is: the line of the op that defines it, or of which it is an argument; 0: nothing.
std::vector<int64_t> usesOf(const Scan &found, int64_t line) {
  std::vector<int64_t> lines;
  for (const ScannedOp &op : found.ops)
    if (op.line == line)
      for (uint32_t i = 0; i < op.useCount; ++i) {
        const int32_t by = found.uses[op.firstUse + i].op;
        lines.push_back(by < 0 ? 0 : found.ops[static_cast<size_t>(by)].line);
      }
  return lines;
}

TEST(ScanTest, ValuesOfRegionsEndWithThem) {
  const Scan found = scan("func.func @f(%arg0: i32) {\n"
                          "  %0:2 = x.loop %arg0 {\n"
                          "    %1 = x.a\n"
                          "    x.yield %1, %0#0\n"
                          "  }\n"
                          "  x.use %0#1, %1\n"
                          "}\n"
                          "func.func @g(%arg1: i32) {\n"
                          "  x.use %arg0, %0, %arg1\n"
                          "}\n",
                          Language::Mlir);
  EXPECT_EQ(usesOf(found, 2), (std::vector<int64_t>{1}));
  EXPECT_EQ(usesOf(found, 4), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(usesOf(found, 6), (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(usesOf(found, 9), (std::vector<int64_t>{0, 0, 8}));
}

TEST(ScanTest, ValuesThatAnOpDefinesInItsText) {
  const Scan found = scan("func.func @f(%n: index, %t: !t) {\n"
                          "  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {\n"
                          "    x.use %i, %j\n"
                          "  }\n"
                          "  scf.forall (%k, %l) in (4, 8) shared_outs(%o = %t) -> (!t) {\n"
                          "    x.use %k, %l, %o\n"
                          "  }\n"
                          "  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) "
                          "in (%sx = %n, %sy = %n, %sz = %n) {\n"
                          "    x.use %bx, %gz, %tz, %sx\n"
                          "  }\n"
                          "  omp.loop_nest (%p, %q) : index = (%n, %n) to (%n, %n) step (%n, %n) {\n"
                          "    x.use %p, %q\n"
                          "  }\n"
                          "  sparse_tensor.iterate %it in %t at(%crd) : !t {\n"
                          "    x.use %it\n"
                          "  }\n"
                          "  %r = hw.instance \"i\" @M(a: %n: index, b: %t: !t) -> (c: i1)\n"
                          "}\n",
                          Language::Mlir);
  EXPECT_EQ(found.unparsedLines(), 0);
  EXPECT_EQ(usesOf(found, 2), (std::vector<int64_t>(6, 1)));
  EXPECT_EQ(usesOf(found, 3), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(usesOf(found, 6), (std::vector<int64_t>{5, 5, 5}));
  EXPECT_EQ(usesOf(found, 9), (std::vector<int64_t>{8, 8, 8, 8}));
  EXPECT_EQ(usesOf(found, 12), (std::vector<int64_t>{11, 11}));
  EXPECT_EQ(usesOf(found, 15), (std::vector<int64_t>{14}));
  EXPECT_EQ(usesOf(found, 17), (std::vector<int64_t>{1, 1}));
}

TEST(ScanTest, PartsOfAnOpOnLinesOfTheirOwn) {
  const Scan found = scan("func.func @f() {\n"
                          "  %0:2 = stablehlo.while(%i = %c) : tensor<i32>\n"
                          "    cond {\n"
                          "    stablehlo.return %i : tensor<i1>\n"
                          "  } do {\n"
                          "    stablehlo.return %i : tensor<i32>\n"
                          "  }\n"
                          "  ttg.warp_specialize(%0, %1)\n"
                          "  default {\n"
                          "    ttg.warp_yield\n"
                          "  }\n"
                          "  partition0(%a: i32) num_warps(4) {\n"
                          "    ttg.warp_return\n"
                          "  } : (i32) -> ()\n"
                          "  %r = stream.async.execute with(%0 as %x: !s{%c16}) -> !s{%c16} {\n"
                          "    stream.yield %x : !s{%c16}\n"
                          "  } => !stream.timepoint\n"
                          "  return\n"
                          "}\n",
                          Language::Mlir);
  std::string names;
  for (const ScannedOp &op : found.ops)
    names += std::string(op.name) + " " + std::to_string(op.regions) + "\n";
  EXPECT_EQ(names, "func.func 1\nstablehlo.while 2\nstablehlo.return 0\nstablehlo.return 0\nttg.warp_specialize 2\n"
                   "ttg.warp_yield 0\nttg.warp_return 0\nstream.async.execute 1\nstream.yield 0\nreturn 0\n");
  EXPECT_EQ(found.unparsedLines(), 0);
}

TEST(ScanDiffTest, NamesOfAnotherFunctionAreNotUsed) {
  // The loop of the first function is gone; the second calls its values the same.
  const std::string second = "func.func @g(%arg1: index) {\n  x.foreach [%arg2, %0] {\n    x.use %arg2\n  }\n}\n";
  const std::string before =
      "func.func @f(%arg0: index) {\n  scf.for %arg2 = %arg0 to %arg0 step %arg0 {\n    %0 = x.a\n"
      "  }\n}\n" +
      second;
  const std::string after = "func.func @f(%arg0: index) {\n}\n" + second;
  const Scan a = scan(before, Language::Mlir), b = scan(after, Language::Mlir);
  const ScanDifference found = compare({before, &a, -1}, {after, &b, -1});
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_EQ(found.changes[0].op, "scf.for");
  EXPECT_EQ(found.changes[0].kind, ChangeKind::Removed);
}

TEST(ScanDiffTest, AFunctionOfAnotherKindIsTheSameFunction) {
  const std::string body = " {\n    x.a\n    x.b\n  }\n";
  const std::string before = "module {\n  func.func @f()" + body + "  func.func @g()" + body + "}\n";
  const std::string after = "module {\n  func.func @f()" + body + "  llvm.func @g()" + body + "}\n";
  const Scan a = scan(before, Language::Mlir), b = scan(after, Language::Mlir);
  const ScanDifference found = compare({before, &a, -1}, {after, &b, -1});
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_EQ(found.changes[0].kind, ChangeKind::Changed);
  EXPECT_EQ(found.changes[0].op, "llvm.func");
  ASSERT_EQ(found.changes[0].details.size(), 1u);
  EXPECT_EQ(found.changes[0].details[0].before, "func.func");
  EXPECT_EQ(found.changes[0].details[0].after, "llvm.func");
}

TEST(ScanDiffTest, AnOpInPlaceOfAnotherOneIsAChange) {
  const std::string before =
      "func.func @f(%a: f32) {\n  %0 = arith.addf %a, %a : f32\n  %1 = math.exp %0 : f32\n  x.gone %a\n  "
      "x.use %1\n}\n";
  const std::string after =
      "func.func @f(%a: f32) {\n  %0 = llvm.fadd %a, %a : f32\n  %1 = llvm.intr.exp(%0) : (f32) -> f32\n"
      "  x.use %1\n  x.new %a, %1\n}\n";
  const Scan a = scan(before, Language::Mlir), b = scan(after, Language::Mlir);
  const ScanDifference found = compare({before, &a, -1}, {after, &b, -1});
  std::string text;
  for (const ScanChange &change : found.changes)
    text += std::string(change.op) + " " + std::to_string(static_cast<int>(change.kind)) + "\n";
  EXPECT_EQ(text, "llvm.fadd 2\nllvm.intr.exp 2\nx.gone 1\nx.new 0\n");
}

} // namespace
} // namespace mica::passdump
