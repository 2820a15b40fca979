//===- ElementsTest.cpp - texts without the elements of constants --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Elements.h"

#include <gtest/gtest.h>

namespace mica::report {
namespace {

void expectSame(const std::string &text) { EXPECT_EQ(elideElements(text), text); }

TEST(ElementsTest, OfMlir) {
  const std::string elided = "dense_resource<__elided__>";
  EXPECT_EQ(elideElements("%c = arith.constant dense<[1.5, -2.5e+3, 0x7FC00000]> : tensor<3xf32> loc(#loc)"),
            "%c = arith.constant " + elided + " : tensor<3xf32> loc(#loc)");
  EXPECT_EQ(elideElements("x dense<\"0x0000803F00000040\"> y sparse<[[0]], [1.5]> z"),
            "x " + elided + " y " + elided + " z");
  EXPECT_EQ(elideElements("a dense<[[1, 2],\n  [(1.0, 2.0), true]]> b\nc"), "a " + elided + "\n b\nc");
  EXPECT_EQ(elideElements("w: \"0x04000000AABBCCDD\""), "w: \"0x...\"");
  // In a string of JSON, and cut off by whoever quoted it.
  EXPECT_EQ(elideElements(R"({"a": "dense<\"0x0000803F00000040\"> : t", "b": "dense<[1.0, 2.0"})"),
            "{\"a\": \"" + elided + " : t\", \"b\": \"" + elided + "\"}");
  EXPECT_EQ(elideElements("  llvm.mlir.global internal constant @w(\"\\01\\02\") {}"),
            "  llvm.mlir.global internal constant @w(\"...\") {}");
  for (const char *code : {"dense<0.5> : tensor<4xf32>", "array<i64: 1, 2>", "#map = affine_map<(d0) -> (d0)>",
                           "{tiles = [4, 8]} #a = [1, 2]",
                           "llvm.mlir.global external constant @mica_signature_k(dense<[1, 2]> : tensor<2xi64>)",
                           "llvm.mlir.global internal constant @mica_message_0(\"text\")", "vector<[4]xf32>",
                           "\"0xFFFF\"", "condense<[1, 2]>"})
    expectSame(code);
}

TEST(ElementsTest, OfLlvm) {
  EXPECT_EQ(elideElements("@x = constant [2 x float] [float 1.5, float 0x3FF8], align 4"),
            "@x = constant [2 x float] [...], align 4");
  EXPECT_EQ(elideElements("[2 x [2 x i32]] [[2 x i32] [i32 7, i32 8], [2 x i32] zeroinitializer]"),
            "[2 x [2 x i32]] [[2 x i32] [...], [2 x i32] zeroinitializer]");
  EXPECT_EQ(elideElements("  %1 = fadd <2 x float> %0, <float 1.0, float poison>"),
            "  %1 = fadd <2 x float> %0, <...>");
  EXPECT_EQ(elideElements("@z = constant [4 x i8] c\"\\01\\02ab\""), "@z = constant [4 x i8] c\"...\"");
  for (const char *code : {"  %2 = shufflevector <2 x float> %0, <2 x float> poison, <2 x i32> <i32 0, i32 1>",
                           "splat (float 2.0)", "insertvalue [1 x i64] [i64 5], i64 %x, 0",
                           "switch i32 %x, label %d [ i32 0, label %a", "@mica_m = constant [2 x i8] c\"ab\"",
                           "@mica_signature_k = constant [2 x i64] [i64 1, i64 2]", "<2 x i8> <i8 3, i8 3>"})
    expectSame(code);
}

TEST(ElementsTest, OfAssembly) {
  EXPECT_EQ(elideElements(".LCPI0_0:\n\t.long\t0x3f800000   # float 1\n\t.long\t1073741824\n.LCPI0_1:\n\t.long\t2 # "
                          "float 2\n\t.text\n"),
            ".LCPI0_0:\n\t.long\t...\n\t.long\t...\n.LCPI0_1:\n\t.long\t2 # float 2\n\t.text\n");
  EXPECT_EQ(elideElements("w:\n\t.ascii\t\"\\001\\002\"\n\t.zero 5\n\t.byte\t1,2\n"),
            "w:\n\t.ascii\t...\n\t.zero 5\n\t.byte\t...\n");
  EXPECT_EQ(elideElements("\tvmovaps\t.LCPI0_0(%rip), %xmm1   # xmm1 = [1.0E+0,2.0E+0]\n"),
            "\tvmovaps\t.LCPI0_0(%rip), %xmm1   # xmm1 = [...]\n");
  EXPECT_EQ(elideElements(".global .align 4 .b8 w[4] = {0, 0, 128, 63};"), ".global .align 4 .b8 w[4] = {...};");
  for (const char *code : {"\tvpermps %ymm1, %ymm0 # ymm1 = ymm0[0,1,2,3]\n",
                           ".LJTI0_0:\n\t.long\t.LBB0_1-.LJTI0_0\n\t.long\t.LBB0_2-.LJTI0_0\n",
                           "mica_s:\n\t.quad\t1\n\t.quad\t2\n", "\t.section\t.debug_info\n\t.byte\t1\n\t.byte\t17\n",
                           "\tmovl $5, %eax\n", ".LCPI0_2:\n\t.long\t5   # float 7\n\t.long\t5 # float 7\n",
                           "\tvmovaps x, %xmm1 # xmm1 = [-1.0E+0,u,-1.0E+0]\n", ".global .f32 w[1] = {0f3F800000};"})
    expectSame(code);
}

} // namespace
} // namespace mica::report
