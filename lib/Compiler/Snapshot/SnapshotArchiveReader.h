//===- SnapshotArchiveReader.h - ops made of snapshots ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The other way round from SnapshotArchive.h.
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

/// What ops of snapshots have in common.
struct OpHead {
  mlir::OperationName name;
  mlir::DictionaryAttr attributes; ///< without those that are properties
  mlir::Attribute properties;      ///< null: none
  llvm::SmallVector<mlir::Type, 1> results;
  unsigned operands = 0, successors = 0, regions = 0;
};

/// What the numbers of a snapshot stand for.
struct SnapshotTables {
  std::vector<mlir::Attribute> attributes;
  std::vector<mlir::Location> locations;
  std::vector<OpHead> heads;
  KnownTexts texts; ///< of dense elements, which take long to print
};

/// A pack that was read.
class ReadSnapshotArchive {
public:
  struct Snapshot {
    std::string name;
    llvm::StringRef bytes; ///< lives as long as this
  };
  /// `data` is what the file called `file` holds; dialects that `context` has not loaded yet are loaded. What the
  /// process that wrote it did not get done with is left out. Errors: Damaged.
  static Result<std::unique_ptr<ReadSnapshotArchive>> read(llvm::StringRef data, const std::string &file,
                                                           mlir::MLIRContext *context);

  /// Of a pack that is still being written, nothing yet. `file` is for errors.
  ReadSnapshotArchive(std::string file, mlir::MLIRContext *context) : file(std::move(file)), context(context) {}
  /// Takes the entries that follow those taken before, whole ones; `entries` has to live as long as this. The first are
  /// preceded by the magic. Errors: Damaged.
  Status add(llvm::StringRef entries);
  /// Whether the entries hold distinct attributes. These are the same in all that add() takes at once, and others in
  /// what it takes the next time: such a pack has to be taken at once.
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

/// The op that the snapshot `bytes` was taken of, and in `built`, where given, all that are in it. Not verified. May be
/// called on several threads where the context has some, and loads no dialects. Errors: Damaged, without a file's name.
Result<mlir::OwningOpRef<mlir::Operation *>> buildSnapshot(llvm::StringRef bytes, const SnapshotTables &tables,
                                                           mlir::MLIRContext *context,
                                                           std::vector<BuiltOp> *built = nullptr);

/// The same pack with its snapshots in the order of their names, and its tables in the order in which these use them:
/// passes that run beside each other give another order each time. `pieces` are one behind the other a pack that is not
/// compressed, each of whole entries; where it is damaged they are given back as they are.
std::string sortPack(llvm::ArrayRef<llvm::StringRef> pieces);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTARCHIVEREADER_H
