//===- BlockDynamicFolds.cpp - blocking upstream folds to constants of dynamic size -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// `arith.xori %x, %x` folds to a zero constant of its type even if that is dynamic, which is invalid; so does `(x - y)
// - x`, to zero minus y. The mica op with the same semantics has no such fold. All such ops are converted, because two
// different operands may become equal when equal ops are merged. `arith.cmpi` of a value with itself folds in the same
// way; comparisons that mica has are converted, unsigned ones only if both operands are equal, which is the same as a
// comparison for equality.
//
// `arith.index_cast` to a narrow type and back folds to the first value, whether or not it fits.
// Sums with constants fold to one whose flags do not hold. `arith.mulsi_extended` of `index` with 1 becomes a sign
// extension to `index`. `index.cmp` of a difference with 0 compares its operands, which is another thing where it
// wraps. `index.ceildivs` of the least number folds to a number of the other sign. `affine.delinearize_index` without
// results, and empty integer constants, crash upstream when they are folded, or when their ranges are inferred. A loop
// of scf whose step folds to a constant below 1 is erased; an assert before it stays. Views: BlockViewFolds.cpp.
// Broadcasts of vectors: BlockBroadcastFolds.cpp. Arctangents of zeros: Arctangents.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/Arctangents.h"
#include "passes/Tensor/BlockBroadcastFolds.h"
#include "passes/Tensor/BlockViewFolds.h"
#include "passes/Tensor/IndexSwitches.h"
#include "passes/Tensor/InlineMasks.h"
#include "passes/Tensor/Passes.h"
#include "passes/Tensor/SingleIterations.h"
#include "passes/Tensor/SoftmaxSizes.h"
#include "passes/Tensor/WrappingLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mica {
#define GEN_PASS_DEF_BLOCKDYNAMICFOLDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// The mica comparison that is equivalent to `op`, if there is one.
std::optional<mica::Comparison> comparisonOf(arith::CmpIOp op) {
  using arith::CmpIPredicate;
  bool isSelf = op.getLhs() == op.getRhs(), isBit = getElementTypeOrSelf(op.getLhs().getType()).isInteger(1);
  switch (op.getPredicate()) {
  case CmpIPredicate::eq:
    return mica::Comparison::Eq;
  case CmpIPredicate::ne:
    return mica::Comparison::Ne;
  case CmpIPredicate::slt:
    return isSelf ? std::optional(mica::Comparison::Ne) : isBit ? std::nullopt : std::optional(mica::Comparison::Lt);
  case CmpIPredicate::sgt:
    return isSelf ? std::optional(mica::Comparison::Ne) : isBit ? std::nullopt : std::optional(mica::Comparison::Gt);
  case CmpIPredicate::sle:
    return isSelf ? std::optional(mica::Comparison::Eq) : isBit ? std::nullopt : std::optional(mica::Comparison::Le);
  case CmpIPredicate::sge:
    return isSelf ? std::optional(mica::Comparison::Eq) : isBit ? std::nullopt : std::optional(mica::Comparison::Ge);
  case CmpIPredicate::ult:
  case CmpIPredicate::ugt:
    return isSelf ? std::optional(mica::Comparison::Ne) : std::nullopt;
  case CmpIPredicate::ule:
  case CmpIPredicate::uge:
    return isSelf ? std::optional(mica::Comparison::Eq) : std::nullopt;
  }
  return std::nullopt;
}

/// Converts a dynamic op to the mica op; a difference of booleans becomes xor.
template <typename ArithOp, typename MicaOp> void guard(ArithOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || type.hasStaticShape() || !type.getElementType().isInteger())
    return;
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value result = type.getElementType().isInteger(1)
                     ? mica::LogicalXorOp::create(builder, op.getLoc(), type, lhs, rhs).getResult()
                     : MicaOp::create(builder, op.getLoc(), type, lhs, rhs).getResult();
  op.replaceAllUsesWith(result);
  op.erase();
}

/// Casts from `index` to a narrower type and back fold to the first value, which is wrong if it does not fit: the cast
/// is to i64, and truncates. So are casts from a wider type.
template <typename CastOp> void guardIndexCast(CastOp op) {
  constexpr unsigned kIndexBits = 64;
  Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
  if (isa<BaseMemRefType>(op.getType()) || (to.isIndex() ? from : to).getIntOrFloatBitWidth() == kIndexBits)
    return;
  OpBuilder builder(op);
  auto inI64 = [&](Type type) -> Type {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped ? Type(shaped.clone(builder.getI64Type())) : builder.getI64Type();
  };
  Value result;
  if (!to.isIndex() && to.getIntOrFloatBitWidth() < kIndexBits)
    result = arith::TruncIOp::create(builder, op.getLoc(), op.getType(),
                                     CastOp::create(builder, op.getLoc(), inI64(op.getType()), op.getIn()));
  else if (to.isIndex() && from.getIntOrFloatBitWidth() > kIndexBits)
    result = CastOp::create(
        builder, op.getLoc(), op.getType(),
        arith::TruncIOp::create(builder, op.getLoc(), inI64(op.getIn().getType()), op.getIn()).getResult());
  if (!result)
    return;
  op.replaceAllUsesWith(result);
  op.erase();
}

/// Two sums with constants fold to one with the sum of these, which may wrap around, and with the flags of both: what
/// did not overflow then does, and comparisons fold accordingly. Without flags the fold is right.
template <typename SumOp> void dropOverflowFlags(SumOp op) { op.setOverflowFlags(arith::IntegerOverflowFlags::none); }

/// The number that `value`, a scalar, folds to; nothing if it is none, or computed by more than `most` ops.
std::optional<APInt> foldedNumber(Value value, unsigned most = 16) {
  Attribute number;
  if (matchPattern(value, m_Constant(&number)))
    return isa<IntegerAttr>(number) ? std::optional(cast<IntegerAttr>(number).getValue()) : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || most == 0 || op->getNumRegions() > 0 || op->getNumOperands() == 0 || op->getNumOperands() > 3)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<APInt> folded = operand.getType().isIntOrIndex() ? foldedNumber(operand, most / 2) : std::nullopt;
    if (!folded)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *folded));
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != op->getNumResults())
    return std::nullopt;
  const OpFoldResult result = results[cast<OpResult>(value).getResultNumber()];
  if (auto folded = dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(result)))
    return folded.getValue();
  auto other = dyn_cast<Value>(result);
  return other && other != value ? foldedNumber(other, most / 2) : std::nullopt;
}

/// `index.cmp` of a difference with 0 becomes one of its operands.
void guardIndexDifference(index::SubOp op) {
  OpBuilder builder(op);
  op.replaceAllUsesWith(arith::SubIOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs()).getResult());
  op.erase();
}

/// The least number folds, by 2, to the negative of what it should, because it has no negative itself. A divisor that
/// is not known stays where it is checked.
void guardIndexCeilDivision(index::CeilDivSOp op) {
  const std::optional<APInt> divisor = foldedNumber(op.getRhs());
  if (!divisor || divisor->isZero() || divisor->isAllOnes())
    return;
  OpBuilder builder(op);
  op.replaceAllUsesWith(arith::CeilDivSIOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs()).getResult());
  op.erase();
}

/// Of a product of type `index` with 1, a pattern makes a sign extension to `index`, on whose width folds crash.
template <typename ProductOp> void guardIndexProduct(ProductOp op) {
  if (!getElementTypeOrSelf(op.getLhs().getType()).isIndex())
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type index = op.getLhs().getType();
  auto shaped = dyn_cast<ShapedType>(index);
  Type i64 = shaped ? Type(shaped.clone(builder.getI64Type())) : builder.getI64Type();
  auto product = ProductOp::create(builder, loc, arith::IndexCastOp::create(builder, loc, i64, op.getLhs()),
                                   arith::IndexCastOp::create(builder, loc, i64, op.getRhs()));
  for (auto [old, half] : llvm::zip_equal(op->getResults(), product->getResults()))
    old.replaceAllUsesWith(arith::IndexCastOp::create(builder, loc, index, half));
  op.erase();
}

/// The folder crashes without results.
void eraseEmptyDelinearization(affine::AffineDelinearizeIndexOp op) {
  if (op->getNumResults() == 0)
    op.erase();
}

/// The inferred range of an empty constant, which is used to decide whether divisions may be hoisted, is read from
/// invalid memory.
void guardEmptyConstant(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !type.getElementType().isIntOrIndex() || type.getEncoding() || !llvm::is_contained(type.getShape(), 0))
    return;
  OpBuilder builder(op);
  op.replaceAllUsesWith(
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType()).getResult());
  op.erase();
}

/// Before: `scf.for %i = %a to %b step %c-1`. After: `cf.assert (%a >= %b)` and the loop.
void assertNoIterations(scf::ForOp loop) {
  constexpr llvm::StringLiteral message = "the step of the loop is not positive: ";
  const std::optional<APInt> step = foldedNumber(loop.getStep());
  if (!step || (loop.getUnsignedCmp() ? !step->isZero() : step->isStrictlyPositive()))
    return;
  if (auto before = dyn_cast_or_null<cf::AssertOp>(loop->getPrevNode()); before && before.getMsg().starts_with(message))
    return;
  OpBuilder builder(loop);
  const auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  Value isEmpty = arith::CmpIOp::create(builder, loop.getLoc(), predicate, loop.getLowerBound(), loop.getUpperBound());
  cf::AssertOp::create(builder, loop.getLoc(), isEmpty,
                       (message + Twine(loop.getUnsignedCmp() ? 0 : step->getSExtValue())).str());
}

/// Asserts that the element which is inserted is inside, if the same one is extracted: the fold to its number erases
/// the insertion, and nothing would report it.
void assertInserted(tensor::ExtractOp op) {
  auto insert = op.getTensor().getDefiningOp<tensor::InsertOp>();
  if (!insert)
    return;
  OpBuilder builder(insert);
  const Location loc = insert.getLoc();
  Value isInside;
  for (auto [dim, to, from] : llvm::enumerate(insert.getIndices(), op.getIndices())) {
    const std::optional<APInt> index = foldedNumber(to);
    if (!index || index != foldedNumber(from))
      return;
    const int64_t size = insert.getType().getDimSize(dim);
    if (!ShapedType::isDynamic(size) && index->ult(size))
      continue;
    Value extent = builder.createOrFold<tensor::DimOp>(loc, insert.getDest(), dim);
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, to, extent);
    isInside = isInside ? arith::AndIOp::create(builder, loc, isInside, fits).getResult() : fits;
  }
  if (isInside)
    cf::AssertOp::create(builder, loc, isInside, "tensor.insert outside of its tensor");
}

} // namespace

void mica::blockStepFolds(Operation *root) { root->walk(assertNoIterations); }

namespace {
struct BlockDynamicFolds : mica::impl::BlockDynamicFoldsBase<BlockDynamicFolds> {
  void runOnOperation() override {
    getOperation()->walk(eraseEmptyDelinearization);
    getOperation()->walk(guardEmptyConstant);
    mica::castSoftmaxOperands(getOperation());
    mica::blockViewFolds(getOperation());
    mica::blockBroadcastFolds(getOperation());
    mica::promoteSingleIterations(getOperation());
    mica::blockStepFolds(getOperation());
    mica::widenWrappingLoops(getOperation());
    getOperation()->walk(assertInserted);
    mica::inlineMasks(getOperation());
    mica::narrowIndexSwitches(getOperation());
    mica::separateZeroArctangents(getOperation());
    getOperation()->walk(guardIndexCast<arith::IndexCastOp>);
    getOperation()->walk(guardIndexCast<arith::IndexCastUIOp>);
    getOperation()->walk(guardIndexProduct<arith::MulSIExtendedOp>);
    getOperation()->walk(guardIndexProduct<arith::MulUIExtendedOp>);
    getOperation()->walk(guardIndexDifference);
    getOperation()->walk(guardIndexCeilDivision);
    getOperation()->walk(dropOverflowFlags<arith::AddIOp>);
    getOperation()->walk(dropOverflowFlags<arith::SubIOp>);
    getOperation()->walk(guard<arith::XOrIOp, mica::BitwiseXorOp>);
    getOperation()->walk(guard<arith::SubIOp, mica::SubOp>);
    getOperation()->walk([](arith::CmpIOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      auto operand = dyn_cast<RankedTensorType>(op.getLhs().getType());
      if (!type || !operand || type.hasStaticShape() || !operand.getElementType().isSignlessInteger())
        return;
      std::optional<mica::Comparison> kind = comparisonOf(op);
      if (!kind)
        return;
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          mica::CompareOp::create(builder, op.getLoc(), type, *kind, op.getLhs(), op.getRhs()).getResult());
      op.erase();
    });
  }
};

} // namespace
