//===- Writer.h - writing a dump -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Everything is with the system when a call returns, so that it survives the process. A line of the index names
// elements that are written already.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DUMP_WRITER_H
#define MICA_DUMP_WRITER_H

#include "mica/Dump/Statistics.h"
#include "mica/Support/Status.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mica::dump {

/// Any thread.
class Writer {
public:
  /// Makes `folder`, or empties a dump that is there. `header`: members of the first line, as JSON, each with a comma
  /// behind it. Fails with Io.
  static Result<std::unique_ptr<Writer>> create(const std::filesystem::path &folder, std::string_view header);
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;
  /// Closes.
  ~Writer();

  /// Adds `bytes` bytes whose hash is `hash` and returns where they lie; what was written before is not written again.
  /// Returns -1, with the reason in `why`, where the system refuses.
  int64_t addPayload(const void *data, int64_t bytes, const ContentHash &hash, std::string &why);
  /// Adds `line`, which ends with a line break.
  void addLine(std::string_view line);

  int64_t payloadBytes() const { return end.load(std::memory_order_relaxed); }
  const std::filesystem::path &folder() const { return place; }
  /// The first failure to write a line: the index lacks all after it.
  Status status() const;
  void close();

private:
  struct HashOfHash {
    size_t operator()(const ContentHash &hash) const { return size_t(hash[0]); }
  };
  Writer() = default;
  int append(std::string_view line);
  bool mapMore(int64_t bytes);
  void unmap();

  std::filesystem::path place;
  int index = -1, payload = -1;
  /// The part of the index that is mapped: what is copied there is with the system at once, as if it were written.
  char *window = nullptr;
  int64_t windowBegin = 0, windowEnd = 0, indexEnd = 0;
  bool isMapped = true; ///< false: the file system cannot, and lines are written
  mutable std::mutex mutex;
  std::unordered_map<ContentHash, int64_t, HashOfHash> known; ///< to offsets
  std::atomic<int64_t> end{0};
  int failure = 0; ///< errno
};

} // namespace mica::dump

#endif // MICA_DUMP_WRITER_H
