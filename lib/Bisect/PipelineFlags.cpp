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

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;

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
    if (!entry || failed(entry->addToPipeline(manager, options, note)))
      return Error{ErrorCode::InvalidInput,
                   "--pipeline: " + std::string(word) + ": " + llvm::StringRef(said).split('\n').first.str(),
                   "mica-opt --help-list lists the passes; other flags of mlir-opt are left out"};
  }
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  manager.printAsTextualPipeline(stream);
  return pipeline;
}
