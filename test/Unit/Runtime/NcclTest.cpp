//===- NcclTest.cpp - calls between GPUs by NCCL ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Against stand-ins for NCCL and the driver (FakeNccl, FakeCuda), between threads. What the library gives is compared
// with what ranks of the host give.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Driver.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Communicator.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <thread>

namespace mica::runtime {
namespace {

using Kind = GroupCall::Kind;
const std::atomic<bool> never{false};

/// One rank: its communicators, a stream, and memory of the device.
class Rank {
public:
  Rank(Communicator &host, std::shared_ptr<const cuda::Driver> driver) : host(host), driver(std::move(driver)) {
    this->driver->contextSetCurrent(reinterpret_cast<cuda::Context>(this));
    this->driver->streamCreate(&stream, 1);
  }
  ~Rank() {
    // Before the stream: calls that will not be complete are let go of.
    nccl.reset();
    for (uint64_t address : memory)
      driver->memFree(address);
    driver->streamDestroy(stream);
  }
  Status connect(const char *library = MICA_FAKE_NCCL) {
    MICA_ASSIGN_OR_RETURN(nccl, connectNccl(host, library));
    return {};
  }
  void *allocate(size_t bytes) {
    uint64_t address = 0;
    EXPECT_EQ(driver->memAlloc(&address, std::max<size_t>(bytes, 1)), 0);
    memory.push_back(address);
    return reinterpret_cast<void *>(address);
  }
  /// Adds the call with buffers on the device.
  Status queue(GroupCall call, const std::vector<char> &sent, size_t received) {
    call.send = allocate(sent.size());
    call.receive = into = allocate(received);
    driver->copyToDevice(reinterpret_cast<uint64_t>(call.send), sent.data(), sent.size(), stream);
    const std::vector<char> zeros(received);
    driver->copyToDevice(reinterpret_cast<uint64_t>(into), zeros.data(), received, stream);
    driver->streamSynchronize(stream);
    return nccl->queue(call, stream, never);
  }
  /// What the latest call received.
  std::vector<char> wait(size_t received) {
    std::vector<char> bytes(received);
    while (driver->streamQuery(stream) == cuda::kNotReady)
      std::this_thread::yield();
    driver->copyToHost(bytes.data(), reinterpret_cast<uint64_t>(into), received, stream);
    driver->streamSynchronize(stream);
    for (uint64_t address : memory)
      driver->memFree(address);
    memory.clear();
    return bytes;
  }

  Communicator &host;
  std::shared_ptr<const cuda::Driver> driver;
  std::unique_ptr<StreamCommunicator> nccl;
  cuda::Stream stream = nullptr;
  std::vector<uint64_t> memory;
  void *into = nullptr;
};

struct NcclTest : testing::Test {
  void SetUp() override {
    Result<std::shared_ptr<const cuda::Driver>> opened = cuda::Driver::open(MICA_FAKE_CUDA);
    ASSERT_TRUE(opened) << opened.error().message;
    driver = *opened;
    device = dlopen(MICA_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    library = dlopen(MICA_FAKE_NCCL, RTLD_NOW | RTLD_LOCAL);
    reinterpret_cast<void (*)(uint64_t)>(dlsym(device, "fakeCudaReset"))(uint64_t(1) << 30);
    cuda::Context context = nullptr;
    driver->primaryContextRetain(&context, 0);
    ::setenv("FAKE_NCCL_FOLDER", testing::TempDir().c_str(), 1);
  }
  void TearDown() override {
    EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(library, "fakeNcclLeaks"))(), 0);
    EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(device, "fakeCudaLeaks"))(), 0);
    ::unsetenv("FAKE_NCCL");
    ::unsetenv("FAKE_NCCL_VERSION");
    driver.reset();
    dlclose(library);
    dlclose(device);
  }
  /// Runs `body` for each of `count` ranks, each on a thread of its own.
  template <typename Body> void onRanks(int32_t count, Body body) {
    std::vector<std::unique_ptr<Communicator>> ranks = createLocalRanks(count);
    std::vector<std::thread> threads;
    for (std::unique_ptr<Communicator> &rank : ranks)
      threads.emplace_back([&] {
        Rank own(*rank, driver);
        body(own);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  /// Injects failures into the calls from now on.
  void fail(const std::string &what) {
    reinterpret_cast<void (*)()>(dlsym(library, "fakeNcclReset"))();
    ::setenv("FAKE_NCCL", what.c_str(), 1);
  }

  std::shared_ptr<const cuda::Driver> driver;
  void *device = nullptr, *library = nullptr;
};

/// Bytes of small numbers, the same for each run.
std::vector<char> partOf(int32_t rank, DType dtype, int64_t count) {
  HostTensor values(dtype, {count});
  for (int64_t i = 0; i < count; ++i)
    values.setDouble(i, double((i * 7 + rank * 5) % 11 + 1));
  return {reinterpret_cast<const char *>(values.data.data()),
          reinterpret_cast<const char *>(values.data.data()) + size_t(count * dtypeBytes(dtype))};
}

TEST_F(NcclTest, GivesWhatTheHostsRanksGive) {
  struct Case {
    Kind kind;
    int64_t sent, received; ///< parts
    bool reduces;
  };
  const Case cases[] = {
      {Kind::AllGather, 1, 3, false}, {Kind::AllReduce, 1, 1, true},  {Kind::ReduceScatter, 3, 1, true},
      {Kind::AllToAll, 3, 3, false},  {Kind::Broadcast, 1, 1, false}, {Kind::Gather, 1, 3, false},
      {Kind::Reduce, 1, 1, true},     {Kind::Scatter, 3, 1, false},   {Kind::Exchange, 1, 1, false}};
  const std::pair<const char *, int32_t> reductions[] = {
      {"sum", MICA_RANKS_SUM}, {"product", MICA_RANKS_PRODUCT}, {"min", MICA_RANKS_MIN}, {"max", MICA_RANKS_MAX}};
  const int32_t members[] = {0, 2, 3};
  std::atomic<int> compared{0};
  onRanks(4, [&](Rank &rank) {
    ASSERT_TRUE(rank.connect());
    EXPECT_EQ(rank.nccl->library(), "NCCL 2.21.5");
    const auto *place = std::find(std::begin(members), std::end(members), rank.host.rank());
    if (place == std::end(members))
      return;
    const auto self = int32_t(place - members);
    for (const Case &one : cases)
      for (int type = 0; type <= int(DType::Index); ++type)
        for (const auto &[reduction, number] : reductions) {
          const auto dtype = DType(type);
          artifact::CollectiveRecord record;
          record.kind = one.reduces ? "all_reduce" : "all_gather";
          record.reduction = reduction;
          if (!one.reduces && number != MICA_RANKS_SUM)
            continue;
          // Elements that are pairs have no numbers for setDouble to write.
          if (dtype == DType::C64 || dtype == DType::C128 || !ncclLacks(record, dtype).empty())
            continue;
          constexpr int64_t kCount = 5;
          const auto part = size_t(kCount * dtypeBytes(dtype));
          GroupCall call;
          call.kind = one.kind;
          call.members = members;
          call.self = self;
          call.count = kCount;
          call.dtype = dtype;
          call.reduction = number;
          call.root = 1;
          if (one.kind == Kind::Exchange) {
            call.sendTo = members[(self + 1) % 3];
            call.receiveFrom = members[(self + 2) % 3];
          }
          const std::vector<char> sent = partOf(self, dtype, kCount * one.sent);
          std::vector<char> expected(part * size_t(one.received));
          const Status queued = rank.queue(call, sent, expected.size());
          ASSERT_TRUE(queued) << queued.error().message;
          const std::vector<char> received = rank.wait(expected.size());
          call.send = sent.data();
          call.receive = expected.data();
          ASSERT_TRUE(rank.host.run(call, never));
          EXPECT_EQ(received, expected) << int(one.kind) << " " << reduction << " of " << dtypeName(dtype);
          ++compared;
        }
    GroupCall average;
    average.kind = Kind::AllReduce;
    average.members = members;
    average.self = self;
    average.count = 1;
    average.dtype = DType::F32;
    average.averages = true;
    const float own = float(self * 3), expected = 3;
    std::vector<char> sent(sizeof own), wanted(sizeof expected);
    std::memcpy(sent.data(), &own, sizeof own);
    std::memcpy(wanted.data(), &expected, sizeof expected);
    ASSERT_TRUE(rank.queue(average, sent, sizeof own));
    EXPECT_EQ(rank.wait(sizeof own), wanted);
  });
  EXPECT_GT(compared, 3 * 100);
}

TEST_F(NcclTest, WhatItLacksHasAName) {
  artifact::CollectiveRecord record;
  record.kind = "all_reduce";
  auto lacks = [&](const char *reduction, DType dtype) {
    record.reduction = reduction;
    return ncclLacks(record, dtype);
  };
  EXPECT_EQ(lacks("sum", DType::F32), "");
  EXPECT_EQ(lacks("average", DType::BF16), "");
  EXPECT_EQ(lacks("max", DType::I32), "");
  EXPECT_EQ(lacks("sum", DType::I16), "NCCL has no reductions of i16");
  EXPECT_EQ(lacks("sum", DType::C64), "NCCL has no reductions of complex<f32>");
  EXPECT_EQ(lacks("sum", DType::F8E4M3FN), "NCCL has no reductions of f8E4M3FN");
  EXPECT_EQ(lacks("xor", DType::I32), "NCCL has no reduction 'xor'");
  EXPECT_EQ(lacks("max", DType::F32), "NCCL's 'max' of f32 may lose NaN");
  EXPECT_EQ(lacks("average", DType::I32), "NCCL may round averages of i32 in another way");
  record.kind = "all_to_all";
  EXPECT_EQ(lacks("", DType::C128), "");
}

TEST_F(NcclTest, WithoutItAllRanksSaySo) {
  std::string messages[2], hints[2];
  auto ask = [&](const char *file) {
    onRanks(2, [&](Rank &rank) {
      const Status status = rank.connect(rank.host.rank() == 1 ? file : MICA_FAKE_NCCL);
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::Unsupported);
      messages[rank.host.rank()] = status.error().message;
      hints[rank.host.rank()] = status.error().hint;
    });
    EXPECT_EQ(messages[0], messages[1]);
    EXPECT_EQ(hints[0], "install NCCL 2.14 or later: apt-get install libnccl2, of NVIDIA's repository");
  };
  ask("/no/libnccl.so.2");
  EXPECT_TRUE(messages[0].starts_with("rank 1: /no/libnccl.so.2 not found: ")) << messages[0];
  ask(MICA_FAKE_CUDA);
  EXPECT_NE(messages[0].find(" lacks ncclGetVersion, ncclGetUniqueId, ncclComm"), std::string::npos) << messages[0];
  ::setenv("FAKE_NCCL_VERSION", "2804", 1);
  ask(MICA_FAKE_NCCL);
  EXPECT_NE(messages[0].find("is NCCL 2.8.4, expected 2.14 or later"), std::string::npos) << messages[0];
}

TEST_F(NcclTest, OneThatCannotConnectIsNamedByAll) {
  fail("ncclGetUniqueId=3");
  std::string messages[2];
  onRanks(2, [&](Rank &rank) {
    const Status status = rank.connect();
    messages[rank.host.rank()] = status ? "" : status.error().message;
  });
  for (const std::string &message : messages)
    EXPECT_TRUE(message.starts_with("rank 0: NCCL: cannot get an id for a group of ranks: internal error (3)"))
        << message;
}

/// A sum between two ranks, of which `rank` takes part if it is told to.
Status sum(Rank &rank) {
  static const int32_t members[] = {0, 1};
  GroupCall call;
  call.kind = Kind::AllReduce;
  call.members = members;
  call.self = rank.host.rank();
  call.count = 1;
  call.dtype = DType::F32;
  return rank.queue(call, std::vector<char>(4), 4);
}

TEST_F(NcclTest, CallsThatFailSayWhy) {
  fail("ncclAllReduce=4");
  onRanks(1, [&](Rank &rank) {
    ASSERT_TRUE(rank.connect());
    GroupCall call;
    call.kind = Kind::AllReduce;
    const int32_t members[] = {0};
    call.members = members;
    call.count = 1;
    call.dtype = DType::F32;
    const Status status = rank.queue(call, std::vector<char>(4), 4);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "NCCL: a call cannot begin: invalid argument (4): injected into ncclAllReduce");
    EXPECT_TRUE(rank.queue(call, std::vector<char>(4), 4));
    rank.wait(4);
  });
}

TEST_F(NcclTest, CallsThatFailLaterAreAborted) {
  fail("async=6@2");
  onRanks(2, [&](Rank &rank) {
    ASSERT_TRUE(rank.connect());
    ASSERT_TRUE(sum(rank));
    rank.wait(4);
    EXPECT_TRUE(rank.nccl->check());
    ASSERT_TRUE(sum(rank));
    EXPECT_EQ(rank.driver->streamQuery(rank.stream), cuda::kNotReady);
    const Status state = rank.nccl->check();
    ASSERT_FALSE(state);
    EXPECT_TRUE(state.error().message.starts_with(
        "NCCL: a call failed: remote process exited or there was a network error (6)"))
        << state.error().message;
    rank.nccl->abort();
    rank.wait(4); // comes back
    EXPECT_FALSE(sum(rank));
  });
}

TEST_F(NcclTest, AMemberThatDoesNotComeIsNotWaitedFor) {
  onRanks(2, [&](Rank &rank) {
    ASSERT_TRUE(rank.connect());
    ASSERT_TRUE(sum(rank));
    rank.wait(4);
    if (rank.host.rank() == 1) {
      rank.nccl->abort();
      return;
    }
    ASSERT_TRUE(sum(rank));
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(rank.driver->streamQuery(rank.stream), cuda::kNotReady);
    rank.nccl->abort();
    rank.wait(4);
  });
}

} // namespace
} // namespace mica::runtime
