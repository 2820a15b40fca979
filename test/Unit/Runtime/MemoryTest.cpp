//===- MemoryTest.cpp - aligned memory and its reuse -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Memory.h"

#include "lib/Runtime/KeptBlocks.h"
#include "mica/ABI/Kernel.h"
#include "mica/Runtime/Tensor.h"
#include "mica/Support/MemoryLimit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace mica::runtime {
namespace {

bool aligned(const void *memory, size_t to) { return reinterpret_cast<uintptr_t>(memory) % to == 0; }

TEST(BufferTest, IsAlignedAndUsable) {
  for (int64_t bytes : {int64_t(0), int64_t(1), int64_t(64), int64_t(4097), kHugePage - 1, kHugePage, kHugePage + 1}) {
    Result<Buffer> buffer = Buffer::allocate(bytes);
    ASSERT_TRUE(buffer.isOk());
    ASSERT_NE(buffer->data(), nullptr);
    EXPECT_TRUE(aligned(buffer->data(), size_t(bytes >= kHugePage ? kHugePage : MICA_BUFFER_ALIGNMENT)));
    EXPECT_GE(buffer->capacity(), bytes);
    std::memset(buffer->data(), 1, size_t(buffer->capacity()));
  }
}

TEST(BufferTest, FailsWhereThereIsNoMemory) {
  for (int64_t bytes : {int64_t(-1), std::numeric_limits<int64_t>::max(), int64_t(1) << 60}) {
    Result<Buffer> buffer = Buffer::allocate(bytes);
    ASSERT_FALSE(buffer.isOk()) << bytes;
    EXPECT_EQ(buffer.error().code, ErrorCode::Io);
  }
}

TEST(BufferTest, Moves) {
  Buffer a = *Buffer::allocate(100);
  void *memory = a.data();
  Buffer b = std::move(a);
  EXPECT_EQ(b.data(), memory);
  EXPECT_FALSE(a);
  a = std::move(b);
  EXPECT_EQ(a.data(), memory);
}

TEST(KeptBlocksTest, GivesAReleasedResultToTheNextOne) {
  keptBlocks().release();
  const int64_t taken = memoryTaken(), bytes = 3 * kHugePage + 100;
  void *first = nullptr;
  {
    Buffer buffer = *Buffer::allocate(bytes);
    first = buffer.data();
    std::memset(first, 1, size_t(bytes));
    EXPECT_GE(memoryTaken(), taken + bytes);
  }
  EXPECT_LT(memoryTaken(), taken + bytes) << "a kept block does not count";
  EXPECT_GE(keptBlocks().size(), bytes);
  Buffer smaller = *Buffer::allocate(2 * kHugePage), larger = *Buffer::allocate(4 * kHugePage);
  EXPECT_NE(smaller.data(), first) << "a third of the block would be lost";
  EXPECT_NE(larger.data(), first);
  Buffer same = *Buffer::allocate(bytes - 50);
  EXPECT_EQ(same.data(), first);
  EXPECT_EQ(keptBlocks().size(), 0);
  std::memset(same.data(), 2, size_t(same.capacity()));
}

TEST(KeptBlocksTest, KeepsTheLatestUpToALimit) {
  keptBlocks().release();
  {
    std::vector<Buffer> many;
    for (int i = 0; i < 20; ++i)
      many.push_back(*Buffer::allocate((4 + i) * kHugePage));
  }
  EXPECT_GT(keptBlocks().size(), 0);
  EXPECT_LE(keptBlocks().size(), KeptBlocks::kMostBytes);
  { Buffer huge = *Buffer::allocate(KeptBlocks::kMostBytes + kHugePage); }
  EXPECT_LE(keptBlocks().size(), KeptBlocks::kMostBytes);
  keptBlocks().release();
  EXPECT_EQ(keptBlocks().size(), 0);
}

TEST(KeptBlocksTest, IsSafeFromManyThreads) {
  keptBlocks().release();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 300; ++i) {
        Buffer buffer = *Buffer::allocate((1 + (thread + i) % 3) * kHugePage);
        auto *bytes = static_cast<unsigned char *>(buffer.data());
        bytes[0] = bytes[buffer.capacity() - 1] = static_cast<unsigned char>(thread);
        std::this_thread::yield();
        wrong += bytes[0] != thread || bytes[buffer.capacity() - 1] != thread;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  keptBlocks().release();
}

TEST(KeptBlocksTest, MakesRoomForOthersWithinTheLimit) {
  keptBlocks().release();
  { Buffer buffer = *Buffer::allocate(8 * kHugePage); }
  setMemoryLimit(memoryTaken() + 4 * kHugePage);
  EXPECT_FALSE(Buffer::allocate(8 * kHugePage).isOk()) << "what is kept is within the limit again when it is used";
  EXPECT_TRUE(Buffer::allocate(2 * kHugePage).isOk());
  EXPECT_EQ(keptBlocks().size(), 2 * kHugePage) << "what is kept is released before the limit is reached";
  setMemoryLimit(-1);
  keptBlocks().release();
}

TEST(MemoryPoolTest, GivesTheSameMemoryAgain) {
  MemoryPool pool;
  for (int64_t bytes : {int64_t(0), int64_t(100), int64_t(5000), int64_t(3) << 20, int64_t(100) << 20}) {
    void *first = *pool.allocate(bytes), *second = *pool.allocate(bytes);
    EXPECT_NE(first, second);
    EXPECT_TRUE(aligned(first, MICA_BUFFER_ALIGNMENT));
    std::memset(first, 1, size_t(std::min(bytes, int64_t(5000))));
    pool.reset();
    // The most recent one is the warmest; order is not promised, memory is.
    void *third = *pool.allocate(bytes);
    EXPECT_TRUE(third == first || third == second);
    pool.reset();
  }
}

TEST(BufferTest, SmallOnesCountAgainstTheLimit) {
  const int64_t before = memoryTaken(), limit = int64_t(64) << 20;
  setMemoryLimit(before + limit);
  for (int64_t bytes : {int64_t(4096), int64_t(100) << 10, kHugePage - 4096}) {
    std::vector<Buffer> held;
    Result<Buffer> buffer = Buffer::allocate(bytes);
    for (; buffer && int64_t(held.size()) * bytes < 2 * limit; buffer = Buffer::allocate(bytes))
      held.push_back(*std::move(buffer));
    EXPECT_FALSE(buffer.isOk()) << bytes;
    EXPECT_NEAR(double(held.size()) * double(bytes), double(limit), double(kHugePage)) << bytes;
  }
  EXPECT_NEAR(double(memoryTaken()), double(before), double(kUncountedBytes));
  setMemoryLimit(-1);
}

TEST(MemoryPoolTest, KnowsTheMostThatWasInUse) {
  MemoryPool pool;
  EXPECT_EQ(pool.mostInUse(), 0);
  void *const first = *pool.allocate(1024);
  *pool.allocate(4096);
  EXPECT_EQ(pool.mostInUse(), 5120);
  pool.release(first);
  *pool.allocate(1024); // the block of before
  EXPECT_EQ(pool.mostInUse(), 5120);
  const size_t mark = pool.marker();
  void *const kept = *pool.allocate(2048);
  *pool.allocate(8192);
  EXPECT_EQ(pool.mostInUse(), 15360);
  void *const all[] = {kept};
  pool.resetExcept(mark, all, [](void *, int64_t) {});
  *pool.allocate(8192);
  EXPECT_EQ(pool.mostInUse(), 15360);
  pool.reset();
  *pool.allocate(16384);
  EXPECT_EQ(pool.mostInUse(), 16384);
  EXPECT_EQ(pool.reserved(), 15360 + 16384);
}

TEST(MemoryPoolTest, AlignsAsAsked) {
  MemoryPool pool;
  for (int64_t alignment : {int64_t(8), int64_t(64), int64_t(128), int64_t(4096), int64_t(1) << 22})
    for (int64_t bytes : {int64_t(0), int64_t(100), int64_t(5) << 20}) {
      void *memory = *pool.allocate(bytes, alignment);
      EXPECT_TRUE(aligned(memory, size_t(alignment)));
      std::memset(memory, 1, size_t(std::min<int64_t>(bytes, 5000)));
      pool.release(memory);
      EXPECT_EQ(pool.marker(), 0u);
    }
  EXPECT_FALSE(pool.allocate(std::numeric_limits<int64_t>::max(), 128).isOk());
}

TEST(MemoryPoolTest, ResetsToAMark) {
  MemoryPool pool;
  void *kept = *pool.allocate(100);
  size_t mark = pool.marker();
  void *inner = *pool.allocate(100);
  pool.reset(mark);
  EXPECT_EQ(*pool.allocate(100), inner);
  EXPECT_NE(*pool.allocate(100), kept);
}

TEST(MemoryPoolTest, ResetsToAMarkExceptWhatIsKept) {
  MemoryPool pool;
  void *before = *pool.allocate(100);
  const size_t mark = pool.marker();
  void *first = *pool.allocate(100);
  void *second = *pool.allocate(100);
  void *third = *pool.allocate(100);
  // A view keeps all of its block.
  std::vector<void *> kept = {before, static_cast<char *>(second) + 99};
  std::sort(kept.begin(), kept.end());
  std::vector<const void *> released;
  pool.resetExcept(mark, kept, [&](const void *memory, int64_t capacity) {
    EXPECT_GE(capacity, 100);
    released.push_back(memory);
  });
  EXPECT_EQ(released, (std::vector<const void *>{first, third}));
  EXPECT_EQ(pool.marker(), mark + 1);
  const std::vector<void *> again = {*pool.allocate(100), *pool.allocate(100), *pool.allocate(100)};
  EXPECT_EQ(std::count(again.begin(), again.end(), second) + std::count(again.begin(), again.end(), before), 0);
  EXPECT_EQ(std::count(again.begin(), again.end(), first), 1);
  EXPECT_EQ(std::count(again.begin(), again.end(), third), 1);
  // Nothing was allocated since a mark beyond the last block.
  pool.resetExcept(100, {}, [](const void *, int64_t) { ADD_FAILURE(); });
}

TEST(MemoryPoolTest, NeverGivesABlockThatIsTooSmall) {
  MemoryPool pool;
  // Sizes around the classes' borders, in use one after the other and at the same time.
  for (int round = 0; round < 2; ++round) {
    for (int64_t base = 64; base <= (int64_t(8) << 20); base *= 2)
      for (int64_t bytes : {base - 1, base, base + 1, base + base / 4 + 1, base + base / 2 + 3}) {
        auto *memory = static_cast<char *>(*pool.allocate(bytes));
        memory[0] = memory[bytes - 1] = 1; // the sanitizer sees a block that ends too early
      }
    pool.reset();
  }
  EXPECT_FALSE(pool.allocate(-1).isOk());
  EXPECT_FALSE(pool.allocate(std::numeric_limits<int64_t>::max()).isOk());
}

} // namespace
} // namespace mica::runtime
