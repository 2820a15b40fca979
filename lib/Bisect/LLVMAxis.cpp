//===- LLVMAxis.cpp - the one of LLVM's passes that goes wrong ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompiledForms.h. As opt -opt-bisect-limit does, for the code of one kernel: the first so many of LLVM's passes
// run. The ones that code generation cannot do without always run.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/CompiledForms.h"
#include "lib/Bisect/Occurrence.h"
#include "mica/Support/Files.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mica;
using namespace mica::bisect;

namespace {
struct LLVMPass {
  std::string name, where;
};
} // namespace

/// "BISECT: running pass (12) instcombine on mica_body_k", one a line.
static std::vector<LLVMPass> parsePasses(llvm::StringRef text) {
  std::vector<LLVMPass> passes;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (!line.consume_front("BISECT: "))
      continue;
    auto [name, where] = line.split(") ").second.split(" on ");
    if (where.consume_front("function (")) // of machine passes
      where.consume_back(")");
    passes.push_back({name.str(), where.str()});
  }
  return passes;
}

namespace {
/// What the first of LLVM's passes make of a kernel.
struct LLVMForm {
  std::string said; ///< by the compiler
  std::string code, assembly;
};
} // namespace

static Result<LLVMForm> llvmAfter(const CompiledForms &forms, const std::string &kernel, int64_t limit,
                                  const Runner &runner) {
  LLVMForm form;
  MICA_ASSIGN_OR_RETURN(const ScratchFolder made, ScratchFolder::create("mica-bisect"));
  MICA_ASSIGN_OR_RETURN(form.said, runner.compile(forms.limited(kernel, limit), made.path() / "artifact"));
  const std::filesystem::path folder = made.path() / "artifact" / "kernels" / kernel;
  MICA_ASSIGN_OR_RETURN(form.code, readFile(folder / "kernel.ll"));
  MICA_ASSIGN_OR_RETURN(form.assembly, readFile(folder / "kernel.s"));
  return form;
}

Result<Step> bisect::findLLVMPass(const CompiledForms &forms, const std::string &kernel,
                                  const std::vector<std::string> &run, const Runner &runner, const Judge &judge) {
  Step step;
  MICA_ASSIGN_OR_RETURN(const LLVMForm whole, llvmAfter(forms, kernel, std::numeric_limits<int64_t>::max(), runner));
  const std::vector<LLVMPass> passes = parsePasses(whole.said);
  auto isRight = [&](size_t count) -> Result<Is> {
    Candidate candidate = forms.limited(kernel, static_cast<int64_t>(count));
    candidate.run = run;
    return judge(candidate,
                 "LLVM's passes on " + kernel + ": " + std::to_string(count) + " of " + std::to_string(passes.size()))
        .is;
  };
  MICA_ASSIGN_OR_RETURN(const Is none, isRight(0));
  MICA_ASSIGN_OR_RETURN(const Is all, isRight(passes.size()));
  if (none != Is::Right || all != Is::Wrong) {
    step.note = none == Is::Wrong ? "the code is wrong without any of LLVM's optional passes: phase lowered, the "
                                    "translation to LLVM IR, or LLVM's code generator"
                                  : "compiled again, the kernel is right";
    return step;
  }
  MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, passes.size(), isRight));
  if (found.wrong - found.right != 1) {
    step.note = "one of LLVM's passes " + std::to_string(found.right + 1) + " to " + std::to_string(found.wrong) +
                " on " + kernel + ", between which the code cannot be run";
    return step;
  }
  step.kind = Step::Kind::LLVMPass;
  step.number = static_cast<int64_t>(found.wrong);
  step.count = static_cast<int64_t>(passes.size());
  step.name = passes[found.right].name;
  step.op = passes[found.right].where;
  MICA_ASSIGN_OR_RETURN(LLVMForm before, llvmAfter(forms, kernel, step.number - 1, runner));
  MICA_ASSIGN_OR_RETURN(LLVMForm after, llvmAfter(forms, kernel, step.number, runner));
  // Passes of the code generator leave LLVM IR as it is.
  const bool isOfCode = before.code != after.code;
  step.before = std::move(isOfCode ? before.code : before.assembly);
  step.after = std::move(isOfCode ? after.code : after.assembly);
  step.isOfMachine = !isOfCode;
  return step;
}
