//===- Shadows.cpp - shadows of buffers -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Shadows.h"

#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Kinds of operations
//===------------------------------------------------------------------------------------------------------------===//

OpOperand *mica::storedOperand(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpOperand *>(op)
      .Case([](memref::StoreOp store) { return &store.getValueMutable(); })
      .Case<vector::StoreOp, vector::MaskedStoreOp, vector::ScatterOp, vector::CompressStoreOp,
            vector::TransferWriteOp>([](auto store) { return &store.getValueToStoreMutable(); })
      .Default([](Operation *) { return nullptr; });
}

OpOperand *mica::storedBuffer(Operation *op) {
  OpOperand *buffer = llvm::TypeSwitch<Operation *, OpOperand *>(op)
                          .Case([](memref::StoreOp store) { return &store.getMemrefMutable(); })
                          .Case<vector::StoreOp, vector::MaskedStoreOp, vector::ScatterOp, vector::CompressStoreOp,
                                vector::TransferWriteOp>([](auto store) { return &store.getBaseMutable(); })
                          .Default([](Operation *) { return nullptr; });
  return buffer && isa<MemRefType>(buffer->get().getType()) ? buffer : nullptr;
}

OpOperand *mica::loadedBuffer(Operation *op) {
  OpOperand *buffer =
      llvm::TypeSwitch<Operation *, OpOperand *>(op)
          .Case([](memref::LoadOp load) { return &load.getMemrefMutable(); })
          .Case<vector::LoadOp, vector::MaskedLoadOp, vector::GatherOp, vector::ExpandLoadOp, vector::TransferReadOp>(
              [](auto load) { return &load.getBaseMutable(); })
          .Default([](Operation *) { return nullptr; });
  return buffer && isa<MemRefType>(buffer->get().getType()) ? buffer : nullptr;
}

bool mica::isUsedByChoice(Operation *op) {
  return op->getNumResults() == 1 && op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
         !isa<arith::SelectOp>(op) && op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) &&
         !op->use_empty() && llvm::all_of(op->getResult(0).getUses(), [](OpOperand &use) {
           return isa<arith::SelectOp>(use.getOwner()) && use.getOperandNumber() > 0;
         });
}

bool mica::isMovement(Operation *op) {
  if (isa<arith::BitcastOp>(op) || isUsedByChoice(op))
    return true;
  if (auto cast = dyn_cast<vector::BitCastOp>(op))
    return cast.getSourceVectorType().getShape() == cast.getResultVectorType().getShape();
  return isa<arith::SelectOp, vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp, vector::ExtractOp,
             vector::InsertOp, vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp, vector::ShuffleOp,
             vector::FromElementsOp, vector::ToElementsOp, vector::InterleaveOp, vector::DeinterleaveOp>(op);
}

bool mica::isMoved(OpOperand &operand) {
  const unsigned number = operand.getOperandNumber();
  return llvm::TypeSwitch<Operation *, bool>(operand.getOwner())
      .Case([&](arith::SelectOp) { return number > 0; })
      .Case([&](vector::ExtractOp) { return number == 0; })
      .Case([&](vector::InsertOp) { return number < 2; })
      .Default([](Operation *op) { return isMovement(op); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Indices behind views
//===------------------------------------------------------------------------------------------------------------===//

/// The index into a shape of `sizes` at row-major position `linear`.
static SmallVector<Value> delinearized(OpBuilder &builder, Location loc, Value linear, ArrayRef<Value> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (size_t dim = sizes.size(); dim-- > 0;) {
    indices[dim] = dim ? arith::RemUIOp::create(builder, loc, linear, sizes[dim]).getResult() : linear;
    if (dim)
      linear = arith::DivUIOp::create(builder, loc, linear, sizes[dim]);
  }
  return indices;
}

static Value linearized(OpBuilder &builder, Location loc, ArrayRef<Value> indices, ArrayRef<Value> sizes) {
  Value linear = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [index, size] : llvm::zip(indices, sizes)) {
    linear = arith::MulIOp::create(builder, loc, linear, size);
    linear = arith::AddIOp::create(builder, loc, linear, index);
  }
  return linear;
}

std::pair<Value, SmallVector<Value>> mica::indexInMemory(RewriterBase &builder, Location loc, Value buffer,
                                                         ArrayRef<Value> given) {
  SmallVector<Value> indices(given);
  auto sizesOf = [&](Value of, ArrayRef<int64_t> dims) {
    SmallVector<Value> sizes;
    for (int64_t dim : dims)
      sizes.push_back(builder.createOrFold<memref::DimOp>(loc, of, dim));
    return sizes;
  };
  auto picked = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t dim) { return indices[dim]; });
  };
  for (;;) {
    if (auto view = buffer.getDefiningOp<memref::SubViewOp>()) {
      SmallVector<Value> source;
      affine::resolveIndicesIntoOpWithOffsetsAndStrides(builder, loc, view.getMixedOffsets(), view.getMixedStrides(),
                                                        view.getDroppedDims(), getAsOpFoldResult(indices), source);
      indices = source;
      buffer = view.getSource();
    } else if (auto view = buffer.getDefiningOp<memref::ExpandShapeOp>()) {
      SmallVector<Value> source;
      for (ArrayRef<int64_t> group : view.getReassociationIndices())
        source.push_back(linearized(builder, loc, picked(group), sizesOf(buffer, group)));
      indices = source;
      buffer = view.getSrc();
    } else if (auto view = buffer.getDefiningOp<memref::CollapseShapeOp>()) {
      SmallVector<Value> source;
      for (auto [dim, group] : llvm::enumerate(view.getReassociationIndices()))
        llvm::append_range(source, delinearized(builder, loc, indices[dim], sizesOf(view.getSrc(), group)));
      indices = source;
      buffer = view.getSrc();
    } else if (auto view = buffer.getDefiningOp<memref::TransposeOp>()) {
      SmallVector<Value> source(indices.size());
      for (auto [dim, expr] : llvm::enumerate(view.getPermutation().getResults()))
        source[cast<AffineDimExpr>(expr).getPosition()] = indices[dim];
      indices = source;
      buffer = view.getIn();
    } else if (auto view = buffer.getDefiningOp<memref::CastOp>();
               view && isa<MemRefType>(view.getSource().getType())) {
      buffer = view.getSource();
    } else if (auto view = buffer.getDefiningOp<memref::AssumeAlignmentOp>()) {
      buffer = view.getViewSource();
    } else {
      return {buffer, indices};
    }
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// Removing shadows
//===------------------------------------------------------------------------------------------------------------===//

void mica::dropShadows(Operation *root, llvm::function_ref<bool(check::ShadowOp)> drop) {
  SmallVector<check::ShadowOp> shadows;
  root->walk([&](check::ShadowOp op) {
    if (drop(op))
      shadows.push_back(op);
  });
  for (check::ShadowOp shadow : shadows) {
    // Users follow their operands, so they are erased first.
    SmallVector<Operation *> users{shadow};
    for (size_t i = 0; i < users.size(); ++i)
      for (Value result : users[i]->getResults())
        if (isa<MemRefType>(result.getType()))
          for (Operation *user : result.getUsers())
            if (!llvm::is_contained(users, user))
              users.push_back(user);
    Value memory = shadow.getMemory();
    for (Operation *user : llvm::reverse(users)) {
      if (loadedBuffer(user)) {
        OpBuilder builder(user);
        Type type = user->getResultTypes().front();
        user->replaceAllUsesWith(
            ValueRange{arith::ConstantOp::create(builder, user->getLoc(), builder.getZeroAttr(type))});
      }
      if (user->use_empty())
        user->erase();
    }
    auto isFree = llvm::IsaPred<memref::DeallocOp>;
    if (memory && memory.getDefiningOp<memref::AllocOp>() && llvm::all_of(memory.getUsers(), isFree)) {
      for (Operation *user : llvm::make_early_inc_range(memory.getUsers()))
        user->erase();
      memory.getDefiningOp()->erase();
    }
  }
}
