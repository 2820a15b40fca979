//===- Zip.h - zip files ----------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the directory of a zip file, and its members. Zip64 is read and, where sizes need it, written.
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
  std::string_view data; ///< as it lies in the file
};

/// The members, in the directory's order. Every place is checked to lie within `contents`.
Result<std::vector<ZipMember>> readZipDirectory(std::string_view contents, const std::string &file);

/// The contents of a member, checked against its checksum. Stored contents stay where they are; `buffer` holds deflated
/// ones.
Result<std::string_view> readZipMember(const ZipMember &member, const std::string &file, std::string &buffer);

/// The first bytes of a member, at most `most` of them, not checked against its checksum. Errors as readZipMember().
Result<std::string_view> readZipMemberHead(const ZipMember &member, size_t most, const std::string &file,
                                           std::string &buffer);

/// The headers of a zip file that is being written: what stands between the members, and the directory behind them.
class ZipHeaders {
public:
  /// The header of the next member, whose `packed` bytes (stored: its contents; deflated) come right behind it. `crc`
  /// and `size` are of the contents. Dated 1980-01-01, so the same members give the same bytes; zip64 where they need
  /// it.
  std::string addMember(const std::string &name, uint16_t method, uint32_t crc, uint64_t size, uint64_t packed);
  /// What comes behind the last member.
  std::string finish();

private:
  std::string directory;
  uint64_t count = 0, offset = 0;
};

/// A zip file of stored members.
class ZipWriter {
public:
  /// Adds a member whose contents are `head` and then `body`, which must live until the pieces are written.
  void add(const std::string &name, std::string head, std::string_view body);
  FilePieces finish();

private:
  FilePieces pieces;
  ZipHeaders headers;
};

} // namespace mica

#endif // MICA_LIB_COMPARE_ZIP_H
