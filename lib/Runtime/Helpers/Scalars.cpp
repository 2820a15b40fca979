//===- Scalars.cpp - helpers that print scalars and tell the time -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Helpers/Helpers.h"

#include "mica/ABI/Helpers.h"
#include "mica/Support/SmallFloat.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <pthread.h>

namespace mica::runtime {

void writeOut(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

static void printI64(int64_t value) { std::printf("%" PRId64, value); }
static void printU64(uint64_t value) { std::printf("%" PRIu64, value); }
static void printF32(float value) { std::printf("%g", double(value)); }
static void printF64(double value) { std::printf("%lg", value); }
static void printF16(uint16_t bits) { std::printf("%g", fromF16(bits)); }
static void printBF16(uint16_t bits) { std::printf("%g", fromBF16(bits)); }
static void printString(const char *text) { std::fputs(text, stdout); }
static void printOpen() { std::fputs("( ", stdout); }
static void printClose() { std::fputs(" )", stdout); }
static void printComma() { std::fputs(", ", stdout); }
static void printNewline() {
  std::fputc('\n', stdout);
  std::fflush(stdout);
}
static void printFlops(double flops) { std::fprintf(stderr, "%lf GFLOPS\n", flops / 1.0E9); }

/// Seconds and nanoseconds since some moment.
static double rtclock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}
static int64_t nanoTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What is left below the limit is for what the program calls.
static int64_t stackLimit() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  void *lowest = nullptr;
  size_t size = 0;
  const bool isKnown = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  constexpr size_t kReserve = size_t(512) << 10;
  return isKnown ? int64_t(reinterpret_cast<intptr_t>(lowest)) + int64_t(std::min(kReserve, size / 4)) : 0;
}

template <typename F> static void *addressOf(F *function) { return reinterpret_cast<void *>(function); }

std::vector<Helper> allHelpers() {
  std::vector<Helper> helpers = {{"printI64", addressOf(printI64)},
                                 {"printU64", addressOf(printU64)},
                                 {"printF16", addressOf(printF16)},
                                 {"printBF16", addressOf(printBF16)},
                                 {"printF32", addressOf(printF32)},
                                 {"printF64", addressOf(printF64)},
                                 {"printString", addressOf(printString)},
                                 {"printCString", addressOf(printString)},
                                 {"printOpen", addressOf(printOpen)},
                                 {"printClose", addressOf(printClose)},
                                 {"printComma", addressOf(printComma)},
                                 {"printNewline", addressOf(printNewline)},
                                 {"printFlops", addressOf(printFlops)},
                                 {"rtclock", addressOf(rtclock)},
                                 {"nanoTime", addressOf(nanoTime)},
                                 {"_mlir_ciface_nanoTime", addressOf(nanoTime)},
                                 {"_mlir_ciface_rtclock", addressOf(rtclock)},
                                 {MICA_HELPER_STACK_LIMIT, addressOf(stackLimit)}};
  for (const char *name : {"printI64", "printU64", "printF32", "printF64", "printNewline", "printFlops"})
    for (const Helper &helper : std::vector<Helper>(helpers))
      if (helper.name == name)
        helpers.push_back({std::string("_mlir_ciface_") + name, helper.address});
  appendBufferHelpers(helpers);
  appendAsyncHelpers(helpers);
  return helpers;
}

} // namespace mica::runtime
