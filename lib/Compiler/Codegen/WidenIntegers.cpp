//===- WidenIntegers.cpp - integers of the widths that SPIR-V has -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/WidenIntegers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace mica;

static bool isOdd(llvm::Type *type) {
  const unsigned bits = type->isIntOrIntVectorTy() ? type->getScalarSizeInBits() : 8;
  return bits > 1 && bits < 64 && (bits < 8 || !llvm::has_single_bit(bits));
}

static llvm::Type *wideType(llvm::Type *type) {
  const unsigned bits = std::max(8u, llvm::bit_ceil(type->getScalarSizeInBits()));
  return type->getWithNewType(llvm::IntegerType::get(type->getContext(), bits));
}

namespace {

/// Of one function.
class Widener {
public:
  explicit Widener(llvm::Function &function) : function(function), builder(function.getContext()) {}

  void run() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function))
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block))
        visit(instruction);
    for (auto [narrow, wide] : phis)
      for (auto [value, block] : llvm::zip(narrow->incoming_values(), narrow->blocks())) {
        builder.SetInsertPoint(block->getTerminator());
        wide->addIncoming(widen(value), block);
      }
    // Users that are not widened; the other values have none.
    for (auto it = replaced.rbegin(); it != replaced.rend(); ++it) {
      auto [narrow, wide] = *it;
      const bool isUsed = llvm::any_of(narrow->users(), [&](llvm::User *user) { return !isReplaced.contains(user); });
      if (isUsed) {
        builder.SetInsertPoint(*narrow->getInsertionPointAfterDef());
        narrow->replaceAllUsesWith(builder.CreateTrunc(wide, narrow->getType()));
      }
    }
    for (auto [narrow, wide] : replaced)
      narrow->replaceAllUsesWith(llvm::PoisonValue::get(narrow->getType()));
    for (auto [narrow, wide] : replaced)
      narrow->eraseFromParent();
  }

private:
  /// `value` with zeros above.
  llvm::Value *widen(llvm::Value *value) {
    const auto known = wides.find(value);
    return known != wides.end() ? known->second : builder.CreateZExt(value, wideType(value->getType()));
  }
  /// `value` with its sign above.
  llvm::Value *extendSign(llvm::Value *value) {
    llvm::Value *wide = widen(value);
    const unsigned above = wide->getType()->getScalarSizeInBits() - value->getType()->getScalarSizeInBits();
    return builder.CreateAShr(builder.CreateShl(wide, above), above);
  }
  /// `wide` with zeros above the bits of `narrow`.
  llvm::Value *clear(llvm::Value *wide, llvm::Type *narrow) {
    const unsigned bits = narrow->getScalarSizeInBits(), wideBits = wide->getType()->getScalarSizeInBits();
    return builder.CreateAnd(wide, llvm::ConstantInt::get(wide->getType(), llvm::APInt::getLowBitsSet(wideBits, bits)));
  }

  void replace(llvm::Instruction &narrow, llvm::Value *wide) {
    wides[&narrow] = wide;
    replaced.push_back({&narrow, wide});
    isReplaced.insert(&narrow);
  }

  llvm::Value *binary(llvm::BinaryOperator &op) {
    using Op = llvm::Instruction;
    const auto code = op.getOpcode();
    const bool isSigned = code == Op::AShr || code == Op::SDiv || code == Op::SRem;
    llvm::Value *left = isSigned ? extendSign(op.getOperand(0)) : widen(op.getOperand(0));
    llvm::Value *right = isSigned && code != Op::AShr ? extendSign(op.getOperand(1)) : widen(op.getOperand(1));
    return clear(builder.CreateBinOp(code, left, right), op.getType());
  }

  /// Null for intrinsics that are not widened.
  llvm::Value *intrinsic(llvm::IntrinsicInst &call) {
    if (call.arg_size() == 0)
      return nullptr;
    llvm::Value *left = call.getArgOperand(0), *right = call.getArgOperand(call.arg_size() - 1);
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::abs: // of the least number it is that, without a sign
      return clear(builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, extendSign(left), builder.getFalse()),
                   call.getType());
    case llvm::Intrinsic::ctpop:
      return builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, widen(left));
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::usub_sat:
      return builder.CreateBinaryIntrinsic(call.getIntrinsicID(), widen(left), widen(right));
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
      return clear(builder.CreateBinaryIntrinsic(call.getIntrinsicID(), extendSign(left), extendSign(right)),
                   call.getType());
    default:
      return nullptr;
    }
  }

  /// What an instruction of an odd type computes; null if it stays.
  llvm::Value *wideOf(llvm::Instruction &op) {
    if (auto *two = llvm::dyn_cast<llvm::BinaryOperator>(&op))
      return binary(*two);
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&op))
      return intrinsic(*call);
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&op))
      return builder.CreateSelect(select->getCondition(), widen(select->getTrueValue()),
                                  widen(select->getFalseValue()));
    if (llvm::isa<llvm::FreezeInst>(op))
      return builder.CreateFreeze(widen(op.getOperand(0)));
    llvm::Type *wide = wideType(op.getType());
    const bool fromOdd = llvm::isa<llvm::CastInst>(op) && isOdd(op.getOperand(0)->getType());
    if (llvm::isa<llvm::TruncInst>(op))
      return clear(builder.CreateZExtOrTrunc(fromOdd ? widen(op.getOperand(0)) : op.getOperand(0), wide), op.getType());
    if (llvm::isa<llvm::ZExtInst>(op))
      return builder.CreateZExt(fromOdd ? widen(op.getOperand(0)) : op.getOperand(0), wide);
    if (llvm::isa<llvm::SExtInst>(op))
      return clear(builder.CreateSExt(fromOdd ? extendSign(op.getOperand(0)) : op.getOperand(0), wide), op.getType());
    return nullptr;
  }

  void visit(llvm::Instruction &op) {
    builder.SetInsertPoint(&op);
    if (isOdd(op.getType())) {
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&op)) {
        llvm::PHINode *wide = builder.CreatePHI(wideType(phi->getType()), phi->getNumIncomingValues());
        phis.push_back({phi, wide});
        replace(op, wide);
      } else if (llvm::Value *wide = wideOf(op)) {
        replace(op, wide);
      }
      return;
    }
    if (op.getNumOperands() == 0 || !isOdd(op.getOperand(0)->getType()))
      return;
    llvm::Value *value = nullptr;
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&op))
      value =
          compare->isSigned()
              ? builder.CreateICmp(compare->getPredicate(), extendSign(op.getOperand(0)), extendSign(op.getOperand(1)))
              : builder.CreateICmp(compare->getPredicate(), widen(op.getOperand(0)), widen(op.getOperand(1)));
    else if (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(op))
      value = builder.CreateZExtOrTrunc(widen(op.getOperand(0)), op.getType());
    else if (llvm::isa<llvm::SExtInst>(op))
      value = builder.CreateSExtOrTrunc(extendSign(op.getOperand(0)), op.getType());
    else if (llvm::isa<llvm::UIToFPInst>(op))
      value = builder.CreateUIToFP(widen(op.getOperand(0)), op.getType());
    else if (llvm::isa<llvm::SIToFPInst>(op))
      value = builder.CreateSIToFP(extendSign(op.getOperand(0)), op.getType());
    else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&op))
      return widenSwitch(*choice);
    if (!value)
      return;
    op.replaceAllUsesWith(value);
    op.eraseFromParent();
  }

  void widenSwitch(llvm::SwitchInst &choice) {
    auto *wide = builder.CreateSwitch(widen(choice.getCondition()), choice.getDefaultDest(), choice.getNumCases());
    for (auto entry : choice.cases())
      wide->addCase(llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(
                        wide->getCondition()->getType(),
                        entry.getCaseValue()->getValue().zext(wide->getCondition()->getType()->getScalarSizeInBits()))),
                    entry.getCaseSuccessor());
    choice.eraseFromParent();
  }

  llvm::Function &function;
  llvm::IRBuilder<> builder;
  llvm::DenseMap<llvm::Value *, llvm::Value *> wides;
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>> phis;
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Value *>> replaced;
  llvm::DenseSet<llvm::Value *> isReplaced;
};

} // namespace

void compiler::widenIntegers(llvm::Function &function) {
  if (llvm::any_of(llvm::instructions(function), [](llvm::Instruction &op) {
        return isOdd(op.getType()) || llvm::any_of(op.operands(), [](llvm::Use &use) { return isOdd(use->getType()); });
      }))
    Widener(function).run();
}
