//===- DataDependence.cpp - which values depend on input data ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Walks from a value to what it is computed from. A value that a loop carries depends on its own initial and yielded
// value and on the bounds, not on what else the loop carries: the counter of a sum does not depend on the sum.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/DataDependence.h"

#include "dialects/MicaSched/IR/KernelArguments.h"
#include "passes/Check/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mica;

bool mica::isLoadedValue(Value value) {
  return isa_and_present<affine::AffineLoadOp, affine::AffineVectorLoadOp, memref::LoadOp, memref::AtomicRMWOp,
                         memref::GenericAtomicRMWOp, vector::LoadOp, vector::MaskedLoadOp, vector::ExpandLoadOp,
                         vector::TransferReadOp, vector::GatherOp>(value.getDefiningOp());
}

/// Whether `value` is a scalar argument, other than a size unless `orSize`. The host loaded the scalars of kernels, or
/// they are arguments of the program.
static bool isScalarArgument(Value value, bool orSize) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return function && value.getType().isIntOrIndex() &&
         (orSize || !function.getArgAttr(argument.getArgNumber(), sched::kSizeAttr));
}

/// Appends what every turn of `loop` depends on: its operands without the initial values.
static void appendBounds(LoopLikeOpInterface loop, SmallVectorImpl<Value> &values) {
  llvm::SmallDenseSet<OpOperand *> initial;
  for (OpOperand &init : loop.getInitsMutable())
    initial.insert(&init);
  for (OpOperand &operand : loop->getOpOperands())
    if (!initial.contains(&operand))
      values.push_back(operand.get());
}

/// A loop that counts, whose carried values are tied one to one.
static LoopLikeOpInterface countedLoop(Operation *op) {
  return isa<scf::ForOp, affine::AffineForOp>(op) ? cast<LoopLikeOpInterface>(op) : LoopLikeOpInterface();
}

/// Appends what `value`, an argument of a loop's body or a result of an op with regions, is computed from.
static void appendSources(Value value, Operation *op, SmallVectorImpl<Value> &values) {
  if (LoopLikeOpInterface loop = countedLoop(op)) {
    appendBounds(loop, values);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      argument = loop.getTiedLoopRegionIterArg(cast<OpResult>(value));
    if (OpOperand *init = argument ? loop.getTiedLoopInit(argument) : nullptr) {
      values.push_back(init->get());
      values.push_back(loop.getTiedLoopYieldedValue(argument)->get());
    }
    return;
  }
  llvm::append_range(values, op->getOperands());
  if (isa<scf::ParallelOp, scf::ForallOp, affine::AffineParallelOp>(op) && isa<BlockArgument>(value))
    return;
  auto result = dyn_cast<OpResult>(value);
  const bool isBranch = result && isa<scf::IfOp, affine::AffineIfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (!block.mightHaveTerminator())
        continue;
      Operation *terminator = block.getTerminator();
      if (isBranch && isa<scf::YieldOp, affine::AffineYieldOp>(terminator))
        values.push_back(terminator->getOperand(result.getResultNumber()));
      else
        llvm::append_range(values, terminator->getOperands());
    }
}

bool mica::comesFrom(Value value, llvm::function_ref<bool(Value)> is, DenseSet<Value> &clean) {
  SmallVector<Value> pending{value};
  DenseSet<Value> visited;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (clean.contains(next) || !visited.insert(next).second)
      continue;
    if (is(next))
      return true;
    Operation *op = next.getDefiningOp();
    if (!op) {
      op = cast<BlockArgument>(next).getOwner()->getParentOp();
      // The positions of the threads of a launch end with its sizes.
      if (isa<gpu::LaunchOp>(op))
        llvm::append_range(pending, op->getOperands());
      else if (isa<LoopLikeOpInterface>(op))
        appendSources(next, op, pending);
    } else if (op->getNumRegions() > 0) {
      appendSources(next, op, pending);
    } else {
      llvm::append_range(pending, op->getOperands());
    }
  }
  clean.insert_range(visited);
  return false;
}

bool DataDependence::dependsOnData(Value value) {
  return comesFrom(
      value,
      [&](Value source) {
        return source != shares && (isLoadedValue(source) || isScalarArgument(source, ofSizes) ||
                                    (ofSizes && isa_and_present<memref::DimOp>(source.getDefiningOp())));
      },
      clean);
}

bool DataDependence::anyDependsOnData(ValueRange values) {
  return llvm::any_of(values, [&](Value value) { return dependsOnData(value); });
}

bool DataDependence::readsByData(Operation *op) {
  return isa<memref::LoadOp, vector::LoadOp, vector::TransferReadOp>(op) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return operand.getType().isIndex() && dependsOnData(operand); });
}

bool DataDependence::accessesByData(Operation *op) {
  // Offsets of a gather or scatter are integers; a mask says how many lanes access memory.
  const bool hasOffsets = isa<vector::GatherOp, vector::ScatterOp>(op);
  const bool hasMask = hasOffsets || isa<vector::MaskedLoadOp, vector::MaskedStoreOp, vector::ExpandLoadOp,
                                         vector::CompressStoreOp, VectorTransferOpInterface>(op);
  auto isFromData = [&](Value operand) {
    Type type = operand.getType();
    if (type.isIndex() || (hasMask && isa<VectorType>(type) && getElementTypeOrSelf(type).isInteger(1)))
      return dependsOnData(operand);
    if (hasOffsets && isa<VectorType>(type) && getElementTypeOrSelf(type).isIntOrIndex())
      return dependsOnData(operand);
    for (auto view = operand.getDefiningOp<ViewLikeOpInterface>(); view;
         view = view.getViewSource().getDefiningOp<ViewLikeOpInterface>())
      if (isKnownAccess(view) && accessesByData(view))
        return true;
    return false;
  };
  return llvm::any_of(op->getOperands(), isFromData);
}
