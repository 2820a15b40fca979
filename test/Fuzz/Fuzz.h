//===- Fuzz.h - what the fuzzers share --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Every file <Name>Fuzzer.cpp defines LLVMFuzzerTestOneInput over one reader. A reader may refuse any bytes, with a
// message; it must not crash, and what it takes must survive being written and read again.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_FUZZ_FUZZ_H
#define MICA_TEST_FUZZ_FUZZ_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace mica::fuzz {

/// Ends the process, which the fuzzer and the replay count as a finding, where `holds` is false.
inline void expect(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "property violated: %s\n", what);
  std::abort();
}

/// A refusal of a reader: its message must say something, and is the user's fault, not Mica's.
inline void checkRefusal(const Error &error) {
  expect(!error.message.empty(), "an error has a message");
  expect(error.code != ErrorCode::Internal, "bad input is no internal error");
}

inline std::string_view view(const uint8_t *data, size_t size) { return {reinterpret_cast<const char *>(data), size}; }

} // namespace mica::fuzz

#endif // MICA_TEST_FUZZ_FUZZ_H
