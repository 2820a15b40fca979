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

#include "lib/IRTools/BypassOps.h"
#include "lib/IRTools/Forked.h"
#include "lib/IRTools/TestGenProbe.h"
#include "lib/IRTools/TestGenReduce.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

namespace {

/// What one attempt found.
struct Attempt {
  Fault fault = Fault::None;
  std::string why, after;
};

class Attempts {
public:
  Attempts(const Entry &entry, const std::string &pipeline, Runner &runner, const std::string &preceding)
      : entry(entry), pipeline(pipeline), runner(runner), preceding(preceding) {}

  Attempt attempt(ModuleOp candidate);
  int64_t count = 0;

private:
  std::string runHere(ModuleOp candidate) const;

  const Entry &entry;
  const std::string &pipeline;
  Runner &runner;
  const std::string &preceding;
};

/// In the child: the outcome before, the IR after, why that is undefined ("" where it is not), the outcome after.
std::string Attempts::runHere(ModuleOp candidate) const {
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(candidate->clone());
  if (failed(verify(*before)))
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

Attempt Attempts::attempt(ModuleOp candidate) {
  ++count;
  Attempt result;
  const irtools::Forked forked =
      irtools::runForked([&] { return runHere(candidate); }, runner.limits().seconds, runner.limits().memoryBytes);
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
  return result;
}

/// Reduces `module` for `seconds` as long as `keeps` holds, and notes in `culprit` how far that came.
void reduceFor(double seconds, OwningOpRef<ModuleOp> &module, Culprit &culprit,
               llvm::function_ref<bool(ModuleOp)> keeps) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
  culprit.opsGiven = irtools::countOps(*module);
  auto mayGoOn = [&] { return Clock::now() < end; };
  irtools::bypassOps(module, keeps, mayGoOn);
  irtools::reduceModule(module, keeps, mayGoOn);
  irtools::stripLocations(*module);
  culprit.opsReduced = irtools::countOps(*module);
  culprit.before = irtools::printModule(*module, /*withLocations=*/false);
}

} // namespace

void bisect::reduceCulprit(ModuleOp state, const Entry &entry, Culprit &culprit, Runner &runner, double seconds,
                           const std::string &preceding) {
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  Attempts attempts(entry, culprit.pipeline, runner, preceding);
  Attempt best = attempts.attempt(*reduced);
  if (best.fault != culprit.fault)
    return;
  reduceFor(seconds, reduced, culprit, [&](ModuleOp candidate) {
    if (!hasSignature(candidate, entry, state))
      return false;
    Attempt found = attempts.attempt(candidate);
    if (found.fault != culprit.fault)
      return false;
    best = std::move(found);
    return true;
  });
  if (!preceding.empty() && succeeded(irtools::runPipeline(*reduced, preceding))) {
    culprit.opsReduced = irtools::countOps(*reduced);
    culprit.before = irtools::printModule(*reduced, /*withLocations=*/false);
  }
  culprit.attempts += attempts.count;
  culprit.after = best.after;
  culprit.why = best.why;
}

void bisect::reduceCrash(ModuleOp state, Culprit &culprit, Runner &runner, double seconds) {
  const double passSeconds = std::min(runner.limits().seconds, 10.0);
  OwningOpRef<ModuleOp> reduced = cast<ModuleOp>(state->clone());
  const irtools::Probe first = irtools::probePipeline(*reduced, culprit.pipeline, passSeconds);
  if (first.kind != irtools::Probe::Kind::Crashed && first.kind != irtools::Probe::Kind::TimedOut)
    return;
  reduceFor(seconds, reduced, culprit, [&](ModuleOp candidate) {
    ++culprit.attempts;
    return irtools::probePipeline(candidate, culprit.pipeline, passSeconds) == first;
  });
}
