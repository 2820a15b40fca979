//===- Observers/Ledger.cpp - the latest launches, in a file that outlives the process -------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Layout: a header of 1 KiB, records of 64 bytes, names of kernels of 96 bytes. Fields are written by plain atomic
// stores: a reader may see a record between two states, never a torn number.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Ledger.h"

#include "lib/Runtime/Clock.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr char kMagic[8] = {'M', 'I', 'C', 'A', 'L', 'E', 'D', 'G'};
constexpr uint32_t kVersion = 1;
/// More launches than are ever in flight.
constexpr uint32_t kRecords = 4096;
constexpr size_t kNameBytes = 96;

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t records;
  uint32_t kernels;
  int32_t pid;
  std::atomic<uint32_t> end;
  std::atomic<int32_t> signal;
  int64_t unixNs, steadyNs;
  std::atomic<uint64_t> progress;
  char artifact[900];
};
static_assert(sizeof(Header) <= 1024);
constexpr size_t kHeaderBytes = 1024;

struct alignas(64) Record {
  std::atomic<uint64_t> id;
  std::atomic<int64_t> handedNs, startNs, endNs;
  std::atomic<int32_t> kernel, site, thread, status;
  std::atomic<uint32_t> stage;
};
static_assert(sizeof(Record) == 64 && std::atomic<int64_t>::is_always_lock_free);

size_t bytesFor(uint32_t records, uint32_t kernels) {
  return kHeaderBytes + size_t(records) * sizeof(Record) + size_t(kernels) * kNameBytes;
}

/// The ledgers of the process, for signal handlers: a slot each.
constexpr size_t kMostLedgers = 16;
struct OpenLedger {
  std::atomic<Header *> header{nullptr};
  char file[1024] = {};
};
OpenLedger openLedgers[kMostLedgers];
std::atomic<int> latest{-1};

int32_t threadNumber() {
  static thread_local const int32_t number = int32_t(::gettid());
  return number;
}

constexpr auto relaxed = std::memory_order_relaxed;

LedgerContents read(const Header &header, const Record *records, const char *names) {
  LedgerContents contents;
  contents.artifact = std::string(header.artifact, ::strnlen(header.artifact, sizeof header.artifact));
  contents.pid = header.pid;
  contents.end = LedgerContents::End(std::min(header.end.load(relaxed), 3u));
  contents.signal = header.signal.load(relaxed);
  contents.unixNs = header.unixNs;
  contents.lastNs = contents.steadyNs = header.steadyNs;
  for (uint32_t i = 0; i < header.records; ++i) {
    const Record &record = records[i];
    LedgerEntry entry;
    entry.stage = LedgerEntry::Stage(std::min(record.stage.load(std::memory_order_acquire), 3u));
    entry.id = record.id.load(relaxed);
    if (entry.stage == LedgerEntry::Stage::None)
      continue;
    const auto kernel = uint32_t(record.kernel.load(relaxed));
    if (kernel < header.kernels)
      entry.kernel.assign(names + kernel * kNameBytes, ::strnlen(names + kernel * kNameBytes, kNameBytes));
    entry.site = record.site.load(relaxed);
    entry.handedNs = record.handedNs.load(relaxed);
    entry.startNs = record.startNs.load(relaxed);
    entry.endNs = record.endNs.load(relaxed);
    entry.thread = record.thread.load(relaxed);
    entry.status = record.status.load(relaxed);
    contents.lastNs = std::max({contents.lastNs, entry.handedNs, entry.startNs, entry.endNs});
    contents.entries.push_back(std::move(entry));
  }
  std::sort(contents.entries.begin(), contents.entries.end(),
            [](const LedgerEntry &a, const LedgerEntry &b) { return a.id < b.id; });
  return contents;
}

class LedgerImpl final : public Ledger {
public:
  LedgerImpl(void *memory, size_t bytes, std::filesystem::path path, const artifact::Manifest &manifest,
             const std::filesystem::path &artifact)
      : memory(static_cast<char *>(memory)), bytes(bytes), path(std::move(path)), kernels(manifest.kernels.data()) {
    Header &head = header();
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    head.version = kVersion;
    head.records = kRecords;
    head.kernels = uint32_t(manifest.kernels.size());
    head.pid = int32_t(::getpid());
    head.unixNs =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    head.steadyNs = steadyNs();
    std::error_code ignored;
    std::strncpy(head.artifact, std::filesystem::absolute(artifact, ignored).c_str(), sizeof head.artifact - 1);
    for (size_t i = 0; i < manifest.kernels.size(); ++i)
      std::strncpy(names() + i * kNameBytes, manifest.kernels[i].name.c_str(), kNameBytes - 1);
    for (size_t i = 0; i < kMostLedgers && slot < 0; ++i) {
      Header *none = nullptr;
      if (openLedgers[i].header.compare_exchange_strong(none, &head)) {
        std::strncpy(openLedgers[i].file, this->path.c_str(), sizeof openLedgers[i].file - 1);
        slot = int(i);
        latest.store(slot);
      }
    }
  }
  ~LedgerImpl() override {
    uint32_t open = uint32_t(LedgerContents::End::Open);
    header().end.compare_exchange_strong(open, uint32_t(LedgerContents::End::Closed));
    if (slot >= 0) {
      int mine = slot;
      latest.compare_exchange_strong(mine, -1);
      openLedgers[slot].header.store(nullptr);
    }
    ::munmap(memory, bytes);
  }

  bool wantsBegin() const override { return true; }

  void onLaunch(const LaunchEvent &event) override {
    Record &record = recordOf(event.id);
    // While it is written anew it is nobody's.
    record.stage.store(uint32_t(LedgerEntry::Stage::None), relaxed);
    record.id.store(event.id, std::memory_order_release);
    record.handedNs.store(event.handedNs, relaxed);
    record.startNs.store(0, relaxed);
    record.endNs.store(0, relaxed);
    record.kernel.store(int32_t(event.kernel - kernels), relaxed);
    record.site.store(int32_t(event.site), relaxed);
    record.thread.store(threadNumber(), relaxed);
    record.status.store(0, relaxed);
    record.stage.store(uint32_t(LedgerEntry::Stage::Handed), std::memory_order_release);
  }

  void onBegin(uint64_t id) override {
    Record &record = recordOf(id);
    record.thread.store(threadNumber(), relaxed);
    if (record.startNs.load(relaxed) == 0)
      record.startNs.store(steadyNs(), relaxed);
    record.stage.store(uint32_t(LedgerEntry::Stage::Running), std::memory_order_release);
    header().progress.fetch_add(1, relaxed);
  }

  void onComplete(const LaunchEvent &event) override {
    Record &record = recordOf(event.id);
    record.thread.store(threadNumber(), relaxed);
    record.endNs.store(event.endNs, relaxed);
    record.status.store(event.status, relaxed);
    record.stage.store(uint32_t(LedgerEntry::Stage::Done), std::memory_order_release);
    header().progress.fetch_add(1, relaxed);
  }

  uint64_t progress() const override { return header().progress.load(relaxed); }
  LedgerContents contents() const override { return read(header(), records(), names()); }
  const std::filesystem::path &file() const override { return path; }
  void markHang() override { header().end.store(uint32_t(LedgerContents::End::Hang)); }

private:
  Header &header() const { return *reinterpret_cast<Header *>(memory); }
  Record *records() const { return reinterpret_cast<Record *>(memory + kHeaderBytes); }
  char *names() const { return memory + kHeaderBytes + kRecords * sizeof(Record); }
  Record &recordOf(uint64_t id) const { return records()[id % kRecords]; }

  char *memory;
  size_t bytes;
  std::filesystem::path path;
  const artifact::KernelRecord *kernels;
  int slot = -1;
};

} // namespace

Result<std::unique_ptr<Ledger>> Ledger::create(const std::filesystem::path &file, const artifact::Manifest &manifest,
                                               const std::filesystem::path &artifact) {
  if (file.has_parent_path())
    MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  // A file of its own: one that another process has mapped stays that one's.
  ::unlink(file.c_str());
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError("write", file, errno);
  const size_t bytes = bytesFor(kRecords, uint32_t(manifest.kernels.size()));
  // Blocks are taken now: a disk that is full later would be a SIGBUS.
  int failure = ::posix_fallocate(descriptor, 0, off_t(bytes));
  void *memory = MAP_FAILED;
  if (failure == 0) {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    failure = memory == MAP_FAILED ? errno : 0;
  }
  ::close(descriptor);
  if (failure)
    return systemError("write", file, failure);
  return std::unique_ptr<Ledger>(std::make_unique<LedgerImpl>(memory, bytes, file, manifest, artifact));
}

void Ledger::markCrash(int number) {
  for (OpenLedger &open : openLedgers)
    if (Header *header = open.header.load()) {
      header->signal.store(number);
      header->end.store(uint32_t(LedgerContents::End::Crash));
    }
}

const char *Ledger::latestFile() {
  const int slot = latest.load();
  return slot >= 0 ? openLedgers[slot].file : "";
}

Result<LedgerContents> readLedger(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string bytes, readFile(file));
  return parseLedger(bytes, file);
}

Result<LedgerContents> parseLedger(std::string_view text, const std::filesystem::path &file) {
  auto damaged = [&](const std::string &what, const std::string &hint) {
    return Error{ErrorCode::Damaged, file.string() + ": " + what, hint};
  };
  if (text.size() < kHeaderBytes || std::memcmp(text.data(), kMagic, sizeof kMagic) != 0)
    return damaged("is not a launch ledger", "mica-run writes ledgers (launches.ledger in the folder of the run) and "
                                             "the switch launch-ledger");
  // Copied to where its numbers are aligned.
  std::vector<uint64_t> aligned((text.size() + 2 * 64) / 8);
  auto *base = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(aligned.data()) + 63) / 64 * 64);
  std::memcpy(base, text.data(), text.size());
  const auto &header = *reinterpret_cast<const Header *>(base);
  if (header.version != kVersion)
    return damaged("is a ledger of version " + std::to_string(header.version) + ", this is version " +
                       std::to_string(kVersion),
                   "read it with the mica-run that wrote it");
  if (header.records > (1u << 24) || header.kernels > (1u << 24) ||
      text.size() < bytesFor(header.records, header.kernels))
    return damaged("is truncated", "copy the whole file");
  const char *records = base + kHeaderBytes;
  return read(header, reinterpret_cast<const Record *>(records), records + size_t(header.records) * sizeof(Record));
}

} // namespace mica::runtime
