//===- RecordedState.h - snapshots read back ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a resumed compile and a reproducer start from: the program as it was after a pass, put together from the
// snapshots of a record (PassRecorder.h).
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

/// A recorded state to go on from.
struct RecordedState {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< the whole program, ids attached
  int position = 0;                         ///< the pass it is the result of; 0 is the input
  std::string remaining;                    ///< the pipeline that is left
  std::string pipeline;                     ///< the whole pipeline
  std::vector<RecordedPass> passes;         ///< all of it, by position - 1
};

/// The pass of a record that did not come to its end.
struct RecordedFailure {
  int position = 0;
  std::string path, shortPath; ///< of the op (RecordPaths.h)
};

/// The failure that the index of the record in `directory` tells of; nothing if there is none.
std::optional<RecordedFailure> loadRecordedFailure(llvm::StringRef directory);

/// Puts the program together as it was after the pass at `position` (-1: the last that ran) of the record in
/// `directory`: the last snapshot of the whole program, with the later snapshots of nested ops in their places.
/// Diagnostics name the files. In a record of phases it is the state at the end of the phase before. On failure returns
/// nothing and sets `error`.
std::optional<RecordedState> loadRecordedState(llvm::StringRef directory, int position, mlir::MLIRContext *context,
                                               std::string &error);

/// Reads the snapshot `name` of the record in `directory` and gives its ops their ids back. Does not verify: the
/// snapshot of a function may call what is in other snapshots. Null, with `error` set, where it cannot be read or does
/// not parse; diagnostics go to the context's handler.
mlir::OwningOpRef<mlir::ModuleOp> parseSnapshot(llvm::StringRef directory, llvm::StringRef name,
                                                mlir::MLIRContext *context, std::string &error);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_RECORDEDSTATE_H
