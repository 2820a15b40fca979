//===- Record.h - the record of a compile, read back --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// passes_dump of an artifact, or the folder of mica-opt --record (docs/Artifact.md): which pass ran on what, what it
// changed, and where the state after each pass is.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_RECORD_H
#define MICA_IRTOOLS_RECORD_H

#include "mica/IRTools/Document.h"

#include <optional>

namespace mica::irtools {

struct RecordedRemark {
  std::string message;
  std::vector<std::string> ids; ///< of the ops it speaks of
};

/// One run of one pass on one op.
struct RecordedRun {
  int64_t position = 0; ///< of the pass in the pipeline, from 1
  std::string op;       ///< "" the program, else the kernel
  double milliseconds = 0;
  bool changed = false;
  bool failed = false;
  std::string file; ///< the snapshot, relative to the folder; "" where nothing changed
  int64_t opsBefore = -1, opsAfter = -1;
  std::vector<RecordedRemark> remarks;
};

struct RecordedPassInfo {
  int64_t position = 0;
  std::string pass, options, anchor, phase;
};

/// The pass that did not finish, where one did not.
struct RecordedFailure {
  int64_t position = 0;
  std::string pass, op;
  std::string how; ///< "failed", "crashed", "ran for longer than 5 s"
};

/// The pass alone in its nest of anchors ("builtin.module(builtin.module(cse))"), then in ever less of it: the state of
/// a kernel begins with the kernel.
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
  /// The whole pipeline; its passes in the order of their positions.
  const std::string &pipelineText() const { return pipelineOfAll; }
  /// "0012 mica-form-groups"; "0000 input" for 0.
  std::string title(int64_t position) const;

  /// A position: a number, or the name of a pass that is in the pipeline once.
  Result<int64_t> position(const std::string &text) const;
  /// What passes in (after, upTo] changed: "" and names of kernels, in order of appearance.
  std::vector<std::string> changedOps(int64_t after, int64_t upTo) const;
  /// The texts that make up the state of `op` after pass `position`: equal texts, equal states.
  std::string fingerprint(const std::string &op, int64_t position) const;
  /// The state of `op` after pass `position`. Of a kernel that is still part of the program: the kernel alone. Where
  /// parts of it have newer snapshots than the whole, they are put in, and the text is printed anew.
  Result<Document> state(const std::string &op, int64_t position, mlir::MLIRContext &context) const;

private:
  friend class RecordStates;
  /// The snapshot that holds `op` at `position` (null: the input), then the newer ones of its parts.
  std::vector<const RecordedRun *> snapshotsOf(const std::string &op, int64_t position) const;

  std::string directory, input, pipelineOfAll;
  std::vector<RecordedPassInfo> pipeline;
  std::vector<RecordedRun> all;
  std::optional<RecordedFailure> failed;
};

/// States of a record for many comparisons: a state that is in use is not read again, and the whole that parts are
/// taken from is kept until another one is asked for. Record and context outlive it and what it gives.
class RecordStates {
public:
  RecordStates(const Record &record, mlir::MLIRContext &context) : record(record), context(context) {}

  /// As Record::state().
  Result<SharedDocument> state(const std::string &op, int64_t position);
  /// 32 hex digits of the texts and line maps that make up the states of `op` after passes `from` and `to`, and of the
  /// names of their files.
  std::string keyOf(const std::string &op, int64_t from, int64_t to);

private:
  Result<SharedDocument> file(const std::string &name);
  Result<SharedDocument> find(const std::string &op, int64_t position);
  const std::string &hashOf(const std::string &name);

  const Record &record;
  mlir::MLIRContext &context;
  std::map<std::string, std::weak_ptr<const Document>> known; ///< by file, or op and files
  std::map<std::string, SharedDocument> newest; ///< by op, the state asked for last: the one before the next pass
  SharedDocument whole;
  std::map<std::string, std::string> hashes; ///< of what lies under the name of a snapshot
};

} // namespace mica::irtools

#endif // MICA_IRTOOLS_RECORD_H
