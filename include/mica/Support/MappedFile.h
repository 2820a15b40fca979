//===- MappedFile.h - memory-mapped files -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Access to the bytes of a file of any size without reading it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_MAPPEDFILE_H
#define MICA_SUPPORT_MAPPEDFILE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace mica {

/// A file mapped read-only. Pages are read on access; pages beyond the end of a file that was truncated since raise
/// SIGBUS. Files that Mica writes are replaced by rename, which keeps a mapping intact.
class MappedFile {
public:
  /// Fails as readFile does.
  static Result<std::unique_ptr<MappedFile>> open(const std::filesystem::path &file);
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();
  const uint8_t *data() const { return address; }
  int64_t size() const { return bytes; }
  std::string_view contents() const { return {reinterpret_cast<const char *>(address), static_cast<size_t>(bytes)}; }
  /// Whether size and modification time of the file are unchanged since it was opened: one system call.
  bool isUnchanged() const;

  /// From here on, pages without a byte of one of `ranges` (begin and end, in bytes) are not mapped: their addresses
  /// stay taken, and to read them is a fault. Returns the bytes of the pages that are still mapped.
  Result<int64_t> keepOnly(std::vector<std::pair<int64_t, int64_t>> ranges);
  /// Maps all pages again.
  Status keepAll();
  /// Bytes of its pages that are in memory for this process (/proc/self/smaps); 0 where that is unknown.
  int64_t residentBytes() const;

private:
  MappedFile(const uint8_t *address, int64_t bytes) : address(address), bytes(bytes) {}
  const uint8_t *address;
  int64_t bytes;
  int descriptor = -1;
  int64_t writtenSeconds = 0, writtenNanoseconds = 0;
  int place = -1; ///< position in the table of handleTruncation(); -1: the table is full
};

/// For tools: if a mapped file is truncated and then read, the process prints an error in the name of `tool` and ends
/// with exit code 1 instead of by SIGBUS. Other causes of that signal go to the previous handler. Not for libraries.
void handleTruncation(const char *tool);

} // namespace mica

#endif // MICA_SUPPORT_MAPPEDFILE_H
