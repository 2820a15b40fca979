//===- PlainSnapshots.h - writing snapshots as text files in the background ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A background thread prints the snapshots while passes run, on idle cores; finish() prints the rest after the last
// pass.
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

/// Writes the snapshots of one archive, each with its line map beside it, into the folder of a record.
class PlainSnapshots {
public:
  /// `archive` is read while it grows, and must outlive this. `registry`: the dialects of the program.
  PlainSnapshots(const SnapshotArchive &archive, const mlir::DialectRegistry &registry, std::string directory,
                 SnapshotOptions options);
  /// Removes the files, unless finish() returned true.
  ~PlainSnapshots();
  PlainSnapshots(const PlainSnapshots &) = delete;

  /// Signals that the archive has a new snapshot. Costs an atomic addition, and a system call if the thread is waiting.
  void wake();
  /// Waits until all that is in the pack is written. False where the files would be more than
  /// artifact::kMostPlainBytes or too many, or cannot be made: problem() says why, "" for the former, and no file
  /// stays. To be called once, while nobody adds to the pack.
  bool finish();
  const std::string &problem() const { return failed; }
  /// The files in the folder after finish(), by name.
  const std::vector<RecordedFile> &files() const { return written; }

private:
  struct Printing;

  /// The body of the thread.
  void follow();
  /// Writes the next snapshot of the archive. Returns false if there is none, or if writing was stopped.
  bool writeNext();
  bool write(const std::string &name, const UnpackedSnapshot &snapshot);
  /// Writes all snapshots of an archive with distinct attributes, which cannot be read incrementally.
  void writeWithDistinct();
  bool fail(const Error &error);
  void stop();
  void remove();

  const SnapshotArchive &archive;
  mlir::DialectRegistry registry;
  const std::string directory;
  const SnapshotOptions options;
  std::atomic<uint32_t> changes{0}; ///< the thread waits on it
  std::atomic<bool> isStopped{false};
  // Of the thread, and after it of finish().
  std::unique_ptr<Printing> printing; ///< null: not begun
  size_t bytes = 0, count = 0;
  bool hasDistinct = false, isTooLarge = false, isWhole = false;
  std::string failed;
  std::vector<RecordedFile> written;
  std::thread thread; ///< last member, because it uses the others
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_RECORD_PLAINSNAPSHOTS_H
