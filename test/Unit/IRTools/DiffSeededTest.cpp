//===- DiffSeededTest.cpp - random programs, one change each ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Programs of pure ops with fan-out, loops and several functions, from a seed. Renamed values, shuffled independent ops
// and moved functions are the same program; one planted change is the only one reported.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "test/Unit/IRTools/DiffFixture.h"

#include <random>
#include <set>

using namespace mica::irtools;

namespace {

struct Op {
  enum Kind { Constant, Unary, Binary, Convert, Loop } kind = Constant;
  std::string name;
  std::vector<int> operands; ///< earlier ops; -1 the argument
  int value = 0;             ///< of a constant; of Convert the width of the integer type
  bool isFast = false;       ///< carries a fastmath attribute
};

using Function = std::vector<Op>;
using Program = std::vector<Function>;

Program makeProgram(std::mt19937 &random, int functions, int size) {
  static const char *const unary[] = {"math.exp", "math.tanh", "math.absf", "arith.negf"};
  static const char *const binary[] = {"arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"};
  Program program;
  for (int f = 0; f < functions; ++f) {
    Function function;
    // Equal ops on equal operands would be equal values: a changed operand could be no change.
    std::set<std::pair<std::string, std::vector<int>>> known;
    while (static_cast<int>(function.size()) < size) {
      Op op;
      int count = static_cast<int>(function.size());
      auto any = [&] { return static_cast<int>(random() % (count + 1)) - 1; };
      switch (random() % 8) {
      case 0:
        op.kind = Op::Constant;
        op.value = static_cast<int>(random() % 100000);
        op.name = "arith.constant" + std::to_string(op.value);
        break;
      case 1:
        op.kind = Op::Convert;
        op.value = 32;
        op.operands = {any()};
        op.name = "builtin.unrealized_conversion_cast";
        break;
      case 2:
        op.kind = Op::Loop;
        op.operands = {any(), any()};
        op.name = "scf.for";
        break;
      case 3:
      case 4:
        op.kind = Op::Unary;
        op.name = unary[random() % 4];
        op.operands = {any()};
        break;
      default:
        op.kind = Op::Binary;
        op.name = binary[random() % 4];
        op.operands = {any(), any()};
      }
      if (known.insert({op.name, op.operands}).second)
        function.push_back(op);
    }
    program.push_back(std::move(function));
  }
  return program;
}

/// The ops of `function` in a random order that keeps operands before their users.
std::vector<int> shuffled(const Function &function, std::mt19937 &random) {
  std::vector<int> missing(function.size(), 0), ready, order;
  std::vector<std::vector<int>> users(function.size());
  for (int i = 0; i < static_cast<int>(function.size()); ++i) {
    for (int operand : function[i].operands)
      if (operand >= 0) {
        ++missing[i];
        users[operand].push_back(i);
      }
    if (!missing[i])
      ready.push_back(i);
  }
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    int next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (int user : users[next])
      if (!--missing[user])
        ready.push_back(user);
  }
  return order;
}

std::string print(const Function &function, const std::vector<int> &order, const std::string &prefix, int number) {
  auto value = [&](int i) { return i < 0 ? std::string("%a") : "%" + prefix + std::to_string(i); };
  std::string text = "func.func @f" + std::to_string(number) + "(%a: f32, %n: index) -> f32 {\n";
  for (int i : order) {
    const Op &op = function[i];
    std::string self = value(i), fast = op.isFast ? " fastmath<fast>" : "";
    switch (op.kind) {
    case Op::Constant:
      text += "  " + self + " = arith.constant " + std::to_string(op.value) + ".0 : f32\n";
      break;
    case Op::Unary:
      text += "  " + self + " = " + op.name + " " + value(op.operands[0]) + fast + " : f32\n";
      break;
    case Op::Binary:
      text += "  " + self + " = " + op.name + " " + value(op.operands[0]) + ", " + value(op.operands[1]) + fast +
              " : f32\n";
      break;
    case Op::Convert:
      text += "  " + self + "i = builtin.unrealized_conversion_cast " + value(op.operands[0]) + " : f32 to i" +
              std::to_string(op.value) + "\n  " + self + " = builtin.unrealized_conversion_cast " + self + "i : i" +
              std::to_string(op.value) + " to f32\n";
      break;
    case Op::Loop:
      text += "  " + self + " = scf.for %i = %n to %n step %n iter_args(%x = " + value(op.operands[0]) +
              ") -> (f32) {\n    %y = arith.mulf %x, " + value(op.operands[1]) +
              " : f32\n    scf.yield %y : f32\n  }\n";
      break;
    }
  }
  return text + "  return " + value(static_cast<int>(function.size()) - 1) + " : f32\n}\n";
}

std::vector<int> inOrder(const Function &function) {
  std::vector<int> order(function.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  return order;
}

std::string print(const Program &program) {
  std::string text;
  for (size_t f = 0; f < program.size(); ++f)
    text += print(program[f], inOrder(program[f]), "v", static_cast<int>(f));
  return text;
}

/// The same program in other words.
std::string printOtherwise(const Program &program, std::mt19937 &random) {
  std::string text;
  for (size_t f = program.size(); f-- > 0;)
    text += print(program[f], shuffled(program[f], random), "other", static_cast<int>(f));
  return text;
}

/// A random op of one of `kinds`.
Op *pick(Program &program, std::mt19937 &random, std::set<Op::Kind> kinds, int &function, int &position) {
  for (int tries = 0; tries < 10000; ++tries) {
    function = static_cast<int>(random() % program.size());
    position = static_cast<int>(random() % program[function].size());
    Op &op = program[function][position];
    if (kinds.count(op.kind))
      return &op;
  }
  return nullptr;
}

constexpr int kSeeds = 50;

} // namespace

TEST_F(DiffTest, SeededProgramsInOtherWordsAreTheSame) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40);
    EXPECT_EQ(diff(print(program), printOtherwise(program, random)), "") << "seed " << seed;
  }
}

TEST_F(DiffTest, SeededOneChangedConstantIsFoundAlone) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40), changed = program;
    int f, i;
    pick(changed, random, {Op::Constant}, f, i)->value += 100000;
    EXPECT_EQ(diff(print(program), printOtherwise(changed, random)), "changed arith.constant: attribute 'value'\n")
        << "seed " << seed;
  }
}

TEST_F(DiffTest, SeededOneChangedAttributeIsFoundAlone) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40), changed = program;
    int f, i;
    Op *op = pick(changed, random, {Op::Unary, Op::Binary}, f, i);
    op->isFast = true;
    EXPECT_EQ(diff(print(program), printOtherwise(changed, random)), "changed " + op->name + ": attribute 'fastmath'\n")
        << "seed " << seed;
  }
}

TEST_F(DiffTest, SeededOneChangedOperandIsFoundAlone) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40), changed = program;
    int f, i;
    Op *op = nullptr;
    do
      op = pick(changed, random, {Op::Unary, Op::Binary}, f, i);
    while (i == 0);
    size_t which = random() % op->operands.size();
    int old = op->operands[which];
    while (op->operands[which] == old)
      op->operands[which] = static_cast<int>(random() % (i + 1)) - 1;
    EXPECT_EQ(diff(print(program), printOtherwise(changed, random)),
              "changed " + op->name + ": operand " + std::to_string(which) + "\n")
        << "seed " << seed;
  }
}

TEST_F(DiffTest, SeededOneChangedTypeIsFoundAlone) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40), changed = program;
    int f, i;
    pick(changed, random, {Op::Convert}, f, i)->value = 64;
    EXPECT_EQ(diff(print(program), printOtherwise(changed, random)),
              "changed builtin.unrealized_conversion_cast: type of result 0\n")
        << "seed " << seed;
  }
}

TEST_F(DiffTest, SeededOneDroppedOpIsFoundAlone) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::mt19937 random(seed);
    Program program = makeProgram(random, 3, 40);
    int f, i;
    Op *op = pick(program, random, {Op::Unary, Op::Binary}, f, i);
    std::string name = op->name;
    // Its users take its first operand; the returned value stays.
    Program changed = program;
    Function &function = changed[f];
    int instead = function[i].operands[0];
    if (i + 1 == static_cast<int>(function.size()))
      continue;
    for (Op &user : function)
      for (int &operand : user.operands)
        operand = operand == i ? instead : operand > i ? operand - 1 : operand;
    function.erase(function.begin() + i);
    EXPECT_EQ(diff(print(program), printOtherwise(changed, random)), "removed " + name + "\n") << "seed " << seed;
  }
}

/// Beyond every window and bound of the search.
TEST_F(DiffTest, LargeProgramsAreComparedAsSmallOnes) {
  std::mt19937 random(1);
  Program program = makeProgram(random, 4, 3000), changed = program;
  int f, i;
  pick(changed, random, {Op::Constant}, f, i)->value += 100000;
  EXPECT_EQ(diff(print(program), printOtherwise(program, random)), "");
  EXPECT_EQ(diff(print(program), printOtherwise(changed, random)), "changed arith.constant: attribute 'value'\n");
}
