//===- Observers/EventLog.cpp - every launch as a JSON line ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Written as they come, whatever program they are of: contexts of specialized programs tell the same log.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpLog/EventLines.h"
#include "mica/Runtime/Observer.h"
#include "mica/Support/Files.h"

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <unistd.h>

namespace mica::runtime {
namespace {

/// Text is handed to the system in pieces of this size.
constexpr size_t kFlushBytes = 64 << 10;

class EventLogImpl final : public EventLog {
public:
  EventLogImpl(std::FILE *stream, std::filesystem::path file) : stream(stream), file(std::move(file)) {
    text = "{" + eventSchema() + "}\n";
  }
  ~EventLogImpl() override {
    // Whoever wants to know whether all was written calls close().
    Status ignored = close();
    (void)ignored;
  }

  void onLaunch(const LaunchEvent &event) override {
    const std::string ops = jsonList(*event.opIds), kind = jsonSafe(event.kernel->rootKind);
    std::string shapes;
    appendShapes(shapes, *event.kernel, event.scalars, event.scalarCount);
    tell(event, false, [&](EventLine &line) {
      line.kind = kind;
      line.ops = ops;
      line.shapes = shapes;
    });
  }

  void onComplete(const LaunchEvent &event) override {
    tell(event, true, [&](EventLine &line) {
      line.startNs = event.startNs;
      line.endNs = event.endNs;
      line.parts = event.parts;
      line.thread = ::gettid();
      line.status = event.status;
      line.skipped = event.skipped;
    });
  }

  void onLost() override { lost.store(true, std::memory_order_relaxed); }

  Status close() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (stream) {
      flush();
      if (std::fclose(stream) != 0 && failure == 0)
        failure = errno;
      stream = nullptr;
    }
    if (failure == 0 && lost.load(std::memory_order_relaxed))
      failure = ENOMEM;
    if (failure)
      return systemError("write", file, failure);
    return Status::ok();
  }

private:
  template <typename Fill> void tell(const LaunchEvent &event, bool isComplete, Fill fill) {
    const std::string device = jsonSafe(event.device);
    EventLine line;
    line.isComplete = isComplete;
    line.id = event.id;
    line.handedNs = event.handedNs;
    line.kernel = event.kernel->name;
    line.device = device;
    line.site = event.site;
    fill(line);
    std::lock_guard<std::mutex> lock(mutex);
    appendEventLine(text, line);
    if (text.size() >= kFlushBytes)
      flush();
  }
  void flush() {
    if (stream && failure == 0 && std::fwrite(text.data(), 1, text.size(), stream) != text.size())
      failure = errno;
    text.clear();
  }

  std::mutex mutex;
  std::FILE *stream;
  std::filesystem::path file;
  std::string text;
  int failure = 0; ///< errno of the first write that failed
  std::atomic<bool> lost{false};
};

} // namespace

Result<std::unique_ptr<EventLog>> EventLog::create(const std::filesystem::path &file) {
  std::FILE *stream = std::fopen(file.c_str(), "wbe");
  if (!stream)
    return systemError("write", file, errno);
  return std::unique_ptr<EventLog>(std::make_unique<EventLogImpl>(stream, file));
}

} // namespace mica::runtime
