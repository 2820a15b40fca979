//===- ControlFlowTest.cpp - func, scf and cf in the reference evaluator ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loops, branches, calls, the callback.
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

TEST(ControlFlowTest, ForCarriesValues) {
  Program program(R"(
    func.func @f(%n: index) -> (i32, tensor<4xi32>) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      %t0 = arith.constant dense<0> : tensor<4xi32>
      %sum, %t = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zero, %tt = %t0) -> (i32, tensor<4xi32>) {
        %x = arith.index_cast %i : index to i32
        %next = arith.addi %acc, %x : i32
        %tn = tensor.insert %next into %tt[%i] : tensor<4xi32>
        scf.yield %next, %tn : i32, tensor<4xi32>
      }
      return %sum, %t : i32, tensor<4xi32>
    })");
  std::vector<HostTensor> results = program.run({tensor("index", {4})});
  ASSERT_EQ(results.size(), 2u) << program.errors();
  EXPECT_EQ(results[0].asInt(0), 2);
  EXPECT_EQ(elements(results[1]), (Numbers{0, 0, 2, 0}));
  // No iteration: the initial values.
  EXPECT_EQ(elements(program.run({tensor("index", {0})})[1]), (Numbers{0, 0, 0, 0}));
}

TEST(ControlFlowTest, ForEndsWhereItsTypeEnds) {
  Program program(R"(
    func.func @f(%from: i8) -> i32 {
      %to = arith.constant 127 : i8
      %step = arith.constant 100 : i8
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %count = scf.for %i = %from to %to step %step iter_args(%n = %zero) -> (i32) : i8 {
        %next = arith.addi %n, %one : i32
        scf.yield %next : i32
      }
      return %count : i32
    })");
  EXPECT_EQ(program.numbers({tensor("i8", {0})}), (Numbers{2})); // 0, 100; 200 is no i8.
}

TEST(ControlFlowTest, WhileRunsUntilItsConditionFails) {
  Program program(R"(
    func.func @f(%n: i32) -> i32 {
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %hundred = arith.constant 100 : i32
      %r = scf.while (%x = %one) : (i32) -> i32 {
        %c = arith.cmpi slt, %x, %n : i32
        scf.condition(%c) %x : i32
      } do {
      ^bb0(%x: i32):
        %y = arith.muli %x, %two : i32
        scf.yield %y : i32
      }
      return %r : i32
    })");
  EXPECT_EQ(program.numbers({tensor("i32", {100})}), (Numbers{128}));
}

TEST(ControlFlowTest, IfSwitchAndExecuteRegion) {
  Program program(R"(
    func.func @f(%c: i1, %k: index) -> (i32, i32, i32) {
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %0 = scf.if %c -> i32 { scf.yield %one : i32 } else { scf.yield %two : i32 }
      %1 = scf.index_switch %k -> i32
      case 3 { scf.yield %one : i32 }
      default { scf.yield %two : i32 }
      %2 = scf.execute_region -> i32 { scf.yield %two : i32 }
      return %0, %1, %2 : i32, i32, i32
    })");
  std::vector<HostTensor> results = program.run({tensor("i1", {0}), tensor("index", {3})});
  ASSERT_EQ(results.size(), 3u) << program.errors();
  EXPECT_EQ(results[0].asInt(0), 2);
  EXPECT_EQ(results[1].asInt(0), 1);
  EXPECT_EQ(results[2].asInt(0), 2);
}

TEST(ControlFlowTest, BranchesAndCalls) {
  Program program(R"(
    func.func @f(%n: i32) -> i32 {
      %one = arith.constant 1 : i32
      cf.br ^loop(%n, %one : i32, i32)
    ^loop(%i: i32, %product: i32):
      %done = arith.cmpi sle, %i, %one : i32
      cf.cond_br %done, ^end, ^body
    ^body:
      %next = func.call @times(%product, %i) : (i32, i32) -> i32
      %less = arith.subi %i, %one : i32
      cf.br ^loop(%less, %next : i32, i32)
    ^end:
      return %product : i32
    }
    func.func private @times(%a: i32, %b: i32) -> i32 {
      %0 = arith.muli %a, %b : i32
      return %0 : i32
    })");
  EXPECT_EQ(program.numbers({tensor("i32", {5})}), (Numbers{120}));
}

TEST(ControlFlowTest, EachOpIsReported) {
  Program program(R"(
    func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %a) -> tensor<2xf32> {
        %s = arith.addf %t, %t : tensor<2xf32>
        scf.yield %s : tensor<2xf32>
      }
      return %0 : tensor<2xf32>
    })");
  std::string seen;
  EvalOptions options;
  options.onOp = [&](mlir::Operation *op, llvm::ArrayRef<HostTensor> results) {
    seen += op->getName().getStringRef().str() + "=" + std::to_string(int(results[0].asDouble(1))) + " ";
    return llvm::success();
  };
  EXPECT_EQ(program.run({tensor("2xf32", {1, 3})}, options).size(), 1u);
  EXPECT_EQ(seen, "arith.addf=6 arith.addf=12 scf.for=12 ");
}

} // namespace
