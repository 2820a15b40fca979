//===- Wgmma.cpp - products of four warps ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// wgmma.mma_async: each warp of four computes 16 of 64 rows, from matrices in workgroup memory that descriptors tell of
// (PTX ISA, 9.7.15.5). The device computes later; here at once, since the sums are in registers that nobody else sees.
//
//   descriptor bits  0 to 13  address            16 to 29  offset between blocks, "leading dimension"
//                   32 to 45  offset, "stride"   62 to 63  swizzle: none, of 128, 64 or 32 bytes
//
// all in units of 16 bytes. With S bytes of swizzle (16 for none), M the dimension along which the matrix lies (k, or
// for matrices by columns the other one) and O the other one, a block is 8 O by S bytes of M:
//
//   lies along k          stride: between blocks along O; leading dimension: without swizzle, between blocks along k
//   lies the other way    leading dimension: between blocks along M; stride: between blocks along k; without swizzle
//                         these two change places
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Exchange.h"
#include "lib/Runtime/Sim/Simulator.h"
#include "mica/Support/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace mica::runtime::sim {

namespace {

int64_t bytesOf(int32_t type) { return type == MICA_SIM_WGMMA_TF32 ? 4 : type <= MICA_SIM_WGMMA_BF16 ? 2 : 1; }

float elementAt(int32_t type, const char *from) {
  switch (type) {
  case MICA_SIM_WGMMA_F16:
    return float(fromF16(loadAs<uint16_t>(from)));
  case MICA_SIM_WGMMA_BF16:
    return float(fromBF16(loadAs<uint16_t>(from)));
  case MICA_SIM_WGMMA_TF32:
    return asTf32(from);
  case MICA_SIM_WGMMA_E4M3:
    return float(fromF8E4M3FN(loadAs<uint8_t>(from)));
  case MICA_SIM_WGMMA_E5M2:
    return float(fromF8E5M2(loadAs<uint8_t>(from)));
  case MICA_SIM_WGMMA_S8:
    return float(loadAs<int8_t>(from));
  default:
    return float(loadAs<uint8_t>(from));
  }
}

/// Where a matrix lies, from its descriptor.
struct Layout {
  Layout(uint64_t descriptor, bool isAlongK)
      : start(int64_t(descriptor & 0x3FFF) << 4), leading(int64_t(descriptor >> 16 & 0x3FFF) << 4),
        stride(int64_t(descriptor >> 32 & 0x3FFF) << 4), isAlongK(isAlongK) {
    constexpr int64_t kSwizzles[] = {16, 128, 64, 32};
    swizzle = kSwizzles[descriptor >> 62];
  }
  /// The offset in workgroup memory of element `k` of row (column) `other`, of `bytes` bytes.
  int64_t at(int64_t other, int64_t k, int64_t bytes) const {
    const int64_t along = (isAlongK ? k : other) * bytes, across = isAlongK ? other : k;
    // Between blocks along the direction in which rows lie, and across it.
    const bool isPlain = swizzle == 16;
    const int64_t alongStep = isAlongK ? (isPlain ? leading : swizzle) : (isPlain ? stride : leading);
    const int64_t acrossStep = isAlongK ? stride : (isPlain ? leading : stride);
    const int64_t offset =
        start + along / swizzle * alongStep + across / 8 * acrossStep + across % 8 * swizzle + along % swizzle;
    return swizzled(offset, swizzle);
  }

  int64_t start, leading, stride, swizzle;
  bool isAlongK;
};

} // namespace

/// Elements [other][k] of rows (columns) `first` to `first + count`, which the warp reads.
std::vector<float> Simulator::readMatrix(Warp &warp, const mica_sim_point_v1 &point, uint64_t descriptor, bool isAlongK,
                                         int64_t first, int64_t count, int64_t k, int32_t type) {
  constexpr int64_t kChunk = 16;
  const Layout layout(descriptor, isAlongK);
  const int64_t bytes = bytesOf(type);
  std::vector<int64_t> offsets(size_t(count * k));
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < k; ++j)
      offsets[size_t(i * k + j)] = layout.at(first + i, j, bytes);
  std::vector<int64_t> chunks;
  for (int64_t offset : offsets)
    chunks.push_back(offset / kChunk);
  std::sort(chunks.begin(), chunks.end());
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
  int lane = 0;
  for (int64_t chunk : chunks) {
    const int64_t address = workgroupBegin + chunk * kChunk;
    if (!isWorkgroup(address + kChunk - 1)) {
      reports.add(MICA_SIM_CHECK_BOUNDS, point.site, -1, [&] {
        return siteText(point.site) + " by " + who(warp, lane) + " reads 16 bytes at byte " +
               std::to_string(chunk * kChunk) + " of the " + std::to_string(workgroupBytes) +
               " bytes of workgroup memory";
      });
      return std::vector<float>(size_t(count * k));
    }
    if (current->kernel->checks != 0)
      touch(warp, lane, address, kChunk, MICA_SIM_READ, point.site);
    lane = (lane + 1) % MICA_SIM_LANES;
  }
  std::vector<float> elements(size_t(count * k));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = elementAt(type, reinterpret_cast<const char *>(workgroupBegin + offsets[i]));
  return elements;
}

void Simulator::warpgroupProduct(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  constexpr int64_t kRows = 16, kBytesAlongK = 32;
  if (!isWholeWarp(warp, lanes, point, "wgmma.mma_async"))
    return;
  const int64_t n = point.imm[0];
  const int32_t typeA = point.imm[1] & 255, typeB = point.imm[1] >> 8 & 255, flags = point.imm[2];
  const bool halfSums = point.imm[1] >> 16 & 1;
  const bool isInteger = typeA == MICA_SIM_WGMMA_S8 || typeA == MICA_SIM_WGMMA_U8;
  const int64_t k = kBytesAlongK / bytesOf(typeA);
  for (int lane = 1; lane < MICA_SIM_LANES; ++lane)
    if ((operandOf<uint64_t>(warp, lane, 0) != operandOf<uint64_t>(warp, 0, 0) ||
         operandOf<uint64_t>(warp, lane, 1) != operandOf<uint64_t>(warp, 0, 1)) &&
        checks(MICA_SIM_CHECK_BARRIER))
      reports.add(MICA_SIM_CHECK_BARRIER, point.site, -3, [&] {
        return siteText(point.site) + " by " + who(warp, lane) +
               " has other descriptors than lane 0; all threads of a warp need the same";
      });
  const int64_t quarter = warp.uniform[MICA_SIM_SUBGROUP_ID] % 4;
  const std::vector<float> a = readMatrix(warp, point, operandOf<uint64_t>(warp, 0, 0),
                                          !(flags & MICA_SIM_WGMMA_A_BY_COLUMNS), kRows * quarter, kRows, k, typeA);
  const std::vector<float> b =
      readMatrix(warp, point, operandOf<uint64_t>(warp, 0, 1), !(flags & MICA_SIM_WGMMA_B_BY_ROWS), 0, n, k, typeB);
  const float sign = bool(flags & MICA_SIM_WGMMA_NEGATE_A) != bool(flags & MICA_SIM_WGMMA_NEGATE_B) ? -1.0f : 1.0f;
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
    const char *const c = operandAt(warp, lane, 2);
    char *const d = resultAt(warp, lane, 0);
    for (int64_t e = 0; e < n / 2; ++e) {
      const int64_t row = lane / 4 + 8 * (e / 2 % 2), column = e / 4 * 8 + lane % 4 * 2 + e % 2;
      const float *const x = &a[size_t(row * k)], *const y = &b[size_t(column * k)];
      if (isInteger) {
        int64_t sum = flags & MICA_SIM_WGMMA_NO_SUM ? 0 : loadAs<int32_t>(c + 4 * e);
        for (int64_t i = 0; i < k; ++i)
          sum += int64_t(x[i]) * int64_t(y[i]);
        if (flags & MICA_SIM_WGMMA_SATURATE)
          sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
        const auto kept = int32_t(sum);
        std::memcpy(d + 4 * e, &kept, sizeof(kept));
        continue;
      }
      float sum = 0;
      if (!(flags & MICA_SIM_WGMMA_NO_SUM))
        sum = halfSums ? float(fromF16(loadAs<uint16_t>(c + 2 * e))) : loadAs<float>(c + 4 * e);
      for (int64_t i = 0; i < k; ++i)
        sum += sign * x[i] * y[i];
      if (halfSums) {
        const uint16_t rounded = toF16(sum);
        std::memcpy(d + 2 * e, &rounded, sizeof(rounded));
      } else {
        std::memcpy(d + 4 * e, &sum, sizeof(sum));
      }
    }
  }
}

} // namespace mica::runtime::sim
