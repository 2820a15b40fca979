//===- FusedGroup.cpp - ops that are fused with a contraction ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FusedGroup.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/FusedGroup.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mica::cpu;

/// Whether the op on buffers has no reductions, and its body can be vectorized.
static bool canFuseElementwise(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumReductionLoops() == 0 && hasVectorizableBody(op);
}

AffineMap mica::cpu::resultMap(linalg::LinalgOp op, unsigned number) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(number));
}

AffineMap mica::cpu::renameLoops(AffineMap map, ArrayRef<unsigned> loops, unsigned numLoops) {
  SmallVector<AffineExpr> dims;
  for (unsigned loop : loops)
    dims.push_back(getAffineDimExpr(loop, map.getContext()));
  return map.replaceDimsAndSymbols(dims, {}, numLoops, 0);
}

Value mica::cpu::baseOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ? buffer : Value();
  return buffer.getDefiningOp<memref::AllocOp>() || buffer.getDefiningOp<memref::AllocaOp>() ||
                 buffer.getDefiningOp<memref::GetGlobalOp>()
             ? buffer
             : Value();
}

/// Whether two buffers may share memory. Arguments of a kernel never do (include/mica/ABI/Kernel.h).
static bool mayAlias(Value a, Value b) {
  Value baseA = baseOf(a), baseB = baseOf(b);
  return !baseA || !baseB || baseA == baseB;
}

namespace {
/// Collects a group, and which loops of the root index each buffer that it writes.
struct GroupBuilder {
  FusedGroup &group;
  int64_t laneDim;
  /// Buffer written by the group -> loops of the root that index its dimensions.
  llvm::MapVector<Value, SmallVector<unsigned>> written;
  SmallVector<Value> readByRoot;   ///< in any iteration
  SmallVector<Value> readByOthers; ///< by init and consumers, before the group writes it

  unsigned numLoops() { return group.root.getNumLoops(); }

  /// Maps the loops of `op` to loops of the root, based on the operands whose buffers the group has written; nullopt if
  /// these do not determine all loops uniquely.
  std::optional<SmallVector<unsigned>> align(linalg::LinalgOp op) {
    std::optional<SmallVector<unsigned>> loops;
    for (OpOperand &operand : op->getOpOperands()) {
      auto known = written.find(operand.get());
      if (known == written.end())
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!map.isPermutation() || map.getNumResults() != known->second.size())
        return std::nullopt;
      SmallVector<unsigned> aligned(op.getNumLoops());
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        aligned[cast<AffineDimExpr>(expr).getPosition()] = known->second[i];
      if (loops && *loops != aligned)
        return std::nullopt;
      loops = aligned;
    }
    return loops;
  }

  /// Records the accesses of `op` with its loops mapped by `loops`. Returns false, and records nothing, if that
  /// conflicts with another access of the group: all accesses happen at one point of the iteration space at a time, not
  /// one op after the other.
  bool admit(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
    llvm::MapVector<Value, SmallVector<unsigned>> writes;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap map = op.getMatchingIndexingMap(&init);
      // The root's reduction loops do not index its result.
      if (!(op == group.root ? map.isProjectedPermutation() : map.isPermutation()) ||
          classifyAccess(renameLoops(map, loops, numLoops()), laneDim) != LaneAccess::Contiguous)
        return false;
      SmallVector<unsigned> position;
      for (AffineExpr expr : map.getResults())
        position.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
      auto known = written.find(init.get());
      if ((known != written.end() && known->second != position) || writes.count(init.get()))
        return false;
      writes[init.get()] = position;
    }
    SmallVector<Value> reads;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isa<MemRefType>(input->get().getType()) && !op.getMatchingBlockArgument(input).use_empty())
        reads.push_back(input->get());
    for (Value read : reads)
      for (auto &[buffer, position] : written)
        if (read != buffer && mayAlias(read, buffer))
          return false;
    for (auto &[buffer, position] : writes) {
      auto clashes = [&](Value other) { return other != buffer && mayAlias(other, buffer); };
      if (llvm::any_of(readByRoot, [&](Value other) { return mayAlias(other, buffer); }) ||
          llvm::any_of(readByOthers, clashes) || llvm::any_of(reads, clashes) ||
          llvm::any_of(written, [&](auto &entry) { return clashes(entry.first); }) ||
          llvm::any_of(writes, [&](auto &entry) { return clashes(entry.first); }))
        return false;
      // An earlier member has read it at this point with another map.
      if (!written.count(buffer) && llvm::is_contained(readByOthers, buffer) && !llvm::is_contained(reads, buffer))
        return false;
    }
    // In place: each element is read where it is written.
    for (OpOperand *input : op.getDpsInputOperands())
      if (auto own = writes.find(input->get()); own != writes.end()) {
        AffineMap map = renameLoops(op.getMatchingIndexingMap(input), loops, numLoops());
        if (!map.isProjectedPermutation() || map.getNumResults() != own->second.size())
          return false;
        for (auto [expr, loop] : llvm::zip_equal(map.getResults(), own->second))
          if (cast<AffineDimExpr>(expr).getPosition() != loop)
            return false;
      }
    for (auto &[buffer, position] : writes)
      written[buffer] = position;
    llvm::append_range(readByOthers, reads);
    return true;
  }
};
} // namespace

/// Whether `op` does not access memory that existed before it.
static bool touchesNoMemory(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp, memref::AllocaOp>(op);
}

FusedGroup mica::cpu::collectGroup(linalg::LinalgOp root, const ContractionPlan &plan) {
  FusedGroup group;
  group.root = root;
  SmallVector<unsigned> own = llvm::to_vector(llvm::seq<unsigned>(0, root.getNumLoops()));
  group.loopOf[root] = own;
  GroupBuilder builder{group, plan.laneDim, {}, {}, {}};
  if (!root.hasPureBufferSemantics() || !builder.admit(root, own))
    return group;
  if (root.getNumReductionLoops() > 0)
    std::swap(builder.readByRoot, builder.readByOthers);

  if (root.getNumReductionLoops() > 0) {
    Operation *before = root->getPrevNode();
    while (before && touchesNoMemory(before))
      before = before->getPrevNode();
    auto init = dyn_cast_or_null<linalg::LinalgOp>(before);
    if (init && canFuseElementwise(init) && init.getNumDpsInits() == 1 &&
        init.getDpsInits()[0] == root.getDpsInits()[0] && init.getRegionOutputArgs()[0].use_empty()) {
      std::optional<SmallVector<unsigned>> loops = builder.align(init);
      if (loops && builder.admit(init, *loops)) {
        group.init = init;
        group.loopOf[init] = *loops;
      }
    }
  }
  for (Operation *next = root->getNextNode(); next; next = next->getNextNode()) {
    if (touchesNoMemory(next))
      continue;
    auto consumer = dyn_cast<linalg::LinalgOp>(next);
    if (!consumer || !canFuseElementwise(consumer))
      break;
    std::optional<SmallVector<unsigned>> loops = builder.align(consumer);
    if (!loops || !builder.admit(consumer, *loops))
      break;
    group.consumers.push_back(consumer);
    group.loopOf[consumer] = *loops;
  }
  return group;
}
