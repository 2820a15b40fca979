//===- Trial.cpp - one program, changed, through passes -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Trial.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Trial.h"

#include "mica/Compiler/Input/DynamicLists.h"
#include "mica/Support/Nesting.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica::fuzz;

namespace {
/// Counts errors, and those without a line.
class Diagnostics {
public:
  explicit Diagnostics(MLIRContext &context, bool prints)
      : handler(&context, [this, prints](Diagnostic &diagnostic) {
          if (prints)
            llvm::errs() << diagnostic.getLocation() << ": " << diagnostic << "\n";
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
            ++errors;
            bool hasLine = false;
            diagnostic.getLocation()->walk([&](Location part) {
              hasLine |= isa<FileLineColLoc>(part);
              return WalkResult::advance();
            });
            // What is wrong with an option has no place in the program.
            unplaced += !hasLine && !llvm::StringRef(diagnostic.str()).contains("option") &&
                        !llvm::StringRef(diagnostic.str()).contains("unable to schedule");
          }
          return success();
        }) {}
  size_t errors = 0, unplaced = 0;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

Outcome mica::fuzz::runPipeline(ModuleOp module, const std::string &pipeline) {
  MLIRContext &context = *module.getContext();
  PassManager manager(&context, "builtin.module", OpPassManager::Nesting::Implicit);
  manager.enableVerifier(false);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  llvm::StringRef text = pipeline;
  text.consume_front("builtin.module(");
  if (text.size() != pipeline.size())
    text.consume_back(")");
  if (failed(parsePassPipeline(text, manager, stream))) {
    // An option that does not take the value.
    llvm::errs() << problem << "\n";
    return problem.empty() ? Outcome::Silent : Outcome::Refused;
  }
  Diagnostics diagnostics(context, /*prints=*/true);
  if (failed(manager.run(module)))
    return diagnostics.errors == 0                      ? Outcome::Silent
           : diagnostics.unplaced == diagnostics.errors ? Outcome::Unplaced
                                                        : Outcome::Refused;
  return failed(verify(module)) ? Outcome::Misformed : Outcome::Done;
}

/// What the tools check before any pass runs: MLIR's own verifiers read operands that a list of sizes lacks.
static LogicalResult verifyAsTools(ModuleOp module) {
  if (failed(mica::compiler::verifyDynamicLists(module)))
    return failure();
  return verify(module);
}

/// The program of the trial; null where the changes made none.
static OwningOpRef<ModuleOp> makeProgram(const Corpus &corpus, const Program &program, MLIRContext &context,
                                         Random &random) {
  Diagnostics quiet(context, /*prints=*/false);
  std::string text = program.text;
  for (size_t n = below(random, 3); n > 0; --n)
    text = mutateText(text, random);
  // What the tools refuse before they parse.
  OwningOpRef<ModuleOp> module;
  if (mica::checkNesting(text, program.name))
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, /*verifyAfterParse=*/false), program.name);
  if (module && failed(verifyAsTools(*module)))
    module = nullptr;
  if (!module && text != program.text) {
    module =
        parseSourceString<ModuleOp>(program.text, ParserConfig(&context, /*verifyAfterParse=*/false), program.name);
    if (module && failed(verifyAsTools(*module)))
      module = nullptr;
  }
  if (!module)
    return nullptr;
  for (size_t n = below(random, 5); n > 0; --n) {
    OwningOpRef<ModuleOp> before = module->clone();
    mutateModule(*module, corpus.attributes, random);
    if (failed(verifyAsTools(*module)))
      module = std::move(before);
  }
  return module;
}

Outcome mica::fuzz::runTrial(const Corpus &corpus, MLIRContext &context, uint64_t seed, bool prints) {
  Random random(seed);
  const Program &program = corpus.programs[below(random, corpus.programs.size())];
  OwningOpRef<ModuleOp> module = makeProgram(corpus, program, context, random);
  if (!module)
    return Outcome::NoProgram;
  std::vector<std::string> pipelines;
  for (size_t n = 1 + (below(random, 4) == 0 ? below(random, 3) : 0); n > 0; --n) {
    const bool isOwn = !program.pipelines.empty() && below(random, 5) < 3;
    const std::vector<std::string> &from = isOwn ? program.pipelines : corpus.passes;
    pipelines.push_back(from[below(random, from.size())]);
  }
  std::string all;
  for (const std::string &pipeline : pipelines)
    all += (all.empty() ? "" : " ; ") + pipeline;
  if (prints) {
    llvm::outs() << "// PIPELINE: " << all << "\n";
    module->print(llvm::outs(), OpPrintingFlags().useLocalScope());
    llvm::outs().flush();
    return Outcome::Done;
  }
  for (const std::string &pipeline : pipelines)
    if (const Outcome outcome = runPipeline(*module, pipeline); outcome != Outcome::Done)
      return outcome;
  return Outcome::Done;
}
