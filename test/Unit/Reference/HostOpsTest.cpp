//===- HostOpsTest.cpp - async, llvm and odd types in the reference evaluator --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a program runs in its host functions: tasks, calls of function values, ops of the llvm dialect with their
// memory, bytes as other types, buffers of vectors and of buffers, integers of any width.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::reference;
using Numbers = std::vector<double>;

namespace {

/// The elements of result `index`.
Numbers resultOf(Program &program, const std::vector<HostTensor> &args, size_t index) {
  const std::vector<HostTensor> results = program.run(args);
  return index < results.size() ? elements(results[index]) : Numbers{};
}

TEST(HostOpsTest, TasksGiveValuesAndWrite) {
  Program program(R"(
    func.func @f() -> (memref<2xi32>, index) {
      %b = memref.alloc() : memref<2xi32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %x = arith.constant 4 : i32
      %token, %v = async.execute -> !async.value<i32> {
        memref.store %x, %b[%c0] : memref<2xi32>
        async.yield %x : i32
      }
      %g = async.create_group %c2 : !async.group
      %first = async.add_to_group %token, %g : !async.token
      %t2, %w = async.execute [%token] (%v as %u: !async.value<i32>) -> !async.value<i32> {
        %s = async.call @later(%u) : (i32) -> !async.value<i32>
        %r = async.await %s : !async.value<i32>
        async.yield %r : i32
      }
      %second = async.add_to_group %t2, %g : !async.token
      async.await_all %g
      %z = async.await %w : !async.value<i32>
      memref.store %z, %b[%c1] : memref<2xi32>
      return %b, %second : memref<2xi32>, index
    }
    async.func @later(%x: i32) -> !async.value<i32> {
      %y = arith.addi %x, %x : i32
      return %y : i32
    })");
  EXPECT_EQ(resultOf(program, {}, 0), (Numbers{4, 8})) << program.errors();
  EXPECT_EQ(resultOf(program, {}, 1), (Numbers{1})) << program.errors();
}

TEST(HostOpsTest, AFunctionIsAValue) {
  Program program(R"(
    func.func @f(%c: i1) -> i32 {
      %add = func.constant @add : (i32) -> i32
      %mul = func.constant @mul : (i32) -> i32
      %fn = scf.if %c -> ((i32) -> i32) {
        scf.yield %add : (i32) -> i32
      } else {
        scf.yield %mul : (i32) -> i32
      }
      %x = arith.constant 5 : i32
      %r = func.call_indirect %fn(%x) : (i32) -> i32
      return %r : i32
    }
    func.func private @add(%a: i32) -> i32 {
      %r = arith.addi %a, %a : i32
      return %r : i32
    }
    func.func private @mul(%a: i32) -> i32 {
      %r = arith.muli %a, %a : i32
      return %r : i32
    })");
  EXPECT_EQ(program.numbers({tensor("i1", {1})}), (Numbers{10})) << program.errors();
  EXPECT_EQ(program.numbers({tensor("i1", {0})}), (Numbers{25})) << program.errors();
}

TEST(HostOpsTest, OpsOfLLVMHaveMemoryAndStructs) {
  Program program(R"(
    func.func @f(%x: i8) -> (i32, i8, i1) {
      %p = llvm.mlir.addressof @state : !llvm.ptr
      %next = llvm.mlir.addressof @next : !llvm.ptr
      %a = llvm.call @next(%p) : (!llvm.ptr) -> i32
      %b = llvm.call %next(%p) : !llvm.ptr, (!llvm.ptr) -> i32
      %s = "llvm.intr.sadd.with.overflow"(%x, %x) : (i8, i8) -> !llvm.struct<(i8, i1)>
      %sum = llvm.extractvalue %s[0] : !llvm.struct<(i8, i1)>
      %over = llvm.extractvalue %s[1] : !llvm.struct<(i8, i1)>
      return %b, %sum, %over : i32, i8, i1
    }
    llvm.mlir.global internal @state(5 : i32) : i32
    llvm.func @next(%p: !llvm.ptr) -> i32 {
      %one = llvm.mlir.constant(1 : i32) : i32
      %v = llvm.load %p : !llvm.ptr -> i32
      %w = llvm.add %v, %one : i32
      llvm.store %w, %p : i32, !llvm.ptr
      llvm.return %w : i32
    })");
  EXPECT_EQ(resultOf(program, {tensor("i8", {100})}, 0), (Numbers{7})) << program.errors();
  EXPECT_EQ(resultOf(program, {tensor("i8", {100})}, 1), (Numbers{-56})) << program.errors();
  EXPECT_EQ(resultOf(program, {tensor("i8", {100})}, 2), (Numbers{1})) << program.errors();
}

TEST(HostOpsTest, AnAddressShowsTheBuffer) {
  Program program(R"(
    func.func @f(%b: memref<4xf32>) -> f32 {
      %p = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
      %i = arith.index_cast %p : index to i64
      %q = llvm.inttoptr %i : i64 to !llvm.ptr
      %second = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, f32
      %x = llvm.load %second : !llvm.ptr -> f32
      llvm.store %x, %q : f32, !llvm.ptr
      %c0 = arith.constant 0 : index
      %y = memref.load %b[%c0] : memref<4xf32>
      return %y : f32
    }
)");
  EXPECT_EQ(program.numbers({tensor("4xf32", {1, 2, 3, 4})}), (Numbers{2})) << program.errors();
}

TEST(HostOpsTest, BytesAreElementsOfAnotherType) {
  Program program(R"(
    func.func @f() -> (i32, memref<2x2xf32, strided<[3, 1], offset: 1>>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %b = memref.alloc() : memref<40xi8>
      %v = memref.view %b[%c4][] : memref<40xi8> to memref<2x3xf32>
      %w = memref.view %b[%c4][] : memref<40xi8> to memref<6xi32>
      %one = arith.constant 1.0 : f32
      memref.store %one, %v[%c1, %c1] : memref<2x3xf32>
      %s = memref.subview %v[0, 1] [2, 2] [1, 1] : memref<2x3xf32> to memref<2x2xf32, strided<[3, 1], offset: 1>>
      %i = memref.load %w[%c4] : memref<6xi32>
      return %i, %s : i32, memref<2x2xf32, strided<[3, 1], offset: 1>>
    }
)");
  EXPECT_EQ(resultOf(program, {}, 0), (Numbers{0x3f800000})) << program.errors();
  EXPECT_EQ(resultOf(program, {}, 1), (Numbers{0, 0, 1, 0})) << program.errors();
}

TEST(HostOpsTest, AViewBeyondItsBytesIsAnError) {
  Program program(R"(
    func.func @f(%at: index) -> memref<2xf32> {
      %b = memref.alloc() : memref<8xi8>
      %v = memref.view %b[%at][] : memref<8xi8> to memref<2xf32>
      return %v : memref<2xf32>
    }
)");
  EXPECT_EQ(resultOf(program, {tensor("index", {0})}, 0), (Numbers{0, 0})) << program.errors();
  EXPECT_EQ(resultOf(program, {tensor("index", {1})}, 0), Numbers{});
  EXPECT_NE(program.errors().find("leaves its 8 bytes"), std::string::npos) << program.errors();
}

TEST(HostOpsTest, BuffersHoldVectorsAndBuffers) {
  Program program(R"(
    func.func @f() -> (vector<2xf32>, memref<2xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
      %b = memref.alloc() : memref<3xvector<2xf32>>
      memref.store %v, %b[%c1] : memref<3xvector<2xf32>>
      %x = memref.load %b[%c1] : memref<3xvector<2xf32>>
      %inner = memref.alloc() : memref<2xf32>
      %outer = memref.alloc() : memref<1xmemref<2xf32>>
      memref.store %inner, %outer[%c0] : memref<1xmemref<2xf32>>
      %same = memref.load %outer[%c0] : memref<1xmemref<2xf32>>
      %cst = arith.constant 7.0 : f32
      memref.store %cst, %same[%c1] : memref<2xf32>
      return %x, %inner : vector<2xf32>, memref<2xf32>
    }
)");
  EXPECT_EQ(resultOf(program, {}, 0), (Numbers{1, 2})) << program.errors();
  EXPECT_EQ(resultOf(program, {}, 1), (Numbers{0, 7})) << program.errors();
}

TEST(HostOpsTest, IntegersWrapAtTheirOwnWidth) {
  Program program(R"(
    func.func @f(%a: i64) -> (i64, i64) {
      %x = arith.trunci %a : i64 to i7
      %y = arith.muli %x, %x : i7
      %s = arith.extsi %y : i7 to i64
      %u = arith.extui %y : i7 to i64
      return %s, %u : i64, i64
    }
)");
  EXPECT_EQ(resultOf(program, {tensor("i64", {9})}, 0), (Numbers{81 - 128})) << program.errors();
  EXPECT_EQ(resultOf(program, {tensor("i64", {9})}, 1), (Numbers{81})) << program.errors();
}

TEST(HostOpsTest, WhatLLVMLeavesUndefinedIsFound) {
  Program program(R"(
    func.func @f(%x: i32) -> i32 {
      %big = llvm.mlir.constant(2147483647 : i32) : i32
      %r = llvm.add %x, %big overflow<nsw> : i32
      %s = llvm.add %r, %x : i32
      return %s : i32
    }
)");
  EXPECT_EQ(program.undefinedBehavior({tensor("i32", {0})}), "") << program.errors();
  EXPECT_EQ(program.undefinedBehavior({tensor("i32", {1})}),
            "llvm.add: signed overflow (nsw): 1 + 2147483647 in 32 bits -> func.func: result 0");
}

} // namespace
