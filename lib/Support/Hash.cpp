//===- Hash.cpp - hashes of contents -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// MurmurHash3 x64 128 by Austin Appleby, public domain, written as a stream.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Hash.h"

#include "mica/Support/Files.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace mica {
namespace {

constexpr uint64_t kC1 = 0x87c37b91114253d5u;
constexpr uint64_t kC2 = 0x4cf5ad432745937fu;

uint64_t mixK1(uint64_t k) { return std::rotl(k * kC1, 31) * kC2; }
uint64_t mixK2(uint64_t k) { return std::rotl(k * kC2, 33) * kC1; }

/// The hash is defined on little-endian words.
uint64_t load64(const uint8_t *bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, 8);
  if constexpr (std::endian::native == std::endian::big)
    word = __builtin_bswap64(word);
  return word;
}

uint64_t finalMix(uint64_t k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdu;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53u;
  return k ^ (k >> 33);
}

} // namespace

void Hasher::mix(const uint8_t *block) {
  h1 ^= mixK1(load64(block));
  h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
  h2 ^= mixK2(load64(block + 8));
  h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
}

void Hasher::update(const void *data, size_t bytes) {
  if (bytes == 0)
    return;
  const auto *at = static_cast<const uint8_t *>(data);
  const size_t held = total % 16;
  total += bytes;
  if (held != 0) {
    const size_t taken = std::min(bytes, 16 - held);
    std::memcpy(rest.data() + held, at, taken);
    at += taken;
    bytes -= taken;
    if (held + taken < 16)
      return;
    mix(rest.data());
  }
  for (; bytes >= 16; at += 16, bytes -= 16)
    mix(at);
  std::memcpy(rest.data(), at, bytes);
}

std::array<uint64_t, 2> Hasher::finish() const {
  uint64_t a = h1, b = h2;
  const size_t held = total % 16;
  std::array<uint8_t, 16> tail{};
  std::memcpy(tail.data(), rest.data(), held);
  if (held > 8)
    b ^= mixK2(load64(tail.data() + 8));
  if (held > 0)
    a ^= mixK1(load64(tail.data()));
  a ^= total;
  b ^= total;
  a += b;
  b += a;
  a = finalMix(a);
  b = finalMix(b);
  a += b;
  b += a;
  return {a, b};
}

std::string Hasher::hex() const {
  const std::array<uint64_t, 2> hash = finish();
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash[0]),
                static_cast<unsigned long long>(hash[1]));
  return text;
}

uint64_t hash64(const void *data, size_t bytes) {
  Hasher hasher;
  hasher.update(data, bytes);
  return hasher.finish()[0];
}

std::string hashHex(std::string_view bytes) {
  Hasher hasher;
  hasher.update(bytes);
  return hasher.hex();
}

Result<std::string> hashFile(const std::filesystem::path &file) {
  Hasher hasher;
  MICA_RETURN_IF_ERROR(readPieces(file, [&](std::string_view piece) { hasher.update(piece); }));
  return hasher.hex();
}

} // namespace mica
