//===- MiscompilingLLVMPasses.cpp - LLVM passes that change what a program computes -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin for mica-compile --load-llvm-pass-plugin, and for opt: slips late in LLVM's own pipeline. Each is a pass,
// test-swap-subtraction and so on. Code generation gets the one that MICA_TEST_LLVM_FAULT names (swap-subtraction if
// there is no such variable), in each function or the one of MICA_TEST_LLVM_FAULT_IN; with MICA_TEST_LLVM_FAULT_AT=N
// the Nth place in a function is changed, not the first. With MICA_TEST_LLVM_FAULT_LOG=1 changes are printed to stderr.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace llvm;

namespace {
/// Whether `instruction` is of the kind that the fault is about; with `apply`, changes it.
using Fault = bool (*)(Instruction &instruction, bool apply);

struct NamedFault {
  StringLiteral name;
  Fault fault;
};
} // namespace

static bool isBinary(const Instruction &instruction, unsigned opcode) { return instruction.getOpcode() == opcode; }

static void swapOperands(Instruction &instruction, unsigned first, unsigned second) {
  instruction.getOperandUse(first).swap(instruction.getOperandUse(second));
}

/// Puts a binary operation in place of `instruction`.
static void replaceByBinary(Instruction &instruction, Instruction::BinaryOps opcode) {
  auto *other = BinaryOperator::Create(opcode, instruction.getOperand(0), instruction.getOperand(1), "",
                                       instruction.getIterator());
  instruction.replaceAllUsesWith(other);
  instruction.eraseFromParent();
}

static bool swapSubtraction(Instruction &instruction, bool apply) {
  if (!isBinary(instruction, Instruction::FSub))
    return false;
  if (apply)
    swapOperands(instruction, 0, 1);
  return true;
}

static bool addToSub(Instruction &instruction, bool apply) {
  if (!isBinary(instruction, Instruction::FAdd))
    return false;
  if (apply)
    replaceByBinary(instruction, Instruction::FSub);
  return true;
}

static bool mulToAdd(Instruction &instruction, bool apply) {
  if (!isBinary(instruction, Instruction::FMul))
    return false;
  if (apply)
    replaceByBinary(instruction, Instruction::FAdd);
  return true;
}

static bool swapDivision(Instruction &instruction, bool apply) {
  if (!isBinary(instruction, Instruction::FDiv))
    return false;
  if (apply)
    swapOperands(instruction, 0, 1);
  return true;
}

/// Selects of floats, so that bounds stay what they are.
static bool swapSelect(Instruction &instruction, bool apply) {
  if (!isa<SelectInst>(instruction) || !instruction.getType()->isFPOrFPVectorTy())
    return false;
  if (apply)
    swapOperands(instruction, 1, 2);
  return true;
}

static bool invertCompare(Instruction &instruction, bool apply) {
  auto *compare = dyn_cast<FCmpInst>(&instruction);
  if (!compare)
    return false;
  if (apply)
    compare->setPredicate(compare->getInversePredicate());
  return true;
}

/// A float constant that takes part in a computation becomes twice as large, or 1 if it is 0.
static bool wrongConstant(Instruction &instruction, bool apply) {
  if (!isa<BinaryOperator>(instruction) && !isa<IntrinsicInst>(instruction))
    return false;
  for (Use &operand : instruction.operands()) {
    auto *constant = dyn_cast<Constant>(operand.get());
    if (!constant || !constant->getType()->isFPOrFPVectorTy())
      continue;
    const Constant *scalar = constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
    const auto *value = dyn_cast_or_null<ConstantFP>(scalar);
    if (!value || !value->getValueAPF().isFinite())
      continue;
    if (apply) {
      APFloat changed = value->getValueAPF();
      if (changed.isZero())
        changed = APFloat::getOne(changed.getSemantics());
      else
        changed.add(APFloat(changed), APFloat::rmNearestTiesToEven);
      operand.set(ConstantFP::get(constant->getType(), changed));
    }
    return true;
  }
  return false;
}

static bool lostStore(Instruction &instruction, bool apply) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->getValueOperand()->getType()->isFPOrFPVectorTy())
    return false;
  if (apply)
    store->eraseFromParent();
  return true;
}

/// A loop that counts from 0 by 1, 2 and so on starts at its second step.
static bool lateLoop(Instruction &instruction, bool apply) {
  auto *phi = dyn_cast<PHINode>(&instruction);
  if (!phi || !phi->getType()->isIntegerTy() || phi->getNumIncomingValues() != 2)
    return false;
  for (unsigned i : {0u, 1u}) {
    auto *start = dyn_cast<ConstantInt>(phi->getIncomingValue(i));
    auto *next = dyn_cast<BinaryOperator>(phi->getIncomingValue(1 - i));
    if (!start || !start->isZero() || !next || next->getOpcode() != Instruction::Add || next->getOperand(0) != phi)
      continue;
    auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
    if (!step)
      continue;
    if (apply)
      phi->setIncomingValue(i, step);
    return true;
  }
  return false;
}

static bool maxToMin(Instruction &instruction, bool apply) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  Intrinsic::ID other;
  switch (call->getIntrinsicID()) {
  case Intrinsic::maximum:
    other = Intrinsic::minimum;
    break;
  case Intrinsic::maxnum:
    other = Intrinsic::minnum;
    break;
  case Intrinsic::vector_reduce_fmaximum:
    other = Intrinsic::vector_reduce_fminimum;
    break;
  case Intrinsic::vector_reduce_fmax:
    other = Intrinsic::vector_reduce_fmin;
    break;
  default:
    return false;
  }
  if (apply)
    call->setCalledFunction(Intrinsic::getOrInsertDeclaration(call->getModule(), other,
                                                              {call->getArgOperand(call->arg_size() - 1)->getType()}));
  return true;
}

static bool swapAddend(Instruction &instruction, bool apply) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || (call->getIntrinsicID() != Intrinsic::fma && call->getIntrinsicID() != Intrinsic::fmuladd))
    return false;
  if (apply)
    swapOperands(*call, 1, 2);
  return true;
}

static bool rotateShuffle(Instruction &instruction, bool apply) {
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
  if (!shuffle || !shuffle->getType()->isFPOrFPVectorTy() || shuffle->getShuffleMask().size() < 2)
    return false;
  if (apply) {
    SmallVector<int> mask(shuffle->getShuffleMask());
    std::rotate(mask.begin(), mask.begin() + 1, mask.end());
    shuffle->setShuffleMask(mask);
  }
  return true;
}

static bool lostNegation(Instruction &instruction, bool apply) {
  if (instruction.getOpcode() != Instruction::FNeg)
    return false;
  if (apply) {
    instruction.replaceAllUsesWith(instruction.getOperand(0));
    instruction.eraseFromParent();
  }
  return true;
}

static bool neverEnds(Instruction &, bool apply) {
  while (apply)
    std::this_thread::sleep_for(std::chrono::seconds(1));
  return true;
}

static constexpr NamedFault kFaults[] = {
    {"swap-subtraction", swapSubtraction},
    {"add-to-sub", addToSub},
    {"mul-to-add", mulToAdd},
    {"swap-division", swapDivision},
    {"swap-select", swapSelect},
    {"invert-compare", invertCompare},
    {"wrong-constant", wrongConstant},
    {"lost-store", lostStore},
    {"late-loop", lateLoop},
    {"max-to-min", maxToMin},
    {"swap-addend", swapAddend},
    {"rotate-shuffle", rotateShuffle},
    {"lost-negation", lostNegation},
    {"never-ends", neverEnds},
};
static constexpr size_t kCount = std::size(kFaults);

static StringRef variable(const char *name, StringRef otherwise) {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

namespace {
/// The pass of one fault; each needs a class, as LLVM knows names of passes by their classes.
template <size_t Number> struct FaultPass : PassInfoMixin<FaultPass<Number>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    if (variable("MICA_TEST_LLVM_FAULT_IN", function.getName()) != function.getName())
      return PreservedAnalyses::all();
    size_t at = 1;
    (void)variable("MICA_TEST_LLVM_FAULT_AT", "1").getAsInteger(10, at);
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (!kFaults[Number].fault(instruction, /*apply=*/false) || --at != 0)
        continue;
      if (variable("MICA_TEST_LLVM_FAULT_LOG", "") == "1")
        errs() << "planted in " << function.getName() << ":" << instruction << "\n";
      kFaults[Number].fault(instruction, /*apply=*/true);
      return PreservedAnalyses::none();
    }
    return PreservedAnalyses::all();
  }
};
} // namespace

static std::string passName(size_t number) { return ("test-" + kFaults[number].name).str(); }

template <size_t Number> static void registerPass(PassBuilder &builder) {
  if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->addClassToPassName(FaultPass<Number>::name(), passName(Number));
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != passName(Number))
          return false;
        passes.addPass(FaultPass<Number>());
        return true;
      });
  if (variable("MICA_TEST_LLVM_FAULT", kFaults[0].name) == kFaults[Number].name)
    builder.registerScalarOptimizerLateEPCallback(
        [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(FaultPass<Number>()); });
}

template <size_t... Numbers> static void registerPasses(PassBuilder &builder, std::index_sequence<Numbers...>) {
  (registerPass<Numbers>(builder), ...);
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "MicaMiscompilingLLVMPasses", LLVM_VERSION_STRING,
          [](PassBuilder &builder) { registerPasses(builder, std::make_index_sequence<kCount>()); }};
}
