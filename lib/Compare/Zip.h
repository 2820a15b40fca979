//===- Zip.h - zip files ----------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the directory of a zip file, and its members. Zip64 is read and, if sizes require it, written.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPARE_ZIP_H
#define MICA_LIB_COMPARE_ZIP_H

#include "lib/Compare/Archives.h"

namespace mica {

struct ZipMember {
  std::string name;
  uint16_t method = 0; ///< 0 stored, 8 deflated
  bool encrypted = false;
  uint32_t crc = 0;
  uint64_t size = 0;     ///< of the contents
  std::string_view data; ///< the raw data in the file
};

/// The members, in the directory's order. Every position is checked to be within `contents`.
Result<std::vector<ZipMember>> readZipDirectory(std::string_view contents, const std::string &file);

/// The contents of a member, checked against its checksum. Stored contents are returned in place; deflated ones are
/// inflated to `buffer`.
Result<std::string_view> readZipMember(const ZipMember &member, const std::string &file, std::string &buffer);

/// The first `most` bytes of a member, or fewer, not checked against its checksum. Errors as readZipMember().
Result<std::string_view> readZipMemberHead(const ZipMember &member, size_t most, const std::string &file,
                                           std::string &buffer);

/// Makes the headers of a zip file: those between the members, and the directory after them.
class ZipHeaders {
public:
  /// The header of the next member, which `packed` bytes follow (stored: its contents; deflated). `crc` and `size` are
  /// those of the contents. Dated 1980-01-01, so that the output is reproducible; zip64 if required.
  std::string addMember(const std::string &name, uint16_t method, uint32_t crc, uint64_t size, uint64_t packed);
  /// The data after the last member.
  std::string finish();

private:
  std::string directory;
  uint64_t count = 0, offset = 0;
};

/// A zip file of stored members.
class ZipWriter {
public:
  /// Adds a member with the contents `head` followed by `body`, which must stay valid until the pieces are written.
  void add(const std::string &name, std::string head, std::string_view body);
  FilePieces finish();

private:
  FilePieces pieces;
  ZipHeaders headers;
};

} // namespace mica

#endif // MICA_LIB_COMPARE_ZIP_H
