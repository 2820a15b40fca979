//===- BufferGroup.cpp - grouping operations on buffers to a buffer_region ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Buffers without other users move into the body; the others become operands, with a result if they are stored to.
// Scalars that are computed inside and used outside are returned as tensors of rank 0.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/BufferGroup.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"
#include "passes/Tensor/BufferCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mica;

void BufferGroup::add(Operation *op) {
  ops.insert(op);
  BufferAccesses accesses = accessesOf(op);
  touched.insert(accesses.touched.begin(), accesses.touched.end());
  written.insert(accesses.written.begin(), accesses.written.end());
}

bool BufferGroup::feeds(Operation *op) const {
  if (empty())
    return false;
  auto isOurs = [&](Value value) { return value.getDefiningOp() && ops.contains(value.getDefiningOp()); };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isOurs) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool BufferGroup::holdsVectors() const {
  return llvm::any_of(ops, [&](Operation *op) {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return !result.getType().isIntOrIndexOrFloat() && llvm::any_of(result.getUsers(), [&](Operation *user) {
        Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
        return !ancestor || !ops.contains(ancestor);
      });
    });
  });
}

bool BufferGroup::meets(Operation *op) const {
  if (empty())
    return false;
  return feeds(op) || llvm::any_of(accessesOf(op).touched, [&](Value root) { return touched.contains(root); });
}

/// Whether the memory of `root` is only used by the group, views and deallocations.
bool BufferGroup::isLocal(Value root) const {
  Operation *def = root.getDefiningOp();
  if (!isa_and_present<memref::AllocOp, memref::AllocaOp>(def) || def->getBlock() != ops.front()->getBlock())
    return false;
  Value tensor = values.lookup(root);
  if (!tensor || !tensor.getDefiningOp<tensor::EmptyOp>() || !tensor.use_empty())
    return false;
  SmallVector<Value> pending{root};
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      Operation *ancestor = def->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && ops.contains(ancestor))
        continue;
      if (ancestor == user && isBufferView(user))
        pending.push_back(user->getResult(0));
      else if (!isa<memref::DeallocOp>(user))
        return false;
    }
  return true;
}

/// `buffer` inside of the body: its root is mapped, the views of it are cloned.
Value BufferGroup::materialize(OpBuilder &builder, IRMapping &mapping, Value buffer) {
  if (Value known = mapping.lookupOrNull(buffer))
    return known;
  Operation *def = buffer.getDefiningOp();
  for (Value operand : def->getOperands())
    if (isa<BaseMemRefType>(operand.getType()))
      materialize(builder, mapping, operand);
  Operation *view = builder.clone(*def, mapping);
  // Before folds forget a view, with what it requires of sizes. The kernel names it then.
  Operation *before = view->getPrevNode();
  sched::checkReshapes(view, /*inKernelWork=*/true);
  if (view->getPrevNode() != before)
    checkedViews.push_back(view->getLoc());
  return view->getResult(llvm::cast<OpResult>(buffer).getResultNumber());
}

/// The values from outside that `op`, with its nested ops, uses.
static llvm::SetVector<Value> usedValues(Operation *op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, used);
  return used;
}

/// Collects the ops that compute `vector`, a value from outside of the group, in order, so that a kernel can recompute
/// it; false if they do more than computing.
static bool findMakers(Value vector, llvm::SetVector<Operation *> &makers) {
  Operation *def = vector.getDefiningOp();
  if (!def || !isPure(def) || def->getNumRegions() > 0 || usesTensors(def))
    return false;
  for (Value operand : def->getOperands())
    if (isa<VectorType>(operand.getType()) && !findMakers(operand, makers))
      return false;
  makers.insert(def);
  return true;
}

LogicalResult BufferGroup::flush(OpBuilder &builder) {
  if (empty())
    return success();
  llvm::SetVector<Operation *> makers;
  for (Operation *op : ops)
    for (Value value : usedValues(op))
      if (isa<VectorType>(value.getType()) && !(value.getDefiningOp() && ops.contains(value.getDefiningOp())) &&
          !findMakers(value, makers))
        host = true;
  SmallVector<Location> locations = llvm::map_to_vector(ops, [](Operation *op) { return op->getLoc(); });
  Location loc = FusedLoc::get(builder.getContext(), locations);

  SmallVector<Value> readRoots, writtenRoots, localRoots, reads, updates;
  for (Value root : touched) {
    if (isLocal(root)) {
      localRoots.push_back(root);
      continue;
    }
    if (!values.isKnown(root))
      return ops.front()->emitOpError() << "works on a buffer of type " << root.getType()
                                        << " that does not come from an argument, an allocation, a global or a tensor "
                                           "of the function";
    bool isWritten = written.contains(root);
    (isWritten ? writtenRoots : readRoots).push_back(root);
    (isWritten ? updates : reads).push_back(values.lookup(root));
  }
  SmallVector<OpResult> leaving;
  for (Operation *op : ops)
    for (OpResult result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !ops.contains(op->getBlock()->findAncestorOpInBlock(*user)); })) {
        if (!result.getType().isIntOrIndexOrFloat())
          return op->emitOpError() << "makes a value of type " << result.getType()
                                   << " beside code that stays outside; scalars can pass between the two";
        leaving.push_back(result);
        updates.push_back(tensor::EmptyOp::create(builder, op->getLoc(), ArrayRef<int64_t>(), result.getType()));
      }

  auto made = sched::BufferRegionOp::create(builder, loc, ValueRange(updates).getTypes(), reads, updates, host);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&made.getBody());
  IRMapping mapping;
  auto bind = [&](Value root, Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Value buffer = body->addArgument(MemRefType::get(type.getShape(), type.getElementType()), loc);
    if (!root)
      return buffer;
    auto rootType = cast<MemRefType>(root.getType());
    if (rootType.getMemorySpace()) {
      auto inSpace = MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
                                     rootType.getMemorySpace());
      buffer = memref::MemorySpaceCastOp::create(builder, loc, inSpace, buffer);
    }
    if (buffer.getType() != rootType)
      buffer = memref::CastOp::create(builder, loc, rootType, buffer);
    mapping.map(root, buffer);
    return buffer;
  };
  SmallVector<Value> boxes;
  for (auto [root, tensor] : llvm::zip_equal(readRoots, reads))
    bind(root, tensor);
  for (auto [index, tensor] : llvm::enumerate(updates)) {
    Value buffer = bind(index < writtenRoots.size() ? writtenRoots[index] : Value(), tensor);
    if (index >= writtenRoots.size())
      boxes.push_back(buffer);
  }
  for (Value root : localRoots)
    builder.clone(*root.getDefiningOp(), mapping);
  if (!host)
    for (Operation *maker : makers)
      builder.clone(*maker, mapping);
  for (Operation *op : ops) {
    for (Value value : usedValues(op))
      if (isa<BaseMemRefType>(value.getType()))
        materialize(builder, mapping, value);
    Operation *clone = builder.clone(*op, mapping);
    // Those inside of other ops have their checks already.
    if (auto structured = dyn_cast<linalg::LinalgOp>(clone); structured && structured.hasPureBufferSemantics())
      sched::checkStructuredSizes(structured);
  }
  llvm::append_range(locations, checkedViews);
  made->setLoc(FusedLoc::get(builder.getContext(), locations));
  checkedViews.clear();
  for (auto [result, box] : llvm::zip_equal(leaving, boxes))
    memref::StoreOp::create(builder, result.getLoc(), mapping.lookup(result), box, ValueRange());

  builder.setInsertionPointAfter(made);
  for (auto [index, root] : llvm::enumerate(writtenRoots))
    values[root] = made.getResult(index);
  for (auto [index, result] : llvm::enumerate(leaving)) {
    Value scalar =
        tensor::ExtractOp::create(builder, result.getLoc(), made.getResult(writtenRoots.size() + index), ValueRange());
    Value(result).replaceUsesWithIf(scalar, [&](OpOperand &use) {
      return !ops.contains(made->getBlock()->findAncestorOpInBlock(*use.getOwner()));
    });
  }
  for (Operation *op : llvm::reverse(ops)) {
    op->dropAllUses();
    op->erase();
  }
  ops.clear();
  touched.clear();
  written.clear();
  host = false;
  return success();
}
