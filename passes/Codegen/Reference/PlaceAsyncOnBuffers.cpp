//===- PlaceAsyncOnBuffers.cpp - tensors that tasks give and take -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream bufferizes no async op. A task runs beside the code after it, which may update a tensor in place once no op
// behind needs it; so a task gets a copy of each tensor of the code around it, and gives what it makes in memory of its
// own.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_PLACEASYNCONBUFFERS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static MemRefType bufferOf(RankedTensorType type) { return MemRefType::get(type.getShape(), type.getElementType()); }

/// !async.value<memref<..>> for !async.value<tensor<..>>, else `type`.
static Type converted(Type type) {
  auto value = dyn_cast<async::ValueType>(type);
  auto tensor = value ? dyn_cast<RankedTensorType>(value.getValueType()) : RankedTensorType();
  return tensor ? async::ValueType::get(bufferOf(tensor)) : type;
}

static SmallVector<Type> converted(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) { return converted(type); });
}

/// Replaces the uses of `value`, a tensor, by the tensor in the buffer that it becomes.
static void becomeBuffer(Value value, OpBuilder &b) {
  auto type = cast<RankedTensorType>(value.getType());
  value.setType(bufferOf(type));
  auto read = bufferization::ToTensorOp::create(b, value.getLoc(), type, value, /*restrict=*/true);
  value.replaceAllUsesExcept(read, read);
}

/// Copies the tensors that `op` gives to buffers.
static void giveBuffers(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(b, op->getLoc(), operand.get(), dim));
    Value buffer = allocate(b, op->getLoc(), bufferOf(type), sizes);
    auto store = bufferization::MaterializeInDestinationOp::create(b, op->getLoc(), operand.get(), buffer);
    store.setRestrict(true);
    store.setWritable(true);
    operand.set(buffer);
  }
}

/// Gives the task copies of the tensors of the code around it.
static void copyCaptured(async::ExecuteOp task) {
  OpBuilder b(task);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(task.getBodyRegion(), captured);
  for (Value value : captured)
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      Value copy = bufferization::AllocTensorOp::create(b, task.getLoc(), type, ValueRange(), value);
      replaceAllUsesInRegionWith(value, copy, task.getBodyRegion());
    }
}

namespace {
struct PlaceAsyncOnBuffers : mica::impl::PlaceAsyncOnBuffersBase<PlaceAsyncOnBuffers> {
  void runOnOperation() override {
    SmallVector<Operation *> ops; // inner tasks first
    getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults())
        result.setType(converted(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setType(converted(argument.getType()));
      if (auto function = dyn_cast<FunctionOpInterface>(op); function && isa<FunctionType>(function.getFunctionType()))
        function.setType(FunctionType::get(&getContext(), converted(function.getArgumentTypes()),
                                           converted(function.getResultTypes())));
      if (isa<async::ExecuteOp, async::AwaitOp, async::YieldOp, async::ReturnOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (isa<async::YieldOp, async::ReturnOp>(op)) {
        giveBuffers(op);
      } else if (auto task = dyn_cast<async::ExecuteOp>(op)) {
        OpBuilder b = OpBuilder::atBlockBegin(task.getBody());
        for (BlockArgument argument : task.getBody()->getArguments())
          if (isa<RankedTensorType>(argument.getType()))
            becomeBuffer(argument, b);
        copyCaptured(task);
      } else if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType())) {
        OpBuilder b(op->getContext());
        b.setInsertionPointAfter(op);
        becomeBuffer(op->getResult(0), b);
      }
    }
  }
};
} // namespace
