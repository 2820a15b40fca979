//===- Reader.cpp - reading trace logs -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Splits a log into chunks that begin with a line that is not a payload, parses them ahead on other threads, and
// returns their records in order.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Reader.h"

#include "lib/Support/FileDescriptor.h"
#include "lib/Trace/ParseChunk.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <future>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

namespace mica::trace {
namespace {

/// Reads bytes into `to`; returns their number, 0 at the end.
using ReadBytes = std::function<Result<size_t>(char *to, size_t bytes)>;

/// Splits a stream into chunks.
class Cutter {
public:
  Cutter(ReadBytes read, const ReaderOptions &options) : read(std::move(read)), options(options) {}

  /// The next chunk; null at the end.
  Result<std::unique_ptr<Chunk>> next() {
    if (ended && carry.empty())
      return std::unique_ptr<Chunk>();
    auto chunk = std::make_unique<Chunk>();
    std::string &text = chunk->text;
    text = std::move(carry);
    carry.clear();
    size_t searched = 0;
    for (;;) {
      if (!ended) {
        const size_t size = text.size();
        text.resize(size + options.chunk);
        MICA_ASSIGN_OR_RETURN(const size_t got, read(text.data() + size, options.chunk));
        text.resize(size + got);
        ended = got == 0;
      }
      if (ended) {
        chunk->last = true;
        return chunk;
      }
      if (const size_t cut = lastBoundary(text, searched)) {
        carry.assign(text, cut);
        text.resize(cut);
        return chunk;
      }
      searched = text.size() - 1;
      if (text.size() >= options.longestRecord) {
        MICA_RETURN_IF_ERROR(skipRecord(*chunk));
        return chunk;
      }
    }
  }

private:
  /// The start of the last line of `text` that is complete, or certainly not a payload; 0 if that is the first line.
  static size_t lastBoundary(const std::string &text, size_t from) {
    for (size_t at = text.size(); at > from + 1;) {
      const void *found = ::memrchr(text.data() + from, '\n', at - 1 - from);
      if (!found)
        return 0;
      at = static_cast<size_t>(static_cast<const char *>(found) - text.data()) + 1;
      if (mayBeginRecord(text[at]))
        return at;
    }
    return 0;
  }

  /// Skips input until a line that is not a payload begins.
  Status skipRecord(Chunk &chunk) {
    std::string buffer(options.chunk, '\0');
    bool atLineStart = chunk.text.back() == '\n';
    // The truncated line is counted with its kept part.
    chunk.skippedLines = atLineStart ? 0 : -1;
    for (;;) {
      MICA_ASSIGN_OR_RETURN(const size_t got, read(buffer.data(), buffer.size()));
      if (got == 0) {
        ended = true;
        chunk.last = true;
        chunk.skippedLines += !atLineStart;
        return Status::ok();
      }
      for (size_t at = 0; at < got; ++at) {
        if (atLineStart && mayBeginRecord(buffer[at])) {
          carry.assign(buffer, at, got - at);
          chunk.skipped += static_cast<int64_t>(at);
          return Status::ok();
        }
        atLineStart = buffer[at] == '\n';
        chunk.skippedLines += atLineStart;
      }
      chunk.skipped += static_cast<int64_t>(got);
    }
  }

  ReadBytes read;
  const ReaderOptions &options;
  std::string carry; ///< the beginning of the next chunk
  bool ended = false;
};

class Counter {
public:
  explicit Counter(const TakeRecord &take) : take(take) {}

  void give(Chunk &chunk) {
    for (Record &record : chunk.records) {
      record.line += counts.lines;
      for (Defect &defect : record.defects)
        defect.line = record.line;
      counts.records += !record.path.empty();
      counts.converted += record.converted;
      // The callback may add defects, which are counted too.
      take(record);
      for (const Defect &defect : record.defects)
        ++counts.defects[static_cast<size_t>(defect.kind)];
    }
    counts.bytes += static_cast<int64_t>(chunk.text.size()) + chunk.skipped;
    counts.lines += chunk.lines + chunk.skippedLines;
    counts.emptyLines += chunk.emptyLines;
  }

  ReadCounts counts;

private:
  const TakeRecord &take;
};

Result<ReadCounts> readChunks(ReadBytes read, const TakeRecord &take, const ReaderOptions &options) {
  Cutter cutter(std::move(read), options);
  Counter counter(take);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t threads = options.threads > 0 ? static_cast<size_t>(options.threads) : std::min(4u, cores);
  std::deque<std::future<std::unique_ptr<Chunk>>> ahead;
  bool more = true;
  while (more || !ahead.empty()) {
    while (more && ahead.size() < threads) {
      MICA_ASSIGN_OR_RETURN(std::unique_ptr<Chunk> chunk, cutter.next());
      more = chunk != nullptr;
      if (!chunk)
        break;
      more = !chunk->last;
      auto work = [chunk = std::move(chunk)]() mutable {
        parseChunk(*chunk);
        return std::move(chunk);
      };
      // With one chunk, or one thread, parse on this thread.
      const bool here = threads == 1 || (!more && ahead.empty());
      ahead.push_back(std::async(here ? std::launch::deferred : std::launch::async, std::move(work)));
    }
    if (ahead.empty())
      break;
    const std::unique_ptr<Chunk> chunk = ahead.front().get();
    ahead.pop_front();
    counter.give(*chunk);
  }
  return counter.counts;
}

} // namespace

int64_t ReadCounts::damage() const {
  int64_t sum = 0;
  for (size_t i = 0; i < kDefectKinds; ++i)
    if (isDamage(static_cast<DefectKind>(i)))
      sum += defects[i];
  return sum;
}

/// Reads a log that `descriptor` has as gzip. Takes what there is of one that was cut off.
static Result<ReadCounts> readGzip(const FileDescriptor &descriptor, const std::filesystem::path &file,
                                   const TakeRecord &take, const ReaderOptions &options) {
  // gzclose() closes its descriptor.
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> stream(gzdopen(::dup(descriptor.get()), "rb"), gzclose);
  if (!stream)
    return systemError("read", file, errno);
  auto read = [&](char *to, size_t bytes) -> Result<size_t> {
    const int got = gzread(stream.get(), to, static_cast<unsigned>(std::min<size_t>(bytes, INT_MAX)));
    int code = Z_OK;
    const char *problem = gzerror(stream.get(), &code);
    if (got < 0 && code != Z_BUF_ERROR)
      return Error{ErrorCode::Damaged, file.string() + " is no valid gzip file: " + problem,
                   "copy it again, or unpack it by hand: gzip -dc"};
    return static_cast<size_t>(std::max(got, 0));
  };
  return readChunks(read, take, options);
}

Result<ReadCounts> readLog(const std::filesystem::path &file, const TakeRecord &take, const ReaderOptions &options) {
  const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor)
    return systemError("read", file, errno);
  char magic[4] = {};
  // A pipe has no beginning to look at.
  const ssize_t known = ::pread(descriptor.get(), magic, sizeof magic, 0);
  if (known >= 2 && std::memcmp(magic, "\x1f\x8b", 2) == 0)
    return readGzip(descriptor, file, take, options);
  if (known == 4 && std::memcmp(magic, "\x28\xb5\x2f\xfd", 4) == 0) {
    MICA_ASSIGN_OR_RETURN(const std::string data, readFile(file));
    MICA_ASSIGN_OR_RETURN(const std::string text, decompress(data, file.string()));
    return readLogText(text, take, options);
  }
  auto read = [&](char *to, size_t bytes) -> Result<size_t> {
    size_t got = 0;
    while (got < bytes) {
      const ssize_t n = ::read(descriptor.get(), to + got, bytes - got);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return systemError("read", file, errno);
      if (n == 0)
        break;
      got += static_cast<size_t>(n);
    }
    return got;
  };
  return readChunks(read, take, options);
}

ReadCounts readLogText(std::string_view text, const TakeRecord &take, const ReaderOptions &options) {
  auto read = [&](char *to, size_t bytes) -> Result<size_t> {
    const size_t count = std::min(bytes, text.size());
    std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
  return *readChunks(read, take, options);
}

void StringTable::define(Record &record) {
  const std::vector<std::string_view> parts = jsonElements(record.metadata);
  const std::optional<std::string> text = parts.size() == 2 ? jsonString(parts[0]) : std::nullopt;
  const std::optional<int64_t> id = parts.size() == 2 ? jsonInteger(parts[1]) : std::nullopt;
  if (!text || !id || *id < 0) {
    record.defects.push_back({DefectKind::Field, record.line, "a string should be [text, number from 0]"});
    return;
  }
  const auto [found, isNew] = strings.emplace(*id, *text);
  if (!isNew && found->second != *text) {
    record.defects.push_back({DefectKind::String, record.line,
                              "string " + std::to_string(*id) + " is defined twice; the later text counts"});
    found->second = *text;
  }
}

const std::string *StringTable::find(int64_t id) const {
  const auto found = strings.find(id);
  return found == strings.end() ? nullptr : &found->second;
}

std::vector<std::string> StringTable::all() const {
  int64_t highest = -1;
  for (const auto &[id, text] : strings)
    highest = std::max(highest, id);
  // A damaged log may contain a huge string number: do not allocate memory for gaps.
  const int64_t limit = std::min<int64_t>(highest + 1, static_cast<int64_t>(strings.size()) * 2 + 4096);
  std::vector<std::string> list(static_cast<size_t>(limit));
  for (const auto &[id, text] : strings)
    if (id < limit)
      list[static_cast<size_t>(id)] = text;
  return list;
}

} // namespace mica::trace
