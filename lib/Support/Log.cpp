//===- Log.cpp - logging by topics (MICA_LOGS) -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A process has one log, like one standard error: its state is the only global state here. A message is formatted and
// written under one lock by one write(2), so that lines of processes that share a file do not interleave and nothing is
// lost when the process dies.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Log.h"

#include "lib/Support/FileDescriptor.h"
#include "lib/Support/Json.h"
#include "lib/Support/LogConfig.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include <fcntl.h>
#include <unistd.h>

namespace mica {
namespace {

using detail::LogFormat;

struct LogState {
  std::mutex mutex;
  // The options of the last configureLogs().
  LogOptions options;
  LogFormat format;
  std::string program = "mica";
  int rank = -1;
  // Files by device ("" is the process), opened on their first message.
  std::map<std::string, std::unique_ptr<FileDescriptor>> files;
  pid_t owner = ::getpid(); ///< a forked process opens its own files
  // For logWarnings().
  bool matchedKernel = false;
  std::vector<std::string> droppedKernels;
  std::optional<Error> failure;
};

LogState &state() {
  // Never destroyed, because threads may log while the process exits.
  static LogState *only = new LogState;
  return *only;
}

/// The path relative to the tree's root, independent of the build machine.
std::string_view shortPath(std::string_view file) {
  for (std::string_view root : {"/lib/", "/passes/", "/dialects/", "/tools/", "/include/", "/test/"})
    if (size_t at = file.rfind(root); at != file.npos)
      file = file.substr(at + 1);
  return file;
}

constexpr char kLetters[] = "DIWE";
constexpr std::string_view kLevelNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

/// "1121 19:20:01.123456": local time, as in traces.
std::string timeText() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1000000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char text[48];
  std::snprintf(text, sizeof text, "%02d%02d %02d:%02d:%02d.%06d", local.tm_mon + 1, local.tm_mday, local.tm_hour,
                local.tm_min, local.tm_sec, int(micros));
  return text;
}

/// A message with the fields that the process adds.
struct Entry {
  const LogTopicInfo &info;
  LogLevel level;
  std::string_view file;
  int line;
  const std::string &kernel, &device, &text;
};

std::string jsonLine(const Entry &entry, int rank) {
  Json json;
  json["version"] = 1;
  json["unix_ns"] =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::string level(kLevelNames[size_t(entry.level)]);
  std::transform(level.begin(), level.end(), level.begin(), [](char c) { return char(c - 'A' + 'a'); });
  json["level"] = level;
  json["topic"] = entry.info.name;
  if (!entry.kernel.empty())
    json["kernel"] = entry.kernel;
  if (!entry.device.empty())
    json["device"] = entry.device;
  if (rank >= 0)
    json["rank"] = rank;
  json["pid"] = ::getpid();
  json["file"] = entry.file;
  json["line"] = entry.line;
  json["message"] = entry.text;
  return printJsonLine(json) + "\n";
}

std::string fieldText(LogFormat::Field field, const Entry &entry, int rank) {
  using Field = LogFormat::Field;
  switch (field) {
  case Field::Level:
    return {kLetters[size_t(entry.level)]};
  case Field::LevelName:
    return std::string(kLevelNames[size_t(entry.level)]);
  case Field::Time:
    return timeText();
  case Field::Pid:
    return std::to_string(::getpid());
  case Field::Thread:
    return std::to_string(::gettid());
  case Field::File:
    return std::string(entry.file);
  case Field::Line:
    return std::to_string(entry.line);
  case Field::Rank:
    return rank >= 0 ? std::to_string(rank) : "-";
  case Field::Device:
    return entry.device.empty() ? "-" : entry.device;
  case Field::Kernel:
    return entry.kernel.empty() ? "-" : entry.kernel;
  case Field::Topic:
    return std::string(entry.info.name);
  case Field::Text:
  case Field::Message:
    return "";
  }
  return "";
}

/// The text before and after the message in a line.
std::pair<std::string, std::string> surroundings(const Entry &entry, const LogFormat &format, int rank) {
  std::string before, after;
  if (format.form == LogFormat::Form::Short)
    return {std::string(kLevelNames[size_t(entry.level)]) + ":" + std::string(entry.info.name) + ":" +
                (entry.kernel.empty() ? "" : "@" + entry.kernel + ": "),
            ""};
  if (format.form == LogFormat::Form::Full) {
    if (rank >= 0)
      before = "[rank" + std::to_string(rank) + "]:";
    before += kLetters[size_t(entry.level)] + timeText() + " " + std::to_string(::getpid()) + " " +
              std::string(entry.file) + ":" + std::to_string(entry.line) + "] ";
    if (!entry.device.empty())
      before += "[" + entry.device + "] ";
    if (!entry.kernel.empty())
      before += "[@" + entry.kernel + "] ";
    before += (entry.info.isArtifact ? "[__" : "[") + std::string(entry.info.name) + "] ";
    return {before, after};
  }
  bool seen = false;
  for (const LogFormat::Part &part : format.parts) {
    seen |= part.field == LogFormat::Field::Message;
    (seen ? after : before) += part.field == LogFormat::Field::Text ? part.text : fieldText(part.field, entry, rank);
  }
  return {before, after};
}

std::string formatted(const Entry &entry, const LogFormat &format, int rank) {
  if (format.form == LogFormat::Form::Json)
    return jsonLine(entry, rank);
  const auto [before, after] = surroundings(entry, format, rank);
  std::string text;
  std::string_view rest = entry.text;
  while (rest.ends_with('\n'))
    rest.remove_suffix(1);
  for (const std::string &line : splitText(rest, '\n'))
    text += before + line + after + "\n";
  return text;
}

Status openFile(LogState &log, const std::string &device, int &descriptor) {
  std::filesystem::path file = log.options.file;
  if (file.empty()) {
    std::string name = log.program + (log.rank >= 0 ? "_rank_" + std::to_string(log.rank) : "") + "_" +
                       std::to_string(::getpid()) + (device.empty() ? "" : "_" + device) + ".log";
    std::replace(name.begin(), name.end(), ':', '-');
    MICA_RETURN_IF_ERROR(makeFolder(log.options.folder));
    file = std::filesystem::path(log.options.folder) / name;
  } else if (file.has_parent_path()) {
    MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  }
  descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError("write", file, errno);
  return {};
}

/// The file of `device`, or the standard error. Called under the lock.
int descriptorFor(LogState &log, std::string device) {
  if (log.options.file.empty() && log.options.folder.empty())
    return STDERR_FILENO;
  if (log.owner != ::getpid()) {
    log.files.clear();
    log.owner = ::getpid();
  }
  if (!log.options.file.empty())
    device.clear();
  std::unique_ptr<FileDescriptor> &file = log.files[device];
  if (!file) {
    int descriptor = -1;
    if (Status opened = openFile(log, device, descriptor); !opened && !log.failure)
      log.failure = opened.error();
    file = std::make_unique<FileDescriptor>(descriptor);
  }
  // If the log file cannot be written, messages go to the standard error.
  return *file ? file->get() : STDERR_FILENO;
}

void writeAll(LogState &log, int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      if (!log.failure)
        log.failure = systemError("write", "the log", errno);
      return;
    }
    text.remove_prefix(size_t(written));
  }
}

} // namespace

LogOptions logOptionsFromEnvironment() {
  auto value = [](std::string_view name) { return environmentValue(name).value_or(""); };
  return {value("MICA_LOGS"),        value("MICA_LOGS_OUT"),    value("MICA_LOG_DIR"),
          value("MICA_LOGS_FORMAT"), value("MICA_LOGS_KERNEL"), value("MICA_LOGS_RANK")};
}

int processRank() {
  if (std::optional<std::string> own = environmentValue("MICA_RANK"))
    return std::max(-1, std::atoi(own->c_str()));
  for (const char *name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char *value = std::getenv(name); value && *value)
      return std::max(-1, std::atoi(value));
  return -1;
}

Status configureLogs(const LogOptions &options, std::string_view program) {
  MICA_ASSIGN_OR_RETURN(const auto masks, detail::parseLogTopics(options.topics));
  MICA_ASSIGN_OR_RETURN(LogFormat format, detail::parseLogFormat(options.format));
  MICA_ASSIGN_OR_RETURN(const std::vector<int> ranks, detail::parseLogRanks(options.ranks));
  const int rank = processRank();
  const bool silent = !ranks.empty() && std::find(ranks.begin(), ranks.end(), rank) == ranks.end();
  LogState &log = state();
  std::lock_guard<std::mutex> lock(log.mutex);
  log.options = options;
  log.format = std::move(format);
  log.program = program;
  log.rank = rank;
  log.files.clear();
  log.matchedKernel = false;
  log.droppedKernels.clear();
  log.failure.reset();
  for (size_t level = 0; level < masks.size(); ++level)
    detail::logMasks[level].store(silent ? 0 : masks[level], std::memory_order_relaxed);
  return {};
}

std::string logWarnings() {
  LogState &log = state();
  std::lock_guard<std::mutex> lock(log.mutex);
  if (log.failure)
    return log.failure->message;
  if (!log.matchedKernel && !log.droppedKernels.empty())
    return "MICA_LOGS_KERNEL=" + log.options.kernels +
           " is the name of no kernel; there are: " + joinNames(log.droppedKernels);
  return "";
}

void writeLog(std::string_view device, std::string_view lines) {
  LogState &log = state();
  std::lock_guard<std::mutex> lock(log.mutex);
  writeAll(log, descriptorFor(log, std::string(device)), lines);
}

LogMessage &LogMessage::operator<<(double value) {
  char number[64];
  std::snprintf(number, sizeof number, "%.3f", value);
  text += number;
  return *this;
}

LogMessage::~LogMessage() {
  LogState &log = state();
  const Entry entry{logTopics()[size_t(topic)], level, shortPath(file), line, kernelName, deviceName, text};
  std::lock_guard<std::mutex> lock(log.mutex);
  if (!kernelName.empty() && !log.options.kernels.empty()) {
    if (!matchesNames(log.options.kernels, kernelName)) {
      std::vector<std::string> &dropped = log.droppedKernels;
      if (dropped.size() < 64 && std::find(dropped.begin(), dropped.end(), kernelName) == dropped.end())
        dropped.push_back(kernelName);
      return;
    }
    log.matchedKernel = true;
  }
  writeAll(log, descriptorFor(log, deviceName), formatted(entry, log.format, log.rank));
}

} // namespace mica
