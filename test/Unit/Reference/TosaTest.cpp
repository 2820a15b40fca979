//===- TosaTest.cpp - tosa in the reference evaluator -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Numbers by hand from the TOSA specification.
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

/// `body` computes %0 of type tensor<`result`> from arguments %a, %b.. of the given tensors' types. `before` comes
/// first.
Numbers eval(const std::string &body, const std::string &result, const std::vector<HostTensor> &args,
             const std::string &before = "") {
  std::string signature;
  for (size_t i = 0; i < args.size(); ++i)
    signature += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": tensor<" + args[i].typeString() + ">";
  Program program("func.func @f(" + signature + ") -> tensor<" + result + "> {\n" + before + "\n  %0 = " + body +
                  "\n  return %0 : tensor<" + result + ">\n}");
  std::vector<HostTensor> results = program.run(args);
  EXPECT_EQ(results.size(), 1u) << program.errors();
  if (results.empty())
    return {};
  EXPECT_EQ(results[0].typeString(), result);
  return elements(results[0]);
}

Numbers unary(const std::string &op, const std::string &type, const Numbers &a, std::string to = "",
              const std::string &attributes = "") {
  to = to.empty() ? type : to;
  return eval(op + " %a " + attributes + ": (tensor<" + type + ">) -> tensor<" + to + ">", to, {tensor(type, a)});
}

Numbers binary(const std::string &op, const std::string &type, const Numbers &a, const Numbers &b, std::string to = "",
               const std::string &attributes = "") {
  to = to.empty() ? type : to;
  return eval(op + " %a, %b " + attributes + ": (tensor<" + type + ">, tensor<" + type + ">) -> tensor<" + to + ">", to,
              {tensor(type, a), tensor(type, b)});
}

/// Lines that define %`name`, a constant tensor of one element.
std::string zeroPoint(const std::string &name, const std::string &type, const std::string &value) {
  return "  %" + name + " = \"tosa.const\"() {values = dense<" + value + "> : tensor<1x" + type +
         ">} : () -> tensor<1x" + type + ">\n";
}

/// Lines that define %`name`, a !tosa.shape.
std::string shape(const std::string &name, const std::string &values, int count) {
  std::string n = std::to_string(count);
  return "  %" + name + " = tosa.const_shape {values = dense<" + values + "> : tensor<" + n +
         "xindex>} : () -> !tosa.shape<" + n + ">\n";
}

/// Equal, NaN to NaN.
void expectSame(const Numbers &got, const Numbers &want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i])))
        << "element " << i << " is " << got[i] << ", not " << want[i];
}

TEST(TosaTest, ElementwiseWithBroadcast) {
  EXPECT_EQ(eval("tosa.add %a, %b : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>", "2x2xf32",
                 {tensor("2x1xf32", {10, 20}), tensor("1x2xf32", {1, 2})}),
            (Numbers{11, 12, 21, 22}));
  expectSame(binary("tosa.sub", "2xi32", {5, -2147483648.0}, {7, 1}), {-2, 2147483647});
  expectSame(binary("tosa.pow", "2xf32", {2, 9}, {10, 0.5}), {1024, 3});
  expectSame(binary("tosa.intdiv", "2xi32", {-7, 7}, {2, 2}), {-3, 3});
}

TEST(TosaTest, MulShiftsAndRounds) {
  std::string shift = zeroPoint("s", "i8", "1");
  std::string type = " : (tensor<3xi32>, tensor<3xi32>, tensor<1xi8>) -> tensor<3xi32>";
  EXPECT_EQ(
      eval("tosa.mul %a, %b, %s" + type, "3xi32", {tensor("3xi32", {3, -3, 4}), tensor("3xi32", {1, 1, 2})}, shift),
      (Numbers{2, -1, 4})); // (3 + 1) >> 1, (-3 + 1) >> 1, (8 + 1) >> 1
  EXPECT_EQ(eval("tosa.mul %a, %b, %s : (tensor<f32>, tensor<f32>, tensor<1xi8>) -> tensor<f32>", "f32",
                 {tensor("f32", {1.5}), tensor("f32", {-4})}, zeroPoint("s", "i8", "0")),
            (Numbers{-6}));
}

TEST(TosaTest, NegateWithZeroPoints) {
  std::string zeros = zeroPoint("i", "i8", "1") + zeroPoint("o", "i8", "3");
  EXPECT_EQ(eval("tosa.negate %a, %i, %o : (tensor<2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>", "2xi8",
                 {tensor("2xi8", {5, -128})}, zeros),
            (Numbers{-1, 127})); // -(-128 - 1) + 3 saturates
}

TEST(TosaTest, FunctionsOfOneOperand) {
  expectSame(unary("tosa.abs", "2xi32", {-3, 4}), {3, 4});
  expectSame(unary("tosa.ceil", "2xf32", {-1.5, 1.5}), {-1, 2});
  expectSame(unary("tosa.floor", "2xf32", {-1.5, 1.5}), {-2, 1});
  expectSame(unary("tosa.reciprocal", "2xf32", {4, 0}), {0.25, kInf});
  expectSame(unary("tosa.rsqrt", "2xf32", {4, 0}), {0.5, kInf});
  expectSame(unary("tosa.exp", "2xf32", {0, -kInf}), {1, 0});
  expectSame(unary("tosa.log", "2xf32", {1, 0}), {0, -kInf});
  expectSame(unary("tosa.tanh", "2xf32", {0, kInf}), {0, 1});
  expectSame(unary("tosa.sigmoid", "2xf32", {0, -kInf}), {0.5, 0});
  expectSame(unary("tosa.erf", "2xf32", {0, kInf}), {0, 1});
  expectSame(unary("tosa.cos", "1xf32", {0}), {1});
  expectSame(unary("tosa.sin", "1xf32", {0}), {0});
  expectSame(unary("tosa.clz", "3xi32", {1, 0, -1}), {31, 32, 0});
  expectSame(unary("tosa.bitwise_not", "1xi32", {5}), {-6});
  expectSame(unary("tosa.logical_not", "2xi1", {1, 0}), {0, 1});
  expectSame(unary("tosa.identity", "1xf32", {7}), {7});
}

TEST(TosaTest, BitsAndShifts) {
  expectSame(binary("tosa.bitwise_xor", "1xi32", {6}, {3}), {5});
  expectSame(binary("tosa.bitwise_and", "1xi32", {6}, {3}), {2});
  expectSame(binary("tosa.logical_xor", "2xi1", {1, 1}, {1, 0}), {0, 1});
  expectSame(binary("tosa.logical_left_shift", "1xi32", {3}, {4}), {48});
  expectSame(binary("tosa.logical_right_shift", "1xi32", {-1}, {28}), {15});
  expectSame(binary("tosa.arithmetic_right_shift", "2xi32", {-5, 5}, {1, 1}, "", "{round = true} "), {-2, 3});
  expectSame(binary("tosa.arithmetic_right_shift", "2xi32", {-5, 5}, {1, 1}, "", "{round = false} "), {-3, 2});
}

TEST(TosaTest, NaNModes) {
  expectSame(binary("tosa.maximum", "2xf32", {kNaN, 1}, {1, 2}), {kNaN, 2});
  expectSame(binary("tosa.maximum", "2xf32", {kNaN, 1}, {1, 2}, "", "{nan_mode = IGNORE} "), {1, 2});
  expectSame(binary("tosa.minimum", "2xf32", {kNaN, 1}, {1, 2}, "", "{nan_mode = IGNORE} "), {1, 1});
  std::string bounds = "{min_val = -1.0 : f32, max_val = 2.0 : f32";
  expectSame(unary("tosa.clamp", "3xf32", {kNaN, -5, 5}, "", bounds + "} "), {kNaN, -1, 2});
  expectSame(unary("tosa.clamp", "3xf32", {kNaN, -5, 5}, "", bounds + ", nan_mode = IGNORE} "), {-1, -1, 2});
  expectSame(unary("tosa.clamp", "2xi8", {-100, 100}, "", "{min_val = -7 : i8, max_val = 9 : i8} "), {-7, 9});
}

TEST(TosaTest, ComparisonAndSelect) {
  expectSame(binary("tosa.equal", "2xf32", {kNaN, 1}, {kNaN, 1}, "2xi1"), {0, 1});
  expectSame(binary("tosa.greater", "2xi32", {2, 1}, {1, 1}, "2xi1"), {1, 0});
  expectSame(binary("tosa.greater_equal", "2xf32", {1, kNaN}, {1, 1}, "2xi1"), {1, 0});
  expectSame(eval("tosa.select %a, %b, %c : (tensor<2x1xi1>, tensor<2x2xf32>, tensor<1x1xf32>) -> tensor<2x2xf32>",
                  "2x2xf32", {tensor("2x1xi1", {1, 0}), tensor("2x2xf32", {1, 2, 3, 4}), tensor("1x1xf32", {9})}),
             {1, 2, 9, 9});
}

TEST(TosaTest, CastRoundsToEvenAndSaturates) {
  expectSame(unary("tosa.cast", "5xf32", {2.5, 3.5, -1e9, 1e9, kNaN}, "5xi8"), {2, 4, -128, 127, 0});
  expectSame(unary("tosa.cast", "2xi32", {257, -1}, "2xi8"), {1, -1});
  expectSame(unary("tosa.cast", "2xf32", {0, 0.5}, "2xi1"), {0, 1});
  expectSame(unary("tosa.cast", "2xi1", {0, 1}, "2xf32"), {0, 1});
}

TEST(TosaTest, Table) {
  // Entry i of the i8 table is -(i - 128): the table negates, the smallest saturated by hand.
  std::string values, wide;
  for (int i = 0; i < 256; ++i)
    values += (i ? ", " : "") + std::to_string(std::min(127, 128 - i));
  for (int i = 0; i <= 512; ++i)
    wide += (i ? ", " : "") + std::to_string(i - 256);
  EXPECT_EQ(
      eval("tosa.table %a, %t : (tensor<3xi8>, tensor<256xi8>) -> tensor<3xi8>", "3xi8", {tensor("3xi8", {-128, 0, 5})},
           "  %t = \"tosa.const\"() {values = dense<[" + values + "]> : tensor<256xi8>} : () -> tensor<256xi8>\n"),
      (Numbers{127, 0, -5}));
  // The i16 table interpolates: entry (x >> 7) + 256 is x >> 7 here, so the result is x itself.
  EXPECT_EQ(
      eval("tosa.table %a, %t : (tensor<3xi16>, tensor<513xi16>) -> tensor<3xi32>", "3xi32",
           {tensor("3xi16", {-32768, 200, -1})},
           "  %t = \"tosa.const\"() {values = dense<[" + wide + "]> : tensor<513xi16>} : () -> tensor<513xi16>\n"),
      (Numbers{-32768, 200, -1}));
}

TEST(TosaTest, RescaleInFixedPoint) {
  // multiplier 2^30, shift 31: a half. 5 / 2 rounds half up to 3, -5 / 2 to -2; the output zero point is 10.
  std::string operands =
      "  %m = \"tosa.const\"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>\n" +
      zeroPoint("s", "i8", "31") + zeroPoint("i", "i32", "0") + zeroPoint("o", "i8", "10");
  EXPECT_EQ(eval("tosa.rescale %a, %m, %s, %i, %o {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, "
                 "input_unsigned = false, output_unsigned = false} : (tensor<3xi32>, tensor<1xi32>, tensor<1xi8>, "
                 "tensor<1xi32>, tensor<1xi8>) -> tensor<3xi8>",
                 "3xi8", {tensor("3xi32", {5, -5, 1000})}, operands),
            (Numbers{13, 8, 127}));
}

TEST(TosaTest, Reductions) {
  HostTensor x = tensor("2x2xf32", {1, 2, 3, kNaN});
  auto reduce = [&](const std::string &op, const std::string &attributes = "") {
    return eval("tosa." + op + " %a {axis = 1 : i32" + attributes + "} : (tensor<2x2xf32>) -> tensor<2x1xf32>",
                "2x1xf32", {x});
  };
  expectSame(reduce("reduce_sum"), {3, kNaN});
  expectSame(reduce("reduce_product"), {2, kNaN});
  expectSame(reduce("reduce_max"), {2, kNaN});
  expectSame(reduce("reduce_max", ", nan_mode = IGNORE"), {2, 3});
  expectSame(reduce("reduce_min", ", nan_mode = IGNORE"), {1, 3});
  HostTensor flags = tensor("2x2xi1", {1, 0, 1, 1});
  expectSame(eval("tosa.reduce_all %a {axis = 1 : i32} : (tensor<2x2xi1>) -> tensor<2x1xi1>", "2x1xi1", {flags}),
             {0, 1});
  expectSame(eval("tosa.reduce_any %a {axis = 0 : i32} : (tensor<2x2xi1>) -> tensor<1x2xi1>", "1x2xi1", {flags}),
             {1, 1});
  expectSame(eval("tosa.argmax %a {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2xi32>", "2xi32",
                  {tensor("2x3xi32", {1, 7, 7, 3, 2, 1})}),
             {1, 0});
}

TEST(TosaTest, ShapesAndOrder) {
  HostTensor x = tensor("2x3xi32", {1, 2, 3, 4, 5, 6});
  expectSame(
      eval("tosa.transpose %a {perms = array<i32: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>", "3x2xi32", {x}),
      {1, 4, 2, 5, 3, 6});
  expectSame(eval("tosa.reverse %a {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>", "2x3xi32", {x}),
             {3, 2, 1, 6, 5, 4});
  expectSame(eval("tosa.concat %a, %a {axis = 0 : i32} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>",
                  "4x3xi32", {x}),
             {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  expectSame(eval("tosa.reshape %a, %s : (tensor<2x3xi32>, !tosa.shape<1>) -> tensor<6xi32>", "6xi32", {x},
                  shape("s", "[-1]", 1)),
             {1, 2, 3, 4, 5, 6});
  expectSame(eval("tosa.slice %a, %s, %n : (tensor<2x3xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2xi32>",
                  "1x2xi32", {x}, shape("s", "[1, 1]", 2) + shape("n", "[1, 2]", 2)),
             {5, 6});
  expectSame(eval("tosa.tile %a, %m : (tensor<2x3xi32>, !tosa.shape<2>) -> tensor<2x6xi32>", "2x6xi32", {x},
                  shape("m", "[1, 2]", 2)),
             {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  expectSame(eval("tosa.pad %a, %p, %c : (tensor<2x3xi32>, !tosa.shape<4>, tensor<1xi32>) -> tensor<3x4xi32>",
                  "3x4xi32", {x}, shape("p", "[1, 0, 0, 1]", 4) + zeroPoint("c", "i32", "9")),
             {9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9});
}

TEST(TosaTest, GatherAndScatter) {
  HostTensor values = tensor("1x3x2xf32", {1, 2, 3, 4, 5, 6}), indices = tensor("1x2xi32", {2, 0});
  expectSame(eval("tosa.gather %a, %b : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>", "1x2x2xf32",
                  {values, indices}),
             {5, 6, 1, 2});
  expectSame(
      eval("tosa.scatter %a, %b, %c : (tensor<1x3x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x3x2xf32>",
           "1x3x2xf32", {values, indices, tensor("1x2x2xf32", {7, 8, 9, 10})}),
      {9, 10, 3, 4, 7, 8});
  Program program(R"(func.func @f(%v: tensor<1x3x2xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x2xf32> {
    %0 = tosa.gather %v, %i : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
    return %0 : tensor<1x2x2xf32>
  })");
  EXPECT_TRUE(program.run({values, tensor("1x2xi32", {0, 3})}).empty());
  EXPECT_NE(program.errors().find("index 3 (element 1 of the indices) is out of range for extent 3"),
            std::string::npos);
}

TEST(TosaTest, MatmulSubtractsZeroPoints) {
  std::string zeros = zeroPoint("x", "i8", "1") + zeroPoint("y", "i8", "-2");
  // (3 - 1) * (4 + 2) + (5 - 1) * (6 + 2) = 44
  EXPECT_EQ(eval("tosa.matmul %a, %b, %x, %y : (tensor<1x1x2xi8>, tensor<1x2x1xi8>, tensor<1xi8>, tensor<1xi8>) -> "
                 "tensor<1x1x1xi32>",
                 "1x1x1xi32", {tensor("1x1x2xi8", {3, 5}), tensor("1x2x1xi8", {4, 6})}, zeros),
            (Numbers{44}));
}

const char *kFloatZeros = "  %x = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>\n";

TEST(TosaTest, Conv2d) {
  // The 3x3 image and 2x2 kernel of MicaTest, and a bias for each of the two output channels (the second kernel is 0).
  EXPECT_EQ(
      eval("tosa.conv2d %a, %b, %c, %x, %x {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, "
           "stride = array<i64: 1, 1>} : (tensor<1x3x3x1xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, "
           "tensor<1xf32>) -> tensor<1x2x2x2xf32>",
           "1x2x2x2xf32",
           {tensor("1x3x3x1xf32", {1, 2, 3, 4, 5, 6, 7, 8, 9}), tensor("2x2x2x1xf32", {1, 10, 100, 1000, 0, 0, 0, 0}),
            tensor("2xf32", {0.5, 7})},
           kFloatZeros),
      (Numbers{5421.5, 7, 6532.5, 7, 8754.5, 7, 9865.5, 7}));
}

TEST(TosaTest, Conv2dPaddingIsTheInputsZeroPoint) {
  // Zero point 5: padding stands for 5 - 5 = 0, not for -5.
  std::string zeros = zeroPoint("x", "i8", "5") + zeroPoint("y", "i8", "0");
  EXPECT_EQ(
      eval("tosa.conv2d %a, %b, %c, %x, %y {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 0>, "
           "stride = array<i64: 1, 1>} : (tensor<1x1x2x1xi8>, tensor<1x1x2x1xi8>, tensor<1xi32>, tensor<1xi8>, "
           "tensor<1xi8>) -> tensor<1x1x2x1xi32>",
           "1x1x2x1xi32", {tensor("1x1x2x1xi8", {6, 7}), tensor("1x1x2x1xi8", {10, 1}), tensor("1xi32", {100})}, zeros),
      (Numbers{101, 112}));
}

TEST(TosaTest, DepthwiseKeepsChannelsApart) {
  // Two channels, multiplier 2, a 1x1 kernel: result channel c * 2 + m is input c times weight (c, m).
  EXPECT_EQ(
      eval("tosa.depthwise_conv2d %a, %b, %c, %x, %x {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, "
           "0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<4xf32>, "
           "tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>",
           "1x1x1x4xf32",
           {tensor("1x1x1x2xf32", {2, 3}), tensor("1x1x2x2xf32", {1, 10, 100, 1000}), tensor("4xf32", {0, 0, 0, 1})},
           kFloatZeros),
      (Numbers{2, 20, 300, 3001}));
}

TEST(TosaTest, TransposeConvSpreadsEachElement) {
  // Stride 2 in width: 1 and 2 each spread {10, 100, 1000}; they meet in the third element.
  EXPECT_EQ(eval("tosa.transpose_conv2d %a, %b, %c, %x, %x {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = "
                 "array<i64: 1, 2>} : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1xf32>, tensor<1xf32>, "
                 "tensor<1xf32>) -> tensor<1x1x5x1xf32>",
                 "1x1x5x1xf32",
                 {tensor("1x1x2x1xf32", {1, 2}), tensor("1x1x3x1xf32", {10, 100, 1000}), tensor("1xf32", {0})},
                 kFloatZeros),
            (Numbers{10, 100, 1020, 200, 2000}));
}

TEST(TosaTest, TransposeConvIsBoundedByItsProductsAndItsBias) {
  constexpr int64_t kChannels = 8;
  const double third = 1.0f / 3, u = std::ldexp(1.0, -24);
  const Numbers thirds(kChannels, third);
  Program program(
      std::string("func.func @f(%a: tensor<1x1x1x8xf32>, %b: tensor<1x1x1x8xf32>, %c: tensor<1xf32>) -> "
                  "tensor<1x1x1x1xf32> {\n") +
      kFloatZeros +
      "\n  %0 = tosa.transpose_conv2d %a, %b, %c, %x, %x {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, "
      "stride = array<i64: 1, 1>} : (tensor<1x1x1x8xf32>, tensor<1x1x1x8xf32>, tensor<1xf32>, tensor<1xf32>, "
      "tensor<1xf32>) -> tensor<1x1x1x1xf32>\n  return %0 : tensor<1x1x1x1xf32>\n}");
  llvm::SmallVector<HostTensor> bounds;
  EvalOptions options;
  options.bounds = &bounds;
  program.run({tensor("1x1x1x8xf32", thirds), tensor("1x1x1x8xf32", thirds), tensor("1xf32", {1})}, options);
  ASSERT_EQ(bounds.size(), 1u) << program.errors();
  // Eight products and eight sums are rounded, none of which is larger than the result.
  const double result = kChannels * third * third + 1;
  EXPECT_GE(elements(bounds[0])[0], u * (kChannels * third * third + kChannels * result));
  EXPECT_LE(elements(bounds[0])[0], 2 * u * 2 * kChannels * result);
}

TEST(TosaTest, Pooling) {
  std::string window = "{kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 2>";
  HostTensor row = tensor("1x1x4x1xf32", {-2, -4, kNaN, -8});
  std::string type = " : (tensor<1x1x4x1xf32>) -> tensor<1x1x3x1xf32>";
  expectSame(eval("tosa.max_pool2d %a " + window + "}" + type, "1x1x3x1xf32", {row}), {-2, kNaN, -8});
  expectSame(eval("tosa.max_pool2d %a " + window + ", nan_mode = IGNORE}" + type, "1x1x3x1xf32", {row}), {-2, -4, -8});
  expectSame(eval("tosa.avg_pool2d %a, %x, %x " + window +
                      ", acc_type = f32} : (tensor<1x1x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3x1xf32>",
                  "1x1x3x1xf32", {tensor("1x1x4x1xf32", {2, 4, 6, 8})}, kFloatZeros),
             {2, 5, 8});
  // Integers: the reciprocal of 2 in fixed point is a little above a half, so 1.5 gives 2 and -1.5 gives -2.
  expectSame(
      eval(
          "tosa.avg_pool2d %a, %z, %z {kernel = array<i64: 1, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, "
          "2>, acc_type = i32} : (tensor<1x1x4x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x2x1xi8>",
          "1x1x2x1xi8", {tensor("1x1x4x1xi8", {1, 2, -1, -2})}, zeroPoint("z", "i8", "0")),
      {2, -2});
}

TEST(TosaTest, ResizeNearestAndBilinear) {
  std::string shapes = shape("s", "[2, 1, 2, 1]", 4) + shape("o", "[0, 0]", 2) + shape("b", "[0, 0]", 2);
  std::string type = " : (tensor<1x1x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x3x1xf32>";
  HostTensor row = tensor("1x1x2x1xf32", {10, 20});
  expectSame(eval("tosa.resize %a, %s, %o, %b {mode = BILINEAR}" + type, "1x1x3x1xf32", {row}, shapes), {10, 15, 20});
  expectSame(eval("tosa.resize %a, %s, %o, %b {mode = NEAREST_NEIGHBOR}" + type, "1x1x3x1xf32", {row}, shapes),
             {10, 20, 20});
}

TEST(TosaTest, ControlFlow) {
  Program program(R"(func.func @f(%c: tensor<i1>, %n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = tosa.cond_if %c (%t = %n) : tensor<i1> (tensor<i32>) -> tensor<i32> {
    ^bb0(%t: tensor<i32>):
      tosa.yield %t : tensor<i32>
    } else {
    ^bb0(%t: tensor<i32>):
      %1 = tosa.add %t, %t : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tosa.yield %1 : tensor<i32>
    }
    %2 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
      %limit = "tosa.const"() {values = dense<100> : tensor<i32>} : () -> tensor<i32>
      %3 = tosa.greater %limit, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %3 : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>):
      %3 = tosa.add %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tosa.yield %3 : tensor<i32>
    }
    return %0, %2 : tensor<i32>, tensor<i32>
  })");
  std::vector<HostTensor> results = program.run({tensor("i1", {0}), tensor("i32", {7})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(results[0].asInt(0), 14);
  EXPECT_EQ(results[1].asInt(0), 112);
}

} // namespace
