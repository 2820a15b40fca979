//===- TestGen.cpp - generating a lit test from IR and a pipeline ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TestGen.h. Three steps: find the kind of change that the pipeline makes (TestGenProbe), reduce the IR while it is
// the same (Reduce), write a test and run it (TestGenChecks, TestText).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/TestGen.h"

#include "lib/IRTools/Reduce/ForkedTest.h"
#include "lib/IRTools/TestGenProbe.h"
#include "lib/IRTools/TestText.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

namespace {
class Generator {
public:
  Generator(OwningOpRef<ModuleOp> module, const TestGenOptions &options)
      : options(options), context(*module->getContext()), module(std::move(module)) {}

  Result<GeneratedTest> run(const std::vector<std::string> &pipelines);

private:
  using Clock = std::chrono::steady_clock;

  Probe probe(ModuleOp candidate, const std::string &text) {
    return noted(probePipeline(candidate, text, options.passSeconds));
  }
  /// The relevant part of a probe.
  Probe noted(Probe found) {
    ++test.attempts;
    if (!options.focus.empty())
      llvm::erase_if(found.signature,
                     [&](const std::string &line) { return !llvm::StringRef(line).contains(options.focus); });
    return found;
  }
  /// Whether the pipeline makes the same kind of change to `candidate` as to the original IR.
  bool keeps(ModuleOp candidate) { return probe(candidate, pipeline) == target; }
  std::unique_ptr<RunningTest> startTest(ModuleOp candidate);
  bool mayGoOn() const { return Clock::now() < deadline; }

  Status findPipeline(const std::vector<std::string> &pipelines);
  void adopt(llvm::function_ref<void(ModuleOp)> change);
  void unnest();
  void rename();
  std::string flags() const;
  Status writeChanges();
  Result<bool> tryChecks(bool everything, bool atTop);
  Status writeErrors();

  const TestGenOptions &options;
  MLIRContext &context;
  OwningOpRef<ModuleOp> module;
  std::string pipeline;
  Probe target;
  bool keepsLocations = false; ///< those of the input are part of the test
  Clock::time_point deadline = Clock::now();
  GeneratedTest test;
};
} // namespace

static Status checkPipeline(const std::string &pipeline, MLIRContext &context) {
  llvm::StringRef inner = pipeline;
  std::string said;
  llvm::raw_string_ostream os(said);
  OpPassManager pm("builtin.module");
  if (!inner.consume_front("builtin.module(") || !inner.consume_back(")"))
    return Error{ErrorCode::InvalidInput, "'" + pipeline + "' is no pipeline on a module",
                 "write it as for mica-opt: --pass-pipeline='builtin.module(func.func(cse))'"};
  if (failed(parsePassPipeline(inner, pm, os)))
    return Error{ErrorCode::InvalidInput,
                 "the pipeline '" + pipeline +
                     "' does not parse: " + llvm::StringRef(said).trim().split('\n').first.str(),
                 "mica-opt --help lists the passes and their options"};
  return Status::ok();
}

Status Generator::findPipeline(const std::vector<std::string> &pipelines) {
  for (const std::string &each : pipelines)
    MICA_RETURN_IF_ERROR(checkPipeline(each, context));
  for (bool withoutResources : {false, true}) {
    if (withoutResources)
      replaceResources(*module);
    for (const std::string &each : pipelines) {
      target = probe(*module, each);
      pipeline = each;
      if (target.kind == Probe::Kind::TimedOut)
        return Error{ErrorCode::Unsupported,
                     "the pipeline does not end within " + llvm::utostr(static_cast<uint64_t>(options.passSeconds)) +
                         " s, so no test could be run",
                     "raise the limit with --pass-seconds=N"};
      if (target.kind == Probe::Kind::Invalid)
        return Error{ErrorCode::InvalidInput, "the IR does not verify", "mica-opt FILE says why"};
      if (target.kind != Probe::Kind::Same && (options.focus.empty() || !target.signature.empty()))
        return Status::ok();
    }
  }
  if (!options.focus.empty())
    return Error{ErrorCode::NotFound, "no change by '" + pipelines.front() + "' names '" + options.focus + "'",
                 "leave out --focus, or name an op that mica-diff shows"};
  return Error{ErrorCode::InvalidInput,
               "'" + pipelines.front() + "' changes nothing in this IR, so there is nothing to test",
               "choose a pass that changed something: mica-diff DIR --stat lists them"};
}

std::unique_ptr<RunningTest> Generator::startTest(ModuleOp candidate) {
  return std::make_unique<ForkedTest>(startProbe(candidate, pipeline, options.passSeconds),
                                      [this](const Forked &forked) { return noted(readProbe(forked)) == target; });
}

/// Applies `change` if the pipeline still makes the same kind of change.
void Generator::adopt(llvm::function_ref<void(ModuleOp)> change) {
  OwningOpRef<ModuleOp> candidate = cast<ModuleOp>((*module)->clone());
  change(*candidate);
  if (keeps(*candidate))
    module = std::move(candidate);
}

/// Replaces the program by its one nested module, and adapts the pipeline.
void Generator::unnest() {
  Block &body = *module->getBody();
  if (!llvm::hasSingleElement(body) || !isa<ModuleOp>(body.front()))
    return;
  std::vector<std::string> pipelines{pipeline};
  llvm::StringRef inner = pipeline;
  if (inner.consume_front("builtin.module(builtin.module(") && inner.consume_back("))")) {
    // Several adjacent nested pipelines are not changed.
    int depth = 0;
    bool isOne = llvm::all_of(inner, [&](char c) { return (depth += c == '(' ? 1 : c == ')' ? -1 : 0) >= 0; });
    if (isOne)
      pipelines.push_back("builtin.module(" + inner.str() + ")");
  }
  for (const std::string &each : llvm::reverse(pipelines))
    for (bool keepsAttributes : {false, true}) {
      OwningOpRef<ModuleOp> candidate = cast<ModuleOp>(body.front().clone());
      if (!keepsAttributes) {
        candidate->setSymNameAttr(nullptr);
        candidate->getOperation()->setDiscardableAttrs(DictionaryAttr::get(&context));
      }
      if (probe(*candidate, each) == target) {
        module = std::move(candidate);
        pipeline = each;
        return;
      }
    }
}

void Generator::rename() {
  if (options.rename.empty())
    return;
  auto functions = llvm::to_vector(module->getOps<FunctionOpInterface>());
  if (functions.size() != 1) {
    test.notes.push_back("--name was not used: " + std::to_string(functions.size()) + " functions are left");
    return;
  }
  adopt([&](ModuleOp candidate) {
    Operation *function = *candidate.getOps<FunctionOpInterface>().begin();
    StringAttr name = StringAttr::get(&context, options.rename);
    (void)SymbolTable::replaceAllSymbolUses(function, name, candidate);
    SymbolTable::setSymbolName(function, name);
  });
}

/// The part of a RUN line between the file and FileCheck.
std::string Generator::flags() const {
  std::string text;
  for (const std::string &flag : options.runFlags)
    text += flag + " ";
  bool hasUnregistered = false;
  (*module)->walk([&](Operation *op) { hasUnregistered |= !op->isRegistered(); });
  if (hasUnregistered)
    text += "--allow-unregistered-dialect ";
  // Passes of a plugin have no command-line flag.
  text += options.runFlags.empty() ? passFlags(pipeline) : "--pass-pipeline='" + pipeline + "'";
  if (test.form == TestForm::Locations)
    text += " --mlir-print-debuginfo --mlir-print-local-scope";
  return text;
}

//===------------------------------------------------------------------------------------------------------------===//
// Tests of changes
//===------------------------------------------------------------------------------------------------------------===//

/// Writes the test with these checks; returns whether it passes with the pipeline and fails without.
Result<bool> Generator::tryChecks(bool everything, bool atTop) {
  bool hasLocations = test.form == TestForm::Locations;
  std::string input = printInput(*module, keepsLocations);
  OpPrintingFlags printing;
  printing.printUniqueSSAIDs();
  if (hasLocations)
    printing.enableDebugInfo().useLocalScope();
  OwningOpRef<ModuleOp> parsed = parseQuietly(input, context), result = parseQuietly(input, context);
  if (!parsed || !result || failed(runPipeline(*result, pipeline)))
    return false;
  Document before = documentOf(std::move(parsed), printing), after = documentOf(std::move(result), printing);
  ModuleDiff diff = diffDocuments(before, after);
  std::vector<CheckBlock> blocks = makeChecks(before, after, diff, {everything || diff.same()});
  if (blocks.empty())
    return false;
  test.text = runLine("mica-opt %s " + flags() + " | FileCheck %s") + "\n" + placeChecks(input, blocks, atTop, context);
  if (options.fileCheck.empty())
    return true;
  OwningOpRef<ModuleOp> with = parseQuietly(test.text, context), without = parseQuietly(test.text, context);
  if (!with || !without || failed(runPipeline(*with, pipeline)))
    return false;
  MICA_ASSIGN_OR_RETURN(bool passes, fileCheckAgrees(options.fileCheck, test.text, printModule(*with, hasLocations)));
  if (!passes)
    return false;
  MICA_ASSIGN_OR_RETURN(bool isBlind,
                        fileCheckAgrees(options.fileCheck, test.text, printModule(*without, hasLocations)));
  return !isBlind;
}

Status Generator::writeChanges() {
  for (bool everything : {false, true})
    for (bool atTop : {false, true}) {
      MICA_ASSIGN_OR_RETURN(bool isTest, tryChecks(everything, atTop));
      if (isTest)
        return Status::ok();
    }
  return Error{ErrorCode::Unsupported, "no CHECK lines were found that pass with '" + pipeline + "' and fail without",
               "write the test by hand from the states: mica-diff shows them; or name one op: --focus=OP"};
}

//===------------------------------------------------------------------------------------------------------------===//
// Tests of errors
//===------------------------------------------------------------------------------------------------------------===//

Status Generator::writeErrors() {
  std::string input = printInput(*module, keepsLocations);
  context.printOpOnDiagnostic(false);
  std::string expected = placeDiagnostics(input, pipeline, context);
  if (expected.empty()) {
    test.text = runLine("not mica-opt %s " + flags()) + "\n" + input;
    test.notes.push_back("the pass fails without a diagnostic: emit an error at the op it rejects");
    return Status::ok();
  }
  test.text = runLine("mica-opt %s -split-input-file -verify-diagnostics " + flags()) + "\n" + expected;
  if (!diagnosticsAgree(test.text, pipeline, context))
    return Error{ErrorCode::Unsupported,
                 "the diagnostics of '" + pipeline + "' are not the same when they are expected",
                 "write the test by hand; mica-opt -verify-diagnostics says what is unexpected"};
  if (diagnosticsAgree(test.text, "", context))
    return Error{ErrorCode::Unsupported, "the errors do not come from the pass", "they are errors of the verifier"};
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// All of it
//===------------------------------------------------------------------------------------------------------------===//

Result<GeneratedTest> Generator::run(const std::vector<std::string> &pipelines) {
  deadline += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.budgetSeconds));
  test.opsBefore = countOps(*module);
  MICA_RETURN_IF_ERROR(findPipeline(pipelines));
  test.form = target.kind == Probe::Kind::Failed      ? TestForm::Errors
              : target.kind == Probe::Kind::Crashed   ? TestForm::Crash
              : target.kind == Probe::Kind::Relocated ? TestForm::Locations
                                                      : TestForm::Changes;
  keepsLocations = true;
  OwningOpRef<ModuleOp> stripped = cast<ModuleOp>((*module)->clone());
  stripLocations(*stripped);
  if (keeps(*stripped)) {
    module = std::move(stripped);
    keepsLocations = false;
  }
  adopt(replaceResources);
  if (options.reduce) {
    unnest();
    ReductionOptions reduction;
    reduction.ways = ReductionOptions::Ways::Removals;
    reduction.mayGoOn = [this] { return mayGoOn(); };
    reduction.jobs = defaultJobs();
    reduceModule(
        module, [this](ModuleOp candidate) { return startTest(candidate); }, reduction);
    unnest();
    if (!mayGoOn())
      test.notes.push_back("the reduction stopped at its time limit; raise it with --budget=SECONDS");
  }
  rename();
  test.opsAfter = countOps(*module);
  test.kinds = target.signature;
  switch (test.form) {
  case TestForm::Changes:
  case TestForm::Locations:
    MICA_RETURN_IF_ERROR(writeChanges());
    if (options.fileCheck.empty())
      test.notes.push_back("not tried with FileCheck, which was not found: put it on PATH or set FILECHECK");
    break;
  case TestForm::Errors:
    MICA_RETURN_IF_ERROR(writeErrors());
    break;
  case TestForm::Crash:
    test.text = runLine("not --crash mica-opt %s " + flags()) +
                "// The pass crashes on this. Add CHECK lines when it is fixed.\n\n" +
                printInput(*module, keepsLocations);
    break;
  }
  return std::move(test);
}

Result<GeneratedTest> irtools::generateTest(OwningOpRef<ModuleOp> module, const std::vector<std::string> &pipelines,
                                            const TestGenOptions &options) {
  return Generator(std::move(module), options).run(pipelines);
}
