//===- Edits.h - finding hand-edited files of an artifact --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Snapshots, kernels and the schedule of an artifact may be edited by hand. The hashes of the manifest show what was
// edited since the last build; its graph of files shows what must be rebuilt. This part needs no compiler, and is
// shared by both halves. docs/Artifact.md, "Editing", is for users.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_EDITS_H
#define MICA_ARTIFACT_EDITS_H

#include "mica/Artifact/Artifact.h"

#include <string>
#include <vector>

namespace mica::artifact {

/// The folder for editing: the original files of the compiler, the lock, and the files of a build in progress.
inline constexpr std::string_view kOriginalsFolder = ".orig";
/// The compiler's version of every text and object, compressed. An artifact without it cannot be rebuilt.
inline constexpr std::string_view kOriginalsFile = ".orig/originals";
/// The archive of the original snapshots, for an artifact that has them as plain files.
inline constexpr std::string_view kOriginalSnapshotsFile = ".orig/snapshots.archive";
inline constexpr std::string_view kBuildingFolder = ".orig/building";
/// The journal of a build: {"files": [...], "removed": [...]}. It is written when all new files, the new manifest among
/// them, are complete. From then on the build counts as done, although the files may not be in place yet.
inline constexpr std::string_view kJournalFile = ".orig/building.json";

/// Moves the files of a finished build into place, the manifest last; does nothing if there is none. Any process may
/// call this before it opens the artifact. Errors: Io, Damaged.
Status placeBuiltFiles(const std::filesystem::path &folder);

/// How a program is rebuilt from an edited file.
enum class EditRoute {
  Assembly,        ///< kernels/K/kernel.s: assembled
  LlvmIR,          ///< kernels/K/kernel.ll: through LLVM's code generator
  KernelIR,        ///< kernels/K/kernel.mlir: through phase lowered
  KernelSnapshot,  ///< a snapshot of kernel K: through the passes after it
  ProgramSnapshot, ///< a snapshot of the program: through the passes after it, then every kernel that differs
  Schedule,        ///< host/schedule.mlir: task lists and host functions
  HostLlvm,        ///< host/host.ll
  Tasks,           ///< host/tasks.json: it is executed as it is; nothing is built
  DevicePtx,       ///< kernels/K/kernel.ptx: passed to the driver as it is
  DeviceLlvm,      ///< kernels/K/device.ll: through LLVM's code generator for the device
};

struct Edit {
  std::string path; ///< relative to the artifact
  EditRoute route = EditRoute::Assembly;
  std::string kernel; ///< of the first four routes and those of devices
  int position = 0;   ///< of a snapshot: the position of its pass
};

/// Parses a snapshot's file name: position, pass, and the symbols after '@' ("" for the program). Position -1: not a
/// snapshot.
struct SnapshotName {
  int position = -1;
  std::string pass, anchor;
};
SnapshotName parseSnapshotName(std::string_view path);
/// Whether `path` is a snapshot, or the line map of one.
bool isSnapshotFile(std::string_view path);

/// Whether the program can be built from an edited `path`: a snapshot, kernel.mlir, .ll, .s, .ptx or device.ll of a
/// kernel, the schedule, the host functions, the task lists.
bool isEditable(std::string_view path);

/// Whether a file is text: IR, code, JSON. Objects and weights may have gigabytes.
bool isText(std::string_view path);

/// The files of the manifest that were changed or removed since the last build, in its order. Reads and hashes every
/// text: about 5 ms for the 200 files of a small program. Objects and weights are not checked.
Result<std::vector<std::string>> changedSinceBuild(const Artifact &artifact);

/// Determines the edits to build for the changed files. Rejected (InvalidInput), with a hint: two edits where one file
/// is made from the other, files that duplicate another one that is to be edited instead, objects, and missing files.
Result<std::vector<Edit>> planEdits(const Artifact &artifact, const std::vector<std::string> &changed);

/// The files that were edited by hand, rebuilt or not.
Result<std::vector<std::string>> editedByHand(const Artifact &artifact);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_EDITS_H
