//===- MappedFile.cpp - memory-mapped files ---------------------------------------------------------------------===//
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

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mica {

namespace {
/// A mapping for the signal handler: at a fixed address, without locks.
struct Mapping {
  std::atomic<uintptr_t> begin{0}; ///< 0: free
  std::atomic<uintptr_t> end{0};   ///< set after `path`, so that an entry is never seen partially
  char path[512];
};
} // namespace

static std::array<Mapping, 256> mappings;
static const char *toolName = "mica";
static struct sigaction formerAction;

static int note(const void *address, int64_t bytes, const std::filesystem::path &file) {
  for (size_t i = 0; bytes > 0 && i < mappings.size(); ++i) {
    Mapping &mapping = mappings[i];
    uintptr_t none = 0;
    const auto begin = reinterpret_cast<uintptr_t>(address);
    if (!mapping.begin.compare_exchange_strong(none, begin))
      continue;
    const std::string &path = file.native();
    const size_t length = std::min(path.size(), sizeof mapping.path - 1);
    std::memcpy(mapping.path, path.data(), length);
    mapping.path[length] = 0;
    mapping.end.store(begin + static_cast<uintptr_t>(bytes));
    return static_cast<int>(i);
  }
  return -1;
}

static void writeText(const char *text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// Async-signal-safe.
static void onBusError(int signal, siginfo_t *info, void *context) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (const Mapping &mapping : mappings)
    if (const uintptr_t begin = mapping.begin.load(); begin != 0 && address >= begin && address < mapping.end.load()) {
      for (const char *text : {toolName, ": error: ", mapping.path,
                               " was truncated while in use: its contents are lost\n"
                               "  hint: restore the file, and run again; write a new one beside it and rename it\n"})
        writeText(text);
      ::_exit(1);
    }
  if (formerAction.sa_flags & SA_SIGINFO)
    return formerAction.sa_sigaction(signal, info, context);
  if (formerAction.sa_handler != SIG_DFL && formerAction.sa_handler != SIG_IGN)
    return formerAction.sa_handler(signal);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void handleTruncation(const char *tool) {
  toolName = tool;
  struct sigaction action {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigaction(SIGBUS, &action, &formerAction);
}

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
  std::unique_ptr<MappedFile> mapped(new MappedFile(static_cast<const uint8_t *>(address), info.st_size));
  mapped->place = note(address, info.st_size, file);
  mapped->descriptor = descriptor.release();
  mapped->writtenSeconds = info.st_mtim.tv_sec;
  mapped->writtenNanoseconds = info.st_mtim.tv_nsec;
  return mapped;
}

bool MappedFile::isUnchanged() const {
  struct stat info;
  return ::fstat(descriptor, &info) == 0 && info.st_size == bytes && info.st_mtim.tv_sec == writtenSeconds &&
         info.st_mtim.tv_nsec == writtenNanoseconds;
}

Result<int64_t> MappedFile::keepOnly(std::vector<std::pair<int64_t, int64_t>> ranges) {
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  std::sort(ranges.begin(), ranges.end());
  ranges.emplace_back(bytes, bytes);
  int64_t kept = 0, end = 0; // of the pages that are kept so far
  for (const auto &[first, last] : ranges) {
    const int64_t begin = std::min(first, bytes) / page * page;
    // What nothing is mapped from stays taken, so that the destructor unmaps nothing of others.
    if (begin > end && ::mmap(const_cast<uint8_t *>(address) + end, size_t(begin - end), PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
      return Error{ErrorCode::Io, std::string("cannot give back a part of a mapped file: ") + std::strerror(errno), ""};
    const int64_t until = std::max(end, (std::min(last, bytes) + page - 1) / page * page);
    kept += until - std::max(end, begin);
    end = std::max(until, begin);
  }
  return std::min(kept, bytes);
}

Status MappedFile::keepAll() {
  if (bytes > 0 && ::mmap(const_cast<uint8_t *>(address), size_t(bytes), PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor,
                          0) == MAP_FAILED)
    return Error{ErrorCode::Io, std::string("cannot map a file again: ") + std::strerror(errno), ""};
  return {};
}

int64_t MappedFile::residentBytes() const {
  std::FILE *maps = std::fopen("/proc/self/smaps", "re");
  if (!maps)
    return 0;
  const auto first = reinterpret_cast<uintptr_t>(address), last = first + uintptr_t(bytes);
  char line[1024];
  bool isOwn = false;
  int64_t resident = 0;
  while (std::fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0, count = 0;
    char letter = 0;
    if (std::sscanf(line, "%lx-%lx %c", &begin, &end, &letter) == 3)
      isOwn = begin >= first && begin < last;
    else if (isOwn && std::sscanf(line, "Rss: %lu kB", &count) == 1)
      resident += int64_t(count) * 1024;
  }
  std::fclose(maps);
  return resident;
}

MappedFile::~MappedFile() {
  if (place >= 0) {
    mappings[static_cast<size_t>(place)].end.store(0);
    mappings[static_cast<size_t>(place)].begin.store(0);
  }
  if (bytes > 0)
    ::munmap(const_cast<uint8_t *>(address), static_cast<size_t>(bytes));
  if (descriptor >= 0)
    ::close(descriptor);
}

} // namespace mica
