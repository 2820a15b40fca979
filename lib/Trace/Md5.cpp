//===- Md5.cpp - MD5 of payloads -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One block is 64 steps in four rounds; the words are little-endian.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Md5.h"

#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "blocks are read as little-endian words");

namespace mica::trace {
namespace {

struct State {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
};

/// One step: `mixed` is the round's function of b, c and d.
#define MICA_MD5_STEP(mixed, a, b, c, d, word, constant, shift)                                                        \
  a = std::rotl(a + (mixed(b, c, d)) + (word) + constant##u, shift) + b;

inline uint32_t round1(uint32_t b, uint32_t c, uint32_t d) { return d ^ (b & (c ^ d)); }
inline uint32_t round2(uint32_t b, uint32_t c, uint32_t d) { return (d & b) + (~d & c); }
inline uint32_t round3(uint32_t b, uint32_t c, uint32_t d) { return b ^ c ^ d; }
inline uint32_t round4(uint32_t b, uint32_t c, uint32_t d) { return c ^ (b | ~d); }

void addBlocks(State &state, const char *data, size_t blocks) {
  uint32_t a = state.a, b = state.b, c = state.c, d = state.d;
  for (; blocks; --blocks, data += 64) {
    uint32_t w[16];
    std::memcpy(w, data, 64);
    const uint32_t a0 = a, b0 = b, c0 = c, d0 = d;
#define MICA_MD5_FOUR(mixed, i, j, k, l, c1, c2, c3, c4, s1, s2, s3, s4)                                               \
  MICA_MD5_STEP(mixed, a, b, c, d, w[i], c1, s1)                                                                       \
  MICA_MD5_STEP(mixed, d, a, b, c, w[j], c2, s2)                                                                       \
  MICA_MD5_STEP(mixed, c, d, a, b, w[k], c3, s3)                                                                       \
  MICA_MD5_STEP(mixed, b, c, d, a, w[l], c4, s4)
    MICA_MD5_FOUR(round1, 0, 1, 2, 3, 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 7, 12, 17, 22)
    MICA_MD5_FOUR(round1, 4, 5, 6, 7, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 7, 12, 17, 22)
    MICA_MD5_FOUR(round1, 8, 9, 10, 11, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 7, 12, 17, 22)
    MICA_MD5_FOUR(round1, 12, 13, 14, 15, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 7, 12, 17, 22)
    MICA_MD5_FOUR(round2, 1, 6, 11, 0, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 5, 9, 14, 20)
    MICA_MD5_FOUR(round2, 5, 10, 15, 4, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 5, 9, 14, 20)
    MICA_MD5_FOUR(round2, 9, 14, 3, 8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 5, 9, 14, 20)
    MICA_MD5_FOUR(round2, 13, 2, 7, 12, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 5, 9, 14, 20)
    MICA_MD5_FOUR(round3, 5, 8, 11, 14, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 4, 11, 16, 23)
    MICA_MD5_FOUR(round3, 1, 4, 7, 10, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 4, 11, 16, 23)
    MICA_MD5_FOUR(round3, 13, 0, 3, 6, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 4, 11, 16, 23)
    MICA_MD5_FOUR(round3, 9, 12, 15, 2, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 4, 11, 16, 23)
    MICA_MD5_FOUR(round4, 0, 7, 14, 5, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 6, 10, 15, 21)
    MICA_MD5_FOUR(round4, 12, 3, 10, 1, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1, 6, 10, 15, 21)
    MICA_MD5_FOUR(round4, 8, 15, 6, 13, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 6, 10, 15, 21)
    MICA_MD5_FOUR(round4, 4, 11, 2, 9, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391, 6, 10, 15, 21)
#undef MICA_MD5_FOUR
    a += a0;
    b += b0;
    c += c0;
    d += d0;
  }
  state = {a, b, c, d};
}
#undef MICA_MD5_STEP

} // namespace

Digest md5(std::string_view bytes) {
  State state;
  const size_t whole = bytes.size() / 64;
  addBlocks(state, bytes.data(), whole);
  // The rest, a one bit, zeros, and the length in bits: one block or two.
  char tail[128] = {};
  const size_t rest = bytes.size() - whole * 64;
  if (rest)
    std::memcpy(tail, bytes.data() + whole * 64, rest);
  tail[rest] = static_cast<char>(0x80);
  const size_t blocks = rest < 56 ? 1 : 2;
  const uint64_t bits = static_cast<uint64_t>(bytes.size()) * 8;
  std::memcpy(tail + blocks * 64 - 8, &bits, 8);
  addBlocks(state, tail, blocks);
  Digest digest;
  std::memcpy(digest.data(), &state, 16);
  return digest;
}

std::string hexDigits(const Digest &digest) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool parseDigest(std::string_view text, Digest &digest) {
  if (text.size() != 32)
    return false;
  auto value = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  for (size_t i = 0; i < 16; ++i) {
    const int high = value(text[2 * i]), low = value(text[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    digest[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return true;
}

} // namespace mica::trace
