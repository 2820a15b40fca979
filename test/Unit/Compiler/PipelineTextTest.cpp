//===- PipelineTextTest.cpp - what remains of pipelines ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Index/PipelineText.h"

#include <gtest/gtest.h>

using namespace mica::compiler;

namespace {

std::vector<PipelineNode> roots() {
  std::optional<PipelineNode> first = parsePipelineText("builtin.module(a,builtin.module(b{x={1,2}},func.func(c,d)))");
  std::optional<PipelineNode> second = parsePipelineText("builtin.module(func.func(),func.func(e))", 5);
  EXPECT_TRUE(first && second);
  return {*first, *second};
}

TEST(PipelineTextTest, WhatRemainsStartsAtThePassInItsNests) {
  const std::vector<std::string> expected{
      "builtin.module(a,builtin.module(b{x={1,2}},func.func(c,d)),func.func(e))",
      "builtin.module(builtin.module(b{x={1,2}},func.func(c,d)),func.func(e))",
      "builtin.module(builtin.module(func.func(c,d)),func.func(e))",
      "builtin.module(builtin.module(func.func(d)),func.func(e))",
      "builtin.module(func.func(e))",
      "builtin.module()",
  };
  for (size_t after = 0; after < expected.size(); ++after)
    EXPECT_EQ(pipelineRange(roots(), static_cast<int>(after)), expected[after]);
}

TEST(PipelineTextTest, ARangeEndsAtItsLastPass) {
  EXPECT_EQ(pipelineRange(roots(), 1, 3), "builtin.module(builtin.module(b{x={1,2}},func.func(c)))");
}

} // namespace
