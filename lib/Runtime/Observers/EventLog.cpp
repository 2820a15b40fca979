//===- Observers/EventLog.cpp - every launch as a JSON line ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   {"schema":"mica.events","version":1,"clock":"steady","unix_ns":1732158000000000000,"steady_ns":52000,"pid":71}
//   {"event":"launch","id":1,"ns":52310,"kernel":"matmul_relu","device":"cpu:0","site":0,"op":["3f2a91c07b1e"]}
//   {"event":"complete","id":1,"ns":60411,"start_ns":52400,"parts":2,"status":0}
//
// The pair of times in the first line turns steady times into dates.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Clock.h"
#include "mica/Runtime/Observer.h"
#include "mica/Support/Files.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr int kEventsVersion = 1;
/// Text is handed to the system in pieces of this size.
constexpr size_t kFlushBytes = 64 << 10;

/// Appends `text` as a JSON string. Names of kernels and ids need no escapes, device names come from files: be safe.
void appendString(std::string &line, std::string_view text) {
  line += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      line += escape;
    } else {
      line += c;
    }
  }
  line += '"';
}

class EventLogImpl final : public EventLog {
public:
  EventLogImpl(std::FILE *stream, std::filesystem::path file) : stream(stream), file(std::move(file)) {
    auto now = std::chrono::system_clock::now().time_since_epoch();
    text = "{\"schema\":\"mica.events\",\"version\":" + std::to_string(kEventsVersion) +
           ",\"clock\":\"steady\",\"unix_ns\":" +
           std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) +
           ",\"steady_ns\":" + std::to_string(steadyNs()) + ",\"pid\":" + std::to_string(getpid()) + "}\n";
  }
  ~EventLogImpl() override {
    // Whoever wants to know whether all was written calls close().
    Status ignored = close();
    (void)ignored;
  }

  void onLaunch(const LaunchEvent &event) override {
    std::lock_guard<std::mutex> lock(mutex);
    text += "{\"event\":\"launch\",\"id\":" + std::to_string(event.id) + ",\"ns\":" + std::to_string(event.startNs) +
            ",\"kernel\":";
    appendString(text, event.kernel->name);
    text += ",\"device\":";
    appendString(text, event.device);
    text += ",\"site\":" + std::to_string(event.site) + ",\"op\":[";
    for (size_t i = 0; i < event.opIds->size(); ++i) {
      text += i ? "," : "";
      appendString(text, (*event.opIds)[i]);
    }
    text += "]}\n";
    flushIfLarge();
  }

  void onComplete(const LaunchEvent &event) override {
    std::lock_guard<std::mutex> lock(mutex);
    text += "{\"event\":\"complete\",\"id\":" + std::to_string(event.id) + ",\"ns\":" + std::to_string(event.endNs) +
            ",\"start_ns\":" + std::to_string(event.startNs) + ",\"parts\":" + std::to_string(event.parts) +
            ",\"status\":" + std::to_string(event.status) + "}\n";
    flushIfLarge();
  }

  Status close() override {
    std::lock_guard<std::mutex> lock(mutex);
    if (stream) {
      flush();
      if (std::fclose(stream) != 0 && failure == 0)
        failure = errno;
      stream = nullptr;
    }
    if (failure)
      return systemError("write", file, failure);
    return Status::ok();
  }

private:
  void flushIfLarge() {
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
};

} // namespace

Result<std::unique_ptr<EventLog>> EventLog::create(const std::filesystem::path &file) {
  std::FILE *stream = std::fopen(file.c_str(), "wbe");
  if (!stream)
    return systemError("write", file, errno);
  return std::unique_ptr<EventLog>(std::make_unique<EventLogImpl>(stream, file));
}

} // namespace mica::runtime
