//===- Bisection.cpp - the search for the pass that is to blame ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Bisection.h. A state is right where the reference evaluator computes the baseline for it, or, once that does not
// take it, the reference lowering. Of two neighbors of which the first is right and the second is not, the pass between
// them is to blame, whatever lies between other states.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Bisection.h"

#include "lib/Bisect/Halving.h"
#include "lib/Bisect/Judgement.h"
#include "lib/Bisect/Narrow.h"
#include "lib/Bisect/Occurrence.h"
#include "lib/Bisect/Play.h"
#include "lib/Bisect/Reduction.h"
#include "lib/IRTools/Reduce/Reduction.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Support/Text.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

//===------------------------------------------------------------------------------------------------------------===//
// The program as written
//===------------------------------------------------------------------------------------------------------------===//

static Verdict undefinedVerdict(const UndefinedFinding &finding) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::Undefined;
  verdict.origin = finding.origin;
  verdict.visible = finding.visible;
  if (finding.isImmediate && finding.visible) {
    verdict.cause = std::exchange(verdict.origin, finding.visible);
    verdict.visible = std::nullopt;
  }
  verdict.headline = verdict.origin->what + (verdict.origin->location.empty() ? "" : " at " + verdict.origin->location);
  verdict.evidence.push_back(
      "No pipeline has to keep what such a program computes. docs/UndefinedBehavior.md says what is "
      "undefined.");
  return verdict;
}

std::optional<Verdict> bisect::judgeProgram(ModuleOp program, const Entry &entry, Runner &runner,
                                            const Settings &settings, Baseline &baseline) {
  const UndefinedFinding finding = runner.undefinedBehavior(program, entry);
  if (finding.origin)
    return undefinedVerdict(finding);
  baseline.isChecked = finding.isKnown;
  if (finding.isKnown)
    baseline.ruledOut.push_back("undefined behavior: the reference evaluator finds none in the program as written");
  else
    settings.progress("undefined behavior was not looked for: " + finding.why);
  const Outcome first = runner.lower(program, entry, kFills[0]), second = runner.lower(program, entry, kFills[1]);
  baseline.outcome = runner.evaluate(program, entry);
  Verdict verdict;
  if (first.ran() && second.ran() && compareOutcomes(first, second).kind == Agreement::Kind::Different) {
    verdict.kind = Verdict::Kind::Nondeterministic;
    verdict.headline = "two runs of the program as written differ";
    verdict.expected = first;
    verdict.actual = second;
    verdict.evidence.push_back("Both were lowered without optimization; memory held " + std::to_string(kFills[0]) +
                               " or " + std::to_string(kFills[1]) + " where the program had not written to it.");
    return verdict;
  }
  if (first.ran() && second.ran())
    baseline.ruledOut.push_back("nondeterminism: two runs of the program as written agree");
  if (!baseline.outcome.ran() && !first.ran()) {
    const bool crashes = first.status == Outcome::Status::Crashed || first.status == Outcome::Status::TimedOut;
    verdict.kind = crashes ? Verdict::Kind::Crash : Verdict::Kind::Inconclusive;
    verdict.headline = crashes ? "the program as written, without optimization: " + first.message
                               : "the program as written cannot be run";
    verdict.evidence.push_back("the reference evaluator: " + baseline.outcome.message);
    verdict.evidence.push_back("the reference lowering: " + first.message);
    return verdict;
  }
  if (baseline.outcome.ran() && first.ran() &&
      compareOutcomes(first, baseline.outcome).kind == Agreement::Kind::Different)
    baseline.otherwise = first;
  if (!baseline.outcome.ran())
    baseline.outcome = first;
  return std::nullopt;
}

//===------------------------------------------------------------------------------------------------------------===//
// The states after it
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// What is known of one state.
struct Judged : Judgement {
  Judged() = default;
  Judged(Judgement judgement) : Judgement(std::move(judgement)) {}
  OwningOpRef<ModuleOp> state;
  bool isChecked = false; ///< undefined behavior was looked for
  UndefinedFinding finding;
};

class PassSearch {
public:
  PassSearch(const Recorded &recorded, const Entry &entry, const Baseline &program, MLIRContext &context,
             Runner &runner, const Settings &settings)
      : recorded(recorded), entry(entry), program(program), baseline(program.outcome), context(context), runner(runner),
        settings(settings) {}

  Result<Verdict> run();

private:
  Result<Judged *> judge(size_t index);
  /// Of a state after a pass; one that is only a guess, `isBrief`, is run once.
  Judged judgeState(ModuleOp state, bool isBrief = false);
  Judged judgeLowered(ModuleOp state, bool isBrief = false);
  Result<Verdict> blame(size_t right, size_t wrong);
  Result<std::optional<Verdict>> confirm(Judged &right, Judged &wrong);
  void lookInside(const Judged &good, const Judged &bad, Culprit &culprit);
  bool reduceProgram(ModuleOp program, const std::string &preceding, const Outcome &wrongOutcome, Culprit &culprit);
  void reduceInput(ModuleOp input, bool isEvaluable, const Outcome &wrongOutcome, Culprit &culprit);
  OwningOpRef<ModuleOp> beginEarlier(ModuleOp input, Culprit &culprit);
  Outcome runOnce(ModuleOp state, const Entry &with);
  Verdict unblamed(size_t last);
  std::string title(size_t index) const { return recorded.record().title(recorded.positions()[index]); }
  std::vector<std::string> changedFunctions(ModuleOp before, ModuleOp after) const;

  const Recorded &recorded;
  const Entry &entry;
  const Baseline &program;
  const Outcome &baseline;
  MLIRContext &context;
  Runner &runner;
  const Settings &settings;
  std::map<size_t, Judged> judged;
};

Judged PassSearch::judgeLowered(ModuleOp state, bool isBrief) {
  if (program.otherwise) {
    Judged result;
    result.why = "the reference lowering computes something else than the evaluator for the program as written";
    return result;
  }
  Judged result = judgeOutcome(runner.lower(state, entry, kFills[0]), baseline);
  if (result.is != Is::Right || isBrief)
    return result;
  return judgeOutcome(runner.lower(state, entry, kFills[1]), baseline);
}

Judged PassSearch::judgeState(ModuleOp state, bool isBrief) {
  const UndefinedFinding finding = runner.undefinedBehavior(state, entry);
  if (finding.origin) {
    Judged result = wrongJudgement(Fault::Undefined, "undefined behavior: " + finding.origin->what);
    result.outcome.status = Outcome::Status::Failed;
    result.outcome.message = result.why;
    result.isChecked = true;
    result.finding = finding;
    return result;
  }
  if (!finding.isKnown)
    return judgeLowered(state, isBrief);
  Judged result = judgeOutcome(runner.evaluate(state, entry), baseline);
  if (result.is == Is::Unknown)
    result = judgeLowered(state, isBrief);
  result.isChecked = true;
  return result;
}

Result<Judged *> PassSearch::judge(size_t index) {
  if (auto it = judged.find(index); it != judged.end())
    return &it->second;
  Result<OwningOpRef<ModuleOp>> state = recorded.state(recorded.positions()[index], context);
  Judged result;
  if (state)
    result = judgeState(**state);
  else if (state.error().code == ErrorCode::Damaged)
    result.why = state.error().message; // What a pass leaves need not be what the parser takes.
  else
    return state.error();
  if (state)
    result.state = std::move(*state);
  settings.progress(title(index) + ": " +
                    (result.is == Is::Right ? std::string("as the program")
                     : result.is == Is::Wrong
                         ? "wrong: " + llvm::StringRef(result.why).take_until([](char c) { return c == '\n'; }).str()
                         : "cannot be run: " + result.why));
  return &judged.emplace(index, std::move(result)).first->second;
}

/// Symbols whose text differs.
std::vector<std::string> PassSearch::changedFunctions(ModuleOp before, ModuleOp after) const {
  auto texts = [](ModuleOp module) {
    std::map<std::string, std::string> all;
    for (Operation &op : *module.getBody())
      if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName())) {
        llvm::raw_string_ostream stream(all[name.str()]);
        op.print(stream);
      }
    return all;
  };
  const std::map<std::string, std::string> was = texts(before), is = texts(after);
  std::vector<std::string> names;
  for (const auto &[name, text] : is)
    if (auto it = was.find(name); it != was.end() && it->second != text)
      names.push_back("@" + name);
  return names;
}

/// The verdict of the last state that could be run, which is right.
Verdict PassSearch::unblamed(size_t last) {
  Verdict verdict;
  const Judged &final = judged.at(last);
  const bool isWhole = last + 1 == recorded.positions().size() && !recorded.record().failure();
  verdict.kind = !isWhole          ? Verdict::Kind::Inconclusive
                 : final.isRounded ? Verdict::Kind::Rounding
                                   : Verdict::Kind::Same;
  verdict.expected = baseline;
  if (final.isRounded) {
    verdict.actual = final.outcome;
    verdict.evidence.push_back("largest difference: " + final.why);
  }
  if (isWhole) {
    verdict.headline = final.isRounded ? "all differences are within what the roundings of the ops explain" : "";
    return verdict;
  }
  verdict.headline = "right up to " + title(last) + "; ";
  if (const auto &failure = recorded.record().failure())
    verdict.headline += "pass " + failure->pass + " " + failure->how + recorded.reason();
  else
    verdict.headline += "what follows cannot be run: " + judged.rbegin()->second.why;
  return verdict;
}

static std::string occurrenceOf(const irtools::Record &record, int64_t position) {
  int64_t count = 0, number = 0;
  const irtools::RecordedPassInfo *info = record.pass(position);
  for (const irtools::RecordedPassInfo &pass : record.passes())
    if (pass.pass == info->pass) {
      ++count;
      number += pass.position <= position;
    }
  return count > 1 ? "run " + std::to_string(number) + " of " + std::to_string(count) : "";
}

/// A verdict where the two ways of running a state do not agree on which is right.
Result<std::optional<Verdict>> PassSearch::confirm(Judged &right, Judged &wrongState) {
  const Judged before = judgeLowered(*right.state), after = judgeLowered(*wrongState.state);
  const bool isDenied = before.is == Is::Wrong || (after.is == Is::Right && wrongState.fault != Fault::Undefined);
  if (!isDenied)
    return std::optional<Verdict>();
  Verdict verdict;
  verdict.headline = "the reference evaluator and the reference lowering disagree on the program between two passes";
  verdict.expected = before.outcome;
  verdict.actual = after.outcome;
  verdict.evidence.push_back("the evaluator calls the state before right and the one after wrong (" + wrongState.why +
                             "); lowered, the one before is " + (before.is == Is::Wrong ? "wrong" : "right") +
                             ", the one after " + (after.is == Is::Right ? "right" : "wrong"));
  return std::optional(verdict);
}

/// Reduces `program`, with one of the results that are wrong where that suffices.
bool PassSearch::reduceProgram(ModuleOp program, const std::string &preceding, const Outcome &wrongOutcome,
                               Culprit &culprit) {
  if (entry.results.size() > 1)
    for (const size_t index : differingResults(wrongOutcome, baseline)) {
      std::optional<Narrowed> narrowed = keepResult(program, entry, index);
      if (!narrowed)
        break;
      reduceCulprit(*narrowed->program, narrowed->entry, culprit, runner, settings.reduction, preceding);
      if (culprit.opsReduced == 0)
        continue;
      culprit.entry = std::move(narrowed->entry);
      return true;
    }
  reduceCulprit(program, entry, culprit, runner, settings.reduction, preceding);
  return culprit.opsReduced > 0;
}

/// An input that the evaluator does not take runs slowly, its entry may have got a form that fixes its results, and in
/// the LLVM dialect one op of the program is many: then the program as written is reduced first.
void PassSearch::reduceInput(ModuleOp input, bool isEvaluable, const Outcome &wrongOutcome, Culprit &culprit) {
  const bool isLowered = isa_and_present<LLVM::LLVMFuncOp>(SymbolTable::lookupSymbolIn(input, entry.name));
  if ((!isEvaluable || isLowered) && !culprit.preceding.empty()) {
    const Result<OwningOpRef<ModuleOp>> written = recorded.state(0, context);
    if (written && reduceProgram(**written, culprit.preceding, wrongOutcome, culprit)) {
      culprit.opsGiven = irtools::countOps(input);
      return;
    }
  }
  reduceProgram(input, "", wrongOutcome, culprit);
}

/// A pass that is right by itself, but wrong after others, relies on what these left in memory: an analysis that holds
/// no more. Finds the last pass from which on it is wrong; then `culprit` names that too, and the state before it is
/// given.
OwningOpRef<ModuleOp> PassSearch::beginEarlier(ModuleOp input, Culprit &culprit) {
  const std::optional<compiler::PipelineNode> all = compiler::parsePipelineText(recorded.record().pipelineText(), 1);
  auto judgeFrom = [&](ModuleOp state, const std::string &pipeline) {
    const Played played = play(state, patternsOf(pipeline), {}, runner.limits());
    return played.state ? judgeState(*played.state, /*isBrief=*/true).is : Is::Unknown;
  };
  if (!all || culprit.position == 1 || judgeFrom(input, culprit.pipeline) != Is::Right)
    return nullptr;
  // How many passes before it run too.
  const auto most = static_cast<size_t>(culprit.position) - 1;
  auto pipelineWith = [&](size_t before) {
    return compiler::pipelineRange({*all}, static_cast<int>(most - before), static_cast<int>(culprit.position));
  };
  auto judgeWith = [&](size_t before) -> Result<Is> {
    if (before == 0)
      return Is::Right;
    MICA_ASSIGN_OR_RETURN(OwningOpRef<ModuleOp> state, recorded.state(static_cast<int64_t>(most - before), context));
    return judgeFrom(*state, pipelineWith(before));
  };
  const Result<Is> whole = judgeWith(most);
  if (!whole || *whole != Is::Wrong)
    return nullptr;
  const Result<Neighbors> found = findNeighbors(0, most, judgeWith);
  if (!found)
    return nullptr;
  const auto first = static_cast<int64_t>(most - found->wrong) + 1;
  Result<OwningOpRef<ModuleOp>> state = recorded.state(first - 1, context);
  if (!state)
    return nullptr;
  culprit.pipeline = pipelineWith(found->wrong);
  culprit.relies = recorded.record().title(first);
  return std::move(*state);
}

/// Finds the function and the step, and reduces the input of the pass.
void PassSearch::lookInside(const Judged &good, const Judged &bad, Culprit &culprit) {
  OwningOpRef<ModuleOp> earlier = beginEarlier(*good.state, culprit);
  ModuleOp input = earlier ? *earlier : *good.state;
  auto judge = [this](ModuleOp state) { return judgeState(state, /*isBrief=*/true).is; };
  const PassAlone alone{input, *bad.state, culprit.pipeline, runner.limits(), judge};
  if (culprit.functions.size() > 1)
    culprit.function = blameFunction(alone).value_or("");
  culprit.step = findStep(alone);
  settings.progress("inside " + culprit.pass + ": " + stepText(*culprit.step));
  if (!settings.reduce)
    return;
  reduceInput(input, good.outcome.hasBounds, bad.outcome, culprit);
  if (culprit.step->kind != Step::Kind::Unknown || culprit.opsReduced == 0)
    return;
  // In a smaller input there may be one step alone.
  OwningOpRef<ModuleOp> before = parseSourceString<ModuleOp>(culprit.before, &context);
  OwningOpRef<ModuleOp> after = parseSourceString<ModuleOp>(culprit.after, &context);
  if (!before || !after)
    return;
  const Entry &reduced = culprit.entry ? *culprit.entry : entry;
  const Outcome expected = runOnce(*before, reduced);
  if (!expected.ran())
    return;
  Step step = findStep({*before, *after, culprit.pipeline, runner.limits(),
                        [&](ModuleOp state) { return judgeOutcome(runOnce(state, reduced), expected).is; }});
  if (step.kind == Step::Kind::Unknown)
    return;
  step.location.clear();
  step.note = "in the reduced input" + (step.note.empty() ? "" : "; " + step.note);
  culprit.step = std::move(step);
}

/// In whatever takes it.
Outcome PassSearch::runOnce(ModuleOp state, const Entry &with) {
  Outcome outcome = runner.evaluate(state, with);
  return outcome.status == Outcome::Status::Refused ? runner.lower(state, with, kFills[0]) : outcome;
}

Result<Verdict> PassSearch::blame(size_t right, size_t wrongIndex) {
  MICA_ASSIGN_OR_RETURN(Judged * good, judge(right));
  MICA_ASSIGN_OR_RETURN(Judged * bad, judge(wrongIndex));
  MICA_ASSIGN_OR_RETURN(std::optional<Verdict> denied, confirm(*good, *bad));
  if (denied)
    return *denied;
  const int64_t position = recorded.positions()[wrongIndex];
  const irtools::RecordedPassInfo *info = recorded.record().pass(position);
  Verdict verdict;
  verdict.kind = bad->fault == Fault::Crashes ? Verdict::Kind::Crash : Verdict::Kind::Miscompile;
  verdict.expected = baseline;
  if (bad->fault != Fault::Undefined)
    verdict.actual = bad->outcome;
  Culprit culprit;
  culprit.position = position;
  culprit.passes = recorded.passes();
  culprit.pass = info->pass;
  culprit.occurrence = occurrenceOf(recorded.record(), position);
  culprit.pipeline = irtools::pipelinesOf(*info).front();
  if (std::optional<compiler::PipelineNode> all = compiler::parsePipelineText(recorded.record().pipelineText(), 1)) {
    if (position > 1)
      culprit.preceding = compiler::pipelineRange({*all}, 0, static_cast<int>(position) - 1);
    culprit.remaining = compiler::pipelineRange({*all}, static_cast<int>(position));
  }
  culprit.functions = changedFunctions(*good->state, *bad->state);
  culprit.before = irtools::printParseable(*good->state, false);
  culprit.after = irtools::printParseable(*bad->state, false);
  culprit.fault = bad->fault;
  culprit.why = bad->why;
  if (wrongIndex - right > 1) {
    // Others lie between that cannot be run.
    std::vector<std::string> passes;
    for (size_t i = right + 1; i <= wrongIndex; ++i)
      passes.push_back(title(i));
    verdict.evidence.push_back("one of these passes, whose results cannot be run one by one: " + joinNames(passes));
  } else {
    lookInside(*good, *bad, culprit);
  }
  if (!culprit.relies.empty())
    verdict.evidence.push_back("By itself " + culprit.pass + " does nothing wrong. After " + culprit.relies +
                               " it does, on the same IR: it uses an analysis that no longer holds, or other state of "
                               "the compiler.");
  verdict.headline = culprit.pass + " (pass " + std::to_string(position) + " of " + std::to_string(culprit.passes) +
                     (culprit.occurrence.empty() ? "" : ", " + culprit.occurrence) + ")" +
                     (!culprit.function.empty()   ? " in " + culprit.function
                      : culprit.functions.empty() ? ""
                                                  : " in " + joinNames(culprit.functions, 4));
  verdict.culprit = std::move(culprit);
  return verdict;
}

Result<Verdict> PassSearch::run() {
  auto isRight = [this](size_t index) -> Result<Is> {
    MICA_ASSIGN_OR_RETURN(const Judged *found, judge(index));
    return found->is;
  };
  std::optional<Verdict> later; // undefined behavior that was not looked for in the program as written
  for (;;) {
    // The first state can be run.
    MICA_ASSIGN_OR_RETURN(const size_t last, lastJudged(recorded.positions().size() - 1, isRight));
    MICA_ASSIGN_OR_RETURN(const Judged *final, judge(last));
    if (final->is == Is::Unknown || (last == 0 && final->is == Is::Wrong)) {
      Verdict verdict;
      verdict.headline = "no state of the program can be run: " + final->why;
      return verdict;
    }
    if (final->is == Is::Right) {
      Verdict verdict = unblamed(last);
      return later && exitCodeOf(verdict.kind) == 0 ? std::move(*later) : std::move(verdict);
    }
    MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, last, isRight));
    // Undefined behavior that nobody looked for before the pass may be older than it: what is computed decides.
    MICA_ASSIGN_OR_RETURN(const Judged *right, judge(found.right));
    Judged &wrong = judged.at(found.wrong);
    if (wrong.fault != Fault::Undefined || right->isChecked)
      return blame(found.right, found.wrong);
    settings.progress(title(found.wrong) + ": the state before was not searched for undefined behavior");
    Judged again = judgeLowered(*wrong.state);
    if (!program.isChecked && again.is == Is::Right) {
      later = undefinedVerdict(wrong.finding);
      later->evidence.push_back("Found in the program after " + title(found.wrong) + ", which computes the same; the " +
                                "reference evaluator does not take an earlier form.");
    }
    again.state = std::move(wrong.state);
    wrong = std::move(again);
  }
}

} // namespace

/// The verdict of a pass that ends the compiler, or leaves what the verifier refuses; `how` says which.
static Verdict crashVerdict(const Recorded &recorded, ModuleOp before, const std::string &how, Runner &runner,
                            const Settings &settings) {
  const auto &failure = recorded.record().failure();
  const irtools::RecordedPassInfo *info = recorded.record().pass(failure->position);
  Verdict verdict;
  verdict.kind = Verdict::Kind::Crash;
  verdict.headline = "pass " + failure->pass + " " + how + (failure->op.empty() ? "" : " on @" + failure->op);
  Culprit culprit;
  culprit.position = failure->position;
  culprit.passes = recorded.passes();
  culprit.pass = failure->pass;
  culprit.pipeline = info ? irtools::pipelinesOf(*info).front() : "builtin.module(" + failure->pass + ")";
  culprit.fault = Fault::None;
  culprit.before = irtools::printParseable(before, false);
  if (settings.reduce)
    reduceCrash(before, culprit, runner, settings.reduction);
  verdict.culprit = std::move(culprit);
  return verdict;
}

Result<std::optional<Verdict>> bisect::endingPass(const Recorded &recorded, MLIRContext &context, Runner &runner,
                                                  const Settings &settings) {
  const auto &failure = recorded.record().failure();
  if (!failure || failure->how == "failed")
    return std::optional<Verdict>();
  MICA_ASSIGN_OR_RETURN(OwningOpRef<ModuleOp> state, recorded.state(failure->position - 1, context));
  return std::optional(crashVerdict(recorded, *state, failure->how, runner, settings));
}

Result<std::optional<Verdict>> bisect::invalidatingPass(const Recorded &recorded, MLIRContext &context, Runner &runner,
                                                        const Settings &settings) {
  // A pass may refuse a program. It may not leave one that is none.
  const auto &failure = recorded.record().failure();
  const irtools::RecordedPassInfo *info = failure ? recorded.record().pass(failure->position) : nullptr;
  if (!info || failure->how != "failed")
    return std::optional<Verdict>();
  Result<OwningOpRef<ModuleOp>> state = recorded.state(failure->position - 1, context);
  const std::string invalid =
      state ? irtools::invalidAfter(**state, irtools::pipelinesOf(*info).front(), runner.limits().seconds) : "";
  if (invalid.empty())
    return std::optional<Verdict>();
  Verdict verdict = crashVerdict(recorded, **state, "leaves IR that does not verify", runner, settings);
  OwningOpRef<ModuleOp> reduced = parseSourceString<ModuleOp>(verdict.culprit->before, &context);
  const std::string now =
      reduced ? irtools::invalidAfter(*reduced, verdict.culprit->pipeline, runner.limits().seconds) : "";
  verdict.evidence = {recorded.complaint(), "the verifier: " + (now.empty() ? invalid : now)};
  return std::optional(std::move(verdict));
}

Result<Verdict> bisect::bisectPasses(const Recorded &recorded, const Entry &entry, const Baseline &baseline,
                                     MLIRContext &context, Runner &runner, const Settings &settings) {
  // A pass that ends the compiler is the verdict, whatever comes before it.
  MICA_ASSIGN_OR_RETURN(std::optional<Verdict> ending, endingPass(recorded, context, runner, settings));
  if (ending)
    return std::move(*ending);
  MICA_ASSIGN_OR_RETURN(Verdict verdict, PassSearch(recorded, entry, baseline, context, runner, settings).run());
  if (verdict.kind == Verdict::Kind::Inconclusive && recorded.record().failure()) {
    MICA_ASSIGN_OR_RETURN(std::optional<Verdict> invalidating, invalidatingPass(recorded, context, runner, settings));
    if (invalidating)
      verdict = std::move(*invalidating);
    else
      verdict.evidence.push_back(recorded.complaint());
  }
  verdict.ruledOut = baseline.ruledOut;
  if (baseline.otherwise)
    verdict.evidence.push_back("The reference evaluator alone was the judge: the reference lowering of the program as "
                               "written gives " +
                               llvm::StringRef(summary(*baseline.otherwise, 200)).rtrim().str());
  return verdict;
}
