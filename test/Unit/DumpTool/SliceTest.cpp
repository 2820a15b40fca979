//===- SliceTest.cpp - parts of tensors --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// As NumPy has them.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Slice.h"

#include <gtest/gtest.h>

using namespace mica;
using dumptool::sliceOf;

namespace {

/// Elements 0, 1, 2, ... of 3x4x5.
HostTensor counted() {
  HostTensor tensor(DType::I32, {3, 4, 5});
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setInt(i, i);
  return tensor;
}

void expectSlice(const std::string &text, const std::vector<int64_t> &shape, const std::vector<int64_t> &elements) {
  SCOPED_TRACE(text);
  const Result<HostTensor> part = sliceOf(counted(), text);
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->shape, shape);
  ASSERT_EQ(part->numElements(), int64_t(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i)
    EXPECT_EQ(part->asInt(int64_t(i)), elements[i]);
}

std::string refusal(const std::string &text) {
  const Result<HostTensor> part = sliceOf(counted(), text);
  return part ? "" : part.error().message;
}

TEST(Slice, IsThatOfNumPy) {
  expectSlice("[1, 2, 3]", {}, {33});
  expectSlice("[-1, -1, -1]", {}, {59});
  expectSlice("[0, 1]", {5}, {5, 6, 7, 8, 9});
  expectSlice("[0:2, 0, 0]", {2}, {0, 20});
  expectSlice("0,0,::2", {3}, {0, 2, 4});
  expectSlice("[0, 0, 1:]", {4}, {1, 2, 3, 4});
  expectSlice("[0, 0, :-3]", {2}, {0, 1});
  expectSlice("[..., 0]", {3, 4}, {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55});
  expectSlice("[2, ..., 4]", {4}, {44, 49, 54, 59});
  expectSlice("[0, 0, 7:9]", {0}, {});
  expectSlice("[0, 0, 3:1]", {0}, {});
  EXPECT_EQ(sliceOf(counted(), "[]")->shape, (std::vector<int64_t>{3, 4, 5}));
}

TEST(Slice, IsRefusedWithWhatIsWrong) {
  EXPECT_NE(refusal("[3, 0, 0]").find("index 3 is outside of dimension 0, which has 3 elements"), std::string::npos);
  EXPECT_NE(refusal("[0, 0, -6]").find("outside of dimension 2"), std::string::npos);
  EXPECT_NE(refusal("[0, 0, 0, 0]").find("names 4 dimensions"), std::string::npos);
  EXPECT_NE(refusal("[x]").find("'x' is no index"), std::string::npos);
  EXPECT_NE(refusal("[::0]").find("the step is 0"), std::string::npos);
  EXPECT_NE(refusal("[1:2:3:4]").find("more than start:stop:step"), std::string::npos);
  EXPECT_NE(refusal("[...,...]").find("'...' is no index"), std::string::npos);
}

} // namespace
