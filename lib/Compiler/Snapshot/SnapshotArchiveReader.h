//===- SnapshotArchiveReader.h - building ops from snapshots ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads the archives that SnapshotArchive.h writes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVEREADER_H
#define MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVEREADER_H

#include "lib/Compiler/Snapshot/OpTemplates.h"
#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mica::compiler {

/// The data that equal ops of snapshots share.
struct OpHead {
  mlir::OperationName name;
  mlir::DictionaryAttr attributes; ///< except those stored as properties
  mlir::Attribute properties;      ///< null: none
  llvm::SmallVector<mlir::Type, 1> results;
  unsigned operands = 0, successors = 0, regions = 0;
};

/// The tables to which the numbers of a snapshot refer.
struct SnapshotTables {
  std::vector<mlir::Attribute> attributes;
  std::vector<mlir::Location> locations;
  std::vector<OpHead> heads;
  KnownTexts texts; ///< of dense elements, which are slow to print
};

/// An archive that was read.
class ReadSnapshotArchive {
public:
  struct Snapshot {
    std::string name;
    llvm::StringRef bytes; ///< lives as long as this
  };
  /// Reads `data`, the contents of the file `file`; loads missing dialects into `context`. A truncated last entry, of a
  /// process that died, is ignored. Errors: Damaged.
  static Result<std::unique_ptr<ReadSnapshotArchive>> read(llvm::StringRef data, const std::string &file,
                                                           mlir::MLIRContext *context);

  /// For an archive that is still being written: empty at first. `file` is for errors.
  ReadSnapshotArchive(std::string file, mlir::MLIRContext *context) : file(std::move(file)), context(context) {}
  /// Reads the next whole entries; `entries` must outlive this. The first ones are preceded by the magic. Errors:
  /// Damaged.
  Status add(llvm::StringRef entries);
  /// Whether the entries contain distinct attributes. These keep their identity only within one call of add(), so such
  /// an archive must be read by one call.
  bool hasDistinct() const { return holdsDistinct; }

  const SnapshotTables &tables() const { return known; }
  const std::vector<Snapshot> &snapshots() const { return all; }

private:
  std::string file;
  mlir::MLIRContext *context;
  std::string contents;
  bool hasMagic = false, holdsDistinct = false;
  SnapshotTables known;
  std::vector<Snapshot> all;
};

/// Builds the op of the snapshot `bytes`; `built`, if set, receives all nested ops. Not verified. May be called on
/// several threads if the context is multithreaded; loads no dialects. Errors: Damaged, without a file name.
Result<mlir::OwningOpRef<mlir::Operation *>> buildSnapshot(llvm::StringRef bytes, const SnapshotTables &tables,
                                                           mlir::MLIRContext *context,
                                                           std::vector<BuiltOp> *built = nullptr);

/// Sorts an archive: snapshots by name, table entries in the order of their first use, so that the result does not
/// depend on the scheduling of concurrent passes. `pieces` form an uncompressed archive, each of whole entries; if it
/// is damaged, it is returned unchanged.
std::string sortArchive(llvm::ArrayRef<llvm::StringRef> pieces);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVEREADER_H
