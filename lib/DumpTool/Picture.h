//===- Picture.h - a tensor as a picture -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: heat maps, as PNG files and for terminals.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_PICTURE_H
#define MICA_LIB_DUMPTOOL_PICTURE_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::dumptool {

/// Red, green and blue of `width` * `height` places, row by row.
struct Picture {
  int64_t width = 0, height = 0;
  std::vector<uint8_t> pixels;
  double scale = 0; ///< the magnitude that has the full color
};

/// The tensor as rows and columns: the last dimension is a row, all others are below each other. White is 0, red
/// positive, blue negative, yellow infinite, and black NaN. Where it has more rows or columns than there may be, a
/// place shows the most conspicuous element of several: NaN, an infinity, else the largest magnitude.
Picture heatMap(const HostTensor &tensor, int64_t mostColumns, int64_t mostRows);

/// A PNG file, with small pictures enlarged.
std::string pngOf(const Picture &picture);

/// Lines for a terminal: two rows to a line in colors, or one of characters for magnitudes.
std::string terminalText(const Picture &picture, bool colors);

/// |a - b| per element, as f64; NaN where one is NaN and the other is not.
HostTensor differenceOf(const HostTensor &a, const HostTensor &b);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_PICTURE_H
