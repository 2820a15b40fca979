//===- TensorTest.cpp - tensor and constants in the reference evaluator -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Slices, shapes, constants, globals.
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

TEST(TensorTest, SlicesReadAndWrite) {
  Program program(R"(
    func.func @f(%a: tensor<3x4xi32>, %n: index) -> (tensor<2x2xi32>, tensor<?xi32>, tensor<3x4xi32>) {
      %0 = tensor.extract_slice %a[0, 1] [2, 2] [2, 2] : tensor<3x4xi32> to tensor<2x2xi32>
      %1 = tensor.extract_slice %a[%n, 0] [1, %n] [1, 1] : tensor<3x4xi32> to tensor<?xi32>
      %2 = tensor.insert_slice %0 into %a[1, 2] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x4xi32>
      return %0, %1, %2 : tensor<2x2xi32>, tensor<?xi32>, tensor<3x4xi32>
    })");
  std::vector<HostTensor> results =
      program.run({tensor("3x4xi32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), tensor("index", {1})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1, 3, 9, 11}));
  EXPECT_EQ(elements(results[1]), (Numbers{4}));
  EXPECT_EQ(elements(results[2]), (Numbers{0, 1, 2, 3, 4, 5, 1, 3, 8, 9, 9, 11}));
}

TEST(TensorTest, AnInsertDoesNotChangeWhatOthersHold) {
  Program program(R"(
    func.func @f(%a: tensor<2xi32>, %x: i32) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = tensor.insert %x into %a[%c0] : tensor<2xi32>
      %1 = tensor.insert %x into %0[%c1] : tensor<2xi32>
      return %a, %0, %1 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
    })");
  std::vector<HostTensor> results = program.run({tensor("2xi32", {1, 2}), tensor("i32", {9})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1, 2}));
  EXPECT_EQ(elements(results[1]), (Numbers{9, 2}));
  EXPECT_EQ(elements(results[2]), (Numbers{9, 9}));
}

TEST(TensorTest, MakingTensors) {
  Program program(R"(
    func.func @f(%n: index, %x: f32) -> (tensor<?xf32>, tensor<2x2xf32>, tensor<?x2xi32>, index, index) {
      %c0 = arith.constant 0 : index
      %0 = tensor.splat %x[%n] : tensor<?xf32>
      %1 = tensor.from_elements %x, %x, %x, %x : tensor<2x2xf32>
      %2 = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %s = arith.muli %i, %n : index
        %t = arith.addi %s, %j : index
        %r = arith.index_cast %t : index to i32
        tensor.yield %r : i32
      } : tensor<?x2xi32>
      %d = tensor.dim %2, %c0 : tensor<?x2xi32>
      %r = tensor.rank %2 : tensor<?x2xi32>
      return %0, %1, %2, %d, %r : tensor<?xf32>, tensor<2x2xf32>, tensor<?x2xi32>, index, index
    })");
  std::vector<HostTensor> results = program.run({tensor("index", {3}), tensor("f32", {1.5})});
  ASSERT_EQ(results.size(), 5u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1.5, 1.5, 1.5}));
  EXPECT_EQ(elements(results[1]), (Numbers{1.5, 1.5, 1.5, 1.5}));
  EXPECT_EQ(elements(results[2]), (Numbers{0, 1, 3, 4, 6, 7}));
  EXPECT_EQ(results[3].asInt(0), 3);
  EXPECT_EQ(results[4].asInt(0), 2);
}

TEST(TensorTest, ShapesChangeAndBytesStay) {
  Program program(R"(
    func.func @f(%a: tensor<?x6xi32>, %s: tensor<2xindex>) -> (tensor<?xi32>, tensor<?x2x3xi32>, tensor<?x?xi32>) {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %a, %c0 : tensor<?x6xi32>
      %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x6xi32> into tensor<?xi32>
      %1 = tensor.expand_shape %a [[0], [1, 2]] output_shape [%n, 2, 3] : tensor<?x6xi32> into tensor<?x2x3xi32>
      %2 = tensor.reshape %a(%s) : (tensor<?x6xi32>, tensor<2xindex>) -> tensor<?x?xi32>
      return %0, %1, %2 : tensor<?xi32>, tensor<?x2x3xi32>, tensor<?x?xi32>
    })");
  Numbers twelve = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<HostTensor> results = program.run({tensor("2x6xi32", twelve), tensor("2xindex", {4, 3})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(results[0].typeString(), "12xi32");
  EXPECT_EQ(results[1].typeString(), "2x2x3xi32");
  EXPECT_EQ(results[2].typeString(), "4x3xi32");
  for (const HostTensor &result : results)
    EXPECT_EQ(elements(result), twelve);
}

TEST(TensorTest, PadAndConcat) {
  Program program(R"(
    func.func @f(%a: tensor<1x2xi32>, %n: index) -> (tensor<?x3xi32>, tensor<1x4xi32>) {
      %seven = arith.constant 7 : i32
      %0 = tensor.pad %a low[%n, 1] high[0, 0] {
      ^bb0(%i: index, %j: index):
        tensor.yield %seven : i32
      } : tensor<1x2xi32> to tensor<?x3xi32>
      %1 = tensor.concat dim(1) %a, %a : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<1x4xi32>
      return %0, %1 : tensor<?x3xi32>, tensor<1x4xi32>
    })");
  std::vector<HostTensor> results = program.run({tensor("1x2xi32", {1, 2}), tensor("index", {1})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{7, 7, 7, 7, 1, 2}));
  EXPECT_EQ(elements(results[1]), (Numbers{1, 2, 1, 2}));
}

TEST(TensorTest, GatherTakesSlices) {
  Program program(R"(
    func.func @f(%a: tensor<3x2xf32>, %i: tensor<2x1xindex>) -> (tensor<2x1x2xf32>, tensor<2x2xf32>) {
      %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<2x1x2xf32>
      %1 = tensor.gather %a[%i] gather_dims([0]) : (tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<2x2xf32>
      return %0, %1 : tensor<2x1x2xf32>, tensor<2x2xf32>
    })");
  std::vector<HostTensor> results = program.run({tensor("3x2xf32", {1, 2, 3, 4, 5, 6}), tensor("2x1xindex", {2, 0})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{5, 6, 1, 2}));
  EXPECT_EQ(elements(results[1]), (Numbers{5, 6, 1, 2}));
}

TEST(TensorTest, ConstantsOfEveryForm) {
  Program program(R"(
    func.func @f() -> (tensor<2xf32>, tensor<3xf16>, tensor<2xi1>, tensor<2xi8>, tensor<2xi4>, tensor<2x3xf32>) {
      %0 = arith.constant dense_resource<weights> : tensor<2xf32>
      %1 = arith.constant dense<1.5> : tensor<3xf16>
      %2 = arith.constant dense<[true, false]> : tensor<2xi1>
      %3 = arith.constant dense<[-1, 127]> : tensor<2xi8>
      %4 = arith.constant dense<[-8, 7]> : tensor<2xi4>
      %5 = arith.constant sparse<[[0, 1], [1, 2]], [1.5, -2.5]> : tensor<2x3xf32>
      return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<3xf16>, tensor<2xi1>, tensor<2xi8>, tensor<2xi4>, tensor<2x3xf32>
    }
    {-# dialect_resources: { builtin: { weights: "0x040000000000C03F000020C0" } } #-}
  )");
  std::vector<HostTensor> results = program.run();
  ASSERT_EQ(results.size(), 6u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1.5, -2.5}));
  EXPECT_EQ(elements(results[1]), (Numbers{1.5, 1.5, 1.5}));
  EXPECT_EQ(elements(results[2]), (Numbers{1, 0}));
  EXPECT_EQ(elements(results[3]), (Numbers{-1, 127}));
  EXPECT_EQ(elements(results[4]), (Numbers{-8, 7}));
  EXPECT_EQ(elements(results[5]), (Numbers{0, 1.5, 0, 0, 0, -2.5}));
}

TEST(TensorTest, VariablesHoldTheirValueUntilWritten) {
  Program program(R"(
    tosa.variable @state = dense<[1.5, -2.0]> : tensor<2xf32>
    func.func @f() -> (tensor<2xf32>, tensor<2xf32>) {
      %a = tosa.variable_read @state : tensor<2xf32>
      %b = tosa.add %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      tosa.variable_write @state, %b : tensor<2xf32>
      %c = tosa.variable_read @state : tensor<2xf32>
      return %a, %c : tensor<2xf32>, tensor<2xf32>
    }
  )");
  std::vector<HostTensor> results = program.run();
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1.5, -2}));
  EXPECT_EQ(elements(results[1]), (Numbers{3, -4}));
}

TEST(TensorTest, StorageFormatsKeepValues) {
  Program program(R"(
    #csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
    func.func @f(%a: tensor<2x3xf32>, %x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %s = sparse_tensor.convert %a : tensor<2x3xf32> to tensor<2x3xf32, #csr>
      %r = linalg.matvec ins(%s, %x : tensor<2x3xf32, #csr>, tensor<3xf32>) outs(%y : tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  )");
  std::vector<HostTensor> results =
      program.run({tensor("2x3xf32", {1, 0, 2, 0, 3, 0}), tensor("3xf32", {1, 2, 3}), tensor("2xf32", {10, 20})});
  ASSERT_EQ(results.size(), 1u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{17, 26}));
}

TEST(TensorTest, GlobalsHoldTheirValueUntilStored) {
  Program program(R"(
    ml_program.global private mutable @state(dense<[1, 2]> : tensor<2xi32>) : tensor<2xi32>
    func.func @f(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
      %0 = ml_program.global_load @state : tensor<2xi32>
      ml_program.global_store @state = %x : tensor<2xi32>
      %1 = ml_program.global_load @state : tensor<2xi32>
      return %0, %1 : tensor<2xi32>, tensor<2xi32>
    })");
  for (int repeat = 0; repeat < 2; ++repeat) { // A store does not outlive its evaluation.
    std::vector<HostTensor> results = program.run({tensor("2xi32", {8, 9})});
    ASSERT_EQ(results.size(), 2u) << program.errors();
    EXPECT_EQ(elements(results[0]), (Numbers{1, 2}));
    EXPECT_EQ(elements(results[1]), (Numbers{8, 9}));
  }
}

} // namespace
