//===- Statistics.h - a tensor in a hundred bytes --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What is kept of every tensor of a dump, also where its elements are not: a hash of its bytes, and numbers that say
// how it looks. One pass over the tensor, of the widest vectors that the CPU has.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DUMP_STATISTICS_H
#define MICA_DUMP_STATISTICS_H

#include "mica/Support/HostTensor.h"

#include <array>
#include <cstdint>
#include <string>

namespace mica::dump {

/// A hash of a tensor's bytes. It is not cryptographic.
using ContentHash = std::array<uint64_t, 2>;

/// 32 hex digits.
std::string hashText(const ContentHash &hash);

/// min, max, mean and largest magnitude are of the finite elements, and 0 where there is none. i1 counts as 0 and 1.
struct Statistics {
  int64_t count = 0; ///< elements
  double min = 0, max = 0, mean = 0, absMax = 0;
  int64_t nan = 0, inf = 0, zero = 0; ///< how many; both signs

  int64_t finite() const { return count - nan - inf; }
  bool operator==(const Statistics &) const = default;
};

/// Of `count` elements at `data`, packed and aligned to their size. The same on every machine but for the mean's last
/// digits.
Statistics statisticsOf(DType type, const void *data, int64_t count);

/// Of `bytes` bytes. The same on every machine of one byte order; several times as fast as mica::Hasher.
ContentHash contentHash(const void *data, int64_t bytes);

/// Both of them, in one pass over the memory.
struct Fingerprint {
  ContentHash hash{};
  Statistics statistics;
};
Fingerprint fingerprintOf(DType type, const void *data, int64_t count);

/// A sample is made of blocks of so many bytes.
inline constexpr int64_t kSampleBlock = 4096;
/// How many bytes a sample of `bytes` bytes has that is to have `limit` at most: whole blocks, at least two; `bytes`
/// where that is all.
int64_t sampleBytes(int64_t bytes, int64_t limit);
/// Of a sample of `sampled` bytes, a result of sampleBytes(): its blocks are spread evenly, from the first elements to
/// the last. `statistics.count` is the number of elements in it. The same positions for all tensors of this size.
Fingerprint fingerprintOfSample(DType type, const void *data, int64_t count, int64_t sampled);

} // namespace mica::dump

#endif // MICA_DUMP_STATISTICS_H
