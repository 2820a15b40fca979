//===- ErrorsTest.cpp - errors of the reference evaluator ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every failure is a diagnostic at the op concerned, and none a crash.
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

/// The errors of a program that must fail.
std::string errorsOf(const std::string &text, const std::vector<HostTensor> &args = {}) {
  Program program(text);
  EXPECT_TRUE(program.run(args).empty()) << "no failure";
  return program.errors();
}

void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(ErrorsTest, UnknownOpsAndTypesAreNamedAllAtOnce) {
  std::string errors = errorsOf(R"(func.func @f(%x: f32) -> f32 {
  %0 = complex.create %x, %x : complex<f32>
  %1 = complex.create %x, %x : complex<f32>
  %2 = complex.re %0 : complex<f32>
  %3 = memref.alloc() : memref<2xcomplex<f32>>
  return %2 : f32
})");
  expectContains(errors, "2:8: the reference evaluator does not know 'complex.create'");
  expectContains(errors, "3:8: note: also here");
  expectContains(errors, "4:8: the reference evaluator does not know 'complex.re'");
  expectContains(errors, "type memref<2xcomplex<f32>> is not one the reference evaluator has");
}

TEST(ErrorsTest, UnknownOpsInCalleesAreFound) {
  expectContains(errorsOf(R"(func.func @f(%x: f32) -> f32 {
  %0 = func.call @g(%x) : (f32) -> f32
  return %0 : f32
}
func.func private @g(f32) -> f32)",
                          {tensor("f32", {1})}),
                 "cannot call 'g': it has no body");
}

TEST(ErrorsTest, ArgumentsMustFitTheSignature) {
  const char *text = "func.func @f(%a: tensor<?x2xf32>) -> tensor<?x2xf32> { return %a : tensor<?x2xf32> }";
  expectContains(errorsOf(text), "'f' takes 1 arguments, 0 were given");
  expectContains(errorsOf(text, {tensor("1x3xf32", {1, 2, 3})}),
                 "argument 0 of 'f' is 'tensor<?x2xf32>', given 1x3xf32");
  expectContains(errorsOf(text, {tensor("1x2xf64", {1, 2})}), "argument 0 of 'f' is 'tensor<?x2xf32>', given 1x2xf64");
  HostTensor damaged = tensor("1x2xf32", {1, 2});
  damaged.data.pop_back();
  expectContains(errorsOf(text, {damaged}), "comes with 7 bytes");
}

TEST(ErrorsTest, IndicesOutOfRange) {
  expectContains(errorsOf(R"(func.func @f(%a: tensor<3xf32>, %i: index) -> f32 {
  %0 = tensor.extract %a[%i] : tensor<3xf32>
  return %0 : f32
})",
                          {tensor("3xf32", {1, 2, 3}), tensor("index", {3})}),
                 "2:8: index 3 is out of range for dimension 0 of extent 3");
  expectContains(errorsOf(R"(func.func @f(%a: tensor<3xf32>, %i: index) -> tensor<2xf32> {
  %0 = tensor.extract_slice %a[%i] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                          {tensor("3xf32", {1, 2, 3}), tensor("index", {2})}),
                 "2:8: slice [offset 2, size 2, stride 1] is out of range for dimension 0 of extent 3");
  expectContains(errorsOf(R"(#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<2xindex>, %t: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<2xindex>) outs(%o : tensor<2xf32>) {
  ^bb0(%i: index, %x: f32):
    %y = tensor.extract %t[%i] : tensor<3xf32>
    linalg.yield %y : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                          {tensor("2xindex", {0, -1}), tensor("3xf32", {1, 2, 3}), tensor("2xf32", {0, 0})}),
                 "6:10: index -1 is out of range for dimension 0 of extent 3");
  expectContains(errorsOf(R"(func.func @f(%m: memref<8xf32>, %i: index) -> vector<2x2xf32> {
  %0 = affine.vector_load %m[%i] : memref<8xf32>, vector<2x2xf32>
  return %0 : vector<2x2xf32>
})",
                          {tensor("8xf32", {1, 2, 3, 4, 5, 6, 7, 8}), tensor("index", {0})}),
                 "2:8: a vector of rank 2 has more dimensions than its buffer of rank 1");
}

TEST(ErrorsTest, ShapesThatDisagreeAtRunTime) {
  expectContains(
      errorsOf(R"(func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})",
               {tensor("1x2xf32", {1, 2}), tensor("3x1xf32", {1, 2, 3}), tensor("1x1xf32", {0})}),
      "2:8: shape mismatch: dimension 0 of operand 1 (3x1xf32) should be 2");
  expectContains(errorsOf(R"(func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
})",
                          {tensor("1xf32", {1}), tensor("2xf32", {1, 2})}),
                 "2:8: shape mismatch: operands of sizes 1 and 2 in dimension 0");
  expectContains(errorsOf(R"(func.func @f(%a: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
})",
                          {tensor("2xf32", {1, 2})}),
                 "2:8: result 0 has shape 2 at run time, which is not a 'tensor<4xf32>'");
}

TEST(ErrorsTest, ArithmeticWithoutAResult) {
  expectContains(errorsOf(R"(func.func @f(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = arith.divsi %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
})",
                          {tensor("2xi32", {1, 2}), tensor("2xi32", {1, 0})}),
                 "2:8: division by zero at element 1 of shape 2");
  expectContains(errorsOf(R"(func.func @f(%a: i8, %b: i8) -> i8 {
  %0 = arith.divsi %a, %b : i8
  return %0 : i8
})",
                          {tensor("i8", {-128}), tensor("i8", {-1})}),
                 "2:8: signed division overflows");
}

TEST(ErrorsTest, AssertionsFailWithTheirMessage) {
  expectContains(errorsOf(R"(func.func @f(%c: i1) {
  cf.assert %c, "sizes must agree"
  return
})",
                          {tensor("i1", {0})}),
                 "2:3: assertion failed: sizes must agree");
}

TEST(ErrorsTest, SizesThatNoMachineHas) {
  const char *text = R"(func.func @f(%n: index) -> tensor<?x?xf32> {
  %0 = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";
  expectContains(errorsOf(text, {tensor("index", {4294967296.0})}),
                 "2:8: tensor of shape 4294967296x4294967296 has more");
  expectContains(errorsOf(text, {tensor("index", {-1})}), "2:8: tensor of shape -1x-1 has a negative extent");
}

TEST(ErrorsTest, WeightsThatAreNotThere) {
  expectContains(errorsOf(R"(func.func @f() -> tensor<2xf32> {
  %0 = arith.constant dense_resource<__elided__> : tensor<2xf32>
  return %0 : tensor<2xf32>
})"),
                 "2:8: the bytes of resource '__elided__' are not in this module");
}

TEST(ErrorsTest, EndlessRecursionEnds) {
  expectContains(errorsOf(R"(func.func @f() -> i32 {
  %0 = func.call @f() : () -> i32
  return %0 : i32
})"),
                 "calls nest more than 200 deep");
}

} // namespace
