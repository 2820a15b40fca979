//===- NestingTest.cpp - texts and bytecode that are nested too deep --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Nesting.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mica {
namespace {

std::string refusal(const std::string &text) {
  const Status status = checkNesting(text, "m.mlir");
  return status ? "" : status.error().message;
}

/// "#a1 = [#a0]" and so on.
std::string aliases(int count) {
  std::string text = "#a0 = [1]\n";
  for (int i = 1; i < count; ++i)
    text += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  return text;
}

TEST(NestingTest, AliasesCountWithWhatTheyStandFor) {
  EXPECT_EQ(refusal(aliases(2000)), "");
  EXPECT_EQ(refusal(aliases(2001)), "m.mlir:2001:17: brackets are nested more than 2000 deep");
  EXPECT_EQ(refusal(aliases(1999) + "func.func private @f() attributes {x = #a1998}\n"), "");
  EXPECT_NE(refusal(aliases(1999) + "func.func private @f() attributes {x = [#a1998]}\n"), "");
  // One after another is not one inside of another.
  std::string flat = "!t = tuple<i32>\n";
  for (int i = 0; i < 5000; ++i)
    flat += "func.func private @f" + std::to_string(i) + "(!t)\n";
  EXPECT_EQ(refusal(flat), "");
}

TEST(NestingTest, OperatorsOfAnExpressionAreCounted) {
  auto map = [](int operators) {
    std::string text = "affine_map<(d0) -> (d0";
    for (int i = 0; i < operators; ++i)
      text += i % 2 ? " + d0" : " mod 7";
    return text + ")>";
  };
  EXPECT_EQ(refusal(map(2000)), "");
  EXPECT_NE(refusal(map(2001)).find("an expression has more than 2000 operators"), std::string::npos);
  std::string numbers = "dense<[", body = "{";
  for (int i = 0; i < 5000; ++i) {
    numbers += "-1.0e+05, ";
    body += "%c" + std::to_string(i) + " = arith.constant -1.0e+05 : f32\n";
  }
  EXPECT_EQ(refusal(numbers + "0.0]>"), "");
  EXPECT_EQ(refusal(body + "}"), "");
}

TEST(NestingTest, AComparisonOpensNothing) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "affine_set<(d0) : (d0 - 1 >= 0)> a <b (c) ";
  EXPECT_EQ(refusal(text), "");
}

TEST(NestingTest, ArraysOfIndexAreRefused) {
  EXPECT_EQ(refusal("func.func private @f() attributes {a = array<index: 1>}"), "m.mlir:1:45: an array<...> of index");
  EXPECT_EQ(refusal("!i = index\n!j = !i\nfunc.func private @f() attributes {\n  a = array< !j>}"),
            "m.mlir:4:12: an array<...> of index");
  EXPECT_EQ(refusal("!i = index\nfunc.func private @f(memref<4x!i>, !my.array<index>) attributes {a = array<i64: 1>, "
                    "b = \"array<index: 1>\"}"),
            "");
}

/// MLIR bytecode of version 6, as far as nesting is concerned.
class Bytes {
public:
  Bytes &byte(unsigned value) {
    bytes += static_cast<char>(value);
    return *this;
  }
  Bytes &number(uint64_t value) {
    if (value < 128)
      return byte(static_cast<unsigned>(value << 1 | 1));
    bytes += '\0';
    for (int i = 0; i < 8; ++i)
      byte(value >> (8 * i) & 0xff);
    return *this;
  }
  Bytes &text(const std::string &value) {
    bytes += value;
    return *this;
  }
  Bytes &section(unsigned id, const Bytes &contents) {
    return byte(id).number(contents.bytes.size()).text(contents.bytes);
  }
  std::string bytes;
};

struct Entry {
  bool isCustom;
  std::string contents;
};

std::string bytecode(const std::vector<Entry> &attributes, const Bytes &operations,
                     const std::string &dialect = "builtin") {
  Bytes strings, dialects, data, offsets, file;
  strings.number(1).number(dialect.size() + 1).text(dialect).byte(0);
  dialects.number(1).number(0 << 1).number(0);
  offsets.number(attributes.size()).number(0).number(0).number(attributes.size());
  for (const Entry &entry : attributes) {
    offsets.number(entry.contents.size() << 1 | entry.isCustom);
    data.text(entry.contents);
  }
  file.text("ML\xefR").number(6).text(std::string("test\0", 5));
  file.section(0, strings).section(1, dialects).section(2, data).section(3, offsets).section(4, operations);
  return file.bytes;
}

Bytes noOperations() { return Bytes().number(0); }

/// Array attributes (kind 0), each of the next one.
std::string arrays(uint64_t count) {
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < count; ++i)
    entries.push_back(
        {true, i + 1 < count ? Bytes().number(0).number(1).number(i + 1).bytes : Bytes().number(0).number(0).bytes});
  return bytecode(entries, noOperations());
}

/// Operations of one region, of one block, of the next one; every other one isolated, and so in a section.
Bytes regions(int count) {
  Bytes inner = Bytes().number(0).byte(0).number(0);
  for (int i = 0; i < count; ++i) {
    Bytes body = Bytes().number(1).number(0).number(1 << 1).text(inner.bytes);
    const bool isIsolated = i % 2;
    Bytes outer = Bytes().number(0).byte(0x10).number(0).number(1 << 1 | isIsolated);
    if (isIsolated)
      outer.section(4, body);
    else
      outer.text(body.bytes);
    inner = outer;
  }
  return Bytes().number(1 << 1).text(inner.bytes);
}

TEST(NestingTest, BytecodeOfDeepAttributesIsRefused) {
  EXPECT_EQ(refusal(arrays(2000)), "");
  EXPECT_EQ(refusal(arrays(2001)), "m.mlir: attribute 0 is nested more than 2000 deep");
  EXPECT_EQ(refusal(arrays(300000)).substr(0, 17), "m.mlir: attribute");
  const std::string text = std::string(2001, '[') + std::string(2001, ']') + '\0';
  EXPECT_EQ(refusal(bytecode({{false, text}}, noOperations())), "m.mlir: attribute 0 is nested more than 2000 deep");
}

TEST(NestingTest, AnAttributeThatContainsItselfIsRefused) {
  const std::string other = Bytes().number(0).number(1).number(1).bytes,
                    first = Bytes().number(0).number(1).number(0).bytes;
  EXPECT_EQ(refusal(bytecode({{true, other}, {true, first}}, noOperations())), "m.mlir: attribute 0 contains itself");
}

TEST(NestingTest, BytecodeOfDeepRegionsIsRefused) {
  EXPECT_EQ(refusal(bytecode({}, regions(1999))), "");
  EXPECT_EQ(refusal(bytecode({}, regions(2001))), "m.mlir: operations are nested more than 2000 deep");
}

TEST(NestingTest, AttributesOfVHLOCountToo) {
  // Arrays have the number 1 there.
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < 2001; ++i)
    entries.push_back(
        {true, i < 2000 ? Bytes().number(1).number(1).number(i + 1).bytes : Bytes().number(1).number(0).bytes});
  EXPECT_EQ(refusal(bytecode(entries, noOperations(), "vhlo")), "m.mlir: attribute 0 is nested more than 2000 deep");
  EXPECT_EQ(refusal(bytecode(entries, noOperations(), "other")), "");
}

TEST(NestingTest, BytecodeThatIsCutOffIsRefusedAsDamagedOrLeftToTheReader) {
  const std::string whole = bytecode({{true, Bytes().number(0).number(0).bytes}}, regions(20));
  int refused = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string found = refusal(whole.substr(0, size));
    refused += !found.empty();
    EXPECT_TRUE(found.empty() || found.starts_with("m.mlir: the bytecode is damaged: ")) << size << found;
  }
  EXPECT_GT(refused, 0);
}

TEST(NestingTest, CountsThatTheFileHasNoRoomForAreRefused) {
  // One attribute, of a dialect that states three.
  const auto file = [](uint64_t all, uint64_t ofDialect) {
    Bytes strings, dialects, data, offsets, file;
    strings.number(1).number(8).text(std::string("builtin\0", 8));
    dialects.number(1).number(0 << 1).number(0);
    offsets.number(all).number(0).number(0).number(ofDialect);
    for (uint64_t i = 0; i < 3; ++i) {
      offsets.number(2 << 1 | 1);
      data.text(Bytes().number(0).number(0).bytes);
    }
    file.text("ML\xefR").number(6).text(std::string("test\0", 5));
    file.section(0, strings).section(1, dialects).section(2, data).section(3, offsets).section(4, noOperations());
    return file.bytes;
  };
  EXPECT_EQ(refusal(file(3, 3)), "");
  EXPECT_EQ(refusal(file(1, 3)),
            "m.mlir: the bytecode is damaged: a dialect has more attributes or types than all have together");
  EXPECT_EQ(refusal(file(uint64_t(1) << 40, 3)),
            "m.mlir: the bytecode is damaged: the list of attributes and types ends too early");
  // 2^40 strings, and names of operations.
  const auto names = [](uint64_t strings, uint64_t operations) {
    Bytes whole;
    whole.text("ML\xefR").number(6).text(std::string("test\0", 5)).section(0, Bytes().number(strings));
    whole.section(1, Bytes().number(0).number(operations)).section(3, Bytes().number(0).number(0));
    return whole.section(4, noOperations()).bytes;
  };
  EXPECT_EQ(refusal(names(0, 0)), "");
  EXPECT_EQ(refusal(names(uint64_t(1) << 40, 0)),
            "m.mlir: the bytecode is damaged: the list of strings ends too early");
  EXPECT_EQ(refusal(names(0, uint64_t(1) << 40)),
            "m.mlir: the bytecode is damaged: the list of dialects ends too early");
  // A block of 2^40 arguments.
  EXPECT_EQ(refusal(bytecode({}, Bytes().number(1).number(uint64_t(1) << 40))),
            "m.mlir: the bytecode is damaged: an operation ends too early");
}

TEST(NestingTest, OrdersOfUsesOfNoValuesAreRefused) {
  const char *refused = "m.mlir: the bytecode is damaged: an operation ends too early";
  // A block without operations: one argument whose uses have an order, and none.
  EXPECT_EQ(refusal(bytecode({}, Bytes().number(1).number(1).number(0).byte(1).number(0))), "");
  EXPECT_EQ(refusal(bytecode({}, Bytes().number(1).number(0).byte(1).number(0))), refused);
  // The same of the results of an operation.
  const Bytes one = Bytes().number(1 << 1).number(0).byte(0x22).number(0).number(1).number(0).number(0);
  EXPECT_EQ(refusal(bytecode({}, one)), "");
  EXPECT_EQ(refusal(bytecode({}, Bytes().number(1 << 1).number(0).byte(0x20).number(0).number(0))), refused);
}

} // namespace
} // namespace mica
