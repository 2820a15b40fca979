//===- KernelAxis.cpp - the one kernel that goes wrong ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompiledForms.h. The first kernels are as asked, the others by the reference lowering; or the first ones are as a
// pass left them, the others as before. Two neighbors are left, of which the first is right and the second is not.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/CompiledForms.h"
#include "mica/Support/Text.h"

using namespace mica;
using namespace mica::bisect;

static std::vector<std::string> from(const std::vector<std::string> &names, size_t first) {
  return {names.begin() + static_cast<std::ptrdiff_t>(first), names.end()};
}

Result<KernelFinding> bisect::findKernel(const CompiledForms &forms, const std::vector<std::string> &run,
                                         const Judge &judge) {
  KernelFinding finding;
  std::vector<std::string> kernels = forms.kernels();
  if (forms.scheduleEnd() == 0 || kernels.empty()) {
    finding.note = "the program has no kernels that could be compiled one by one";
    return finding;
  }
  auto judgePlain = [&](const std::vector<std::string> &plain) {
    Candidate candidate = forms.withPlain(plain);
    candidate.run = run;
    return judge(candidate, "kernels by the reference lowering: " + (plain.empty() ? "none" : joinNames(plain, 4)));
  };
  Is all = judgePlain(kernels).is;
  if (all == Is::Unknown) {
    // Some the reference lowering does not take: they stay as they are.
    std::erase_if(kernels, [&](const std::string &name) { return judgePlain({name}).is == Is::Unknown; });
    if (!kernels.empty())
      all = judgePlain(kernels).is;
    finding.note = "the reference lowering does not take all kernels";
  }
  if (kernels.empty() || all == Is::Unknown)
    return finding;
  if (all == Is::Wrong) {
    finding.isElsewhere = kernels.size() == forms.kernels().size();
    return finding;
  }
  auto isRight = [&](size_t asked) -> Result<Is> { return judgePlain(from(kernels, asked)).is; };
  MICA_ASSIGN_OR_RETURN(const Is asked, isRight(kernels.size()));
  if (asked != Is::Wrong) {
    finding.note = "compiled again, the program is right";
    return finding;
  }
  MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, kernels.size(), isRight));
  if (found.wrong - found.right == 1)
    finding.kernel = kernels[found.right];
  return finding;
}

Result<std::string> bisect::findChangedKernel(const CompiledForms &forms, int64_t position,
                                              const std::vector<std::string> &kernels, const Judge &judge) {
  auto isRight = [&](size_t changed) -> Result<Is> {
    const std::vector<std::string> earlier = from(kernels, changed);
    return judge(forms.snapshot(position, earlier),
                 "kernels before the pass: " + (earlier.empty() ? "none" : joinNames(earlier, 4)))
        .is;
  };
  MICA_ASSIGN_OR_RETURN(const Is none, isRight(0));
  if (none != Is::Right)
    return std::string();
  MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, kernels.size(), isRight));
  return found.wrong - found.right == 1 ? kernels[found.right] : std::string();
}
