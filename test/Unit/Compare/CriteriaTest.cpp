//===- CriteriaTest.cpp - chosen ways to compare two tensors ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Each method on values that can be checked by hand.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Criteria.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mica;

namespace {

HostTensor tensor(DType type, std::vector<int64_t> shape, const std::vector<double> &values) {
  HostTensor result(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    result.setDouble(static_cast<int64_t>(i), values[i]);
  return result;
}

CriteriaVerdict judge(const HostTensor &actual, const HostTensor &expected, std::string_view criteria) {
  Result<Criteria> parsed = parseCriteria(criteria);
  EXPECT_TRUE(parsed) << criteria;
  return parsed ? judgeTensors(actual, expected, *parsed) : CriteriaVerdict();
}

TEST(CriteriaTest, ParsesWhatItPrints) {
  for (const char *text : {"default", "exact", "allclose:0.001:1e-08", "bad:0.01:1e-05:1e-08", "l2", "l2:0.001",
                           "cosine:0.99", "topk:5:0.8", "ulp", "ulp:4", "exact,l2,topk:1:1"}) {
    const Result<Criteria> criteria = parseCriteria(text);
    ASSERT_TRUE(criteria) << text;
    EXPECT_EQ(printCriteria(*criteria), text);
  }
  EXPECT_EQ(printCriteria(*parseCriteria("allclose")), "allclose:1e-05:1e-08");
}

TEST(CriteriaTest, RefusesOthersByName) {
  for (const char *text : {"", "allclos", "exact:1", "bad", "topk", "topk:0", "topk:1.5", "topk:x", "l2:-1", "l2:nan",
                           "cosine:1.5", "bad:2", "ulp:1:2", "allclose:1:2:3", "exact,"}) {
    const Result<Criteria> criteria = parseCriteria(text);
    ASSERT_FALSE(criteria) << text;
    EXPECT_EQ(criteria.error().code, ErrorCode::InvalidInput);
  }
  EXPECT_NE(parseCriteria("allclos").error().message.find("did you mean allclose?"), std::string::npos);
}

TEST(CriteriaTest, AllcloseListsTwentyWithBothValues) {
  const HostTensor expected(DType::F32, {5, 6});
  HostTensor actual = expected;
  for (int64_t i = 0; i < 30; ++i)
    actual.setDouble(i, i < 25 ? 1 : 0);
  const CriteriaVerdict verdict = judge(actual, expected, "allclose:0:0.5");
  EXPECT_FALSE(verdict.same);
  EXPECT_NE(verdict.text.find("25 of 30 elements are beyond atol 0.5 + rtol 0 * |expected|, none may be"),
            std::string::npos)
      << verdict.text;
  EXPECT_NE(verdict.text.find("at [3, 1] (got 1.0, expected 0.0)\n  and at 5 more"), std::string::npos) << verdict.text;
  EXPECT_TRUE(judge(actual, expected, "allclose:0:1").same);
  EXPECT_TRUE(judge(actual, expected, "bad:0.84:0:0.5").same);
  EXPECT_FALSE(judge(actual, expected, "bad:0.83:0:0.5").same);
}

TEST(CriteriaTest, IntegersBeyondTheF64AreNotClose) {
  HostTensor a(DType::I64, {1}), b = a;
  a.setInt(0, (int64_t(1) << 60) + 1);
  b.setInt(0, int64_t(1) << 60);
  EXPECT_FALSE(judge(a, b, "allclose:0:0.5").same);
  EXPECT_FALSE(judge(a, b, "exact").same);
  EXPECT_TRUE(judge(a, b, "allclose:0:1").same);
}

TEST(CriteriaTest, RelativeL2AndCosine) {
  const HostTensor expected = tensor(DType::F32, {2}, {3, 4});
  const HostTensor actual = tensor(DType::F32, {2}, {3, 4.5});
  EXPECT_TRUE(judge(actual, expected, "l2:0.1").same);
  EXPECT_FALSE(judge(actual, expected, "l2:0.099").same);
  EXPECT_FALSE(judge(actual, expected, "l2").same);
  const HostTensor turned = tensor(DType::F32, {2}, {4, 3}); // the cosine is 24/25
  EXPECT_TRUE(judge(turned, expected, "cosine:0.9599").same);
  EXPECT_FALSE(judge(turned, expected, "cosine:0.9601").same);
  EXPECT_TRUE(judge(tensor(DType::F32, {2}, {30, 40}), expected, "cosine").same);
  EXPECT_FALSE(judge(tensor(DType::F32, {2}, {0, 0}), expected, "cosine").same);
}

TEST(CriteriaTest, TopKComparesWhichElements) {
  const HostTensor expected = tensor(DType::F32, {2, 4}, {1, 2, 3, 4, 4, 3, 2, 1});
  const HostTensor actual = tensor(DType::F32, {2, 4}, {1, 2, 40, 30, 1, 3, 2, 4});
  EXPECT_TRUE(judge(actual, expected, "topk:2:0.75").same);
  const CriteriaVerdict verdict = judge(actual, expected, "topk:2");
  EXPECT_FALSE(verdict.same);
  EXPECT_NE(verdict.text.find("fewest in row 1, 1 of 2"), std::string::npos) << verdict.text;
  // Of equal elements either may be chosen.
  EXPECT_TRUE(judge(tensor(DType::F32, {3}, {1, 2, 1}), tensor(DType::F32, {3}, {2, 2, 1}), "topk:1").same);
}

TEST(CriteriaTest, UlpHistogramCountsAllElements) {
  const HostTensor expected = tensor(DType::F32, {4}, {1, 1, 1, 1});
  HostTensor actual = expected;
  actual.as<uint32_t>()[1] += 1;
  actual.as<uint32_t>()[2] += 3;
  actual.as<uint32_t>()[3] += 4;
  const CriteriaVerdict verdict = judge(actual, expected, "ulp:3");
  EXPECT_FALSE(verdict.same);
  EXPECT_NE(verdict.text.find("the largest difference is 4 ULP at [3]"), std::string::npos) << verdict.text;
  EXPECT_NE(verdict.text.find("3 ..       4 ULP            2 #"), std::string::npos) << verdict.text;
  EXPECT_TRUE(judge(actual, expected, "ulp:4").same);
  EXPECT_TRUE(judge(actual, expected, "ulp").same);
}

TEST(CriteriaTest, NanAgainstANumberFailsAtEveryTolerance) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const HostTensor expected = tensor(DType::F32, {3}, {1, nan, inf});
  const HostTensor actual = tensor(DType::F32, {3}, {nan, nan, inf});
  for (const char *text : {"default", "exact", "allclose:1e9:1e9", "l2:1e9", "cosine:0", "ulp"})
    EXPECT_FALSE(judge(actual, expected, text).same) << text;
  for (const char *text : {"default", "exact", "allclose", "l2", "cosine", "ulp:0", "topk:2"})
    EXPECT_TRUE(judge(expected, expected, text).same) << text;
}

TEST(CriteriaTest, ShapesMustAgree) {
  const CriteriaVerdict verdict = judge(HostTensor(DType::F32, {2}), HostTensor(DType::F32, {3}), "bad:1");
  EXPECT_FALSE(verdict.same);
  EXPECT_EQ(verdict.text, "DIFFERENT: got 2xf32, expected 3xf32");
}

TEST(CriteriaTest, EmptyTensorsAgree) {
  const HostTensor none(DType::F32, {0, 4});
  EXPECT_TRUE(judge(none, none, "exact,allclose,bad:0,l2,cosine,topk:2,ulp:0").same);
  const HostTensor empty(DType::F32, {4, 0});
  EXPECT_TRUE(judge(empty, empty, "topk:2").same);
}

} // namespace
