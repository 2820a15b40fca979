//===- RecordTypes.h - what is recorded of passes -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The data of a record: its options, the passes of the pipelines, what each run of one did. PassRecorder.h collects it,
// RecordIndex.h prints it.
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
  Passes,   ///< every snapshot that differs from the one before
  Patterns, ///< and the rewrite patterns that changed it
};

/// Every snapshot that differs from the one before is kept.
inline bool keepsEverySnapshot(DumpMode mode) { return mode == DumpMode::Passes || mode == DumpMode::Patterns; }

/// "off", "phases", "passes", "patterns".
llvm::StringRef dumpModeName(DumpMode mode);

struct RecorderOptions {
  DumpMode mode = DumpMode::Passes;
  std::string directory;            ///< created when the first file is written
  std::string keptDirectory;        ///< where the folder will be after a failure; "": where it is
  std::string reproducer = "repro"; ///< folder of the reproducer, from the record's
  std::string tool;                 ///< "mica-compile 0.1.0", for index.json
  std::vector<std::string> flags;   ///< that mica-opt needs to read the program and run its passes: plugins
  bool remarks = true;              ///< listen to what passes say of their decisions
  bool assumeVerified = false;      ///< the pass manager verifies after each pass
  /// Snapshots are left in a pack, of which readers make files when they want to see one
  /// (mica/Artifact/SnapshotFile.h): printing them takes as long as to compile. Otherwise, and after a failure,
  /// finish() makes the files.
  bool sealsSnapshots = false;
  /// With sealsSnapshots: as plain files, where they are not more than artifact::kMostPlainBytes, and as a pack beyond
  /// that.
  bool plainSnapshots = false;
  /// Times are kept elsewhere (build.json), so that the index is the same at each compile; that of a failure has them.
  bool timesAside = false;
  /// Called (one call at a time, from any thread) when a pass begins on an op; for a progress display.
  std::function<void(int position, llvm::StringRef pass, llvm::StringRef anchor)> onPass;
};

/// What became of the operations of one name, as far as their attributes, types and numbers of operands say.
struct KindChange {
  llvm::StringRef kind;
  int64_t added = 0, removed = 0, changed = 0;
};

/// One run of one pass on one op.
struct PassRecord {
  int position = 0;
  std::string
      anchor;       ///< "" for the whole program, else the symbols on the way to the op, equal ones in a row once: "k"
  std::string path; ///< all of them: "k.k"
  double milliseconds = 0;
  bool changed = false;
  bool failed = false;
  std::string file;                      ///< the snapshot, in the recorder's folder; "" if unchanged or not asked for
  bool packed = false;                   ///< the snapshot is long, and lies in a compressed file
  int64_t opsBefore = -1, opsAfter = -1; ///< operations in the op, -1 where not counted
  /// Operations by name after a change, sorted by name; names are the recorder's.
  std::vector<std::pair<llvm::StringRef, int64_t>> kinds;
  /// Those that changed, sorted by name; none where the operations before were not counted.
  std::vector<KindChange> kindChanges;
  std::vector<RecordedRemark> remarks; ///< what the pass said
  std::string patterns;                ///< the file that lists the patterns applied; "" if none were
};

/// A file of the record.
struct RecordedFile {
  std::string name;    ///< without the folder
  std::string hash;    ///< of its contents, for a snapshot of its text; "" for one in the pack
  bool packed = false; ///< it lies in `name`.zst (mica/Artifact/SnapshotFile.h)
};

/// A pass of the pipeline.
struct RecordedPass {
  int position = 0;
  std::string name;    ///< pass argument
  std::string options; ///< with braces, "" if none
  std::string anchor;  ///< "builtin.module(func.func)": the path of anchors
  std::string phase;   ///< "" where the pipeline has no phases
};

/// What failed first.
struct PassFailure {
  int position = 0;
  std::string pass;
  std::string anchor, path;
  std::string file;       ///< the failed state; "" in mode Off
  std::string input;      ///< what the pass was given: a file of the record or the reproducer
  std::string reproducer; ///< the folder, relative; "" if none
  std::string command;    ///< the one command
};

} // namespace mica::compiler

#endif // MICA_COMPILER_INDEX_RECORDTYPES_H
