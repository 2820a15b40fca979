//===- Foreign.cpp - the pipelines of anybody's compiler ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Foreign.h. State i is the program after the first i passes, made anew from the program as written. What it prints
// is compared with what that prints.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Foreign.h"

#include "lib/Bisect/ForeignCompiler.h"
#include "lib/Bisect/Halving.h"
#include "lib/Bisect/TextReduction.h"
#include "mica/Compiler/Index/PipelineText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <chrono>
#include <map>

using namespace mica;
using namespace mica::bisect;

static void addNames(const compiler::PipelineNode &node, std::vector<std::string> &names) {
  if (!node.isNest)
    names.push_back(node.name);
  for (const compiler::PipelineNode &child : node.children)
    addNames(child, names);
}

Result<ForeignPipeline> ForeignPipeline::parse(const std::string &text) {
  ForeignPipeline pipeline;
  if (llvm::StringRef(text).trim().starts_with("-")) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine(text, saver, words);
    pipeline.names.assign(words.begin(), words.end());
    for (const std::string &word : pipeline.names)
      if (!word.starts_with("-"))
        return Error{ErrorCode::InvalidInput, "--pipeline: '" + word + "' is no flag of a pass",
                     "give flags as one word each: '--canonicalize --tile=sizes=4'"};
    return pipeline;
  }
  const std::optional<compiler::PipelineNode> root = compiler::parsePipelineText(text);
  if (!root || !root->isNest)
    return Error{ErrorCode::InvalidInput, "--pipeline is not the text of a pipeline: " + text,
                 "give 'builtin.module(...)', or flags: '--canonicalize --cse'"};
  pipeline.text = text;
  addNames(*root, pipeline.names);
  return pipeline;
}

std::vector<std::string> ForeignPipeline::arguments(size_t first, size_t last) const {
  if (text.empty())
    return {names.begin() + first, names.begin() + last};
  const compiler::PipelineNode root = *compiler::parsePipelineText(text);
  const std::string range = compiler::pipelineRange({root}, static_cast<int>(first), static_cast<int>(last));
  return {"--pass-pipeline=" + (range.empty() ? root.name + "()" : range)};
}

namespace {

class ForeignSearch {
public:
  ForeignSearch(const std::string &program, const ForeignPipeline &pipeline, ForeignCompiler &compiler,
                const Settings &settings)
      : program(program), pipeline(pipeline), compiler(compiler), settings(settings) {}

  Result<Verdict> run();

private:
  struct State {
    Compiled compiled;
    Is is = Is::Unknown;
    Outcome outcome;
    Agreement agreement;
  };
  Result<std::optional<Verdict>> judgeProgram();
  Result<State *> judge(size_t passes);
  Result<size_t> compiledPasses();
  Result<Verdict> blame(Neighbors found);
  Result<Verdict> blameCrash(size_t passes);
  Culprit culpritOf(size_t passes) const;
  /// Reduces `culprit.before` while `keeps` holds.
  void reduce(Culprit &culprit, llvm::function_ref<bool(const std::string &)> keeps) const;
  std::string place(size_t passes) const {
    return pipeline.name(passes - 1) + " (pass " + std::to_string(passes) + " of " + std::to_string(pipeline.size()) +
           ")";
  }

  const std::string &program;
  const ForeignPipeline &pipeline;
  ForeignCompiler &compiler;
  const Settings &settings;
  Outcome baseline;
  std::map<size_t, State> states;
};

Result<std::optional<Verdict>> ForeignSearch::judgeProgram() {
  MICA_ASSIGN_OR_RETURN(baseline, compiler.run(program));
  MICA_ASSIGN_OR_RETURN(const Outcome second, compiler.run(program));
  Verdict verdict;
  if (baseline.status == Outcome::Status::Refused) {
    verdict.headline = "--run does not run the program as written: " + baseline.message;
    verdict.evidence.push_back("It is what the states after passes are compared with. --run may lower what it gets: "
                               "'mlir-opt \"$1\" --pass-pipeline=... | mlir-runner -e main ...'");
    return std::optional(verdict);
  }
  verdict.expected = baseline;
  if (compareOutcomes(second, baseline).kind == Agreement::Kind::Different) {
    verdict.kind = Verdict::Kind::Nondeterministic;
    verdict.headline = "two runs of the program as written differ";
    verdict.actual = second;
    return std::optional(verdict);
  }
  if (!baseline.ran()) {
    verdict.kind = Verdict::Kind::Crash;
    verdict.headline = "the program as written: " + baseline.message;
    return std::optional(verdict);
  }
  return std::optional<Verdict>();
}

Result<ForeignSearch::State *> ForeignSearch::judge(size_t passes) {
  auto [it, isNew] = states.try_emplace(passes);
  State &state = it->second;
  if (!isNew)
    return &state;
  MICA_ASSIGN_OR_RETURN(state.compiled, compiler.compile(program, 0, passes));
  if (state.compiled.status != Compiled::Status::Ended)
    return &state;
  MICA_ASSIGN_OR_RETURN(state.outcome, compiler.runOnce(state.compiled.text));
  if (state.outcome.status != Outcome::Status::Refused) {
    state.agreement = compareOutcomes(state.outcome, baseline);
    state.is = state.agreement.kind == Agreement::Kind::Different ? Is::Wrong : Is::Right;
  }
  settings.progress((passes == 0 ? std::string("no pass") : place(passes)) + ": " +
                    (state.is == Is::Right   ? std::string("as the program")
                     : state.is == Is::Wrong ? "wrong: " + state.agreement.text
                                             : "cannot be run: " + state.outcome.message));
  return &state;
}

/// The number of passes up to the first that does not end well; those of the pipeline where all do.
Result<size_t> ForeignSearch::compiledPasses() {
  auto ends = [this](size_t passes) -> Result<Is> {
    MICA_ASSIGN_OR_RETURN(const State *state, judge(passes));
    return state->compiled.status == Compiled::Status::Ended ? Is::Right : Is::Wrong;
  };
  MICA_ASSIGN_OR_RETURN(const Is whole, ends(pipeline.size()));
  if (whole == Is::Right)
    return pipeline.size();
  MICA_ASSIGN_OR_RETURN(const Is none, ends(0));
  if (none == Is::Wrong)
    return Error{ErrorCode::InvalidInput,
                 "--opt does not take the program without passes: " + states.at(0).compiled.message,
                 "it gets FILE " + llvm::join(pipeline.arguments(0, 0), " ") + " -o OUTPUT"};
  MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, pipeline.size(), ends));
  return found.right;
}

Culprit ForeignSearch::culpritOf(size_t passes) const {
  Culprit culprit;
  culprit.position = static_cast<int64_t>(passes);
  culprit.passes = static_cast<int64_t>(pipeline.size());
  culprit.pass = pipeline.name(passes - 1);
  culprit.flags = pipeline.arguments(passes - 1, passes);
  culprit.pipeline = llvm::join(culprit.flags, " ");
  culprit.before = states.at(passes - 1).compiled.text;
  return culprit;
}

void ForeignSearch::reduce(Culprit &culprit, llvm::function_ref<bool(const std::string &)> keeps) const {
  if (!settings.reduce)
    return;
  const TextReduction reduced = reduceText(culprit.before, keeps, settings.reduction.seconds);
  culprit.opsGiven = reduced.linesGiven;
  culprit.opsReduced = reduced.lines;
  culprit.attempts = reduced.attempts;
  culprit.isInLines = true;
  culprit.before = reduced.text;
}

Result<Verdict> ForeignSearch::blameCrash(size_t passes) {
  const Compiled crash = states.at(passes).compiled;
  Verdict verdict;
  verdict.kind = Verdict::Kind::Crash;
  verdict.headline = "pass " + place(passes) + ": the compiler " +
                     (crash.status == Compiled::Status::Crashed ? "was " : "") + crash.message;
  Culprit culprit = culpritOf(passes);
  culprit.fault = Fault::None;
  auto crashes = [&](const std::string &candidate) {
    Result<Compiled> compiled = compiler.compile(candidate, passes - 1, passes);
    return compiled && compiled->status == crash.status && compiled->signal == crash.signal;
  };
  if (crashes(culprit.before))
    reduce(culprit, crashes);
  else
    verdict.evidence.push_back("The pass alone, on what the passes before it leave, does not end the compiler.");
  verdict.culprit = std::move(culprit);
  return verdict;
}

Result<Verdict> ForeignSearch::blame(Neighbors found) {
  State &bad = states.at(found.wrong);
  Verdict verdict;
  verdict.expected = baseline;
  verdict.actual = bad.outcome;
  MICA_ASSIGN_OR_RETURN(const Outcome again, compiler.run(bad.compiled.text));
  if (compareOutcomes(again, bad.outcome).kind == Agreement::Kind::Different) {
    verdict.kind = Verdict::Kind::Nondeterministic;
    verdict.headline = "two runs of the program after " + place(found.wrong) + " differ";
    verdict.expected = again;
    return verdict;
  }
  Culprit culprit = culpritOf(found.wrong);
  culprit.fault = bad.outcome.ran() ? Fault::Differs : Fault::Crashes;
  culprit.why = bad.agreement.text;
  culprit.after = bad.compiled.text;
  verdict.kind = bad.outcome.ran() ? Verdict::Kind::Miscompile : Verdict::Kind::Crash;
  verdict.headline = place(found.wrong);
  auto isWrong = [&](const std::string &candidate) {
    const Result<Outcome> before = compiler.runOnce(candidate);
    if (!before || !before->ran())
      return false;
    Result<Compiled> compiled = compiler.compile(candidate, found.wrong - 1, found.wrong);
    if (!compiled || compiled->status != Compiled::Status::Ended)
      return false;
    const Result<Outcome> after = compiler.runOnce(compiled->text);
    if (!after || after->status != bad.outcome.status)
      return false;
    const Agreement agreement = compareOutcomes(*after, *before);
    if (agreement.kind != Agreement::Kind::Different)
      return false;
    culprit.why = agreement.text;
    culprit.after = compiled->text;
    verdict.expected = *before;
    verdict.actual = *after;
    return true;
  };
  if (found.wrong - found.right > 1) {
    std::vector<std::string> passes;
    for (size_t i = found.right + 1; i <= found.wrong; ++i)
      passes.push_back(pipeline.name(i - 1));
    verdict.evidence.push_back("One of these passes, between which the program cannot be run: " +
                               llvm::join(passes, ", "));
  } else if (isWrong(culprit.before)) {
    reduce(culprit, isWrong);
  } else {
    verdict.evidence.push_back("The pass alone, on what the passes before it leave, shows nothing.");
  }
  verdict.culprit = std::move(culprit);
  return verdict;
}

Result<Verdict> ForeignSearch::run() {
  MICA_ASSIGN_OR_RETURN(const std::optional<Verdict> early, judgeProgram());
  if (early)
    return *early;
  MICA_ASSIGN_OR_RETURN(const size_t compiled, compiledPasses());
  const Compiled *failed = compiled < pipeline.size() ? &states.at(compiled + 1).compiled : nullptr;
  if (failed && failed->status != Compiled::Status::Failed)
    return blameCrash(compiled + 1);
  auto isRight = [this](size_t passes) -> Result<Is> {
    MICA_ASSIGN_OR_RETURN(const State *state, judge(passes));
    return state->is;
  };
  MICA_ASSIGN_OR_RETURN(const size_t last, lastJudged(compiled, isRight));
  MICA_ASSIGN_OR_RETURN(const State *final, judge(last));
  if (final->is == Is::Wrong && last > 0) {
    MICA_ASSIGN_OR_RETURN(const Neighbors found, findNeighbors(0, last, isRight));
    return blame(found);
  }
  Verdict verdict;
  verdict.expected = baseline;
  if (final->is == Is::Right && last == pipeline.size()) {
    const bool isRounded = final->agreement.kind == Agreement::Kind::Rounding;
    verdict.kind = isRounded ? Verdict::Kind::Rounding : Verdict::Kind::Same;
    if (isRounded)
      verdict.headline = "the numbers differ by no more than a tolerance: " + final->agreement.text;
    return verdict;
  }
  if (final->is == Is::Right && last > 0)
    verdict.headline = "right up to " + place(last) + "; ";
  if (failed)
    verdict.headline += "pass " + place(compiled + 1) + " failed: " + failed->message;
  else if (last < compiled)
    verdict.headline += "--run does not run what follows: " + states.at(last + 1).outcome.message;
  return verdict;
}

} // namespace

Result<Verdict> bisect::bisectForeign(const std::string &program, const ForeignPipeline &pipeline,
                                      const ForeignCommands &commands, const Limits &limits,
                                      const std::filesystem::path &scratch, const Settings &settings) {
  ForeignCompiler compiler(commands, pipeline, limits, scratch);
  MICA_ASSIGN_OR_RETURN(Verdict verdict, ForeignSearch(program, pipeline, compiler, settings).run());
  if (verdict.kind == Verdict::Kind::Miscompile) {
    verdict.ruledOut.push_back("nondeterminism: two runs of each of the two programs agree");
    verdict.evidence.push_back("Undefined behavior was not looked for: --opt and --run are commands that Mica knows "
                               "nothing of.");
  }
  return verdict;
}
