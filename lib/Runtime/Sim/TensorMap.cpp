//===- TensorMap.cpp - which bytes a bulk copy of a tensor moves --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BulkCopies.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/BulkCopies.h"

#include <algorithm>
#include <cstring>

namespace mica::runtime::sim {

/// Bits 4 to 6 change by bits 7 to 9, as many of them as 16-byte pieces of a row need.
int64_t swizzled(int64_t offset, int64_t bytes) {
  const int64_t mask = bytes <= 16 ? 0 : bytes / 16 - 1;
  return offset ^ ((offset >> 7 & mask) << 4);
}

TensorMap TensorMap::describe(int64_t rank, const void *memref, int64_t element, int64_t interleave, int64_t swizzle,
                              int64_t fill, const int64_t *box) {
  // CUtensorMapDataType: u8, u16, u32, i32, u64, i64, f16, f32, f64, bf16, f32 and tf32 with and without denormals.
  constexpr int64_t kElementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  constexpr int64_t kSwizzleBytes[] = {0, 32, 64, 128};
  TensorMap map;
  const auto refuse = [&](std::string why) {
    if (map.wrong.empty())
      map.wrong = std::move(why);
  };
  if (rank < 1 || rank > kMostRank)
    refuse("it has " + std::to_string(rank) + " dimensions; 1 to 5 are possible");
  if (element < 0 || element >= int64_t(std::size(kElementBytes)))
    refuse("its element type is not one of the driver's");
  if (swizzle < 0 || swizzle >= int64_t(std::size(kSwizzleBytes)))
    refuse("its swizzle is not one of none, 32, 64 and 128 bytes");
  if (interleave != 0)
    refuse("interleaved layouts are not simulated");
  if (!map.wrong.empty())
    return map;
  map.rank = rank;
  map.elementBytes = kElementBytes[element];
  map.swizzleBytes = kSwizzleBytes[swizzle];
  map.isFilledWithNan = fill != 0;
  // Allocated and aligned pointer, offset, sizes, strides.
  std::vector<int64_t> fields(size_t(3 + 2 * rank));
  std::memcpy(fields.data(), memref, fields.size() * sizeof(int64_t));
  map.base = fields[1] + fields[2] * map.elementBytes;
  if (map.base % 16 != 0)
    refuse("the tensor's address is not a multiple of 16");
  for (int64_t dim = 0; dim < rank; ++dim) {
    const size_t inner = size_t(dim), outer = size_t(rank - 1 - dim);
    map.sizes[inner] = fields[3 + outer];
    map.strides[inner] = fields[size_t(3 + rank) + outer] * map.elementBytes;
    map.box[inner] = box[outer];
    const std::string which = "dimension " + std::to_string(outer);
    if (map.sizes[inner] < 1 || map.sizes[inner] > int64_t(1) << 32)
      refuse(which + " has size " + std::to_string(map.sizes[inner]) + "; 1 to 2^32 are possible");
    if (map.box[inner] < 1 || map.box[inner] > 256)
      refuse("the box has size " + std::to_string(map.box[inner]) + " in " + which + "; 1 to 256 are possible");
    if (dim > 0 && (map.strides[inner] % 16 != 0 || map.strides[inner] < 0))
      refuse(which + " has a stride of " + std::to_string(map.strides[inner]) + " bytes; multiples of 16 are possible");
  }
  if (map.strides[0] != map.elementBytes)
    refuse("elements of the innermost dimension do not lie side by side");
  const int64_t row = map.box[0] * map.elementBytes;
  if (row % 16 != 0)
    refuse("rows of the box have " + std::to_string(row) + " bytes; multiples of 16 are possible");
  if (map.swizzleBytes != 0 && row > map.swizzleBytes)
    refuse("rows of the box have " + std::to_string(row) + " bytes; with this swizzle at most " +
           std::to_string(map.swizzleBytes) + " are possible");
  return map;
}

int64_t TensorMap::boxBytes() const {
  int64_t bytes = elementBytes;
  for (int64_t dim = 0; dim < rank; ++dim)
    bytes *= box[size_t(dim)];
  return bytes;
}

int64_t TensorMap::extentBytes() const {
  int64_t bytes = elementBytes;
  for (int64_t dim = 0; dim < rank; ++dim)
    bytes += (sizes[size_t(dim)] - 1) * strides[size_t(dim)];
  return bytes;
}

std::vector<BulkCopy::Piece> TensorMap::pieces(const int32_t *coordinates, int64_t workgroup,
                                               int64_t workgroupBegin) const {
  constexpr int64_t kPiece = BulkCopy::kPieceBytes;
  std::vector<BulkCopy::Piece> all;
  const int64_t row = box[0] * elementBytes, begin = int64_t(coordinates[0]) * elementBytes;
  const int64_t rows = boxBytes() / row;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t left = r, global = base + begin;
    bool isInside = true;
    for (int64_t dim = 1; dim < rank; ++dim) {
      const int64_t at = coordinates[dim] + left % box[size_t(dim)];
      left /= box[size_t(dim)];
      isInside &= at >= 0 && at < sizes[size_t(dim)];
      global += at * strides[size_t(dim)];
    }
    for (int64_t offset = 0; offset < row; offset += kPiece) {
      BulkCopy::Piece piece;
      piece.global = global + offset;
      piece.workgroup = workgroupBegin + swizzled(workgroup - workgroupBegin + r * row + offset, swizzleBytes);
      const int64_t first = std::clamp<int64_t>(-begin - offset, 0, kPiece);
      const int64_t last = std::clamp<int64_t>(sizes[0] * elementBytes - begin - offset, 0, kPiece);
      if (isInside && first < last) {
        piece.begin = int32_t(first);
        piece.end = int32_t(last);
      }
      all.push_back(piece);
    }
  }
  return all;
}

} // namespace mica::runtime::sim
