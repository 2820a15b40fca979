//===- Compress.h - texts in little room -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Zstandard frames (RFC 8878). A file of them is what `zstd -d`, `zstdless` and editors read; a skippable frame in it
// is seen by those who look for it alone.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_COMPRESS_H
#define MICA_SUPPORT_COMPRESS_H

#include "mica/Support/Status.h"

#include <memory>
#include <string>
#include <string_view>

namespace mica {

/// `contents` as one frame with a checksum. Fast rather than small: about 2 ns a byte.
std::string compress(std::string_view contents);

/// The same of contents that come in parts and need not be in memory together.
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

/// `contents` as a frame that decompress() passes over.
std::string skippableFrame(std::string_view contents);

/// The contents of the frames of `data`, one after the other; `file` is its name in errors. Errors: Damaged (cut off, a
/// checksum that does not hold, more than 4 GiB).
Result<std::string> decompress(std::string_view data, const std::string &file);

/// What the first skippable frame of `data` holds; empty where there is none. Errors: Damaged.
Result<std::string_view> findSkippable(std::string_view data, const std::string &file);

} // namespace mica

#endif // MICA_SUPPORT_COMPRESS_H
