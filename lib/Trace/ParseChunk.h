//===- ParseChunk.h - parsing a chunk of a log -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the work of the reader's threads.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_TRACE_PARSECHUNK_H
#define MICA_LIB_TRACE_PARSECHUNK_H

#include "mica/Trace/Record.h"

#include <string>
#include <vector>

namespace mica::trace {

/// A chunk of a log that begins with a line that is not a payload, and its parsed records, which point into `text`.
/// Lines count from 1 within the chunk.
struct Chunk {
  std::string text;
  bool last = false;   ///< the end of the log
  int64_t skipped = 0; ///< bytes after `text` that were not kept: the rest of its last record
  int64_t skippedLines = 0;
  std::vector<Record> records;
  int64_t lines = 0, emptyLines = 0;
};

/// Whether a line that begins with `c` may start a record: payloads begin with a tab, empty lines belong to the
/// preceding line.
inline bool mayBeginRecord(char c) { return c != '\t' && c != '\n' && c != '\r'; }

/// Parses `text`, and sets all other members. Payloads are made contiguous in place.
void parseChunk(Chunk &chunk);

} // namespace mica::trace

#endif // MICA_LIB_TRACE_PARSECHUNK_H
