//===- Matrix.cpp - products of a warp --------------------------------------------------------------------------===//
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

#include "lib/Runtime/Sim/Exchange.h"

#include "mica/Support/SmallFloat.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace mica::runtime::sim {

namespace {

/// Elements as they lie in fragments.
struct F16 {
  using Sum = float;
  static constexpr int bytes = 2;
  static float load(const char *from) { return float(fromF16(loadAs<uint16_t>(from))); }
};
struct BF16 {
  using Sum = float;
  static constexpr int bytes = 2;
  static float load(const char *from) { return float(fromBF16(loadAs<uint16_t>(from))); }
};
struct TF32 {
  using Sum = float;
  static constexpr int bytes = 4;
  static float load(const char *from) { return asTf32(from); }
};
struct I8 {
  using Sum = int32_t;
  static constexpr int bytes = 1;
  static int32_t load(const char *from) { return loadAs<int8_t>(from); }
};
struct F64 {
  using Sum = double;
  static constexpr int bytes = 8;
  static double load(const char *from) { return loadAs<double>(from); }
};

struct U8 {
  using Sum = int32_t;
  static constexpr int bytes = 1;
  static int32_t load(const char *from) { return loadAs<uint8_t>(from); }
};

/// What a product reads and writes: the operands of a thread, of which larger ones than 16 bytes reach into the next
/// place, and its sums.
template <typename Element, bool halfSums> struct Operands {
  using Sum = typename Element::Sum;
  static constexpr int sumBytes = halfSums ? 2 : int(sizeof(Sum));

  Operands(mica_sim_warp_v1 &warp, int m, int n, int k)
      : warp(warp), aBytes(m * k / MICA_SIM_LANES * Element::bytes), bBytes(k * n / MICA_SIM_LANES * Element::bytes) {}

  const char *a(int lane) const { return warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES; }
  const char *b(int lane) const { return a(lane) + (aBytes + 15) / 16 * 16; }
  const char *c(int lane) const { return b(lane) + (bBytes + 15) / 16 * 16; }

  /// Stores sum `e` of a thread: what it had before, and `k` products of a row and a column.
  void addUp(int lane, int e, const Sum *row, const Sum *column, int columnStride, int k) const {
    Sum sum;
    if constexpr (halfSums)
      sum = float(fromF16(loadAs<uint16_t>(c(lane) + e * sumBytes)));
    else
      sum = loadAs<Sum>(c(lane) + e * sumBytes);
    for (int i = 0; i < k; ++i)
      sum += row[i] * column[i * columnStride];
    char *d = warp.outputs + lane * MICA_SIM_EXCHANGE_BYTES + e * sumBytes;
    if constexpr (halfSums) {
      const uint16_t rounded = toF16(sum);
      std::memcpy(d, &rounded, sizeof(rounded));
    } else {
      std::memcpy(d, &sum, sizeof(sum));
    }
  }

  mica_sim_warp_v1 &warp;
  const int aBytes, bBytes;
};

template <typename Element, bool halfSums = false> void multiply(mica_sim_warp_v1 &warp, int m, int n, int k) {
  using Sum = typename Element::Sum;
  constexpr int width = Element::bytes >= 4 ? 1 : 4 / Element::bytes;
  std::vector<Sum> a(size_t(m * k)), b(size_t(k * n));
  const int pairs = m / 8;
  const Operands<Element, halfSums> in(warp, m, n, k);
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
    const int group = lane / 4, inGroup = lane % 4;
    for (int r = 0; r < in.aBytes / (width * Element::bytes); ++r)
      for (int e = 0; e < width; ++e) {
        const int row = group + 8 * (r % pairs), column = width * inGroup + 4 * width * (r / pairs) + e;
        a[size_t(row * k + column)] = Element::load(in.a(lane) + (r * width + e) * Element::bytes);
      }
    for (int r = 0; r < in.bBytes / (width * Element::bytes); ++r)
      for (int e = 0; e < width; ++e) {
        const int row = width * inGroup + 4 * width * r + e;
        b[size_t(row * n + group)] = Element::load(in.b(lane) + (r * width + e) * Element::bytes);
      }
  }
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane)
    for (int p = 0; p < pairs; ++p)
      for (int e = 0; e < 2; ++e) {
        const int row = lane / 4 + 8 * p, column = 2 * (lane % 4) + e;
        in.addUp(lane, 2 * p + e, &a[size_t(row * k)], &b[size_t(column)], n, k);
      }
}

/// Element e of thread l is the (l + 32 e)-th.
template <typename Element, bool halfSums = false> void multiplyShared(mica_sim_warp_v1 &warp, int m, int n, int k) {
  using Sum = typename Element::Sum;
  std::vector<Sum> a(size_t(m * k)), b(size_t(k * n));
  const Operands<Element, halfSums> in(warp, m, n, k);
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
    for (int e = 0; e < in.aBytes / Element::bytes; ++e)
      a[size_t(lane + MICA_SIM_LANES * e)] = Element::load(in.a(lane) + e * Element::bytes);
    for (int e = 0; e < in.bBytes / Element::bytes; ++e)
      b[size_t(lane + MICA_SIM_LANES * e)] = Element::load(in.b(lane) + e * Element::bytes);
  }
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane)
    for (int e = 0; e < m * n / MICA_SIM_LANES; ++e) {
      const int at = lane + MICA_SIM_LANES * e;
      in.addUp(lane, e, &a[size_t(at / n * k)], &b[size_t(at % n)], n, k);
    }
}

/// Calls `action` with the element type of the inputs, and whether sums are f16.
template <typename F> void withType(int32_t type, const F &action) {
  switch (type) {
  case MICA_SIM_MMA_F16:
    return action(F16(), std::false_type());
  case MICA_SIM_MMA_F16_F16:
    return action(F16(), std::true_type());
  case MICA_SIM_MMA_BF16:
    return action(BF16(), std::false_type());
  case MICA_SIM_MMA_TF32:
    return action(TF32(), std::false_type());
  case MICA_SIM_MMA_I8:
    return action(I8(), std::false_type());
  case MICA_SIM_MMA_U8:
    return action(U8(), std::false_type());
  case MICA_SIM_MMA_F64:
    return action(F64(), std::false_type());
  }
}

} // namespace

void multiplyFragments(mica_sim_warp_v1 &warp, const int32_t *imm) {
  withType(imm[3], [&](auto element, auto halfSums) {
    multiply<decltype(element), decltype(halfSums)::value>(warp, imm[0], imm[1], imm[2]);
  });
}

void multiplySubgroupMatrices(mica_sim_warp_v1 &warp, const int32_t *imm) {
  withType(imm[3], [&](auto element, auto halfSums) {
    multiplyShared<decltype(element), decltype(halfSums)::value>(warp, imm[0], imm[1], imm[2]);
  });
}

} // namespace mica::runtime::sim
