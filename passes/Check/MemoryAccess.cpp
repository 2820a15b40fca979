//===- MemoryAccess.cpp - the elements that an operation accesses -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A masked vector accesses all elements up to its last active lane; a transfer that may exceed its buffer accesses
// those that are inside, so that only a negative start is out of bounds; of a gather, the smallest offset is checked if
// it is negative, else the largest.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using check::Access;

bool mica::isKnownAccess(Operation *op) {
  return isa<vector::CompressStoreOp, vector::ExpandLoadOp, memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
             memref::GenericAtomicRMWOp, memref::SubViewOp, vector::LoadOp, vector::StoreOp, vector::TransferReadOp,
             vector::TransferWriteOp, vector::MaskedLoadOp, vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp>(
             op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
}

bool mica::isUnknownAccess(Operation *op) {
  if (isKnownAccess(op))
    return false;
  if (isa<memref::ReinterpretCastOp, memref::ViewOp, memref::ExtractAlignedPointerAsIndexOp, memref::CopyOp,
          LLVM::LoadOp, LLVM::StoreOp>(op))
    return true;
  return (isa<CallOpInterface>(op) || isa_and_present<nvgpu::NVGPUDialect>(op->getDialect())) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType, LLVM::LLVMPointerType>);
}

/// The size of dimension `dim` of `buffer`, a buffer or a tensor.
static Value extentOf(OpBuilder &builder, Location loc, Value buffer, int64_t dim) {
  if (isa<TensorType>(buffer.getType()))
    return builder.createOrFold<tensor::DimOp>(loc, buffer, dim);
  return builder.createOrFold<memref::DimOp>(loc, buffer, dim);
}

namespace {

/// No target compiles longer vectors; a constant of their lanes may not even fit in memory.
constexpr int64_t kMostLanes = 1 << 20;

/// Computes the sizes of one access.
struct Sizes {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  Value max(Value a, int64_t b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, constant(b)); }

  Value min(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }

  /// One more than the last active lane of `mask` in dimension `dim` of its vector.
  Value reach(Value mask, int64_t dim) {
    auto type = cast<VectorType>(mask.getType());
    if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
      return max(min(create.getOperand(dim), constant(type.getDimSize(dim))), 0);
    if (auto create = mask.getDefiningOp<vector::ConstantMaskOp>())
      return constant(create.getMaskDimSizes()[dim]);
    if (type.getRank() != 1 || type.getDimSize(0) > kMostLanes)
      return constant(type.getDimSize(dim));
    // The number of the last active lane, from 1; 0 if there is none.
    auto lanes = VectorType::get(type.getShape(), builder.getI64Type());
    SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(1, type.getDimSize(0) + 1));
    Value counted = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(lanes, ArrayRef(numbers)));
    Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(lanes));
    Value on = arith::SelectOp::create(builder, loc, mask, counted, none);
    Value last = vector::ReductionOp::create(builder, loc, vector::CombiningKind::MAXUI, on);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), last);
  }

  /// One element in each dimension of the buffer except the last ones, which a vector of `type` spans.
  SmallVector<Value> ofVector(size_t rank, VectorType type, Value mask = {}) {
    SmallVector<Value> sizes(rank, constant(1));
    assert(type.getRank() <= int64_t(rank) && "refused by mica-tensor-verify-input");
    for (int64_t dim = 0, first = static_cast<int64_t>(rank) - type.getRank(); dim < type.getRank(); ++dim)
      sizes[first + dim] = mask ? reach(mask, dim) : constant(type.getDimSize(dim));
    return sizes;
  }

  /// As many neighbors as `mask` has active lanes.
  SmallVector<Value> ofActive(size_t rank, Value mask) {
    auto lanes = VectorType::get(cast<VectorType>(mask.getType()).getShape(), builder.getI64Type());
    Value ones = arith::ExtUIOp::create(builder, loc, lanes, mask);
    Value count = vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD, ones);
    SmallVector<Value> sizes(rank, constant(1));
    sizes.back() = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), count);
    return sizes;
  }

  SmallVector<Value> ofTransfer(VectorTransferOpInterface op) {
    auto type = cast<ShapedType>(op.getBase().getType());
    SmallVector<Value> sizes(type.getRank(), constant(1));
    VectorType vector = op.getVectorType();
    Value mask = op.getMask();
    // A mask has the non-broadcast dimensions, in the buffer's order.
    auto maskDim = [&](unsigned position) {
      return llvm::count_if(op.getPermutationMap().getResults(), [&](AffineExpr other) {
        auto place = dyn_cast<AffineDimExpr>(other);
        return place && place.getPosition() < position;
      });
    };
    for (auto [dim, result] : llvm::enumerate(op.getPermutationMap().getResults())) {
      auto place = dyn_cast<AffineDimExpr>(result);
      if (!place)
        continue; // a broadcast: one element
      const unsigned position = place.getPosition();
      Value size = mask ? reach(mask, maskDim(position)) : constant(vector.getDimSize(dim));
      if (!op.isDimInBounds(dim)) {
        Value extent = extentOf(builder, loc, op.getBase(), position);
        Value left = builder.createOrFold<arith::SubIOp>(loc, extent, op.getIndices()[position]);
        size = max(min(size, left), 0);
      }
      sizes[position] = size;
    }
    return sizes;
  }
};

/// The offset of a gather or scatter that is outside where one is: the smallest if it is negative, else the largest.
void addOffsets(Sizes &make, MemoryAccess &access, Value offsets, Value mask) {
  OpBuilder &builder = make.builder;
  auto type = cast<VectorType>(offsets.getType());
  Type element = type.getElementType();
  const unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto reduced = [&](vector::CombiningKind kind, const APInt &neutral) -> Value {
    Value other = arith::ConstantOp::create(builder, make.loc,
                                            DenseElementsAttr::get(type, builder.getIntegerAttr(element, neutral)));
    Value active = arith::SelectOp::create(builder, make.loc, mask, offsets, other);
    if (type.getRank() != 1)
      active =
          vector::ShapeCastOp::create(builder, make.loc, VectorType::get({type.getNumElements()}, element), active);
    Value result = vector::ReductionOp::create(builder, make.loc, kind, active);
    return element.isIndex()
               ? result
               : arith::IndexCastOp::create(builder, make.loc, builder.getIndexType(), result).getResult();
  };
  Value least = reduced(vector::CombiningKind::MINSI, APInt::getSignedMaxValue(width));
  Value largest = reduced(vector::CombiningKind::MAXSI, APInt::getSignedMinValue(width));
  Value any = arith::CmpIOp::create(builder, make.loc, arith::CmpIPredicate::sle, least, largest);
  access.sizes.assign(access.indices.size(), make.constant(1));
  access.sizes.back() = arith::SelectOp::create(builder, make.loc, any, make.constant(1), make.constant(0));
  Value first = arith::AddIOp::create(builder, make.loc, access.indices.back(), least);
  Value last = arith::AddIOp::create(builder, make.loc, access.indices.back(), largest);
  Value isBefore = arith::CmpIOp::create(builder, make.loc, arith::CmpIPredicate::slt, first, make.constant(0));
  access.indices.back() = arith::SelectOp::create(builder, make.loc, isBefore, first, last);
}

MemoryAccess describeSubView(Sizes &make, memref::SubViewOp op) {
  OpBuilder &builder = make.builder;
  MemoryAccess access{Access::Slice, op.getSource(), {}, {}};
  AffineExpr size, stride;
  bindSymbols(op.getContext(), size, stride);
  for (auto [offset, count, step] : llvm::zip(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    access.indices.push_back(getValueOrCreateConstantIndexOp(builder, make.loc, offset));
    Value number = getValueOrCreateConstantIndexOp(builder, make.loc, count);
    if (getConstantIntValue(step) == 1 || getConstantIntValue(count) == 0) {
      access.sizes.push_back(number);
      continue;
    }
    OpFoldResult reached =
        affine::makeComposedFoldedAffineApply(builder, make.loc, (size - 1) * stride + 1, {count, step});
    Value span = getValueOrCreateConstantIndexOp(builder, make.loc, reached);
    // With a count of 0 nothing is accessed; a negative count is an error of the slice itself.
    if (!getConstantIntValue(count)) {
      Value some = arith::CmpIOp::create(builder, make.loc, arith::CmpIPredicate::sgt, number, make.constant(0));
      span = arith::SelectOp::create(builder, make.loc, some, span, number);
    }
    access.sizes.push_back(span);
  }
  return access;
}

} // namespace

MemoryAccess mica::describeAccess(OpBuilder &builder, Operation *op) {
  Sizes make{builder, op->getLoc()};
  return llvm::TypeSwitch<Operation *, MemoryAccess>(op)
      .Case([&](memref::LoadOp load) -> MemoryAccess {
        return {Access::Load, load.getMemRef(), llvm::to_vector_of<Value>(load.getIndices()), {}};
      })
      .Case([&](memref::StoreOp store) -> MemoryAccess {
        return {Access::Store, store.getMemRef(), llvm::to_vector_of<Value>(store.getIndices()), {}};
      })
      .Case([&](memref::AtomicRMWOp atomic) -> MemoryAccess {
        return {Access::Store, atomic.getMemref(), llvm::to_vector_of<Value>(atomic.getIndices()), {}};
      })
      .Case([&](memref::GenericAtomicRMWOp atomic) -> MemoryAccess {
        return {Access::Store, atomic.getMemref(), llvm::to_vector_of<Value>(atomic.getIndices()), {}};
      })
      .Case([&](vector::LoadOp load) -> MemoryAccess {
        return {Access::Load, load.getBase(), llvm::to_vector_of<Value>(load.getIndices()),
                make.ofVector(load.getIndices().size(), load.getVectorType())};
      })
      .Case([&](vector::StoreOp store) -> MemoryAccess {
        return {Access::Store, store.getBase(), llvm::to_vector_of<Value>(store.getIndices()),
                make.ofVector(store.getIndices().size(), store.getVectorType())};
      })
      .Case([&](vector::MaskedLoadOp load) -> MemoryAccess {
        return {Access::Load, load.getBase(), llvm::to_vector_of<Value>(load.getIndices()),
                make.ofVector(load.getIndices().size(), load.getVectorType(), load.getMask())};
      })
      .Case([&](vector::MaskedStoreOp store) -> MemoryAccess {
        return {Access::Store, store.getBase(), llvm::to_vector_of<Value>(store.getIndices()),
                make.ofVector(store.getIndices().size(), store.getVectorType(), store.getMask())};
      })
      .Case([&](vector::TransferReadOp read) -> MemoryAccess {
        return {Access::Load, read.getBase(), llvm::to_vector_of<Value>(read.getIndices()), make.ofTransfer(read)};
      })
      .Case([&](vector::TransferWriteOp write) -> MemoryAccess {
        return {Access::Store, write.getBase(), llvm::to_vector_of<Value>(write.getIndices()), make.ofTransfer(write)};
      })
      .Case([&](vector::CompressStoreOp store) -> MemoryAccess {
        return {Access::Store, store.getBase(), llvm::to_vector_of<Value>(store.getIndices()),
                make.ofActive(store.getIndices().size(), store.getMask())};
      })
      .Case([&](vector::ExpandLoadOp load) -> MemoryAccess {
        return {Access::Load, load.getBase(), llvm::to_vector_of<Value>(load.getIndices()),
                make.ofActive(load.getIndices().size(), load.getMask())};
      })
      .Case([&](vector::GatherOp gather) {
        MemoryAccess access{Access::Load, gather.getBase(), llvm::to_vector_of<Value>(gather.getOffsets()), {}};
        addOffsets(make, access, gather.getIndices(), gather.getMask());
        return access;
      })
      .Case([&](vector::ScatterOp scatter) {
        MemoryAccess access{Access::Store, scatter.getBase(), llvm::to_vector_of<Value>(scatter.getOffsets()), {}};
        addOffsets(make, access, scatter.getIndices(), scatter.getMask());
        return access;
      })
      .Case([&](memref::SubViewOp view) { return describeSubView(make, view); });
}

SmallVector<Value> mica::reportedValues(OpBuilder &builder, Location loc, Value buffer, ValueRange indices,
                                        ValueRange sizes) {
  SmallVector<Value> values;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    values.push_back(index);
    values.push_back(sizes.empty() ? arith::ConstantIndexOp::create(builder, loc, 1).getResult() : sizes[dim]);
    values.push_back(extentOf(builder, loc, buffer, int64_t(dim)));
  }
  return values;
}

Value mica::buildInBounds(OpBuilder &builder, Location loc, Value buffer, ValueRange indices, ValueRange sizes) {
  auto type = cast<ShapedType>(buffer.getType());
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
  };
  auto both = [&](Value a, Value b) -> Value { return builder.createOrFold<arith::AndIOp>(loc, a, b); };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value inside = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)), empty;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value index = indices[dim];
    Value size = sizes.empty() ? one : sizes[dim];
    Value extent = extentOf(builder, loc, buffer, dim);
    // Unsigned comparison: negative indices are larger than every extent.
    inside = both(inside, compare(arith::CmpIPredicate::ult, index, extent));
    std::optional<int64_t> number = getConstantIntValue(size);
    if (number == 1)
      continue;
    Value before = builder.createOrFold<arith::SubIOp>(loc, size, one);
    Value last = builder.createOrFold<arith::AddIOp>(loc, index, before);
    inside = both(inside, compare(arith::CmpIPredicate::ult, last, extent));
    if (number && *number > 0)
      continue;
    inside = both(inside, compare(arith::CmpIPredicate::sgt, size, zero));
    Value none = compare(arith::CmpIPredicate::eq, size, zero);
    empty = empty ? builder.createOrFold<arith::OrIOp>(loc, empty, none) : none;
  }
  return empty ? builder.createOrFold<arith::OrIOp>(loc, inside, empty) : inside;
}
