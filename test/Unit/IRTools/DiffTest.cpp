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

TEST_F(DiffTest, OperandsOfCommutativeOpsMayChangePlaces) {
  auto program = [](const std::string &line) {
    return "func.func @f(%a: f32, %b: f32) -> f32 {\n %0 = math.exp %a : f32\n %1 = math.tanh %b : f32\n" + line +
           "\n return %2 : f32 }";
  };
  for (std::string op : {"arith.mulf", "arith.maximumf", "llvm.fadd"})
    EXPECT_EQ(diff(program("%2 = " + op + " %0, %1 : f32"), program("%2 = " + op + " %1, %0 : f32")), "") << op;
  EXPECT_EQ(diff(program("%2 = arith.subf %0, %1 : f32"), program("%2 = arith.subf %1, %0 : f32")),
            "changed arith.subf: operand 0, operand 1\n");
  // One of the two is another value now, on whichever side it stands.
  EXPECT_EQ(diff(program("%2 = arith.mulf %0, %1 : f32"), program("%2 = arith.mulf %a, %0 : f32")),
            "changed arith.mulf: operand 0\n");
}

TEST_F(DiffTest, ConstantsThatChangePlacesAreTheSame) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %c = arith.constant 0.25 : f32
                      %d = arith.constant 0xFF800000 : f32
                      %0 = arith.subf %a, %c : f32
                      %1 = arith.maxnumf %0, %d : f32
                      return %1 : f32 })",
                 R"(func.func @f(%a: f32) -> f32 {
                      %d = arith.constant 0xFF800000 : f32
                      %c = arith.constant 0.25 : f32
                      %0 = arith.subf %a, %c : f32
                      %1 = arith.maxnumf %d, %0 : f32
                      return %1 : f32 })"),
            "");
}

/// Of constants made of one op, with its id, the value says which is which.
TEST_F(DiffTest, ConstantsOfOneIdArePairedByTheirValues) {
  EXPECT_EQ(diff(R"(func.func @f(%a: f32) -> f32 {
                      %c = arith.constant 0.25 : f32 loc(fused<"mica.op:0123456789ab">["m.py":1:2])
                      %d = arith.constant 0xFF800000 : f32 loc(fused<"mica.op:0123456789ab">["m.py":1:2])
                      %0 = arith.mulf %a, %c : f32
                      %1 = arith.maximumf %0, %d : f32
                      return %1 : f32 })",
                 R"(func.func @f(%a: f32) -> f32 {
                      %d = arith.constant 0xFF800000 : f32 loc(fused<"mica.op:0123456789ab">["m.py":1:2])
                      %c = arith.constant 0.25 : f32 loc(fused<"mica.op:0123456789ab">["m.py":1:2])
                      %0 = arith.addf %a, %c : f32
                      %1 = arith.maximumf %d, %0 : f32
                      return %1 : f32 })"),
            "changed arith.addf: operation\n");
}

TEST_F(DiffTest, AConstantIsTheSameInAnotherBlock) {
  EXPECT_EQ(diff(R"(func.func @f(%p: i1, %a: f32) -> f32 {
                      %c = arith.constant 0.25 : f32
                      %r = scf.if %p -> f32 {
                        %0 = arith.mulf %a, %c : f32
                        scf.yield %0 : f32
                      } else { scf.yield %c : f32 }
                      return %r : f32 })",
                 R"(func.func @f(%p: i1, %a: f32) -> f32 {
                      %c = arith.constant 0.25 : f32
                      %r = scf.if %p -> f32 {
                        %d = arith.constant 0.25 : f32
                        %0 = arith.mulf %a, %d : f32
                        scf.yield %0 : f32
                      } else { scf.yield %c : f32 }
                      return %r : f32 })"),
            "added arith.constant\n");
}

/// Loops on buffers as a network has them once a snapshot: all allocations are alike.
static std::string snapshots(int count, int changed, int reordered = -1) {
  std::string text = "func.func @f(%n: index, %v: f32) -> memref<4xf32> {\n  %c0 = arith.constant 0 : index\n"
                     "  %c1 = arith.constant 1 : index\n  %m0 = memref.alloc() : memref<4xf32>\n";
  for (int i = 0; i < count; ++i) {
    std::string k = std::to_string(i), next = std::to_string(i + 1);
    std::string first = "  %t" + k + " = memref.alloc() : memref<4xf32>\n";
    std::string second = "  %m" + next + " = memref.alloc() : memref<4xf32>\n";
    text += i == reordered ? second + first : first + second;
    for (auto [from, to] : {std::pair("%m" + k, "%t" + k), {"%t" + k, "%m" + next}})
      text += "  scf.for %i = %c0 to %n step %c1 {\n    %x = memref.load " + from +
              "[%i] : memref<4xf32>\n    %y = arith." + (i == changed && to[1] == 't' ? "addf" : "mulf") +
              " %x, %v : f32\n    memref.store %y, " + to + "[%i] : memref<4xf32>\n  }\n";
  }
  return text + "  return %m" + std::to_string(count) + " : memref<4xf32>\n}\n";
}

TEST_F(DiffTest, AllocationsArePairedByTheirUses) {
  for (int changed : {0, 1, 7, 15})
    EXPECT_EQ(diff(snapshots(16, -1), snapshots(16, changed)), "changed arith.addf: operation\n") << changed;
  for (int reordered : {0, 5, 15})
    EXPECT_EQ(diff(snapshots(16, -1), snapshots(16, -1, reordered)), "") << reordered;
  EXPECT_EQ(diff(snapshots(16, -1), snapshots(16, 9, 4)), "changed arith.addf: operation\n");
}

/// Ops of an inner block are the same only if they take the same values from outside.
TEST_F(DiffTest, AnotherValueFromOutsideIsFound) {
  auto program = [](const char *used) {
    return std::string(R"(func.func @f(%p: i1, %a: f32, %b: f32) -> f32 {
                            %r = scf.if %p -> f32 {
                              %0 = arith.negf %a : f32
                              %1 = arith.negf %b : f32
                              %2 = math.exp )") +
           used + R"( : f32
                              %3 = "x.y"(%0, %1, %2) : (f32, f32, f32) -> f32
                              scf.yield %3 : f32
                            } else { scf.yield %a : f32 }
                            return %r : f32 })";
  };
  EXPECT_EQ(diff(program("%0"), program("%1")), "changed math.exp: operand 0\n");
}

TEST_F(DiffTest, ARenamedSymbolIsOneChange) {
  auto program = [](const std::string &name) {
    return "func.func private @" + name + "(%a: f32) -> f32 {\n %0 = math.exp %a : f32\n return %0 : f32 }\n" +
           "func.func @main(%a: f32) -> f32 {\n %0 = func.call @" + name + "(%a) : (f32) -> f32\n %1 = func.call @" +
           name + "(%0) : (f32) -> f32\n return %1 : f32 }";
  };
  EXPECT_EQ(diff(program("before"), program("after")), "changed func.func: attribute 'sym_name'\n");
}

TEST_F(DiffTest, ABlockBetweenOthersIsAdded) {
  auto program = [](const char *inserted, const char *target) {
    return std::string("func.func @f(%a: i32) -> i32 {\n cf.br ") + target + "(%a : i32)\n" + inserted +
           "^one(%x: i32):\n %0 = arith.addi %x, %x : i32\n cf.br ^two(%0 : i32)\n" +
           "^two(%y: i32):\n %1 = arith.muli %y, %y : i32\n return %1 : i32 }";
  };
  EXPECT_EQ(diff(program("", "^one"),
                 program("^new(%z: i32):\n %2 = arith.subi %z, %a : i32\n cf.br ^one(%2 : i32)\n", "^new")),
            "changed func.func: blocks of region 0\nchanged cf.br: successor 0\nadded arith.subi\nadded cf.br\n");
}

TEST_F(DiffTest, EqualChangesAreOneGroup) {
  Document a = parse("before.mlir", snapshots(6, -1));
  std::string text = snapshots(6, -1);
  for (size_t at = text.find("mulf"); at != std::string::npos; at = text.find("mulf", at))
    text.replace(at, 4, "subf");
  Document b = parse("after.mlir", text);
  ModuleDiff diff = diffDocuments(a, b);
  EXPECT_EQ(diff.changes.size(), 12u);
  ASSERT_EQ(diff.groups.size(), 1u);
  EXPECT_EQ(diff.groups[0].changes.size(), 12u);
}

TEST_F(DiffTest, OfLargeConstantsTheElementIsNamed) {
  auto program = [](const char *value) {
    return std::string(
               "func.func @f() -> tensor<3x4xf32> {\n %0 = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, ") +
           value + ", 7.0], [8.0, 9.0, 10.0, 11.0]]> : tensor<3x4xf32>\n return %0 : tensor<3x4xf32> }";
  };
  Document a = parse("before.mlir", program("6.0")), b = parse("after.mlir", program("-6.0"));
  ModuleDiff diff = diffDocuments(a, b);
  ASSERT_EQ(diff.changes.size(), 1u);
  ASSERT_EQ(diff.changes[0].details.size(), 1u);
  EXPECT_EQ(diff.changes[0].details[0].what, "attribute 'value', 1 of 12 elements, the first at [1, 2]");
  EXPECT_EQ(diff.changes[0].details[0].before, "6.000000e+00 : f32");
  EXPECT_EQ(diff.changes[0].details[0].after, "-6.000000e+00 : f32");
}

TEST_F(DiffTest, WhatDoesNotParseHasTheReason) {
  Document document = parseDocument("bad.mlir", "func.func @f( {", "", context);
  EXPECT_FALSE(document.root);
  EXPECT_EQ(document.problem.substr(0, 2), "1:");
}
