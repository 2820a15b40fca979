//===- SpirvWorkarounds.cpp - IR that SPIR-V's tools do not support -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SpirvWorkarounds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Codegen/SpirvWorkarounds.h"

#include "lib/Compiler/Codegen/WidenIntegers.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Intrinsics
//===------------------------------------------------------------------------------------------------------------===//

/// The larger (smaller) of two floats. `propagates`: NaN if one is, else the other operand.
static llvm::Value *extremum(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right, bool isMax,
                             bool propagates) {
  llvm::Type *type = left->getType();
  llvm::Type *integer = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  llvm::Value *isBetter = isMax ? builder.CreateFCmpOGT(left, right) : builder.CreateFCmpOLT(left, right);
  llvm::Value *chosen = builder.CreateSelect(isBetter, left, right);
  // Equal operands have equal bits, but for zeros, which differ in the sign.
  llvm::Value *leftBits = builder.CreateBitCast(left, integer), *rightBits = builder.CreateBitCast(right, integer);
  llvm::Value *joined = isMax ? builder.CreateAnd(leftBits, rightBits) : builder.CreateOr(leftBits, rightBits);
  chosen = builder.CreateSelect(builder.CreateFCmpOEQ(left, right), builder.CreateBitCast(joined, type), chosen);
  if (propagates)
    return builder.CreateSelect(builder.CreateFCmpUNO(left, right), builder.CreateFAdd(left, right), chosen);
  chosen = builder.CreateSelect(builder.CreateFCmpUNO(right, right), left, chosen);
  return builder.CreateSelect(builder.CreateFCmpUNO(left, left), right, chosen);
}

/// The struct of a sum, difference or product that wraps around, and whether it did.
static llvm::Value *wrapped(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  using namespace llvm::Intrinsic;
  llvm::Value *left = call.getArgOperand(0), *right = call.getArgOperand(1), *value = nullptr, *overflows = nullptr;
  llvm::Value *zero = llvm::ConstantInt::get(left->getType(), 0);
  auto xors = [&](llvm::Value *x, llvm::Value *y) { return builder.CreateXor(x, y); };
  switch (call.getIntrinsicID()) {
  case uadd_with_overflow:
    value = builder.CreateAdd(left, right);
    overflows = builder.CreateICmpULT(value, left);
    break;
  case sadd_with_overflow: // the operands have one sign, and the sum the other
    value = builder.CreateAdd(left, right);
    overflows = builder.CreateICmpSLT(builder.CreateAnd(xors(left, value), xors(right, value)), zero);
    break;
  case usub_with_overflow:
    value = builder.CreateSub(left, right);
    overflows = builder.CreateICmpULT(left, right);
    break;
  case ssub_with_overflow:
    value = builder.CreateSub(left, right);
    overflows = builder.CreateICmpSLT(builder.CreateAnd(xors(left, right), xors(left, value)), zero);
    break;
  default: { // products: dividing by a factor does not give the other one
    const bool isSigned = call.getIntrinsicID() == smul_with_overflow;
    value = builder.CreateMul(left, right);
    // Dividing by 0, and the least number by -1, are undefined.
    llvm::Value *minusOne = llvm::Constant::getAllOnesValue(left->getType());
    llvm::Value *isPlain = builder.CreateICmpNE(left, zero), *isNegation = builder.getFalse();
    if (isSigned) {
      isNegation = builder.CreateICmpEQ(left, minusOne);
      isPlain = builder.CreateAnd(isPlain, builder.CreateNot(isNegation));
    }
    llvm::Value *divisor = builder.CreateSelect(isPlain, left, llvm::ConstantInt::get(left->getType(), 1));
    llvm::Value *factor = isSigned ? builder.CreateSDiv(value, divisor) : builder.CreateUDiv(value, divisor);
    overflows = builder.CreateAnd(isPlain, builder.CreateICmpNE(factor, right));
    if (isSigned) {
      llvm::Value *isLeast = builder.CreateAnd(builder.CreateICmpNE(right, zero), builder.CreateICmpEQ(value, right));
      overflows = builder.CreateSelect(isNegation, isLeast, overflows);
    }
  }
  }
  llvm::Value *both = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), value, 0);
  return builder.CreateInsertValue(both, overflows, 1);
}

/// The bits of `value` in reverse.
static llvm::Value *reversed(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  const unsigned wideBits = std::max(8u, llvm::bit_ceil(bits));
  llvm::Type *wide = type->getWithNewType(builder.getIntNTy(wideBits));
  value = builder.CreateZExt(value, wide);
  // Bits change places with their neighbours, then pairs do, and so on.
  for (unsigned distance = 1; distance < wideBits; distance *= 2) {
    llvm::Value *mask = llvm::ConstantInt::get(
        wide, llvm::APInt::getSplat(wideBits, llvm::APInt::getLowBitsSet(2 * distance, distance)));
    llvm::Value *up = builder.CreateShl(builder.CreateAnd(value, mask), distance);
    value = builder.CreateOr(up, builder.CreateAnd(builder.CreateLShr(value, distance), mask));
  }
  return builder.CreateTrunc(builder.CreateLShr(value, wideBits - bits), type);
}

/// What replaces `call`; null if it stays.
static llvm::Value *expand(llvm::IRBuilder<> &builder, llvm::IntrinsicInst &call) {
  using namespace llvm::Intrinsic;
  switch (call.getIntrinsicID()) {
  case bitreverse:
    return reversed(builder, call.getArgOperand(0));
  case maximum:
  case minimum:
    return extremum(builder, call.getArgOperand(0), call.getArgOperand(1), call.getIntrinsicID() == maximum,
                    /*propagates=*/true);
  case maximumnum:
  case maxnum:
  case minimumnum:
  case minnum:
    return extremum(builder, call.getArgOperand(0), call.getArgOperand(1),
                    call.getIntrinsicID() == maximumnum || call.getIntrinsicID() == maxnum, /*propagates=*/false);
  case uadd_with_overflow:
  case sadd_with_overflow:
  case usub_with_overflow:
  case ssub_with_overflow:
  case umul_with_overflow:
  case smul_with_overflow:
    return call.getArgOperand(0)->getType()->isIntegerTy() ? wrapped(builder, call) : nullptr;
  default:
    return nullptr;
  }
}

/// OpCopyMemorySized has one alignment for both sides, for which LLVM takes that of the destination, and its sides may
/// not overlap.
static void legalizeTransfer(llvm::MemTransferInst &transfer) {
  if (auto *move = llvm::dyn_cast<llvm::MemMoveInst>(&transfer)) {
    const llvm::TargetTransformInfo costs(move->getDataLayout());
    if (llvm::expandMemMoveAsLoop(move, costs))
      move->eraseFromParent();
    return;
  }
  const llvm::Align both = std::min(transfer.getDestAlign().valueOrOne(), transfer.getSourceAlign().valueOrOne());
  transfer.setDestAlignment(both);
  transfer.setSourceAlignment(both);
}

static void expandIntrinsics(llvm::Function &function) {
  llvm::SmallVector<llvm::MemTransferInst *> transfers; // expanding one changes the blocks
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      transfers.push_back(transfer);
    } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      llvm::IRBuilder<> builder(call);
      if (llvm::Value *value = expand(builder, *call)) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    }
  }
  for (llvm::MemTransferInst *transfer : transfers)
    legalizeTransfer(*transfer);
}

//===------------------------------------------------------------------------------------------------------------===//
// Vectors of truth values
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `type` is a vector of i1.
static bool isTruths(llvm::Type *type) {
  return llvm::isa<llvm::FixedVectorType>(type) && type->getScalarType()->isIntegerTy(1);
}

/// Replaces a cast of a vector of i1 to an integer of as many bits by shifts.
static void packTruths(llvm::BitCastInst &cast) {
  llvm::IRBuilder<> builder(&cast);
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(cast.getOperand(0)->getType())->getNumElements();
  constexpr unsigned kWidths[] = {8, 16, 32, 64};
  llvm::Type *wide = builder.getIntNTy(*std::lower_bound(std::begin(kWidths), std::end(kWidths) - 1, lanes));
  llvm::Value *bits = llvm::ConstantInt::get(wide, 0);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    llvm::Value *bit = builder.CreateZExt(builder.CreateExtractElement(cast.getOperand(0), lane), wide);
    bits = builder.CreateOr(bits, builder.CreateShl(bit, lane));
  }
  // SPIR-V has no integers of other widths, so comparisons are made in this one.
  for (llvm::User *user : llvm::make_early_inc_range(cast.users())) {
    auto *compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    auto *number = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    if (!number || compare->isSigned())
      continue;
    builder.SetInsertPoint(compare);
    compare->replaceAllUsesWith(
        builder.CreateICmp(compare->getPredicate(), bits,
                           llvm::ConstantInt::get(wide, number->getValue().zext(wide->getIntegerBitWidth()))));
    compare->eraseFromParent();
  }
  builder.SetInsertPoint(&cast);
  if (!cast.use_empty())
    cast.replaceAllUsesWith(builder.CreateZExtOrTrunc(bits, cast.getType()));
  cast.eraseFromParent();
}

static void unpackTruths(llvm::BitCastInst &cast) {
  llvm::IRBuilder<> builder(&cast);
  llvm::Value *truths = llvm::PoisonValue::get(cast.getType()), *bits = cast.getOperand(0);
  for (unsigned lane = 0; lane < llvm::cast<llvm::FixedVectorType>(cast.getType())->getNumElements(); ++lane)
    truths = builder.CreateInsertElement(
        truths, builder.CreateTrunc(builder.CreateLShr(bits, lane), builder.getInt1Ty()), lane);
  cast.replaceAllUsesWith(truths);
  cast.eraseFromParent();
}

static void expandTruthCasts(llvm::Function &function) {
  llvm::SmallVector<llvm::BitCastInst *> casts;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
      casts.push_back(cast);
  for (llvm::BitCastInst *cast : casts)
    if (isTruths(cast->getOperand(0)->getType()) && cast->getType()->isIntegerTy())
      packTruths(*cast);
    else if (isTruths(cast->getType()) && cast->getOperand(0)->getType()->isIntegerTy())
      unpackTruths(*cast);
}

//===------------------------------------------------------------------------------------------------------------===//
// Arrays
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// Splits the values of array type of one function.
class ArraySplitter {
public:
  explicit ArraySplitter(llvm::Function &function) : function(function) {}

  /// Whether there were any; then elements that are arrays are left.
  bool run() {
    llvm::SmallVector<llvm::Instruction *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isSplit(instruction))
        found.push_back(&instruction);
    for (llvm::Instruction *instruction : found)
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
        splitPhi(*phi);
      else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(instruction))
        splitSelect(*select);
      else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
        splitLoad(*load);
      else
        splitStore(llvm::cast<llvm::StoreInst>(*instruction));
    return !found.empty();
  }

private:
  static bool isSplit(const llvm::Instruction &instruction) {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getValueOperand()->getType()->isArrayTy();
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::LoadInst>(instruction) &&
           instruction.getType()->isArrayTy();
  }
  static unsigned sizeOf(llvm::Type *type) { return static_cast<unsigned>(type->getArrayNumElements()); }

  /// The array of `elements`, which replaces `instruction`.
  static void replace(llvm::IRBuilder<> &builder, llvm::Instruction &instruction,
                      llvm::ArrayRef<llvm::Value *> elements) {
    llvm::Value *array = llvm::PoisonValue::get(instruction.getType());
    for (unsigned i = 0; i < elements.size(); ++i)
      array = builder.CreateInsertValue(array, elements[i], i);
    instruction.replaceAllUsesWith(array);
    instruction.eraseFromParent();
  }

  void splitPhi(llvm::PHINode &phi) {
    llvm::IRBuilder<> builder(&phi);
    llvm::SmallVector<llvm::Value *> elements;
    for (unsigned i = 0; i < sizeOf(phi.getType()); ++i) {
      builder.SetInsertPoint(&phi);
      llvm::PHINode *element = builder.CreatePHI(phi.getType()->getArrayElementType(), phi.getNumIncomingValues());
      for (auto [value, block] : llvm::zip(phi.incoming_values(), phi.blocks())) {
        builder.SetInsertPoint(block->getTerminator());
        element->addIncoming(builder.CreateExtractValue(value, i), block);
      }
      elements.push_back(element);
    }
    builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    replace(builder, phi, elements);
  }

  static void splitSelect(llvm::SelectInst &select) {
    llvm::IRBuilder<> builder(&select);
    llvm::SmallVector<llvm::Value *> elements;
    for (unsigned i = 0; i < sizeOf(select.getType()); ++i)
      elements.push_back(builder.CreateSelect(select.getCondition(),
                                              builder.CreateExtractValue(select.getTrueValue(), i),
                                              builder.CreateExtractValue(select.getFalseValue(), i)));
    replace(builder, select, elements);
  }

  llvm::Align alignOf(llvm::Type *element, llvm::Align array, unsigned i) const {
    return llvm::commonAlignment(array, function.getDataLayout().getTypeAllocSize(element) * i);
  }

  void splitLoad(llvm::LoadInst &load) {
    llvm::IRBuilder<> builder(&load);
    llvm::Type *array = load.getType(), *element = array->getArrayElementType();
    llvm::SmallVector<llvm::Value *> elements;
    for (unsigned i = 0; i < sizeOf(array); ++i)
      elements.push_back(
          builder.CreateAlignedLoad(element, builder.CreateConstInBoundsGEP2_64(array, load.getPointerOperand(), 0, i),
                                    alignOf(element, load.getAlign(), i)));
    replace(builder, load, elements);
  }

  void splitStore(llvm::StoreInst &store) {
    llvm::IRBuilder<> builder(&store);
    llvm::Type *array = store.getValueOperand()->getType(), *element = array->getArrayElementType();
    for (unsigned i = 0; i < sizeOf(array); ++i)
      builder.CreateAlignedStore(builder.CreateExtractValue(store.getValueOperand(), i),
                                 builder.CreateConstInBoundsGEP2_64(array, store.getPointerOperand(), 0, i),
                                 alignOf(element, store.getAlign(), i));
    store.eraseFromParent();
  }

  llvm::Function &function;
};

} // namespace

void compiler::legalizeForSpirv(llvm::Module &module) {
  for (llvm::Function &function : module) {
    expandIntrinsics(function);
    expandTruthCasts(function);
    while (ArraySplitter(function).run()) {
    }
    widenIntegers(function);
  }
}
