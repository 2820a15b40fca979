//===- BlockDynamicFolds.cpp - ops of unknown size that upstream folds to constants of none -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// `arith.xori %x, %x` folds to a zero of its type even where that has an unknown size, which no constant can have; so
// does `(x - y) - x`, to a zero less y. The op of mica with the same meaning has no such fold. All are converted: what
// has two operands here may have one after equal ops were merged. `arith.cmpi` of a value with itself folds in the same
// way; comparisons that mica has are converted, of those without sign only the ones of a value with itself, which are
// the same as a comparison for equality.
//
// The canonicalization of `tensor.expand_shape` crashes where a size is given as a number that the type does not say;
// it is given as a value instead. That of `tensor.extract_slice` drops the first dimensions of size 1, and where it
// learns a size these may be others than were dropped; a slice that drops dimensions is given the sizes that are
// constants as numbers. `affine.delinearize_index` without results, and constants of integers without elements, crash
// upstream where they are folded, or where their ranges are inferred.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_BLOCKDYNAMICFOLDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// The comparison of mica that gives what `op` gives, if there is one.
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

/// Before: `tensor.expand_shape %x [[0, 1]] output_shape [4, 2] : tensor<?xf32> into tensor<4x?xf32>`. After: `[4,
/// %c2]`.
void guardExpandedSizes(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  OpBuilder builder(op);
  bool changed = false;
  for (auto [size, known] : llvm::zip_equal(sizes, op.getResultType().getShape())) {
    if (!ShapedType::isDynamic(known) || isa<Value>(size))
      continue;
    size = arith::ConstantIndexOp::create(builder, op.getLoc(), *getConstantIntValue(size)).getResult();
    changed = true;
  }
  if (!changed)
    return;
  op.replaceAllUsesWith(tensor::ExpandShapeOp::create(builder, op.getLoc(), op.getResultType(), op.getSrc(),
                                                      op.getReassociationIndices(), sizes)
                            .getResult());
  op.erase();
}

/// Before: `tensor.extract_slice %x[0, 0, 0] [%c1, 1, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<?x4xf32>`. After: a
/// slice of sizes `[1, 1, 4]` to `tensor<1x4xf32>`, which is cast.
void guardReducedSlice(tensor::ExtractSliceOp op) {
  RankedTensorType type = op.getResultType();
  if (type.getRank() == op.getSourceType().getRank())
    return;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  SmallVector<int64_t> shape(type.getShape());
  OpBuilder builder(op);
  bool changed = false;
  for (auto [dim, place] = std::pair<size_t, size_t>{0, 0}; dim < sizes.size(); ++dim) {
    std::optional<int64_t> known = getConstantIntValue(sizes[dim]);
    if (known && isa<Value>(sizes[dim])) {
      sizes[dim] = builder.getIndexAttr(*known);
      changed = true;
      if (!dropped[dim])
        shape[place] = *known;
    }
    place += !dropped[dim];
  }
  if (!changed)
    return;
  Value slice = tensor::ExtractSliceOp::create(builder, op.getLoc(), type.clone(shape), op.getSource(),
                                               op.getMixedOffsets(), sizes, op.getMixedStrides());
  if (slice.getType() != type)
    slice = tensor::CastOp::create(builder, op.getLoc(), type, slice);
  op.replaceAllUsesWith(slice);
  op.erase();
}

/// Converts an op of unknown size to the one of mica; of booleans a difference is the xor.
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

/// The folder of an index without parts crashes.
void eraseEmptyDelinearization(affine::AffineDelinearizeIndexOp op) {
  if (op->getNumResults() == 0)
    op.erase();
}

/// The range of values of a constant without any, of which divisions are asked for whether they may move, is read from
/// memory that is not there.
void guardEmptyConstant(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !type.getElementType().isIntOrIndex() || type.getEncoding() || !llvm::is_contained(type.getShape(), 0))
    return;
  OpBuilder builder(op);
  op.replaceAllUsesWith(
      tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType()).getResult());
  op.erase();
}

struct BlockDynamicFolds : mica::impl::BlockDynamicFoldsBase<BlockDynamicFolds> {
  void runOnOperation() override {
    getOperation()->walk(eraseEmptyDelinearization);
    getOperation()->walk(guardEmptyConstant);
    getOperation()->walk(guardExpandedSizes);
    getOperation()->walk(guardReducedSlice);
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
