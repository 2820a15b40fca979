//===- UndefinedTest.cpp - undefined behavior found by the reference evaluator -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each row of UndefinedRow.h is found, its twin is not, and the page names it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"
#include "UndefinedRow.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

using namespace mica::reference;

namespace {

std::string programOf(const std::string &body) {
  if (body.find("func @f(") != std::string::npos)
    return body;
  // The last line is "return %x : type".
  const size_t type = body.rfind(" : ");
  const bool returns = body.rfind("return %") != std::string::npos;
  return "func.func @f()" + (returns ? " -> (" + body.substr(type + 3) + ")" : std::string()) + " {\n" + body +
         "\n}\nfunc.func private @printI64(i64)\nfunc.func private @printF32(f32)\n";
}

std::vector<Row> allRows() {
  std::vector<Row> rows;
  for (const std::vector<Row> &part : {valueRows(), rangeRows(), memoryRows(), loweredRows()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

class UndefinedTest : public testing::TestWithParam<Row> {};

TEST_P(UndefinedTest, IsFound) {
  Program program(programOf(GetParam().undefined));
  const std::string found = program.undefinedBehavior();
  EXPECT_NE(found.find(GetParam().said), std::string::npos) << found << "\n" << program.errors();
}

TEST_P(UndefinedTest, IsNotFoundInTheTwin) {
  Program program(programOf(GetParam().clean));
  EXPECT_EQ(program.undefinedBehavior(), "") << program.errors();
}

INSTANTIATE_TEST_SUITE_P(Rows, UndefinedTest, testing::ValuesIn(allRows()),
                         [](const testing::TestParamInfo<Row> &info) { return info.param.name; });

/// The names in the last column of the page's tables.
std::set<std::string> namesOnThePage() {
  std::ifstream file(std::string(MICA_TEST_SOURCE_DIR) + "/docs/UndefinedBehavior.md");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 3 || line[0] != '|' || line.back() != '|')
      continue;
    const size_t column = line.rfind('|', line.size() - 2);
    for (size_t begin = line.find('`', column); begin != std::string::npos;) {
      const size_t end = line.find('`', begin + 1);
      names.insert(line.substr(begin + 1, end - begin - 1));
      begin = line.find('`', end + 1);
    }
  }
  return names;
}

TEST(UndefinedPrograms, AreThoseOfThePage) {
  std::set<std::string> names;
  for (const Row &row : allRows())
    EXPECT_TRUE(names.insert(row.name).second) << "two rows have the name " << row.name;
  const std::set<std::string> page = namesOnThePage();
  for (const std::string &name : names)
    EXPECT_TRUE(page.count(name)) << "docs/UndefinedBehavior.md has no row " << name;
  for (const std::string &name : page)
    EXPECT_TRUE(names.count(name)) << "docs/UndefinedBehavior.md names a row " << name << " that is not tested";
}

TEST(UndefinedPrograms, LeaksAreReportedAndAreNone) {
  Program program(R"(func.func @f() -> memref<2xi64> {
  %kept = memref.alloc() : memref<2xi64>
  %freed = memref.alloc() : memref<2xi64>
  %leaked = memref.alloc() : memref<4xi64>
  %v = arith.constant 7 : i64
  linalg.fill ins(%v : i64) outs(%kept : memref<2xi64>)
  memref.dealloc %freed : memref<2xi64>
  return %kept : memref<2xi64>
})");
  EXPECT_EQ(program.undefinedBehavior(), "") << program.errors();
  EXPECT_EQ(program.leaks(), "memref.alloc: 32 bytes are never freed\n");
}

TEST(UndefinedPrograms, MemoryThatALoweredResultReachesIsNoLeak) {
  const std::string text = R"(llvm.func @f() -> !llvm.ptr {
  %n = llvm.mlir.constant(16 : i64) : i64
  %a = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %b = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.store %b, %a : !llvm.ptr, !llvm.ptr
  llvm.return %@@ : !llvm.ptr
}
llvm.func @malloc(i64) -> !llvm.ptr)";
  Program both(twins("", text, "a", "b", "").undefined), inner(twins("", text, "a", "b", "").clean);
  EXPECT_EQ(both.undefinedBehavior(), "") << both.errors();
  EXPECT_EQ(both.leaks(), "");
  EXPECT_EQ(inner.undefinedBehavior(), "") << inner.errors();
  EXPECT_EQ(inner.leaks(), "llvm.call: 16 bytes are never freed\n");
}

/// "%r" has to be `expected`, or unreachable code is reached.
std::string checked(const std::string &body, const std::string &type, const std::string &expected) {
  return "llvm.func @f() {\n" + body + "\n%e = llvm.mlir.constant(" + expected + " : " + type + ") : " + type +
         (type[0] == 'f' ? "\n%c = llvm.fcmp \"oeq\" %r, %e : " : "\n%c = llvm.icmp \"eq\" %r, %e : ") + type +
         "\nllvm.cond_br %c, ^a, ^b\n^a:\nllvm.return\n^b:\nllvm.unreachable\n}";
}

TEST(UndefinedPrograms, LoweredNumbersAreRight) {
  struct Case {
    const char *body, *type, *right, *wrong;
  };
  const Case cases[] = {
      {"%a = llvm.mlir.constant(-7 : i32) : i32\n%b = llvm.mlir.constant(2 : i32) : i32\n"
       "%r = llvm.sdiv %a, %b : i32",
       "i32", "-3", "-4"},
      {"%a = llvm.mlir.constant(-7 : i8) : i8\n%b = llvm.mlir.constant(2 : i8) : i8\n%r = llvm.urem %a, %b : i8", "i8",
       "1", "-1"},
      {"%a = llvm.mlir.constant(-8 : i8) : i8\n%b = llvm.mlir.constant(1 : i8) : i8\n%r = llvm.ashr %a, %b : i8", "i8",
       "-4", "124"},
      {"%a = llvm.mlir.constant(-1 : i8) : i8\n%r = llvm.zext %a : i8 to i32", "i32", "255", "-1"},
      {"%a = llvm.mlir.constant(-1 : i8) : i8\n%r = llvm.sext %a : i8 to i32", "i32", "-1", "255"},
      {"%a = llvm.mlir.constant(-2.5 : f32) : f32\n%r = llvm.fptosi %a : f32 to i32", "i32", "-2", "-3"},
      {"%a = llvm.mlir.constant(1.0 : f32) : f32\n%b = llvm.mlir.constant(3.0 : f32) : f32\n"
       "%r = llvm.fdiv %a, %b : f32",
       "f32", "0.333333343", "0.333333373"},
      {"%a = llvm.mlir.constant(1.0 : f32) : f32\n%r = llvm.bitcast %a : f32 to i32", "i32", "1065353216", "1"},
      {"%a = llvm.mlir.constant(1 : i16) : i16\n%r = \"llvm.intr.ctlz\"(%a) <{is_zero_poison = true}> : (i16) -> i16",
       "i16", "15", "63"},
      {"%a = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi32>) : vector<4xi32>\n"
       "%r = \"llvm.intr.vector.reduce.add\"(%a) : (vector<4xi32>) -> i32",
       "i32", "10", "9"},
      {"%n = llvm.mlir.constant(2 : i64) : i64\n%v = llvm.mlir.constant(258 : i32) : i32\n"
       "%m = llvm.alloca %n x i32 : (i64) -> !llvm.ptr\nllvm.store %v, %m : i32, !llvm.ptr\n"
       "%p = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, i8\n%r = llvm.load %p : !llvm.ptr -> i8",
       "i8", "1", "2"},
  };
  for (const Case &each : cases) {
    Program right(checked(each.body, each.type, each.right)), wrong(checked(each.body, each.type, each.wrong));
    EXPECT_EQ(right.undefinedBehavior(), "") << each.body << right.errors();
    EXPECT_EQ(wrong.undefinedBehavior(), "it is reached") << each.body << wrong.errors();
  }
}

TEST(UndefinedPrograms, NameWhatIsNotTaken) {
  Program program(R"(llvm.func @f() {
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  llvm.call @unknown() : () -> ()
  llvm.return
}
llvm.func @unknown())");
  EXPECT_EQ(program.undefinedBehavior(), "failed");
  EXPECT_NE(program.errors().find("not taken: llvm.inline_asm"), std::string::npos) << program.errors();
  EXPECT_NE(program.errors().find("not taken: a call of 'unknown', which has no body"), std::string::npos);
}

TEST(UndefinedPrograms, ALoweredAssertionThatFailsIsNone) {
  const std::string text = R"(llvm.mlir.global internal constant @text("no\00")
llvm.func @f() {
  %c = llvm.mlir.constant(@@) : i1
  llvm.cond_br %c, ^holds, ^fails
^holds:
  llvm.return
^fails:
  %p = llvm.mlir.addressof @text : !llvm.ptr
  %0 = llvm.call @puts(%p) : (!llvm.ptr) -> i32
  llvm.call @abort() : () -> ()
  llvm.unreachable
}
llvm.func @puts(!llvm.ptr) -> i32
llvm.func @abort())";
  Program fails(twins("", text, "false", "true", "").undefined), holds(twins("", text, "false", "true", "").clean);
  EXPECT_EQ(fails.undefinedBehavior(), "failed");
  EXPECT_NE(fails.errors().find("the program calls abort"), std::string::npos) << fails.errors();
  EXPECT_EQ(holds.undefinedBehavior(), "") << holds.errors();
}

TEST(UndefinedPrograms, EndlessRecursionIsALimit) {
  Program program("llvm.func @f() {\nllvm.call @f() : () -> ()\nllvm.return\n}");
  EXPECT_EQ(program.undefinedBehavior(), "failed");
  EXPECT_NE(program.errors().find("calls nest more than 200 deep"), std::string::npos) << program.errors();
}

/// A loop that nothing promises the end of. It may go round for ever, which is an error and no undefined behavior.
TEST(UndefinedPrograms, EndlessBranchesAreFoundAndAreNone) {
  const std::string lowered = R"(llvm.func @f() {
  llvm.br ^a
^a:
  llvm.br ^b
^b:
  llvm.br ^a
})";
  const std::string branches = R"(func.func @f() {
  %zero = arith.constant 0 : i64
  %m = memref.alloca() : memref<i64>
  memref.store %zero, %m[] : memref<i64>
  cf.br ^head
^head:
  %i = memref.load %m[] : memref<i64>
  %c = arith.cmpi eq, %i, %zero : i64
  cf.cond_br %c, ^head, ^out
^out:
  return
})";
  Program first(lowered), second(branches);
  for (Program *each : {&first, &second}) {
    EXPECT_EQ(each->undefinedBehavior(), "failed");
    EXPECT_NE(each->errors().find("the loop does not end: it comes back to the same values after 1 turn"),
              std::string::npos)
        << each->errors();
  }
}

/// Loops whose state changes at every turn: of a number of 64 bits, of memory, of what is printed.
TEST(UndefinedPrograms, LoopsWithoutACycleEndAtALimit) {
  const std::string counts = R"(llvm.func @f() {
  %z = llvm.mlir.constant(0 : i64) : i64
  %o = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^a(%z : i64)
^a(%i: i64):
  %n = llvm.add %i, %o : i64
  llvm.br ^a(%n : i64)
})";
  const std::string allocates = R"(func.func @f() {
  cf.br ^head
^head:
  %m = memref.alloca() : memref<i64>
  cf.br ^head
})";
  const std::string carries = R"(func.func @f() {
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %r = scf.while (%i = %z) : (i64) -> i64 {
    %c = arith.constant true
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %n = arith.addi %i, %o : i64
    scf.yield %n : i64
  }
  return
})";
  for (const std::string &text : {counts, allocates, carries}) {
    Program program(text);
    program.maxTurns = 1000;
    EXPECT_EQ(program.undefinedBehavior(), "failed");
    EXPECT_NE(program.errors().find("the loops of the program turn more than 1000 times"), std::string::npos)
        << program.errors();
  }
}

TEST(UndefinedPrograms, AFailedAssertionIsNone) {
  Program program("func.func @f() {\n%c = arith.constant false\ncf.assert %c, \"no\"\nreturn\n}");
  EXPECT_EQ(program.undefinedBehavior(), "failed");
}

TEST(UndefinedPrograms, RoundingAndOverflowAreNone) {
  Program program(R"(func.func @f() -> (f32, i1) {
  %a = arith.constant 3.0e38 : f32
  %t = arith.constant 0.1 : f32
  %b = arith.addf %a, %a : f32
  %c = arith.mulf %t, %t : f32
  %d = arith.cmpf ogt, %c, %t : f32
  return %b, %d : f32, i1
})");
  EXPECT_EQ(program.undefinedBehavior(), "") << program.errors();
}

} // namespace
