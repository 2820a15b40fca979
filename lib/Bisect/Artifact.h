//===- Artifact.h - the passes of an artifact ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: an artifact of mica-compile holds its record. `mica-run --check-passes` runs it, as it knows how kernels and
// the host function of each phase are run; what it finds becomes a verdict like any other.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_ARTIFACT_H
#define MICA_LIB_BISECT_ARTIFACT_H

#include "lib/Bisect/Runner.h"
#include "lib/Bisect/Verdict.h"

#include "mlir/IR/MLIRContext.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::bisect {

/// Whether `folder` is an artifact.
bool isArtifact(const std::filesystem::path &folder);

/// `entry` and `inputs` as for mica-run; `entry` may be "".
Result<Verdict> bisectArtifact(const std::filesystem::path &folder, const std::string &entry,
                               const std::vector<std::string> &inputs, mlir::MLIRContext &context,
                               const Runner &runner);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_ARTIFACT_H
