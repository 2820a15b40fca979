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

#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "mica/Support/Status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace mica::compiler {

/// Threads that help one that unpacks, when they have nothing else to do.
class SnapshotHelpers {
public:
  /// Prints snapshots as long as there are any. Does nothing where nobody unpacks any more, or yet.
  void help();

private:
  friend Status unpackSnapshots(llvm::StringRef, const std::string &, mlir::MLIRContext *, const SnapshotOptions &,
                                llvm::function_ref<bool(const std::string &, const Snapshot &, const std::string &)>,
                                SnapshotHelpers *);
  /// From then on others do `work`. Null: no longer, and those that do are done with it.
  void share(const std::function<void()> *work);

  std::mutex mutex;
  std::condition_variable done;
  const std::function<void()> *shared = nullptr;
  int helping = 0;
};

/// Prints the snapshots of the pack `data`, which errors call `file`, with their maps, and hands them to `take` with
/// their names; in no order, and from several threads: those of `context`, or where given, this one and the `helpers`.
/// Loads the dialects that they use. `take` returns whether it wants the rest. Errors: Damaged.
Status unpackSnapshots(llvm::StringRef data, const std::string &file, mlir::MLIRContext *context,
                       const SnapshotOptions &options,
                       llvm::function_ref<bool(const std::string &name, const Snapshot &, const std::string &map)> take,
                       SnapshotHelpers *helpers = nullptr);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_UNPACKSNAPSHOTS_H
