//===- Occurrence.cpp - the one step of a pass that is to blame ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Occurrence.h. Halves the steps of each kind, as Bisection halves the states after passes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Occurrence.h"

#include "lib/Bisect/Mixture.h"
#include "lib/Bisect/Play.h"
#include "lib/IRTools/Forked.h"
#include "lib/IRTools/Reduce/Reduction.h"

#include "mlir/IR/Verifier.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// Hashes of ops that finding out which attempts changed something may cost: about five seconds.
static constexpr int64_t kMostHashes = 10'000'000;

void bisect::cutToDifference(std::string &before, std::string &after) {
  constexpr size_t kAround = 2;
  llvm::SmallVector<llvm::StringRef> a, b;
  llvm::StringRef(before).split(a, '\n');
  llvm::StringRef(after).split(b, '\n');
  size_t first = 0, last = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first])
    ++first;
  while (last < std::min(a.size(), b.size()) - first && a[a.size() - 1 - last] == b[b.size() - 1 - last])
    ++last;
  auto cut = [&](llvm::ArrayRef<llvm::StringRef> lines) {
    const size_t begin = first - std::min(first, kAround), end = lines.size() - (last - std::min(last, kAround));
    std::string text = begin > 0 ? "...\n" : "";
    for (llvm::StringRef line : lines.slice(begin, end - begin))
      text += line.str() + "\n";
    return text + (end < lines.size() ? "...\n" : "");
  };
  const std::string shortBefore = cut(a), shortAfter = cut(b);
  before = shortBefore;
  after = shortAfter;
}

namespace {

/// The numbers of steps that are made, of two states that are neighbors; -1: the input of the pass.
struct Between {
  int64_t right = -1, wrong = 0;
};

/// Steps of one kind from one input, the first of which are made.
class StepSearch {
public:
  StepSearch(const PassAlone &pass, ModuleOp input, Steps steps) : pass(pass), input(input), steps(std::move(steps)) {}

  /// Makes all steps, and says what comes of them. Only where that is Wrong there is something to search for.
  Is begin();
  Between search();
  /// `number` is from 1, among those that are counted.
  Played show(int64_t number) const {
    return play(input, steps, {kAllAttempts, false, attemptOf(number)}, pass.limits);
  }
  Step stepOf(Step::Kind kind, int64_t number, const Played &shown) const;
  int64_t count() const { return isListed ? static_cast<int64_t>(made.size()) : attempts; }
  bool areThereAny() const { return attempts > 0; }

private:
  Is judge(int64_t count);
  int64_t attemptOf(int64_t number) const { return !isListed || number == 0 ? number : made[number - 1].attempt; }

  const PassAlone &pass;
  ModuleOp input;
  Steps steps;
  std::vector<Made> made;
  bool isListed = true; ///< false: every attempt counts, whether it changes something or not
  int64_t attempts = 0;
  std::map<int64_t, Is> judged;
};

Is StepSearch::begin() {
  const Played whole = play(input, steps, {}, pass.limits);
  attempts = whole.attempts;
  const Is all = whole.state ? pass.judge(*whole.state) : Is::Unknown;
  if (all != Is::Wrong)
    return all;
  isListed = attempts * irtools::countOps(input) <= kMostHashes;
  if (isListed)
    made = play(input, steps, {kAllAttempts, /*lists=*/true, 0}, pass.limits).made;
  return judged[count()] = Is::Wrong;
}

Is StepSearch::judge(int64_t number) {
  if (auto known = judged.find(number); known != judged.end())
    return known->second;
  const Played played = play(input, steps, {attemptOf(number), false, 0}, pass.limits);
  return judged[number] = played.state ? pass.judge(*played.state) : Is::Unknown;
}

Between StepSearch::search() {
  // State 0 is the input, which is right; state 1 has no step, but what the pass does besides.
  auto isRight = [this](size_t state) -> Result<Is> { return judge(static_cast<int64_t>(state) - 1); };
  const Result<Neighbors> found = findNeighbors(0, static_cast<size_t>(count()) + 1, isRight);
  return found ? Between{static_cast<int64_t>(found->right) - 1, static_cast<int64_t>(found->wrong) - 1} : Between{};
}

Step StepSearch::stepOf(Step::Kind kind, int64_t number, const Played &shown) const {
  Step step;
  step.kind = kind;
  step.number = number;
  step.count = count();
  if (!shown.made.empty()) {
    step.name = shown.made.back().name;
    step.op = shown.made.back().op;
    step.location = shown.made.back().location;
  }
  step.before = shown.before;
  step.after = shown.after;
  cutToDifference(step.before, step.after);
  if (!isListed)
    step.note = "counted with attempts that change nothing";
  return step;
}

} // namespace

/// The fold or the common subexpression that makes `input` wrong.
static std::optional<Step> findReplayed(const PassAlone &pass, ModuleOp input) {
  for (const auto &[kind, steps] : {std::pair(Step::Kind::Fold, Steps(makeFolds)),
                                    std::pair(Step::Kind::CommonSubexpression, Steps(makeCommonSubexpressions))}) {
    StepSearch search(pass, input, steps);
    if (search.begin() != Is::Wrong)
      continue;
    const Between found = search.search();
    if (found.wrong > 0 && found.wrong - found.right == 1)
      return search.stepOf(kind, found.wrong, search.show(found.wrong));
  }
  return std::nullopt;
}

/// The application of a pattern, or what follows from it; nothing where patterns are not the difference. `note`
/// receives why.
static std::optional<Step> findPattern(const PassAlone &pass, std::string &note) {
  StepSearch search(pass, pass.input, patternsOf(pass.pipeline));
  if (const Is all = search.begin(); all != Is::Wrong) {
    note = all == Is::Right ? "by itself, with this input, the pass does nothing wrong"
                            : "by itself, with this input, the pass leaves nothing that can be run";
    return std::nullopt;
  }
  if (!search.areThereAny()) {
    note = "the pass applies no pattern";
    return findReplayed(pass, pass.input);
  }
  const Between found = search.search();
  if (found.wrong == 0) {
    note = "it is wrong with all patterns withheld";
    return findReplayed(pass, pass.input);
  }
  const int64_t first = std::max<int64_t>(found.right, 0) + 1;
  if (first != found.wrong) {
    note = "with only some of the pattern applications " + std::to_string(first) + " to " +
           std::to_string(found.wrong) + " the pass leaves nothing that can be run";
    return std::nullopt;
  }
  const Played shown = search.show(found.wrong);
  Step step = search.stepOf(Step::Kind::Pattern, found.wrong, shown);
  if (found.right < 0) {
    step.note = "the only application; without it the pass fails";
    return step;
  }
  // The pattern may only have made room for a fold.
  if (shown.stateThen && succeeded(verify(*shown.stateThen)) && pass.judge(*shown.stateThen) == Is::Right)
    if (std::optional<Step> after = findReplayed(pass, *shown.stateThen)) {
      after->note = "after application " + std::to_string(step.number) + " of " + std::to_string(step.count) +
                    " of patterns, " + step.name;
      return after;
    }
  return step;
}

/// Whether all mixtures can be made; none of them may end this process.
static bool canBeMixed(const PassAlone &pass, Mixture::By by) {
  const irtools::Forked forked = irtools::runForked(
      [&] {
        Mixture mixture(pass.input, pass.output, by);
        for (size_t taken = 0; taken <= mixture.changes().size(); ++taken)
          if (OwningOpRef<ModuleOp> state = mixture.make(taken))
            (void)verify(*state);
        return std::string("all");
      },
      pass.limits.seconds, pass.limits.memoryBytes);
  return forked.ended && !forked.signal && forked.text == "all";
}

/// The change by which a mixture of input and output becomes wrong.
static std::optional<Step> findChange(const PassAlone &pass, Mixture::By by) {
  if (!canBeMixed(pass, by))
    return std::nullopt;
  ScopedDiagnosticHandler quiet(pass.input->getContext(), [](Diagnostic &) { return success(); });
  Mixture mixture(pass.input, pass.output, by);
  const size_t count = mixture.changes().size();
  std::map<size_t, Is> judged;
  auto judge = [&](size_t taken) -> Result<Is> {
    auto [known, isNew] = judged.try_emplace(taken, Is::Unknown);
    if (isNew)
      if (OwningOpRef<ModuleOp> state = mixture.make(taken); state && succeeded(verify(*state)))
        known->second = pass.judge(*state);
    return known->second;
  };
  const Result<Is> none = judge(0), whole = judge(count);
  if (count == 0 || !none || !whole || *none != Is::Right || *whole != Is::Wrong)
    return std::nullopt;
  const Result<Neighbors> found = findNeighbors(0, count, judge);
  if (!found || found->wrong - found->right != 1)
    return std::nullopt;
  const MixedChange &change = mixture.changes()[found->wrong - 1];
  Step step;
  step.kind = Step::Kind::Change;
  step.number = static_cast<int64_t>(found->wrong);
  step.count = static_cast<int64_t>(count);
  step.name = change.what;
  step.op = change.at->getName().getStringRef().str();
  step.location = placeText(change.at->getLoc());
  step.before = change.before ? printedAlone(change.before) : "";
  step.after = change.after ? printedAlone(change.after) : "";
  return step;
}

std::optional<std::string> bisect::blameFunction(const PassAlone &pass) {
  const std::optional<Step> step = findChange(pass, Mixture::By::Function);
  return step && llvm::StringRef(step->name).starts_with("@") ? std::optional(step->name) : std::nullopt;
}

Step bisect::findStep(const PassAlone &pass) {
  std::string note;
  if (std::optional<Step> step = findPattern(pass, note))
    return *step;
  std::optional<Step> step = findChange(pass, Mixture::By::Op);
  if (!step)
    step = Step{};
  step->note = note;
  return *step;
}

std::string bisect::stepKindName(Step::Kind kind) {
  switch (kind) {
  case Step::Kind::Unknown:
    return "unknown";
  case Step::Kind::Pattern:
    return "pattern";
  case Step::Kind::Fold:
    return "fold";
  case Step::Kind::CommonSubexpression:
    return "common subexpression";
  case Step::Kind::Change:
    return "change";
  case Step::Kind::LLVMPass:
    return "LLVM pass";
  }
  return "";
}

std::string bisect::stepText(const Step &step) {
  const std::string note = step.note.empty() ? "" : " (" + step.note + ")";
  if (step.kind == Step::Kind::Unknown)
    return "no single pattern, fold, common subexpression or change" + note;
  const std::string place = step.location.empty() ? "" : " at " + step.location;
  const std::string number = std::to_string(step.number) + " of " + std::to_string(step.count);
  switch (step.kind) {
  case Step::Kind::Pattern:
    return (step.name.empty() ? "a pattern without a name on '" : "pattern " + step.name + " on '") + step.op + "'" +
           place + ", application " + number + note;
  case Step::Kind::Fold:
    return step.name + place + ", fold " + number + note;
  case Step::Kind::CommonSubexpression:
    return "'" + step.op + "'" + place + " taken for " + step.name + ", common subexpression " + number + note;
  case Step::Kind::LLVMPass:
    return "LLVM's " + step.name + " on " + step.op + ", pass " + number + note;
  default:
    return step.name + place + ", change " + number + note;
  }
}
