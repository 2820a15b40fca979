//===- MemoryTest.cpp - memref, affine, vector and bufferization in the reference evaluator ------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Buffers share memory, loops and accesses by affine maps, vectors with masks and padding, parallel loops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::reference;
using Numbers = std::vector<double>;

namespace {

TEST(MemoryTest, ViewsShareTheirMemory) {
  Program program(R"(
    func.func @f() -> memref<6xi32> {
      %b = memref.alloc() : memref<6xi32>
      %e = memref.expand_shape %b [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
      %s = memref.subview %e[0, 1] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1], offset: 1>>
      %r = memref.reinterpret_cast %b to offset: [5], sizes: [1], strides: [1] : memref<6xi32> to memref<1xi32, strided<[1], offset: 5>>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 7 : i32
      %y = arith.constant 8 : i32
      memref.store %x, %s[%c1, %c0] : memref<2x2xi32, strided<[3, 1], offset: 1>>
      memref.store %y, %r[%c0] : memref<1xi32, strided<[1], offset: 5>>
      return %b : memref<6xi32>
    })");
  EXPECT_EQ(program.numbers(), (Numbers{0, 0, 0, 0, 7, 8})) << program.errors();
}

TEST(MemoryTest, AnAffineMapDividesTheLeastNumber) {
  Program program(R"(
    func.func @f(%x: index) -> index {
      %r = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%x)
      return %r : index
    })");
  EXPECT_EQ(program.numbers({tensor("index", {-0x1p63})}), (Numbers{-0x1p61})) << program.errors();
}

TEST(MemoryTest, ArgumentsAreWrittenInPlace) {
  Program program(R"(
    func.func @f(%b: memref<2x2xf32>) {
      linalg.matmul ins(%b, %b : memref<2x2xf32>, memref<2x2xf32>) outs(%b : memref<2x2xf32>)
      return
    })");
  llvm::SmallVector<HostTensor> after;
  EvalOptions options;
  options.bufferArguments = &after;
  program.run({tensor("2x2xf32", {1, 2, 3, 4})}, options);
  ASSERT_EQ(after.size(), 1u) << program.errors();
  EXPECT_EQ(elements(after[0]), (Numbers{8, 12, 18, 26}));
}

TEST(MemoryTest, ASelectOfBuffersIsOneOfThem) {
  Program program(R"(
    func.func @f(%c: i1) -> (memref<2xi32>, memref<2xi32>) {
      %a = memref.alloc() : memref<2xi32>
      %b = memref.alloc() : memref<2xi32>
      %c0 = arith.constant 0 : index
      %x = arith.constant 7 : i32
      %s = arith.select %c, %a, %b : memref<2xi32>
      memref.store %x, %s[%c0] : memref<2xi32>
      return %a, %b : memref<2xi32>, memref<2xi32>
    })");
  for (bool condition : {true, false}) {
    const auto results = program.run({tensor("i1", {double(condition)})});
    ASSERT_EQ(results.size(), 2u) << program.errors();
    EXPECT_EQ(elements(results[condition ? 0 : 1]), (Numbers{7, 0}));
    EXPECT_EQ(elements(results[condition ? 1 : 0]), (Numbers{0, 0}));
  }
}

TEST(MemoryTest, AnElementwiseOpOnBuffersIsRefused) {
  Program program(R"(
    func.func @f(%b: memref<2xindex>) -> memref<2xi32> {
      %c = arith.index_cast %b : memref<2xindex> to memref<2xi32>
      return %c : memref<2xi32>
    })");
  EXPECT_TRUE(program.run({tensor("2xindex", {1, 2})}).empty());
  EXPECT_NE(program.errors().find("does not know 'arith.index_cast' on these operand types"), std::string::npos)
      << program.errors();
}

TEST(MemoryTest, AccessOutOfRangeIsAnError) {
  Program program(R"(
    func.func @f(%b: memref<4xf32>, %i: index) -> f32 {
      %x = memref.load %b[%i] : memref<4xf32>
      return %x : f32
    })");
  EXPECT_TRUE(program.run({tensor("4xf32", {1, 2, 3, 4}), tensor("index", {4})}).empty());
  EXPECT_NE(program.errors().find("index 4 is out of range for dimension 0 of extent 4"), std::string::npos)
      << program.errors();
}

TEST(MemoryTest, ViewOutsideItsMemoryIsAnError) {
  Program program(R"(
    func.func @f(%b: memref<4xf32>) -> memref<3xf32, strided<[2]>> {
      %r = memref.reinterpret_cast %b to offset: [0], sizes: [3], strides: [2] : memref<4xf32> to memref<3xf32, strided<[2]>>
      return %r : memref<3xf32, strided<[2]>>
    })");
  EXPECT_TRUE(program.run({tensor("4xf32", {1, 2, 3, 4})}).empty());
  EXPECT_NE(program.errors().find("leaves its memory of 4 elements"), std::string::npos) << program.errors();
}

TEST(MemoryTest, GlobalsKeepWhatIsStored) {
  Program program(R"(
    func.func @f() -> i32 {
      %c0 = arith.constant 0 : index
      %a = memref.get_global @g : memref<2xi32>
      %x = arith.constant 5 : i32
      memref.store %x, %a[%c0] : memref<2xi32>
      %b = memref.get_global @g : memref<2xi32>
      %c1 = arith.constant 1 : index
      %y = memref.load %b[%c0] : memref<2xi32>
      %z = memref.load %b[%c1] : memref<2xi32>
      %s = arith.addi %y, %z : i32
      return %s : i32
    }
    memref.global "private" @g : memref<2xi32> = dense<[1, 2]>)");
  EXPECT_EQ(program.numbers(), (Numbers{7})) << program.errors();
}

TEST(MemoryTest, AffineBoundsAndIndices) {
  // Row i of a triangle: elements j <= i, where i + j is even.
  Program program(R"(
    func.func @f() -> memref<3x3xi32> {
      %b = memref.alloc() : memref<3x3xi32>
      %one = arith.constant 1 : i32
      affine.for %i = 0 to 3 {
        affine.for %j = 0 to min affine_map<(d0) -> (d0 + 1, 9)>(%i) {
          affine.if affine_set<(d0, d1) : ((d0 + d1) mod 2 == 0)>(%i, %j) {
            affine.store %one, %b[%i, %j] : memref<3x3xi32>
          }
        }
      }
      return %b : memref<3x3xi32>
    })");
  EXPECT_EQ(program.numbers(), (Numbers{1, 0, 0, 0, 1, 0, 1, 0, 1})) << program.errors();
}

TEST(MemoryTest, AffineParallelReduces) {
  Program program(R"(
    func.func @f(%b: memref<2x3xf32>) -> (f32, f32) {
      %s:2 = affine.parallel (%i, %j) = (0, 0) to (2, 3) reduce ("addf", "maximumf") -> (f32, f32) {
        %x = affine.load %b[%i, %j] : memref<2x3xf32>
        affine.yield %x, %x : f32, f32
      }
      return %s#0, %s#1 : f32, f32
    })");
  std::vector<HostTensor> results = program.run({tensor("2x3xf32", {1, 2, 9, 4, 5, 6})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{27}));
  EXPECT_EQ(elements(results[1]), (Numbers{9}));
}

TEST(MemoryTest, TransfersPadAndDrop) {
  Program program(R"(
    func.func @f(%b: memref<2x3xf32>) -> (vector<4x2xf32>, memref<2x3xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %pad = arith.constant -1.0 : f32
      %v = vector.transfer_read %b[%c0, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
          : memref<2x3xf32>, vector<4x2xf32>
      %t = vector.transpose %v, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
      vector.transfer_write %t, %b[%c1, %c0] : vector<2x4xf32>, memref<2x3xf32>
      return %v, %b : vector<4x2xf32>, memref<2x3xf32>
    })");
  std::vector<HostTensor> results = program.run({tensor("2x3xf32", {1, 2, 3, 4, 5, 6})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{2, 5, 3, 6, -1, -1, -1, -1}));
  EXPECT_EQ(elements(results[1]), (Numbers{1, 2, 3, 2, 3, -1}));
}

TEST(MemoryTest, MasksLeaveElementsOut) {
  Program program(R"(
    func.func @f(%v: vector<4xf32>, %n: index) -> (f32, vector<4xf32>) {
      %m = vector.create_mask %n : vector<4xi1>
      %zero = arith.constant 0.0 : f32
      %s = vector.mask %m { vector.reduction <add>, %v, %zero : vector<4xf32> into f32 } : vector<4xi1> -> f32
      %b = memref.alloc() : memref<4xf32>
      %c0 = arith.constant 0 : index
      vector.store %v, %b[%c0] : memref<4xf32>, vector<4xf32>
      %none = arith.constant dense<9.0> : vector<4xf32>
      %l = vector.maskedload %b[%c0], %m, %none : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      return %s, %l : f32, vector<4xf32>
    })");
  std::vector<HostTensor> results = program.run({tensor("4xf32", {1, 2, 3, 4}), tensor("index", {2})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{3}));
  EXPECT_EQ(elements(results[1]), (Numbers{1, 2, 9, 9}));
}

TEST(MemoryTest, ContractionsAndShuffles) {
  Program program(R"(
    func.func @f(%a: vector<2x3xf32>, %b: vector<3x2xf32>) -> (vector<2x2xf32>, vector<3xf32>, vector<2xf32>) {
      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %c = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
          affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %zero : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
      %x = vector.extract %a[0] : vector<3xf32> from vector<2x3xf32>
      %y = vector.extract %a[1] : vector<3xf32> from vector<2x3xf32>
      %s = vector.shuffle %x, %y [5, 0, 3] : vector<3xf32>, vector<3xf32>
      %r0 = arith.constant dense<0.0> : vector<2xf32>
      %r = vector.multi_reduction <add>, %a, %r0 [1] : vector<2x3xf32> to vector<2xf32>
      return %c, %s, %r : vector<2x2xf32>, vector<3xf32>, vector<2xf32>
    })");
  std::vector<HostTensor> results =
      program.run({tensor("2x3xf32", {1, 2, 3, 4, 5, 6}), tensor("3x2xf32", {1, 0, 0, 1, 1, 1})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{4, 5, 10, 11}));
  EXPECT_EQ(elements(results[1]), (Numbers{6, 1, 4}));
  EXPECT_EQ(elements(results[2]), (Numbers{6, 15}));
}

TEST(MemoryTest, TensorsOfBuffersAreCopies) {
  Program program(R"(
    func.func @f(%b: memref<2xf32>) -> (tensor<2xf32>, memref<2xf32>) {
      %t = bufferization.to_tensor %b : memref<2xf32> to tensor<2xf32>
      %x = arith.constant 9.0 : f32
      %c0 = arith.constant 0 : index
      memref.store %x, %b[%c0] : memref<2xf32>
      return %t, %b : tensor<2xf32>, memref<2xf32>
    })");
  std::vector<HostTensor> results = program.run({tensor("2xf32", {1, 2})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(elements(results[0]), (Numbers{1, 2}));
  EXPECT_EQ(elements(results[1]), (Numbers{9, 2}));
}

TEST(MemoryTest, ForallCollectsSlices) {
  Program program(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %x) -> tensor<4xf32> {
        %s = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
        %d = arith.addf %s, %s : tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %d into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
        }
      }
      return %r : tensor<4xf32>
    })");
  EXPECT_EQ(program.numbers({tensor("4xf32", {1, 2, 3, 4})}), (Numbers{2, 4, 6, 8})) << program.errors();
}

TEST(MemoryTest, ParallelReducesThroughItsRegion) {
  Program program(R"(
    func.func @f(%n: index) -> index {
      %c0 = index.constant 0
      %c1 = index.constant 1
      %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%c1) -> index {
        scf.reduce(%i : index) {
        ^bb0(%a: index, %b: index):
          %t = index.add %a, %b
          scf.reduce.return %t : index
        }
      }
      %r = index.floordivs %s, %n
      return %r : index
    })");
  EXPECT_EQ(program.numbers({tensor("index", {5})}), (Numbers{2})) << program.errors();
}

TEST(MemoryTest, SwitchTakesTheCaseOfItsFlag) {
  Program program(R"(
    func.func @f(%flag: i32) -> i32 {
      %a = arith.constant 10 : i32
      %b = arith.constant 20 : i32
      cf.switch %flag : i32, [default: ^bb1(%flag : i32), 3: ^bb1(%a : i32), -1: ^bb1(%b : i32)]
    ^bb1(%r: i32):
      return %r : i32
    })");
  EXPECT_EQ(program.numbers({tensor("i32", {3})}), (Numbers{10})) << program.errors();
  EXPECT_EQ(program.numbers({tensor("i32", {-1})}), (Numbers{20}));
  EXPECT_EQ(program.numbers({tensor("i32", {4})}), (Numbers{4}));
}

} // namespace
