//===- PictureTest.cpp - heat maps -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Colors, reduction and the form of the file.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <zlib.h>

using namespace mica;
using namespace mica::dumptool;

namespace {

std::vector<uint8_t> colorAt(const Picture &picture, int64_t row, int64_t column) {
  const uint8_t *pixel = picture.pixels.data() + 3 * (row * picture.width + column);
  return {pixel[0], pixel[1], pixel[2]};
}

uint32_t wordAt(const std::string &text, size_t at) {
  uint32_t word = 0;
  for (size_t i = 0; i < 4; ++i)
    word = word << 8 | uint8_t(text[at + i]);
  return word;
}

TEST(Picture, HasColorsForSignsAndForWhatIsNotFinite) {
  HostTensor tensor(DType::F32, {1, 5});
  const double values[] = {0, 2, -2, std::nan(""), std::numeric_limits<double>::infinity()};
  for (int64_t i = 0; i < 5; ++i)
    tensor.setDouble(i, values[i]);
  const Picture picture = heatMap(tensor, 100, 100);
  EXPECT_EQ(picture.scale, 2);
  EXPECT_EQ(colorAt(picture, 0, 0), (std::vector<uint8_t>{255, 255, 255}));
  EXPECT_EQ(colorAt(picture, 0, 1), (std::vector<uint8_t>{255, 0, 0}));
  EXPECT_EQ(colorAt(picture, 0, 2), (std::vector<uint8_t>{0, 0, 255}));
  EXPECT_EQ(colorAt(picture, 0, 3), (std::vector<uint8_t>{0, 0, 0}));
  EXPECT_EQ(colorAt(picture, 0, 4), (std::vector<uint8_t>{255, 255, 0}));
  EXPECT_EQ(terminalText(picture, false), " @@NI\n");
}

TEST(Picture, OfALargeTensorStillShowsItsOneNan) {
  HostTensor tensor(DType::F32, {4, 300, 700});
  tensor.setDouble(700 * 1000 + 350, std::nan(""));
  const Picture picture = heatMap(tensor, 70, 60);
  EXPECT_EQ(picture.width, 70);
  EXPECT_EQ(picture.height, 60);
  EXPECT_EQ(colorAt(picture, 50, 35), (std::vector<uint8_t>{0, 0, 0}));
}

TEST(Picture, IsAPngFileWithAllItsRows) {
  HostTensor tensor(DType::F32, {300, 200});
  const std::string png = pngOf(heatMap(tensor, 1024, 1024));
  ASSERT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  size_t at = 8;
  std::string kinds, pixels;
  while (at < png.size()) {
    const uint32_t size = wordAt(png, at);
    const std::string covered = png.substr(at + 4, size + 4);
    kinds += covered.substr(0, 4) + " ";
    EXPECT_EQ(wordAt(png, at + 8 + size),
              ::crc32(0, reinterpret_cast<const Bytef *>(covered.data()), uInt(covered.size())));
    if (covered.starts_with("IHDR")) {
      EXPECT_EQ(wordAt(covered, 4), 200u);
      EXPECT_EQ(wordAt(covered, 8), 300u);
    }
    if (covered.starts_with("IDAT")) {
      pixels.resize(300 * (1 + 3 * 200));
      uLongf bytes = pixels.size();
      EXPECT_EQ(::uncompress(reinterpret_cast<Bytef *>(pixels.data()), &bytes,
                             reinterpret_cast<const Bytef *>(covered.data() + 4), size),
                Z_OK);
      EXPECT_EQ(bytes, pixels.size());
    }
    at += 12 + size;
  }
  EXPECT_EQ(kinds, "IHDR IDAT IEND ");
}

TEST(Picture, OfAScalarAndOfNothing) {
  EXPECT_EQ(heatMap(HostTensor(DType::F32, {}), 10, 10).pixels.size(), 3u);
  EXPECT_EQ(heatMap(HostTensor(DType::F32, {0, 4}), 10, 10).pixels.size(), 0u);
  EXPECT_EQ(heatMap(HostTensor(DType::F32, {4, 0}), 10, 10).pixels.size(), 0u);
}

TEST(Difference, IsZeroWhereBothAreNan) {
  HostTensor a(DType::F32, {3}), b(DType::F32, {3});
  for (HostTensor *tensor : {&a, &b})
    tensor->setDouble(0, std::nan(""));
  a.setDouble(1, 3);
  b.setDouble(1, 5);
  b.setDouble(2, std::nan(""));
  const HostTensor difference = differenceOf(a, b);
  EXPECT_EQ(difference.asDouble(0), 0);
  EXPECT_EQ(difference.asDouble(1), 2);
  EXPECT_TRUE(std::isnan(difference.asDouble(2)));
}

} // namespace
