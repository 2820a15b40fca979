//===- CompiledForms.h - forms of a compiled program and what they compute ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: an artifact, and what is made of it to find a fault: a snapshot by the reference lowering, kernels from
// another snapshot, some kernels by the reference lowering, fewer of LLVM's passes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_COMPILEDFORMS_H
#define MICA_LIB_BISECT_COMPILEDFORMS_H

#include "lib/Bisect/Compiled.h"
#include "lib/Bisect/Judgement.h"
#include "mica/Artifact/Manifest.h"
#include "mica/IRTools/Record.h"

#include <optional>

namespace mica::bisect {

class CompiledForms {
public:
  /// Builds what was edited by hand. Fails where the artifact cannot be read.
  static Result<CompiledForms> open(const CompiledProgram &program, const Runner &runner);

  const std::filesystem::path &folder() const { return base.artifact; }
  const artifact::Manifest &manifest() const { return described; }
  /// None where the passes were not recorded.
  const std::optional<irtools::Record> &record() const { return recorded; }
  /// Positions whose state differs from the one before; the first is the end of phase input.
  const std::vector<int64_t> &positions() const { return distinct; }
  /// The last pass of phase schedule; 0 where the program has no such phase.
  int64_t scheduleEnd() const { return beforeKernel; }
  std::vector<std::string> kernels() const;

  /// The artifact as it is.
  Candidate compiled() const { return base; }
  /// The state after pass `position`, with `earlier` as they were after the pass before, by the reference lowering.
  Candidate snapshot(int64_t position, const std::vector<std::string> &earlier = {}) const;
  /// The program compiled again, with these kernels by the reference lowering.
  Candidate withPlain(const std::vector<std::string> &kernels) const;
  /// The program compiled again, with the first `passes` of LLVM's on the code of `kernel`.
  Candidate limited(const std::string &kernel, int64_t passes) const;

private:
  Candidate base;
  artifact::Manifest described;
  std::optional<irtools::Record> recorded;
  std::vector<int64_t> distinct;
  int64_t beforeKernel = 0;
};

/// Judges candidates by what the program computes.
class Judge {
public:
  Judge(const Entry &entry, const Outcome &baseline, Runner &runner, const Settings &settings)
      : entry(entry), baseline(baseline), runner(runner), settings(settings) {}

  /// `what` is how progress names it.
  Judgement operator()(const Candidate &candidate, const std::string &what, uint8_t fill = kFills[0]) const;

private:
  const Entry &entry;
  const Outcome &baseline;
  Runner &runner;
  const Settings &settings;
};

/// The code of which kernel goes wrong.
struct KernelFinding {
  std::string kernel;       ///< "" where it is none, or not known
  bool isElsewhere = false; ///< the program is wrong with all kernels by the reference lowering, too
  std::string note;
};

/// Compiles some kernels by the reference lowering, the others as asked. `run` are flags of mica-run with which the
/// program goes wrong.
Result<KernelFinding> findKernel(const CompiledForms &forms, const std::vector<std::string> &run, const Judge &judge);
/// Of `kernels`, which the pass at `position` changed, the one whose change makes the program wrong; "": not one alone.
Result<std::string> findChangedKernel(const CompiledForms &forms, int64_t position,
                                      const std::vector<std::string> &kernels, const Judge &judge);
/// The one of LLVM's passes on the code of `kernel` that makes the program wrong. Unknown, with the reason, where it is
/// none of them.
Result<Step> findLLVMPass(const CompiledForms &forms, const std::string &kernel, const std::vector<std::string> &run,
                          const Runner &runner, const Judge &judge);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_COMPILEDFORMS_H
