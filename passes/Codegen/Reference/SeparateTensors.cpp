//===- SeparateTensors.cpp - separating tensors and buffers ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A tensor is a value: it does not change when a buffer that shares its memory is stored to. So conversions between the
// two copy. Linalg ops on buffers become ops on tensors, which the following passes support:
//
//   linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
//   =>
//   %0, %1 = bufferization.to_tensor %x, %y
//   %2 = linalg.exp ins(%0 : tensor<4xf32>) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
//   memref.copy (bufferization.to_buffer %2), %y
//
// Memory that is read before it is written is 0, as in the reference evaluator: new tensors and buffers are filled.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Tensor/Arctangents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mica {
#define GEN_PASS_DEF_SEPARATETENSORS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static MemRefType contiguous(ShapedType type) { return MemRefType::get(type.getShape(), type.getElementType()); }

/// A copy of `buffer`.
static Value copyOf(OpBuilder &b, Location loc, Value buffer) {
  MemRefType type = contiguous(cast<MemRefType>(buffer.getType()));
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, d));
  Value copy = allocate(b, loc, type, sizes);
  memref::CopyOp::create(b, loc, buffer, copy);
  return copy;
}

/// Applies `op` to the current contents of its buffers. Inputs are read in place, since nothing is stored to them
/// before.
static void liftToTensors(DestinationStyleOpInterface op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> operands, targets;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    auto buffer = dyn_cast<MemRefType>(value.getType());
    if (buffer)
      value = bufferization::ToTensorOp::create(
          b, loc, RankedTensorType::get(buffer.getShape(), buffer.getElementType()), value, /*restrict=*/true);
    operands.push_back(value);
    if (!op.isDpsInit(&operand))
      continue;
    targets.push_back(operand.get());
    types.push_back(value.getType());
  }
  Operation *made = clone(b, op, types, operands);
  for (auto [result, target] : llvm::zip_equal(made->getResults(), targets)) {
    auto type = contiguous(cast<ShapedType>(target.getType()));
    Value from = bufferization::ToBufferOp::create(b, loc, type, result, /*read_only=*/true);
    memref::CopyOp::create(b, loc, from, target);
  }
  op->erase();
}

/// Fills `made`, a new uninitialized tensor or buffer, with zeros.
static void fillWithZeros(Value made) {
  OpBuilder b(made.getContext());
  b.setInsertionPointAfterValue(made);
  TypedAttr zero = b.getZeroAttr(cast<ShapedType>(made.getType()).getElementType());
  if (!zero)
    return;
  auto fill =
      linalg::FillOp::create(b, made.getLoc(), arith::ConstantOp::create(b, made.getLoc(), zero).getResult(), made);
  if (fill.getNumResults() == 1)
    made.replaceAllUsesExcept(fill.getResult(0), fill);
}

/// The tensor of which `value` is a part.
static Value wholeOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Gives a destination that stands for no buffer memory of its own: bufferization must write the result there, and
/// arguments and constants are only read.
static void copyDestination(bufferization::MaterializeInDestinationOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getDest().getType());
  if (!type || wholeOf(op.getDest()).getDefiningOp<bufferization::ToTensorOp>())
    return;
  OpBuilder b(op);
  op.getDestMutable().assign(
      bufferization::AllocTensorOp::create(b, op.getLoc(), type, /*dynamicSizes=*/ValueRange(), op.getDest()));
}

namespace {
struct SeparateTensors : mica::impl::SeparateTensorsBase<SeparateTensors> {
  void runOnOperation() override {
    // Before upstream's passes, which fold.
    separateZeroArctangents(getOperation());
    SmallVector<DestinationStyleOpInterface> structured;
    SmallVector<bufferization::ToBufferOp> buffers;
    SmallVector<bufferization::ToTensorOp> tensors;
    SmallVector<bufferization::MaterializeInDestinationOp> materialized;
    SmallVector<Value> undefined;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Code of later phases manages its memory.
      if (isa<sched::BufferRegionOp>(op))
        return WalkResult::skip();
      auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
      if (destinations && isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
          destinations.hasPureBufferSemantics())
        structured.push_back(destinations);
      else if (auto buffer = dyn_cast<bufferization::ToBufferOp>(op))
        buffers.push_back(buffer);
      else if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
        tensors.push_back(tensor);
      else if (auto out = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
        materialized.push_back(out);
      else if (auto allocated = dyn_cast<bufferization::AllocTensorOp>(op); allocated && allocated.getCopy())
        return WalkResult::advance();
      else if (isa<tensor::EmptyOp, bufferization::AllocTensorOp, memref::AllocOp, memref::AllocaOp>(op))
        undefined.push_back(op->getResult(0));
      return WalkResult::advance();
    });
    for (bufferization::MaterializeInDestinationOp op : materialized)
      copyDestination(op);
    for (bufferization::ToBufferOp op : buffers)
      separate(op);
    for (bufferization::ToTensorOp op : tensors)
      separate(op);
    for (DestinationStyleOpInterface op : structured)
      liftToTensors(op);
    for (Value made : undefined)
      fillWithZeros(made);
  }

private:
  static void separate(bufferization::ToBufferOp op) {
    auto type = dyn_cast<MemRefType>(op.getType());
    if (!type || op.getReadOnly())
      return;
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value from = bufferization::ToBufferOp::create(b, loc, contiguous(type), op.getTensor(), /*read_only=*/true);
    Value copy = copyOf(b, loc, from);
    op.replaceAllUsesWith(copy.getType() == type ? copy : memref::CastOp::create(b, loc, type, copy).getResult());
    op.erase();
  }

  static void separate(bufferization::ToTensorOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    // A tensor that is used only as a destination stands for its buffer.
    bool isPlace = llvm::any_of(op->getUses(), [](OpOperand &use) {
      auto put = dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
      return put && put.getDest() == use.get();
    });
    if (!type || isPlace)
      return;
    OpBuilder b(op);
    Value copy = copyOf(b, op.getLoc(), op.getBuffer());
    op.replaceAllUsesWith(
        bufferization::ToTensorOp::create(b, op.getLoc(), type, copy, /*restrict=*/true, /*writable=*/true)
            .getResult());
    op.erase();
  }
};
} // namespace
