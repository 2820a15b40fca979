//===- ArtifactFiles.h - writing the files of an artifact ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by compiles and rebuilds of edited files: each file is written together with its record in the manifest's
// build graph. docs/Artifact.md describes them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_ARTIFACTFILES_H
#define MICA_LIB_COMPILER_EMIT_ARTIFACTFILES_H

#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"

#include "mlir/IR/BuiltinOps.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::compiler {

/// Shared libraries that a program was linked with (--link); its options keep their paths.
std::vector<std::string> linkedLibraries(const artifact::Manifest &manifest);

class ArtifactFiles {
public:
  /// Files go to `root`. The manifest is empty.
  explicit ArtifactFiles(std::filesystem::path root) : root(std::move(root)) {}
  /// Files go to `root`; files that are not written are those of `home`.
  ArtifactFiles(std::filesystem::path root, const artifact::Artifact &home);

  /// After phase kernel, for one printed kernel: writes its record and kernel.mlir.
  Status recordKernel(mlir::ModuleOp kernel, const Snapshot &snapshot);
  /// Before any pass: remembers the names of the resources of `program`. mica-tensor-externalize-constants renames them
  /// by a hash of their bytes; the snapshots before it use the original names, and are resumed with them.
  void keepHandles(mlir::ModuleOp program);
  /// After phase kernel: writes host/schedule.mlir (as `given`, or printed), tasks.json and constants.bin.
  Status recordSchedule(mlir::ModuleOp program, const Snapshot *given = nullptr);
  /// Writes kernel.ll and all files made from it, except program.so.
  Status recordKernelCode(const std::string &kernel, const GeneratedCode &code);
  /// Writes kernel.s and kernel.o.
  Status recordKernelAssembly(const std::string &kernel, const GeneratedCode &code);
  Status recordHostCode(const GeneratedCode &code);
  /// Writes the code of a replay of a kernel (artifact::KernelReplay), which the manifest describes, to `file` of its
  /// folder.
  Status recordReplay(const std::string &kernel, const std::string &file, const GeneratedCode &code);
  /// Sets `part` of the checks of `kernel`, after phase kernel; `opIds` are the kernel's.
  void resolveParts(mlir::ModuleOp kernel, const std::vector<std::string> &opIds,
                    std::vector<artifact::CheckRecord> &sites) const;
  /// Writes a kernel's code for the GPU `target` (codegen::Target::deviceFiles) with its line map, and updates its
  /// entries in the manifest and launch.json; before or after recordKernelCode. With PTX and SPIR-V, also device.ll;
  /// with PTX, kernel.cubin if ptxas is available.
  Status recordDeviceCode(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target);
  /// The same from device text that was made from the file `from`.
  Status recordDeviceText(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target,
                          const std::string &from);
  /// Assigns tasks of kernels without device code to the CPU, and rewrites tasks.json if there are any.
  Status placeTasks();
  /// The strategy of a recorded kernel, for messages; "" if there is none.
  std::string strategyOf(const std::string &kernel) const;
  /// Links the recorded objects to program.so.
  Status link();

  /// Writes a file of the artifact and records its inputs.
  Status write(const std::string &name, std::string_view contents, std::vector<std::string> inputs,
               const std::string &command);
  /// Whether snapshots are stored as plain files of any size, not in an archive.
  bool hasPlainSnapshots() const;
  /// Writes a snapshot of passes_dump, `name`, and its line map.
  Status writeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                       const std::string &command);
  /// Sets a kernel's snapshot, for line maps of its code.
  void setSnapshot(const std::string &kernel, Snapshot snapshot) {
    kernelSnapshots.insert_or_assign(kernel, std::move(snapshot));
  }

  /// Links program.so without the object `name`.
  void dropObject(const std::string &name) { std::erase(objects, name); }

  /// The path of the file `name`: as written, else that of the existing artifact. Linear in the number of files
  /// written.
  std::filesystem::path fileOf(const std::string &name) const;

  artifact::Manifest manifest;
  std::vector<artifact::TaskList> lists;
  /// Names of the files written, and of the snapshots among them (which may be packed).
  std::vector<std::string> written, snapshots;

protected:
  /// The same for an existing file.
  Status note(const std::string &name, std::string hash, std::vector<std::string> inputs, const std::string &command);
  void noteRecord(artifact::FileRecord record);
  void addObject(const std::string &name);
  /// Replaces the contents of a file that was written.
  Status rewrite(const std::string &name, std::string_view contents);
  Result<std::vector<PlacedConstant>> scheduleConstants(mlir::ModuleOp program, std::vector<std::vector<char>> &owned);
  Status writeConstantsFiles(const std::vector<PlacedConstant> &constants, int64_t present);
  Status writeInputConstants(llvm::ArrayRef<mlir::ModuleOp> programs);
  Status recordConstants(mlir::ModuleOp program);
  Status addConstants(mlir::ModuleOp program);
  Status sampleConstants();

  std::filesystem::path root, home;
  std::vector<PlacedConstant> inputConstants; ///< with their names in snapshots
  std::vector<PlacedConstant> parsedHandles; ///< with their names in snapshots before mica-tensor-externalize-constants
  int64_t inputConstantsBytes = 0;
  std::map<std::string, Snapshot> kernelSnapshots; ///< by kernel
  std::vector<std::string> objects;                ///< names
};

/// The task lists of a program at the end of phase schedule; adds sites to `manifest`, whose constants are complete.
Result<std::vector<artifact::TaskList>> exportTaskLists(mlir::ModuleOp program, artifact::Manifest &manifest);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ARTIFACTFILES_H
