//===- ArtifactBuilder.h - fills the folder of an artifact ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Everything a compile writes goes through here, into a temporary folder that gets its name when it is whole. The files and
// what each was made from are the manifest's build graph. docs/Artifact.md describes them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_ARTIFACTBUILDER_H
#define MICA_LIB_COMPILER_ARTIFACTBUILDER_H

#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Codegen.h"
#include "mica/Compiler/Compile.h"
#include "mica/Compiler/Constants.h"
#include "mica/Compiler/LayerPrinter.h"
#include "mica/Support/Files.h"

#include "mlir/IR/BuiltinOps.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::compiler {

class ArtifactBuilder {
public:
  /// Makes the temporary folder beside `output`. An artifact there may be replaced where nobody edited its files, or with
  /// `force`; anything else there is refused.
  static Result<ArtifactBuilder> create(const std::string &output, bool force);

  ArtifactBuilder(ArtifactBuilder &&) = default;

  /// The temporary folder.
  const std::filesystem::path &path() const { return folder.path(); }

  /// After phase input: entries, ops, input.mlirbc.
  Status recordProgram(mlir::ModuleOp program, const std::string &inputName);
  /// Instead of that, for a program that goes on from a layer of `origin`: its entries, ops and input.
  Status recordOrigin(const artifact::Artifact &origin, mlir::ModuleOp program);
  /// After phase kernel, one kernel as printed: its record, kernel.mlir.
  Status recordKernel(mlir::ModuleOp kernel, const Layer &layer);
  /// After phase kernel: the program around the kernels: host/schedule.mlir, tasks.json, constants.bin.
  Status recordSchedule(mlir::ModuleOp program);
  Status recordKernelCode(const std::string &kernel, const GeneratedCode &code);
  Status recordHostCode(const GeneratedCode &code);
  /// How a recorded kernel was mapped, for people; "" where nothing is to be said.
  std::string strategyOf(const std::string &kernel) const;
  /// program.so of the objects recorded.
  Status link();

  /// report/: what passes said, what was fused, where buffers lie. After all passes.
  Status recordReport(const PassRecorder &recorder);

  /// Writes the manifest and gives the folder its name. `layers`: files in passes_dump.
  Status commit(const CompileOptions &options, const CodeTarget &target, const std::vector<std::string> &layers);

  /// "<output>.failed": where the folder of a compile that fails inside Mica is kept.
  std::filesystem::path failedPath() const;
  /// Keeps what there is of the folder there, in place of an earlier one.
  Status keepFailed();

  /// "build_output/lenet: 7 kernels, 1 entry (lenet), 0.84 s".
  std::string summary(double seconds) const;

private:
  ArtifactBuilder(StagedFolder folder, std::string output) : folder(std::move(folder)), output(std::move(output)) {}

  /// Writes a file of the artifact and notes what it was made from.
  Status write(const std::string &name, std::string_view contents, std::vector<std::string> inputs,
               const std::string &command);
  Status writeConstantsFiles(const std::vector<PlacedConstant> &constants, int64_t present);
  Status writeInputConstants(mlir::ModuleOp program);
  Status recordConstants(mlir::ModuleOp program);

  StagedFolder folder;
  std::string output;
  bool replaces = false;
  artifact::Manifest manifest;
  std::vector<artifact::TaskList> lists;
  std::vector<PlacedConstant> inputConstants; ///< as layers name them
  int64_t inputConstantsBytes = 0;            ///< in constants.bin
  std::map<std::string, Layer> kernelLayers;  ///< by kernel
  std::vector<std::string> objects;           ///< names
};

/// The task lists of a program at the end of phase schedule; sites are added to `manifest`, whose constants are complete.
Result<std::vector<artifact::TaskList>> exportTaskLists(mlir::ModuleOp program, artifact::Manifest &manifest);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_ARTIFACTBUILDER_H
