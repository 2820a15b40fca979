//===- UnpackSnapshots.h - text of the snapshots of a pack --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a compile puts off until somebody looks: printing the snapshots, and finding the ids of their lines.
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

/// The texts of one snapshot.
struct UnpackedSnapshot {
  std::string text, map;
};
/// Prints `packed`, of a pack with these tables that errors call `file`. `printer` and `locations` are those of other
/// snapshots of the pack. Errors: Damaged.
Result<UnpackedSnapshot> unpackSnapshot(const ReadSnapshotArchive::Snapshot &packed, const SnapshotTables &tables,
                                        const std::string &file, mlir::MLIRContext *context,
                                        const SnapshotOptions &options, TextPrinter &printer,
                                        MappedLocations &locations);

/// Prints the snapshots of the pack `data`, which errors call `file`, and hands them to `take` with their names; in no
/// order, and from several threads, those of `context`. Loads the dialects that they use. `take` returns whether it
/// wants the rest. Errors: Damaged.
Status unpackSnapshots(llvm::StringRef data, const std::string &file, mlir::MLIRContext *context,
                       const SnapshotOptions &options,
                       llvm::function_ref<bool(const std::string &name, const UnpackedSnapshot &)> take);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_UNPACKSNAPSHOTS_H
