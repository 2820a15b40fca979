//===- MiscompilingLLVMPasses.cpp - LLVM passes that change what a program computes -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin for mica-compile --load-llvm-pass-plugin, and for opt: a slip late in LLVM's own pipeline.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

using namespace llvm;

namespace {
/// a - b becomes b - a, once per function.
struct SwapSubtraction : PassInfoMixin<SwapSubtraction> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::FSub) {
        instruction.getOperandUse(0).swap(instruction.getOperandUse(1));
        return PreservedAnalyses::none();
      }
    return PreservedAnalyses::all();
  }
};
} // namespace

static void registerPasses(PassBuilder &builder) {
  constexpr StringLiteral kName = "test-swap-subtraction";
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->addClassToPassName(SwapSubtraction::name(), kName);
  builder.registerPipelineParsingCallback(
      [kName](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != kName)
          return false;
        passes.addPass(SwapSubtraction());
        return true;
      });
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(SwapSubtraction()); });
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "MicaMiscompilingLLVMPasses", LLVM_VERSION_STRING, registerPasses};
}
