//===- ZipFolder.cpp - a folder as one file --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The classic format, APPNOTE 6.3: local headers, deflated contents, the directory. Each file is in memory deflated
// only.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/ZipFolder.h"

#include "lib/Report/Log/RawOutputs.h"
#include "mica/Support/Files.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

void put(std::string &out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += i < 8 ? static_cast<char>(value >> (8 * i) & 0xff) : '\0';
}

struct Member {
  std::string name;
  uint32_t crc = 0;
  uint64_t size = 0, packed = 0, offset = 0;
};

/// What the local header and the directory have in common: version 2.0, UTF-8 names, deflated, 1980-01-01.
void putCommon(std::string &out, const Member &member) {
  put(out, 20, 2);
  put(out, 1 << 11, 2);
  put(out, 8, 2);
  put(out, 0, 2);
  put(out, 0x21, 2);
  put(out, member.crc, 4);
  put(out, member.packed, 4);
  put(out, member.size, 4);
  put(out, member.name.size(), 2);
  put(out, 0, 2);
}

Result<std::string> deflateFile(const fs::path &file, Member &member) {
  z_stream stream = {};
  if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{ErrorCode::Internal, "zlib does not start", ""};
  std::string out, buffer(64 << 10, '\0');
  auto feed = [&](std::string_view piece, int flush) {
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      out.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  const Status read = readPieces(file, [&](std::string_view piece) {
    member.crc = static_cast<uint32_t>(
        crc32(member.crc, reinterpret_cast<const Bytef *>(piece.data()), static_cast<uInt>(piece.size())));
    member.size += piece.size();
    feed(piece, Z_NO_FLUSH);
  });
  feed({}, Z_FINISH);
  deflateEnd(&stream);
  MICA_RETURN_IF_ERROR(read);
  member.packed = out.size();
  return out;
}

} // namespace

Status zipFolder(const fs::path &folder, const std::string &root, const fs::path &file) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  if (error)
    return systemError("read", folder, error.value());
  std::sort(files.begin(), files.end());
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> out, OutputFile::create(file));
  std::string directory;
  uint64_t offset = 0;
  for (const fs::path &path : files) {
    Member member;
    member.name = root + "/" + path.lexically_relative(folder).generic_string();
    member.offset = offset;
    MICA_ASSIGN_OR_RETURN(const std::string packed, deflateFile(path, member));
    std::string header;
    put(header, 0x04034b50, 4);
    putCommon(header, member);
    header += member.name;
    out->write(header);
    out->write(packed);
    offset += header.size() + packed.size();
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    putCommon(directory, member);
    put(directory, 0, 2 + 2 + 2 + 4);
    put(directory, member.offset, 4);
    directory += member.name;
    if (member.size > UINT32_MAX || offset > UINT32_MAX || files.size() > UINT16_MAX)
      return Error{ErrorCode::Unsupported, "the report is too large for a zip file of the classic format",
                   "leave --zip out and pack the folder with another tool"};
  }
  const uint64_t size = directory.size();
  put(directory, 0x06054b50, 4);
  put(directory, 0, 4);
  put(directory, files.size(), 2);
  put(directory, files.size(), 2);
  put(directory, size, 4);
  put(directory, offset, 4);
  put(directory, 0, 2);
  out->write(directory);
  return out->finish();
}

} // namespace mica::report
