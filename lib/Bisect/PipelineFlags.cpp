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
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

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

Result<std::string> bisect::pipelineOfFlags(const std::string &text, MLIRContext &context) {
  if (!llvm::StringRef(text).trim().starts_with("-"))
    return text;
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  PassManager manager(&context, ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
  for (const char *word : words) {
    llvm::StringRef rest = word;
    if (!rest.consume_front("-"))
      return Error{ErrorCode::InvalidInput, "--pipeline: '" + std::string(word) + "' is no flag of a pass",
                   "give flags as mlir-opt takes them: '--canonicalize --affine-loop-tile=\"tile-size=4\"'"};
    rest.consume_front("-");
    auto [name, options] = rest.split('=');
    std::string said;
    auto note = [&](const llvm::Twine &message) {
      said += message.str();
      return failure();
    };
    // Of a pipeline that is parsed, passes are not nested by themselves.
    const PassRegistryEntry *entry = PassPipelineInfo::lookup(name);
    if (!entry)
      entry = PassInfo::lookup(name);
    if (!entry)
      said = "there is no such pass";
    if (!entry || failed(addNested(*entry, manager, options, context, note)))
      return Error{ErrorCode::InvalidInput,
                   "--pipeline: " + std::string(word) + ": " + llvm::StringRef(said).split('\n').first.str(),
                   "mica-opt --help-list lists the passes; other flags of mlir-opt are left out"};
  }
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  manager.printAsTextualPipeline(stream);
  return pipeline;
}
