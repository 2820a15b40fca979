//===- DelayMessages.cpp - a slow network, and one that changes a number ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A library for LD_PRELOAD. With MICA_TEST_DELAY_US each MPI_Iallreduce is complete no sooner than so many microseconds
// after it began, without work for a CPU, as if the link were slow. With MICA_TEST_CORRUPT the first number that rank 1
// receives in each is another one. As in LoseMessages.cpp, no headers of MPI are needed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

using Clock = std::chrono::steady_clock;

/// The exchange that is under way: there is one at a time.
void *pending = nullptr;
unsigned char *received = nullptr;
Clock::time_point earliest;

bool isRankOne() {
  const char *rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (!rank)
    rank = std::getenv("PMI_RANK");
  return rank && std::strcmp(rank, "1") == 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int MPI_Iallreduce(const void *send, void *receive, int count,
                                                                     intptr_t type, intptr_t operation,
                                                                     intptr_t communicator, void *request) {
  static const auto real = reinterpret_cast<decltype(&MPI_Iallreduce)>(::dlsym(RTLD_NEXT, "MPI_Iallreduce"));
  const char *delay = std::getenv("MICA_TEST_DELAY_US");
  earliest = Clock::now() + std::chrono::microseconds(delay ? std::atol(delay) : 0);
  pending = request;
  received = static_cast<unsigned char *>(receive);
  return real(send, receive, count, type, operation, communicator, request);
}

extern "C" __attribute__((visibility("default"))) int MPI_Testall(int count, void *requests, int *flag,
                                                                  void *statuses) {
  static const auto real = reinterpret_cast<decltype(&MPI_Testall)>(::dlsym(RTLD_NEXT, "MPI_Testall"));
  if (requests == pending && Clock::now() < earliest) {
    *flag = 0;
    return 0;
  }
  const int code = real(count, requests, flag, statuses);
  if (code == 0 && *flag && requests == pending) {
    if (std::getenv("MICA_TEST_CORRUPT") && isRankOne())
      received[0] ^= 1;
    pending = nullptr;
  }
  return code;
}
