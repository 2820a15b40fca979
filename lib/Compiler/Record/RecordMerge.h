//===- RecordMerge.h - merging the record of a rebuild ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Passes that run from an edited snapshot are recorded separately, with positions from 1. This merges their records
// into the artifact's, replacing those of the passes after the snapshot.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_RECORDMERGE_H
#define MICA_LIB_COMPILER_RECORD_RECORDMERGE_H

#include "mica/Support/Status.h"

#include <map>
#include <string>
#include <vector>

namespace mica::compiler {

struct MergedRecord {
  struct Snapshot {
    std::string text, map;
  };
  std::string index;                         ///< the new index.json
  std::map<std::string, Snapshot> snapshots; ///< by their names in passes_dump
  std::vector<std::string> removed;          ///< names of snapshots that no longer exist
};

/// `record` is the folder of a record of the passes after `position` on `kernel`, or on the whole program if that is
/// "". Merges it into the record whose index is `homeIndex`. Errors: Damaged, Io.
Result<MergedRecord> mergeRecord(const std::string &homeIndex, const std::string &record, int position,
                                 const std::string &kernel);

/// The phase of each pass by position - 1, from an index.json; empty if there is no such file.
Result<std::vector<std::string>> recordedPhases(const std::string &file);

/// Replaces in `remarks`, of a remarks.json (docs/Artifact.md), those of passes after `position` by those of `added`,
/// whose positions count from 1.
Result<std::string> mergeRemarks(const std::string &remarks, const std::string &added, int position);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_RECORDMERGE_H
