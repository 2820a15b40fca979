//===- RecordedState.h - reading snapshots of a record ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The program after a pass, assembled from the snapshots of a record (PassRecorder.h): the start of a resumed compile
// and of a reproducer.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_RECORDEDSTATE_H
#define MICA_COMPILER_RECORD_RECORDEDSTATE_H

#include "mica/Compiler/Record/PassRecorder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// A recorded state from which a compile can continue.
struct RecordedState {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the whole program, ids attached
  int position = 0;                         ///< the position of its pass; 0 is the input
  std::string remaining;                    ///< the rest of the pipeline
  std::string pipeline;                     ///< the whole pipeline
  std::vector<RecordedPass> passes;         ///< its passes, by position - 1
};

/// The pass that failed or crashed in a record.
struct RecordedFailure {
  int position = 0;
  std::string path, shortPath; ///< of the op (RecordPaths.h)
};

/// The failure in the index of the record in `directory`; nothing if there is none.
std::optional<RecordedFailure> loadRecordedFailure(llvm::StringRef directory);

/// Assembles the program after the pass at `position` (-1: the last that ran) of the record in `directory`: the last
/// snapshot of the whole program, with later snapshots of nested ops in place. Diagnostics name the files. In a record
/// of phases it is the state at the end of the previous phase. On failure returns nothing and sets `error`.
std::optional<RecordedState> loadRecordedState(llvm::StringRef directory, int position, mlir::MLIRContext *context,
                                               std::string &error);

/// Reads the snapshot `name` of the record in `directory` and restores the ids of its ops. Does not verify: the
/// snapshot of a function may call functions of other snapshots. Null, with `error` set, if it cannot be read or
/// parsed; diagnostics go to the context's handler.
mlir::OwningOpRef<mlir::ModuleOp> parseSnapshot(llvm::StringRef directory, llvm::StringRef name,
                                                mlir::MLIRContext *context, std::string &error);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_RECORDEDSTATE_H
