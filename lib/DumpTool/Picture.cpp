//===- Picture.cpp - a tensor as a picture -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The PNG is of the plainest kind: 8 bits per color, no filter, one block of zlib (www.w3.org/TR/png).
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Picture.h"

#include <algorithm>
#include <cmath>

#include <zlib.h>

namespace mica::dumptool {
namespace {

/// The one that a place for both shows.
double moreConspicuous(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  return std::fabs(b) > std::fabs(a) ? b : a;
}

void setColor(uint8_t *pixel, double value, double scale) {
  if (std::isnan(value)) {
    pixel[0] = pixel[1] = pixel[2] = 0;
    return;
  }
  if (std::isinf(value)) {
    pixel[0] = pixel[1] = 255;
    pixel[2] = 0;
    return;
  }
  const double share = scale > 0 ? std::min(1.0, std::fabs(value) / scale) : 0;
  const auto pale = uint8_t(std::lround(255 * (1 - share)));
  pixel[0] = value >= 0 ? 255 : pale;
  pixel[1] = pale;
  pixel[2] = value <= 0 ? 255 : pale;
}

void appendWord(std::string &text, uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8)
    text += char(word >> shift & 0xff);
}

void appendChunk(std::string &png, const std::string &kind, const std::string &data) {
  appendWord(png, uint32_t(data.size()));
  const std::string covered = kind + data;
  png += covered;
  appendWord(png, uint32_t(::crc32(0, reinterpret_cast<const Bytef *>(covered.data()), uInt(covered.size()))));
}

} // namespace

Picture heatMap(const HostTensor &tensor, int64_t mostColumns, int64_t mostRows) {
  const int64_t count = tensor.numElements();
  const int64_t columns = tensor.shape.empty() ? 1 : std::max<int64_t>(tensor.shape.back(), 1);
  const int64_t rows = count / columns;
  Picture picture;
  picture.width = std::min(columns, mostColumns);
  picture.height = std::min(rows, mostRows);
  std::vector<double> values(size_t(picture.width * picture.height), 0);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = i / columns * picture.height / rows, column = i % columns * picture.width / columns;
    double &value = values[size_t(row * picture.width + column)];
    value = moreConspicuous(value, tensor.asDouble(i));
  }
  for (double value : values)
    if (std::isfinite(value))
      picture.scale = std::max(picture.scale, std::fabs(value));
  picture.pixels.resize(values.size() * 3);
  for (size_t i = 0; i < values.size(); ++i)
    setColor(picture.pixels.data() + 3 * i, values[i], picture.scale);
  return picture;
}

std::string pngOf(const Picture &picture) {
  // So that single elements can be seen.
  const int64_t larger = std::max<int64_t>(picture.width, picture.height);
  const int64_t zoom = std::max<int64_t>(1, larger > 0 ? 256 / larger : 1);
  std::string raw;
  for (int64_t row = 0; row < picture.height * zoom; ++row) {
    raw += '\0'; // no filter
    for (int64_t column = 0; column < picture.width * zoom; ++column) {
      const uint8_t *pixel = picture.pixels.data() + 3 * (row / zoom * picture.width + column / zoom);
      raw.append(reinterpret_cast<const char *>(pixel), 3);
    }
  }
  uLongf packedBytes = ::compressBound(uLong(raw.size()));
  std::string packed(packedBytes, '\0');
  ::compress2(reinterpret_cast<Bytef *>(packed.data()), &packedBytes, reinterpret_cast<const Bytef *>(raw.data()),
              uLong(raw.size()), 6);
  packed.resize(packedBytes);
  std::string header;
  appendWord(header, uint32_t(picture.width * zoom));
  appendWord(header, uint32_t(picture.height * zoom));
  header += {8, 2, 0, 0, 0}; // bits, RGB, and the only methods there are
  std::string png = "\x89PNG\r\n\x1a\n";
  appendChunk(png, "IHDR", header);
  appendChunk(png, "IDAT", packed);
  appendChunk(png, "IEND", "");
  return png;
}

std::string terminalText(const Picture &picture, bool colors) {
  std::string text;
  auto pixel = [&](int64_t row, int64_t column) { return picture.pixels.data() + 3 * (row * picture.width + column); };
  if (colors) {
    auto paint = [&](const char *what, const uint8_t *color) {
      text += std::string("\x1b[") + what + ";2;" + std::to_string(color[0]) + ";" + std::to_string(color[1]) + ";" +
              std::to_string(color[2]) + "m";
    };
    for (int64_t row = 0; row < picture.height; row += 2) {
      for (int64_t column = 0; column < picture.width; ++column) {
        paint("38", pixel(row, column));
        if (row + 1 < picture.height)
          paint("48", pixel(row + 1, column));
        text += "\u2580";
      }
      text += "\x1b[0m\n";
    }
    return text;
  }
  constexpr std::string_view kShades = " .:-=+*#%@";
  for (int64_t row = 0; row < picture.height; ++row) {
    for (int64_t column = 0; column < picture.width; ++column) {
      const uint8_t *color = pixel(row, column);
      const bool isNan = color[0] == 0 && color[1] == 0 && color[2] == 0;
      const bool isInf = color[0] == 255 && color[1] == 255 && color[2] == 0;
      text += isNan ? 'N' : isInf ? 'I' : kShades[size_t((255 - color[1]) * int(kShades.size() - 1) / 255)];
    }
    text += '\n';
  }
  return text;
}

HostTensor differenceOf(const HostTensor &a, const HostTensor &b) {
  HostTensor result(DType::F64, a.shape);
  auto *values = result.as<double>();
  for (int64_t i = 0; i < a.numElements(); ++i) {
    const double left = a.asDouble(i), right = b.asDouble(i);
    const bool isSame = left == right || (std::isnan(left) && std::isnan(right));
    values[i] = isSame ? 0 : std::fabs(left - right);
  }
  return result;
}

} // namespace mica::dumptool
