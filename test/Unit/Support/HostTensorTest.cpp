//===- HostTensorTest.cpp - element types and conversions --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Every code of every small float goes there and back; rounding is checked against nearest even by brute force.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/HostTensor.h"
#include "mica/Support/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace mica;

namespace {

TEST(DTypeTest, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(DType::Index); ++i) {
    const DType type = static_cast<DType>(i);
    EXPECT_EQ(parseDType(dtypeName(type)), type);
    EXPECT_EQ(isFloat(type) + isInteger(type) + isComplex(type), 1);
  }
  EXPECT_EQ(parseDType("float"), std::nullopt);
  EXPECT_EQ(dtypeName(DType::F8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(dtypeBytes(DType::I4), 1);
  EXPECT_EQ(dtypeBytes(DType::Index), 8);
}

struct Small {
  const char *name;
  int codes;      ///< without the sign
  int lastFinite; ///< code of the largest finite value
  bool hasInfinity;
  std::function<uint32_t(double)> to;
  std::function<double(uint32_t)> from;
};

const Small kSmall[] = {
    {"f16", 0x8000, 0x7bff, true, toF16, [](uint32_t c) { return fromF16(static_cast<uint16_t>(c)); }},
    {"bf16", 0x8000, 0x7f7f, true, toBF16, [](uint32_t c) { return fromBF16(static_cast<uint16_t>(c)); }},
    {"f8E4M3FN", 0x80, 0x7e, false, toF8E4M3FN, [](uint32_t c) { return fromF8E4M3FN(static_cast<uint8_t>(c)); }},
    {"f8E5M2", 0x80, 0x7b, true, toF8E5M2, [](uint32_t c) { return fromF8E5M2(static_cast<uint8_t>(c)); }},
};

TEST(SmallFloatTest, EveryCodeRoundTrips) {
  for (const Small &format : kSmall) {
    for (int code = 0; code < format.codes; ++code) {
      const double value = format.from(static_cast<uint32_t>(code));
      const double negative = format.from(static_cast<uint32_t>(code | format.codes));
      if (code > format.lastFinite && !(format.hasInfinity && code == format.lastFinite + 1)) {
        EXPECT_TRUE(std::isnan(value) && std::isnan(negative)) << format.name << " " << code;
        continue;
      }
      EXPECT_EQ(negative, -value) << format.name << " " << code;
      EXPECT_EQ(format.to(value), static_cast<uint32_t>(code)) << format.name;
      EXPECT_EQ(format.to(-value), static_cast<uint32_t>(code | format.codes)) << format.name;
    }
  }
}

TEST(SmallFloatTest, RoundsToNearestEven) {
  for (const Small &format : kSmall) {
    for (int code = 0; code < format.lastFinite; ++code) {
      const double low = format.from(static_cast<uint32_t>(code)), high = format.from(static_cast<uint32_t>(code + 1));
      const double middle = low / 2 + high / 2;
      const uint32_t even = static_cast<uint32_t>(code % 2 == 0 ? code : code + 1);
      EXPECT_EQ(format.to(middle), even) << format.name << " " << code;
      EXPECT_EQ(format.to(std::nextafter(middle, 0.0)), static_cast<uint32_t>(code)) << format.name;
      EXPECT_EQ(format.to(std::nextafter(middle, 1e300)), static_cast<uint32_t>(code + 1)) << format.name;
    }
  }
}

TEST(SmallFloatTest, KnownValues) {
  EXPECT_EQ(fromF8E4M3FN(0x7e), 448.0);
  EXPECT_EQ(fromF8E5M2(0x7b), 57344.0);
  EXPECT_EQ(fromF16(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(toBF16(3.14159265), 0x4049);
  EXPECT_EQ(toF16(65504.0), 0x7bff);
  EXPECT_EQ(toF16(65519.99), 0x7bff);
  EXPECT_EQ(toF16(65520.0), 0x7c00);
  EXPECT_EQ(toF8E4M3FN(464.0), 0x7e);
  EXPECT_EQ(toF8E4M3FN(464.1), 0x7f);
  EXPECT_EQ(toF8E4M3FN(-std::numeric_limits<double>::infinity()), 0xff);
  EXPECT_EQ(toF8E5M2(-1e9), 0xfc);
  EXPECT_EQ(toF16(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(toF16(-0.0), 0x8000);
  EXPECT_EQ(toF16(std::nan("")), 0x7e00);
  // Rounding first to f32 would make a tie of it and then give 0x3c00.
  EXPECT_EQ(toF16(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)), 0x3c01);
}

TEST(HostTensorTest, ShapesAndTypes) {
  HostTensor tensor(DType::F16, {2, 0, 3});
  EXPECT_EQ(tensor.numElements(), 0);
  EXPECT_EQ(tensor.typeString(), "2x0x3xf16");
  EXPECT_EQ(HostTensor(DType::I1, {}).numElements(), 1);
  EXPECT_EQ(HostTensor(DType::I1, {}).typeString(), "i1");
  EXPECT_EQ(shapedTypeString({-1, 3}, DType::BF16), "?x3xbf16");
}

TEST(HostTensorTest, ElementsOfEveryType) {
  for (int i = 0; i <= static_cast<int>(DType::Index); ++i) {
    const DType type = static_cast<DType>(i);
    HostTensor tensor(type, {3});
    tensor.setDouble(1, 1.0);
    tensor.setInt(2, 1);
    EXPECT_EQ(tensor.asDouble(0), 0.0) << dtypeName(type);
    EXPECT_EQ(tensor.asDouble(1), 1.0) << dtypeName(type);
    EXPECT_EQ(tensor.asInt(2), 1) << dtypeName(type);
  }
}

TEST(HostTensorTest, IntegersTruncateAndSaturate) {
  HostTensor i8(DType::I8, {1}), u8(DType::UI8, {1}), i4(DType::I4, {1}), i64(DType::I64, {1}), u64(DType::UI64, {1});
  i8.setDouble(0, -1.9);
  EXPECT_EQ(i8.asInt(0), -1);
  i8.setDouble(0, 1e30);
  EXPECT_EQ(i8.asInt(0), 127);
  u8.setDouble(0, -5);
  EXPECT_EQ(u8.asInt(0), 0);
  i4.setDouble(0, 9);
  EXPECT_EQ(i4.asInt(0), 7);
  i4.setInt(0, 9);
  EXPECT_EQ(i4.asInt(0), -7);
  i64.setDouble(0, 9.3e18);
  EXPECT_EQ(i64.asInt(0), INT64_MAX);
  i64.setDouble(0, std::nan(""));
  EXPECT_EQ(i64.asInt(0), 0);
  i64.setInt(0, (int64_t(1) << 53) + 1);
  EXPECT_EQ(i64.asInt(0), (int64_t(1) << 53) + 1);
  u64.setInt(0, -1);
  EXPECT_EQ(u64.asDouble(0), 18446744073709551616.0);
}

} // namespace
