//===- RecordIndex.h - files of a record ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// index.json and the reproducer of a record (PassRecorder.h), and the reader that a resumed compile needs. docs/Artifact.md
// describes the files.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORDINDEX_H
#define MICA_COMPILER_RECORDINDEX_H

#include "mica/Compiler/PassRecorder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mica::compiler {

/// The text of index.json.
std::string printRecordIndex(const PassRecorder &recorder, const RecorderOptions &options,
                             const std::vector<PipelineNode> &roots, bool hasInput);

/// Writes `text` to `directory`/`name`, creating folders. Returns "" or what went wrong.
std::string writeRecordFile(llvm::StringRef directory, llvm::StringRef name, llvm::StringRef text);

/// Writes `directory`/repro: the layer `input` in generic form with locations, and run.sh with the command. Returns "" or
/// what went wrong.
std::string writeReproducerFolder(llvm::StringRef directory, llvm::StringRef input, llvm::StringRef pipeline,
                                  mlir::MLIRContext *context);

/// A recorded state to go on from.
struct RecordedState {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the whole program, ids attached
  int position = 0;                         ///< the pass it is the result of; 0 is the input
  std::string remaining;                    ///< the pipeline that is left
  std::string pipeline;                     ///< the whole pipeline
  std::vector<std::string> phases;          ///< phase of each pass, by position - 1; "" where it has none
};

/// Puts the program together as it was after the pass at `position` (-1: the last that ran) of the record in `directory`:
/// the last layer of the whole program, with the later layers of nested modules in their places. Diagnostics name the
/// files. On failure returns nothing and sets `error`.
std::optional<RecordedState> loadRecordedState(llvm::StringRef directory, int position, mlir::MLIRContext *context,
                                               std::string &error);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORDINDEX_H
