//===- Log.h - logging by topics (MICA_LOGS) ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Topics are rows of one table: components, which have levels, and artifacts, which are on or off. `MICA_LOGS=+cache,
// fusion` selects topics; see docs/Environment.md. A disabled message costs one relaxed load of a mask and a branch;
// its text is not made.
//
//   MICA_LOG(Cache, Info) << "hit: " << folder.string();
//   MICA_LOG(KernelCode, Info).kernel(name) << text;
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_LOG_H
#define MICA_SUPPORT_LOG_H

#include "mica/Support/Status.h"

#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mica {

/// Rows of the table, in its order.
enum class LogTopic : uint8_t {
  Import,
  Passes,
  Dispatch,
  Schedule,
  Codegen,
  Cache,
  Runtime,
  Fusion,
  KernelCode,
  OutputCode,
  PerfHints,
  Dynamic,
  Guards,
  Recompiles,
};

enum class LogLevel : uint8_t { Debug, Info, Warning, Error };

/// A row of the table.
struct LogTopicInfo {
  LogTopic topic;
  std::string_view name;
  bool isArtifact;    ///< on or off; else a component, with levels
  LogTopic component; ///< of an artifact: also enabled if this component is at level debug, unless offByDefault
  bool offByDefault;
  std::string_view help; ///< what is logged, one sentence
};

std::span<const LogTopicInfo> logTopics();

/// Selection and destination of messages; the members are the values of the MICA_LOGS variables, "" if unset.
struct LogOptions {
  std::string topics = {};  ///< MICA_LOGS: "+cache,fusion,-runtime"
  std::string file = {};    ///< MICA_LOGS_OUT: this file instead of the standard error; appended to
  std::string folder = {};  ///< MICA_LOG_DIR: a file per process and device here instead of the standard error
  std::string format = {};  ///< MICA_LOGS_FORMAT: full, short, json, or a pattern such as "{level} {topic}: {message}"
  std::string kernels = {}; ///< MICA_LOGS_KERNEL: names with * and ?; messages of other kernels are dropped
  std::string ranks = {};   ///< MICA_LOGS_RANK: "0,2"; other ranks' processes log nothing
};

/// The MICA_LOGS variables as the environment has them.
LogOptions logOptionsFromEnvironment();

/// Validates `options` and applies them to the whole process; on failure (InvalidInput, with the nearest valid value)
/// nothing changes. `program`: "mica-run", for names of files. Any thread.
Status configureLogs(const LogOptions &options, std::string_view program);

/// The text for `help` (names) and `+help` (names with descriptions) as topics; nothing for other values.
std::optional<std::string> logHelp(std::string_view topics);

/// Warnings about filters: "MICA_LOGS_KERNEL=x* matched no kernel; there were: a, b", or that a file could not be
/// written. "" if there are none. To be called when a tool ends.
std::string logWarnings();

/// Writes whole lines unchanged to the destination of messages about `device`.
void writeLog(std::string_view device, std::string_view lines);

/// This process's rank in a distributed run: MICA_RANK, else the variables of common launchers; -1: none.
int processRank();

namespace detail {
/// Per level, the enabled topics: bit = topic. The only state that a disabled message reads.
inline std::atomic<uint32_t> logMasks[4] = {0, 0, 0x3f, 0x3f};
} // namespace detail

/// Whether messages of `topic` at `level` are enabled. One relaxed load.
inline bool logs(LogTopic topic, LogLevel level = LogLevel::Info) {
  return detail::logMasks[static_cast<size_t>(level)].load(std::memory_order_relaxed) >> static_cast<unsigned>(topic) &
         1u;
}

/// One message; written on destruction. Lines after the first get the same prefix.
class LogMessage {
public:
  LogMessage(LogTopic topic, LogLevel level, const char *file, int line)
      : topic(topic), level(level), file(file), line(line) {}
  LogMessage(const LogMessage &) = delete;
  LogMessage &operator=(const LogMessage &) = delete;
  ~LogMessage();

  /// The kernel that the message is about, for filters and files.
  LogMessage &kernel(std::string_view name) {
    kernelName = name;
    return *this;
  }
  LogMessage &device(std::string_view name) {
    deviceName = name;
    return *this;
  }

  LogMessage &operator<<(std::string_view value) {
    text += value;
    return *this;
  }
  LogMessage &operator<<(std::integral auto value) {
    text += std::to_string(value);
    return *this;
  }
  /// Three digits after the point.
  LogMessage &operator<<(double value);

private:
  LogTopic topic;
  LogLevel level;
  const char *file;
  int line;
  std::string kernelName, deviceName, text;
};

} // namespace mica

/// A stream for one message of topic `topic` (a LogTopic) at `level`; operands are evaluated only if it is enabled.
#define MICA_LOG(topic, level)                                                                                         \
  for (bool micaWanted_ = ::mica::logs(::mica::LogTopic::topic, ::mica::LogLevel::level); micaWanted_;                 \
       micaWanted_ = false)                                                                                            \
  ::mica::LogMessage(::mica::LogTopic::topic, ::mica::LogLevel::level, __FILE__, __LINE__)

#endif // MICA_SUPPORT_LOG_H
