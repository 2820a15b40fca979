//===- Random.h - random numbers of inputs ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). A seed must give the same
// stream on every machine and in every version of Mica, as `random:SEED` on the command line promises.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPARE_RANDOM_H
#define MICA_LIB_COMPARE_RANDOM_H

#include <cstdint>

namespace mica {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// 0 to `count` - 1; `count` must be much smaller than 2^64.
  uint64_t below(uint64_t count) { return next() % count; }
  /// Uniform in [low, high].
  int64_t within(int64_t low, int64_t high) {
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (span == ~uint64_t(0) ? next() : next() % (span + 1)));
  }

private:
  uint64_t state;
};

} // namespace mica

#endif // MICA_LIB_COMPARE_RANDOM_H
