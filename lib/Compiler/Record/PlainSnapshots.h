//===- PlainSnapshots.h - snapshots as text files, beside the passes that leave them ------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A thread of its own prints the snapshots while passes run, on cores that have nothing else to do; what is left over
// when the last pass is done is printed by whoever finishes the record.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_RECORD_PLAINSNAPSHOTS_H
#define MICA_LIB_COMPILER_RECORD_PLAINSNAPSHOTS_H

#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "lib/Compiler/Snapshot/UnpackSnapshots.h"
#include "mica/Compiler/Index/RecordTypes.h"

#include "mlir/IR/DialectRegistry.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mica::compiler {

/// Writes the snapshots of one pack, each with its line map beside it, into the folder of a record.
class PlainSnapshots {
public:
  /// `pack` is followed as it grows, and has to live as long. `registry`: the dialects of the program.
  PlainSnapshots(const SnapshotArchive &pack, const mlir::DialectRegistry &registry, std::string directory,
                 SnapshotOptions options);
  /// Removes what was written, but for what finish() said to be whole.
  ~PlainSnapshots();
  PlainSnapshots(const PlainSnapshots &) = delete;

  /// The pack has a new snapshot. Costs an atomic addition, and a system call where the thread waits for it.
  void wake();
  /// Waits until all that is in the pack is written. False where the files would be more than
  /// artifact::kMostPlainBytes or too many, or cannot be made: problem() says why, "" for the former, and no file
  /// stays. To be called once, while nobody adds to the pack.
  bool finish();
  const std::string &problem() const { return failed; }
  /// What lies in the folder, after finish(), in the order of the names.
  const std::vector<RecordedFile> &files() const { return written; }

private:
  struct Printing;

  /// What the thread does.
  void follow();
  /// Writes the next snapshot of the pack. False where there is none, or where that is of no use any more.
  bool writeNext();
  bool write(const std::string &name, const UnpackedSnapshot &snapshot);
  /// For such a pack, which cannot be read as it grows.
  void writeWithDistinct();
  bool fail(const Error &error);
  void stop();
  void remove();

  const SnapshotArchive &pack;
  mlir::DialectRegistry registry;
  const std::string directory;
  const SnapshotOptions options;
  std::atomic<uint32_t> changes{0}; ///< what the thread waits for
  std::atomic<bool> isStopped{false};
  // Of the thread, and after it of finish().
  std::unique_ptr<Printing> printing; ///< null: not begun
  size_t bytes = 0, count = 0;
  bool hasDistinct = false, isTooLarge = false, isWhole = false;
  std::string failed;
  std::vector<RecordedFile> written;
  std::thread thread; ///< the last: it uses the others
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_PLAINSNAPSHOTS_H
