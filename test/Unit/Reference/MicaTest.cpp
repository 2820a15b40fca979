//===- MicaTest.cpp - mica in the reference evaluator -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One test per op at least, with numbers that can be checked by hand.
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

const double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// `body` computes %0 of type tensor<`result`> from arguments %a, %b.. of the given tensors' types.
Numbers eval(const std::string &body, const std::string &result, const std::vector<HostTensor> &args) {
  std::string signature;
  for (size_t i = 0; i < args.size(); ++i)
    signature += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": tensor<" + args[i].typeString() + ">";
  Program program("func.func @f(" + signature + ") -> tensor<" + result + "> {\n  %0 = " + body +
                  "\n  return %0 : tensor<" + result + ">\n}");
  std::vector<HostTensor> results = program.run(args);
  EXPECT_EQ(results.size(), 1u) << program.errors();
  if (results.empty())
    return {};
  EXPECT_EQ(results[0].typeString(), result);
  return elements(results[0]);
}

/// A binary op on two tensors of the same type.
Numbers binary(const std::string &op, const std::string &type, const Numbers &a, const Numbers &b) {
  return eval(op + " %a, %b : (tensor<" + type + ">, tensor<" + type + ">) -> tensor<" + type + ">", type,
              {tensor(type, a), tensor(type, b)});
}

Numbers unary(const std::string &op, const std::string &type, const Numbers &a) {
  return eval(op + " : tensor<" + type + ">", type, {tensor(type, a)});
}

void expectNear(const Numbers &got, const Numbers &want, double tolerance = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i]) || std::isinf(want[i]))
      EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : got[i] == want[i]) << "element " << i << ": " << got[i];
    else
      EXPECT_NEAR(got[i], want[i], tolerance) << "element " << i;
  }
}

TEST(MicaTest, Add) {
  EXPECT_EQ(binary("mica.add", "2xf32", {1, 16777216}, {2, 1}), (Numbers{3, 16777216}));
  EXPECT_EQ(binary("mica.add", "1xi32", {2147483647}, {1}), (Numbers{-2147483648.0}));
}

TEST(MicaTest, AddRepeatsDimensionsOfSizeOne) {
  EXPECT_EQ(eval("mica.add %a, %b : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>", "2x3xf32",
                 {tensor("2x1xf32", {10, 20}), tensor("1x3xf32", {1, 2, 3})}),
            (Numbers{11, 12, 13, 21, 22, 23}));
}

TEST(MicaTest, ADynamicSizeIsNotRepeated) {
  Program program(R"(func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = mica.add %a, %b : tensor<?xf32>
    return %0 : tensor<?xf32>
  })");
  EXPECT_TRUE(program.run({tensor("1xf32", {1}), tensor("2xf32", {1, 2})}).empty());
  EXPECT_NE(program.errors().find("shape mismatch"), std::string::npos);
}

TEST(MicaTest, SubAndMul) {
  EXPECT_EQ(binary("mica.sub", "2xf64", {1, 2}, {3, 0.5}), (Numbers{-2, 1.5}));
  EXPECT_EQ(binary("mica.mul", "2xi64", {3, -4}, {5, 6}), (Numbers{15, -24}));
  EXPECT_EQ(binary("mica.mul", "3xi1", {1, 1, 0}, {1, 0, 0}), (Numbers{1, 0, 0}));
}

TEST(MicaTest, DivOfIntegersNeverStops) {
  EXPECT_EQ(binary("mica.div", "4xi32", {-7, 7, 5, -2147483648.0}, {2, -2, 0, -1}),
            (Numbers{-3, -3, 0, -2147483648.0}));
  expectNear(binary("mica.div", "3xf32", {1, 0, -1}, {4, 0, 0}), {0.25, kNaN, -kInf});
}

TEST(MicaTest, MaxAndMin) {
  expectNear(binary("mica.max", "3xf32", {1, kNaN, -5}, {2, 1, -kInf}), {2, kNaN, -5});
  expectNear(binary("mica.min", "3xf32", {1, 1, -5}, {2, kNaN, -kInf}), {1, kNaN, -kInf});
  EXPECT_FALSE(std::signbit(binary("mica.max", "1xf32", {-0.0}, {0.0})[0]));
  EXPECT_TRUE(std::signbit(binary("mica.min", "1xf32", {0.0}, {-0.0})[0]));
  EXPECT_EQ(binary("mica.max", "2xi32", {-1, 4}, {1, 3}), (Numbers{1, 4}));
  EXPECT_EQ(binary("mica.max", "3xi1", {1, 1, 0}, {1, 0, 0}), (Numbers{1, 1, 0}));
  EXPECT_EQ(binary("mica.min", "3xi1", {1, 1, 0}, {1, 0, 0}), (Numbers{1, 0, 0}));
}

TEST(MicaTest, Neg) {
  EXPECT_TRUE(std::signbit(unary("mica.neg %a", "1xf32", {0.0})[0]));
  EXPECT_EQ(unary("mica.neg %a", "2xi32", {5, -2147483648.0}), (Numbers{-5, -2147483648.0}));
}

TEST(MicaTest, ExpTanhErfSigmoid) {
  expectNear(unary("mica.exp %a", "3xf32", {0, 1, 1000}), {1, 2.71828182, kInf});
  expectNear(unary("mica.tanh %a", "3xf32", {0, 1, -kInf}), {0, 0.76159416, -1});
  expectNear(unary("mica.erf %a", "3xf32", {0, 1, kInf}), {0, 0.84270079, 1});
  expectNear(unary("mica.sigmoid %a", "4xf32", {0, 2, -1000, kNaN}), {0.5, 0.88079708, 0, kNaN});
}

TEST(MicaTest, Relu) {
  expectNear(unary("mica.relu %a", "4xf32", {-1, 2, kNaN, -0.0}), {0, 2, kNaN, 0});
  EXPECT_FALSE(std::signbit(unary("mica.relu %a", "1xf32", {-0.0})[0]));
  EXPECT_EQ(unary("mica.relu %a", "2xi32", {-1, 2}), (Numbers{0, 2}));
}

TEST(MicaTest, GeluInBothForms) {
  // 0.5 * (1 + erf(1 / sqrt 2)) = 0.8413447461; the tanh form gives 0.8411919906.
  expectNear(unary("mica.gelu %a", "3xf64", {0, 1, -1}), {0, 0.8413447460685429, -0.15865525393145707}, 1e-12);
  expectNear(unary("mica.gelu %a approximate = tanh", "2xf64", {1, -1}), {0.8411919906082768, -0.15880800939172324},
             1e-12);
}

TEST(MicaTest, Silu) { expectNear(unary("mica.silu %a", "3xf32", {0, 1, -1}), {0, 0.73105858, -0.26894142}); }

TEST(MicaTest, PowAndRem) {
  expectNear(binary("mica.pow", "6xf32", {2, -2, -8, 0, kNaN, -1}, {0.5, 3, 1.0 / 3, -1, 0, kInf}),
             {1.41421356, -8, kNaN, kInf, 1, 1});
  EXPECT_EQ(binary("mica.pow", "7xi8", {3, -2, 2, 0, -1, -1, 5}, {4, 3, 8, -1, -3, -2, -1}),
            (Numbers{81, -8, 0, 0, -1, 1, 0}));
  expectNear(binary("mica.rem", "3xf32", {7, -7, 1}, {2.5, 2.5, 0}), {2, -2, kNaN});
  EXPECT_EQ(binary("mica.rem", "4xi8", {7, -7, 7, -128}, {4, 4, 0, -1}), (Numbers{3, -3, 7, 0}));
}

TEST(MicaTest, Functions) {
  expectNear(unary("mica.log %a", "3xf32", {1, 0, -1}), {0, -kInf, kNaN});
  expectNear(unary("mica.sqrt %a", "2xf32", {9, -1}), {3, kNaN});
  expectNear(unary("mica.rsqrt %a", "2xf32", {4, 0}), {0.5, kInf});
  expectNear(unary("mica.sin %a", "2xf64", {0.5235987755982988, kInf}), {0.5, kNaN});
  expectNear(unary("mica.cos %a", "1xf64", {1.0471975511965976}), {0.5});
  EXPECT_EQ(unary("mica.abs %a", "2xi8", {-5, -128}), (Numbers{5, -128}));
  EXPECT_EQ(unary("mica.floor %a", "2xf32", {-0.5, 2.5}), (Numbers{-1, 2}));
  EXPECT_EQ(unary("mica.ceil %a", "2xf32", {-0.5, 2.5}), (Numbers{0, 3}));
  EXPECT_EQ(unary("mica.round %a", "4xf32", {0.5, 1.5, 2.5, -2.5}), (Numbers{0, 2, 2, -2}));
  expectNear(unary("mica.clamp %a min = -1.0 : f32 max = 2.0 : f32", "4xf32", {-3, 0.5, 7, kNaN}), {-1, 0.5, 2, kNaN});
}

TEST(MicaTest, LogicAndBits) {
  auto compare = [](const std::string &kind, const Numbers &a, const Numbers &b) {
    std::string type = std::to_string(a.size()) + "xf32", flags = std::to_string(a.size()) + "xi1";
    return eval("mica.compare " + kind + " %a, %b : (tensor<" + type + ">, tensor<" + type + ">) -> tensor<" + flags +
                    ">",
                flags, {tensor(type, a), tensor(type, b)});
  };
  EXPECT_EQ(compare("lt", {1, 2, kNaN}, {2, 2, 0}), (Numbers{1, 0, 0}));
  EXPECT_EQ(compare("ne", {1, -0.0, kNaN}, {2, 0, kNaN}), (Numbers{1, 0, 1}));
  EXPECT_EQ(eval("mica.select %a, %b, %c : (tensor<2xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>", "2xf32",
                 {tensor("2xi1", {1, 0}), tensor("2xf32", {1, kNaN}), tensor("1xf32", {9})}),
            (Numbers{1, 9}));
  EXPECT_EQ(binary("mica.logical_xor", "2xi1", {1, 0}, {1, 1}), (Numbers{0, 1}));
  EXPECT_EQ(unary("mica.logical_not %a", "2xi1", {1, 0}), (Numbers{0, 1}));
  EXPECT_EQ(unary("mica.bitwise_not %a", "2xi4", {5, -1}), (Numbers{-6, 0}));
  EXPECT_EQ(binary("mica.shift_left", "3xi8", {3, 1, 1}, {2, 8, -1}), (Numbers{12, 0, 0}));
  EXPECT_EQ(binary("mica.shift_right_arithmetic", "2xi8", {-8, -8}, {1, 100}), (Numbers{-4, -1}));
  EXPECT_EQ(binary("mica.shift_right_logical", "2xi8", {-8, -8}, {1, 8}), (Numbers{124, 0}));
}

TEST(MicaTest, Casts) {
  auto cast = [](const std::string &from, const std::string &to, const Numbers &values, const std::string &flags = "") {
    std::string count = std::to_string(values.size()) + "x";
    return eval("mica.cast %a " + flags + " : tensor<" + count + from + "> to tensor<" + count + to + ">", count + to,
                {tensor(count + from, values)});
  };
  EXPECT_EQ(cast("f32", "i8", {1.9, -1.9, 300, -kInf, kNaN}), (Numbers{1, -1, 127, -128, 0}));
  EXPECT_EQ(cast("f32", "i8", {1.5, 2.5, 300}, "overflow = wrap rounding = nearest_even"), (Numbers{2, 2, 44}));
  EXPECT_EQ(cast("i32", "i8", {300, -5}), (Numbers{127, -5}));
  EXPECT_EQ(cast("i32", "i8", {300, -5}, "overflow = wrap"), (Numbers{44, -5}));
  EXPECT_EQ(cast("f32", "i1", {0, 0.5, kNaN}), (Numbers{0, 1, 1}));
  // 2049 lies between 2048 and 2050, the tie goes to the even mantissa.
  expectNear(cast("i32", "f16", {2049, 70000}), {2048, kInf});
  // 2^62 + 2^54 is a tie of bf16.
  EXPECT_EQ(cast("i64", "bf16", {4629700416936869888.0}), (Numbers{4611686018427387904.0}));
}

TEST(MicaTest, Quantization) {
  EXPECT_EQ(eval("mica.quantize %a scale %b : tensor<f32> zero_point %c : tensor<i8> : tensor<4xf32> to tensor<4xi8>",
                 "4xi8", {tensor("4xf32", {1.25, 0.75, 1000, kNaN}), tensor("f32", {0.5}), tensor("i8", {3})}),
            (Numbers{5, 5, 127, 3}));
  EXPECT_EQ(eval("mica.dequantize %a scale %b : tensor<2xf32> axis = 0 unsigned : tensor<2x2xi8> to tensor<2x2xf32>",
                 "2x2xf32", {tensor("2x2xi8", {1, -1, 2, 3}), tensor("2xf32", {0.5, 2})}),
            (Numbers{0.5, 127.5, 4, 6}));
}

TEST(MicaTest, Positions) {
  EXPECT_EQ(eval("mica.iota axis = 1 : tensor<2x3xi32>", "2x3xi32", {}), (Numbers{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(eval("mica.one_hot %a axis = 0 : tensor<3xi8> to tensor<2x3xf32>", "2x3xf32", {tensor("3xi8", {0, 1, -1})}),
            (Numbers{1, 0, 0, 0, 1, 0}));
}

TEST(MicaTest, MatmulTransposed) {
  HostTensor a = tensor("2x3xf32", {1, 2, 3, 4, 5, 6}), b = tensor("3x2xf32", {1, 0, -1, 2, 1, 1});
  HostTensor at = tensor("3x2xf32", {1, 4, 2, 5, 3, 6}), bt = tensor("2x3xf32", {1, -1, 1, 0, 2, 1});
  Numbers want = {2, 7, 5, 16};
  EXPECT_EQ(eval("mica.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>", "2x2xf32", {a, b}),
            want);
  EXPECT_EQ(eval("mica.matmul %a, %b transpose_a : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>", "2x2xf32",
                 {at, b}),
            want);
  EXPECT_EQ(eval("mica.matmul %a, %b transpose_b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>", "2x2xf32",
                 {a, bt}),
            want);
  EXPECT_EQ(eval("mica.matmul %a, %b transpose_a transpose_b : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>",
                 "2x2xf32", {at, bt}),
            want);
}

TEST(MicaTest, MatmulOfBatches) {
  HostTensor a = tensor("2x1x2xi32", {1, 2, 3, 4});
  EXPECT_EQ(eval("mica.matmul %a, %b : (tensor<2x1x2xi32>, tensor<2x2x1xi32>) -> tensor<2x1x1xi32>", "2x1x1xi32",
                 {a, tensor("2x2x1xi32", {1, 1, 10, 1})}),
            (Numbers{3, 34}));
  // One matrix for all batches, by rank and by size.
  EXPECT_EQ(eval("mica.matmul %a, %b : (tensor<2x1x2xi32>, tensor<2x1xi32>) -> tensor<2x1x1xi32>", "2x1x1xi32",
                 {a, tensor("2x1xi32", {1, 10})}),
            (Numbers{21, 43}));
  EXPECT_EQ(eval("mica.matmul %a, %b : (tensor<1x1x2xi32>, tensor<2x2x1xi32>) -> tensor<2x1x1xi32>", "2x1x1xi32",
                 {tensor("1x1x2xi32", {1, 2}), tensor("2x2x1xi32", {1, 1, 10, 1})}),
            (Numbers{3, 12}));
}

TEST(MicaTest, Conv2dInEachLayout) {
  // A 3x3 image, a 2x2 kernel of {1, 10, 100, 1000}, one channel, bias 0.5.
  Numbers image = {1, 2, 3, 4, 5, 6, 7, 8, 9}, filter = {1, 10, 100, 1000}, want = {5421.5, 6532.5, 8754.5, 9865.5};
  HostTensor bias = tensor("1xf32", {0.5});
  EXPECT_EQ(eval("mica.conv2d %a, %b bias %c layout = nhwc_hwcf : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>, "
                 "tensor<1xf32>) -> tensor<1x2x2x1xf32>",
                 "1x2x2x1xf32", {tensor("1x3x3x1xf32", image), tensor("2x2x1x1xf32", filter), bias}),
            want);
  EXPECT_EQ(eval("mica.conv2d %a, %b bias %c layout = nhwc_fhwc : (tensor<1x3x3x1xf32>, tensor<1x2x2x1xf32>, "
                 "tensor<1xf32>) -> tensor<1x2x2x1xf32>",
                 "1x2x2x1xf32", {tensor("1x3x3x1xf32", image), tensor("1x2x2x1xf32", filter), bias}),
            want);
  EXPECT_EQ(eval("mica.conv2d %a, %b bias %c layout = nchw_fchw : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, "
                 "tensor<1xf32>) -> tensor<1x1x2x2xf32>",
                 "1x1x2x2xf32", {tensor("1x1x3x3xf32", image), tensor("1x1x2x2xf32", filter), bias}),
            want);
}

TEST(MicaTest, Conv2dWithChannels) {
  // 1x1 kernel: each pixel's two channels times a 2x3 matrix {1, 2, 3; 10, 20, 30}.
  EXPECT_EQ(eval("mica.conv2d %a, %b layout = nhwc_hwcf : (tensor<1x1x2x2xi32>, tensor<1x1x2x3xi32>) -> "
                 "tensor<1x1x2x3xi32>",
                 "1x1x2x3xi32", {tensor("1x1x2x2xi32", {1, 2, 3, 4}), tensor("1x1x2x3xi32", {1, 2, 3, 10, 20, 30})}),
            (Numbers{21, 42, 63, 43, 86, 129}));
}

TEST(MicaTest, Conv2dWithPadsStridesAndDilations) {
  // Rows of 4 padded by 1 at the left and 2 at the right, taps 2 apart, every second position: 0 1 2 3 4 0 0.
  EXPECT_EQ(eval("mica.conv2d %a, %b layout = nchw_fchw strides = [1, 2] dilations = [1, 2] pads = [0, 0, 1, 2] : "
                 "(tensor<1x1x1x4xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x3xf32>",
                 "1x1x1x3xf32", {tensor("1x1x1x4xf32", {1, 2, 3, 4}), tensor("1x1x1x2xf32", {100, 1})}),
            (Numbers{2, 204, 400}));
}

TEST(MicaTest, MaxPool) {
  EXPECT_EQ(eval("mica.max_pool %a layout = nhwc kernel = [2, 2] strides = [1, 2] : (tensor<1x2x4x1xf32>) -> "
                 "tensor<1x1x2x1xf32>",
                 "1x1x2x1xf32", {tensor("1x2x4x1xf32", {1, 2, 3, 4, 8, 7, 6, 5})}),
            (Numbers{8, 6}));
  // Padding is never the largest, and NaN always is.
  expectNear(eval("mica.max_pool %a layout = nchw kernel = [1, 2] strides = [1, 2] pads = [0, 0, 1, 1] : "
                  "(tensor<1x1x1x4xf32>) -> tensor<1x1x1x3xf32>",
                  "1x1x1x3xf32", {tensor("1x1x1x4xf32", {-1, -2, kNaN, -4})}),
             {-1, kNaN, -4});
}

TEST(MicaTest, AvgPoolCountsPaddingOnRequest) {
  HostTensor row = tensor("1x1x1x4xf32", {2, 4, 6, 8});
  std::string window = "kernel = [1, 2] strides = [1, 2] pads = [0, 0, 1, 1] ";
  std::string type = ": (tensor<1x1x1x4xf32>) -> tensor<1x1x1x3xf32>";
  EXPECT_EQ(eval("mica.avg_pool %a layout = nchw " + window + type, "1x1x1x3xf32", {row}), (Numbers{2, 5, 8}));
  EXPECT_EQ(eval("mica.avg_pool %a layout = nchw " + window + "count_include_pad " + type, "1x1x1x3xf32", {row}),
            (Numbers{1, 5, 4}));
}

TEST(MicaTest, Reduce) {
  HostTensor x = tensor("2x3xf32", {1, 2, 3, 4, 5, 9});
  EXPECT_EQ(eval("mica.reduce sum %a dims = [1] : (tensor<2x3xf32>) -> tensor<2xf32>", "2xf32", {x}), (Numbers{6, 18}));
  EXPECT_EQ(eval("mica.reduce mean %a dims = [0] keep_dims : (tensor<2x3xf32>) -> tensor<1x3xf32>", "1x3xf32", {x}),
            (Numbers{2.5, 3.5, 6}));
  EXPECT_EQ(eval("mica.reduce max %a dims = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>", "f32", {x}), (Numbers{9}));
  EXPECT_EQ(eval("mica.reduce max %a dims = [0] : (tensor<2x2xi1>) -> tensor<2xi1>", "2xi1",
                 {tensor("2x2xi1", {0, 1, 0, 0})}),
            (Numbers{0, 1}));
  EXPECT_EQ(
      eval("mica.reduce sum %a dims = [0] : (tensor<2xi32>) -> tensor<i32>", "i32", {tensor("2xi32", {2147483647, 1})}),
      (Numbers{-2147483648.0}));
}

TEST(MicaTest, ReduceOverNothingAndNaN) {
  expectNear(
      eval("mica.reduce sum %a dims = [1] : (tensor<1x0xf32>) -> tensor<1xf32>", "1xf32", {tensor("1x0xf32", {})}),
      {0});
  expectNear(
      eval("mica.reduce mean %a dims = [1] : (tensor<1x0xf32>) -> tensor<1xf32>", "1xf32", {tensor("1x0xf32", {})}),
      {kNaN});
  expectNear(
      eval("mica.reduce max %a dims = [1] : (tensor<1x0xf32>) -> tensor<1xf32>", "1xf32", {tensor("1x0xf32", {})}),
      {-kInf});
  expectNear(
      eval("mica.reduce max %a dims = [0] : (tensor<2xf32>) -> tensor<f32>", "f32", {tensor("2xf32", {kNaN, 1})}),
      {kNaN});
}

TEST(MicaTest, ReduceAccumulatesInF64) {
  EXPECT_EQ(eval("mica.reduce sum %a dims = [0] : (tensor<3xf32>) -> tensor<f32>", "f32",
                 {tensor("3xf32", {1, 0x1p-24, 0x1p-24})}),
            (Numbers{1 + 0x1p-23}));
}

TEST(MicaTest, Softmax) {
  expectNear(unary("mica.softmax %a axis = 1", "2x2xf32", {1000, 1000, 0, std::log(3.0)}), {0.5, 0.5, 0.25, 0.75});
  expectNear(unary("mica.softmax %a axis = 0", "2x1xf32", {0, std::log(3.0)}), {0.25, 0.75});
  expectNear(unary("mica.softmax %a axis = 0", "2xf32", {-kInf, -kInf}), {kNaN, kNaN});
  expectNear(unary("mica.softmax %a axis = 0", "2xf32", {kInf, 0}), {kNaN, kNaN});
}

TEST(MicaTest, LayerNorm) {
  // Mean 2.5, variance 1.25; with epsilon 1 the divisor is 1.5.
  HostTensor x = tensor("1x4xf32", {1, 2, 3, 4});
  expectNear(eval("mica.layer_norm %a axis = 1 epsilon = 1.0 : tensor<1x4xf32>", "1x4xf32", {x}),
             {-1, -1 / 3.0, 1 / 3.0, 1});
  expectNear(eval("mica.layer_norm %a scale %b : tensor<4xf32> bias %c : tensor<4xf32> axis = 1 epsilon = 1.0 : "
                  "tensor<1x4xf32>",
                  "1x4xf32", {x, tensor("4xf32", {1, 3, 6, 10}), tensor("4xf32", {0, 1, 2, 3})}),
             {-1, 0, 4, 13});
  expectNear(eval("mica.layer_norm %a bias %b : tensor<4xf32> axis = 1 epsilon = 1.0 : tensor<1x4xf32>", "1x4xf32",
                  {x, tensor("4xf32", {1, 1, 1, 1})}),
             {0, 2 / 3.0, 4 / 3.0, 2});
}

TEST(MicaTest, TransposeReshapeBroadcastConstant) {
  HostTensor x = tensor("2x3xf32", {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(eval("mica.transpose %a permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>", "3x2xf32", {x}),
            (Numbers{1, 4, 2, 5, 3, 6}));
  // Dimension d of the result is dimension permutation[d] of the operand.
  EXPECT_EQ(eval("mica.transpose %a permutation = [2, 0, 1] : (tensor<1x2x3xf32>) -> tensor<3x1x2xf32>", "3x1x2xf32",
                 {tensor("1x2x3xf32", {1, 2, 3, 4, 5, 6})}),
            (Numbers{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(eval("mica.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>", "3x2xf32", {x}),
            (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(
      eval("mica.broadcast %a : (tensor<2x1xf32>) -> tensor<2x2x3xf32>", "2x2x3xf32", {tensor("2x1xf32", {1, 2})}),
      (Numbers{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(eval("mica.constant dense<[1.5, -2.0]> : tensor<2xf32>", "2xf32", {}), (Numbers{1.5, -2}));
}

TEST(MicaTest, ShapesKnownOnlyAtRunTime) {
  Program program(R"(func.func @f(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x2xf32>, tensor<?x?x4xf32>) {
    %0 = mica.reshape %x : (tensor<?x4xf32>) -> tensor<?x2xf32>
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?x4xf32>
    %1 = mica.broadcast %x sizes(%n, %m) : (tensor<?x4xf32>, index, index) -> tensor<?x?x4xf32>
    return %0, %1 : tensor<?x2xf32>, tensor<?x?x4xf32>
  })");
  std::vector<HostTensor> results = program.run({tensor("1x4xf32", {1, 2, 3, 4}), tensor("index", {2})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(results[0].typeString(), "2x2xf32");
  EXPECT_EQ(elements(results[1]), (Numbers{1, 2, 3, 4, 1, 2, 3, 4}));
}

} // namespace
