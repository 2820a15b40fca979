//===- ArtifactFiles.h - files of an artifact, made from the program ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a compile and a later build of edited files have in common: each file is written together with its record in the
// manifest, whose build graph they are. docs/Artifact.md describes them.
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
  /// Files go to `root`; all that is not written stays as `home` has it.
  ArtifactFiles(std::filesystem::path root, const artifact::Artifact &home);

  /// After phase kernel, one kernel as printed: its record, kernel.mlir.
  Status recordKernel(mlir::ModuleOp kernel, const Snapshot &snapshot);
  /// Before any pass: what the resources of `program` are called. mica-tensor-externalize-constants names them by their
  /// bytes; the snapshots before it keep these names and are resumed by them.
  void keepHandles(mlir::ModuleOp program);
  /// After phase kernel: the program around the kernels: host/schedule.mlir (as `given`, or printed), tasks.json,
  /// constants.bin.
  Status recordSchedule(mlir::ModuleOp program, const Snapshot *given = nullptr);
  /// kernel.ll and all that is made from it, but for program.so.
  Status recordKernelCode(const std::string &kernel, const GeneratedCode &code);
  /// kernel.s and kernel.o.
  Status recordKernelAssembly(const std::string &kernel, const GeneratedCode &code);
  Status recordHostCode(const GeneratedCode &code);
  /// The code of a replay of a kernel (artifact::KernelReplay), which the manifest describes, to `file` of its folder.
  Status recordReplay(const std::string &kernel, const std::string &file, const GeneratedCode &code);
  /// Sets `part` of the checks of `kernel`, after phase kernel; `opIds` are the kernel's.
  void resolveParts(mlir::ModuleOp kernel, const std::vector<std::string> &opIds,
                    std::vector<artifact::CheckRecord> &sites) const;
  /// A kernel's code for the GPU `target` (codegen::Target::deviceFiles) and its line map, its entries in the manifest
  /// and launch.json; before or after recordKernelCode. Of PTX, device.ll before it, and kernel.cubin where ptxas is.
  Status recordDeviceCode(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target);
  /// The same from the text on, which was made from the file `from`.
  Status recordDeviceText(const std::string &kernel, const GeneratedCode &code, const CodeTarget &target,
                          const std::string &from);
  /// Tasks of kernels without code for a device are the CPU's: tasks.json again, where there are such.
  Status placeTasks();
  /// How a recorded kernel was mapped, for people; "" where nothing is to be said.
  std::string strategyOf(const std::string &kernel) const;
  /// program.so of the objects recorded.
  Status link();

  /// Writes a file of the artifact and notes what it was made from.
  Status write(const std::string &name, std::string_view contents, std::vector<std::string> inputs,
               const std::string &command);
  /// Whether snapshots lie as plain files, whatever their size: not in an archive.
  bool hasPlainSnapshots() const;
  /// Writes a snapshot of passes_dump, `name`, and its line map.
  Status writeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                       const std::string &command);
  /// Takes a kernel's snapshot, so that the code made of it gets line maps.
  void setSnapshot(const std::string &kernel, Snapshot snapshot) {
    kernelSnapshots.insert_or_assign(kernel, std::move(snapshot));
  }

  /// program.so is linked without the object `name`.
  void dropObject(const std::string &name) { std::erase(objects, name); }

  /// Where the file `name` is: as written, else at home. Linear in the number of files written.
  std::filesystem::path fileOf(const std::string &name) const;

  artifact::Manifest manifest;
  std::vector<artifact::TaskList> lists;
  /// Names of the files written, and of the snapshots among them (which may lie in packed files).
  std::vector<std::string> written, snapshots;

protected:
  /// The same for a file that is there.
  Status note(const std::string &name, std::string hash, std::vector<std::string> inputs, const std::string &command);
  void noteRecord(artifact::FileRecord record);
  void addObject(const std::string &name);
  /// Other contents of a file that was written.
  Status rewrite(const std::string &name, std::string_view contents);
  Result<std::vector<PlacedConstant>> scheduleConstants(mlir::ModuleOp program, std::vector<std::vector<char>> &owned);
  Status writeConstantsFiles(const std::vector<PlacedConstant> &constants, int64_t present);
  Status writeInputConstants(llvm::ArrayRef<mlir::ModuleOp> programs);
  Status recordConstants(mlir::ModuleOp program);
  Status addConstants(mlir::ModuleOp program);
  Status sampleConstants();

  std::filesystem::path root, home;
  std::vector<PlacedConstant> inputConstants; ///< as snapshots name them
  std::vector<PlacedConstant> parsedHandles;  ///< as snapshots before mica-tensor-externalize-constants name them
  int64_t inputConstantsBytes = 0;
  std::map<std::string, Snapshot> kernelSnapshots; ///< by kernel
  std::vector<std::string> objects;                ///< names
};

/// The task lists of a program at the end of phase schedule; sites are added to `manifest`, whose constants are
/// complete.
Result<std::vector<artifact::TaskList>> exportTaskLists(mlir::ModuleOp program, artifact::Manifest &manifest);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ARTIFACTFILES_H
