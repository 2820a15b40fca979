//===- SampledErrorsTest.cpp - bounds of rounding errors by sampling ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the deviations of samples make of a bound. test/Integration/error-bounds.test has programs.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/SampledErrors.h"
#include "Program.h"

#include <gtest/gtest.h>

#include <limits>

using namespace mica;
using namespace mica::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(DeviationsTest, BoundIsFourTimesTheLargestDeviation) {
  Deviations deviations;
  ASSERT_TRUE(deviations.add(tensor("2xf32", {1, 2}), tensor("2xf32", {1.25, 2})));
  ASSERT_TRUE(deviations.add(tensor("2xf32", {1, 2}), tensor("2xf32", {0.5, 2})));
  HostTensor bound = tensor("2xf64", {kInfinity, kInfinity});
  deviations.lower(bound);
  EXPECT_EQ(bound.asDouble(0), 2);
  // The second was not moved; what is typical of the tensor is allowed.
  EXPECT_NEAR(bound.asDouble(1), 4 * std::sqrt(0.125), 1e-12);
}

TEST(DeviationsTest, NoBoundIsRaised) {
  Deviations deviations;
  ASSERT_TRUE(deviations.add(tensor("2xf32", {1, 2}), tensor("2xf32", {3, 2})));
  HostTensor bound = tensor("2xf64", {1, 0});
  deviations.lower(bound);
  EXPECT_EQ(bound.asDouble(0), 1);
  EXPECT_EQ(bound.asDouble(1), 0);
}

TEST(DeviationsTest, ElementsThatAreNotANumberInSomeSampleStayOpen) {
  Deviations deviations;
  ASSERT_TRUE(deviations.add(tensor("2xf32", {1, kNaN}), tensor("2xf32", {kNaN, kNaN})));
  HostTensor bound = tensor("2xf64", {kInfinity, kInfinity});
  deviations.lower(bound);
  EXPECT_EQ(bound.asDouble(0), kInfinity);
  EXPECT_EQ(bound.asDouble(1), 0);
}

TEST(DeviationsTest, IntegersThatASampleDecidesOtherwiseStayOpen) {
  Deviations deviations;
  ASSERT_TRUE(deviations.add(tensor("2xi32", {1, 2}), tensor("2xi32", {7, 2})));
  HostTensor bound = tensor("2xf64", {kInfinity, kInfinity});
  deviations.lower(bound);
  EXPECT_EQ(bound.asDouble(0), kInfinity);
  EXPECT_EQ(bound.asDouble(1), 0);
}

TEST(DeviationsTest, OtherShapesAreAnotherPath) {
  Deviations deviations;
  EXPECT_FALSE(deviations.add(tensor("2xf32", {1, 2}), tensor("1xf32", {1})));
}

TEST(LooseBoundTest, AFourthOfTheElementsIsBeyond4096Units) {
  const HostTensor value = tensor("4xf32", {1, 1, 1, 1});
  EXPECT_FALSE(isLoose(value, tensor("4xf64", {1e-4, 1e-4, 1e-4, 1e-4})));
  EXPECT_TRUE(isLoose(value, tensor("4xf64", {1e-4, 1e-4, 1e-4, 1e-3})));
  EXPECT_TRUE(isLoose(value, tensor("4xf64", {0, 0, 0, kInfinity})));
  // 2^12 units of bf16 are more than the value: half of it counts.
  EXPECT_FALSE(isLoose(tensor("1xbf16", {1}), tensor("1xf64", {0.4})));
  EXPECT_TRUE(isLoose(tensor("1xbf16", {1}), tensor("1xf64", {0.6})));
}

TEST(SampleErrorsTest, ProgramsWithMemoryAreNotSampled) {
  Program values("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = math.exp %x : tensor<4xf32> return %0 : "
                 "tensor<4xf32> }");
  EXPECT_TRUE(canSampleErrors(values.entry()));
  Program memory(
      "func.func @f(%x: memref<4xf32>) { %c0 = arith.constant 0 : index %0 = memref.load %x[%c0] : memref<4xf32> "
      "memref.store %0, %x[%c0] : memref<4xf32> return }");
  EXPECT_FALSE(canSampleErrors(memory.entry()));
}

} // namespace
