//===- RecordTypes.h - data structures of a record ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The data of a record: its options, the passes of the pipelines, and the effect of each run. PassRecorder.h collects
// it, RecordIndex.h prints it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_INDEX_RECORDTYPES_H
#define MICA_COMPILER_INDEX_RECORDTYPES_H

#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Compiler/Index/Remarks.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// Name of a phase and the number of passes in it.
using PhaseSpan = std::pair<std::string, int>;

enum class DumpMode {
  Off,      ///< times only
  Phases,   ///< the last snapshot of each phase
  Passes,   ///< every snapshot that differs from the previous one
  Patterns, ///< and the rewrite patterns that changed it
};

/// Whether every snapshot that differs from the previous one is kept.
inline bool keepsEverySnapshot(DumpMode mode) { return mode == DumpMode::Passes || mode == DumpMode::Patterns; }

/// "off", "phases", "passes", "patterns".
llvm::StringRef dumpModeName(DumpMode mode);

struct RecorderOptions {
  DumpMode mode = DumpMode::Passes;
  std::string directory;            ///< created when the first file is written
  std::string keptDirectory;        ///< the folder's final path after a failure; "": as `directory`
  std::string reproducer = "repro"; ///< folder of the reproducer, relative to the record's
  std::string tool;                 ///< "mica-compile 0.1.0", for index.json
  std::vector<std::string> flags;   ///< flags of mica-opt for reading the program and running its passes: plugins
  bool remarks = true;              ///< collect the remarks of passes
  bool assumeVerified = false;      ///< the pass manager verifies after each pass
  /// Leaves the snapshots in an archive, from which readers extract files on demand (mica/Artifact/SnapshotFile.h):
  /// printing them takes as long as the compile. Otherwise, and after a failure, finish() writes the files.
  bool sealsSnapshots = false;
  /// With sealsSnapshots: leaves plain files up to artifact::kMostPlainBytes in total, and an archive beyond that.
  bool plainSnapshots = false;
  /// Times are kept elsewhere (build.json), so that the index is reproducible; the index of a failed compile has them.
  bool timesAside = false;
  /// Called (one call at a time, from any thread) when a pass begins on an op; for a progress display.
  std::function<void(int position, llvm::StringRef pass, llvm::StringRef anchor)> onPass;
};

/// The changes of the operations of one name, as far as attributes, types and numbers of operands show.
struct KindChange {
  llvm::StringRef kind;
  int64_t added = 0, removed = 0, changed = 0;
};

/// One run of one pass on one op.
struct PassRecord {
  int position = 0;
  std::string anchor; ///< "" for the whole program, else the symbols on the path to the op, repeated ones once: "k"
  std::string path;   ///< all of them: "k.k"
  double milliseconds = 0;
  bool changed = false;
  bool failed = false;
  std::string file;                      ///< the snapshot, in the recorder's folder; "" if unchanged or not requested
  bool packed = false;                   ///< the snapshot is stored compressed
  int64_t opsBefore = -1, opsAfter = -1; ///< operations in the op, -1 where not counted
  /// Number of operations by name after a change, sorted by name; the recorder owns the names.
  std::vector<std::pair<llvm::StringRef, int64_t>> kinds;
  /// The names with changes, sorted by name; empty if the operations before were not counted.
  std::vector<KindChange> kindChanges;
  std::vector<RecordedRemark> remarks; ///< the remarks of the pass
  std::string patterns;                ///< the file that lists the applied patterns; "" if none were
};

/// A file of the record.
struct RecordedFile {
  std::string name;    ///< without the folder
  std::string hash;    ///< of its contents, for a snapshot of its text; "" for one in the archive
  bool packed = false; ///< it is stored in `name`.zst (mica/Artifact/SnapshotFile.h)
};

/// A pass of the pipeline.
struct RecordedPass {
  int position = 0;
  std::string name;    ///< pass argument
  std::string options; ///< with braces, "" if none
  std::string anchor;  ///< "builtin.module(func.func)": the path of anchors
  std::string phase;   ///< "" where the pipeline has no phases
};

/// The first failure.
struct PassFailure {
  int position = 0;
  std::string pass;
  std::string anchor, path;
  std::string file;       ///< the IR at the failure; "" in mode Off
  std::string input;      ///< the input of the pass: a file of the record or the reproducer
  std::string reproducer; ///< the folder, relative; "" if none
  std::string command;    ///< the command that reproduces it
};

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_RECORDTYPES_H
