//===- ShapeClassesTest.cpp - which calls share kernels ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Specialize/ShapeClasses.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::runtime;
using Kind = ShapeClasses::Decision::Kind;
using Mode = SpecializePolicy::Mode;

namespace {

/// main(x: ?x?x4, y: 7): two dynamic dimensions.
artifact::EntryRecord entry() {
  artifact::EntryRecord record;
  record.name = "main";
  record.args = {{"x", DType::F32, {-1, -1, 4}}, {"", DType::F32, {7}}};
  record.args[0].position = artifact::SourcePosition{"m.mlir", 3, 12};
  return record;
}

struct Calls {
  explicit Calls(SpecializePolicy policy) : classes(record, policy) {}
  ShapeClasses::Decision operator()(int64_t a, int64_t b) {
    const std::vector<int64_t> x{a, b, 4}, y{7};
    return classes.note(std::vector<TensorView>{{DType::F32, x, nullptr}, {DType::F32, y, nullptr}});
  }
  /// The class that a call asks for, "" where it asks for none.
  std::string asked(int64_t a, int64_t b) {
    const ShapeClasses::Decision decision = (*this)(a, b);
    return decision.kind == Kind::Compile ? specializationText(record, decision.guards) : "";
  }
  artifact::EntryRecord record = entry();
  ShapeClasses classes;
};

TEST(ShapeClassesTest, OffAsksForNothing) {
  Calls call({Mode::Off});
  EXPECT_FALSE(call.classes.open());
  EXPECT_EQ(call.asked(2, 3), "");
}

TEST(ShapeClassesTest, ExactAsksOncePerShape) {
  Calls call({Mode::Exact});
  EXPECT_EQ(call.asked(2, 3), "main:0.0=2,0.1=3");
  EXPECT_EQ(call.asked(2, 3), "") << "on its way";
  EXPECT_EQ(call.asked(2, 5), "main:0.0=2,0.1=5");
}

TEST(ShapeClassesTest, SaysWhichGuardFailedWithWhichValueAndWhere) {
  Calls call({Mode::Exact});
  call(2, 3);
  const ShapeClasses::Decision decision = call(2, 5);
  EXPECT_EQ(decision.failed,
            std::vector<std::string>{"argument 0 ('x'), dimension 1 == 3 (m.mlir:3:12) failed: it is 5"});
  EXPECT_EQ(guardCode(call.record, decision.guards[1]), "x.shape[1] == 5");
}

TEST(ShapeClassesTest, AutoLeavesOpenWhatTurnedOutToVary) {
  Calls call({Mode::Auto});
  EXPECT_EQ(call.asked(2, 3), "main:0.0=2,0.1=3");
  EXPECT_EQ(call.asked(8, 3), "main:0.1=3");
  EXPECT_EQ(call.asked(9, 3), "");
  const ShapeClasses::Decision last = call(9, 4);
  EXPECT_EQ(last.kind, Kind::AllVary);
  EXPECT_EQ(last.failed.size(), 2u);
  EXPECT_FALSE(call.classes.open()) << "no size is left that did not change";
}

TEST(ShapeClassesTest, AfterNUsesOfTheSameSizes) {
  Calls call({Mode::Exact, 3});
  EXPECT_EQ(call.asked(2, 3), "");
  EXPECT_EQ(call.asked(2, 4), "");
  EXPECT_EQ(call.asked(2, 3), "");
  EXPECT_EQ(call.asked(2, 3), "main:0.0=2,0.1=3");
  EXPECT_EQ(call.asked(2, 4), "");
}

TEST(ShapeClassesTest, NoMoreThanTheLimit) {
  Calls call({Mode::Exact, 1, 2});
  call(1, 1);
  call(2, 2);
  EXPECT_EQ(call(3, 3).kind, Kind::Limit);
  EXPECT_FALSE(call.classes.open());
  EXPECT_EQ(call(4, 4).kind, Kind::Nothing) << "said once";
}

TEST(ShapeClassesTest, EmptyTensorsAndWrongCallsAreLeftAlone) {
  Calls call({Mode::Exact});
  EXPECT_EQ(call(0, 3).kind, Kind::Nothing);
  const std::vector<int64_t> flat{3};
  EXPECT_EQ(call.classes.note(std::vector<TensorView>{{DType::F32, flat, nullptr}, {DType::F32, flat, nullptr}}).kind,
            Kind::Nothing);
  EXPECT_EQ(call.classes.note({}).kind, Kind::Nothing);
  EXPECT_EQ(call.asked(2, 3), "main:0.0=2,0.1=3");
}

TEST(ShapeClassesTest, GuardsHoldForTheirSizesOnly) {
  const std::vector<int64_t> x{2, 3, 4};
  const std::vector<TensorView> inputs{{DType::F32, x, nullptr}};
  EXPECT_TRUE(hold({}, inputs));
  EXPECT_TRUE(hold(std::vector<Guard>{{0, 0, 2}, {0, 1, 3}}, inputs));
  EXPECT_FALSE(hold(std::vector<Guard>{{0, 0, 2}, {0, 1, 4}}, inputs));
  EXPECT_FALSE(hold(std::vector<Guard>{{1, 0, 2}}, inputs)) << "no such argument";
  EXPECT_FALSE(hold(std::vector<Guard>{{0, 3, 2}}, inputs)) << "no such dimension";
}

} // namespace
