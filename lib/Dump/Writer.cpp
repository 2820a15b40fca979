//===- Writer.cpp - writing a dump -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Some room of the index is taken from the file system ahead, so that a full disk can still be noted.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Dump/Writer.h"

#include "mica/Dump/Dump.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace mica::dump {
namespace {

/// Of the index, mapped at once; as much is reserved when it is made, for when the disk is full later.
constexpr int64_t kWindowBytes = 256 << 10;

/// 0 or errno.
int writeAll(int file, const char *data, size_t bytes, int64_t offset) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file, data, bytes, offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return written < 0 ? errno : ENOSPC;
    data += written;
    bytes -= size_t(written);
    offset += written;
  }
  return 0;
}

/// What no other dump has.
ContentHash makeIdentity() {
  static std::atomic<uint64_t> counter{0};
  const std::array<uint64_t, 3> seed{uint64_t(std::chrono::system_clock::now().time_since_epoch().count()),
                                     uint64_t(::getpid()), counter.fetch_add(1, std::memory_order_relaxed)};
  return contentHash(seed.data(), sizeof seed);
}

} // namespace

Result<std::unique_ptr<Writer>> Writer::create(const std::filesystem::path &folder, std::string_view header) {
  MICA_RETURN_IF_ERROR(makeFolder(folder));
  std::unique_ptr<Writer> writer(new Writer);
  writer->place = folder;
  // Somebody may have mapped the files of an earlier dump.
  std::error_code ignored;
  std::filesystem::remove(folder / kIndexFile, ignored);
  std::filesystem::remove(folder / kPayloadFile, ignored);
  writer->payload = ::open((folder / kPayloadFile).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (writer->payload < 0)
    return systemError("write", folder / kPayloadFile, errno);
  writer->index = ::open((folder / kIndexFile).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (writer->index < 0)
    return systemError("write", folder / kIndexFile, errno);
  // A file system that cannot do it does without.
  (void)::fallocate(writer->index, FALLOC_FL_KEEP_SIZE, 0, kWindowBytes);
  const ContentHash identity = makeIdentity();
  std::array<char, size_t(kPayloadBegin)> begin{};
  std::memcpy(begin.data(), kPayloadMagic.data(), kPayloadMagic.size());
  std::memcpy(begin.data() + kPayloadMagic.size(), identity.data(), sizeof identity);
  if (const int error = writeAll(writer->payload, begin.data(), begin.size(), 0))
    return systemError("write", folder / kPayloadFile, error);
  writer->end = kPayloadBegin;
  writer->addLine("{\"schema\":\"" + schemaFormat(Schema::Dump) +
                  "\",\"version\":" + std::to_string(schemaNumber(Schema::Dump)) + "," + std::string(header) +
                  "\"identity\":\"" + hashText(identity) + "\"}\n");
  MICA_RETURN_IF_ERROR(writer->status());
  return writer;
}

Writer::~Writer() { close(); }

int64_t Writer::addPayload(const void *data, int64_t bytes, const ContentHash &hash, std::string &why) {
  int64_t offset;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (const auto it = known.find(hash); it != known.end())
      return it->second;
    offset = end.load(std::memory_order_relaxed);
    end.store(offset + (bytes + kPayloadAlignment - 1) / kPayloadAlignment * kPayloadAlignment,
              std::memory_order_relaxed);
  }
  if (const int error = writeAll(payload, static_cast<const char *>(data), size_t(bytes), offset)) {
    why = std::strerror(error);
    return -1;
  }
  std::lock_guard<std::mutex> lock(mutex);
  known.emplace(hash, offset);
  return offset;
}

void Writer::unmap() {
  if (window)
    ::munmap(window, size_t(windowEnd - windowBegin));
  window = nullptr;
}

/// Maps the end of the index with room for `bytes` bytes. False where the system refuses.
bool Writer::mapMore(int64_t bytes) {
  unmap();
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  windowBegin = indexEnd / page * page;
  windowEnd = windowBegin + std::max(kWindowBytes, (indexEnd - windowBegin + bytes + page - 1) / page * page);
  // Without blocks of its own, a full disk would be a signal; so is a file beyond its limit.
  rlimit limit{};
  const bool isAllowed = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                         (limit.rlim_cur == RLIM_INFINITY || rlim_t(windowEnd) <= limit.rlim_cur);
  if (isAllowed && ::fallocate(index, 0, windowBegin, windowEnd - windowBegin) == 0) {
    void *mapped =
        ::mmap(nullptr, size_t(windowEnd - windowBegin), PROT_READ | PROT_WRITE, MAP_SHARED, index, windowBegin);
    if (mapped != MAP_FAILED) {
      window = static_cast<char *>(mapped);
      return true;
    }
  }
  windowEnd = windowBegin;
  (void)!::ftruncate(index, indexEnd);
  return false;
}

/// 0 or errno.
int Writer::append(std::string_view line) {
  if (line.empty())
    return 0;
  const auto size = int64_t(line.size());
  if (isMapped && indexEnd + size > windowEnd)
    isMapped = mapMore(size);
  if (!isMapped) {
    const int error = writeAll(index, line.data(), line.size(), indexEnd);
    indexEnd += error ? 0 : size;
    return error;
  }
  // The first byte last: behind a line that is not whole, there are zeros.
  char *at = window + (indexEnd - windowBegin);
  std::memcpy(at + 1, line.data() + 1, line.size() - 1);
  std::atomic_ref<char>(*at).store(line[0], std::memory_order_release);
  indexEnd += size;
  return 0;
}

void Writer::addLine(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex);
  // A line that is half there must be the last.
  if (failure == 0)
    failure = append(line);
}

Status Writer::status() const {
  std::lock_guard<std::mutex> lock(mutex);
  if (failure != 0)
    return systemError("write", place / kIndexFile, failure);
  return {};
}

void Writer::close() {
  std::lock_guard<std::mutex> lock(mutex);
  unmap();
  if (index >= 0 && isMapped && ::ftruncate(index, indexEnd) != 0 && failure == 0)
    failure = errno;
  for (int *file : {&index, &payload}) {
    if (*file >= 0 && ::close(*file) != 0 && failure == 0)
      failure = errno;
    *file = -1;
  }
}

} // namespace mica::dump
