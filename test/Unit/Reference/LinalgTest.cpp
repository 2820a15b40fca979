//===- LinalgTest.cpp - linalg in the reference evaluator ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Regions run point by point, the fast path beside them, ops without a region.
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

TEST(LinalgTest, GenericRunsItsBodyWithIndices) {
  Program program(R"(
    #map = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %e = tensor.empty() : tensor<2x3xf32>
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
          ins(%a : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
      ^bb0(%x: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %s = arith.addi %i, %j : index
        %n = arith.index_cast %s : index to i32
        %r = arith.sitofp %n : i32 to f32
        %y = arith.mulf %x, %r : f32
        linalg.yield %y : f32
      } -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("2x3xf32", {1, 2, 3, 4, 5, 6})}), (Numbers{0, 2, 6, 4, 10, 18}));
}

TEST(LinalgTest, ReductionAccumulatesInF64) {
  // 1 + 2^-24 + 2^-24: in f32 each sum rounds back to 1, exactly it is 1 + 2^-23.
  Program program(R"(
    func.func @f(%a: tensor<3xf32>, %init: tensor<f32>) -> tensor<f32> {
      %0 = linalg.reduce { arith.addf } ins(%a : tensor<3xf32>) outs(%init : tensor<f32>) dimensions = [0]
      return %0 : tensor<f32>
    })");
  EXPECT_EQ(program.numbers({tensor("3xf32", {1, 0x1p-24, 0x1p-24}), tensor("f32", {0})}), (Numbers{1 + 0x1p-23}));
}

TEST(LinalgTest, ParallelBodyRoundsEachOp) {
  // (x + 2^-24) - x in f32 arithmetic is 0, in f64 2^-24.
  Program program(R"(
    func.func @f(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
      %0 = linalg.map ins(%a, %b : tensor<1xf32>, tensor<1xf32>) outs(%a : tensor<1xf32>)
        (%x: f32, %y: f32, %o: f32) {
          %s = arith.addf %x, %y : f32
          %d = arith.subf %s, %x : f32
          linalg.yield %d : f32
        }
      return %0 : tensor<1xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("1xf32", {1}), tensor("1xf32", {0x1p-24})}), (Numbers{0}));
}

TEST(LinalgTest, MatmulOfEachType) {
  for (std::string type : {"f32", "f64", "f16", "bf16", "i32", "i8"}) {
    Program program("func.func @f(%a: tensor<2x3x" + type + ">, %b: tensor<3x2x" + type + ">, %c: tensor<2x2x" + type +
                    ">) -> tensor<2x2x" + type + "> {\n  %0 = linalg.matmul ins(%a, %b : tensor<2x3x" + type +
                    ">, tensor<3x2x" + type + ">) outs(%c : tensor<2x2x" + type + ">) -> tensor<2x2x" + type +
                    ">\n  return %0 : tensor<2x2x" + type + ">\n}");
    EXPECT_EQ(program.numbers({tensor("2x3x" + type, {1, 2, 3, 4, 5, 6}), tensor("3x2x" + type, {1, 0, -1, 2, 1, 1}),
                               tensor("2x2x" + type, {10, 0, 0, 1})}),
              (Numbers{12, 7, 5, 17}))
        << type;
  }
}

TEST(LinalgTest, MatmulWidensIntegersFirst) {
  Program program(R"(
    func.func @f(%a: tensor<1x2xi8>, %b: tensor<2x1xi8>, %c: tensor<1x1xi32>) -> (tensor<1x1xi32>, tensor<1x1xi32>) {
      %0 = linalg.matmul ins(%a, %b : tensor<1x2xi8>, tensor<2x1xi8>) outs(%c : tensor<1x1xi32>) -> tensor<1x1xi32>
      %1 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
           ins(%a, %b : tensor<1x2xi8>, tensor<2x1xi8>) outs(%c : tensor<1x1xi32>) -> tensor<1x1xi32>
      return %0, %1 : tensor<1x1xi32>, tensor<1x1xi32>
    })");
  std::vector<HostTensor> results =
      program.run({tensor("1x2xi8", {-1, 100}), tensor("2x1xi8", {2, 100}), tensor("1x1xi32", {5})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{10003}));
  EXPECT_EQ(elements(results[1]), (Numbers{255 * 2 + 10000 + 5}));
}

/// The fast path against the region run point by point: a mulf wrapped in an addf of zero is no multiply-accumulate.
TEST(LinalgTest, FastContractionAgreesWithTheRegion) {
  auto text = [](const std::string &maps, const std::string &body) {
    return "func.func @f(%a: tensor<3x5x7xf64>, %b: tensor<3x7x9xf64>, %c: tensor<3x5x9xf64>) -> tensor<3x5x9xf64> {\n"
           "%zero = arith.constant 0.0 : f64\n"
           "%0 = linalg.generic {indexing_maps = [" +
           maps +
           "], iterator_types = [\"parallel\", \"parallel\", "
           "\"parallel\", \"reduction\"]} ins(%a, %b : tensor<3x5x7xf64>, tensor<3x7x9xf64>) outs(%c : "
           "tensor<3x5x9xf64>) {\n^bb0(%x: f64, %y: f64, %z: f64):\n" +
           body + "linalg.yield %r : f64\n} -> tensor<3x5x9xf64>\nreturn %0 : tensor<3x5x9xf64>\n}";
  };
  std::string maps = "affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, "
                     "affine_map<(b, m, n, k) -> (b, m, n)>";
  Program fast(text(maps, "%p = arith.mulf %x, %y : f64\n%r = arith.addf %z, %p : f64\n"));
  Program slow(text(maps, "%q = arith.mulf %x, %y : f64\n%p = arith.addf %q, %zero : f64\n"
                          "%r = arith.addf %z, %p : f64\n"));
  Numbers a, b, c;
  for (int i = 0; i < 3 * 5 * 7; ++i)
    a.push_back((i * 37) % 19 - 9);
  for (int i = 0; i < 3 * 7 * 9; ++i)
    b.push_back((i * 53) % 23 - 11);
  for (int i = 0; i < 3 * 5 * 9; ++i)
    c.push_back(i % 5);
  std::vector<HostTensor> args = {tensor("3x5x7xf64", a), tensor("3x7x9xf64", b), tensor("3x5x9xf64", c)};
  EXPECT_EQ(fast.numbers(args), slow.numbers(args));
}

TEST(LinalgTest, TransposedContractionsTakeEveryInnerKernel) {
  // m, n and k innermost in turn: the row kernel on either operand, the dot kernel, and the general loop.
  const char *maps[][3] = {{"(m, k)", "(k, n)", "(m, n)"},
                           {"(m, k)", "(n, k)", "(m, n)"},
                           {"(k, m)", "(k, n)", "(n, m)"},
                           {"(k, m)", "(n, k)", "(m, n)"}};
  auto shape = [](std::string map) {
    for (auto [name, extent] : {std::pair('m', "6"), std::pair('n', "5"), std::pair('k', "11")})
      if (size_t at = map.find(name); at != std::string::npos)
        map.replace(at, 1, extent);
    size_t comma = map.find(", ");
    return map.substr(1, comma - 1) + "x" + map.substr(comma + 2, map.size() - comma - 3) + "xf64";
  };
  auto extent = [](char name) { return name == 'm' ? 6 : name == 'n' ? 5 : 11; };
  for (auto &map : maps) {
    std::string a = shape(map[0]), b = shape(map[1]), c = shape(map[2]), prefix = "affine_map<(m, n, k) -> ";
    Program program("func.func @f(%a: tensor<" + a + ">, %b: tensor<" + b + ">, %c: tensor<" + c + ">) -> tensor<" + c +
                    "> {\n%0 = linalg.contract indexing_maps = [" + prefix + map[0] + ">, " + prefix + map[1] + ">, " +
                    prefix + map[2] + ">] ins(%a, %b : tensor<" + a + ">, tensor<" + b + ">) outs(%c : tensor<" + c +
                    ">) -> tensor<" + c + ">\nreturn %0 : tensor<" + c + ">\n}");
    auto value = [](int seed, int i, int j) { return double((i * 7 + j * 3 + seed) % 13 - 6); };
    // Operand by operand: element (i, j) along the named dimensions.
    auto fill = [&](int seed, const char *dims) {
      Numbers numbers;
      for (int i = 0; i < extent(dims[1]); ++i)
        for (int j = 0; j < extent(dims[4]); ++j)
          numbers.push_back(value(seed, i, j));
      return numbers;
    };
    auto read = [&](int seed, const char *dims, int m, int n, int k) {
      auto pick = [&](char name) { return name == 'm' ? m : name == 'n' ? n : k; };
      return value(seed, pick(dims[1]), pick(dims[4]));
    };
    Numbers want;
    for (int i = 0; i < extent(map[2][1]); ++i)
      for (int j = 0; j < extent(map[2][4]); ++j) {
        int m = map[2][1] == 'm' ? i : j, n = map[2][1] == 'm' ? j : i;
        double sum = value(3, i, j);
        for (int k = 0; k < 11; ++k)
          sum += read(1, map[0], m, n, k) * read(2, map[1], m, n, k);
        want.push_back(sum);
      }
    EXPECT_EQ(program.numbers({tensor(a, fill(1, map[0])), tensor(b, fill(2, map[1])), tensor(c, fill(3, map[2]))}),
              want)
        << map[0] << map[1] << map[2] << program.errors();
  }
}

TEST(LinalgTest, ConvolutionWithStrideAndDilation) {
  Program program(R"(
    func.func @f(%x: tensor<1x5xf32>, %w: tensor<1x1x2xf32>, %o: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
      %x3 = tensor.expand_shape %x [[0], [1, 2]] output_shape [1, 1, 5] : tensor<1x5xf32> into tensor<1x1x5xf32>
      %0 = linalg.conv_1d_ncw_fcw {strides = dense<2> : vector<1xi64>, dilations = dense<2> : vector<1xi64>}
           ins(%x3, %w : tensor<1x1x5xf32>, tensor<1x1x2xf32>) outs(%o : tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
      return %0 : tensor<1x1x2xf32>
    })");
  // Windows {x0, x2} and {x2, x4} times {10, 1}, on 100.
  EXPECT_EQ(program.numbers(
                {tensor("1x5xf32", {1, 2, 3, 4, 5}), tensor("1x1x2xf32", {10, 1}), tensor("1x1x2xf32", {100, 100})}),
            (Numbers{113, 135}));
}

TEST(LinalgTest, PoolingMax) {
  Program program(R"(
    func.func @f(%x: tensor<1x2x4x1xf32>) -> tensor<1x1x2x1xf32> {
      %low = arith.constant 0xFF800000 : f32
      %e = tensor.empty() : tensor<1x1x2x1xf32>
      %init = linalg.fill ins(%low : f32) outs(%e : tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
      %w = tensor.empty() : tensor<2x2xf32>
      %0 = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
           ins(%x, %w : tensor<1x2x4x1xf32>, tensor<2x2xf32>) outs(%init : tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
      return %0 : tensor<1x1x2x1xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("1x2x4x1xf32", {1, -2, 3, 4, 5, 6, -7, -8})}), (Numbers{6, 4}));
}

TEST(LinalgTest, BroadcastTransposeAndElementwise) {
  Program program(R"(
    func.func @f(%v: tensor<2xf32>, %m: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x2xf32>) {
      %e = tensor.empty() : tensor<3x2xf32>
      %t = tensor.empty() : tensor<2x3xf32>
      %0 = linalg.broadcast ins(%v : tensor<2xf32>) outs(%e : tensor<3x2xf32>) dimensions = [0]
      %1 = linalg.transpose ins(%m : tensor<3x2xf32>) outs(%t : tensor<2x3xf32>) permutation = [1, 0]
      %2 = linalg.sub ins(%m, %0 : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
      return %0, %1, %2 : tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x2xf32>
    })");
  std::vector<HostTensor> results = program.run({tensor("2xf32", {10, 20}), tensor("3x2xf32", {1, 2, 3, 4, 5, 6})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{10, 20, 10, 20, 10, 20}));
  EXPECT_EQ(elements(results[1]), (Numbers{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(elements(results[2]), (Numbers{-9, -18, -7, -16, -5, -14}));
}

TEST(LinalgTest, SoftmaxSurvivesLargeNumbers) {
  Program program(R"(
    func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %0 = linalg.softmax dimension(1) ins(%x : tensor<2x2xf32>) outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    })");
  Numbers got = program.numbers({tensor("2x2xf32", {1000, 1000, 0, std::log(3.0)})});
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got[0], 0.5);
  EXPECT_NEAR(got[2], 0.25, 1e-7);
  EXPECT_NEAR(got[3], 0.75, 1e-7);
}

TEST(LinalgTest, WinogradTransformsTilesByRowsAndColumns) {
  // G g G^T of a filter of ones: the row sums of G are -1, 1/2, 3/2 and 1.
  Program filter(R"(
    func.func @f(%x: tensor<1x3x3x1xf32>, %e: tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32> {
      %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%x : tensor<1x3x3x1xf32>) outs(%e : tensor<4x4x1x1xf32>)
           -> tensor<4x4x1x1xf32>
      return %0 : tensor<4x4x1x1xf32>
    })");
  EXPECT_EQ(filter.numbers({tensor("1x3x3x1xf32", Numbers(9, 1)), tensor("4x4x1x1xf32", Numbers(16, 7))}),
            (Numbers{1, -0.5, -1.5, -1, -0.5, 0.25, 0.75, 0.5, -1.5, 0.75, 2.25, 1.5, -1, 0.5, 1.5, 1}));
  // A^T of a column of ones, added to what is there; the rows have size 1 and are not transformed.
  Program output(R"(
    func.func @f(%x: tensor<1x4x1x1x1x1xf32>, %e: tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32> {
      %0 = linalg.winograd_output_transform fmr(F_2_3) ins(%x : tensor<1x4x1x1x1x1xf32>) outs(%e : tensor<1x1x2x1xf32>)
           -> tensor<1x1x2x1xf32>
      return %0 : tensor<1x1x2x1xf32>
    })");
  EXPECT_EQ(output.numbers({tensor("1x4x1x1x1x1xf32", Numbers(4, 1)), tensor("1x1x2x1xf32", {10, 20})}),
            (Numbers{13, 21}));
}

TEST(LinalgTest, PackPadsAndUnpackDropsThePadding) {
  Program program(R"(
    func.func @f(%x: tensor<3x2xi32>, %pad: i32) -> (tensor<2x1x2x2xi32>, tensor<1x2x2x2xi32>, tensor<3x2xi32>) {
      %d0 = tensor.empty() : tensor<2x1x2x2xi32>
      %d1 = tensor.empty() : tensor<1x2x2x2xi32>
      %d2 = tensor.empty() : tensor<3x2xi32>
      %0 = linalg.pack %x padding_value(%pad : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d0
           : tensor<3x2xi32> -> tensor<2x1x2x2xi32>
      %1 = linalg.pack %x padding_value(%pad : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
           inner_tiles = [2, 2] into %d1 : tensor<3x2xi32> -> tensor<1x2x2x2xi32>
      %2 = linalg.unpack %1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %d2
           : tensor<1x2x2x2xi32> -> tensor<3x2xi32>
      return %0, %1, %2 : tensor<2x1x2x2xi32>, tensor<1x2x2x2xi32>, tensor<3x2xi32>
    })");
  std::vector<HostTensor> results = program.run({tensor("3x2xi32", {1, 2, 3, 4, 5, 6}), tensor("i32", {9})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1, 2, 3, 4, 5, 6, 9, 9}));
  EXPECT_EQ(elements(results[1]), (Numbers{1, 3, 2, 4, 5, 9, 6, 9}));
  EXPECT_EQ(elements(results[2]), (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(LinalgTest, BodyMayHoldControlFlowAndReadOtherTensors) {
  Program program(R"(
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%i: tensor<3xi32>, %table: tensor<4xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %zero = arith.constant 0 : i32
      %none = arith.constant -1.0 : f32
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
          ins(%i : tensor<3xi32>) outs(%e : tensor<3xf32>) {
      ^bb0(%x: i32, %o: f32):
        %isNegative = arith.cmpi slt, %x, %zero : i32
        %r = scf.if %isNegative -> f32 {
          scf.yield %none : f32
        } else {
          %at = arith.index_cast %x : i32 to index
          %y = tensor.extract %table[%at] : tensor<4xf32>
          scf.yield %y : f32
        }
        linalg.yield %r : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("3xi32", {2, -1, 0}), tensor("4xf32", {5, 6, 7, 8})}), (Numbers{7, -1, 5}));
}

TEST(LinalgTest, TwoOutputsThatStartFromOneTensor) {
  Program program(R"(
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
      %0:2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
          ins(%a : tensor<2xi32>) outs(%a, %a : tensor<2xi32>, tensor<2xi32>) {
      ^bb0(%x: i32, %p: i32, %q: i32):
        %s = arith.addi %x, %p : i32
        %m = arith.muli %x, %q : i32
        linalg.yield %s, %m : i32, i32
      } -> (tensor<2xi32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
    })");
  std::vector<HostTensor> results = program.run({tensor("2xi32", {3, 4})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(elements(results[0]), (Numbers{6, 8}));
  EXPECT_EQ(elements(results[1]), (Numbers{9, 16}));
}

TEST(LinalgTest, DynamicShapes) {
  Program program(R"(
    func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("1x2xf32", {1, 2}), tensor("2x1xf32", {3, 4}), tensor("1x1xf32", {0})}),
            (Numbers{11}));
  // A contracted extent of 0 leaves the initial values.
  EXPECT_EQ(program.numbers({tensor("1x0xf32", {}), tensor("0x1xf32", {}), tensor("1x1xf32", {7})}), (Numbers{7}));
}

} // namespace
