//===- ZipFolder.cpp - a folder as one file --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Each file is in memory deflated only.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/ZipFolder.h"

#include "lib/Compare/Zip.h"
#include "lib/Report/Log/RawOutputs.h"
#include "mica/Support/Files.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace fs = std::filesystem;

namespace mica::report {
namespace {

/// The contents of a file, deflated, and what the headers say of them.
struct Deflated {
  std::string packed;
  uint32_t crc = 0;
  uint64_t size = 0;
};

Result<Deflated> deflateFile(const fs::path &file) {
  Deflated member;
  z_stream stream = {};
  if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{ErrorCode::Internal, "zlib does not start", ""};
  std::string buffer(64 << 10, '\0');
  auto feed = [&](std::string_view piece, int flush) {
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      member.packed.append(buffer.data(), buffer.size() - stream.avail_out);
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
  return member;
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
  ZipHeaders headers;
  for (const fs::path &path : files) {
    MICA_ASSIGN_OR_RETURN(const Deflated member, deflateFile(path));
    const std::string name = root + "/" + path.lexically_relative(folder).generic_string();
    out->write(headers.addMember(name, /*method=*/8, member.crc, member.size, member.packed.size()));
    out->write(member.packed);
  }
  out->write(headers.finish());
  return out->finish();
}

} // namespace mica::report
