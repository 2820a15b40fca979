//===- Reduction.cpp - the smallest input on which a pass goes wrong ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Reduction.h. An attempt runs in one process: verify, look for undefined behavior, evaluate, run the pass,
// evaluate again. What the evaluator does not take is lowered and run by children of that process, so attempts run
// beside each other whatever runs the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Reduction.h"

#include "lib/Bisect/KeptReduction.h"
#include "lib/IRTools/Reduce/ForkedTest.h"
#include "lib/IRTools/TestGenProbe.h"
#include "lib/Reduce/PipelineReduction.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compiler/Program/Describe.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// An attempt may take as long as this, whatever others took.
static constexpr double kLeastSeconds = 3;

namespace {

/// What one attempt found.
struct Attempt {
  Fault fault = Fault::None;
  std::string why, after;
  Outcome expected, actual; ///< not of Fault::Undefined
};

class Attempts {
public:
  Attempts(Runner &runner, const std::string &preceding)
      : runner(runner), preceding(preceding), seconds(runner.limits().seconds) {}

  irtools::ForkedRun start(ModuleOp candidate, const Entry &entry, const std::string &pipeline);
  /// What came of it.
  Attempt judge(const irtools::Forked &forked);
  /// From here on attempts end that take much longer than `first` did: a simpler program does not, unless it has become
  /// a loop without an end.
  void expect(double first) { seconds = std::min(seconds, std::max(kLeastSeconds, 20 * first)); }
  int64_t count = 0;

private:
  std::string runHere(ModuleOp candidate, const Entry &entry, const std::string &pipeline) const;
  Outcome outcomeHere(ModuleOp state, const Entry &entry) const;
  static UndefinedFinding undefinedHere(ModuleOp state, const Entry &entry) {
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(state->clone()); // It may get a caller of the entry.
    return undefinedBehaviorHere(*copy, entry);
  }

  Runner &runner;
  const std::string &preceding;
  double seconds; ///< for one attempt
};

/// In whatever takes it.
Outcome Attempts::outcomeHere(ModuleOp state, const Entry &entry) const {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(state->clone());
  Outcome outcome = evaluateHere(*copy, entry);
  if (outcome.status == Outcome::Status::Refused)
    outcome = interpretHere(*copy, entry); // A compilation takes a hundred times as long.
  return outcome.status == Outcome::Status::Refused ? runner.lower(state, entry, 0x55) : outcome;
}

/// In the child: the outcome before, the IR after, why that is undefined ("" where it is not), the outcome after.
std::string Attempts::runHere(ModuleOp candidate, const Entry &entry, const std::string &pipeline) const {
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(candidate->clone());
  if (failed(verify(*before)))
    return "";
  // What is tested is what the report will say. What cannot be printed ends this child, not its parent.
  if (OwningOpRef<ModuleOp> read =
          irtools::readModule(irtools::printModule(*before, /*withLocations=*/false), before->getContext()))
    before = std::move(read);
  auto symbol = dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*before, entry.name));
  if (!symbol)
    return "";
  if (undefinedHere(*before, entry).origin)
    return "";
  const Outcome expected = outcomeHere(*before, entry);
  if (!expected.ran())
    return "";
  if (!preceding.empty() && failed(irtools::runPipeline(*before, preceding)))
    return "";
  OwningOpRef<ModuleOp> after = cast<ModuleOp>(before->clone());
  if (failed(irtools::runPipeline(*after, pipeline)))
    return "";
  const std::string text = irtools::printParseable(*after, /*withLocations=*/false);
  const UndefinedFinding finding = undefinedHere(*after, entry);
  const Outcome actual = finding.origin ? Outcome() : outcomeHere(*after, entry);
  const bool isWrong = finding.origin || actual.status == Outcome::Status::Refused ||
                       compareOutcomes(actual, expected).kind == Agreement::Kind::Different;
  // If a pass before goes wrong, this is another fault.
  if (isWrong && !preceding.empty()) {
    const Outcome between = outcomeHere(*before, entry);
    if (!between.ran() || compareOutcomes(between, expected).kind == Agreement::Kind::Different)
      return "";
  }
  llvm::json::Value json = llvm::json::Array{
      toText(expected), llvm::json::fixUTF8(text),
      finding.origin ? "undefined behavior: " + llvm::json::fixUTF8(finding.origin->what) : "", toText(actual)};
  return llvm::formatv("{0}", json).str();
}

/// The entry is as it was: the reduction may turn values into arguments and results of functions.
bool hasSignature(ModuleOp candidate, const Entry &entry, ModuleOp original) {
  auto is = dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(candidate, entry.name));
  auto was = dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(original, entry.name));
  return is && was && !is.isExternal() && is.getFunctionType() == was.getFunctionType();
}

irtools::ForkedRun Attempts::start(ModuleOp candidate, const Entry &entry, const std::string &pipeline) {
  return irtools::ForkedRun([&] { return runHere(candidate, entry, pipeline); }, seconds, runner.limits().memoryBytes);
}

Attempt Attempts::judge(const irtools::Forked &forked) {
  ++count;
  Attempt result;
  if (!forked.ended || forked.signal || forked.text.empty())
    return result;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(forked.text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return result;
  }
  const llvm::json::Array &parts = *json->getAsArray();
  auto text = [&](size_t i) { return parts[i].getAsString().value_or("").str(); };
  result.after = text(1);
  result.expected = fromText(text(0));
  if (!text(2).empty()) {
    result.fault = Fault::Undefined;
    result.why = text(2);
    return result;
  }
  result.actual = fromText(text(3));
  if (result.actual.status == Outcome::Status::Refused)
    return result;
  const Agreement agreement = compareOutcomes(result.actual, result.expected);
  if (agreement.kind != Agreement::Kind::Different)
    return result;
  result.fault = result.actual.ran() ? Fault::Differs : Fault::Crashes;
  result.why = agreement.text;
  return result;
}

/// A pass that makes something undefined of a program that was not may as well show other numbers.
bool isAsBad(Fault found, Fault wanted) {
  return found == wanted || (wanted == Fault::Undefined && found == Fault::Differs);
}

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
}

/// One reduction of a bisection: until when, and how far an earlier call came.
class Reduction {
public:
  /// `what`: all that the outcome depends on, beside `input` and `entry`.
  Reduction(Clock::time_point end, bool resumes, Runner &runner, const std::string &what, ModuleOp input,
            const Entry &entry)
      : end(end), kept(runner, runner.keyOf("reduce " + what, irtools::printModule(input, false), entry)) {
    if (resumes)
      kept.restore(input.getContext());
  }

  /// Reduces `module` until then as long as the test holds.
  void run(OwningOpRef<ModuleOp> &module, const irtools::StartTest &start);
  bool isFinished() const { return kept.isFinished; }

private:
  Clock::time_point end;
  KeptReduction kept;
};

void Reduction::run(OwningOpRef<ModuleOp> &module, const irtools::StartTest &start) {
  irtools::ReductionOptions options;
  // What an earlier call left is tested again: the test says what came of it, and the tools may be others.
  if (kept.module)
    if (std::unique_ptr<irtools::RunningTest> test = start(*kept.module); test && test->holds()) {
      module = std::move(kept.module);
      options.begin = kept.position;
      if (kept.isFinished)
        return;
    }
  kept.isFinished = false;
  options.jobs = irtools::defaultJobs();
  options.mayGoOn = [this] { return Clock::now() < end; };
  irtools::ReductionPosition last;
  options.found = [&](ModuleOp found, const irtools::ReductionPosition &position) {
    last = position;
    kept.save(found, position, /*isFinished=*/false);
  };
  irtools::reduceModule(module, start, options);
  if (Clock::now() < end)
    kept.save(*module, last, /*isFinished=*/true);
}

/// Drops options of the culprit's pass as long as the test holds.
void reduceOptions(Clock::time_point end, Culprit &culprit, const reduce::StartPipelineTest &start) {
  reduce::PipelineReductionOptions options;
  options.dropsPasses = false;
  options.jobs = irtools::defaultJobs();
  options.mayGoOn = [end] { return Clock::now() < end; };
  culprit.pipeline = reduce::reducePipeline(culprit.pipeline, start, options);
}

//===------------------------------------------------------------------------------------------------------------===//
// A function instead of a program
//===------------------------------------------------------------------------------------------------------------===//

/// Makes results of the entry of what it prints, but for what it prints in loops and branches; whether there is
/// something.
bool returnPrinted(ModuleOp module, const Entry &entry) {
  auto function = dyn_cast_or_null<func::FuncOp>(SymbolTable::lookupSymbolIn(module, entry.name));
  if (!function || !llvm::hasSingleElement(function.getBody()))
    return false;
  auto ret = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
  if (!ret)
    return false;
  SmallVector<Operation *> prints;
  for (Operation &op : function.getBody().front()) {
    auto call = dyn_cast<func::CallOp>(op);
    if ((call && call.getCallee().starts_with("print") && call.getNumOperands() == 1 && call.getNumResults() == 0) ||
        (isa<vector::PrintOp>(op) && op.getNumOperands() == 1))
      prints.push_back(&op);
  }
  for (Operation *op : prints) {
    Value value = op->getOperand(0);
    if (Operation *cast = value.getDefiningOp(); isa_and_nonnull<memref::CastOp, tensor::CastOp>(cast))
      value = cast->getOperand(0);
    if (failed(function.insertResult(function.getNumResults(), value.getType(), {})))
      return false;
    ret->insertOperands(ret.getNumOperands(), value);
    op->erase();
  }
  return !prints.empty();
}

/// The entry as `candidate` has it, with default inputs; nothing where these are of no known type.
std::optional<Entry> entryOf(ModuleOp candidate, const std::string &name) {
  auto function = dyn_cast_or_null<func::FuncOp>(SymbolTable::lookupSymbolIn(candidate, name));
  if (!function || function.isExternal())
    return std::nullopt;
  Entry entry{name, llvm::to_vector(function.getArgumentTypes()), llvm::to_vector(function.getResultTypes()), {}};
  for (Type argument : entry.arguments)
    for (Type type : inputTypes(argument)) {
      const std::optional<artifact::TensorSpec> spec = compiler::specOf(type);
      std::string ignored;
      if (!spec || !checkDefaultInput(*spec, entry.inputs.size()))
        return std::nullopt;
      entry.inputs.push_back(makeDefaultInput(*spec, entry.inputs.size(), ignored));
    }
  for (Type result : entry.results)
    for (Type type : inputTypes(result))
      if (!compiler::specOf(type))
        return std::nullopt;
  return entry;
}

} // namespace

void bisect::reduceCulprit(ModuleOp state, const Entry &entry, Culprit &culprit, Runner &runner,
                           const ReductionBudget &budget, const std::string &preceding) {
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  Attempts attempts(runner, preceding);
  const Clock::time_point begin = Clock::now(), end = after(budget.seconds);
  Attempt best = attempts.judge(attempts.start(*reduced, entry, culprit.pipeline).wait());
  attempts.expect(std::chrono::duration<double>(Clock::now() - begin).count());
  if (best.fault != culprit.fault)
    return;
  // A wrong number is not to become one whose last digits are.
  const bool isWide = best.fault == Fault::Differs && differsWidely(best.actual, best.expected);
  auto shows = [&](ModuleOp candidate, const Entry &of, const std::string &pipeline) {
    return std::make_unique<irtools::ForkedTest>(
        attempts.start(candidate, of, pipeline), [&](const irtools::Forked &forked) {
          Attempt found = attempts.judge(forked);
          if (!isAsBad(found.fault, culprit.fault))
            return false;
          if (isWide && found.fault == Fault::Differs && !differsWidely(found.actual, found.expected))
            return false;
          best = std::move(found);
          return true;
        });
  };
  culprit.opsGiven = irtools::countOps(*reduced);
  irtools::stripLocations(*reduced);
  // A program that prints is to remain one. A function may have other inputs, unless the fault needs those it was
  // given.
  auto showsAlone = [&](ModuleOp candidate) -> std::unique_ptr<irtools::RunningTest> {
    const std::optional<Entry> alone = entryOf(candidate, entry.name);
    return alone ? shows(candidate, *alone, culprit.pipeline) : nullptr;
  };
  auto showsAsGiven = [&](ModuleOp candidate) -> std::unique_ptr<irtools::RunningTest> {
    return hasSignature(candidate, entry, state) ? shows(candidate, entry, culprit.pipeline) : nullptr;
  };
  auto reduce = [&](const std::string &how, const irtools::StartTest &start) {
    Reduction reduction(end, budget.resumes, runner,
                        how + "\n" + std::to_string(int(culprit.fault)) + culprit.pipeline + "\n" + preceding, *reduced,
                        entry);
    reduction.run(reduced, start);
    culprit.isReducedToTheEnd &= reduction.isFinished();
  };
  culprit.isReducedToTheEnd = true;
  const bool isProgram = entry.arguments.empty() && entry.results.empty();
  std::unique_ptr<irtools::RunningTest> byDefault = isProgram ? nullptr : showsAlone(*reduced);
  if (byDefault && byDefault->holds())
    reduce("alone", showsAlone);
  else
    reduce("as given", showsAsGiven);
  const Entry last = entryOf(*reduced, entry.name).value_or(entry);
  reduceOptions(end, culprit, [&](const std::string &pipeline) {
    return shows(*reduced, hasSignature(*reduced, entry, state) ? entry : last, pipeline);
  });
  if (!hasSignature(*reduced, entry, state))
    culprit.entry = last;
  if (!preceding.empty()) {
    const std::string source = irtools::printParseable(*reduced, /*withLocations=*/false);
    const int64_t ops = irtools::countOps(*reduced);
    if (failed(irtools::runPipeline(*reduced, preceding)))
      return;
    culprit.source = source;
    culprit.opsSource = ops;
  }
  culprit.opsReduced = irtools::countOps(*reduced);
  culprit.before = irtools::printParseable(*reduced, /*withLocations=*/false);
  culprit.after = best.after;
  culprit.fault = best.fault;
  culprit.why = best.why;
  culprit.expected = best.expected;
  if (best.fault != Fault::Undefined)
    culprit.actual = best.actual;
  if (isProgram && preceding.empty()) {
    // What is printed in a loop stays printed.
    (void)returnPrinted(*reduced, entry);
    std::unique_ptr<irtools::RunningTest> test = showsAlone(*reduced);
    if (test && test->holds()) {
      reduce("smallest", showsAlone);
      if (const int64_t ops = irtools::countOps(*reduced); ops < culprit.opsReduced) {
        culprit.smallest = irtools::printParseable(*reduced, /*withLocations=*/false);
        culprit.opsSmallest = ops;
      }
    }
  }
  culprit.attempts += attempts.count;
}

void bisect::reduceCrash(ModuleOp state, Culprit &culprit, Runner &runner, const ReductionBudget &budget) {
  const double passSeconds = std::min(runner.limits().seconds, 10.0);
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  const irtools::Probe first = irtools::probePipeline(*reduced, culprit.pipeline, passSeconds);
  const bool ends = first.kind == irtools::Probe::Kind::Crashed || first.kind == irtools::Probe::Kind::TimedOut;
  if (!ends && first.kind != irtools::Probe::Kind::Failed)
    return;
  auto crashes = [&](ModuleOp candidate, const std::string &pipeline) {
    return std::make_unique<irtools::ForkedTest>(irtools::startProbe(candidate, pipeline, passSeconds),
                                                 [&](const irtools::Forked &forked) {
                                                   ++culprit.attempts;
                                                   return irtools::readProbe(forked) == first;
                                                 });
  };
  const Clock::time_point end = after(budget.seconds);
  culprit.opsGiven = irtools::countOps(*reduced);
  irtools::stripLocations(*reduced);
  Reduction reduction(end, budget.resumes, runner, "crash\n" + culprit.pipeline, *reduced, Entry());
  reduction.run(reduced, [&](ModuleOp candidate) { return crashes(candidate, culprit.pipeline); });
  culprit.isReducedToTheEnd = reduction.isFinished();
  reduceOptions(end, culprit, [&](const std::string &pipeline) { return crashes(*reduced, pipeline); });
  culprit.opsReduced = irtools::countOps(*reduced);
  culprit.before = irtools::printParseable(*reduced, /*withLocations=*/false);
}
