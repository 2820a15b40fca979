//===- SeparateResults.cpp - separate memory for results that share a chain ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// eliminate-empty-tensors computes a result where it is stored: it replaces the tensor.empty that a chain of ops begins
// with by the argument that the last op's result is written to. Another op of the chain may be a result as well, or
// begin another one; it then lies in that argument too, and bufferization does not see that storing the one result
// overwrites the other:
//
//   %t = bufferization.to_tensor %out1 restrict writable
//   %a = sum of %x, from %t on;  %b = sum of %y, from %a on
//   bufferization.materialize_in_destination %b in writable %out1
//   bufferization.materialize_in_destination %a in restrict writable %out0        reads %out1, where %b is by now
//
// Such a chain begins with a tensor.empty again.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mica {
#define GEN_PASS_DEF_SEPARATERESULTSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The stores of all tensors that may lie in the memory of `start`: what ops write over it, views of it, and what loops
/// carry of it.
static llvm::SetVector<Operation *> storesOfChain(Value start) {
  llvm::SetVector<Operation *> stores;
  llvm::SetVector<Value> chain;
  chain.insert(start);
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isa<TensorType>(value.getType()))
        chain.insert(value);
  };
  for (size_t next = 0; next < chain.size(); ++next)
    for (OpOperand &use : chain[next].getUses()) {
      Operation *user = use.getOwner();
      if (isa<bufferization::MaterializeInDestinationOp>(user)) {
        stores.insert(user);
        continue;
      }
      // Inputs are only read.
      if (auto op = dyn_cast<DestinationStyleOpInterface>(user)) {
        if (op.isDpsInit(&use) && user->getNumResults() > 0)
          add(op.getTiedOpResult(&use));
        continue;
      }
      add(user->getResults());
      for (Region &region : user->getRegions())
        for (Block &block : region)
          add(block.getArguments());
      if (user->hasTrait<OpTrait::IsTerminator>())
        add(user->getParentOp()->getResults());
      else if (Operation *parent = user->getParentOp(); parent && parent->hasTrait<OpTrait::IsTerminator>())
        add(parent->getParentOp()->getResults());
    }
  return stores;
}

namespace {
struct SeparateResultsPass : mica::impl::SeparateResultsPassBase<SeparateResultsPass> {
  void runOnOperation() override {
    SmallVector<bufferization::ToTensorOp> begins;
    getOperation()->walk([&](bufferization::ToTensorOp op) {
      if (op.getWritable())
        begins.push_back(op);
    });
    for (bufferization::ToTensorOp begin : begins) {
      llvm::SetVector<Operation *> stores = storesOfChain(begin.getResult());
      const auto isOwn = [&](Operation *store) {
        return cast<bufferization::MaterializeInDestinationOp>(store).getDest() == begin.getBuffer();
      };
      auto *own = llvm::find_if(stores, isOwn);
      if (own == stores.end() || stores.size() == 1)
        continue;
      OpBuilder b(begin);
      auto type = cast<RankedTensorType>(begin.getType());
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(memref::getMixedSize(b, begin.getLoc(), begin.getBuffer(), dim));
      Value empty = tensor::EmptyOp::create(b, begin.getLoc(), sizes, type.getElementType());
      if (empty.getType() != type)
        empty = tensor::CastOp::create(b, begin.getLoc(), type, empty);
      begin.getResult().replaceAllUsesWith(empty);
      cast<bufferization::MaterializeInDestinationOp>(*own).setRestrict(true);
      begin.erase();
    }
  }
};
} // namespace
