//===- Artifact.cpp - the passes of an artifact -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Artifact.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Artifact.h"

#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Record.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

bool bisect::isArtifact(const fs::path &folder) {
  std::error_code ignored;
  return fs::exists(folder / "manifest.json", ignored) && fs::exists(folder / "passes_dump" / "index.json", ignored);
}

namespace {
/// "first wrong pass: 0026 mica-fuse, phase tensor, on a, b; the snapshot before it, 0025 mica-x, is right"
struct FirstWrong {
  int64_t position = 0, before = 0;
  std::string pass, phase;
  std::vector<std::string> kernels;
};
} // namespace

static std::optional<FirstWrong> parseFirstWrong(llvm::StringRef line) {
  if (!line.consume_front("first wrong pass: "))
    return std::nullopt;
  FirstWrong found;
  auto [what, right] = line.split("; the snapshot before it, ");
  auto [number, rest] = what.split(' ');
  if (number.getAsInteger(10, found.position) || right.split(' ').first.getAsInteger(10, found.before))
    return std::nullopt;
  auto [pass, phase] = rest.split(", phase ");
  auto [name, kernels] = phase.split(", on ");
  found.pass = pass.str();
  found.phase = name.str();
  for (llvm::StringRef kernel : llvm::split(kernels, ", "))
    if (!kernel.empty())
      found.kernels.push_back(kernel.str());
  return found;
}

/// The only change that the pass made to `op` ("": the program); where there are several, how many.
static Step changeOf(const irtools::Document &before, const irtools::Document &after) {
  Step step;
  const irtools::ModuleDiff diff = irtools::diffDocuments(before, after);
  if (diff.changes.size() != 1) {
    step.note = std::to_string(diff.changes.size()) + " changes, which mica-diff shows";
    return step;
  }
  const irtools::Change &change = diff.changes.front();
  step.kind = Step::Kind::Change;
  step.number = step.count = 1;
  step.op = change.op;
  step.name = change.op;
  for (const irtools::Detail &detail : change.details)
    step.name += (detail.before.empty() || detail.after.empty())
                     ? ": " + detail.what
                     : ": " + detail.what + " was " + detail.before + ", is " + detail.after;
  if (change.details.empty())
    step.name += " " + irtools::changeName(change.kind).str();
  for (const irtools::Place *place : {&change.before, &change.after})
    if (step.location.empty() && place->origin && !place->origin->sources.empty())
      step.location = place->origin->sources.front();
  return step;
}

static Culprit culpritOf(const FirstWrong &wrong, const irtools::Record &record, mlir::MLIRContext &context) {
  Culprit culprit;
  culprit.position = wrong.position;
  culprit.pass = wrong.pass;
  culprit.passes = record.passes().empty() ? 0 : record.passes().back().position;
  culprit.functions = wrong.kernels;
  if (wrong.kernels.size() == 1)
    culprit.function = wrong.kernels.front();
  if (const irtools::RecordedPassInfo *info = record.pass(wrong.position))
    culprit.pipeline = irtools::pipelinesOf(*info).front();
  const std::string op = wrong.kernels.size() == 1 ? wrong.kernels.front() : "";
  Result<irtools::Document> before = record.state(op, wrong.position - 1, context);
  Result<irtools::Document> after = record.state(op, wrong.position, context);
  if (!before || !after || !before->root || !after->root)
    return culprit;
  culprit.before = llvm::join(before->text, "\n");
  culprit.after = llvm::join(after->text, "\n");
  culprit.step = changeOf(*before, *after);
  return culprit;
}

Result<Verdict> bisect::bisectArtifact(const fs::path &folder, const std::string &entry,
                                       const std::vector<std::string> &inputs, mlir::MLIRContext &context,
                                       const Runner &runner) {
  MICA_ASSIGN_OR_RETURN(const irtools::Record record, irtools::Record::open(folder.string()));
  std::vector<std::string> command{runner.tool("mica-run").string(), folder.string(), "--check-passes",
                                   "--run-dir=" + (runner.folder() / "runs").string()};
  if (!entry.empty())
    command.push_back("--entry=" + entry);
  for (const std::string &input : inputs)
    command.push_back("--input=" + input);
  ProcessOptions process;
  process.standardOutput = runner.folder() / "check.out";
  process.standardError = runner.folder() / "check.err";
  process.memoryLimit = runner.limits().memoryBytes;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  MICA_ASSIGN_OR_RETURN(const std::string said, readFile(process.standardOutput));
  MICA_ASSIGN_OR_RETURN(const std::string complaint, readFile(process.standardError));
  Verdict verdict;
  std::optional<FirstWrong> wrong;
  std::string difference;
  bool isCompiledWrong = false, isChecked = false;
  for (llvm::StringRef line : llvm::split(said, '\n')) {
    if (std::optional<FirstWrong> found = parseFirstWrong(line))
      wrong = std::move(found);
    if (!line.consume_front("snapshots: "))
      continue;
    isCompiledWrong |= line.starts_with("the compiled program does not");
    isChecked |= line.contains(" snapshots agree with the reference");
    difference = line.split("): ").second.str();
  }
  if (wrong) {
    verdict.kind =
        llvm::StringRef(difference).contains("killed by signal") ? Verdict::Kind::Crash : Verdict::Kind::Miscompile;
    verdict.culprit = culpritOf(*wrong, record, context);
    verdict.culprit->why = difference;
    verdict.headline = wrong->pass + " (pass " + std::to_string(wrong->position) + " of " +
                       std::to_string(verdict.culprit->passes) + ", phase " + wrong->phase + ")" +
                       (wrong->kernels.empty() ? "" : " in " + joinNames(wrong->kernels, 4));
    return verdict;
  }
  if (isCompiledWrong) {
    verdict.kind = Verdict::Kind::Miscompile;
    verdict.headline = "after the last pass: in code generation or in the runtime";
    verdict.evidence.push_back("All snapshots agree with the reference, and the compiled program does not.");
    return verdict;
  }
  if (code == 0 && isChecked) {
    verdict.kind = Verdict::Kind::Same;
    return verdict;
  }
  verdict.kind = code >= 128 ? Verdict::Kind::Crash : Verdict::Kind::Inconclusive;
  verdict.headline = code >= 128 ? "the compiled program was ended by signal " + std::to_string(code - 128)
                                 : "mica-run --check-passes ended with exit code " + std::to_string(code);
  if (!complaint.empty())
    verdict.evidence.push_back(llvm::StringRef(complaint).rtrim().str());
  return verdict;
}
