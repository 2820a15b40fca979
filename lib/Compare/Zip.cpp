//===- Zip.cpp - zip files --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Field offsets are from PKWARE's APPNOTE.TXT. The central directory is used, and of the local headers only the
// lengths.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compare/Zip.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <limits>

#include <zlib.h>

namespace mica {
namespace {

constexpr uint32_t kMember = 0x04034b50, kDirectory = 0x02014b50, kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr uint32_t kNone32 = 0xffffffff; ///< "see the zip64 field"
constexpr uint16_t kZip64Field = 1;
constexpr uint16_t kStored = 0, kDeflated = 8; ///< methods
/// Deflate's maximum compression ratio: a larger size is damage, detected before memory is allocated.
constexpr uint64_t kMaxRatio = 1032;

/// A little-endian integer of `bytes` bytes at `at`; 0 beyond the end.
uint64_t number(std::string_view text, uint64_t at, size_t bytes) {
  if (at > text.size() || text.size() - at < bytes)
    return 0;
  uint64_t value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(text[at + i]);
  return value;
}

void append(std::string &text, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    text += i < sizeof value ? static_cast<char>(value >> (8 * i) & 0xff) : '\0';
}

Error damaged(const std::string &file, const std::string &what) {
  return Error{ErrorCode::Damaged, file + ": " + what,
               "the file was cut off or edited: copy or save it again with numpy.savez"};
}

/// The position of the central directory, and its number of members.
struct Directory {
  uint64_t offset = 0, bytes = 0, count = 0;
};

Result<Directory> findDirectory(std::string_view contents, const std::string &file) {
  if (!contents.starts_with("PK"))
    return Error{ErrorCode::Damaged, file + ": not an .npz file (it does not begin as a zip file does)",
                 contents.starts_with("\x93NUMPY") ? "this is an .npy file: name it so"
                                                   : "give a file that numpy.savez wrote"};
  // The end record is at the end of the file, followed only by a comment of at most 64 KiB.
  constexpr size_t kEndBytes = 22, kMaxComment = 65535;
  const size_t lowest = contents.size() > kEndBytes + kMaxComment ? contents.size() - kEndBytes - kMaxComment : 0;
  size_t at =
      contents.size() < kEndBytes ? std::string_view::npos : contents.rfind("PK\5\6", contents.size() - kEndBytes);
  if (at == std::string_view::npos || at < lowest)
    return damaged(file, "the directory at its end is missing: it was cut off");
  Directory directory{number(contents, at + 16, 4), number(contents, at + 12, 4), number(contents, at + 10, 2)};
  if (at >= 20 && number(contents, at - 20, 4) == kLocator64) {
    const uint64_t end64 = number(contents, at - 12, 8);
    if (number(contents, end64, 4) != kEnd64)
      return damaged(file, "its zip64 directory is not where it should be");
    directory = {number(contents, end64 + 48, 8), number(contents, end64 + 40, 8), number(contents, end64 + 32, 8)};
  }
  if (directory.offset > at || directory.bytes > at - directory.offset)
    return damaged(file, "its directory is not where it should be");
  return directory;
}

/// Reads sizes and position from the zip64 field of a directory entry, if they are there.
void takeZip64(std::string_view extra, uint64_t &size, uint64_t &packed, uint64_t &offset) {
  while (extra.size() >= 4) {
    const uint64_t kind = number(extra, 0, 2), length = number(extra, 2, 2);
    if (kind == kZip64Field) {
      const std::string_view field = extra.substr(4, length);
      uint64_t at = 0;
      for (uint64_t *value : {&size, &packed, &offset})
        if (*value == kNone32) {
          *value = number(field, at, 8);
          at += 8;
        }
      return;
    }
    extra.remove_prefix(std::min<size_t>(extra.size(), 4 + length));
  }
}

} // namespace

Result<std::vector<ZipMember>> readZipDirectory(std::string_view contents, const std::string &file) {
  MICA_ASSIGN_OR_RETURN(const Directory directory, findDirectory(contents, file));
  const std::string_view text = contents.substr(directory.offset, directory.bytes);
  std::vector<ZipMember> members;
  uint64_t at = 0;
  for (uint64_t i = 0; i < directory.count; ++i) {
    constexpr uint64_t kEntryBytes = 46;
    const uint64_t nameBytes = number(text, at + 28, 2), extraBytes = number(text, at + 30, 2);
    if (number(text, at, 4) != kDirectory || text.size() - at < kEntryBytes + nameBytes + extraBytes)
      return damaged(file, "entry " + std::to_string(i) + " of its directory is cut off or overwritten");
    ZipMember member;
    member.encrypted = number(text, at + 8, 2) & 1;
    member.method = static_cast<uint16_t>(number(text, at + 10, 2));
    member.crc = static_cast<uint32_t>(number(text, at + 16, 4));
    uint64_t packed = number(text, at + 20, 4), offset = number(text, at + 42, 4);
    member.size = number(text, at + 24, 4);
    member.name = text.substr(at + kEntryBytes, nameBytes);
    takeZip64(text.substr(at + kEntryBytes + nameBytes, extraBytes), member.size, packed, offset);
    at += kEntryBytes + nameBytes + extraBytes + number(text, at + 32, 2);

    constexpr uint64_t kHeaderBytes = 30;
    if (offset > contents.size() || number(contents, offset, 4) != kMember)
      return damaged(file, "member '" + member.name + "' is not where the directory says");
    const uint64_t start = offset + kHeaderBytes + number(contents, offset + 26, 2) + number(contents, offset + 28, 2);
    if (start > contents.size() || packed > contents.size() - start)
      return damaged(file, "member '" + member.name + "' is cut off");
    member.data = contents.substr(start, packed);
    members.push_back(std::move(member));
    if (at > text.size())
      return damaged(file, "its directory is cut off");
  }
  return members;
}

/// Inflates the first `bytes` bytes of `member`, which has that many, into `buffer`.
static Status inflateHead(const ZipMember &member, uint64_t bytes, const std::string &file, std::string &buffer) {
  const std::string shown = "member '" + member.name + "' ";
  buffer.resize(bytes);
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return Error{ErrorCode::Io, file + ": not enough memory to inflate " + shown, ""};
  // zlib uses 32-bit counts: both sides are processed in pieces.
  constexpr size_t kPiece = std::numeric_limits<uInt>::max();
  size_t taken = 0, given = 0;
  int code = Z_OK;
  while (code == Z_OK && (given < bytes || bytes == member.size)) {
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(member.data.data())) + taken;
    stream.avail_in = static_cast<uInt>(std::min(kPiece, member.data.size() - taken));
    stream.next_out = reinterpret_cast<Bytef *>(buffer.data()) + given;
    stream.avail_out = static_cast<uInt>(std::min(kPiece, buffer.size() - given));
    const uInt in = stream.avail_in, out = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    given += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (given != bytes || (bytes == member.size && code != Z_STREAM_END))
    return damaged(file,
                   shown + "does not inflate to its " + groupDigits(static_cast<int64_t>(member.size)) + " bytes");
  return {};
}

/// Checks that `member` has a supported form, and possible sizes.
static Status checkZipMember(const ZipMember &member, const std::string &file) {
  const std::string shown = "member '" + member.name + "' ";
  if (member.encrypted || (member.method != kStored && member.method != kDeflated))
    return Error{ErrorCode::Unsupported,
                 file + ": " + shown +
                     (member.encrypted ? std::string("is encrypted")
                                       : "is compressed by method " + std::to_string(member.method) +
                                             " (0, stored, and 8, deflated, are known)"),
                 "save it again with numpy.savez or numpy.savez_compressed"};
  if (member.method == kDeflated && member.size / kMaxRatio > member.data.size())
    return damaged(file, shown + "claims " + groupDigits(static_cast<int64_t>(member.size)) + " bytes from " +
                             groupDigits(static_cast<int64_t>(member.data.size())));
  return {};
}

Result<std::string_view> readZipMemberHead(const ZipMember &member, size_t most, const std::string &file,
                                           std::string &buffer) {
  MICA_RETURN_IF_ERROR(checkZipMember(member, file));
  if (member.method == kStored)
    return member.data.substr(0, most);
  MICA_RETURN_IF_ERROR(inflateHead(member, std::min<uint64_t>(most, member.size), file, buffer));
  return std::string_view(buffer);
}

Result<std::string_view> readZipMember(const ZipMember &member, const std::string &file, std::string &buffer) {
  MICA_RETURN_IF_ERROR(checkZipMember(member, file));
  const std::string shown = "member '" + member.name + "' ";
  std::string_view contents = member.data;
  if (member.method == kDeflated) {
    MICA_RETURN_IF_ERROR(inflateHead(member, member.size, file, buffer));
    contents = buffer;
  }
  if (contents.size() != member.size)
    return damaged(file, shown + "has " + groupDigits(static_cast<int64_t>(contents.size())) + " bytes, should have " +
                             groupDigits(static_cast<int64_t>(member.size)));
  if (crc32_z(0, reinterpret_cast<const Bytef *>(contents.data()), contents.size()) != member.crc)
    return damaged(file, shown + "does not have the checksum it was written with");
  return contents;
}

std::string ZipHeaders::addMember(const std::string &name, uint16_t method, uint32_t crc, uint64_t size,
                                  uint64_t packed) {
  const bool large = size >= kNone32 || packed >= kNone32, far = offset >= kNone32;
  // Version needed, flags (names are UTF-8), method, 1980-01-01 00:00, checksum, sizes, length of the name.
  std::string common;
  append(common, large || far ? 45 : 20, 2);
  append(common, 1 << 11, 2);
  append(common, method, 2);
  append(common, 0x00210000, 4);
  append(common, crc, 4);
  append(common, large ? kNone32 : packed, 4);
  append(common, large ? kNone32 : size, 4);
  append(common, name.size(), 2);
  std::string sizes;
  if (large) {
    append(sizes, size, 8);
    append(sizes, packed, 8);
  }

  std::string header;
  append(header, kMember, 4);
  header += common;
  append(header, large ? 4 + sizes.size() : 0, 2);
  header += name;
  if (large) {
    append(header, kZip64Field, 2);
    append(header, sizes.size(), 2);
    header += sizes;
  }

  if (far)
    append(sizes, offset, 8);
  append(directory, kDirectory, 4);
  append(directory, 45, 2); // made by
  directory += common;
  append(directory, sizes.empty() ? 0 : 4 + sizes.size(), 2);
  append(directory, 0, 2 + 2 + 2 + 4); // comment, disk, attributes
  append(directory, far ? kNone32 : offset, 4);
  directory += name;
  if (!sizes.empty()) {
    append(directory, kZip64Field, 2);
    append(directory, sizes.size(), 2);
    directory += sizes;
  }
  ++count;
  offset += header.size() + packed;
  return header;
}

std::string ZipHeaders::finish() {
  const uint64_t bytes = directory.size();
  std::string end;
  if (offset >= kNone32 || bytes >= kNone32 || count >= 0xffff) {
    append(end, kEnd64, 4);
    append(end, 44, 8);
    append(end, 45, 2);
    append(end, 45, 2);
    append(end, 0, 8); // disks
    append(end, count, 8);
    append(end, count, 8);
    append(end, bytes, 8);
    append(end, offset, 8);
    append(end, kLocator64, 4);
    append(end, 0, 4);
    append(end, offset + bytes, 8);
    append(end, 1, 4);
  }
  append(end, kEnd, 4);
  append(end, 0, 4); // disks
  append(end, std::min<uint64_t>(count, 0xffff), 2);
  append(end, std::min<uint64_t>(count, 0xffff), 2);
  append(end, std::min<uint64_t>(bytes, kNone32), 4);
  append(end, std::min<uint64_t>(offset, kNone32), 4);
  append(end, 0, 2);
  return std::move(directory) + end;
}

void ZipWriter::add(const std::string &name, std::string head, std::string_view body) {
  const uint64_t size = head.size() + body.size();
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef *>(head.data()), head.size());
  // The address of an empty tensor may be null, which zlib interprets as a reset.
  if (!body.empty())
    crc = crc32_z(crc, reinterpret_cast<const Bytef *>(body.data()), body.size());
  pieces.addText(headers.addMember(name, kStored, crc, size, size) + head);
  pieces.addBytes(body);
}

FilePieces ZipWriter::finish() {
  pieces.addText(headers.finish());
  return std::move(pieces);
}

} // namespace mica
