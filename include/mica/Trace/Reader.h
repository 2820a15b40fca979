//===- Reader.h - reading trace logs ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reads a log of any size and in any state in one pass with bounded memory: every line becomes part of a record or a
// defect, and no content of a log stops the reader.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TRACE_READER_H
#define MICA_TRACE_READER_H

#include "mica/Support/Status.h"
#include "mica/Trace/Record.h"

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mica::trace {

struct ReaderOptions {
  size_t chunk = size_t(2) << 20;          ///< bytes read at once
  size_t longestRecord = size_t(64) << 20; ///< maximum bytes of a record that are kept; the rest is skipped and counted
  int threads = 0;                         ///< parser threads; 0: one per core, at most 4
};

/// Counts for the last line of a report.
struct ReadCounts {
  int64_t bytes = 0;
  int64_t lines = 0;
  int64_t emptyLines = 0; ///< ignored
  int64_t records = 0;    ///< lines that begin a record
  int64_t converted = 0;  ///< of these, the ones with CR LF line ends
  std::array<int64_t, kDefectKinds> defects{};

  int64_t damage() const;
};

/// Called for each record in the order of the log, on the thread that called read. A line that is not a record is
/// passed as a record with an empty kind, path and envelope and one defect.
using TakeRecord = std::function<void(Record &)>;

/// Reads `file` to its end. Fails only if the file cannot be read, never because of its contents. Parsing runs ahead on
/// other threads; memory use is a few chunks, or twice the longest record if that is more.
Result<ReadCounts> readLog(const std::filesystem::path &file, const TakeRecord &take,
                           const ReaderOptions &options = {});

/// The same for a log in memory.
ReadCounts readLogText(std::string_view text, const TakeRecord &take, const ReaderOptions &options = {});

/// The strings that records of kind `str` define.
class StringTable {
public:
  /// Adds a record of kind `str`; adds a defect to it if it is malformed or redefines a number.
  void define(Record &record);
  /// The text of `id`; null if no record defined it. -1 is "unknown" by the format.
  const std::string *find(int64_t id) const;
  /// In the order of their numbers, "" for gaps.
  std::vector<std::string> all() const;

private:
  std::unordered_map<int64_t, std::string> strings;
};

} // namespace mica::trace

#endif // MICA_TRACE_READER_H
