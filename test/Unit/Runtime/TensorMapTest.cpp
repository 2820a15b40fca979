//===- TensorMapTest.cpp - which bytes a bulk copy of a tensor moves ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/BulkCopies.h"

#include <gtest/gtest.h>

#include <array>

using namespace mica::runtime::sim;

namespace {

// Constants of the driver (CUtensorMapDataType, CUtensorMapSwizzle).
constexpr int64_t kF32 = 7, kF16 = 6, kSwizzle128 = 3;

/// The descriptor of a buffer of 16x32 numbers at 4096.
struct Buffer {
  std::array<int64_t, 7> fields{0, 4096, 0, 16, 32, 32, 1};
  std::array<int64_t, 2> box{8, 16};

  TensorMap describe(int64_t element = kF32, int64_t swizzle = 0, int64_t interleave = 0) const {
    return TensorMap::describe(2, fields.data(), element, interleave, swizzle, 0, box.data());
  }
};

TEST(TensorMapTest, DimensionsAreThoseOfTheDriverInnermostFirst) {
  const TensorMap map = Buffer().describe();
  EXPECT_EQ(map.wrong, "");
  EXPECT_EQ(map.sizes[0], 32);
  EXPECT_EQ(map.sizes[1], 16);
  EXPECT_EQ(map.strides[1], 128);
  EXPECT_EQ(map.boxBytes(), 8 * 16 * 4);
}

TEST(TensorMapTest, WhatTheDriverRefusesIsNamed) {
  Buffer odd;
  odd.fields[1] = 4100;
  EXPECT_EQ(odd.describe().wrong, "the tensor's address is not a multiple of 16");
  Buffer wide;
  wide.box = {257, 16};
  EXPECT_EQ(wide.describe().wrong, "the box has size 257 in dimension 0; 1 to 256 are possible");
  Buffer narrow;
  narrow.box = {8, 3};
  EXPECT_EQ(narrow.describe().wrong, "rows of the box have 12 bytes; multiples of 16 are possible");
  Buffer pitch;
  pitch.fields[5] = 33;
  EXPECT_EQ(pitch.describe().wrong, "dimension 0 has a stride of 132 bytes; multiples of 16 are possible");
  Buffer columns;
  columns.fields[6] = 2;
  EXPECT_EQ(columns.describe().wrong, "elements of the innermost dimension do not lie side by side");
  Buffer longRows;
  longRows.box = {8, 64};
  EXPECT_EQ(longRows.describe(kF32, kSwizzle128).wrong,
            "rows of the box have 256 bytes; with this swizzle at most 128 are possible");
  EXPECT_EQ(Buffer().describe(kF32, 0, 1).wrong, "interleaved layouts are not simulated");
  EXPECT_EQ(Buffer().describe(99).wrong, "its element type is not one of the driver's");
  EXPECT_EQ(TensorMap::describe(6, nullptr, kF32, 0, 0, 0, nullptr).wrong, "it has 6 dimensions; 1 to 5 are possible");
}

TEST(TensorMapTest, BytesOutsideOfTheTensorHaveNoCounterpart) {
  const TensorMap map = Buffer().describe();
  // Columns 30 to 45 of rows 15 to 22: two columns of one row are inside.
  const std::array<int32_t, 2> at{30, 15};
  const std::vector<BulkCopy::Piece> pieces = map.pieces(at.data(), 0, 0);
  ASSERT_EQ(pieces.size(), size_t(8 * 4));
  EXPECT_EQ(pieces[0].global, 4096 + 15 * 128 + 30 * 4);
  EXPECT_EQ(pieces[0].begin, 0);
  EXPECT_EQ(pieces[0].end, 8);
  for (size_t i = 1; i < pieces.size(); ++i)
    EXPECT_EQ(pieces[i].begin, pieces[i].end) << i;
  const std::array<int32_t, 2> before{-2, 0};
  EXPECT_EQ(map.pieces(before.data(), 0, 0)[0].begin, 8);
}

TEST(TensorMapTest, PiecesOfALineChangePlacesByTheNumberOfTheLine) {
  Buffer buffer;
  buffer.fields = {0, 4096, 0, 16, 64, 64, 1};
  buffer.box = {8, 64};
  const TensorMap map = buffer.describe(kF16, kSwizzle128);
  ASSERT_EQ(map.wrong, "");
  const std::array<int32_t, 2> at{0, 0};
  const std::vector<BulkCopy::Piece> pieces = map.pieces(at.data(), 1024, 0);
  for (size_t row = 0; row < 8; ++row)
    for (size_t piece = 0; piece < 8; ++piece)
      EXPECT_EQ(pieces[row * 8 + piece].workgroup, int64_t(1024 + row * 128 + (piece ^ row) * 16));
  EXPECT_EQ(swizzled(128 + 16, 32), 128);
  EXPECT_EQ(swizzled(256 + 16, 64), 256 + 48);
  EXPECT_EQ(swizzled(1000, 0), 1000);
}

TEST(MbarrierTest, AParityIsCompleteOnceThePhaseOfItIs) {
  Mbarrier barrier;
  barrier.expected = barrier.pending = 2;
  EXPECT_FALSE(barrier.isComplete(0, true));
  EXPECT_TRUE(barrier.isComplete(1, true)) << "the phase before the first one";
  barrier.pending = 0;
  barrier.bytes = 16;
  barrier.advance();
  EXPECT_EQ(barrier.phase, 0) << "bytes are missing";
  barrier.bytes = 0;
  barrier.advance();
  EXPECT_EQ(barrier.phase, 1);
  EXPECT_EQ(barrier.pending, 2);
  EXPECT_TRUE(barrier.isComplete(0, true));
  EXPECT_TRUE(barrier.isComplete(0, false));
  EXPECT_FALSE(barrier.isComplete(1, false));
}

} // namespace
