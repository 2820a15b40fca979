//===- Compress.h - compression ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Zstandard frames (RFC 8878). `zstd -d`, `zstdless` and editors read such files and ignore skippable frames.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_COMPRESS_H
#define MICA_SUPPORT_COMPRESS_H

#include "mica/Support/Status.h"

#include <memory>
#include <string>
#include <string_view>

namespace mica {

/// Compresses `contents` to one frame with a checksum. Prefers speed: about 2 ns a byte.
std::string compress(std::string_view contents);

/// Compresses contents that come in parts and need not be in memory together.
class Compressor {
public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor &) = delete;
  Compressor &operator=(const Compressor &) = delete;
  void add(std::string_view part);
  /// The frame of all parts. To be called once, after the last.
  std::string finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

/// `contents` as a frame that decompress() ignores.
std::string skippableFrame(std::string_view contents);

/// Decompresses the frames of `data`, one after the other; `file` is its name in errors. Errors: Damaged (truncated, a
/// wrong checksum, more than 4 GiB).
Result<std::string> decompress(std::string_view data, const std::string &file);

/// The contents of the first skippable frame of `data`; empty if there is none. Errors: Damaged.
Result<std::string_view> findSkippable(std::string_view data, const std::string &file);

} // namespace mica

#endif // MICA_SUPPORT_COMPRESS_H
