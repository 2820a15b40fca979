//===- Compiled.cpp - what goes wrong in a program that Mica compiled ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Compiled.h. In this order: the compiled program, with several numbers of threads; edits by hand; the schedule, in
// which a fault shows by chance; the states after passes, the last of which is the compiled program; and, where all of
// these are right but that, kernels and LLVM's passes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Compiled.h"

#include "lib/Bisect/CompiledForms.h"
#include "lib/Bisect/HandEdits.h"
#include "lib/Bisect/InputAxis.h"
#include "lib/Bisect/Occurrence.h"
#include "mica/Compiler/Program/ScheduleAudit.h"
#include "mica/IRTools/Diff.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mica;
using namespace mica::bisect;

/// Time for the search for the part of the inputs that shows the fault.
static constexpr double kMostInputSeconds = 20;

Result<Axes> bisect::parseAxes(const std::string &text) {
  Axes axes{false, false, false, false, false};
  const std::vector<std::pair<std::string, bool Axes::*>> known{{"pass", &Axes::pass},
                                                                {"kernel", &Axes::kernel},
                                                                {"llvm", &Axes::llvm},
                                                                {"threads", &Axes::threads},
                                                                {"input", &Axes::input}};
  for (llvm::StringRef name : llvm::split(text, ',')) {
    const auto found = llvm::find_if(known, [&](const auto &axis) { return axis.first == name; });
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const auto &[axis, member] : known)
        names.push_back(axis);
      return Error{ErrorCode::InvalidInput, "--axis=" + text + ": unknown value '" + name.str() + "'",
                   unknownNameHint(name.str(), names)};
    }
    axes.*found->second = true;
  }
  return axes;
}

namespace {

class CompiledSearch {
public:
  CompiledSearch(CompiledProgram program, mlir::ModuleOp written, const Entry &entry, const Baseline &baseline,
                 Runner &runner, const Settings &settings, const Axes &axes)
      : program(std::move(program)), written(written), entry(entry), baseline(baseline), runner(runner),
        settings(settings), axes(axes), judge(entry, baseline.outcome, runner, settings) {}

  Result<Verdict> run();

private:
  Result<Verdict> search(const Judgement &compiled);
  void tryThreads(const Judgement &compiled);
  std::optional<compiler::ScheduleFault> findScheduleFault(Culprit &culprit);
  Result<std::optional<Verdict>> blameSchedule(const std::optional<HandEdit> &edit);
  Result<Verdict> blamePass(size_t right, size_t wrong);
  Result<Verdict> blameCode();
  std::string optCommand(const std::string &pass) const;
  Verdict blameKernel(const KernelFinding &finding);
  /// Nothing where the search inside does not find the fault again.
  std::optional<Verdict> lookInside(int64_t first, int64_t last);
  Culprit culpritOf(int64_t position) const;
  std::string headlineOf(const Culprit &culprit) const;
  void sliceInputsOf(Verdict &verdict, const Candidate &wrong);
  void finish(Verdict &verdict);
  std::string title(size_t state) const;
  const irtools::Record &record() const { return *forms->record(); }
  Candidate compiledForm() const {
    Candidate candidate = forms->compiled();
    candidate.run = runFlags;
    return candidate;
  }

  CompiledProgram program;
  mlir::ModuleOp written;
  const Entry &entry;
  const Baseline &baseline;
  Runner &runner;
  const Settings &settings;
  const Axes &axes;
  const Judge judge;
  std::optional<CompiledForms> forms;
  std::vector<std::string> runFlags; ///< with which the compiled program goes wrong
  std::string dependence;            ///< "wrong with --threads=8; right with --threads=1"; or ""
  bool isSerialRight = false;        ///< the compiled program is right on one thread, as states between passes run
  std::vector<std::string> evidence, ruledOut;
  Judgement wrongRun; ///< of the compiled program
};

} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Threads and schedules
//===------------------------------------------------------------------------------------------------------------===//

/// Legal ways of running the program: what it computes may not depend on them.
static std::vector<std::vector<std::string>> waysToRun(const artifact::Manifest &manifest) {
  std::vector<std::vector<std::string>> ways{{"--threads=1"}, {"--threads=2"}, {"--threads=8"}};
  const TargetInfo *target = findTarget(manifest.target);
  if (target && target->isSimulated)
    for (const char *order : {"reversed", "random:1", "adversarial"})
      ways.push_back({std::string("--mica-debug=sim-schedule=") + order});
  return ways;
}

void CompiledSearch::tryThreads(const Judgement &compiled) {
  std::vector<std::string> right, wrong;
  (compiled.is == Is::Wrong ? wrong : right).push_back("the default");
  for (const std::vector<std::string> &way : waysToRun(forms->manifest())) {
    Candidate candidate = forms->compiled();
    candidate.run = way;
    const Judgement judgement = judge(candidate, "the compiled program with " + way.front());
    if (judgement.is == Is::Unknown)
      continue;
    (judgement.is == Is::Wrong ? wrong : right).push_back(way.front());
    isSerialRight |= judgement.is == Is::Right && way == waysToRun(forms->manifest()).front();
    if (judgement.is != Is::Wrong || wrongRun.is == Is::Wrong)
      continue;
    wrongRun = judgement;
    runFlags = way;
  }
  if (!right.empty() && !wrong.empty())
    dependence = "wrong with " + joinNames(wrong, 8) + "; right with " + joinNames(right, 8);
  else if (wrong.empty())
    ruledOut.push_back("threads and schedules: the program computes the same with " + joinNames(right, 8));
}

std::optional<compiler::ScheduleFault> CompiledSearch::findScheduleFault(Culprit &culprit) {
  mlir::MLIRContext &context = *written.getContext();
  auto audit = [&](Result<irtools::Document> document) -> std::optional<compiler::ScheduleFault> {
    if (!document || !document->root)
      return std::nullopt;
    irtools::unwrapModule(*document);
    std::vector<compiler::ScheduleFault> faults = compiler::auditSchedule(*document->root);
    return faults.empty() ? std::nullopt : std::optional(faults.front());
  };
  const std::optional<compiler::ScheduleFault> fault =
      audit(irtools::readDocument((forms->folder() / "host" / "schedule.mlir").string(), context));
  if (!fault || !forms->record())
    return fault;
  // The pass after which it is there.
  for (const int64_t position : forms->positions()) {
    const irtools::RecordedPassInfo *info = record().pass(position);
    if (!info || info->phase != "schedule" || !audit(record().state("", position, context)))
      continue;
    culprit = culpritOf(position);
    for (auto [text, at] : {std::pair(&culprit.before, position - 1), std::pair(&culprit.after, position)})
      if (const Result<irtools::Document> document = record().state("", at, context))
        *text = llvm::join(document->text, "\n");
    break;
  }
  return fault;
}

Result<std::optional<Verdict>> CompiledSearch::blameSchedule(const std::optional<HandEdit> &edit) {
  Culprit culprit;
  const std::optional<compiler::ScheduleFault> fault = findScheduleFault(culprit);
  if (!fault)
    return std::optional<Verdict>();
  Verdict verdict;
  const bool isSeen = wrongRun.is == Is::Wrong;
  verdict.kind = isSeen && dependence.empty() ? Verdict::Kind::Miscompile : Verdict::Kind::Nondeterministic;
  verdict.headline = "the schedule: in " + fault->where + ", " + fault->text;
  if (edit)
    verdict.headline += "; " + edit->text();
  else if (!culprit.pass.empty())
    verdict.headline += "; since " + headlineOf(culprit);
  culprit.why = isSeen ? wrongRun.why : "";
  if (!isSeen)
    verdict.evidence.push_back("The runs that were tried gave the right results all the same.");
  if (!culprit.pass.empty())
    verdict.culprit = std::move(culprit);
  if (isSeen)
    verdict.actual = wrongRun.outcome;
  verdict.expected = baseline.outcome;
  return std::optional(std::move(verdict));
}

//===------------------------------------------------------------------------------------------------------------===//
// Passes
//===------------------------------------------------------------------------------------------------------------===//

std::string CompiledSearch::title(size_t state) const {
  return state < forms->positions().size() ? record().title(forms->positions()[state]) : "the compiled program";
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

Culprit CompiledSearch::culpritOf(int64_t position) const {
  Culprit culprit;
  culprit.position = position;
  culprit.passes = record().passes().empty() ? 0 : record().passes().back().position;
  const irtools::RecordedPassInfo *info = record().pass(position);
  if (!info)
    return culprit;
  culprit.pass = info->pass;
  culprit.phase = info->phase;
  culprit.pipeline = irtools::pipelinesOf(*info).front();
  for (const irtools::RecordedRun &run : record().runs())
    if (run.position == position && !run.file.empty() && !run.op.empty() &&
        !llvm::is_contained(culprit.functions, run.op))
      culprit.functions.push_back(run.op);
  return culprit;
}

std::string CompiledSearch::headlineOf(const Culprit &culprit) const {
  std::string where = !culprit.function.empty()   ? culprit.function
                      : !culprit.kernel.empty()   ? culprit.kernel
                      : culprit.functions.empty() ? ""
                                                  : joinNames(culprit.functions, 4);
  return culprit.pass + " (pass " + std::to_string(culprit.position) + " of " + std::to_string(culprit.passes) +
         ", phase " + culprit.phase + ")" + (where.empty() ? "" : " in " + where);
}

std::optional<Verdict> CompiledSearch::lookInside(int64_t first, int64_t last) {
  const Result<Recorded> recorded = Recorded::between(record().folder(), first, last);
  if (!recorded)
    return std::nullopt;
  Result<Verdict> verdict = bisectPasses(*recorded, entry, baseline, *written.getContext(), runner, settings);
  if (!verdict || !verdict->culprit || exitCodeOf(verdict->kind) != 3 || verdict->culprit->fault == Fault::None)
    return std::nullopt;
  // The baseline's are said by the caller.
  verdict->ruledOut.clear();
  return std::move(*verdict);
}

Result<Verdict> CompiledSearch::blamePass(size_t right, size_t wrong) {
  const int64_t position = forms->positions()[wrong];
  Culprit culprit = culpritOf(position);
  const bool hasKernels = culprit.phase == "kernel" || culprit.phase == "lowered";
  const Judgement judgement = judge(forms->snapshot(position), record().title(position));
  Verdict verdict;
  verdict.kind = judgement.fault == Fault::Crashes ? Verdict::Kind::Crash : Verdict::Kind::Miscompile;
  verdict.expected = baseline.outcome;
  verdict.actual = judgement.outcome;
  culprit.fault = judgement.fault;
  culprit.why = judgement.why;
  if (wrong - right > 1) {
    std::vector<std::string> passes;
    for (size_t i = right + 1; i <= wrong; ++i)
      passes.push_back(title(i));
    verdict.evidence.push_back("one of these passes, whose results cannot be run one by one: " + joinNames(passes));
    KernelFinding finding;
    if (hasKernels && axes.kernel) {
      MICA_ASSIGN_OR_RETURN(finding, findKernel(*forms, runFlags, judge));
    }
    verdict.headline = "one of the passes " + title(right + 1) + " to " + title(wrong) +
                       (finding.kernel.empty() ? "" : " in " + finding.kernel);
    culprit.pass.clear();
    culprit.pipeline.clear();
    culprit.kernel = finding.kernel;
    verdict.culprit = std::move(culprit);
    return verdict;
  }
  if (hasKernels && culprit.functions.size() == 1)
    culprit.kernel = culprit.functions.front();
  if (hasKernels && culprit.functions.size() > 1 && axes.kernel) {
    MICA_ASSIGN_OR_RETURN(culprit.kernel, findChangedKernel(*forms, position, culprit.functions, judge));
  }
  std::optional<Verdict> inside;
  if (culprit.phase != "lowered")
    inside = lookInside(forms->positions()[right], position);
  if (inside) {
    // What it found there, under the names of this record.
    inside->culprit->phase = culprit.phase;
    inside->culprit->functions = culprit.functions;
    inside->culprit->kernel = culprit.kernel;
    if (!culprit.kernel.empty())
      inside->culprit->function = culprit.kernel;
    inside->headline = headlineOf(*inside->culprit);
    return std::move(*inside);
  }
  mlir::MLIRContext &context = *written.getContext();
  Result<irtools::Document> before = record().state(culprit.kernel, position - 1, context);
  Result<irtools::Document> after = record().state(culprit.kernel, position, context);
  if (before && after && before->root && after->root) {
    culprit.before = llvm::join(before->text, "\n");
    culprit.after = llvm::join(after->text, "\n");
    culprit.step = changeOf(*before, *after);
  }
  verdict.headline = headlineOf(culprit);
  verdict.culprit = std::move(culprit);
  return verdict;
}

//===------------------------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------------------------===//

/// Whether opt knows a pass by this name.
static bool isPassName(llvm::StringRef name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
}

/// What runs the pass alone; "" where opt does not know its name.
std::string CompiledSearch::optCommand(const std::string &pass) const {
  if (!isPassName(pass))
    return "";
  std::string command = "opt -S input.ll -passes=" + pass;
  for (llvm::StringRef flag : program.plugins)
    if (flag.consume_front("--load-llvm-pass-plugin="))
      command += " -load-pass-plugin=" + flag.substr(flag.find_last_of('/') + 1).str();
  return command;
}

Verdict CompiledSearch::blameKernel(const KernelFinding &finding) {
  Verdict verdict;
  verdict.kind = !dependence.empty()                ? Verdict::Kind::Nondeterministic
                 : wrongRun.fault == Fault::Crashes ? Verdict::Kind::Crash
                                                    : Verdict::Kind::Miscompile;
  verdict.expected = baseline.outcome;
  verdict.actual = wrongRun.outcome;
  Culprit culprit;
  culprit.fault = wrongRun.fault;
  culprit.why = wrongRun.why;
  culprit.kernel = finding.kernel;
  if (!finding.note.empty())
    verdict.evidence.push_back(finding.note);
  if (finding.isElsewhere) {
    verdict.headline = "after the last pass: in the host functions or in the runtime";
    verdict.evidence.push_back("With all kernels compiled by the reference lowering the program is wrong, too.");
  } else if (finding.kernel.empty()) {
    verdict.headline = "after the last pass: in code generation or in the runtime";
  } else {
    verdict.headline = "the code of kernel " + finding.kernel;
    verdict.evidence.push_back("With " + finding.kernel +
                               " compiled by the reference lowering, and the other kernels as asked, the program is "
                               "right.");
  }
  verdict.culprit = std::move(culprit);
  return verdict;
}

Result<Verdict> CompiledSearch::blameCode() {
  KernelFinding finding;
  if (axes.kernel || axes.llvm) {
    MICA_ASSIGN_OR_RETURN(finding, findKernel(*forms, runFlags, judge));
  }
  Verdict verdict = blameKernel(finding);
  if (!finding.kernel.empty() && axes.llvm) {
    Culprit &culprit = *verdict.culprit;
    Result<Step> step = findLLVMPass(*forms, finding.kernel, runFlags, runner, judge);
    if (!step) {
      Step unknown;
      unknown.note = step.error().message;
      step = std::move(unknown);
    }
    if (step->kind == Step::Kind::LLVMPass) {
      verdict.headline = "LLVM's " + step->name + " (pass " + std::to_string(step->number) + " of " +
                         std::to_string(step->count) + ") on " + step->op + ", in the code of kernel " + finding.kernel;
      if (!step->isOfMachine) {
        culprit.before = step->before;
        culprit.after = step->after;
        culprit.command = optCommand(step->name);
      }
      cutToDifference(step->before, step->after);
      culprit.step = std::move(*step);
    } else {
      verdict.evidence.push_back(step->note);
    }
  }
  if (!dependence.empty())
    verdict.evidence.push_back(dependence);
  return verdict;
}

//===------------------------------------------------------------------------------------------------------------===//
// All of it
//===------------------------------------------------------------------------------------------------------------===//

void CompiledSearch::sliceInputsOf(Verdict &verdict, const Candidate &wrong) {
  if (!axes.input || entry.inputs.empty() || !settings.reduce || !verdict.culprit ||
      verdict.culprit->fault != Fault::Differs)
    return;
  // It is compiled once.
  Candidate made = wrong;
  if (wrong.position) {
    made.artifact = runner.folder() / "wrong";
    made.identity += "\n" + std::to_string(*wrong.position) + "\n" + llvm::join(wrong.compile, "\n");
    made.position.reset();
    made.compile.clear();
    if (!runner.compile(wrong, made.artifact))
      return;
  }
  std::optional<InputSlice> slice =
      sliceInputs(written, entry, runner, std::min(settings.reduction.seconds, kMostInputSeconds),
                  [&](const Entry &tried) { return runner.run(made, tried, kFills[0]); });
  if (!slice)
    return;
  verdict.culprit->inputs = std::move(slice->kept);
  verdict.culprit->slice = std::move(slice->entry);
}

void CompiledSearch::finish(Verdict &verdict) {
  verdict.evidence.insert(verdict.evidence.end(), evidence.begin(), evidence.end());
  verdict.ruledOut = baseline.ruledOut;
  if (exitCodeOf(verdict.kind) == 0)
    verdict.ruledOut.insert(verdict.ruledOut.end(), ruledOut.begin(), ruledOut.end());
}

Result<Verdict> CompiledSearch::search(const Judgement &compiled) {
  if (!axes.pass || !forms->record() || (isSerialRight && !dependence.empty())) {
    MICA_ASSIGN_OR_RETURN(Verdict verdict, blameCode());
    sliceInputsOf(verdict, compiledForm());
    return verdict;
  }
  const std::vector<int64_t> &positions = forms->positions();
  std::map<size_t, Is> judged{{positions.size(), Is::Wrong}};
  auto isRight = [&](size_t state) -> Result<Is> {
    if (const auto known = judged.find(state); known != judged.end())
      return known->second;
    return judged[state] = judge(forms->snapshot(positions[state]), title(state)).is;
  };
  size_t first = 0;
  Is is = Is::Unknown;
  for (; first < positions.size() && is == Is::Unknown; ++first) {
    MICA_ASSIGN_OR_RETURN(is, isRight(first));
  }
  --first;
  if (is == Is::Wrong) {
    if (first == 0)
      if (std::optional<Verdict> inside = lookInside(0, positions.front()))
        return std::move(*inside);
    Verdict verdict;
    verdict.headline = "the first state that can be run, " + title(first) +
                       ", is wrong already: a pass before it, the reference lowering, or the reference evaluator";
    verdict.expected = baseline.outcome;
    verdict.actual = compiled.outcome;
    return verdict;
  }
  if (is == Is::Unknown) {
    MICA_ASSIGN_OR_RETURN(Verdict verdict, blameCode());
    verdict.evidence.push_back("no state between passes can be run");
    return verdict;
  }
  MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(first, positions.size(), isRight));
  const bool isCode = found.wrong == positions.size();
  Result<Verdict> verdict = isCode ? blameCode() : blamePass(found.right, found.wrong);
  if (!verdict)
    return verdict;
  sliceInputsOf(*verdict, isCode ? compiledForm() : forms->snapshot(positions[found.wrong]));
  return verdict;
}

Result<Verdict> CompiledSearch::run() {
  MICA_ASSIGN_OR_RETURN(forms, CompiledForms::open(program, runner));
  Judgement compiled = judge(forms->compiled(), "the compiled program");
  wrongRun = compiled;
  std::optional<HandEdit> edit;
  if (compiled.is == Is::Wrong) {
    MICA_ASSIGN_OR_RETURN(EditSearch edits, findEdit(program, runner, judge));
    edit = std::move(edits.wrong);
    if (edits.unedited) {
      evidence.push_back("The program is wrong without the edits by hand, too: these were taken back for the search.");
      program = *edits.unedited;
      MICA_ASSIGN_OR_RETURN(forms, CompiledForms::open(program, runner));
    }
  }
  if (axes.threads && compiled.is != Is::Unknown)
    tryThreads(compiled);
  MICA_ASSIGN_OR_RETURN(std::optional<Verdict> scheduled, blameSchedule(edit));
  if (scheduled) {
    finish(*scheduled);
    return std::move(*scheduled);
  }
  Verdict verdict;
  if (edit) {
    verdict.kind = compiled.fault == Fault::Crashes ? Verdict::Kind::Crash : Verdict::Kind::Miscompile;
    verdict.headline = edit->text();
    verdict.expected = baseline.outcome;
    verdict.actual = compiled.outcome;
    Culprit culprit;
    culprit.fault = compiled.fault;
    culprit.why = compiled.why;
    culprit.kernel = edit->kernel;
    culprit.before = edit->before;
    culprit.after = edit->after;
    culprit.command = "mica-run DIR --reset=" + edit->file + "   # takes the edit back, and the program is right";
    verdict.culprit = std::move(culprit);
    verdict.evidence.push_back("Without the edit the program is right.");
  } else if (compiled.is == Is::Unknown) {
    verdict.headline = "the compiled program cannot be run: " + compiled.why;
  } else if (wrongRun.is != Is::Wrong) {
    verdict.kind = compiled.isRounded ? Verdict::Kind::Rounding : Verdict::Kind::Same;
    verdict.headline = compiled.isRounded ? "all differences are within what the roundings of the ops explain" : "";
    if (compiled.isRounded) {
      verdict.expected = baseline.outcome;
      verdict.actual = compiled.outcome;
      verdict.evidence.push_back("largest difference: " + compiled.why);
    }
  } else if (baseline.otherwise) {
    verdict.headline = "the reference lowering and the reference evaluator disagree on the program as written";
    verdict.expected = baseline.outcome;
    verdict.actual = compiled.outcome;
  } else {
    MICA_ASSIGN_OR_RETURN(verdict, search(wrongRun));
  }
  finish(verdict);
  return verdict;
}

Result<Verdict> bisect::bisectCompiled(const CompiledProgram &program, mlir::ModuleOp written, const Entry &entry,
                                       const Baseline &baseline, Runner &runner, const Settings &settings,
                                       const Axes &axes) {
  return CompiledSearch(program, written, entry, baseline, runner, settings, axes).run();
}
