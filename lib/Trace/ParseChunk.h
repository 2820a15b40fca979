//===- ParseChunk.h - whole records of a piece of a log --------------------------------------------------===//
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

/// A piece of a log that begins with a line that is no payload, and what was found in it. Lines count from 1 within the
/// piece. The records point into `text`.
struct Chunk {
  std::string text;
  bool last = false;   ///< the end of the log
  int64_t skipped = 0; ///< bytes behind `text` that were not kept: the rest of its last record
  int64_t skippedLines = 0;
  std::vector<Record> records;
  int64_t lines = 0, emptyLines = 0;
};

/// Whether a line that begins with `c` may be a record's first: payloads begin with a tab, empty lines belong to what
/// they follow.
inline bool mayBeginRecord(char c) { return c != '\t' && c != '\n' && c != '\r'; }

/// Fills everything of `chunk` but its text. Payloads are made contiguous in place.
void parseChunk(Chunk &chunk);

} // namespace mica::trace

#endif // MICA_LIB_TRACE_PARSECHUNK_H
