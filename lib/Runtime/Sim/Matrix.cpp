//===- Matrix.cpp - fragments of mma.sync -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// With g = lane / 4 and t = lane % 4, and w elements in a register of 32 bits (1 in one of 64):
//
//   a: register r holds row g + 8 (r mod 2), columns w t + 4 w (r / 2) and those behind it
//   b: register r holds column g, rows w t + 4 w r and those behind it
//   c: register pair p holds row g + 8 p, columns 2 t and 2 t + 1
//
// so the shapes differ in the number of registers alone. What is multiplied is added up in f32 (f64, i32), for f16 sums
// rounded once at the end.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Matrix.h"

#include "mica/Support/SmallFloat.h"

#include <cstring>
#include <vector>

namespace mica::runtime::sim {

namespace {

template <typename T> T read(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Elements as they lie in fragments.
struct F16 {
  using Sum = float;
  static constexpr int bytes = 2;
  static float load(const char *from) { return float(fromF16(read<uint16_t>(from))); }
};
struct BF16 {
  using Sum = float;
  static constexpr int bytes = 2;
  static float load(const char *from) { return float(fromBF16(read<uint16_t>(from))); }
};
struct TF32 {
  using Sum = float;
  static constexpr int bytes = 4;
  /// The device looks at the upper 19 bits alone.
  static float load(const char *from) {
    const uint32_t bits = read<uint32_t>(from) & 0xFFFFE000u;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
};
struct I8 {
  using Sum = int32_t;
  static constexpr int bytes = 1;
  static int32_t load(const char *from) { return read<int8_t>(from); }
};
struct F64 {
  using Sum = double;
  static constexpr int bytes = 8;
  static double load(const char *from) { return read<double>(from); }
};

template <typename Element, bool halfSums = false> void multiply(mica_sim_warp_v1 &warp, int m, int n, int k) {
  using Sum = typename Element::Sum;
  constexpr int width = Element::bytes >= 4 ? 1 : 4 / Element::bytes;
  constexpr int sumBytes = halfSums ? 2 : int(sizeof(Sum));
  std::vector<Sum> a(size_t(m * k)), b(size_t(k * n));
  const int pairs = m / 8;
  auto in = [&](int lane, int operand) { return warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES + 16 * operand; };
  // Larger operands than 16 bytes reach into the next place.
  const int aBytes = m * k / MICA_SIM_LANES * Element::bytes, bBytes = k * n / MICA_SIM_LANES * Element::bytes;
  const int bPlace = (aBytes + 15) / 16, cPlace = bPlace + (bBytes + 15) / 16;
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
    const int group = lane / 4, inGroup = lane % 4;
    for (int r = 0; r < aBytes / (width * Element::bytes); ++r)
      for (int e = 0; e < width; ++e) {
        const int row = group + 8 * (r % pairs), column = width * inGroup + 4 * width * (r / pairs) + e;
        a[size_t(row * k + column)] = Element::load(in(lane, 0) + (r * width + e) * Element::bytes);
      }
    for (int r = 0; r < bBytes / (width * Element::bytes); ++r)
      for (int e = 0; e < width; ++e) {
        const int row = width * inGroup + 4 * width * r + e;
        b[size_t(row * n + group)] = Element::load(in(lane, bPlace) + (r * width + e) * Element::bytes);
      }
  }
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane)
    for (int p = 0; p < pairs; ++p)
      for (int e = 0; e < 2; ++e) {
        const int row = lane / 4 + 8 * p, column = 2 * (lane % 4) + e;
        const int at = (2 * p + e) * sumBytes;
        const char *c = in(lane, cPlace) + at;
        Sum sum;
        if constexpr (halfSums)
          sum = float(fromF16(read<uint16_t>(c)));
        else
          sum = read<Sum>(c);
        for (int i = 0; i < k; ++i)
          sum += a[size_t(row * k + i)] * b[size_t(i * n + column)];
        char *d = warp.outputs + lane * MICA_SIM_EXCHANGE_BYTES + at;
        if constexpr (halfSums) {
          const uint16_t rounded = toF16(sum);
          std::memcpy(d, &rounded, sizeof(rounded));
        } else {
          std::memcpy(d, &sum, sizeof(sum));
        }
      }
}

} // namespace

void multiplyFragments(mica_sim_warp_v1 &warp, const int32_t *imm) {
  const int m = imm[0], n = imm[1], k = imm[2];
  switch (imm[3]) {
  case MICA_SIM_MMA_F16:
    return multiply<F16>(warp, m, n, k);
  case MICA_SIM_MMA_F16_F16:
    return multiply<F16, true>(warp, m, n, k);
  case MICA_SIM_MMA_BF16:
    return multiply<BF16>(warp, m, n, k);
  case MICA_SIM_MMA_TF32:
    return multiply<TF32>(warp, m, n, k);
  case MICA_SIM_MMA_I8:
    return multiply<I8>(warp, m, n, k);
  case MICA_SIM_MMA_F64:
    return multiply<F64>(warp, m, n, k);
  }
}

} // namespace mica::runtime::sim
