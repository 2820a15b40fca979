//===- Record.h - reading the record of a compile -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads passes_dump of an artifact, or the folder of mica-opt --record (docs/Artifact.md): which pass ran on which op,
// what it changed, and the state after each pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_RECORD_H
#define MICA_IRTOOLS_RECORD_H

#include "mica/IRTools/Document.h"

#include <optional>

namespace mica::irtools {

struct RecordedRemark {
  std::string message;
  std::vector<std::string> ids; ///< of the ops that it is about
};

/// One run of one pass on one op.
struct RecordedRun {
  int64_t position = 0; ///< of the pass in the pipeline, from 1
  std::string op;       ///< "" the program, else the kernel
  double milliseconds = 0;
  bool changed = false;
  bool failed = false;
  std::string file; ///< the snapshot, relative to the folder; "" if nothing changed
  int64_t opsBefore = -1, opsAfter = -1;
  std::vector<RecordedRemark> remarks;
};

struct RecordedPassInfo {
  int64_t position = 0;
  std::string pass, options, anchor, phase;
};

/// The pass that did not finish, if any.
struct RecordedFailure {
  int64_t position = 0;
  std::string pass, op;
  std::string how; ///< "failed", "crashed", "ran for longer than 5 s"
};

/// The pipeline of the pass alone with all its anchors ("builtin.module(builtin.module(cse))"), then with ever fewer
/// anchors, because the snapshot of a kernel has the kernel as its root.
std::vector<std::string> pipelinesOf(const RecordedPassInfo &info);

class Record {
public:
  /// `folder` holds index.json, or passes_dump/index.json.
  static Result<Record> open(const std::string &folder);

  const std::string &folder() const { return directory; }
  const std::vector<RecordedPassInfo> &passes() const { return pipeline; }
  const std::vector<RecordedRun> &runs() const { return all; }
  const RecordedPassInfo *pass(int64_t position) const;
  const std::optional<RecordedFailure> &failure() const { return failed; }
  /// The whole pipeline; its passes by position.
  const std::string &pipelineText() const { return pipelineOfAll; }
  /// "0012 mica-form-groups"; "0000 input" for 0.
  std::string title(int64_t position) const;

  /// Parses a position: a number, or the name of a pass that occurs once in the pipeline.
  Result<int64_t> position(const std::string &text) const;
  /// What the passes in (after, upTo] changed: "" and names of kernels, in order of appearance.
  std::vector<std::string> changedOps(int64_t after, int64_t upTo) const;
  /// The names of the files that make up the state of `op` after pass `position`: equal names, equal states.
  std::string fingerprint(const std::string &op, int64_t position) const;
  /// The state of `op` after pass `position`. For a kernel that is still part of the program: the kernel alone. If
  /// parts of it have newer snapshots than the whole, they are inserted, and the text is printed again.
  Result<Document> state(const std::string &op, int64_t position, mlir::MLIRContext &context) const;

private:
  friend class RecordStates;
  /// The snapshot that contains `op` at `position` (null: the input), then the newer ones of its parts.
  std::vector<const RecordedRun *> snapshotsOf(const std::string &op, int64_t position) const;

  std::string directory, input, pipelineOfAll;
  std::vector<RecordedPassInfo> pipeline;
  std::vector<RecordedRun> all;
  std::optional<RecordedFailure> failed;
};

/// A cache of states for many comparisons: a state that is in use is not read twice, and the whole from which parts are
/// taken is kept until another one is needed. The record and the context must outlive it and its documents.
class RecordStates {
public:
  RecordStates(const Record &record, mlir::MLIRContext &context) : record(record), context(context) {}

  /// As Record::state().
  Result<SharedDocument> state(const std::string &op, int64_t position);
  /// 32 hex digits: a hash of the texts, line maps and file names of the states of `op` after passes `from` and `to`.
  std::string keyOf(const std::string &op, int64_t from, int64_t to);

private:
  Result<SharedDocument> file(const std::string &name);
  Result<SharedDocument> find(const std::string &op, int64_t position);
  const std::string &hashOf(const std::string &name);

  const Record &record;
  mlir::MLIRContext &context;
  std::map<std::string, std::weak_ptr<const Document>> known; ///< by file, or op and files
  std::map<std::string, SharedDocument>
      newest; ///< by op, the latest state that was requested: the one before the next pass
  SharedDocument whole;
  std::map<std::string, std::string> hashes; ///< of the contents of snapshots, by name
};

} // namespace mica::irtools

#endif // MICA_IRTOOLS_RECORD_H
