//===- ComplexEntryTest.cpp - entries with complex arguments and results ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Both directions, and what a caller counts.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/ComplexEntry.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::artifact;

namespace {

/// (f32, n: 4x?xcomplex<f32>, complex<f64>) -> (complex<f32>, f32, 4x?xcomplex<f32> = argument 1)
EntryRecord sample() {
  EntryRecord entry;
  entry.name = "main";
  entry.args = {{"", DType::F32, {}}, {"n", DType::C64, {4, -1}}, {"", DType::C128, {3}}};
  entry.results = {{"z", DType::C64, {}}, {"", DType::F32, {2}}, {"", DType::C64, {4, -1}, 1}};
  entry.relatedSizes = {{2, 0, 1, 0, -1, "abc"}, {1, 1, -1, -1, 3, ""}};
  return entry;
}

TEST(ComplexEntryTest, TheCodeHasBothParts) {
  const EntryRecord code = splitComplex(sample());
  ASSERT_EQ(code.args.size(), 5u);
  EXPECT_EQ(code.args[1].name, "n.re");
  EXPECT_EQ(code.args[2].name, "n.im");
  EXPECT_EQ(code.args[2].dtype, DType::F32);
  EXPECT_EQ(code.args[4].dtype, DType::F64);
  ASSERT_EQ(code.results.size(), 5u);
  EXPECT_EQ(code.results[1].name, "z.im");
  EXPECT_EQ(code.results[3].updates, 1);
  EXPECT_EQ(code.results[4].updates, 2);
  EXPECT_EQ(code.relatedSizes[0].argument, 3);
  EXPECT_EQ(code.relatedSizes[0].other, 1);
  EXPECT_EQ(code.relatedSizes[1].argument, 1);
}

TEST(ComplexEntryTest, CallersSeeThemAsOne) {
  EntryRecord code = splitComplex(sample());
  for (TensorSpec &spec : code.args) // as the compiler names both
    spec.name = spec.name.substr(0, spec.name.find('.'));
  code.relatedSizes.push_back({4, 0, 2, 0, -1, "abc"}); // of the imaginary parts: the same for a caller
  code.relatedSizes.push_back({1, 1, 2, 1, -1, "abc"}); // always holds
  const EntryRecord entry = joinComplex(code, {{false, false, true, false, true}, {false, true, false, false, false}});
  ASSERT_EQ(entry.args.size(), 3u);
  EXPECT_EQ(entry.args[1].name, "n");
  EXPECT_EQ(entry.args[1].dtype, DType::C64);
  EXPECT_EQ(entry.args[2].dtype, DType::C128);
  ASSERT_EQ(entry.results.size(), 3u);
  EXPECT_EQ(entry.results[0].dtype, DType::C64);
  EXPECT_EQ(entry.results[1].dtype, DType::F32);
  EXPECT_EQ(entry.results[2].dtype, DType::C64);
  EXPECT_EQ(entry.results[2].updates, 1);
  ASSERT_EQ(entry.relatedSizes.size(), 2u);
  EXPECT_EQ(entry.relatedSizes[0].argument, 2);
  EXPECT_EQ(entry.relatedSizes[0].other, 1);
}

TEST(ComplexEntryTest, HalfAnUpdateIsAResultOfItsOwn) {
  EntryRecord code;
  code.args = {{"", DType::F32, {4}}, {"", DType::F32, {4}}};
  code.results = {{"", DType::F32, {4}, 1}};
  const EntryRecord entry = joinComplex(code, {{false, true}, {false}});
  ASSERT_EQ(entry.results.size(), 1u);
  EXPECT_EQ(entry.results[0].dtype, DType::F32);
  EXPECT_EQ(entry.results[0].updates, -1);
}

TEST(ComplexEntryTest, Tensors) {
  HostTensor complex(DType::C64, {2});
  for (int64_t i = 0; i < 4; ++i)
    complex.as<float>()[i] = static_cast<float>(i);
  const HostTensor real(DType::I8, {3});
  const std::vector<HostTensor> parts = splitTensors({real, complex});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].typeString(), "2xf32");
  EXPECT_EQ(parts[1].asDouble(1), 2);
  EXPECT_EQ(parts[2].asDouble(1), 3);
  const std::vector<TensorSpec> specs = {{"", DType::I8, {3}}, {"", DType::C64, {2}}};
  const std::vector<HostTensor> joined = joinTensors(parts, specs);
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(joined[1].typeString(), "2xcomplex<f32>");
  EXPECT_EQ(joined[1].data, complex.data);
  HostTensor bound(DType::F64, {2});
  EXPECT_EQ(joinNumbers({real, bound, bound}, specs)[1].typeString(), "2x2xf64");
  EXPECT_EQ(partNames(specs), (std::vector<std::string>{"0", "1.re", "1.im"}));
}

} // namespace
