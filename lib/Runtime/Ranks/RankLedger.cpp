//===- RankLedger.cpp - exchanges of a rank, on file -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Layout: a header of 128 bytes and a ring of records of 64 bytes. A record's count is written last, so that a reader
// sees whole records.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankLedger.h"

#include "lib/Runtime/Clock.h"
#include "mica/Support/Files.h"
#include "mica/Support/MemoryLimit.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr char kMagic[8] = {'M', 'I', 'C', 'A', 'R', 'A', 'N', 'K'};
constexpr uint32_t kVersion = 1, kRecords = 1024;
enum : int32_t { kStarted = 0, kDone = 1, kQueued = 2 };

struct alignas(128) Header {
  char magic[8];
  uint32_t version, records;
  int32_t rank, size, pid;
  std::atomic<uint32_t> state;
  std::atomic<uint64_t> count;
};

struct alignas(64) Record {
  std::atomic<uint64_t> sequence; ///< plus 1
  std::atomic<uint64_t> group, turn;
  std::atomic<int64_t> startNs, endNs;
  std::atomic<int32_t> kernel, site, partner, done;
};
static_assert(sizeof(Header) == 128 && sizeof(Record) == 64);

constexpr size_t kBytes = sizeof(Header) + kRecords * sizeof(Record);
constexpr auto relaxed = std::memory_order_relaxed;

Header &headerOf(char *memory) { return *reinterpret_cast<Header *>(memory); }
Record &recordOf(char *memory, uint64_t sequence) {
  return reinterpret_cast<Record *>(memory + sizeof(Header))[sequence % kRecords];
}

} // namespace

std::filesystem::path rankLedgerFile(const std::filesystem::path &folder, int32_t rank) {
  return folder / (std::to_string(rank) + ".rank");
}

Result<std::unique_ptr<RankLedger>> RankLedger::create(const std::filesystem::path &file, int32_t rank, int32_t size) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return systemError("create", file, errno);
  void *memory = MAP_FAILED;
  if (::ftruncate(descriptor, off_t(kBytes)) == 0)
    memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int failed = errno;
  ::close(descriptor);
  if (memory == MAP_FAILED)
    return systemError("map", file, failed);
  Header &header = headerOf(static_cast<char *>(memory));
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.records = kRecords;
  header.rank = rank;
  header.size = size;
  header.pid = int32_t(::getpid());
  return std::unique_ptr<RankLedger>(new RankLedger(memory, kBytes));
}

RankLedger::~RankLedger() { ::munmap(memory, bytes); }

uint64_t RankLedger::begin(const RankLedgerEntry &entry) {
  const uint64_t sequence = headerOf(memory).count.load(relaxed);
  Record &record = recordOf(memory, sequence);
  record.sequence.store(0, std::memory_order_release);
  record.group.store(entry.group, relaxed);
  record.turn.store(entry.turn, relaxed);
  record.startNs.store(steadyNs(), relaxed);
  record.endNs.store(0, relaxed);
  record.kernel.store(entry.kernel, relaxed);
  record.site.store(entry.site, relaxed);
  record.partner.store(entry.partner, relaxed);
  record.done.store(entry.isQueued ? kQueued : kStarted, relaxed);
  record.sequence.store(sequence + 1, std::memory_order_release);
  headerOf(memory).count.store(sequence + 1, std::memory_order_release);
  return sequence;
}

void RankLedger::start(uint64_t sequence) {
  Record &record = recordOf(memory, sequence);
  if (record.sequence.load(relaxed) != sequence + 1)
    return; // many have begun since
  record.startNs.store(steadyNs(), relaxed);
  record.done.store(kStarted, std::memory_order_release);
}

void RankLedger::end(uint64_t sequence) {
  Record &record = recordOf(memory, sequence);
  if (record.sequence.load(relaxed) != sequence + 1)
    return;
  record.endNs.store(steadyNs(), relaxed);
  record.done.store(kDone, std::memory_order_release);
}

void RankLedger::setState(RankLedgerContents::State state) {
  headerOf(memory).state.store(uint32_t(state), std::memory_order_release);
}

Result<RankLedgerContents> RankLedger::read(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(std::string text, readFile(file));
  if (text.size() != kBytes || std::memcmp(text.data(), kMagic, sizeof kMagic) != 0)
    return Error{ErrorCode::Damaged, file.string() + ": is no ledger of a rank", ""};
  // Its records are aligned.
  std::unique_ptr<char[], void (*)(char *)> copy(static_cast<char *>(std::aligned_alloc(128, kBytes)),
                                                 [](char *memory) { std::free(memory); });
  if (!copy)
    return outOfMemory();
  std::memcpy(copy.get(), text.data(), kBytes);
  const Header &header = headerOf(copy.get());
  if (header.version != kVersion)
    return Error{ErrorCode::Unsupported,
                 file.string() + ": a ledger of version " + std::to_string(header.version) +
                     ", this Mica reads version " + std::to_string(kVersion),
                 ""};
  RankLedgerContents contents;
  contents.rank = header.rank;
  contents.size = header.size;
  contents.pid = header.pid;
  contents.state = RankLedgerContents::State(std::min(header.state.load(relaxed), 2u));
  contents.count = header.count.load(relaxed);
  for (uint64_t i = contents.count > kRecords ? contents.count - kRecords : 0; i < contents.count; ++i) {
    const Record &record = recordOf(copy.get(), i);
    if (record.sequence.load(relaxed) != i + 1)
      continue;
    RankLedgerEntry entry;
    entry.sequence = i;
    entry.group = record.group.load(relaxed);
    entry.turn = record.turn.load(relaxed);
    entry.kernel = record.kernel.load(relaxed);
    entry.site = record.site.load(relaxed);
    entry.partner = record.partner.load(relaxed);
    const int32_t state = record.done.load(relaxed);
    entry.isDone = state == kDone;
    entry.isQueued = state == kQueued;
    entry.startNs = record.startNs.load(relaxed);
    entry.endNs = record.endNs.load(relaxed);
    contents.entries.push_back(entry);
  }
  return contents;
}

} // namespace mica::runtime
