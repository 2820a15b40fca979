//===- ArithTest.cpp - arith and math in the reference evaluator --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Numbers by hand, IEEE corner cases, wrapping.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mica;
using namespace mica::reference;
using Numbers = std::vector<double>;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// `op` on two tensors of `type` with `n` elements; the result has type `result` (an element type).
Numbers binary(const std::string &op, const std::string &type, const Numbers &a, const Numbers &b,
               const std::string &suffix = "") {
  std::string n = std::to_string(a.size());
  std::string tensorType = "tensor<" + n + "x" + type + ">";
  std::string resultType = suffix.empty() ? tensorType : "tensor<" + n + "x" + suffix + ">";
  Program program("func.func @f(%a: " + tensorType + ", %b: " + tensorType + ") -> " + resultType + " {\n  %0 = " + op +
                  " %a, %b : " + tensorType + "\n  return %0 : " + resultType + "\n}");
  return program.numbers({tensor(n + "x" + type, a), tensor(n + "x" + type, b)});
}

/// A one-operand op (or a cast, if the types differ).
Numbers unary(const std::string &op, const std::string &type, const Numbers &a, const std::string &to = "") {
  std::string n = std::to_string(a.size());
  std::string from = "tensor<" + n + "x" + type + ">";
  std::string result = to.empty() ? from : "tensor<" + n + "x" + to + ">";
  Program program("func.func @f(%a: " + from + ") -> " + result + " {\n  %0 = " + op + " %a : " + from +
                  (to.empty() ? "" : " to " + result) + "\n  return %0 : " + result + "\n}");
  return program.numbers({tensor(n + "x" + type, a)});
}

/// Equal, where NaN equals NaN and -0 differs from +0.
void expectSame(const Numbers &got, const Numbers &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << "element " << i << " is " << got[i];
      continue;
    }
    EXPECT_EQ(got[i], want[i]) << "element " << i;
    EXPECT_EQ(std::signbit(got[i]), std::signbit(want[i])) << "sign of element " << i;
  }
}

TEST(ArithTest, FloatArithmeticRoundsToTheElementType) {
  // 2^24 + 1 is no f32; the tie goes to the even 2^24.
  expectSame(binary("arith.addf", "f32", {16777216, 1.5}, {1, 0.25}), {16777216, 1.75});
  // bf16 has 8 significant bits: 256 + 1 is a tie to even, 257 + 2 = 259 is a tie between 258 and 260.
  expectSame(binary("arith.addf", "bf16", {256, 258}, {1, 1}), {256, 260});
  expectSame(binary("arith.addf", "f16", {2048, 65504}, {1, 32}), {2048, kInf});
  expectSame(binary("arith.mulf", "f16", {0.000061035156, 1}, {0.5, 3}), {0.000030517578125, 3});
}

TEST(ArithTest, FloatsOfEightBitsRoundAndOverflow) {
  expectSame(binary("arith.addf", "f8E4M3FN", {1, 16, 448}, {1, 1, 448}), {2, 16, kNaN});
  expectSame(binary("arith.addf", "f8E5M2", {1, 8, 57344}, {1, 1, 57344}), {2, 8, kInf});
}

TEST(ArithTest, DivisionAndRemainderFollowIEEE) {
  expectSame(binary("arith.divf", "f32", {1, -1, 0, 1}, {0, 0, 0, 3}), {kInf, -kInf, kNaN, double(1.0f / 3.0f)});
  expectSame(binary("arith.remf", "f32", {5.5, -5.5, 1}, {2, 2, 0}), {1.5, -1.5, kNaN});
}

TEST(ArithTest, MaximumPropagatesNaNAndOrdersZeros) {
  expectSame(binary("arith.maximumf", "f32", {kNaN, 1, -0.0, 0.0, -kInf}, {1, kNaN, 0.0, -0.0, 2}),
             {kNaN, kNaN, 0.0, 0.0, 2});
  expectSame(binary("arith.minimumf", "f32", {kNaN, 1, -0.0, 0.0, kInf}, {1, kNaN, 0.0, -0.0, 2}),
             {kNaN, kNaN, -0.0, -0.0, 2});
}

TEST(ArithTest, MaxNumIgnoresNaN) {
  expectSame(binary("arith.maxnumf", "f32", {kNaN, 1, kNaN}, {1, kNaN, kNaN}), {1, 1, kNaN});
  expectSame(binary("arith.minnumf", "f32", {kNaN, 1, 2}, {1, kNaN, 3}), {1, 1, 2});
}

TEST(ArithTest, NegationFlipsTheSignOfZero) {
  expectSame(unary("arith.negf", "f32", {0.0, -1, kInf}), {-0.0, 1, -kInf});
}

TEST(ArithTest, ComparisonsDistinguishOrderedAndUnordered) {
  Numbers a = {1, kNaN, -0.0}, b = {2, 2, 0.0};
  expectSame(binary("arith.cmpf olt,", "f32", a, b, "i1"), {1, 0, 0});
  expectSame(binary("arith.cmpf ult,", "f32", a, b, "i1"), {1, 1, 0});
  expectSame(binary("arith.cmpf oeq,", "f32", a, b, "i1"), {0, 0, 1});
  expectSame(binary("arith.cmpf one,", "f32", a, b, "i1"), {1, 0, 0});
  expectSame(binary("arith.cmpf une,", "f32", a, b, "i1"), {1, 1, 0});
  expectSame(binary("arith.cmpf uno,", "f32", a, b, "i1"), {0, 1, 0});
  expectSame(binary("arith.cmpf ord,", "f32", a, b, "i1"), {1, 0, 1});
}

TEST(ArithTest, IntegersWrapAtTheirWidth) {
  expectSame(binary("arith.addi", "i8", {127, -128}, {1, -1}), {-128, 127});
  expectSame(binary("arith.muli", "i32", {65536, -3}, {65536, 7}), {0, -21});
  expectSame(binary("arith.subi", "i4", {-8, 3}, {1, 5}), {7, -2});
  expectSame(binary("arith.addi", "i1", {1, 1}, {1, 0}), {0, 1});
}

TEST(ArithTest, SignedAndUnsignedDivisionDiffer) {
  expectSame(binary("arith.divsi", "i8", {-7, 7}, {2, -2}), {-3, -3});
  expectSame(binary("arith.divui", "i8", {-7, 7}, {2, 2}), {124, 3});
  expectSame(binary("arith.remsi", "i8", {-7, -128}, {2, -1}), {-1, 0});
  expectSame(binary("arith.remui", "i8", {-7, 7}, {2, 2}), {1, 1});
  expectSame(binary("arith.floordivsi", "i32", {-7, 7}, {2, 2}), {-4, 3});
  expectSame(binary("arith.ceildivsi", "i32", {-7, 7}, {2, 2}), {-3, 4});
}

TEST(ArithTest, SignedAndUnsignedMaximumDiffer) {
  expectSame(binary("arith.maxsi", "i8", {-1}, {1}), {1});
  expectSame(binary("arith.maxui", "i8", {-1}, {1}), {-1});
  expectSame(binary("arith.minui", "i8", {-1}, {1}), {1});
  expectSame(binary("arith.cmpi ult,", "i8", {-1, 1}, {1, -1}, "i1"), {0, 1});
  expectSame(binary("arith.cmpi slt,", "i8", {-1, 1}, {1, -1}, "i1"), {1, 0});
  // i1: true is -1 as a signed number.
  expectSame(binary("arith.cmpi slt,", "i1", {1}, {0}, "i1"), {1});
}

TEST(ArithTest, ShiftsByTheWidthGiveZeroOrTheSign) {
  expectSame(binary("arith.shli", "i8", {1, 1}, {7, 8}), {-128, 0});
  expectSame(binary("arith.shrui", "i8", {-1, -1}, {4, 8}), {15, 0});
  expectSame(binary("arith.shrsi", "i8", {-128, -128}, {4, 9}), {-8, -1});
}

TEST(ArithTest, CastsExtendSaturateAndWrap) {
  expectSame(unary("arith.extsi", "i8", {-1, 5}, "i32"), {-1, 5});
  expectSame(unary("arith.extui", "i8", {-1, 5}, "i32"), {255, 5});
  expectSame(unary("arith.extsi", "i1", {1, 0}, "i32"), {-1, 0});
  expectSame(unary("arith.trunci", "i32", {257, -129}, "i8"), {1, 127});
  expectSame(unary("arith.fptosi", "f32", {1.9, -1.9, 300, -300, kNaN}, "i8"), {1, -1, 127, -128, 0});
  expectSame(unary("arith.fptoui", "f32", {200.5, -1}, "i8"), {-56, 0});
  expectSame(unary("arith.uitofp", "i8", {-1}, "f32"), {255});
  expectSame(unary("arith.sitofp", "i8", {-1}, "f32"), {-1});
  expectSame(unary("arith.truncf", "f32", {1.00390625, 3e38}, "bf16"), {1, 0x1.C4p127});
  expectSame(unary("arith.index_cast", "i32", {-2}, "index"), {-2});
  expectSame(unary("arith.bitcast", "f32", {1, -0.0}, "i32"), {1065353216, -2147483648.0});
  Program plain("func.func @f(%x: f32) -> f32 {\n  %y = complex.bitcast %x : f32 to f32\n  return %y : f32\n}");
  EXPECT_EQ(plain.numbers({tensor("f32", {1})}), std::vector<double>{1}) << plain.errors();
}

TEST(ArithTest, LargeIntegersAreExact) {
  Program program(R"(func.func @f() -> i64 {
    %a = arith.constant 9007199254740993 : i64
    %b = arith.constant 3 : i64
    %0 = arith.muli %a, %b : i64
    return %0 : i64
  })");
  std::vector<HostTensor> results = program.run();
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].asInt(0), 27021597764222979);
}

TEST(ArithTest, ExtendedProductsGiveBothHalves) {
  Program program(R"(func.func @f(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
    %l, %h = arith.mulsi_extended %a, %b : i8
    %ul, %uh = arith.mului_extended %a, %b : i8
    return %l, %h, %ul, %uh : i8, i8, i8, i8
  })");
  std::vector<HostTensor> results = program.run({tensor("i8", {-2}), tensor("i8", {100})});
  ASSERT_EQ(results.size(), 4u);
  // -200 = -1 * 256 + 56; 254 * 100 = 25400 = 99 * 256 + 56.
  EXPECT_EQ(results[0].asInt(0), 56);
  EXPECT_EQ(results[1].asInt(0), -1);
  EXPECT_EQ(results[2].asInt(0), 56);
  EXPECT_EQ(results[3].asInt(0), 99);
}

TEST(MathTest, FunctionsGiveTheLibrarysValue) {
  for (auto [op, want] : std::vector<std::pair<std::string, double>>{{"math.exp", std::exp(0.5)},
                                                                     {"math.log", std::log(0.5)},
                                                                     {"math.tanh", std::tanh(0.5)},
                                                                     {"math.erf", std::erf(0.5)},
                                                                     {"math.sqrt", std::sqrt(0.5)},
                                                                     {"math.rsqrt", std::sqrt(2.0)},
                                                                     {"math.sin", std::sin(0.5)},
                                                                     {"math.cos", std::cos(0.5)},
                                                                     {"math.log1p", std::log1p(0.5)},
                                                                     {"math.expm1", std::expm1(0.5)},
                                                                     {"math.exp2", std::sqrt(2.0)},
                                                                     {"math.atan", std::atan(0.5)},
                                                                     {"math.log2", -1.0},
                                                                     {"math.cbrt", std::cbrt(0.5)},
                                                                     {"math.absf", 0.5}}) {
    expectSame(unary(op, "f32", {0.5}), {double(float(want))});
    Numbers wide = unary(op, "f64", {0.5});
    EXPECT_NEAR(wide[0], want, 2e-16 * std::abs(want)) << op;
  }
}

TEST(MathTest, RoundingModesDifferAtTies) {
  expectSame(unary("math.round", "f32", {0.5, 1.5, -0.5}), {1, 2, -1});
  expectSame(unary("math.roundeven", "f32", {0.5, 1.5, 2.5}), {0, 2, 2});
  expectSame(unary("math.floor", "f32", {-0.5, 1.5}), {-1, 1});
  expectSame(unary("math.ceil", "f32", {-0.5, 1.5}), {-0.0, 2});
  expectSame(unary("math.trunc", "f32", {-1.5, 1.5}), {-1, 1});
}

TEST(MathTest, EdgesOfTheDomain) {
  expectSame(unary("math.log", "f32", {0, -1}), {-kInf, kNaN});
  expectSame(unary("math.sqrt", "f32", {-1, -0.0}), {kNaN, -0.0});
  expectSame(unary("math.exp", "f32", {1000, -kInf, kNaN}), {kInf, 0, kNaN});
  expectSame(unary("math.rsqrt", "f32", {0.0}), {kInf});
}

TEST(MathTest, IntegerFunctions) {
  expectSame(unary("math.absi", "i8", {-128, -3}), {-128, 3});
  expectSame(unary("math.ctlz", "i8", {1, 0, -1}), {7, 8, 0});
  expectSame(unary("math.cttz", "i8", {8, 0}), {3, 8});
  expectSame(unary("math.ctpop", "i8", {-1, 5}), {8, 2});
  expectSame(binary("math.ipowi", "i32", {3, 2, -1, 5}, {4, -1, -3, 0}), {81, 0, -1, 1});
  expectSame(binary("math.powf", "f32", {2, -8}, {0.5, 3}), {double(float(std::sqrt(2.0))), -512});
}

} // namespace
