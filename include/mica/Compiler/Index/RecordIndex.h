//===- RecordIndex.h - the index of a record ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// index.json of a record (PassRecorder.h); docs/Artifact.md describes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INDEX_RECORDINDEX_H
#define MICA_COMPILER_INDEX_RECORDINDEX_H

#include "mica/Compiler/Index/RecordTypes.h"

#include <deque>
#include <optional>

namespace mica::compiler {

class RecordedPipelines;
class TextSink;

/// The beginning of an index.json, up to the records; and one record. Neither allocates memory.
std::string printIndexHead(const RecordedPipelines &pipelines, const RecorderOptions &options);
void appendRecord(TextSink &sink, const PassRecord &record, bool withTime = true);

/// The text of index.json, which begins with `head`.
std::string printRecordIndex(const std::deque<PassRecord> &records, const std::optional<PassFailure> &failure,
                             bool withTimes, llvm::StringRef head);

/// Writes `text` to `directory`/`name`, creating folders. Returns "" or an error message.
std::string writeRecordFile(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_RECORDINDEX_H
