//===- ReplacementWays.cpp - replacing results of ops -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h. Functions keep their signatures: a used result is replaced by an operand or a constant. Ops that become
// dead are erased.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Whether `op` is in a function and is not a terminator.
static bool isInFunction(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() && !isa<FunctionOpInterface>(op) &&
         op->getParentOfType<FunctionOpInterface>();
}

/// Erases `ops`, whose results have no other users, and ops that become dead.
static void eraseWithDeadMakers(llvm::ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> makers;
  llvm::SmallPtrSet<Operation *, 16> gone(ops.begin(), ops.end());
  auto note = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          makers.insert(maker);
    });
  };
  auto isInside = [&](Operation *op) {
    for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
      if (gone.contains(at))
        return true;
    return false;
  };
  llvm::SmallVector<Operation *> outer;
  for (Operation *op : ops)
    if (!isInside(op))
      outer.push_back(op);
  for (Operation *op : outer)
    note(op);
  makers.remove_if([&](Operation *maker) { return gone.contains(maker) || isInside(maker); });
  for (Operation *op : llvm::reverse(outer)) {
    op->dropAllUses();
    op->erase();
  }
  while (!makers.empty()) {
    Operation *maker = makers.pop_back_val();
    if (!isOpTriviallyDead(maker))
      continue;
    note(maker);
    makers.remove(maker);
    maker->erase();
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// By operands
//===------------------------------------------------------------------------------------------------------------===//

namespace {
enum class Operand { First, Last };
} // namespace

/// An operand, or an argument of the block or function, of the type of `result`; null if there is none.
static Value standInFor(OpResult result, Operand which) {
  Operation *op = result.getOwner();
  Value found;
  for (Value operand : op->getOperands())
    if (operand.getType() == result.getType() && (!found || which == Operand::Last))
      found = operand;
  if (found)
    return found;
  for (Block *block = op->getBlock(); block; block = block->getParentOp()->getBlock()) {
    if (block->isEntryBlock())
      for (BlockArgument argument : block->getArguments())
        if (argument.getType() == result.getType())
          return argument;
    if (!block->getParentOp() || isa<FunctionOpInterface>(block->getParentOp()))
      break;
  }
  return nullptr;
}

template <Operand which> static void listForwarded(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isInFunction(op) && !op->use_empty() &&
        llvm::all_of(op->getResults(), [](OpResult result) { return result.use_empty() || standInFor(result, which); }))
      items.push_back({op});
  });
}

/// In reverse order: a replacement of a result precedes it, and may be replaced too.
template <Operand which> static bool forward(llvm::ArrayRef<ReductionItem> items) {
  llvm::SmallVector<Operation *> ops;
  for (const ReductionItem &item : items)
    ops.push_back(item.op);
  for (Operation *op : llvm::reverse(ops))
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(standInFor(result, which));
  eraseWithDeadMakers(ops);
  return true;
}

/// Views that only change the rank of a type, or are returned by a function: their source can replace them.
static void listViews(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::SubViewOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, tensor::ExtractSliceOp>(op) &&
        !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
          return isa<memref::CastOp, tensor::CastOp>(user)
                     ? isa<UnrankedMemRefType, UnrankedTensorType>(user->getResult(0).getType())
                     : isa<func::ReturnOp>(user);
        }))
      items.push_back({op});
  });
}

static bool lookThrough(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : llvm::reverse(items)) {
    const llvm::SmallVector<Operation *> users = llvm::to_vector(item.op->getUsers());
    item.op->getResult(0).replaceAllUsesWith(item.op->getOperand(0));
    for (Operation *user : users)
      if (isa<func::ReturnOp>(user)) {
        auto function = cast<func::FuncOp>(user->getParentOp());
        function.setFunctionType(
            FunctionType::get(user->getContext(), function.getArgumentTypes(), user->getOperandTypes()));
      }
    item.op->erase();
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// By constants
//===------------------------------------------------------------------------------------------------------------===//

static TypedAttr zeroOf(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    if (!isa<RankedTensorType, VectorType>(type) || !shaped.hasStaticShape() ||
        !shaped.getElementType().isIntOrIndexOrFloat())
      return nullptr;
  return Builder(type.getContext()).getZeroAttr(type);
}

static bool hasZero(Type type) { return isa<LLVM::LLVMPointerType>(type) || zeroOf(type); }

/// A zero at the beginning of the function that contains `op`; an existing one is reused.
static Value zeroFor(Type type, Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  Block &entry = function.getFunctionBody().front();
  TypedAttr zero = isa<LLVM::LLVMPointerType>(type) ? TypedAttr() : zeroOf(type);
  for (Operation &other : entry) {
    if (!other.hasTrait<OpTrait::ConstantLike>())
      break;
    Attribute value;
    if (other.getResult(0).getType() == type && matchPattern(&other, m_Constant(&value)) && (!zero || value == zero))
      return other.getResult(0);
  }
  OpBuilder builder(&entry, entry.begin());
  Location loc = UnknownLoc::get(type.getContext());
  if (!zero)
    return LLVM::ZeroOp::create(builder, loc, type);
  if (isa<LLVM::LLVMFuncOp>(function.getOperation()))
    return LLVM::ConstantOp::create(builder, loc, type, zero);
  return arith::ConstantOp::create(builder, loc, zero);
}

static bool isConstant(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>(); }

static void listComputed(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isInFunction(op) && !(isConstant(op) && !op->use_empty()) &&
        llvm::all_of(op->getResults(), [](OpResult result) { return result.use_empty() || hasZero(result.getType()); }))
      items.push_back({op});
  });
}

static bool makeZero(llvm::ArrayRef<ReductionItem> items) {
  llvm::SmallVector<Operation *> ops;
  for (const ReductionItem &item : items)
    ops.push_back(item.op);
  for (Operation *op : ops)
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(zeroFor(result.getType(), op));
  eraseWithDeadMakers(ops);
  return true;
}

/// Arguments of nested blocks, such as induction variables.
static void listInnerArguments(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isInFunction(op) || op->hasTrait<OpTrait::IsIsolatedFromAbove>() || hasImpliedBody(op))
      return;
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.empty() ? Block::BlockArgListType() : region.front().getArguments())
        if (!argument.use_empty() && hasZero(argument.getType()))
          items.push_back({op, static_cast<int64_t>(region.getRegionNumber()), argument.getArgNumber()});
  });
}

static bool makeArgumentsZero(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : items) {
    BlockArgument argument = item.op->getRegion(item.index).front().getArgument(item.choice);
    argument.replaceAllUsesWith(zeroFor(argument.getType(), item.op));
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// By other operands
//===------------------------------------------------------------------------------------------------------------===//

static void listModule(ModuleOp module, ReductionItems &items) { items.push_back({module}); }

static bool shareEqualOps(llvm::ArrayRef<ReductionItem> items) {
  DominanceInfo dominance(items.front().op);
  IRRewriter rewriter(items.front().op->getContext());
  bool changed = false;
  eliminateCommonSubExpressions(rewriter, dominance, items.front().op, &changed);
  return changed;
}

/// Operands with the type of an earlier operand of their op.
static void listOperands(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->getParentOfType<FunctionOpInterface>())
      return;
    for (OpOperand &operand : op->getOpOperands())
      for (Value earlier : op->getOperands().take_front(operand.getOperandNumber()))
        if (earlier != operand.get() && earlier.getType() == operand.get().getType()) {
          items.push_back({op, operand.getOperandNumber()});
          break;
        }
  });
}

static bool repeatOperands(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : items)
    for (Value earlier : item.op->getOperands().take_front(item.index))
      if (earlier.getType() == item.op->getOperand(item.index).getType()) {
        item.op->setOperand(item.index, earlier);
        break;
      }
  return true;
}

llvm::ArrayRef<ReductionWay> irtools::replacements() {
  static constexpr ReductionWay ways[] = {{listForwarded<Operand::First>, forward<Operand::First>},
                                          {listForwarded<Operand::Last>, forward<Operand::Last>},
                                          {listViews, lookThrough},
                                          {listComputed, makeZero},
                                          {listInnerArguments, makeArgumentsZero},
                                          {listModule, shareEqualOps, 1},
                                          {listOperands, repeatOperands}};
  return ways;
}
