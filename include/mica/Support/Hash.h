//===- Hash.h - hashes of contents -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The hash of all of Mica's files: MurmurHash3 x64 128 with seed 0, printed as 32 hex digits. It is not cryptographic:
// it detects changes and names contents, but does not protect against forgery. Its values are part of file formats
// (manifest.json, names of constants, op ids) and never change.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_HASH_H
#define MICA_SUPPORT_HASH_H

#include "mica/Support/Status.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mica {

/// Hashes a stream; about 4 GB/s a core. The result does not depend on how the stream is split.
class Hasher {
public:
  void update(const void *data, size_t bytes);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// The hash of all input so far; more input may follow.
  std::array<uint64_t, 2> finish() const;
  /// finish() as 32 hex digits.
  std::string hex() const;

private:
  void mix(const uint8_t *block);

  uint64_t h1 = 0, h2 = 0;
  uint64_t total = 0;
  std::array<uint8_t, 16> rest{}; ///< the last total % 16 bytes
};

/// The first half of the hash of `bytes` bytes at `data`.
uint64_t hash64(const void *data, size_t bytes);

/// The hash of `bytes` as 32 hex digits.
std::string hashHex(std::string_view bytes);

/// The hash of a file's contents, read in pieces. Fails as readFile does.
Result<std::string> hashFile(const std::filesystem::path &file);

} // namespace mica

#endif // MICA_SUPPORT_HASH_H
