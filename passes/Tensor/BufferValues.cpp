//===- BufferValues.cpp - tensor values of buffers --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Views of buffers as ops on tensors: a subview is read by extract_slice and written by insert_slice, reshapes by
// reshapes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/BufferValues.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mica;

bool mica::isBufferView(Operation *op) {
  return isa<memref::CastOp, memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp, memref::TransposeOp,
             memref::ReinterpretCastOp, memref::ReshapeOp, memref::ViewOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp>(op);
}

Value mica::rootOfBuffer(Value buffer) {
  while (Operation *def = buffer.getDefiningOp()) {
    if (!isBufferView(def))
      break;
    buffer = def->getOperand(0);
  }
  return buffer;
}

RankedTensorType mica::tensorTypeOf(MemRefType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

bool BufferValues::canFollow(Value buffer) const {
  while (!isKnown(buffer)) {
    Operation *def = buffer.getDefiningOp();
    if (!isa_and_present<memref::CastOp, memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
                         memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(def) ||
        !isa<MemRefType>(buffer.getType()))
      return false;
    buffer = def->getOperand(0);
  }
  return isa<MemRefType>(buffer.getType());
}

/// `tensor` cast to `type`, which has more or fewer static sizes.
static Value castTo(OpBuilder &builder, Location loc, Value tensor, RankedTensorType type) {
  return tensor.getType() == type ? tensor : tensor::CastOp::create(builder, loc, type, tensor).getResult();
}

/// The location of what stands for `view` in an access at `loc`: a slice that is not inside is an error of the view.
static Location locationOfView(Operation *view, Location loc) {
  return mica::hasOpIds(view->getLoc()) ? view->getLoc() : loc;
}

Value BufferValues::read(OpBuilder &builder, Location loc, Value buffer) {
  if (isKnown(buffer))
    return current[buffer];
  Operation *def = buffer.getDefiningOp();
  Value source = read(builder, loc, def->getOperand(0));
  RankedTensorType type = tensorTypeOf(cast<MemRefType>(buffer.getType()));
  if (auto view = dyn_cast<memref::SubViewOp>(def))
    return tensor::ExtractSliceOp::create(builder, locationOfView(view, loc), type, source, view.getMixedOffsets(),
                                          view.getMixedSizes(), view.getMixedStrides());
  if (auto view = dyn_cast<memref::CollapseShapeOp>(def))
    return tensor::CollapseShapeOp::create(builder, loc, type, source, view.getReassociationIndices());
  if (auto view = dyn_cast<memref::ExpandShapeOp>(def))
    return tensor::ExpandShapeOp::create(builder, loc, type, source, view.getReassociationIndices(),
                                         view.getMixedOutputShape());
  return castTo(builder, loc, source, type);
}

void BufferValues::write(OpBuilder &builder, Location loc, Value buffer, Value tensor) {
  if (isKnown(buffer)) {
    current[buffer] = castTo(builder, loc, tensor, tensorTypeOf(cast<MemRefType>(buffer.getType())));
    return;
  }
  Operation *def = buffer.getDefiningOp();
  Value source = def->getOperand(0);
  RankedTensorType type = tensorTypeOf(cast<MemRefType>(source.getType()));
  Value whole;
  if (auto view = dyn_cast<memref::SubViewOp>(def)) {
    whole = tensor::InsertSliceOp::create(builder, locationOfView(view, loc), tensor, read(builder, loc, source),
                                          view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides());
  } else if (auto view = dyn_cast<memref::CollapseShapeOp>(def)) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, read(builder, loc, source));
    whole =
        tensor::ExpandShapeOp::create(builder, loc, type, tensor, view.getReassociationIndices(), sizes).getResult();
  } else if (auto view = dyn_cast<memref::ExpandShapeOp>(def)) {
    whole = tensor::CollapseShapeOp::create(builder, loc, type, tensor, view.getReassociationIndices());
  } else {
    whole = castTo(builder, loc, tensor, type);
  }
  write(builder, loc, source, whole);
}
