//===- InlineMasks.cpp - vector.mask becomes the mask of the op inside --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See InlineMasks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/InlineMasks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// The operand of `op` that masks it, if it is of a kind that has one.
static std::optional<MutableOperandRange> maskOperand(Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return read.getMaskMutable();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return write.getMaskMutable();
  return std::nullopt;
}

static void inlineMask(vector::MaskOp mask) {
  Operation *inner = mask.getMaskableOp();
  // A value for the lanes that are off is in the order of the result, not of the mask.
  if (!inner || mask.hasPassthru())
    return;
  OpBuilder b(mask);
  Location loc = inner->getLoc();
  auto both = [&](Value own) -> Value {
    return own ? arith::AndIOp::create(b, loc, mask.getMask(), own).getResult() : mask.getMask();
  };
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner)) {
    if (!reduction.getReductionDims().empty())
      return;
    mask.replaceAllUsesWith(ValueRange{vector::makeArithReduction(
        b, loc, reduction.getKind(), reduction.getSource(), reduction.getAcc(), /*fastmath=*/nullptr, mask.getMask())});
    return mask.erase();
  }
  if (auto gather = dyn_cast<vector::GatherOp>(inner)) {
    Value merged = both(gather.getMask());
    inner->moveBefore(mask);
    gather.getMaskMutable().assign(merged);
  } else if (std::optional<MutableOperandRange> own = maskOperand(inner)) {
    Value merged = both(own->empty() ? Value() : (*own)[0].get());
    inner->moveBefore(mask);
    own->assign(merged);
  } else {
    return;
  }
  mask.replaceAllUsesWith(inner->getResults());
  mask.erase();
}

namespace {
/// A masked transfer as one whose map is a minor identity: its vector has all dimensions of the buffer from the first
/// accessed one on, of size 1 where the transfer has none.
struct OrderedTransfer {
  SmallVector<int64_t> order;    ///< by accessed dimension of the buffer, in order: its place in the transfer's vector
  SmallVector<int64_t> repeated; ///< the places of broadcasts
  SmallVector<bool> isAccessed;  ///< by dimension of the new vector
  AffineMap map;

  explicit OrderedTransfer(VectorTransferOpInterface op) {
    const AffineMap given = op.getPermutationMap();
    SmallVector<std::pair<int64_t, int64_t>> dims;
    for (auto [place, result] : llvm::enumerate(given.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        dims.push_back({dim.getPosition(), int64_t(place)});
      else
        repeated.push_back(place);
    llvm::sort(dims);
    const int64_t rank = given.getNumDims(), first = dims.empty() ? rank : dims.front().first;
    isAccessed.assign(rank - first, false);
    for (auto [position, place] : dims) {
      order.push_back(place);
      isAccessed[position - first] = true;
    }
    map = AffineMap::getMinorIdentityMap(rank, rank - first, given.getContext());
  }

  /// `type` without broadcasts, in the buffer's order.
  VectorType compact(VectorType type) const { return pick(type, order); }

  /// The type of the new vector, or of its mask, for the compact one.
  VectorType widen(VectorType type) const {
    SmallVector<int64_t> shape;
    SmallVector<bool> scalable;
    for (int64_t dim = 0, next = 0; dim < int64_t(isAccessed.size()); ++dim) {
      shape.push_back(isAccessed[dim] ? type.getDimSize(next) : 1);
      scalable.push_back(isAccessed[dim] && type.getScalableDims()[next]);
      next += isAccessed[dim];
    }
    return VectorType::get(shape, type.getElementType(), scalable);
  }

  ArrayAttr inBounds(ArrayAttr given) const {
    Builder b(given.getContext());
    SmallVector<Attribute> flags;
    for (int64_t dim = 0, next = 0; dim < int64_t(isAccessed.size()); ++dim)
      flags.push_back(isAccessed[dim] ? given[order[next++]] : b.getBoolAttr(true));
    return b.getArrayAttr(flags);
  }

  static VectorType pick(VectorType type, ArrayRef<int64_t> places) {
    SmallVector<int64_t> shape;
    SmallVector<bool> scalable;
    for (int64_t place : places) {
      shape.push_back(type.getDimSize(place));
      scalable.push_back(type.getScalableDims()[place]);
    }
    return VectorType::get(shape, type.getElementType(), scalable);
  }
};
} // namespace

static bool isReady(VectorTransferOpInterface op) {
  return !op.getMask() || op.getVectorType().getRank() == 0 || op.getPermutationMap().isMinorIdentity();
}

static Value castShape(OpBuilder &b, Location loc, VectorType type, Value value) {
  return value.getType() == type ? value : vector::ShapeCastOp::create(b, loc, type, value).getResult();
}

static void orderRead(vector::TransferReadOp read) {
  if (isReady(read))
    return;
  const OrderedTransfer ordered(read);
  if (ordered.order.empty())
    return; // one element, for all lanes
  OpBuilder b(read);
  Location loc = read.getLoc();
  VectorType type = read.getVectorType(), compact = ordered.compact(type);
  Value mask = castShape(b, loc, ordered.widen(cast<VectorType>(read.getMask().getType())), read.getMask());
  Value value = vector::TransferReadOp::create(b, loc, ordered.widen(compact), read.getBase(), read.getIndices(),
                                               AffineMapAttr::get(ordered.map), read.getPadding(), mask,
                                               ordered.inBounds(read.getInBounds()));
  value = castShape(b, loc, compact, value);
  SmallVector<int64_t> places(ordered.repeated); // in the vector, of the dimensions of `value`
  llvm::append_range(places, ordered.order);
  if (!ordered.repeated.empty())
    value = vector::BroadcastOp::create(b, loc, OrderedTransfer::pick(type, places), value);
  SmallVector<int64_t> permutation(places.size());
  for (auto [from, place] : llvm::enumerate(places))
    permutation[place] = from;
  if (!llvm::is_sorted(permutation))
    value = vector::TransposeOp::create(b, loc, value, permutation);
  read.replaceAllUsesWith(value);
  read.erase();
}

static void orderWrite(vector::TransferWriteOp write) {
  const OrderedTransfer ordered(write);
  if (isReady(write) || !ordered.repeated.empty())
    return;
  OpBuilder b(write);
  Location loc = write.getLoc();
  Value value = write.getVector();
  if (!llvm::is_sorted(ordered.order))
    value = vector::TransposeOp::create(b, loc, value, ordered.order);
  write.getValueToStoreMutable().assign(castShape(b, loc, ordered.widen(cast<VectorType>(value.getType())), value));
  write.getMaskMutable().assign(
      castShape(b, loc, ordered.widen(cast<VectorType>(write.getMask().getType())), write.getMask()));
  write.setInBoundsAttr(ordered.inBounds(write.getInBounds()));
  write.setPermutationMapAttr(AffineMapAttr::get(ordered.map));
}

void mica::orderMaskedTransfers(Operation *root) {
  root->walk(orderRead);
  root->walk(orderWrite);
}

void mica::inlineMasks(Operation *root) {
  root->walk(inlineMask);
  orderMaskedTransfers(root);
}
