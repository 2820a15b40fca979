//===- TensorProtoTest.cpp - tensors of ONNX test data ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Messages written byte by byte, as protobuf's encoding documents them; damage of each kind.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/TensorProto.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mica;

namespace {

std::string text(std::initializer_list<int> bytes) {
  std::string result;
  for (int byte : bytes)
    result += static_cast<char>(byte);
  return result;
}

std::string errorOf(const std::string &contents) {
  Result<HostTensor> tensor = parseTensorProto(contents, "x.pb");
  return tensor ? "" : tensor.error().message;
}

TEST(TensorProtoTest, ReadsRawData) {
  // dims 2 and 1 one by one, data_type 1, raw_data of 8 bytes.
  const std::string contents = text({0x08, 2, 0x08, 1, 0x10, 1, 0x4a, 8, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0});
  Result<HostTensor> tensor = parseTensorProto(contents, "x.pb");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->typeString(), "2x1xf32");
  EXPECT_EQ(tensor->asDouble(0), 1.0);
  EXPECT_EQ(tensor->asDouble(1), -2.0);
}

TEST(TensorProtoTest, ReadsPackedNumbers) {
  // dims packed, data_type 3 (int8), int32_data packed: 1, -1.
  const std::string contents =
      text({0x0a, 1, 2, 0x10, 3, 0x2a, 11, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1});
  Result<HostTensor> tensor = parseTensorProto(contents, "x.pb");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->typeString(), "2xi8");
  EXPECT_EQ(tensor->asInt(1), -1);
}

TEST(TensorProtoTest, ReadsIntegersAsExpected) {
  const std::string contents = text({0x08, 1, 0x10, 2, 0x4a, 1, 0xff});
  EXPECT_EQ(parseTensorProto(contents, "x.pb")->dtype, DType::UI8);
  EXPECT_EQ(parseTensorProto(contents, "x.pb", DType::I8)->asInt(0), -1);
  EXPECT_EQ(parseTensorProto(contents, "x.pb", DType::I16)->dtype, DType::UI8);
}

TEST(TensorProtoTest, ReadsBf16FromItsBits) {
  const std::string contents = text({0x10, 4, 0x4a, 2, 0x80, 0x3f});
  EXPECT_EQ(parseTensorProto(contents, "x.pb", DType::BF16)->asDouble(0), 1.0);
}

TEST(TensorProtoTest, ReadsElementsOfFewBits) {
  // dims 3, data_type 22 (int4), raw_data of two bytes: 1, -8, -1.
  Result<HostTensor> tensor = parseTensorProto(text({0x08, 3, 0x10, 22, 0x4a, 2, 0x81, 0x0f}), "x.pb");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->typeString(), "3xi4");
  EXPECT_EQ(tensor->asInt(0), 1);
  EXPECT_EQ(tensor->asInt(1), -8);
  EXPECT_EQ(tensor->asInt(2), -1);
  // data_type 25 (uint2), int32_data of one byte: 3, 2, 1.
  tensor = parseTensorProto(text({0x08, 3, 0x10, 25, 0x28, 0x1b}), "x.pb");
  EXPECT_EQ(tensor->asInt(0), 3);
  EXPECT_EQ(tensor->asInt(1), 2);
  EXPECT_EQ(tensor->asInt(2), 1);
  EXPECT_EQ(errorOf(text({0x08, 3, 0x10, 22, 0x4a, 1, 0})),
            "x.pb: holds 1 bytes of elements, but its shape has 3 elements of 4 bits");
}

/// Values of https://onnx.ai/onnx/technical/float8.html and float4.html.
TEST(TensorProtoTest, ReadsSmallFloatsAsF32) {
  const auto element = [](int dataType, int bits) {
    Result<HostTensor> tensor = parseTensorProto(text({0x10, dataType, 0x4a, 1, bits}), "x.pb");
    return tensor && tensor->dtype == DType::F32 ? tensor->asDouble(0) : -1e9;
  };
  EXPECT_EQ(element(18, 0x7f), 240);
  EXPECT_EQ(element(18, 0x01), std::ldexp(1.0, -10));
  EXPECT_EQ(element(18, 0xc0), -1);
  EXPECT_TRUE(std::isnan(element(18, 0x80)));
  EXPECT_EQ(element(20, 0x7f), 57344);
  EXPECT_EQ(element(20, 0x01), std::ldexp(1.0, -17));
  EXPECT_TRUE(std::isnan(element(20, 0x80)));
  EXPECT_EQ(element(23, 0x7), 6);
  EXPECT_EQ(element(23, 0x9), -0.5);
}

TEST(TensorProtoTest, ReadsComplexNumbers) {
  // data_type 14, float_data of both parts: 1, -2.
  Result<HostTensor> tensor = parseTensorProto(text({0x10, 14, 0x22, 8, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}), "x.pb");
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->dtype, DType::C64);
  EXPECT_EQ(tensor->as<float>()[1], -2.0f);
}

TEST(TensorProtoTest, RefusesWhatDoesNotFit) {
  EXPECT_NE(errorOf(text({0x08})), "");
  EXPECT_NE(errorOf(text({0x4a, 5, 1})).find("cut off"), std::string::npos);
  EXPECT_NE(errorOf(text({0x08, 3, 0x10, 1, 0x4a, 4, 0, 0, 0, 0})).find("holds 4 bytes"), std::string::npos);
  EXPECT_NE(errorOf(text({0x10, 8, 0x32, 1, 'a'})).find("holds text"), std::string::npos);
  EXPECT_NE(errorOf(text({0x10, 1, 0x70, 1})).find("in another file"), std::string::npos);
  EXPECT_NE(
      errorOf(text({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x08, 4, 0x10, 1})).find("too large"),
      std::string::npos);
}

TEST(TensorProtoTest, NamesAMissingFile) {
  EXPECT_EQ(readTensorProto("/nowhere/x.pb").error().code, ErrorCode::NotFound);
}

} // namespace
