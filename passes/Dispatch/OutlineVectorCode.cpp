//===- OutlineVectorCode.cpp - outlining vector code on tensors ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Vectors are only supported in kernels. If a program computes with them outside of scf.forall, each tensor or scalar
// result of that code becomes the result of a loop of one iteration, which contains the computation:
//
//   %v = vector.transfer_read %x[%c0], %z : tensor<8xf32>, vector<8xf32>     %w = scf.forall (%i) in (1)
//   shared_outs(..) {
//   %s = arith.mulf %v, %v : vector<8xf32>                                      %v = vector.transfer_read %x ..
//   %w = vector.transfer_write %s, %y[%c0] : vector<8xf32>, tensor<8xf32>  =>   %s = arith.mulf ..
//                                                                               %r = vector.transfer_write %s, %o ..
//                                                                               parallel_insert_slice %r into %o
//
// Control flow moves as a whole if it contains no ops for separate kernels. A vector that two results need is computed
// twice; consecutive writes to one tensor form one loop.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_OUTLINEVECTORCODE
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

/// Whether `op`, or an op nested in it, has a vector as operand or result.
static bool usesVectors(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isVector) || llvm::any_of(inner->getResults(), isVector)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` with its nested ops may run in one kernel: it has no effects, and contains nothing that should be a
/// separate kernel.
static bool isEnclosable(Operation *op) {
  if (!isMemoryEffectFree(op))
    return false;
  return !op->walk([&](Operation *inner) {
              auto isOther = [](Type type) {
                return !isa<RankedTensorType, VectorType, IntegerType, FloatType, IndexType>(type);
              };
              bool isKernel = inner != op && isa<scf::ForallOp, linalg::LinalgOp>(inner);
              return isKernel || llvm::any_of(inner->getOperandTypes(), isOther) ||
                             llvm::any_of(inner->getResultTypes(), isOther)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

/// Whether `op`, of a host function, computes with vectors and could do so in a kernel.
static bool isVectorCode(Operation *op) { return !isKernelWork(op) && usesVectors(op) && isEnclosable(op); }

/// The tensor on which `result` is based, null if unknown.
static Value destinationOf(OpResult result) {
  Operation *op = result.getOwner();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return write->getOperand(1);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopInit(result)->get();
  return {};
}

namespace {
/// The ops of one block from which one result is computed, in order.
class VectorSlice {
public:
  explicit VectorSlice(Operation *root) : root(root) {
    // Users are visited before producers, so that it is known whether all users are in the slice.
    ops.insert(root);
    for (Operation *op = root; op; op = op->getPrevNode())
      if (op == root || belongs(op))
        ops.insert(op);
  }

  /// Whether it works on tensors, and has every vector it needs. Code on vectors alone is left to the host function,
  /// which may print them.
  bool isWhole() const;
  /// Moves the slice into a loop, whose results replace the root's. Fails if a result's sizes are unknown.
  LogicalResult enclose();

private:
  /// Whether the slice uses a vector of `op`, or is its only user.
  bool belongs(Operation *op) const {
    if (!isVectorCode(op))
      return false;
    bool all = !op->use_empty();
    for (OpOperand &use : op->getUses()) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
      if (!ops.contains(user))
        all = false;
      else if (isVector(use.get()))
        return true;
    }
    return all;
  }
  /// A tensor from outside on which a result may be based.
  Value outsideDestination(OpResult result) const {
    Value destination = destinationOf(result);
    while (destination && destination.getDefiningOp() && ops.contains(destination.getDefiningOp()))
      destination = destinationOf(cast<OpResult>(destination));
    return destination;
  }

  Operation *root;
  llvm::SetVector<Operation *> ops; ///< in reverse order
};
} // namespace

bool VectorSlice::isWhole() const {
  bool onTensors = false;
  for (Operation *op : ops) {
    bool hasAll = true;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        onTensors |= isa<RankedTensorType>(operand.getType());
        Operation *def = operand.getDefiningOp();
        Block *block = operand.getParentBlock();
        bool isInside = op->isAncestor(block->getParentOp()) || (def && ops.contains(def));
        hasAll &= !isVector(operand) || isInside;
      }
    });
    if (!hasAll)
      return false;
  }
  return onTensors;
}

LogicalResult VectorSlice::enclose() {
  OpBuilder builder(root);
  Location loc = root->getLoc();
  SmallVector<OpResult> results;
  SmallVector<Value> outputs;
  IRMapping mapping;
  for (OpResult result : root->getResults()) {
    if (isVector(result) || result.use_empty())
      continue;
    auto type = dyn_cast<RankedTensorType>(result.getType());
    Value start = type ? outsideDestination(result) : Value();
    if (type && !start && !type.hasStaticShape())
      return failure();
    results.push_back(result);
    outputs.push_back(start);
  }
  if (results.empty())
    return failure();
  // Buffers cannot have index elements: it is stored as i64.
  auto boxed = [&](Type type) { return type.isIndex() ? builder.getI64Type() : type; };
  for (auto [result, output] : llvm::zip_equal(results, outputs)) {
    if (output)
      continue;
    auto type = dyn_cast<RankedTensorType>(result.getType());
    output = type ? tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType())
                  : tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{1}, boxed(result.getType()));
  }

  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  auto loop = scf::ForallOp::create(builder, loc, ArrayRef<OpFoldResult>{one}, outputs, /*mapping=*/std::nullopt);
  loop->setAttr(kLoopKindAttr, builder.getStringAttr("vectors"));
  builder.setInsertionPointToStart(loop.getBody());
  for (auto [output, argument] : llvm::zip_equal(outputs, loop.getRegionIterArgs()))
    if (!mapping.contains(output))
      mapping.map(output, argument);
  for (Operation *op : llvm::reverse(ops))
    builder.clone(*op, mapping);
  // Uses inside of regions are those of outside tensors; all elements are the loop's initial values.
  SmallVector<Value> values;
  for (OpResult result : results) {
    Value value = mapping.lookup(result);
    if (!isa<RankedTensorType>(value.getType())) {
      if (value.getType().isIndex())
        value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
      value = tensor::FromElementsOp::create(builder, loc, value);
    }
    values.push_back(value);
  }
  SmallVector<SmallVector<OpFoldResult>> sizes = llvm::map_to_vector(
      loop.getRegionIterArgs(), [&](Value argument) { return tensor::getMixedSizes(builder, loc, argument); });
  builder.setInsertionPointToStart(loop.getTerminator().getBody());
  for (auto [value, argument, size] : llvm::zip_equal(values, loop.getRegionIterArgs(), sizes)) {
    SmallVector<OpFoldResult> offsets(size.size(), zero), strides(size.size(), one);
    tensor::ParallelInsertSliceOp::create(builder, loc, value, argument, offsets, size, strides);
  }

  builder.setInsertionPointAfter(loop);
  for (auto [result, value] : llvm::zip_equal(results, loop.getResults())) {
    Value replacement = value;
    if (!isa<RankedTensorType>(result.getType())) {
      Value first = arith::ConstantIndexOp::create(builder, loc, 0);
      replacement = tensor::ExtractOp::create(builder, loc, value, first);
      if (result.getType().isIndex())
        replacement = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), replacement);
    }
    result.replaceAllUsesWith(replacement);
  }
  return success();
}

static void enclose(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isKernelWork(&op))
      continue;
    if (isVectorCode(&op)) {
      if (!op.use_empty() &&
          llvm::any_of(op.getResults(), [](Value result) { return !isVector(result) && !result.use_empty(); }))
        if (VectorSlice slice(&op); slice.isWhole())
          (void)slice.enclose(); // on failure the op stays, and mica-schedule-form-task-lists reports it
      if (isOpTriviallyDead(&op))
        op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        enclose(inner);
  }
}

namespace {
class OutlineVectorCode : public mica::impl::OutlineVectorCodeBase<OutlineVectorCode> {
public:
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      enclose(block);
  }
};
} // namespace
