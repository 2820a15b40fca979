//===- Checks.h - comparing results ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: with the reference evaluator, run as a child, and with stored values.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_CHECKS_H
#define MICA_LIB_RUNTOOL_CHECKS_H

#include "lib/RunTool/Capture.h"
#include "lib/RunTool/Options.h"
#include "lib/RunTool/RunFolder.h"
#include "mica/Artifact/Manifest.h"

#include <span>

namespace mica::runtool {

/// What a comparison found; the texts are printed already.
struct CheckOutcome {
  bool same = true;
  int childExitCode = 0;    ///< nonzero: mica-compile failed and has said why
  bool isUndefined = false; ///< the program has no result for these made-up inputs
};

/// A value that the reference evaluator wrote, and how far each element of a right result may be from it.
struct Expected {
  HostTensor tensor;
  std::optional<HostTensor> bounds; ///< none where a tolerance is given
  const HostTensor *boundsOrNull() const { return bounds ? &*bounds : nullptr; }
};

/// Reads X.npy and, where it is there, X.bound.npy.
Result<Expected> readExpected(const std::filesystem::path &file, DType dtype);

/// Has mica-compile evaluate the program as parsed over the run's inputs; a value per result, of arguments that are
/// stored to too, comes to data/reference. Gives its exit code; nonzero: it has said why. Fails where there is no
/// compiler.
Result<int> evaluateReference(const Options &options, const std::filesystem::path &artifact,
                              const artifact::EntryRecord &entry, const RunFolder &run, bool quiet = false);

/// The same, and compares the results, and with checkOps what was
/// captured. `set`: of made-up inputs, for which the program was evaluated before it ran. Fails where there is no
/// compiler.
Result<CheckOutcome> checkReference(const Options &options, const std::filesystem::path &artifact,
                                    const artifact::Manifest &manifest, const artifact::EntryRecord &entry,
                                    const RunFolder &run, std::span<const HostTensor> results,
                                    std::span<const CapturedTensor> captured, std::optional<InputSet> set);

/// Has mica-compile look for undefined behavior in the program as parsed, on the run's inputs, and prints the verdict.
/// Gives its exit code; nonzero: there is some (ErrorCode::Difference), or the evaluator does not take the program.
Result<int> checkUndefined(const std::filesystem::path &artifact, const artifact::EntryRecord &entry,
                           const RunFolder &run);

/// Compares with DIR/out/<i>.npy.
Result<CheckOutcome> checkGolden(const Options &options, const artifact::EntryRecord &entry,
                                 std::span<const HostTensor> results);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKS_H
