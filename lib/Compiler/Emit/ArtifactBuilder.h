//===- ArtifactBuilder.h - fills the folder of an artifact --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Everything a compile writes goes through here, into a temporary folder that gets its name when it is whole. The files
// and what each was made from are the manifest's build graph. docs/Artifact.md describes them.
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
  /// Makes the temporary folder beside `options.output`. An artifact there may be replaced where it is of the same
  /// program and nobody edited its files, or with `options.force`; anything else there is refused.
  static Result<ArtifactBuilder> create(const CompileOptions &options);

  ArtifactBuilder(ArtifactBuilder &&) = default;

  /// The temporary folder.
  const std::filesystem::path &path() const { return folder.path(); }

  /// After phase input, or of a program that is taken up behind a later phase (`isDispatched`: behind dispatch):
  /// entries, ops, input.mlirbc; and input.orig.mlirbc of `original`, the program before the first pass, whose
  /// constants are named here.
  Status recordProgram(mlir::ModuleOp program, mlir::ModuleOp original, const std::string &inputName,
                       bool isDispatched);
  /// Instead of that, for a program that goes on from a snapshot of `origin`: its entries, ops and input.
  Status recordOrigin(const artifact::Artifact &origin, mlir::ModuleOp program);
  /// report/: what passes said, what was fused, where buffers lie. After all passes.
  Status recordReport(const PassRecorder &recorder, const CompileOptions &options);

  /// Writes the manifest and gives the folder its name. `recorder` has written passes_dump.
  /// `seconds`: since the compile began.
  Status commit(const CompileOptions &options, const CodeTarget &target, const Machine &machine,
                const PassRecorder &recorder, double seconds);

  /// "<output>.failed": where the folder of a compile that fails inside Mica is kept.
  std::filesystem::path failedPath() const;
  /// Keeps what there is of the folder there, in place of an earlier one.
  Status keepFailed();

  /// "build_output/lenet: 7 kernels, 1 entry (lenet), 0.84 s".
  std::string summary(double seconds) const;

private:
  /// Whether what is in `output` may be replaced by the artifact of the program that `build` names, whose text has
  /// `hash` ("": not known yet).
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
