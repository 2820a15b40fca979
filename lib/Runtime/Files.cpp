//===- Files.cpp - the files of an artifact in memory ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Files.h"

#include "mica/Support/MappedFile.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>

namespace mica::runtime {

#if defined(__x86_64__)
static constexpr int kMachine = EM_X86_64;
static constexpr const char *kMachineName = "x86-64";
#elif defined(__aarch64__)
static constexpr int kMachine = EM_AARCH64;
static constexpr const char *kMachineName = "aarch64";
#else
#error "name this machine's ELF number"
#endif

/// Fails unless `file` is a whole 64-bit shared object for this machine.
static Status checkObject(const MappedFile &object, const std::filesystem::path &file) {
  auto damaged = [&](const std::string &what) {
    return Error{ErrorCode::Damaged, file.string() + ": " + what, "compile the program again"};
  };
  Elf64_Ehdr header;
  auto size = uint64_t(object.size());
  if (size < sizeof(header))
    return damaged("is " + std::to_string(size) + " bytes long, too short for a shared object");
  std::memcpy(&header, object.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return damaged("is not a 64-bit shared object");
  if (header.e_machine != kMachine)
    return Error{ErrorCode::Unsupported,
                 file.string() + ": was compiled for another machine (ELF machine " + std::to_string(header.e_machine) +
                     "; this one is " + kMachineName + ")",
                 "compile the program on this machine"};
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr))
    return damaged("is not a shared object");
  // The furthest byte that a header speaks of.
  auto beyond = [&](uint64_t offset, uint64_t length) { return length > size || offset > size - length; };
  bool truncated = beyond(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr)) ||
                   (header.e_shnum && beyond(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize));
  for (unsigned i = 0; !truncated && i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, object.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
    truncated = beyond(segment.p_offset, segment.p_filesz);
  }
  if (truncated)
    return damaged("is truncated: its headers describe more than its " + std::to_string(size) + " bytes");
  return Status::ok();
}

Result<std::unique_ptr<SharedLibrary>>
SharedLibrary::open(const std::filesystem::path &file, const std::function<Status(const std::string &hash)> &check) {
  MICA_ASSIGN_OR_RETURN(PrivateFile copy, PrivateFile::copy(file));
  {
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<MappedFile> object, MappedFile::open(copy.path()));
    MICA_RETURN_IF_ERROR(checkObject(*object, file));
  }
  MICA_RETURN_IF_ERROR(check(copy.hash()));
  void *handle = dlopen(copy.path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    return Error{ErrorCode::Damaged, file.string() + ": cannot be loaded: " + (reason ? reason : "no reason given"),
                 "compile the program again"};
  }
  return std::unique_ptr<SharedLibrary>(new SharedLibrary(handle, file, std::move(copy)));
}

SharedLibrary::~SharedLibrary() { dlclose(handle); }

Result<void *> SharedLibrary::symbol(const std::string &name) const {
  if (void *address = dlsym(handle, name.c_str()))
    return address;
  return Error{ErrorCode::Damaged, file.string() + ": has no symbol '" + name + "'", "compile the program again"};
}

} // namespace mica::runtime
