//===- PrivateFile.cpp - private copies of files -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See PrivateFile.h. memfd_create(2): the file has no name that another process could create or open, and is freed with
// its last descriptor.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/PrivateFile.h"

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mica {

Result<PrivateFile> PrivateFile::copy(const std::filesystem::path &file) {
  FileDescriptor made(::memfd_create("mica", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!made)
    return systemError("make a copy of", file, errno);
  Hasher hasher;
  int64_t bytes = 0;
  int failed = 0;
  MICA_RETURN_IF_ERROR(readPieces(file, [&](std::string_view piece) {
    hasher.update(piece);
    bytes += static_cast<int64_t>(piece.size());
    while (!piece.empty() && failed == 0) {
      const ssize_t written = ::write(made.get(), piece.data(), piece.size());
      if (written < 0)
        failed = errno == EINTR ? 0 : errno;
      else
        piece.remove_prefix(static_cast<size_t>(written));
    }
  }));
  if (failed == 0 && ::lseek(made.get(), 0, SEEK_SET) != 0)
    failed = errno;
  if (failed != 0)
    return systemError("copy to memory", file, failed);
  // If seals are not supported, the descriptor is still private to this process.
  ::fcntl(made.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  PrivateFile copy;
  copy.file = made.release();
  copy.bytes = bytes;
  copy.contentsHash = hasher.hex();
  return copy;
}

PrivateFile::PrivateFile(PrivateFile &&other) noexcept
    : file(std::exchange(other.file, -1)), bytes(other.bytes), contentsHash(std::move(other.contentsHash)) {}

PrivateFile::~PrivateFile() {
  if (file >= 0)
    ::close(file);
}

std::filesystem::path PrivateFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file);
}

} // namespace mica
