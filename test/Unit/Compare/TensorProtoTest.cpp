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
