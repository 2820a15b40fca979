//===- UnpackSnapshots.h - text of archived snapshots -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Prints snapshots and finds the ids of their lines, which a compile defers until a snapshot is read.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_UNPACKSNAPSHOTS_H
#define MICA_LIB_COMPILER_SNAPSHOT_UNPACKSNAPSHOTS_H

#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"
#include "lib/Compiler/Snapshot/TextPrinter.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Support/Status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mica::compiler {

/// The text of one snapshot and its line map.
struct UnpackedSnapshot {
  std::string text, map;
};
/// Prints `packed`, a snapshot of an archive with these tables, which errors call `file`. `printer` and `locations` are
/// shared by the snapshots of the archive. Errors: Damaged.
Result<UnpackedSnapshot> unpackSnapshot(const ReadSnapshotArchive::Snapshot &packed, const SnapshotTables &tables,
                                        const std::string &file, mlir::MLIRContext *context,
                                        const SnapshotOptions &options, TextPrinter &printer,
                                        MappedLocations &locations);

/// Prints the snapshots of the archive `data`, which errors call `file`, and passes them to `take` with their names, in
/// no particular order, and from several threads of `context`. Loads the dialects that they use. `take` returns false
/// to stop. Errors: Damaged.
Status unpackSnapshots(llvm::StringRef data, const std::string &file, mlir::MLIRContext *context,
                       const SnapshotOptions &options,
                       llvm::function_ref<bool(const std::string &name, const UnpackedSnapshot &)> take);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_UNPACKSNAPSHOTS_H
