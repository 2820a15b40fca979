//===- BufferCode.cpp - classifying code on buffers -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BufferCode.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/BufferCode.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Tensor/BufferValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica;

static bool anyType(Operation *op, llvm::function_ref<bool(Type)> is) {
  if (llvm::any_of(op->getOperandTypes(), is) || llvm::any_of(op->getResultTypes(), is))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), is))
        return true;
  return false;
}

static bool anyNested(Operation *op, llvm::function_ref<bool(Operation *)> is) {
  return op->walk([&](Operation *inner) { return is(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool mica::usesBuffers(Operation *op) {
  return anyNested(
      op, [](Operation *inner) { return anyType(inner, [](Type type) { return isa<BaseMemRefType>(type); }); });
}

bool mica::usesTensors(Operation *op) {
  return anyNested(op,
                   [](Operation *inner) { return anyType(inner, [](Type type) { return isa<TensorType>(type); }); });
}

bool mica::isKernelCode(Operation *op) {
  return !anyNested(op, [](Operation *inner) {
    if (isa<sched::CheckReshapeOp, sched::CheckSumOp>(inner))
      return false;
    StringRef dialect = inner->getName().getDialectNamespace();
    if (!llvm::is_contained({"affine", "arith", "index", "linalg", "math", "memref", "scf", "ub", "vector"}, dialect))
      return true;
    // Ops that are lowered on tensors only: softmax, pack and unpack.
    bool isAggregate = isa<DestinationStyleOpInterface>(inner) &&
                       isa_and_present<linalg::LinalgDialect>(inner->getDialect()) && !isa<linalg::LinalgOp>(inner);
    return isAggregate || isa<vector::PrintOp, memref::ReallocOp>(inner) ||
           anyType(inner, [](Type type) { return isa<TensorType>(type); });
  });
}

bool mica::helperWrites(StringRef name) {
  name.consume_front("_mlir_ciface_");
  return !name.starts_with("print") && !name.starts_with("verify");
}

/// The buffers that `buffer` may be, if it is an argument of a region, or a result of a loop or condition.
static SmallVector<Value> passedOnTo(Value buffer) {
  Operation *def = buffer.getDefiningOp();
  if (auto select = dyn_cast_or_null<arith::SelectOp>(def))
    return {select.getTrueValue(), select.getFalseValue()};
  if (!def)
    def = cast<BlockArgument>(buffer).getOwner()->getParentOp();
  auto branch = dyn_cast<RegionBranchOpInterface>(def);
  if (!branch)
    return {};
  RegionBranchInverseSuccessorMapping sources;
  branch.getSuccessorInputOperandMapping(sources);
  return llvm::map_to_vector(sources.lookup(buffer), [](OpOperand *operand) { return operand->get(); });
}

/// Whether `call` may write its operand number `place`. Declarations of functions with the ops that no kernel takes say
/// what these only read.
static bool writesOperand(func::CallOp call, unsigned place) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (callee && callee.getArgAttr(place, sched::kAccessAttr))
    return false;
  return helperWrites(call.getCallee());
}

BufferAccesses mica::accessesOf(Operation *op) {
  BufferAccesses accesses;
  auto isOutside = [&](Value root) {
    Operation *def = root.getDefiningOp();
    return def ? !op->isAncestor(def) : !op->isAncestor(cast<BlockArgument>(root).getOwner()->getParentOp());
  };
  auto add = [&](Value buffer, bool writes) {
    llvm::SetVector<Value> pending;
    pending.insert(rootOfBuffer(buffer));
    for (size_t i = 0; i < pending.size(); ++i) {
      Value root = pending[i];
      if (!isOutside(root)) {
        for (Value source : passedOnTo(root))
          pending.insert(rootOfBuffer(source));
        continue;
      }
      accesses.touched.insert(root);
      if (writes)
        accesses.written.insert(root);
    }
  };
  op->walk([&](Operation *inner) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    auto call = dyn_cast<func::CallOp>(inner);
    // An op without effects interface may write; regions are walked separately.
    bool mayWrite = (!effects && !isBufferView(inner) && !isa<affine::AffinePrefetchOp>(inner) &&
                     inner->getNumRegions() == 0 && !inner->hasTrait<OpTrait::IsTerminator>() && !isPure(inner));
    for (OpOperand &operand : inner->getOpOperands())
      if (isa<BaseMemRefType>(operand.get().getType()))
        add(operand.get(), mayWrite && (!call || writesOperand(call, operand.getOperandNumber())));
    if (!effects)
      return;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (MemoryEffects::EffectInstance &effect : instances)
      if (isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() &&
          isa<BaseMemRefType>(effect.getValue().getType()))
        add(effect.getValue(), true);
  });
  return accesses;
}
