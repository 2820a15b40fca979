//===- Writer.cpp - writing trace logs -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A record is formatted in memory and written by one call to a file opened for appending, under a file lock, so that
// records of several processes do not interleave.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Writer.h"

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Files.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <unordered_map>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::trace {
namespace {

/// The maximum number of strings of a child; its own children get a part of them.
constexpr int64_t kChildStrings = 200;
/// Readers use 32-bit string numbers.
constexpr int64_t kMostStrings = UINT32_MAX;
/// The file name of a frame without a known file: a frame must always refer to a defined string.
constexpr std::string_view kUnknownFile = "(unknown)";

std::string object(const JsonFields &fields) {
  std::string text = "{";
  for (const auto &[key, value] : fields)
    text += (text.size() > 1 ? ", " : "") + quoteJson(key) + ": " + value;
  return text + "}";
}

/// In its scope, a write beyond the limit for file sizes (RLIMIT_FSIZE) is an error on this thread instead of a signal
/// that ends the process.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGXFSZ);
    sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    wasPending = ::sigismember(&pending, SIGXFSZ) == 1;
    ::pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~NoFileSizeSignal() {
    const timespec now = {};
    if (!wasPending)
      while (::sigtimedwait(&signals, nullptr, &now) < 0 && errno == EINTR) {
      }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t signals, before;
  bool wasPending = false;
};

/// Converts to UTF-8 without carriage returns, which readers interpret as line ends: alone they become the symbol for
/// one, before a newline they are removed. `made` owns the result if `text` needed changes, which compiler output does
/// not.
std::string_view cleanPayload(std::string_view text, std::string &made) {
  std::string_view clean = text;
  if (!isUtf8(text)) {
    made = validUtf8(text);
    clean = made;
  }
  if (clean.find('\r') == std::string_view::npos)
    return clean;
  std::string out;
  for (size_t i = 0; i < clean.size(); ++i) {
    if (clean[i] != '\r')
      out += clean[i];
    else if (i + 1 == clean.size() || clean[i + 1] != '\n')
      out += "\xe2\x90\x8d";
  }
  made = std::move(out);
  return made;
}

/// Strict ASCII JSON on one line; null if `text` is not JSON.
std::string cleanJson(std::string_view text) {
  const JsonScan scan = scanJson(text);
  if (!scan.ok)
    return "null";
  std::string strict = scan.notes.any() ? strictJson(text) : std::string(text);
  std::string out;
  for (size_t at = 0; at < strict.size();) {
    const unsigned char c = static_cast<unsigned char>(strict[at]);
    if (c < 0x80) {
      // Line ends occur between tokens only.
      out += c == '\n' || c == '\r' || c == '\t' ? ' ' : strict[at];
      ++at;
      continue;
    }
    size_t end = at;
    while (end < strict.size() && static_cast<unsigned char>(strict[end]) >= 0x80)
      ++end;
    const std::string quoted = quoteJson(std::string_view(strict).substr(at, end - at));
    out.append(quoted, 1, quoted.size() - 2);
    at = end;
  }
  return out;
}

std::string randomName() {
  std::string name = randomSuffix();
  name.resize(8, '0');
  return name;
}

std::string prefix(WritePlace place) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto part = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1000000;
  std::tm local = {};
  ::localtime_r(&seconds, &local);
  char head[80];
  std::snprintf(head, sizeof head, "V%02d%02d %02d:%02d:%02d.%06d %d ", local.tm_mon + 1, local.tm_mday, local.tm_hour,
                local.tm_min, local.tm_sec, static_cast<int>(part), static_cast<int>(::getpid()));
  std::string path(place.path.empty() ? "mica" : place.path);
  std::replace(path.begin(), path.end(), ':', '_');
  return head + path + ":" + std::to_string(place.line) + "] ";
}

std::string utcNow() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc = {};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string context(const CompileId &id) {
  std::string text;
  auto add = [&](const char *key, int64_t value) {
    if (value >= 0 && value <= UINT32_MAX)
      text += std::string(", \"") + key + "\": " + std::to_string(value);
  };
  add("compiled_autograd_id", id.autograd);
  add("frame_id", id.frame);
  add("frame_compile_id", id.frameCompile);
  add("attempt", id.attempt);
  return text;
}

} // namespace

/// The log file of one process.
class Writer::Log {
public:
  Log(fs::path folder, int rank) : owner(::getpid()), folder(std::move(folder)), rank(rank) {}
  Log(fs::path file, int64_t firstString, int64_t endOfStrings, int rank)
      : owner(::getpid()), rank(rank), path(std::move(file)), isChild(true), nextString(firstString),
        endOfStrings(endOfStrings) {}

  void write(std::string_view kind, std::string_view metadata, const CompileId &id, WritePlace place,
             std::optional<std::string_view> payload, const JsonFields &extra) {
    const std::lock_guard<std::mutex> guard(mutex);
    writeLocked(kind, metadata, id, place, payload, extra);
  }

  /// The number of a string, which is written before its first use. The last number of a child is reserved for
  /// "(unknown)", used when all others are taken; -1 if the child has no numbers.
  int64_t string(std::string text) {
    const std::lock_guard<std::mutex> guard(mutex);
    if (text.empty())
      text = kUnknownFile;
    if (nextString + 1 >= endOfStrings && !strings.contains(text))
      text = kUnknownFile;
    if (const auto found = strings.find(text); found != strings.end())
      return found->second;
    if (nextString >= endOfStrings)
      return -1;
    const int64_t number = nextString++;
    strings.emplace(text, number);
    append(prefix({"lib/Trace/Writer.cpp", 0}) + "{\"str\": [" + quoteJson(text) + ", " + std::to_string(number) +
           "]}\n");
    return number;
  }

  std::string childSetting() {
    const std::lock_guard<std::mutex> guard(mutex);
    open();
    const int64_t first = nextString;
    nextString += std::min(kChildStrings, (endOfStrings - nextString) / 2);
    return std::to_string(first) + "-" + std::to_string(nextString) + ":" + path.string();
  }

  /// Arguments that identify the span that begins or ends on this thread with an event of `phase`; an instant belongs
  /// to the innermost one.
  JsonFields span(char phase) {
    const std::lock_guard<std::mutex> guard(mutex);
    std::vector<int64_t> &open = spans[::syscall(SYS_gettid)];
    JsonFields fields;
    const int64_t around = open.empty() ? 0 : open.back();
    if (phase == 'B') {
      open.push_back(++lastSpan);
      fields.push_back({"span", std::to_string(lastSpan)});
      if (around)
        fields.push_back({"parent", std::to_string(around)});
    } else if (around) {
      fields.push_back({"span", std::to_string(around)});
    }
    return fields;
  }
  void endSpan() {
    const std::lock_guard<std::mutex> guard(mutex);
    if (std::vector<int64_t> &open = spans[::syscall(SYS_gettid)]; !open.empty())
      open.pop_back();
  }

  const pid_t owner;
  mutable std::mutex mutex;
  fs::path folder;
  const int rank;
  fs::path path;
  Status status;

private:
  void writeLocked(std::string_view kind, std::string_view metadata, const CompileId &id, WritePlace place,
                   std::optional<std::string_view> payload, const JsonFields &extra) {
    if (!status)
      return;
    std::string text = prefix(place) + "{" + quoteJson(kind) + ": " + cleanJson(metadata);
    if (rank >= 0)
      text += ", \"rank\": " + std::to_string(rank);
    text += context(id);
    std::string made;
    std::string_view clean;
    if (payload) {
      clean = cleanPayload(*payload, made);
      text += ", \"has_payload\": \"" + hexDigits(md5(clean)) + "\"";
    }
    JsonFields more = extra;
    const long thread = ::syscall(SYS_gettid);
    more.push_back({"thread", std::to_string(thread)});
    if (const auto open = spans.find(thread); open != spans.end() && !open->second.empty())
      more.push_back({"span", std::to_string(open->second.back())});
    text += ", \"mica\": " + cleanJson(object(more)) + "}\n";
    if (payload) {
      text.reserve(text.size() + clean.size() + clean.size() / 8);
      for (std::string_view rest = clean;;) {
        const size_t end = rest.find('\n');
        text += '\t';
        text += rest.substr(0, end);
        text += '\n';
        if (end == std::string_view::npos)
          break;
        rest.remove_prefix(end + 1);
      }
    }
    append(text);
  }

  void open() {
    if (descriptor || !status)
      return;
    if (!isChild) {
      status = makeFolder(folder);
      if (!status)
        return;
      path = folder / ("dedicated_log_torch_trace_" + (rank >= 0 ? "rank_" + std::to_string(rank) + "_" : "") +
                       randomName() + ".log");
    }
    const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | (isChild ? 0 : O_CREAT | O_EXCL);
    descriptor = std::make_unique<FileDescriptor>(::open(path.c_str(), flags, 0666));
    if (!*descriptor) {
      status = systemError("write", path, errno);
      path.clear();
      return;
    }
    if (!isChild)
      writeLocked("artifact", R"({"name": "mica_version", "encoding": "json"})", {}, {"lib/Trace/Writer.cpp", 0},
                  "{\"version\": " + quoteJson(version()) + ", \"trace_format\": 1, \"start_utc\": \"" + utcNow() +
                      "\", \"pid\": " + std::to_string(owner) + "}",
                  {});
  }

  /// Appends one record atomically.
  void append(const std::string &text) {
    open();
    if (!status)
      return;
    const int file = descriptor->get();
    while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct ::stat before = {};
    ::fstat(file, &before);
    std::string_view rest = text;
    const NoFileSizeSignal noSignal;
    while (!rest.empty()) {
      const ssize_t n = ::write(file, rest.data(), rest.size());
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0) {
        status = systemError("write", path, errno);
        // No other process has written meanwhile: truncate the partial record.
        if (::ftruncate(file, before.st_size) != 0)
          status = systemError("write", path, errno);
        break;
      }
      rest.remove_prefix(static_cast<size_t>(n));
    }
    ::flock(file, LOCK_UN);
  }

  const bool isChild = false;
  std::unique_ptr<FileDescriptor> descriptor;
  int64_t nextString = 0, endOfStrings = kMostStrings;
  std::unordered_map<std::string, int64_t> strings;
  int64_t lastSpan = 0;
  std::unordered_map<long, std::vector<int64_t>> spans; ///< by thread: open spans, outermost first
};

Writer::Writer() = default;
Writer::~Writer() = default;

std::unique_ptr<Writer> Writer::inFolder(const fs::path &folder, int rank) {
  std::unique_ptr<Writer> writer(new Writer());
  writer->folder = folder;
  writer->rank = rank;
  writer->current = std::make_unique<Log>(folder, rank);
  return writer;
}

Result<std::unique_ptr<Writer>> Writer::ofParent(std::string_view setting, int rank) {
  const size_t dash = setting.find('-'), colon = setting.find(':');
  std::optional<int64_t> first, end;
  if (colon != std::string_view::npos && dash < colon && colon + 1 < setting.size()) {
    first = jsonInteger(setting.substr(0, dash));
    end = jsonInteger(setting.substr(dash + 1, colon - dash - 1));
  }
  if (!first || !end || *first < 0 || *end < *first)
    return Error{ErrorCode::InvalidInput, "'" + std::string(setting) + "' names no trace of a parent process",
                 "it should be <number>-<number>:<file>, as the parent sets it"};
  std::unique_ptr<Writer> writer(new Writer());
  const fs::path file = setting.substr(colon + 1);
  writer->folder = file.parent_path();
  writer->rank = rank;
  writer->current = std::make_unique<Log>(file, *first, *end, rank);
  return writer;
}

Writer::Log &Writer::log() {
  // A forked process has its own file: string numbers would clash, and another thread may hold the inherited lock, so
  // the parent's state is not used.
  if (current->owner != ::getpid()) {
    current.release();
    current = std::make_unique<Log>(folder, rank);
  }
  return *current;
}

void Writer::record(std::string_view kind, std::string_view metadata, const CompileId &compile, WritePlace place,
                    std::optional<std::string_view> payload, const JsonFields &extra) {
  log().write(kind, metadata, compile, place, payload, extra);
}

void Writer::artifact(std::string_view name, std::string_view text, const CompileId &compile, WritePlace place,
                      bool json, const JsonFields &extra) {
  const std::string metadata =
      "{\"name\": " + quoteJson(name) + ", \"encoding\": \"" + (json ? "json" : "string") + "\"}";
  log().write("artifact", metadata, compile, place, text, extra);
}

std::string Writer::frames(const std::vector<StackFrame> &stack) {
  Log &target = log();
  std::string text;
  for (const StackFrame &frame : stack)
    if (const int64_t file = target.string(frame.file); file >= 0)
      text += (text.empty() ? "" : ", ") + object({{"line", std::to_string(frameLine(frame.line))},
                                                   {"name", quoteJson(frame.function)},
                                                   {"filename", std::to_string(file)},
                                                   {"loc", frame.source.empty() ? "null" : quoteJson(frame.source)}});
  return "[" + text + "]";
}

void Writer::start(const std::vector<StackFrame> &stack, const CompileId &compile, WritePlace place) {
  log().write("dynamo_start", "{\"stack\": " + frames(stack) + "}", compile, place, {}, {});
}

void Writer::metrics(const JsonFields &fields, const CompileId &compile, WritePlace place) {
  log().write("compilation_metrics", object(fields), compile, place, {}, {});
}

void Writer::event(std::string_view name, char phase, double microseconds, const CompileId &compile, WritePlace place,
                   const JsonFields &arguments) {
  if (!std::isfinite(microseconds))
    return;
  JsonFields all = arguments;
  CompileId shown = compile.withoutAttempt();
  all.insert(all.begin(), {"compile_id", shown.isNone() ? "\"None\"" : quoteJson(shown.text())});
  Log &target = log();
  for (auto &field : target.span(phase))
    all.push_back(std::move(field));
  char time[40];
  std::snprintf(time, sizeof time, "%.1f", microseconds);
  const JsonFields fields = {{"name", quoteJson(name)},
                             {"ts", time},
                             {"args", cleanJson(object(all))},
                             {"ph", quoteJson(std::string(1, phase))},
                             {"cat", "\"mica\""},
                             {"tid", std::to_string(::syscall(SYS_gettid))},
                             {"pid", std::to_string(::getpid())}};
  std::string text = "{";
  for (const auto &[key, value] : fields)
    text += (text.size() > 1 ? ",\n" : "\n") + quoteJson(key) + ": " + value;
  target.write("chromium_event", "{}", compile, place, text + "\n}", {});
  if (phase == 'E')
    target.endSpan();
}

std::string Writer::childSetting() { return log().childSetting(); }

fs::path Writer::file() const {
  const std::lock_guard<std::mutex> guard(current->mutex);
  return current->path;
}

Status Writer::status() const {
  const std::lock_guard<std::mutex> guard(current->mutex);
  return current->status;
}

double microsecondsNow() {
  return static_cast<double>(
             std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
                 .count()) /
         1e3;
}

} // namespace mica::trace
