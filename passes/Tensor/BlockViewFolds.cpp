//===- BlockViewFolds.cpp - blocking upstream folds of views ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The canonicalization of `tensor.expand_shape` crashes if a size is a constant that is dynamic in the type; the size
// becomes a value instead. Those of `tensor.extract_slice` and of insertions drop the first dimensions of size 1, and
// when an operand becomes static these may be others than before. So constant sizes of a rank-reducing slice are made
// static here, and where others may become 1, the slice has all dimensions, and a reshape of it drops them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/BlockViewFolds.h"

#include "dialects/DroppedDims.h"
#include "dialects/ReducedSubviews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

/// Before: `tensor.expand_shape %x [[0, 1]] output_shape [4, 2] : tensor<?xf32> into tensor<4x?xf32>`. After: `[4,
/// %c2]`.
static void guardExpandedSizes(tensor::ExpandShapeOp op) {
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
static void guardReducedSlice(tensor::ExtractSliceOp op) {
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

/// Whether a size of 1 that the slice keeps, or one that may become 1, stands before a size of 1 that it drops, with a
/// dimension that may be larger between them; and an operand may become a constant.
template <typename SliceOp> static bool mayDropOthers(SliceOp op, const llvm::SmallBitVector &dropped) {
  if (op.getOffsets().empty() && op.getSizes().empty() && op.getStrides().empty())
    return false;
  bool keepsOne = false, keepsMore = false;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    const std::optional<int64_t> known = isa<Attribute>(size) ? getConstantIntValue(size) : std::nullopt;
    if (dropped[dim]) {
      if (keepsMore)
        return true;
      continue;
    }
    keepsMore |= keepsOne && known != 1;
    keepsOne |= !known || known == 1;
  }
  return false;
}

static RankedTensorType wholeType(RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(isa<Attribute>(size) ? *getConstantIntValue(size) : ShapedType::kDynamic);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Before: `tensor.extract_slice %x[0, 0, 0] [%m, %n, 1] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x?xf32>`. After: a
/// slice to `tensor<?x?x1xf32>`, which is collapsed.
static void reshapeReducedSlice(tensor::ExtractSliceOp op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  if (op.getType().getEncoding() || !mayDropOthers(op, dropped))
    return;
  OpBuilder builder(op);
  Value whole =
      tensor::ExtractSliceOp::create(builder, op.getLoc(), wholeType(op.getType(), op.getMixedSizes()), op.getSource(),
                                     op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
  op.replaceAllUsesWith(
      tensor::CollapseShapeOp::create(builder, op.getLoc(), op.getType(), whole, mica::groupsOfKept(dropped))
          .getResult());
  op.erase();
}

/// The same for what is inserted: its shape is expanded.
template <typename InsertOp> static void reshapeReducedInsertion(InsertOp op) {
  const llvm::SmallBitVector dropped = op.getDroppedDims();
  if (op.getSourceType().getEncoding() || !mayDropOthers(op, dropped))
    return;
  // In scf.forall, in front of the terminator that inserts.
  Operation *at = isa<tensor::ParallelInsertSliceOp>(op) ? op->getParentOp() : op.getOperation();
  OpBuilder builder(at);
  op.getSourceMutable().assign(
      tensor::ExpandShapeOp::create(builder, op.getLoc(), wholeType(op.getSourceType(), op.getMixedSizes()),
                                    op.getSource(), mica::groupsOfKept(dropped), op.getMixedSizes()));
}

void mica::blockViewFolds(Operation *root) {
  reshapeReducedSubviews(root);
  root->walk(guardExpandedSizes);
  root->walk(guardReducedSlice);
  root->walk(reshapeReducedSlice);
  root->walk(reshapeReducedInsertion<tensor::InsertSliceOp>);
  root->walk(reshapeReducedInsertion<tensor::ParallelInsertSliceOp>);
}
