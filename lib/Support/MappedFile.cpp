//===- MappedFile.cpp - files in memory -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/MappedFile.h"

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Files.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace mica {

Result<std::unique_ptr<MappedFile>> MappedFile::open(const std::filesystem::path &file) {
  FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  if (!descriptor || ::fstat(descriptor.get(), &info) != 0)
    return systemError("read", file, errno);
  if (S_ISDIR(info.st_mode))
    return systemError("read", file, EISDIR);
  if (!S_ISREG(info.st_mode))
    return Error{ErrorCode::InvalidInput, "cannot read " + file.string() + ": it is a pipe or a device, not a file",
                 "copy its contents to a file first"};
  void *address = nullptr;
  if (info.st_size > 0) {
    address = ::mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
    if (address == MAP_FAILED)
      return systemError("read", file, errno);
  }
  return std::unique_ptr<MappedFile>(new MappedFile(static_cast<const uint8_t *>(address), info.st_size));
}

MappedFile::~MappedFile() {
  if (bytes > 0)
    ::munmap(const_cast<uint8_t *>(address), static_cast<size_t>(bytes));
}

} // namespace mica
