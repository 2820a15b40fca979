//===- DiffTest.cpp - what is a difference and what is none -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One claim a test, on the smallest program that shows it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "test/Unit/IRTools/DiffFixture.h"

using namespace mica::irtools;

TEST_F(DiffTest, NamesAttributeOrderAndLocationsAreNoDifference) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %0 = "x.y"(%a) {p = 1 : i32, q} : (f32) -> f32 loc("m.py":1:2)
                      return %0 : f32 })",
                 R"(func.func @f(%other: f32) -> f32 {
                      %value = "x.y"(%other) {q, p = 1 : i32} : (f32) -> f32 loc("n.py":3:4)
                      return %value : f32 })"),
            "");
}

TEST_F(DiffTest, OrderOfPureOpsAndOfFunctionsIsNoDifference) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> (f32, f32) {
                      %0 = math.exp %a : f32
                      %1 = math.tanh %a : f32
                      return %0, %1 : f32, f32 }
                    func.func private @g())",
                 R"(func.func private @g()
                    func.func @f(%a: f32) -> (f32, f32) {
                      %0 = math.tanh %a : f32
                      %1 = math.exp %a : f32
                      return %1, %0 : f32, f32 })"),
            "");
}

TEST_F(DiffTest, OrderOfReadsAndOfDifferentAllocationsIsNoDifference) {
  EXPECT_EQ(diff(R"(func.func @f(%i: index, %v: f32) -> f32 {
                      %a = memref.alloc() : memref<4xf32>
                      %b = memref.alloc() : memref<4xf32>
                      memref.store %v, %a[%i] : memref<4xf32>
                      memref.store %v, %b[%i] : memref<4xf32>
                      %x = memref.load %a[%i] : memref<4xf32>
                      return %x : f32 })",
                 R"(func.func @f(%i: index, %v: f32) -> f32 {
                      %b = memref.alloc() : memref<4xf32>
                      %a = memref.alloc() : memref<4xf32>
                      memref.store %v, %b[%i] : memref<4xf32>
                      memref.store %v, %a[%i] : memref<4xf32>
                      %x = memref.load %a[%i] : memref<4xf32>
                      return %x : f32 })"),
            "");
}

TEST_F(DiffTest, StoresToTheSameMemoryThatChangePlacesAreMoves) {
  EXPECT_EQ(diff(R"(func.func @f(%m: memref<4xf32>, %i: index, %v: f32, %w: f32) {
                      memref.store %v, %m[%i] : memref<4xf32>
                      memref.store %w, %m[%i] : memref<4xf32>
                      return })",
                 R"(func.func @f(%m: memref<4xf32>, %i: index, %v: f32, %w: f32) {
                      memref.store %w, %m[%i] : memref<4xf32>
                      memref.store %v, %m[%i] : memref<4xf32>
                      return })"),
            "moved memref.store\n");
}

TEST_F(DiffTest, AnOpOutOfItsLoopIsMoved) {
  EXPECT_EQ(diff(R"(func.func @f(%n: index, %a: f32) -> f32 {
                      %c0 = arith.constant 0 : index
                      %c1 = arith.constant 1 : index
                      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f32 {
                        %e = math.exp %a : f32
                        %s = arith.addf %x, %e : f32
                        scf.yield %s : f32 }
                      return %r : f32 })",
                 R"(func.func @f(%n: index, %a: f32) -> f32 {
                      %c0 = arith.constant 0 : index
                      %c1 = arith.constant 1 : index
                      %e = math.exp %a : f32
                      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> f32 {
                        %s = arith.addf %x, %e : f32
                        scf.yield %s : f32 }
                      return %r : f32 })"),
            "moved math.exp\n");
}

TEST_F(DiffTest, LoopsAreToldApartByWhatTheyTakeFromOutside) {
  std::string first = R"(scf.for %i = %n to %n step %n iter_args(%x = %c) -> f32 {
                           %y = arith.addf %x, %a : f32
                           scf.yield %y : f32 })";
  std::string second = R"(scf.for %i = %n to %n step %n iter_args(%x = %c) -> f32 {
                            %y = arith.addf %x, %b : f32
                            scf.yield %y : f32 })";
  std::string head = "func.func @f(%n: index, %a: f32, %b: f32, %c: f32) {\n";
  EXPECT_EQ(diff(head + "%0 = " + first + "\n%1 = " + second + "\nreturn }",
                 head + "%0 = " + second + "\n%1 = " + first + "\nreturn }"),
            "");
}

TEST_F(DiffTest, AMergedDuplicateIsOneRemovedOp) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %0 = math.exp %a : f32
                      %1 = math.exp %a : f32
                      %2 = arith.addf %0, %1 : f32
                      return %2 : f32 })",
                 R"(func.func @f(%a: f32) -> f32 {
                      %0 = math.exp %a : f32
                      %2 = arith.addf %0, %0 : f32
                      return %2 : f32 })"),
            "removed math.exp\n");
}

TEST_F(DiffTest, AnOpReplacedByAnotherKindIsOneChange) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %0 = math.exp %a : f32
                      %1 = arith.addf %0, %a : f32
                      return %1 : f32 })",
                 R"(func.func @f(%a: f32) -> f32 {
                      %0 = math.tanh %a : f32
                      %1 = arith.addf %0, %a : f32
                      return %1 : f32 })"),
            "changed math.tanh: operation\n");
}

TEST_F(DiffTest, WeightsBehindHandlesAreComparedByTheirBytes) {
  auto program = [](const char *handle, const char *bytes) {
    return std::string("func.func @f() -> tensor<1xf32> {\n  %0 = arith.constant dense_resource<") + handle +
           "> : tensor<1xf32>\n  return %0 : tensor<1xf32> }\n{-# dialect_resources: { builtin: { " + handle +
           ": \"0x04000000" + bytes + "\" } } #-}\n";
  };
  EXPECT_EQ(diff(program("a", "0000803F"), program("b", "0000803F")), "");
  EXPECT_EQ(diff(program("a", "0000803F"), program("a", "00000040")), "changed arith.constant: attribute 'value'\n");
}

TEST_F(DiffTest, OpsWithTheSameIdArePairedWhateverTheyBecame) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %0 = "x.y"(%a) {n = 1} : (f32) -> f32 loc(fused<"mica.op:0123456789ab">["m.py":1:2])
                      %1 = "x.y"(%a) {n = 2} : (f32) -> f32 loc(fused<"mica.op:ba9876543210">["m.py":2:2])
                      "x.z"(%1, %0) : (f32, f32) -> ()
                      return %0 : f32 })",
                 R"(func.func @f(%a: f32) -> f32 {
                      %1 = "x.y"(%a) {n = 4} : (f32) -> f32 loc(fused<"mica.op:ba9876543210">["m.py":2:2])
                      "x.z"(%1, %1) : (f32, f32) -> ()
                      return %1 : f32 })"),
            "removed x.y\nchanged x.y: attribute 'n'\nchanged x.z: operand 1\nchanged func.return: operand 0\n");
}

TEST_F(DiffTest, WhatDoesNotParseHasTheReason) {
  Document document = parseDocument("bad.mlir", "func.func @f( {", "", context);
  EXPECT_FALSE(document.root);
  EXPECT_EQ(document.problem.substr(0, 2), "1:");
}
