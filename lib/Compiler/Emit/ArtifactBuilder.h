//===- ArtifactBuilder.h - building the folder of an artifact -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// All output of a compile is written here, into a temporary folder that is renamed when it is complete. The files and
// their inputs form the manifest's build graph. docs/Artifact.md describes them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_ARTIFACTBUILDER_H
#define MICA_LIB_COMPILER_EMIT_ARTIFACTBUILDER_H

#include "lib/Compiler/Emit/ArtifactFiles.h"
#include "mica/Compiler/Emit/CompileOptions.h"
#include "mica/Compiler/Record/PassRecorder.h"
#include "mica/Support/Files.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::compiler {

class ArtifactBuilder : public ArtifactFiles {
public:
  /// Creates the temporary folder beside `options.output`. An existing artifact may be replaced if it was made from the
  /// same program and has no hand edits, or with `options.force`; anything else there is an error.
  static Result<ArtifactBuilder> create(const CompileOptions &options);

  ArtifactBuilder(ArtifactBuilder &&) = default;

  /// The temporary folder.
  const std::filesystem::path &path() const { return folder.path(); }

  /// After phase input, or for a program that is resumed after a later phase (`isDispatched`: after dispatch): writes
  /// entries, ops and input.mlirbc; and input.orig.mlirbc of `original`, the program before the first pass, whose
  /// constants are named here.
  Status recordProgram(mlir::ModuleOp program, mlir::ModuleOp original, const std::string &inputName,
                       bool isDispatched);
  /// Used instead for a program that continues from a snapshot of `origin`: copies its entries, ops and input.
  Status recordOrigin(const artifact::Artifact &origin, mlir::ModuleOp program);
  /// Writes report/: remarks of passes, fusion, placement of buffers. After all passes.
  Status recordReport(const PassRecorder &recorder, const CompileOptions &options);

  /// Writes the manifest and renames the folder. `recorder` has written passes_dump. `seconds`: since the start of the
  /// compile.
  Status commit(const CompileOptions &options, const CodeTarget &target, const Machine &machine,
                const PassRecorder &recorder, double seconds);

  /// "<output>.failed": where the folder of a failed compile is kept.
  std::filesystem::path failedPath() const;
  /// Moves the incomplete folder there, replacing an earlier one.
  Status keepFailed();

  /// "build_output/lenet: 7 kernels, 1 entry (lenet), 0.84 s".
  std::string summary(double seconds) const;

private:
  /// Succeeds if the contents of `output` may be replaced by the artifact of the program that `build` names, whose text
  /// has `hash` ("": unknown).
  static Status checkOutput(const std::string &output, bool force, const artifact::BuildRecord &build,
                            const std::string &hash);
  ArtifactBuilder(StagedFolder staged, std::string output)
      : ArtifactFiles(staged.path()), folder(std::move(staged)), output(std::move(output)) {}

  StagedFolder folder;
  std::string output;
  bool force = false;
  artifact::BuildRecord build;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ARTIFACTBUILDER_H
