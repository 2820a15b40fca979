//===- CompareTest.cpp - comparing tensors -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Measures with their indices, tolerances by type, and the NaN policy.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Compare.h"

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

const double kNaN = std::nan(""), kInf = std::numeric_limits<double>::infinity();

TEST(CompareTest, LargestDifferencesHaveTheirOwnIndex) {
  const HostTensor expected = tensor(DType::F32, {2, 2}, {1000, 1, 0.5, 3});
  HostTensor actual = expected;
  actual.setDouble(0, 1000.5); // the largest absolute difference
  actual.setDouble(2, 0.501);  // the largest relative one, and in ULP
  const Comparison result = compareTensors(actual, expected);
  EXPECT_EQ(result.absolute.index, 0);
  EXPECT_EQ(result.absolute.value, 0.5);
  EXPECT_EQ(result.relative.index, 2);
  EXPECT_NEAR(result.relative.value, 0.002, 1e-6);
  EXPECT_EQ(result.ulp.index, 2);
  EXPECT_EQ(result.differing, 2);
  EXPECT_FALSE(result.same);
  EXPECT_EQ(indexString(2, expected.shape), "[1, 0]");
  EXPECT_EQ(indexString(0, {}), "[]");
  const std::string text = describe(result, actual, expected);
  EXPECT_NE(text.find("DIFFERENT: rel-L2 is 0.0005, the tolerance of f32 is 1e-05"), std::string::npos) << text;
  EXPECT_NE(text.find("largest absolute difference 0.5 at [0, 0] (got 1000.5, expected 1000.0)"), std::string::npos)
      << text;
}

TEST(CompareTest, UlpCountsRepresentableNumbers) {
  HostTensor a = tensor(DType::F32, {1}, {1}), b = a;
  b.setDouble(0, std::nextafterf(1.0f, 2.0f));
  EXPECT_EQ(ulpDistance(a, b, 0), 1);
  EXPECT_EQ(ulpDistance(tensor(DType::F64, {1}, {0.0}), tensor(DType::F64, {1}, {-0.0}), 0), 0);
  EXPECT_EQ(
      ulpDistance(tensor(DType::F16, {1}, {std::ldexp(1, -24)}), tensor(DType::F16, {1}, {-std::ldexp(1, -24)}), 0), 2);
  EXPECT_EQ(ulpDistance(tensor(DType::BF16, {1}, {1}), tensor(DType::BF16, {1}, {2}), 0), 128);
  const HostTensor high = tensor(DType::F64, {1}, {1e308}), zero = tensor(DType::F64, {1}, {0});
  EXPECT_EQ(ulpDistance(tensor(DType::F64, {1}, {-1e308}), high, 0), 2 * ulpDistance(high, zero, 0));
}

TEST(CompareTest, TolerancesByType) {
  struct Case {
    DType type;
    double within, beyond;
  };
  for (const Case &c : {Case{DType::F64, 5e-13, 5e-12}, Case{DType::F32, 5e-6, 5e-5}, Case{DType::F16, 1e-3, 1e-2},
                        Case{DType::BF16, 8e-3, 4e-2}}) {
    const HostTensor expected = tensor(c.type, {1}, {1});
    EXPECT_TRUE(compareTensors(tensor(c.type, {1}, {1 + c.within}), expected).same) << dtypeName(c.type);
    EXPECT_FALSE(compareTensors(tensor(c.type, {1}, {1 + c.beyond}), expected).same) << dtypeName(c.type);
  }
  EXPECT_FALSE(compareTensors(tensor(DType::I32, {1}, {1000001}), tensor(DType::I32, {1}, {1000000})).same);
}

TEST(CompareTest, IntegersAreExactBeyondF64) {
  HostTensor a(DType::I64, {1}), b(DType::I64, {1});
  a.setInt(0, (int64_t(1) << 60) + 1);
  b.setInt(0, int64_t(1) << 60);
  const Comparison result = compareTensors(a, b);
  EXPECT_FALSE(result.same);
  EXPECT_EQ(result.absolute.value, 1);
  EXPECT_EQ(result.reason, "1 of 1 elements differs, integers must be equal");
}

TEST(CompareTest, RtolAndAtolAreNumpys) {
  const HostTensor expected = tensor(DType::F64, {2}, {100, 0}), actual = tensor(DType::F64, {2}, {101, 0.5});
  EXPECT_TRUE(compareTensors(actual, expected, {0.01, 0.5}).same);
  Comparison result = compareTensors(actual, expected, {0.01, {}});
  EXPECT_EQ(result.reason, "1 of 2 elements is beyond atol 0 + rtol 0.01 * |expected|");
  EXPECT_FALSE(compareTensors(actual, expected, {{}, 0.5}).same);
  EXPECT_TRUE(compareTensors(tensor(DType::I32, {1}, {5}), tensor(DType::I32, {1}, {4}), {{}, 1}).same);
}

TEST(CompareTest, NaNEqualsNaNAndNothingElse) {
  const HostTensor expected = tensor(DType::F32, {4}, {kNaN, kInf, -kInf, 1});
  EXPECT_TRUE(compareTensors(expected, expected).same);
  for (int64_t i = 0; i < 4; ++i) {
    HostTensor actual = expected;
    actual.setDouble(i, i == 3 ? kNaN : i == 1 ? -kInf : 1);
    const Comparison result = compareTensors(actual, expected, {1e9, 1e9});
    EXPECT_FALSE(result.same) << i;
    EXPECT_EQ(result.firstNonFinite, i);
    EXPECT_EQ(result.nonFinite, 1);
  }
  EXPECT_EQ(compareTensors(tensor(DType::F32, {1, 2}, {0, kNaN}), tensor(DType::F32, {1, 2}, {0, 0})).reason,
            "1 of 2 elements are NaN or infinite on one side only, first at [0, 1]");
}

TEST(CompareTest, ShapesAndTypesAreADifference) {
  const HostTensor a(DType::F32, {2, 3}), b(DType::F32, {3, 2}), c(DType::F64, {2, 3});
  EXPECT_EQ(compareTensors(a, b).reason, "got 2x3xf32, expected 3x2xf32");
  EXPECT_FALSE(compareTensors(a, c).same);
  EXPECT_TRUE(compareTensors(HostTensor(DType::F32, {0}), HostTensor(DType::F32, {0})).same);
}

TEST(CompareTest, ZeroExpected) {
  const Comparison result = compareTensors(tensor(DType::F32, {1}, {1e-30}), tensor(DType::F32, {1}, {0}));
  EXPECT_FALSE(result.same);
  EXPECT_EQ(result.relative.value, kInf);
  EXPECT_TRUE(compareTensors(tensor(DType::F32, {1}, {1e-30}), tensor(DType::F32, {1}, {0}), {{}, 1e-20}).same);
}

HostTensor f32s(const std::vector<double> &values) {
  HostTensor tensor(DType::F32, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setDouble(static_cast<int64_t>(i), values[i]);
  return tensor;
}

HostTensor f64s(const std::vector<double> &values) {
  HostTensor tensor(DType::F64, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setDouble(static_cast<int64_t>(i), values[i]);
  return tensor;
}

TEST(Compare, EachElementHasItsOwnBound) {
  const HostTensor expected = f32s({1e8, 1, 2}), actual = f32s({1e8 + 8, 1.5, 2});
  const HostTensor bounds = f64s({16, 1e-6, 0});
  const Comparison comparison = compareTensors(actual, expected, {}, &bounds);
  EXPECT_FALSE(comparison.same);
  EXPECT_EQ(comparison.violations, 1);
  EXPECT_EQ(comparison.reason, "1 of 3 elements is beyond the bound of the op's rounding");
  const std::string text = describe(comparison, actual, expected, &bounds);
  EXPECT_NE(text.find("at [1] (got 1.5, expected 1.0, bound 1e-06)"), std::string::npos) << text;
}

TEST(Compare, OneLargeElementDoesNotHideTheOthersWithoutBounds) {
  HostTensor expected(DType::F32, {1000}), actual(DType::F32, {1000});
  for (int64_t i = 0; i < 1000; ++i) {
    expected.setDouble(i, std::tanh(0.001 * double(i)));
    actual.setDouble(i, std::cos(0.001 * double(i)));
  }
  expected.setDouble(17, 1e8);
  actual.setDouble(17, 1e8);
  EXPECT_FALSE(compareTensors(actual, expected).same);
}

TEST(Compare, TheSignOfZeroCountsWhereTheBoundIsZero) {
  const HostTensor plus = f32s({0.0}), minus = f32s({-0.0});
  const HostTensor exact = f64s({0}), either = f64s({kSignOfZeroBound});
  EXPECT_FALSE(compareTensors(minus, plus, {}, &exact).same);
  EXPECT_TRUE(compareTensors(plus, plus, {}, &exact).same);
  EXPECT_TRUE(compareTensors(minus, plus, {}, &either).same);
}

TEST(Compare, InfiniteBoundsAskForNothingAndAreCounted) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const HostTensor expected = f32s({1, nan, inf, 3}), actual = f32s({inf, 2, nan, 3});
  const HostTensor unknown = f64s({inf, inf, inf, 0}), known = f64s({1, 1, 1, 0});
  EXPECT_TRUE(compareTensors(actual, expected, {}, &unknown).same);
  EXPECT_EQ(compareTensors(actual, expected, {}, &unknown).unknown, 3);
  EXPECT_EQ(compareTensors(actual, expected, {}, &known).violations, 3);
}

TEST(Compare, AGivenToleranceStandsInThePlaceOfBounds) {
  const HostTensor expected = f32s({1}), actual = f32s({1.5}), exact = f64s({0});
  Tolerance tolerance;
  tolerance.atol = 1;
  EXPECT_TRUE(compareTensors(actual, expected, tolerance, &exact).same);
}

TEST(Compare, ATensorOfNaNsIsSaidToBeOne) {
  const HostTensor nans = f32s({std::nan(""), std::nan("")});
  const std::string text = describe(compareTensors(nans, nans), nans, nans);
  EXPECT_NE(text.find("2 of them NaN"), std::string::npos) << text;
}

} // namespace
