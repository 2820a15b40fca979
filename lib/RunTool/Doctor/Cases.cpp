//===- Doctor/Cases.cpp - planted faults of mica-run --doctor --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table of detectors and cases.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Doctor/Cases.h"

#include <cstdio>

namespace mica::runtool::doctor {

HostTensor Argument::tensor() const {
  HostTensor tensor(dtype, shape);
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setDouble(i, i == at ? value : fill);
  return tensor;
}

std::string Argument::spec() const {
  const HostTensor filled = tensor();
  std::string text = filled.typeString();
  for (int64_t i = 0; i < filled.numElements(); ++i) {
    char number[40];
    std::snprintf(number, sizeof number, "%s%.17g", i ? "," : "=", filled.asDouble(i));
    text += number;
  }
  return text;
}

namespace {

constexpr int64_t kMany = int64_t(1) << 20;
/// Far outside of every mapping of the process.
constexpr double kFar = double(int64_t(1) << 40);

Argument f32(int64_t size, double fill, int64_t at = -1, double value = 0) {
  return {DType::F32, {size}, fill, at, value};
}
Argument i32(int64_t size, double fill, int64_t at = -1, double value = 0) {
  return {DType::I32, {size}, fill, at, value};
}
Argument i64(int64_t size, double fill, int64_t at = -1, double value = 0) {
  return {DType::I64, {size}, fill, at, value};
}
Argument index(double value) { return {DType::Index, {}, value}; }
Argument square(double fill) { return {DType::F32, {8, 8}, fill}; }

Detector bounds() {
  const std::vector<Argument> clean = {f32(1000, 1), i64(64, 7, 63, 999)};
  auto gather = [&](std::string_view name, int64_t at, double value) {
    return Case{name, "gather",        {f32(1000, 1), i64(64, 7, at, value)}, clean, "tensor.extract", "planted-gather",
                1,    "loads outside "};
  };
  auto scatter = [](std::string_view name, double value) {
    return Case{name,
                "scatter",
                {f32(8, 0), i64(4, 1, 2, value)},
                {f32(8, 0), i64(4, 1, 2, 7)},
                "memref.store",
                "planted-scatter",
                1,
                "stores outside"};
  };
  return {"bounds",
          "accesses outside their buffer",
          Method::Run,
          "",
          "all",
          {gather("a load one too far", 63, 1000),
           gather("a load at -1", 0, -1),
           gather("a load far away", 31, kFar),
           scatter("a store one too far", 8),
           scatter("a store at -1", -1),
           {"a loop one too long",
            "shift_by_one",
            {f32(100, 1), f32(100, 0)},
            {f32(100, 1), f32(99, 0)},
            "memref.load",
            "planted-edge",
            1,
            "index 100 in dimension 0"},
           {"a slice that ends outside",
            "slice",
            {f32(8, 1), index(2), index(7)},
            {f32(8, 1), index(2), index(6)},
            "tensor.extract_slice",
            "planted-slice",
            1,
            "the slice ["}},
          "gather"};
}

Detector division() {
  const std::vector<Argument> clean = {i32(1000, 7), i32(1000, 3)};
  auto by = [&](std::string_view name, Argument left, Argument right) {
    return Case{name, "divide", {left, right}, clean, "arith.divsi", "planted-division", 1, "integer division by zero"};
  };
  constexpr double kLeast = -2147483648.0;
  return {"division",
          "integer divisions by zero, and those that overflow",
          Method::Run,
          "",
          "safe",
          {by("the first by 0", i32(1000, 7), i32(1000, 3, 0, 0)),
           by("the last by 0", i32(1000, 7), i32(1000, 3, 999, 0)),
           by("the least number by -1", i32(1000, 7, 500, kLeast), i32(1000, 3, 500, -1))},
          "divide"};
}

Detector shift() {
  const std::vector<Argument> clean = {i32(1000, 7), i32(1000, 3, 17, 31)};
  auto by = [&](std::string_view name, double bits) {
    return Case{name,
                "shift",
                {i32(1000, 7), i32(1000, 3, 17, bits)},
                clean,
                "arith.shli",
                "planted-shift",
                1,
                "shift by a number of bits"};
  };
  return {"shift", "shifts by the width or more", Method::Run, "", "safe", {by("by 32", 32), by("by -1", -1)}, "shift"};
}

Detector userAssert() {
  return {"assert",
          "cf.assert of the program",
          Method::Run,
          "",
          "user",
          {{"a condition that is false",
            "assert",
            {f32(16, 1), {DType::I64, {}, 0}},
            {f32(16, 1), {DType::I64, {}, 1}},
            "cf.assert",
            "planted-assert",
            1,
            "a number above zero is needed"}},
          "assert"};
}

Detector uninitialized() {
  auto tail = [](std::string_view name, double leftOut) {
    return Case{name,
                "tail",
                {f32(100, 2), f32(100, 0), index(leftOut)},
                {f32(100, 2), f32(100, 0), index(0)},
                "memref.load",
                "planted-tail",
                1,
                "uninitialized element"};
  };
  return {"uninitialized",
          "reads of uninitialized elements",
          Method::Run,
          "",
          "",
          {tail("the last element", 1), tail("all elements", 100)},
          "tail",
          /*shadows=*/true};
}

Detector nanBorn() {
  const Argument half{DType::BF16, {1000}, 0};
  return {"nan-origin",
          "origins of NaN and infinities",
          Method::Run,
          "nan-check",
          "",
          {{"one 0/0 among 1,048,576",
            "quotient",
            {f32(kMany, 0), f32(kMany, 1, kMany - 1, 0)},
            {f32(kMany, 0), f32(kMany, 1)},
            "mica.div",
            "planted-nan",
            1,
            "originates here"},
           {"0/0 in bf16",
            "quotient_bf16",
            {half, {DType::BF16, {1000}, 1, 0, 0}},
            {half, {DType::BF16, {1000}, 1}},
            "mica.div",
            "planted-nan",
            2,
            "originates here"},
           {"overflow in f64",
            "overflow",
            {{DType::F64, {1000}, 1, 500, 710}},
            {{DType::F64, {1000}, 1, 500, 709}},
            "mica.exp",
            "planted-nan",
            3,
            "originates here"}},
          "quotient"};
}

Detector nanPropagated() {
  return {"nan-propagated",
          "origins of values that are seen later",
          Method::Run,
          "nan-check=mica.softmax",
          "",
          {{"0/0 through a product",
            "chain",
            {square(0), square(0), square(1)},
            {square(0), square(1), square(1)},
            "mica.softmax",
            "planted-nan",
            5,
            "at planted-nan:4:1"}},
          ""};
}

Detector faultNaming() {
  const std::vector<Argument> faulty = {i32(4096, 9), i32(4096, 2, 4095, 0), f32(4096, 1)},
                              clean = {i32(4096, 9), i32(4096, 2), f32(4096, 1)};
  return {
      "fault-naming",
      "which of several kernels under way failed",
      Method::Run,
      "",
      "safe",
      {{"one of four", "side_by_side", faulty, clean, "arith.remsi", "planted-fault", 1, "integer division by zero"}},
      "side_by_side"};
}

Detector opLog() {
  return {"op-log",
          "a line for the failed launch, and no other",
          Method::OpLog,
          "op-log-level=error",
          "safe",
          {{"one of four",
            "side_by_side",
            {i32(4096, 9), i32(4096, 2, 0, 0), f32(4096, 1)},
            {i32(4096, 9), i32(4096, 2), f32(4096, 1)},
            "linalg.generic",
            "planted-fault",
            1,
            ""}},
          ""};
}

Detector hang() {
  return {"hang",
          "kernels that never end",
          Method::Hang,
          "hang-timeout=0.3",
          "",
          {{"a loop whose step is 0",
            "loop",
            {i64(4, 1), {DType::I64, {}, 0}},
            {i64(4, 1), {DType::I64, {}, 1}},
            "scf.while",
            "planted-loop",
            1,
            "no kernel has made progress"}},
          ""};
}

Detector ledger() {
  return {"post-mortem",
          "what ran when the process crashed",
          Method::Crash,
          "",
          "",
          {{"a load without a check",
            "gather",
            {f32(8, 1), i64(4, 1, 2, kFar)},
            {f32(8, 1), i64(4, 1, 2, 7)},
            "linalg.generic",
            "planted-gather",
            1,
            ""}},
          ""};
}

} // namespace

std::vector<Detector> detectors() {
  std::vector<Detector> all = {bounds(),        division(),    shift(), userAssert(), uninitialized(), nanBorn(),
                               nanPropagated(), faultNaming(), opLog(), hang(),       ledger()};
  for (Detector &detector : simDetectors())
    all.push_back(std::move(detector));
  return all;
}

} // namespace mica::runtool::doctor
