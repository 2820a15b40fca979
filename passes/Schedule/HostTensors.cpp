//===- HostTensors.cpp - memory and sizes of tensors in host functions ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HostTensors.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/HostTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

bool mica::isHostEffect(Operation *op) { return isa<func::CallOp, vector::PrintOp>(op); }

bool mica::isHostView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp, tensor::ReshapeOp, tensor::BitcastOp>(op);
}

Value mica::viewRoot(Value tensor, bool (*isView)(Operation *)) {
  while (Operation *def = tensor.getDefiningOp()) {
    auto dispatch = dyn_cast<sched::DispatchOp>(def);
    OpOperand *updated = dispatch ? dispatch.getUpdatedInput(cast<OpResult>(tensor).getResultNumber()) : nullptr;
    if (!updated && !isView(def))
      break;
    tensor = updated ? updated->get() : def->getOperand(0);
  }
  return tensor;
}

MemRefType mica::bufferTypeOf(Value tensor) {
  if (auto memref = dyn_cast<MemRefType>(tensor.getType()))
    return memref;
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

Value HostSizes::size(Value tensor, int64_t dim) {
  Value made = known.lookup({tensor, dim});
  if (!made)
    made = compute(tensor, dim);
  while (Value newer = replaced.lookup(made))
    made = newer;
  known[{tensor, dim}] = made;
  return made;
}

SmallVector<Value> HostSizes::dynamicSizes(Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(size(tensor, dim));
  return sizes;
}

Value HostSizes::compute(Value tensor, int64_t dim) {
  OpBuilder builder(tensor.getContext());
  Location loc = tensor.getLoc();
  Operation *def = tensor.getDefiningOp();
  if (def)
    builder.setInsertionPointAfter(def);
  else
    builder.setInsertionPointToStart(cast<BlockArgument>(tensor).getOwner());
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  if (auto dispatch = dyn_cast_or_null<sched::DispatchOp>(def))
    return dispatch.getResultSizes(cast<OpResult>(tensor).getResultNumber())[type.getDynamicDimIndex(dim)];
  if (auto code = dyn_cast_or_null<sched::BufferRegionOp>(def))
    return size(code.getUpdates()[cast<OpResult>(tensor).getResultNumber()], dim);
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(def))
    return empty.getDynamicSizes()[type.getDynamicDimIndex(dim)];
  if (isa_and_present<tensor::CastOp, tensor::BitcastOp>(def))
    return size(def->getOperand(0), dim);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def))
    // A size may be static here and dynamic in the type.
    return getValueOrCreateConstantIndexOp(builder, loc, expand.getMixedOutputShape()[dim]);
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(def)) {
    Value product;
    const SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    for (int64_t source : groups[dim]) {
      Value factor = size(collapse.getSrc(), source);
      product = product ? arith::MulIOp::create(builder, loc, product, factor).getResult() : factor;
    }
    return product;
  }
  if (auto reshape = dyn_cast_or_null<tensor::ReshapeOp>(def)) {
    // The sizes are elements of a tensor, or of the buffer that replaced it.
    Value position = arith::ConstantIndexOp::create(builder, loc, dim), shape = reshape.getShape(), element;
    if (isa<MemRefType>(shape.getType())) {
      if (!isa<BlockArgument>(shape) || !isa<func::FuncOp>(shape.getParentBlock()->getParentOp()))
        sched::WaitOp::create(builder, loc);
      element = memref::LoadOp::create(builder, loc, shape, position);
    } else {
      element = tensor::ExtractOp::create(builder, loc, shape, position);
    }
    return element.getType().isIndex()
               ? element
               : arith::IndexCastOp::create(builder, loc, builder.getIndexType(), element).getResult();
  }
  if (isa<MemRefType>(type))
    return memref::DimOp::create(builder, loc, tensor, dim);
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

//===------------------------------------------------------------------------------------------------------------===//
// Segments
//===------------------------------------------------------------------------------------------------------------===//

static bool touchesTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

/// Whether all dispatches before `op` must be submitted before `op`.
static bool endsSegment(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isHostView(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::DimOp, tensor::EmptyOp, tensor::FromElementsOp>(op))
    return false;
  if (isHostEffect(op))
    return true;
  return op
      ->walk([](Operation *inner) { return touchesTensors(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

static void findSegments(Region &region, SmallVectorImpl<Segment> &segments) {
  for (Block &block : region) {
    Segment current;
    for (Operation &op : block) {
      if (auto dispatch = dyn_cast<sched::DispatchOp>(op)) {
        current.dispatches.push_back(dispatch);
        continue;
      }
      if (!current.dispatches.empty() && endsSegment(&op)) {
        current.end = &op;
        segments.push_back(std::move(current));
        current = Segment();
      }
      for (Region &inner : op.getRegions())
        findSegments(inner, segments);
    }
  }
}

SmallVector<Segment> mica::findSegments(func::FuncOp function) {
  SmallVector<Segment> segments;
  ::findSegments(function.getBody(), segments);
  return segments;
}
