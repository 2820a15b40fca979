//===- LLVMWorkarounds.cpp - workarounds for LLVM code generation bugs --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LLVMWorkarounds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/LLVMWorkarounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

using namespace mica;

/// The only lane of a constant mask.
static std::optional<unsigned> onlyLane(llvm::Value *mask) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    llvm::Constant *element = constant->getAggregateElement(lane);
    if (element && element->isNullValue())
      continue;
    if (only || !element || !element->isOneValue())
      return std::nullopt;
    only = lane;
  }
  return only;
}

static bool isNegative(llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->isNegative();
}

void compiler::dropUnsignedWraps(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> pending;
  auto isAddress = [](llvm::Instruction &instruction) {
    return llvm::isa<llvm::GetElementPtrInst>(instruction) || instruction.getOpcode() == llvm::Instruction::Mul;
  };
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isAddress(instruction) && llvm::any_of(instruction.operand_values(), isNegative))
        pending.push_back(&instruction);
  while (!pending.empty()) {
    llvm::Instruction *instruction = pending.pop_back_val();
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      address->setNoWrapFlags(address->getNoWrapFlags().withoutNoUnsignedWrap());
      continue;
    }
    if (!llvm::isa<llvm::OverflowingBinaryOperator>(instruction) || !instruction->hasNoUnsignedWrap())
      continue;
    instruction->setHasNoUnsignedWrap(false);
    for (llvm::User *user : instruction->users())
      pending.push_back(llvm::cast<llvm::Instruction>(user));
  }
}

void compiler::storeSingleLanes(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
        continue;
      std::optional<unsigned> lane = onlyLane(store->getArgOperand(2));
      if (!lane)
        continue;
      llvm::Value *vector = store->getArgOperand(0);
      llvm::Type *element = llvm::cast<llvm::VectorType>(vector->getType())->getElementType();
      llvm::IRBuilder<> builder(store);
      if (module.getDataLayout().getTypeSizeInBits(element) % 8 != 0)
        continue; // These elements are packed within bytes.
      uint64_t offset = module.getDataLayout().getTypeStoreSize(element) * *lane;
      llvm::Value *place = store->getArgOperand(1);
      if (*lane != 0)
        place = builder.CreateConstGEP1_64(element, place, *lane);
      llvm::Align align = llvm::commonAlignment(store->getParamAlign(1).valueOrOne(), offset);
      builder.CreateAlignedStore(builder.CreateExtractElement(vector, *lane), place, align);
      store->eraseFromParent();
    }
}

void compiler::widenRemainders(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *type = instruction.getType();
      if (instruction.getOpcode() != llvm::Instruction::FRem || !type->getScalarType()->isBFloatTy())
        continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::Type *wide = type->getWithNewType(builder.getFloatTy());
      llvm::Value *left = builder.CreateFPExt(instruction.getOperand(0), wide);
      llvm::Value *right = builder.CreateFPExt(instruction.getOperand(1), wide);
      instruction.replaceAllUsesWith(builder.CreateFPTrunc(builder.CreateFRem(left, right), type));
      instruction.eraseFromParent();
    }
}

/// ~x of an integer of at most 32 bits, opaque to the optimizer.
static llvm::Value *complement(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  const bool isWide = type->getIntegerBitWidth() > 16;
  llvm::Type *held = builder.getIntNTy(isWide ? 32 : 16);
  llvm::InlineAsm *text = llvm::InlineAsm::get(llvm::FunctionType::get(held, {held}, /*isVarArg=*/false),
                                               isWide ? "not.b32 $0, $1;" : "not.b16 $0, $1;", isWide ? "=r,r" : "=h,h",
                                               /*hasSideEffects=*/false);
  return builder.CreateTrunc(builder.CreateCall(text, {builder.CreateZExt(value, held)}), type);
}

void compiler::hideNegations(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *type = instruction.getType();
      llvm::Value *value = nullptr;
      if (!llvm::PatternMatch::match(&instruction, llvm::PatternMatch::m_Neg(llvm::PatternMatch::m_Value(value))) ||
          type->getScalarSizeInBits() > 32 || type->getScalarSizeInBits() < 8)
        continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *hidden = nullptr;
      if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        hidden = llvm::PoisonValue::get(type);
        for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
          hidden =
              builder.CreateInsertElement(hidden, complement(builder, builder.CreateExtractElement(value, lane)), lane);
      } else {
        hidden = complement(builder, value);
      }
      instruction.replaceAllUsesWith(builder.CreateAdd(hidden, llvm::ConstantInt::get(type, 1)));
      instruction.eraseFromParent();
    }
}
