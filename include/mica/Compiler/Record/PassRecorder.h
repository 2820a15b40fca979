//===- PassRecorder.h - the record of a pipeline's passes ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass instrumentation that writes a folder:
//
//     snapshots.archive                           all the following snapshots, until somebody reads one
//     (SnapshotArchive.h)
//     0000_input.mlir                       the IR before the first pass
//     0007_canonicalize.mlir                what pass 7 made of the whole program
//     0021_cse@matmul_relu.mlir             what pass 21 made of the nested op @matmul_relu
//     0007_canonicalize.mlir.map.json       line -> ids (SnapshotPrinter.h)
//     index.json                            every pass that ran, also those that changed nothing (docs/Artifact.md)
//     0007_canonicalize.patterns.json       mode Patterns: the rewrite patterns that changed something (PatternLog.h)
//     0030_lower@k.failed.mlir              the state in which a pass failed, generic form
//     repro/input.mlir, repro/run.sh        after a failure: that pass's input, and the one command that shows it;
//     after a
//                                           crash run.sh alone, on the recorded snapshots (CrashRecord.h)
//
// Numbers are positions in the pipeline, so a pass has the same number on every kernel and in every compile of the same
// pipeline. A pass that changed nothing has no file.
//
// Cost: a walk over the IR per pass, and a snapshot if it changed. Nested passes run on several threads; the pass
// manager calls instrumentations one at a time, so the recorder needs no locks of its own.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_PASSRECORDER_H
#define MICA_COMPILER_RECORD_PASSRECORDER_H

#include "mica/Compiler/Index/RecordTypes.h"

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

class PassRecorder {
public:
  explicit PassRecorder(RecorderOptions options);
  ~PassRecorder();
  PassRecorder(const PassRecorder &) = delete;

  using PhaseSpan = compiler::PhaseSpan;

  /// Adds a pipeline that will run after those added before; `phases` covers its passes in order. The pass manager must
  /// be complete, and must live until it has run. All pipelines must be attached before the first one runs, because
  /// snapshots name the remaining passes.
  void attach(mlir::PassManager &pm, llvm::ArrayRef<PhaseSpan> phases = {});

  /// Writes 0000_input. Without a call, the first pass that runs writes it.
  void recordInput(mlir::Operation *op);

  /// Sorts records(); called after all pipelines. The function that is returned, or null, does the part of finish()
  /// that needs no context, concurrently with readers of the records; it must return before finish() is called.
  std::function<void()> prepare();

  /// Writes index.json and, after a failure, the reproducer. Fails if a file could not be written, now or earlier: see
  /// error(). Called once, after all pipelines; records() may be read concurrently if no pass failed.
  mlir::LogicalResult finish(mlir::MLIRContext *context);

  /// The archive of the snapshots if they are stored as plain files; "" otherwise. After prepare().
  const std::string &archive() const;
  /// Whether the index has no times.
  bool timesAside() const;
  const std::string &directory() const;
  /// The runs so far.
  const std::deque<PassRecord> &records() const;
  const std::vector<RecordedPass> &passes() const;
  const std::optional<PassFailure> &failure() const;
  /// The first error of writing the folder, "" if there was none.
  const std::string &error() const;
  /// The files written so far.
  const std::vector<RecordedFile> &files() const;

private:
  struct State;
  class Instrumentation;
  std::shared_ptr<State> state;
};

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_PASSRECORDER_H
