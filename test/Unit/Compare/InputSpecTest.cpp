//===- InputSpecTest.cpp - --input= values -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Every form, and every slip with its message.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Compare/InputSpec.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mica;
using artifact::TensorSpec;

namespace {

Result<HostTensor> make(const std::string &text, const TensorSpec &argument) {
  Result<InputSpec> spec = parseInputSpec(text);
  if (!spec)
    return spec.error();
  return makeInput(*spec, argument, 0);
}

std::string errorOf(const std::string &text, const TensorSpec &argument = {"", DType::F32, {2, 2}}) {
  Result<HostTensor> tensor = make(text, argument);
  return tensor ? "" : tensor.error().message;
}

TEST(InputSpecTest, Literals) {
  Result<HostTensor> splat = make("4x8xf32=0.5", {"x", DType::F32, {4, 8}});
  ASSERT_TRUE(splat.isOk());
  for (int64_t i = 0; i < 32; ++i)
    EXPECT_EQ(splat->asDouble(i), 0.5);
  Result<HostTensor> each = make("2x2xf32=1,2,3,4", {"", DType::F32, {-1, 2}});
  ASSERT_TRUE(each.isOk());
  EXPECT_EQ(each->asDouble(3), 4);
  EXPECT_EQ(make("i64=-9223372036854775808", {"", DType::I64, {}})->asInt(0), INT64_MIN);
  EXPECT_EQ(make("2xi1=true,0", {"", DType::I1, {2}})->data, (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(make("3xindex=7", {"", DType::Index, {3}})->asInt(2), 7);
  EXPECT_TRUE(std::isnan(make("f16=nan", {"", DType::F16, {}})->asDouble(0)));
  EXPECT_EQ(make("f32=-inf", {"", DType::F32, {}})->asDouble(0), -INFINITY);
  EXPECT_EQ(make("0xf32=1", {"", DType::F32, {-1}})->numElements(), 0);
  EXPECT_EQ(make("ui64=18446744073709551615", {"", DType::UI64, {}})->asInt(0), -1);
}

TEST(InputSpecTest, ATypeAloneIsTheDefaultInThatShape) {
  std::string note;
  const HostTensor expected = makeDefaultInput({"", DType::F32, {3, 8}}, 0, note);
  EXPECT_EQ(make("3x8xf32", {"", DType::F32, {-1, 8}})->data, expected.data);
  EXPECT_EQ(make("3xi32", {"", DType::I32, {-1}})->data, std::vector<uint8_t>(12));
  EXPECT_EQ(make("0x8xf32", {"", DType::F32, {-1, 8}})->numElements(), 0);
  EXPECT_EQ(errorOf("3x8xf64"), "input 0 (2x2xf32) got 3x8xf64: the element type is f64, should be f32");
}

TEST(InputSpecTest, RandomIsSeeded) {
  const TensorSpec argument{"", DType::F32, {1000}};
  Result<HostTensor> a = make("random:7", argument), b = make("random:7", argument), c = make("random:8", argument);
  EXPECT_EQ(a->data, b->data);
  EXPECT_NE(a->data, c->data);
  double low = 1, high = -1;
  for (int64_t i = 0; i < 1000; ++i) {
    low = std::min(low, a->asDouble(i));
    high = std::max(high, a->asDouble(i));
  }
  EXPECT_GE(low, -1);
  EXPECT_LT(high, 1);
  EXPECT_LT(low, -0.9);
  EXPECT_GT(high, 0.9);
  // The stream is part of the promise: these values never change.
  EXPECT_FLOAT_EQ(static_cast<float>(make("random:0:0:1", {"", DType::F64, {1}})->asDouble(0)), 0.8833108f);
  Result<HostTensor> integers = make("random:1:5:8", {"", DType::I32, {100}});
  for (int64_t i = 0; i < 100; ++i)
    EXPECT_TRUE(integers->asInt(i) >= 5 && integers->asInt(i) < 8);
  EXPECT_EQ(make("3x4xf32=random:7", {"", DType::F32, {-1, 4}})->shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(make("random:7", {"", DType::F32, {-1, 4}})->shape, (std::vector<int64_t>{1, 4}));
}

TEST(InputSpecTest, ComplexNumbers) {
  const TensorSpec argument{"", DType::C64, {2}};
  Result<HostTensor> made = make("2xcomplex<f32>=1.5-2j,-3e-1j", argument);
  ASSERT_TRUE(made.isOk()) << made.error().message;
  EXPECT_EQ(made->as<float>()[0], 1.5f);
  EXPECT_EQ(made->as<float>()[1], -2.0f);
  EXPECT_EQ(made->as<float>()[2], 0.0f);
  EXPECT_EQ(made->as<float>()[3], -0.3f);
  made = make("1e-3+1e+2j", argument);
  EXPECT_EQ(made->as<float>()[2], 1e-3f);
  EXPECT_EQ(made->as<float>()[3], 100.0f);
  EXPECT_EQ(make("complex<f64>=7", {"", DType::C128, {}})->as<double>()[0], 7);
  EXPECT_EQ(errorOf("1+j2", argument), "--input=1+j2: not an input");
  EXPECT_EQ(errorOf("2xcomplex<f32>=1+xj", argument),
            "--input=2xcomplex<f32>=1+xj: '1+xj' is not a complex number, such as 1.5-2j");
  EXPECT_EQ(errorOf("1e99j", argument), "--input=1e99j: 1e99j is beyond the range of complex<f32>");
  EXPECT_EQ(errorOf("2xf32=1", argument),
            "input 0 (2xcomplex<f32>) got 2xf32: the element type is f32, should be complex<f32>");
  EXPECT_EQ(make("random:7", argument)->typeString(), "2xcomplex<f32>");
}

TEST(InputSpecTest, Files) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeNpy(folder / "x.npy", HostTensor(DType::F32, {2, 2})).isOk());
  const std::string at = "@" + (folder / "x.npy").string();
  EXPECT_EQ(errorOf(at), "");
  EXPECT_EQ(errorOf(at, {"x", DType::F64, {2, 2}}),
            "input 0 (x: 2x2xf64) got 2x2xf32: the element type is f32, should be f64");
  EXPECT_EQ(errorOf(at, {"x", DType::F32, {2, 3}}), "input 0 (x: 2x3xf32) got 2x2xf32: dimension 1 is 2, should be 3");
  EXPECT_EQ(errorOf(at, {"", DType::F32, {-1, -1, 1}}), "input 0 (?x?x1xf32) got 2x2xf32: 2 dimensions, should be 3");
  EXPECT_EQ(errorOf("@/no/file.npy"), "cannot read /no/file.npy: No such file or directory");
}

TEST(InputSpecTest, NumbersAloneAreOfTheArgumentsType) {
  const auto made = [](std::string_view text, const artifact::TensorSpec &argument) {
    return makeInput(*parseInputSpec(text), argument, 0);
  };
  EXPECT_EQ(made("8", {"", DType::Index, {}})->asInt(0), 8);
  EXPECT_EQ(made("true", {"", DType::I1, {}})->asInt(0), 1);
  EXPECT_EQ(made("-0.5", {"", DType::F32, {2, 2}})->asDouble(3), -0.5);
  EXPECT_EQ(made("1,2,3,4", {"", DType::I8, {2, 2}})->asInt(2), 3);
  EXPECT_EQ(made("1.5", {"n", DType::I64, {}}).error().message,
            "--input=1.5: '1.5' is not a whole number of the range of i64, which is an integer type");
  EXPECT_EQ(made("1", {"x", DType::F32, {2, -1}}).error().message,
            "--input=1: dimension 1 of input 0 (x: 2x?xf32) is dynamic: say the type in front, such as 4x8xf32=0.5");
}

TEST(InputSpecTest, SlipsAreNamed) {
  EXPECT_EQ(errorOf("x.npy"), "--input=x.npy: a file is written with @ in front");
  EXPECT_EQ(errorOf("@"), "--input=@: no file name after @");
  EXPECT_EQ(errorOf("hello"), "--input=hello: not an input");
  EXPECT_EQ(errorOf("2x2xfloat=1"), "--input=2x2xfloat=1: 'float' is not an element type");
  EXPECT_EQ(errorOf("2x?xf32=1"), "--input=2x?xf32=1: '?' is not a dimension size");
  EXPECT_EQ(errorOf("-2xf32=1"), "--input=-2xf32=1: '-2' is not a dimension size");
  EXPECT_EQ(errorOf("99999999x99999999xf32=1"),
            "--input=99999999x99999999xf32=1: 99999999x99999999xf32 has more than 2^36 elements");
  EXPECT_EQ(errorOf("2x2xf32=1,2,3"),
            "--input=2x2xf32=1,2,3: 3 values for 2x2xf32, which has 4 elements: give one value for all, or each");
  EXPECT_EQ(errorOf("2x2xf32=one"), "--input=2x2xf32=one: 'one' is not a number");
  EXPECT_EQ(errorOf("2x2xf32="), "--input=2x2xf32=: '' is not a number");
  EXPECT_EQ(errorOf("2x2xf32=1e39"), "--input=2x2xf32=1e39: 1e39 is beyond the range of f32");
  EXPECT_EQ(errorOf("2x2xi8=1.5"),
            "--input=2x2xi8=1.5: '1.5' is not a whole number of the range of i8, which is an integer type");
  EXPECT_EQ(errorOf("2x2xi8=200"), "--input=2x2xi8=200: 200 is beyond the range of i8");
  EXPECT_EQ(errorOf("2x2xui8=-1"), "--input=2x2xui8=-1: -1 is beyond the range of ui8");
  EXPECT_EQ(errorOf("ui64=-1"), "--input=ui64=-1: -1 is beyond the range of ui64");
  EXPECT_EQ(errorOf("random:x"), "--input=random:x: the seed 'x' is not a whole number");
  EXPECT_EQ(errorOf("random:1:2"), "--input=random:1:2: after the seed come two numbers, the bounds LO:HI");
  EXPECT_EQ(errorOf("random:1:2:1"), "--input=random:1:2:1: the bounds are not LO < HI");
  EXPECT_EQ(errorOf("2x2xi32=1"), "input 0 (2x2xf32) got 2x2xi32: the element type is i32, should be f32");
}

TEST(InputSpecTest, LeftOutInputsAreSaid) {
  std::string note;
  HostTensor floats = makeDefaultInput({"x", DType::F32, {-1, 8}}, 3, note);
  EXPECT_EQ(note, "input 3 (x: ?x8xf32) is random:3, uniform in [-1, 1), as 1x8xf32");
  EXPECT_EQ(floats.data, make("1x8xf32=random:3", {"x", DType::F32, {1, 8}})->data);
  HostTensor integers = makeDefaultInput({"", DType::I64, {2}}, 0, note);
  EXPECT_EQ(note, "input 0 (2xi64) is 0");
  EXPECT_EQ(integers.asInt(1), 0);
}

} // namespace
