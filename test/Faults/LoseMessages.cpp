//===- LoseMessages.cpp - a network that loses a message -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A library for LD_PRELOAD: rank 1's first MPI_Iallreduce is never started, and rank 1 waits for it forever, as if what
// it sent had been lost. It needs no headers of MPI: what MPI's types are does not matter, because they are passed in
// registers, whole pointers by Open MPI and integers by MPICH.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

bool isLost = false;

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
  if (isRankOne()) {
    isLost = true;
    return 0;
  }
  static const auto real = reinterpret_cast<decltype(&MPI_Iallreduce)>(::dlsym(RTLD_NEXT, "MPI_Iallreduce"));
  return real(send, receive, count, type, operation, communicator, request);
}

extern "C" __attribute__((visibility("default"))) int MPI_Testall(int count, void *requests, int *flag,
                                                                  void *statuses) {
  if (isLost) {
    *flag = 0;
    return 0;
  }
  static const auto real = reinterpret_cast<decltype(&MPI_Testall)>(::dlsym(RTLD_NEXT, "MPI_Testall"));
  return real(count, requests, flag, statuses);
}
