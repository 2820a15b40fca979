//===- MappedFile.h - files in memory ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A file of any size as bytes, without reading it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_MAPPEDFILE_H
#define MICA_SUPPORT_MAPPEDFILE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace mica {

/// A file mapped read-only. Pages are read when they are touched. The file must not be shortened while it is mapped; files
/// that Mica writes are replaced by rename, which leaves a mapping whole.
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

private:
  MappedFile(const uint8_t *address, int64_t bytes) : address(address), bytes(bytes) {}
  const uint8_t *address;
  int64_t bytes;
};

} // namespace mica

#endif // MICA_SUPPORT_MAPPEDFILE_H
