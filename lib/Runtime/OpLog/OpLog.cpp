//===- OpLog/OpLog.cpp - every launch, told ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpLog/OpLog.h"

#include "mica/Support/Files.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <mutex>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr size_t kFlushBytes = 64 << 10;
/// How long the writer sleeps when there is nothing to write: from the first to the second, doubled each time.
constexpr auto kShortSleep = std::chrono::microseconds(200), kLongSleep = std::chrono::microseconds(6400);

int32_t threadNumber() {
  static thread_local const int32_t number = int32_t(::gettid());
  return number;
}

std::string withPluses(std::string_view patterns) {
  std::string commas(patterns);
  std::replace(commas.begin(), commas.end(), '+', ',');
  return commas;
}

/// The filters of the switches.
class Filter {
public:
  explicit Filter(const Switches &switches)
      : kernels(withPluses(switches.text(Switch::OpLogKernel))), kinds(withPluses(switches.text(Switch::OpLogKind))),
        ops(withPluses(switches.text(Switch::OpLogOp))), targets(withPluses(switches.text(Switch::OpLogTarget))) {}

  bool takes(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids, std::string_view device) const {
    return matchesNames(kernels, kernel.name) && matchesNames(targets, device) &&
           (kinds.empty() || matchesNames(kinds, kernel.rootKind) || anyMatches(kinds, kernel.opKinds)) &&
           (ops.empty() || anyMatches(ops, ids));
  }
  bool empty() const { return kernels.empty() && kinds.empty() && ops.empty() && targets.empty(); }

private:
  static bool anyMatches(std::string_view patterns, const std::vector<std::string> &names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string &name) { return matchesNames(patterns, name); });
  }
  std::string kernels, kinds, ops, targets;
};

/// The file of a context: several of one process, and the processes of several ranks, must not write to the same one.
std::filesystem::path ownFile(const std::filesystem::path &wanted) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, int> taken;
  const int rank = processRank();
  std::string stem = wanted.stem().string() + (rank >= 0 ? "_rank_" + std::to_string(rank) : "");
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (const int others = taken[wanted]++; others > 0)
      stem += "." + std::to_string(others + 1);
  }
  return wanted.parent_path() / (stem + wanted.extension().string());
}

class OpLogImpl final : public OpLog {
public:
  OpLogImpl(const Switches &switches, const artifact::Manifest &manifest, std::vector<std::string> names,
            OpLogForm form, OpLogLevel level, std::FILE *stream, std::filesystem::path file)
      : filter(switches), manifest(manifest), devices(std::move(names)), level(level),
        format(manifest, devices, form, level), stream(stream), file(std::move(file)) {
    if (!stream)
      return;
    text = format.head();
    ring = std::make_unique<EventRing>();
    writer = std::thread([this] { serve(); });
  }
  ~OpLogImpl() override {
    if (Status closed = close(); !closed)
      MICA_LOG(Runtime, Warning) << "the op log is incomplete: " << closed.error().message;
  }

  bool wants(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids,
             std::string_view device) const override {
    return filter.takes(kernel, ids, device);
  }

  void onLaunch(const LaunchEvent &event) override {
    if (level <= OpLogLevel::Debug)
      tell(event, false);
  }

  void onComplete(const LaunchEvent &event) override {
    if (level <= OpLogLevel::Info || (event.status != 0 && level <= OpLogLevel::Error) ||
        (event.skipped && level <= OpLogLevel::Warning))
      tell(event, true);
  }

  void onLost() override { lost.store(true, std::memory_order_relaxed); }

  Status close() override {
    if (!stream)
      return failure ? Status(systemError("write", file, failure)) : Status();
    stopping.store(true, std::memory_order_release);
    writer.join();
    text += format.tail();
    flush();
    if (std::fclose(stream) != 0 && failure == 0)
      failure = errno;
    stream = nullptr;
    if (failure == 0 && lost.load(std::memory_order_relaxed))
      failure = ENOMEM;
    return failure ? Status(systemError("write", file, failure)) : Status();
  }

private:
  void tell(const LaunchEvent &event, bool isComplete) {
    OpEvent kept;
    kept.id = event.id;
    kept.handedNs = event.handedNs;
    kept.startNs = event.startNs;
    kept.endNs = event.endNs;
    kept.kernel = int32_t(event.kernel - manifest.kernels.data());
    kept.site = int32_t(event.site);
    kept.thread = threadNumber();
    kept.parts = int32_t(event.parts);
    kept.status = event.status;
    kept.scalarCount = uint16_t(std::min<int64_t>(event.scalarCount, UINT16_MAX));
    kept.device = 0;
    while (kept.device + 1u < devices.size() && devices[kept.device] != event.device)
      ++kept.device;
    kept.isComplete = isComplete;
    kept.skipped = event.skipped;
    for (int i = 0; i < std::min<int>(kept.scalarCount, OpEvent::kMostScalars); ++i)
      kept.scalars[i] = event.scalars[i];
    if (ring)
      return ring->push(kept);
    std::lock_guard<std::mutex> lock(mutex);
    text.clear();
    format.append(text, kept);
    writeLog(devices[kept.device], text);
  }

  /// The writer's life.
  void serve() {
    auto pause = kShortSleep;
    for (;;) {
      const bool last = stopping.load(std::memory_order_acquire);
      OpEvent event;
      bool any = false;
      while (ring->pop(event)) {
        any = true;
        try {
          format.append(text, event);
        } catch (const std::bad_alloc &) {
          onLost();
        }
        if (text.size() >= kFlushBytes)
          flush();
      }
      if (last)
        return;
      if (any) {
        pause = kShortSleep;
        continue;
      }
      flush();
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongSleep);
    }
  }

  void flush() {
    if (failure == 0 && !text.empty() &&
        (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0))
      failure = errno;
    text.clear();
  }

  const Filter filter;
  const artifact::Manifest &manifest;
  const std::vector<std::string> devices;
  const OpLogLevel level;
  OpFormat format;  ///< the writer's; without one, under the mutex
  std::string text; ///< likewise
  std::mutex mutex;
  std::FILE *stream; ///< null: lines go where messages of MICA_LOGS go
  std::filesystem::path file;
  int failure = 0; ///< errno of the first write that failed
  std::unique_ptr<EventRing> ring;
  std::atomic<bool> stopping{false};
  std::atomic<bool> lost{false};
  std::thread writer;
};

OpLogForm formOf(const std::filesystem::path &file) {
  const std::string extension = file.extension().string();
  return extension == ".json"                         ? OpLogForm::Chrome
         : extension == ".log" || extension == ".txt" ? OpLogForm::Text
                                                      : OpLogForm::JsonLines;
}

/// Warns where `log` gets no launch at all.
void warnOfEmptyFilter(const OpLog &log, const artifact::Manifest &manifest, const std::vector<std::string> &devices) {
  std::vector<std::string> kernels;
  for (const artifact::SiteRecord &site : manifest.sites)
    for (const artifact::KernelRecord &kernel : manifest.kernels) {
      if (kernel.name != site.kernel)
        continue;
      for (const std::string &device : devices)
        if (log.wants(kernel, site.opIds, device))
          return;
      kernels.push_back(kernel.name);
    }
  if (!kernels.empty())
    MICA_LOG(Runtime, Warning) << "the op log filters match no launch of this program; kernels: " << joinNames(kernels)
                               << "; devices: " << joinNames(devices);
}

} // namespace

Result<std::unique_ptr<OpLog>> OpLog::create(const Switches &switches, const artifact::Manifest &manifest,
                                             std::vector<std::string> devices) {
  static constexpr std::pair<std::string_view, OpLogLevel> kLevels[] = {
      {"trace", OpLogLevel::Trace},     {"debug", OpLogLevel::Debug}, {"info", OpLogLevel::Info},
      {"warning", OpLogLevel::Warning}, {"error", OpLogLevel::Error}, {"critical", OpLogLevel::Critical}};
  const std::string &name = switches.text(Switch::OpLogFile);
  std::optional<OpLogLevel> level;
  for (auto [word, value] : kLevels)
    if (word == switches.text(Switch::OpLogLevel))
      level = value;
  if (!level && !name.empty() && !switches.isSet(Switch::OpLogLevel))
    level = OpLogLevel::Trace;
  if (!level)
    return std::unique_ptr<OpLog>();
  std::FILE *stream = nullptr;
  std::filesystem::path file;
  if (!name.empty()) {
    file = ownFile(name);
    if (file.has_parent_path())
      MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
    stream = std::fopen(file.c_str(), "wbe");
    if (!stream)
      return systemError("write", file, errno);
  }
  std::unique_ptr<OpLog> log = std::make_unique<OpLogImpl>(
      switches, manifest, devices, name.empty() ? OpLogForm::Text : formOf(name), *level, stream, file);
  if (!Filter(switches).empty())
    warnOfEmptyFilter(*log, manifest, devices);
  return log;
}

} // namespace mica::runtime
