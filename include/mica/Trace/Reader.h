//===- Reader.h - reads a trace log ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One pass, in bounded memory, over a log of any size in any state: every line is accounted for as part of a record or
// as a defect, and nothing in a log ends the reading.
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
  size_t longestRecord = size_t(64) << 20; ///< bytes of a record that are kept; the rest is skipped and counted
  int threads = 0;                         ///< that parse ahead; 0: as many as there are cores, at most 4
};

/// What was read, for the last line of a report.
struct ReadCounts {
  int64_t bytes = 0;
  int64_t lines = 0;
  int64_t emptyLines = 0; ///< of no meaning; writers leave them when they stutter
  int64_t records = 0;    ///< lines that begin as a record does
  int64_t converted = 0;  ///< of them, those whose lines end in CR LF
  std::array<int64_t, kDefectKinds> defects{};

  int64_t damage() const;
};

/// Called for each record in the order of the log, from the thread that called read. A line that is no record comes as
/// a record with an empty kind, path and envelope and one defect.
using TakeRecord = std::function<void(Record &)>;

/// Reads `file` to its end. Fails where the file cannot be read, and never because of what is in it. Parsing runs ahead
/// on other threads; memory stays at a few chunks, or at twice the longest record where that is more.
Result<ReadCounts> readLog(const std::filesystem::path &file, const TakeRecord &take,
                           const ReaderOptions &options = {});

/// The same for a log in memory.
ReadCounts readLogText(std::string_view text, const TakeRecord &take, const ReaderOptions &options = {});

/// The strings that records of kind `str` number.
class StringTable {
public:
  /// Takes a record of kind `str` in; adds a defect to it where it is none or gives a number a second text.
  void define(Record &record);
  /// The text of `id`; null where no record defined it. -1 is "unknown" by the format.
  const std::string *find(int64_t id) const;
  /// In the order of their numbers, "" for gaps.
  std::vector<std::string> all() const;

private:
  std::unordered_map<int64_t, std::string> strings;
};

} // namespace mica::trace

#endif // MICA_TRACE_READER_H
