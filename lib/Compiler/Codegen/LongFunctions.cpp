//===- LongFunctions.cpp - detecting functions with superlinear compile time --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LongFunctions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/LongFunctions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace mica;

/// Instructions of `function` in innermost loops with computation. Loops of calls through pointers, which start
/// kernels, do not count.
static size_t countComputing(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::DenseMap<const llvm::Loop *, size_t> computing;
  llvm::DenseSet<const llvm::Loop *> calling;
  for (const llvm::BasicBlock &block : function) {
    const llvm::Loop *loop = loops.getLoopFor(&block);
    if (!loop)
      continue;
    computing[loop] += block.size();
    if (llvm::any_of(block, [](const llvm::Instruction &instruction) {
          const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          return call && call->isIndirectCall();
        }))
      calling.insert(loop);
  }
  size_t count = 0;
  for (auto [loop, instructions] : computing)
    count += calling.contains(loop) ? 0 : instructions;
  return count;
}

bool compiler::hasLongCalls(llvm::Module &module) {
  constexpr size_t kMostInstructions = 10'000;
  return llvm::any_of(module, [](llvm::Function &function) {
    const size_t all = function.isDeclaration() ? 0 : function.getInstructionCount();
    return all > kMostInstructions && countComputing(function) <= all / 5;
  });
}

bool compiler::hasLongScalarBlocks(const llvm::Module &module) {
  constexpr ptrdiff_t kMostScalars = 1'000;
  auto isScalar = [](const llvm::Instruction &instruction) {
    return instruction.getType()->isFloatingPointTy() || instruction.getType()->isIntegerTy();
  };
  return llvm::any_of(module, [&](const llvm::Function &function) {
    return llvm::any_of(function,
                        [&](const llvm::BasicBlock &block) { return llvm::count_if(block, isScalar) > kMostScalars; });
  });
}

void compiler::hideSharedConditions(llvm::Module &module) {
  constexpr unsigned kMostUses = 64;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function) {
      auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
      // Weights of branches and switches have another order.
      if (!branch || branch->isUnconditional() || branch->hasMetadata(llvm::LLVMContext::MD_prof) ||
          !branch->getCondition()->hasNUsesOrMore(kMostUses + 1))
        continue;
      auto *choice =
          llvm::SwitchInst::Create(branch->getCondition(), branch->getSuccessor(1), 1, branch->getIterator());
      choice->addCase(llvm::ConstantInt::getTrue(module.getContext()), branch->getSuccessor(0));
      choice->copyMetadata(*branch);
      branch->eraseFromParent();
    }
}

void compiler::showSharedConditions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function) {
      auto *choice = llvm::dyn_cast_or_null<llvm::SwitchInst>(block.getTerminator());
      if (!choice || !choice->getCondition()->getType()->isIntegerTy(1) || choice->getNumCases() != 1 ||
          !choice->case_begin()->getCaseValue()->isOne() || choice->hasMetadata(llvm::LLVMContext::MD_prof))
        continue;
      auto *branch = llvm::BranchInst::Create(choice->case_begin()->getCaseSuccessor(), choice->getDefaultDest(),
                                              choice->getCondition(), choice->getIterator());
      branch->copyMetadata(*choice);
      choice->eraseFromParent();
    }
}
