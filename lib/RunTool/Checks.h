//===- Checks.h - comparing results ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: compares with the reference evaluator, in a child process, and with stored values.
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

/// The outcome of a comparison, which is printed already.
struct CheckOutcome {
  bool same = true;
  int childExitCode = 0;    ///< nonzero: mica-compile failed with this code and has printed why
  bool isUndefined = false; ///< the program is undefined for these generated inputs
};

/// A result of the reference evaluator, with the bound of each element.
struct Expected {
  HostTensor tensor;
  std::optional<HostTensor> bounds; ///< none if a tolerance is given
  const HostTensor *boundsOrNull() const { return bounds ? &*bounds : nullptr; }
};

/// Reads X.npy and, if it exists, X.bound.npy.
Result<Expected> readExpected(const std::filesystem::path &file, DType dtype);

/// Evaluates the program as parsed on the run's inputs by mica-compile; results, and final values of modified
/// arguments, are written to data/reference. Returns its exit code; if nonzero, it has printed why. Fails if there is
/// no compiler.
Result<int> evaluateReference(const Options &options, const std::filesystem::path &artifact,
                              const artifact::EntryRecord &entry, const RunFolder &run, bool quiet = false);

/// The same, and compares the results, and with checkOps the captured tensors. `set`: of generated inputs, for which
/// the program was evaluated before it ran. Fails if there is no compiler.
Result<CheckOutcome> checkReference(const Options &options, const std::filesystem::path &artifact,
                                    const artifact::Manifest &manifest, const artifact::EntryRecord &entry,
                                    const RunFolder &run, std::span<const HostTensor> results,
                                    std::span<const CapturedTensor> captured, std::optional<InputSet> set);

/// The command with which mica-compile evaluates the program as parsed on the run's inputs; `how`: --evaluate[=ops].
/// `what`: the feature that needs it, for the error if there is no compiler.
Result<std::vector<std::string>> evaluation(const std::string &what, const char *how,
                                            const std::filesystem::path &artifact, const artifact::EntryRecord &entry,
                                            const RunFolder &run);

/// Searches for undefined behavior in the program as parsed, on the run's inputs, by mica-compile, and prints the
/// verdict. Returns its exit code; nonzero: there is some (ErrorCode::Difference), or the program cannot be evaluated.
Result<int> checkUndefined(const std::filesystem::path &artifact, const artifact::EntryRecord &entry,
                           const RunFolder &run);

/// Compares with options.golden, which must be set.
Result<CheckOutcome> checkGolden(const Options &options, const artifact::EntryRecord &entry,
                                 std::span<const HostTensor> results);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_CHECKS_H
