//===- PassRecorder.h - the record of every pass ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass instrumentation that leaves a folder behind:
//
//     layers.pack                           all the following layers, until somebody reads one (LayerPack.h)
//     0000_input.mlir                       the IR before the first pass
//     0007_canonicalize.mlir                what pass 7 made of the whole program
//     0021_cse@matmul_relu.mlir             what pass 21 made of the nested op @matmul_relu
//     0007_canonicalize.mlir.map.json       line -> ids (LayerPrinter.h)
//     index.json                            every pass that ran, also those that changed nothing (docs/Artifact.md)
//     0007_canonicalize.patterns.json       mode Patterns: the rewrite patterns that changed something (PatternLog.h)
//     0030_lower@k.failed.mlir              the state in which a pass gave up, generic form
//     repro/input.mlir, repro/run.sh        after a failure: that pass's input, and the one command that shows it; after a
//                                           crash run.sh alone, on the recorded layers (CrashRecord.h)
//
// Numbers are positions in the pipeline, so the same pass has the same number on every kernel and in every compile of the
// same pipeline. A pass that changed nothing has no file.
//
// Cost: a walk over the IR per pass, which leaves a snapshot where it changed. Nested passes run on several threads; the pass manager
// calls instrumentations one at a time, which is what keeps the recorder's state whole.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PASSRECORDER_H
#define MICA_COMPILER_PASSRECORDER_H

#include "mica/Compiler/PipelineText.h"
#include "mica/Compiler/Remarks.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

enum class DumpMode {
  Off,      ///< times only
  Phases,   ///< the last layer of each phase
  Passes,   ///< every layer that differs from the one before
  Patterns, ///< and the rewrite patterns that changed it
};

/// Every layer that differs from the one before is kept.
inline bool keepsEveryLayer(DumpMode mode) { return mode == DumpMode::Passes || mode == DumpMode::Patterns; }

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
  /// Layers are left in a pack, of which readers make files when they want to see one (mica/Artifact/LayerFile.h): printing them takes as
  /// long as to compile. Otherwise, and after a failure, finish() makes the files.
  bool sealsLayers = false;
  /// With sealsLayers: as plain files, where they are not more than artifact::kMostPlainBytes, and as a pack beyond that.
  bool plainLayers = false;
  /// Times are kept elsewhere (build.json), so that the index is the same at each compile; that of a failure has them.
  bool timesAside = false;
  /// Called (one call at a time, from any thread) when a pass begins on an op; for a progress display.
  std::function<void(int position, llvm::StringRef pass, llvm::StringRef anchor)> onPass;
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
  std::string file;                      ///< the layer, in the recorder's folder; "" if unchanged or not asked for
  bool packed = false;                   ///< the layer is long, and lies in a compressed file
  int64_t opsBefore = -1, opsAfter = -1; ///< operations in the op, -1 where not counted
  /// Operations by name after a change, sorted by name; names are the recorder's.
  std::vector<std::pair<llvm::StringRef, int64_t>> kinds;
  std::vector<RecordedRemark> remarks; ///< what the pass said
  std::string patterns;                ///< the file that lists the patterns applied; "" if none were
};

/// A file of the record.
struct RecordedFile {
  std::string name;    ///< without the folder
  std::string hash;    ///< of its contents, for a layer of its text; "" for one in the pack
  bool packed = false; ///< it lies in `name`.zst (mica/Artifact/LayerFile.h)
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

/// Writes what PassRecorder::finish() would, as far as that needs no context, beside others who read the records.
struct RecordTask {
  std::function<void()> run;  ///< on one thread; null: nothing to do
  std::function<void()> help; ///< on others, which have nothing else to do: prints snapshots as long as there are any
};

class PassRecorder {
public:
  explicit PassRecorder(RecorderOptions options);
  ~PassRecorder();
  PassRecorder(const PassRecorder &) = delete;

  /// Name of a phase and the number of passes in it.
  using PhaseSpan = std::pair<std::string, int>;

  /// Announces a pipeline that will run after those announced before; `phases` covers its passes in order. The pass
  /// manager must be complete, and must live until it has run. To be called for every pipeline before the first one runs,
  /// so that "what remains" is whole.
  void attach(mlir::PassManager &pm, llvm::ArrayRef<PhaseSpan> phases = {});

  /// Writes 0000_input. Otherwise the first pass that runs does.
  void recordInput(mlir::Operation *op);

  /// After all pipelines: puts records() into their order. What is returned is over before finish() is called.
  RecordTask prepare();

  /// Writes index.json and, after a failure, the reproducer. Fails where a file could not be written, also earlier: see
  /// error(). To be called once, after all pipelines; others may read records() meanwhile where no pass failed.
  mlir::LogicalResult finish(mlir::MLIRContext *context);

  /// The archive of the layers where these lie as plain files; "" otherwise. After prepare().
  const std::string &archive() const;
  /// Whether the index has no times.
  bool timesAside() const;
  const std::string &directory() const;
  /// What ran so far.
  const std::deque<PassRecord> &records() const;
  const std::vector<RecordedPass> &passes() const;
  const std::optional<PassFailure> &failure() const;
  /// What went wrong with the folder, "" if nothing.
  const std::string &error() const;
  /// The files written so far.
  const std::vector<RecordedFile> &files() const;

private:
  struct State;
  class Instrumentation;
  std::shared_ptr<State> state;
};

} // namespace mica::compiler

#endif // MICA_COMPILER_PASSRECORDER_H
