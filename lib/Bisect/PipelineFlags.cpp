//===- PipelineFlags.cpp - a pipeline written as flags of mlir-opt ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PipelineFlags.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/PipelineFlags.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace mica;

namespace {
/// Tells which ops a pass runs on.
struct Schedulable : Pass {
  static bool on(const Pass &pass, RegisteredOperationName op) {
    bool (Pass::*canRun)(RegisteredOperationName) const = &Schedulable::canScheduleOn;
    return (pass.*canRun)(op);
  }
};
} // namespace

/// Adds a pass of functions inside of func.func(...), where mlir-opt refuses it.
static LogicalResult addNested(const PassRegistryEntry &entry, OpPassManager &manager, llvm::StringRef options,
                               MLIRContext &context, llvm::function_ref<LogicalResult(const llvm::Twine &)> note) {
  OpPassManager alone(ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
  if (failed(entry.addToPipeline(alone, options, note)))
    return failure();
  context.loadDialect<func::FuncDialect>();
  const auto module = *RegisteredOperationName::lookup(ModuleOp::getOperationName(), &context);
  const auto function = *RegisteredOperationName::lookup(func::FuncOp::getOperationName(), &context);
  auto isOfFunctions = [&](Pass &pass) {
    return !pass.getOpName() && !Schedulable::on(pass, module) && Schedulable::on(pass, function);
  };
  const bool isNested = alone.size() == 1 && isOfFunctions(*alone.begin());
  return entry.addToPipeline(isNested ? manager.nest<func::FuncOp>() : manager, options, note);
}

namespace {
/// A pass as it was given: "--cse" or "cse"; or a whole pipeline, in `options`.
struct NamedPass {
  std::string text, name, options;
  bool isPipeline = false;
};
} // namespace

/// The passes of "a,b{x=1 y=2,3}", or nothing where an op stands around some, "func.func(a)".
static std::vector<NamedPass> passesOfList(llvm::StringRef text) {
  std::vector<NamedPass> passes;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (depth == 0 && c == '(')
      return {};
    depth += c == '{';
    depth -= c == '}' && depth > 0;
    if (c != ',' || (depth > 0 && i < text.size()))
      continue;
    const llvm::StringRef pass = text.slice(begin, i).trim();
    auto [name, options] = pass.split('{');
    options.consume_back("}");
    passes.push_back({pass.str(), name.str(), options.str(), /*isPipeline=*/false});
    begin = i + 1;
  }
  return passes;
}

/// Whether `word` of a command that was published is none of a pass: a pipe, mlir-opt itself, the program.
static bool isOfShell(llvm::StringRef word) {
  return word == "|" || word == "\\" || llvm::sys::path::filename(word) == "mlir-opt" ||
         (!word.starts_with("-") && llvm::sys::path::extension(word) == ".mlir") || word == "-" ||
         llvm::is_contained({"--allow-unregistered-dialect", "-allow-unregistered-dialect", "--verify-each"}, word) ||
         word.starts_with("--mlir-print") || word.starts_with("-mlir-print") || word.starts_with("--split-input-file");
}

/// The passes of "--a -b='x=1'", or of commands, "mlir-opt a.mlir --a | mlir-opt -b='x=1' | mlir-runner ...".
/// InvalidInput names a word that is no flag.
static Result<std::vector<NamedPass>> passesOfFlags(const std::string &text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  std::vector<NamedPass> passes;
  for (const char *word : words) {
    llvm::StringRef rest = word;
    if (isOfShell(rest))
      continue;
    if (llvm::sys::path::filename(rest) == "mlir-runner" || llvm::sys::path::filename(rest) == "mlir-cpu-runner")
      break;
    if (rest.consume_front("--pass-pipeline=") || rest.consume_front("-pass-pipeline=")) {
      passes.push_back({word, "", rest.str(), /*isPipeline=*/true});
      continue;
    }
    if (!rest.consume_front("-"))
      return Error{ErrorCode::InvalidInput, "--pipeline: '" + std::string(word) + "' is no flag of a pass",
                   "give flags as mlir-opt takes them: '--canonicalize --affine-loop-tile=\"tile-size=4\"'"};
    rest.consume_front("-");
    auto [name, options] = rest.split('=');
    passes.push_back({word, name.str(), options.str(), /*isPipeline=*/false});
  }
  return passes;
}

/// The passes inside of "builtin.module(...)".
static llvm::StringRef innerPipeline(llvm::StringRef pipeline) {
  pipeline = pipeline.trim();
  pipeline.consume_front("builtin.module(");
  pipeline.consume_back(")");
  return pipeline;
}

Result<std::string> bisect::pipelineOfFlags(const std::string &text, MLIRContext &context) {
  if (text.empty())
    return text;
  std::vector<NamedPass> passes = passesOfList(text);
  const llvm::StringRef first = llvm::StringRef(text).trim().split(' ').first;
  if (first.starts_with("-") || llvm::sys::path::filename(first) == "mlir-opt") {
    Result<std::vector<NamedPass>> flags = passesOfFlags(text);
    if (!flags)
      return flags.error();
    passes = std::move(*flags);
  }
  const llvm::StringRef trimmed = llvm::StringRef(text).trim();
  if (passes.empty())
    return trimmed.starts_with("builtin.module") || trimmed.starts_with("any(") ? text : "builtin.module(" + text + ")";
  PassManager manager(&context, ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
  for (const NamedPass &pass : passes) {
    std::string said;
    auto note = [&](const llvm::Twine &message) {
      said += message.str();
      return failure();
    };
    if (pass.isPipeline) {
      FailureOr<OpPassManager> inner = parsePassPipeline(pass.options, llvm::nulls());
      if (failed(inner) || inner->getOpAnchorName() != ModuleOp::getOperationName())
        return Error{ErrorCode::InvalidInput, "--pipeline: '" + pass.text + "' does not parse",
                     "give a pipeline 'builtin.module(...)'"};
      if (failed(parsePassPipeline(innerPipeline(pass.options), manager, llvm::nulls())))
        return Error{ErrorCode::InvalidInput, "--pipeline: '" + pass.text + "' does not parse",
                     "give a pipeline 'builtin.module(...)'"};
      continue;
    }
    // Of a pipeline that is parsed, passes are not nested by themselves.
    const PassRegistryEntry *entry = PassPipelineInfo::lookup(pass.name);
    if (!entry)
      entry = PassInfo::lookup(pass.name);
    if (!entry)
      said = "there is no such pass";
    if (!entry || failed(addNested(*entry, manager, pass.options, context, note)))
      return Error{ErrorCode::InvalidInput,
                   "--pipeline: '" + pass.text + "': " +
                       (said.empty() ? "its options are not accepted" : llvm::StringRef(said).split('\n').first.str()),
                   "mica-opt --help-list lists the passes; other flags of mlir-opt are left out"};
  }
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  manager.printAsTextualPipeline(stream);
  return pipeline;
}
