//===- Edits.h - files of an artifact that were edited by hand ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Snapshots, kernels and the schedule of an artifact may be edited. What was edited since the program was last built is
// found by the hashes of the manifest; what has to be built again follows from its graph of files. Building needs the
// compiler; this is what both halves know of it. docs/Artifact.md, "Editing", is the user's view.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_EDITS_H
#define MICA_ARTIFACT_EDITS_H

#include "mica/Artifact/Artifact.h"

#include <string>
#include <vector>

namespace mica::artifact {

/// The folder of what belongs to editing: the compiler's own versions, the lock, what is being built.
inline constexpr std::string_view kOriginalsFolder = ".orig";
/// The compiler's own version of every text and object, compressed. An artifact without it is not built again.
inline constexpr std::string_view kOriginalsFile = ".orig/originals";
/// Where a build makes its files, under their names in the artifact; in the folder above.
/// The archive of the snapshots as the compiler left them, of an artifact that has them as plain files.
inline constexpr std::string_view kOriginalSnapshotsFile = ".orig/snapshots.archive";
inline constexpr std::string_view kBuildingFolder = ".orig/building";
/// Written when these are whole, the new manifest among them: {"files": [...], "removed": [...]}. From then on the
/// build is done, though its files may not be in their places yet.
inline constexpr std::string_view kJournalFile = ".orig/building.json";

/// Puts the files of a build that is done in their places, the manifest last; does nothing where there is none. Any
/// process may do this, before it opens the artifact. Errors: Io, Damaged.
Status placeBuiltFiles(const std::filesystem::path &folder);

/// How a program is built again from an edited file.
enum class EditRoute {
  Assembly,        ///< kernels/K/kernel.s: assembled
  LlvmIR,          ///< kernels/K/kernel.ll: through LLVM's code generator
  KernelIR,        ///< kernels/K/kernel.mlir: through phase lowered
  KernelSnapshot,  ///< a snapshot of kernel K: through the passes after it
  ProgramSnapshot, ///< a snapshot of the program: through the passes after it, and every kernel that differs then
  Schedule,        ///< host/schedule.mlir: task lists and host functions
  HostLlvm,        ///< host/host.ll
  Tasks,           ///< host/tasks.json: it is what runs; nothing is built
  DevicePtx,       ///< kernels/K/kernel.ptx: the driver takes it as it is
  DeviceLlvm,      ///< kernels/K/device.ll: through LLVM's code generator for the device
};

struct Edit {
  std::string path; ///< relative to the artifact
  EditRoute route = EditRoute::Assembly;
  std::string kernel; ///< of the first four routes and those of devices
  int position = 0;   ///< of a snapshot: the pass it is the result of
};

/// A snapshot's file name taken apart: position, pass, and the symbols after '@' ("" for the program). Position -1: no
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

/// Whether a file is one that people read: IR, code, JSON. Objects and weights may be gigabytes.
bool isText(std::string_view path);

/// The files of the manifest whose contents are not those of the last build, or that are gone, in its order. Every text
/// is read and hashed: about 5 ms for the 200 files of a small program. Objects and weights are not.
Result<std::vector<std::string>> changedSinceBuild(const Artifact &artifact);

/// What the changed files lead to. Refused (InvalidInput), each with what to do: two edits of which one file is made
/// from the other, files that say the same as another one that is to be edited instead, objects, missing files.
Result<std::vector<Edit>> planEdits(const Artifact &artifact, const std::vector<std::string> &changed);

/// The files that were edited by hand, built or not.
Result<std::vector<std::string>> editedByHand(const Artifact &artifact);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_EDITS_H
