//===- Reduction.cpp - the smallest input on which a pass goes wrong ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Reduction.h. An attempt runs in one process: verify, look for undefined behavior, evaluate, run the pass,
// evaluate again. What the evaluator does not take is lowered and run by children.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Reduction.h"

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
  Attempt judge(ModuleOp candidate, const Entry &entry, const irtools::Forked &forked);
  /// From here on attempts end that take much longer than `first` did: a simpler program does not, unless it has become
  /// a loop without an end.
  void expect(double first) { seconds = std::min(seconds, std::max(kLeastSeconds, 20 * first)); }
  int64_t count = 0;

private:
  std::string runHere(ModuleOp candidate, const Entry &entry, const std::string &pipeline) const;

  Runner &runner;
  const std::string &preceding;
  double seconds; ///< for one attempt
};

/// In the child: the outcome before, the IR after, why that is undefined ("" where it is not), the outcome after.
std::string Attempts::runHere(ModuleOp candidate, const Entry &entry, const std::string &pipeline) const {
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(candidate->clone());
  // What cannot be printed ends this child, not its parent.
  if (failed(verify(*before)) || irtools::printModule(*before, /*withLocations=*/false).empty())
    return "";
  auto symbol = dyn_cast_or_null<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*before, entry.name));
  if (!symbol)
    return "";
  if (undefinedBehaviorHere(*before, entry).origin)
    return "";
  const Outcome expected = evaluateHere(*before, entry);
  if (expected.status != Outcome::Status::Ran && expected.status != Outcome::Status::Refused)
    return "";
  if (!preceding.empty() && failed(irtools::runPipeline(*before, preceding)))
    return "";
  OwningOpRef<ModuleOp> after = cast<ModuleOp>(before->clone());
  if (failed(irtools::runPipeline(*after, pipeline)))
    return "";
  const std::string text = irtools::printModule(*after, /*withLocations=*/false);
  const UndefinedFinding finding = undefinedBehaviorHere(*after, entry);
  llvm::json::Value json =
      llvm::json::Array{toText(expected), llvm::json::fixUTF8(text),
                        finding.origin ? "undefined behavior: " + llvm::json::fixUTF8(finding.origin->what) : "",
                        finding.isKnown && !finding.origin ? toText(evaluateHere(*after, entry)) : ""};
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

Attempt Attempts::judge(ModuleOp candidate, const Entry &entry, const irtools::Forked &forked) {
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
  if (!text(2).empty()) {
    result.fault = Fault::Undefined;
    result.why = text(2);
    result.expected = fromText(text(0));
    return result;
  }
  Outcome expected = fromText(text(0));
  if (!expected.ran())
    expected = runner.lower(candidate, entry, 0x55);
  Outcome actual = text(3).empty() ? Outcome() : fromText(text(3));
  if (actual.status == Outcome::Status::Refused) {
    ScopedDiagnosticHandler quiet(candidate.getContext(), [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> after = parseSourceString<ModuleOp>(result.after, candidate.getContext());
    if (after)
      actual = runner.lower(*after, entry, 0x55);
  }
  if (!expected.ran() || actual.status == Outcome::Status::Refused)
    return result;
  const Agreement agreement = compareOutcomes(actual, expected);
  if (agreement.kind != Agreement::Kind::Different)
    return result;
  result.fault = actual.ran() ? Fault::Differs : Fault::Crashes;
  result.why = agreement.text;
  result.expected = std::move(expected);
  result.actual = std::move(actual);
  return result;
}

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
}

/// Reduces `module` until `end` as long as the test holds.
void reduceUntil(Clock::time_point end, OwningOpRef<ModuleOp> &module, const irtools::StartTest &start) {
  irtools::ReductionOptions options;
  options.jobs = irtools::defaultJobs();
  options.mayGoOn = [end] { return Clock::now() < end; };
  irtools::reduceModule(module, start, options);
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

/// Makes results of the entry of what it prints; whether there is something.
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
  for (auto [i, type] : llvm::enumerate(entry.arguments)) {
    const std::optional<artifact::TensorSpec> spec = compiler::specOf(type);
    std::string ignored;
    if (!spec || !checkDefaultInput(*spec, i))
      return std::nullopt;
    entry.inputs.push_back(makeDefaultInput(*spec, i, ignored));
  }
  if (!llvm::all_of(entry.results, [](Type type) { return compiler::specOf(type).has_value(); }))
    return std::nullopt;
  return entry;
}

} // namespace

void bisect::reduceCulprit(ModuleOp state, const Entry &entry, Culprit &culprit, Runner &runner, double seconds,
                           const std::string &preceding) {
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  Attempts attempts(runner, preceding);
  const Clock::time_point begin = Clock::now(), end = after(seconds);
  Attempt best = attempts.judge(*reduced, entry, attempts.start(*reduced, entry, culprit.pipeline).wait());
  attempts.expect(std::chrono::duration<double>(Clock::now() - begin).count());
  if (best.fault != culprit.fault)
    return;
  auto shows = [&](ModuleOp candidate, const Entry &of, const std::string &pipeline) {
    auto copy = std::make_shared<OwningOpRef<ModuleOp>>(cast<ModuleOp>(candidate->clone()));
    return std::make_unique<irtools::ForkedTest>(attempts.start(candidate, of, pipeline),
                                                 [&, copy, of](const irtools::Forked &forked) {
                                                   Attempt found = attempts.judge(**copy, of, forked);
                                                   if (found.fault != culprit.fault)
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
  const bool isProgram = entry.arguments.empty() && entry.results.empty();
  std::unique_ptr<irtools::RunningTest> byDefault = isProgram ? nullptr : showsAlone(*reduced);
  if (byDefault && byDefault->holds())
    reduceUntil(end, reduced, showsAlone);
  else
    reduceUntil(end, reduced, [&](ModuleOp candidate) -> std::unique_ptr<irtools::RunningTest> {
      return hasSignature(candidate, entry, state) ? shows(candidate, entry, culprit.pipeline) : nullptr;
    });
  const Entry last = entryOf(*reduced, entry.name).value_or(entry);
  reduceOptions(end, culprit, [&](const std::string &pipeline) {
    return shows(*reduced, hasSignature(*reduced, entry, state) ? entry : last, pipeline);
  });
  if (!hasSignature(*reduced, entry, state))
    culprit.entry = last;
  if (!preceding.empty() && failed(irtools::runPipeline(*reduced, preceding)))
    return;
  culprit.opsReduced = irtools::countOps(*reduced);
  culprit.before = irtools::printModule(*reduced, /*withLocations=*/false);
  culprit.after = best.after;
  culprit.why = best.why;
  culprit.expected = best.expected;
  if (best.fault != Fault::Undefined)
    culprit.actual = best.actual;
  if (isProgram && preceding.empty() && returnPrinted(*reduced, entry)) {
    std::unique_ptr<irtools::RunningTest> test = showsAlone(*reduced);
    if (test && test->holds()) {
      reduceUntil(end, reduced, showsAlone);
      if (const int64_t ops = irtools::countOps(*reduced); ops < culprit.opsReduced) {
        culprit.smallest = irtools::printModule(*reduced, /*withLocations=*/false);
        culprit.opsSmallest = ops;
      }
    }
  }
  culprit.attempts += attempts.count;
}

void bisect::reduceCrash(ModuleOp state, Culprit &culprit, Runner &runner, double seconds) {
  const double passSeconds = std::min(runner.limits().seconds, 10.0);
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  const irtools::Probe first = irtools::probePipeline(*reduced, culprit.pipeline, passSeconds);
  if (first.kind != irtools::Probe::Kind::Crashed && first.kind != irtools::Probe::Kind::TimedOut)
    return;
  auto crashes = [&](ModuleOp candidate, const std::string &pipeline) {
    return std::make_unique<irtools::ForkedTest>(irtools::startProbe(candidate, pipeline, passSeconds),
                                                 [&](const irtools::Forked &forked) {
                                                   ++culprit.attempts;
                                                   return irtools::readProbe(forked) == first;
                                                 });
  };
  const Clock::time_point end = after(seconds);
  culprit.opsGiven = irtools::countOps(*reduced);
  irtools::stripLocations(*reduced);
  reduceUntil(end, reduced, [&](ModuleOp candidate) { return crashes(candidate, culprit.pipeline); });
  reduceOptions(end, culprit, [&](const std::string &pipeline) { return crashes(*reduced, pipeline); });
  culprit.opsReduced = irtools::countOps(*reduced);
  culprit.before = irtools::printModule(*reduced, /*withLocations=*/false);
}
