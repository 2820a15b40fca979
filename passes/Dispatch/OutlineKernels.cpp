//===- OutlineKernels.cpp - outlining groups to kernels ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   func.func @forward(%a, %b) {
//     %0 = tensor.empty() : tensor<4x4xf32>
//     %1 = linalg.generic ... matmul ins(%a, %b) outs(%0) {mica_sched.group = 0 : i64}
//     return %1
//   }
//   =>
//   module @matmul_4x4x4xf32 attributes {mica_sched.kernel, mica_sched.root_kind = "matmul", ...} {
//     func.func @matmul_4x4x4xf32(memref {read}, memref {read}, memref {write}) { ... }
//   }
//   func.func @forward(%a, %b) {
//     %1 = mica_sched.dispatch @matmul_4x4x4xf32(%a, %b) {op_ids = [...]} : ...
//     return %1
//   }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/KernelBuilder.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/MapVector.h"

namespace mica {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Order
//===------------------------------------------------------------------------------------------------------------===//

/// Moves operands before their users, and keeps the order otherwise, in particular among ops with effects. False if
/// there is a cycle.
static bool sortKeepingEffects(Block &block) {
  SmallVector<Operation *> sorted, original;
  llvm::DenseMap<Operation *, Operation *> effectBefore;
  Operation *lastEffect = nullptr;
  for (Operation &op : block.without_terminator()) {
    original.push_back(&op);
    if (isMemoryEffectFree(&op))
      continue;
    effectBefore[&op] = lastEffect;
    lastEffect = &op;
  }
  enum class State { Open, Done };
  llvm::DenseMap<Operation *, State> states;
  // (op, whether its operands were visited)
  SmallVector<std::pair<Operation *, bool>> stack;
  for (Operation *first : original) {
    stack.push_back({first, false});
    while (!stack.empty()) {
      auto [op, ready] = stack.pop_back_val();
      if (ready) {
        states[op] = State::Done;
        sorted.push_back(op);
        continue;
      }
      if (auto known = states.find(op); known != states.end()) {
        if (known->second == State::Open)
          return false;
        continue;
      }
      states[op] = State::Open;
      stack.push_back({op, true});
      auto need = [&](Operation *def) {
        auto known = def ? states.find(def) : states.end();
        if (def && def != op && (known == states.end() || known->second != State::Done))
          stack.push_back({def, false});
      };
      op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &block)
            need(def);
      });
      need(effectBefore.lookup(op));
    }
  }
  for (Operation *op : sorted)
    op->moveBefore(block.getTerminator());
  return true;
}

namespace {
/// Computes the sizes of a group's tensors from values outside of the group.
class SizeResolver {
public:
  SizeResolver(OpBuilder &builder, ArrayRef<Operation *> ops) : builder(builder), members(ops.begin(), ops.end()) {}

  /// Size `dim` of `value` as an index value, created at the builder's insertion point.
  FailureOr<Value> resolve(Value value, int64_t dim) {
    Operation *def = value.getDefiningOp();
    Location loc = value.getLoc();
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dim))
      return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim)).getResult();
    if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(def))
      return empty.getDynamicSizes()[type.getDynamicDimIndex(dim)];
    if (!def || !members.contains(def))
      return tensor::DimOp::create(builder, loc, value, dim).getResult();
    if (auto structured = dyn_cast<DestinationStyleOpInterface>(def))
      return resolve(structured.getTiedOpOperand(cast<OpResult>(value))->get(), dim);
    return reify(cast<OpResult>(value), dim);
  }

private:
  /// By the op's reifyResultShapes(), which may need sizes of other tensors of the group; these are resolved too.
  FailureOr<Value> reify(OpResult value, int64_t dim) {
    Operation *def = value.getOwner();
    SmallVector<Operation *> made;
    ReifiedRankedShapedTypeDims shapes;
    {
      auto *block = builder.getBlock();
      Operation *before =
          builder.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(builder.getInsertionPoint());
      if (failed(reifyResultShapes(builder, def, shapes)))
        return def->emitOpError("has a result of dynamic size, and does not say how large it is");
      auto first = before ? std::next(Block::iterator(before)) : block->begin();
      for (Operation &op : llvm::make_early_inc_range(llvm::make_range(first, builder.getInsertionPoint())))
        made.push_back(&op);
    }
    for (Operation *op : made) {
      auto size = dyn_cast<tensor::DimOp>(op);
      Operation *source = size ? size.getSource().getDefiningOp() : nullptr;
      if (!source || !members.contains(source) || !size.getConstantIndex())
        continue;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      FailureOr<Value> resolved = resolve(size.getSource(), *size.getConstantIndex());
      if (failed(resolved))
        return failure();
      // The result may be one of the op's own tensor.dim ops.
      for (SmallVector<OpFoldResult> &shape : shapes)
        for (OpFoldResult &entry : shape)
          if (llvm::dyn_cast_if_present<Value>(entry) == size.getResult())
            entry = *resolved;
      size.replaceAllUsesWith(*resolved);
      op->erase();
    }
    OpFoldResult result = shapes[value.getResultNumber()][dim];
    return getValueOrCreateConstantIndexOp(builder, def->getLoc(), result);
  }

  OpBuilder &builder;
  llvm::SmallPtrSet<Operation *, 16> members;
};

class OutlineKernels : public mica::impl::OutlineKernelsBase<OutlineKernels> {
public:
  void runOnOperation() override {
    ModuleOp program = getOperation();
    KernelBuilder kernels(program);
    SmallVector<func::FuncOp> functions(program.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      SmallVector<Block *> blocks;
      function.walk([&](Operation *op) {
        if (op->hasAttr(sched::kGroupAttr) && (blocks.empty() || blocks.back() != op->getBlock()))
          blocks.push_back(op->getBlock());
      });
      llvm::SetVector<Block *> distinct(blocks.begin(), blocks.end());
      llvm::DenseMap<int64_t, Block *> blockOf;
      for (Block *block : distinct)
        if (failed(outlineBlock(block, kernels, blockOf)))
          return signalPassFailure();
    }
  }

private:
  LogicalResult outlineBlock(Block *block, KernelBuilder &kernels, llvm::DenseMap<int64_t, Block *> &blockOf) {
    llvm::MapVector<int64_t, SmallVector<Operation *>> groups;
    for (Operation &op : *block)
      if (auto group = op.getAttrOfType<IntegerAttr>(sched::kGroupAttr))
        groups[group.getInt()].push_back(&op);
    for (auto &[id, ops] : groups) {
      auto [entry, isNew] = blockOf.try_emplace(id, block);
      if (!isNew)
        return ops.front()->emitOpError()
               << "is in group " << id << " like an op of another block; a group lies in one block";
      if (failed(outlineGroup(ops, kernels)))
        return failure();
    }
    // Each dispatch is at the position of the last op of its group; users of an earlier result may precede it.
    if (!sortKeepingEffects(*block))
      return block->getParentOp()->emitOpError("has groups of ops that need each other's results: 'mica_sched.group' "
                                               "puts ops into one kernel although another "
                                               "kernel would have to run between them");
    return success();
  }

  LogicalResult outlineGroup(ArrayRef<Operation *> ops, KernelBuilder &kernels) {
    FailureOr<GroupInterface> group = analyzeGroup(ops);
    if (failed(group))
      return failure();
    if (!group->results.empty()) {
      BuiltKernel kernel = kernels.build(*group);
      if (failed(replaceByDispatch(*group, kernel)))
        return failure();
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    return success();
  }

  /// For each result the operand whose memory it reuses; none if no result does.
  static DenseI64ArrayAttr updatesOf(const GroupInterface &group) {
    if (group.updated.empty())
      return {};
    SmallVector<int64_t> updates(group.results.size(), -1);
    for (auto [index, entry] : llvm::enumerate(group.updated))
      updates[index] = std::distance(group.tensors.begin(), llvm::find(group.tensors, entry.first));
    return DenseI64ArrayAttr::get(group.ops.front()->getContext(), updates);
  }

  LogicalResult replaceByDispatch(const GroupInterface &group, BuiltKernel kernel) {
    OpBuilder builder(group.ops.back()->getContext());
    builder.setInsertionPointAfter(group.ops.back());
    Location loc = kernel.module.getLoc();
    {
      SmallVector<Location> locations = llvm::map_to_vector(group.ops, [](Operation *op) { return op->getLoc(); });
      loc = FusedLoc::get(builder.getContext(), locations);
    }
    SmallVector<Value> inputs(group.tensors.begin(), group.tensors.end());
    for (Value scalar : group.boxedScalars)
      inputs.push_back(
          tensor::FromElementsOp::create(builder, loc, RankedTensorType::get({}, scalar.getType()), scalar));
    SmallVector<Value> scalars(group.scalars.begin(), group.scalars.end());
    SmallVector<Value> sizes;
    SmallVector<Type> types;
    SizeResolver resolver(builder, group.ops);
    for (Value result : group.results) {
      auto type = cast<RankedTensorType>(result.getType());
      types.push_back(RankedTensorType::get(type.getShape(), type.getElementType()));
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (!type.isDynamicDim(dim))
          continue;
        FailureOr<Value> size = resolver.resolve(result, dim);
        if (failed(size))
          return failure();
        sizes.push_back(*size);
      }
    }
    auto dispatch = sched::DispatchOp::create(builder, loc, types, kernel.module.getSymName().value(), inputs, scalars,
                                              sizes, kernel.opIds, updatesOf(group));
    for (auto [result, replacement] : llvm::zip_equal(group.results, dispatch.getResults())) {
      Value old = result;
      old.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return !llvm::is_contained(group.ops, dispatch->getBlock()->findAncestorOpInBlock(*use.getOwner()));
      });
    }
    return success();
  }
};
} // namespace
