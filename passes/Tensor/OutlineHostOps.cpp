//===- OutlineHostOps.cpp - outlining ops that no kernel takes ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A group begins with one op. It grows by the ops that make or use what cannot be passed between functions (complex
// numbers, vectors, sparse tensors), and by those that are both behind one of its ops and before another, because a
// call has one place. Constants are copied instead.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Tensor/Passes.h"

#include "dialects/MicaSched/IR/HostOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace mica {
#define GEN_PASS_DEF_OUTLINEHOSTOPS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// What a call can pass
//===------------------------------------------------------------------------------------------------------------===//

static bool isPassableElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return !integer.isUnsigned() && llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<IndexType, Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Whether `type` is the same in the code of kernels' callers and in that of the reference lowering.
static bool isPassable(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding() && isPassableElement(tensor.getElementType());
  if (auto buffer = dyn_cast<MemRefType>(type))
    return isPassableElement(buffer.getElementType()) && !buffer.getMemorySpace() && buffer.getLayout().isIdentity();
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<IndexType, Float32Type, Float64Type>(type);
}

static bool isConstant(Operation *op) { return op && op->hasTrait<OpTrait::ConstantLike>(); }

/// Whether `op` reads or changes state of the program that a copy of it would not share: `op` itself, an op in it, or
/// one of a function that it calls.
static bool touchesState(Operation *op, SymbolTableCollection &symbols, llvm::DenseSet<Operation *> &seen) {
  return op
      ->walk([&](Operation *inner) {
        bool isShared = false;
        inner->getAttrDictionary().walk([&](SymbolRefAttr reference) {
          Operation *symbol = symbols.lookupNearestSymbolFrom(inner, reference);
          if (!symbol || !seen.insert(symbol).second)
            return;
          if (auto global = dyn_cast<memref::GlobalOp>(symbol))
            isShared |= !global.getConstant();
          else if (auto global = dyn_cast<ml_program::GlobalOp>(symbol))
            isShared |= global.getIsMutable();
          else if (isa<FunctionOpInterface>(symbol))
            isShared |= touchesState(symbol, symbols, seen);
          else
            isShared = true;
        });
        return isShared ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` has a value with an encoding, itself or in its regions.
static bool isSparse(Operation *op) {
  auto hasEncoding = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getResultTypes(), hasEncoding) || llvm::any_of(inner->getOperandTypes(), hasEncoding)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` is work for a kernel: it makes tensors, or is a loop or a structured op on buffers.
static bool isKernelWork(Operation *op) {
  if (isConstant(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<linalg::LinalgOp, LoopLikeOpInterface>(op))
    return true;
  return !isa<tensor::EmptyOp, tensor::CastOp, tensor::FromElementsOp, func::CallOp>(op) && op->getNumRegions() == 0 &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

//===------------------------------------------------------------------------------------------------------------===//
// Groups
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The ops of one block that go into a function.
class HostGroup {
public:
  /// `freeCalls`: calls of groups without effects, which outline() adds.
  HostGroup(Operation *first, llvm::DenseSet<Operation *> &freeCalls)
      : block(first->getBlock()), freeCalls(&freeCalls) {
    members.insert(first);
  }

  /// Adds what belongs to the group; an error at the op that prevents it.
  LogicalResult grow();
  /// Moves the ops to a new function of `program`, which a call replaces.
  func::CallOp outline(ModuleOp program, SymbolTable &symbols);
  /// Whether `op` is one of the ops, or inside of one.
  bool contains(Operation *op) const { return isInside(op); }
  /// Whether the ops of `other` are inside of one of this group.
  bool contains(const HostGroup &other) const { return other.block != block && isInside(other.members.front()); }
  /// Joins the groups of one block of which one needs the other.
  bool joins(HostGroup &other);

private:
  /// The operation of the block in which `op` is; null if there is none.
  Operation *inBlock(Operation *op) const { return op ? block->findAncestorOpInBlock(*op) : nullptr; }
  bool isInside(Operation *op) const {
    Operation *ancestor = inBlock(op);
    return ancestor && members.contains(ancestor);
  }
  bool isInside(Value value) const {
    if (Operation *def = value.getDefiningOp())
      return isInside(def);
    return isInside(cast<BlockArgument>(value).getOwner()->getParentOp());
  }
  llvm::SetVector<Value> usedBy(Operation *op) const;
  llvm::SetVector<Value> inputs() const;
  SmallVector<Value> outputs() const;
  bool precedes(Operation *before, Operation *after) const;
  bool widen();
  FailureOr<bool> addUnpassable();
  FailureOr<bool> addBetween();
  SmallVector<Operation *> sorted() const;
  llvm::DenseSet<Operation *> followers(ArrayRef<Operation *> ops) const;

  bool isFree(Operation *op) const { return freeCalls->contains(op) || isMemoryEffectFree(op); }

  Block *block;
  llvm::DenseSet<Operation *> *freeCalls;
  llvm::SetVector<Operation *> members;
};
} // namespace

/// Values from outside of `op` that it uses, itself or in its regions.
llvm::SetVector<Value> HostGroup::usedBy(Operation *op) const {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

llvm::SetVector<Value> HostGroup::inputs() const {
  llvm::SetVector<Value> values;
  for (Operation *op : sorted())
    for (Value value : usedBy(op))
      if (!isInside(value))
        values.insert(value);
  return values;
}

SmallVector<Value> HostGroup::outputs() const {
  SmallVector<Value> values;
  for (Operation *op : sorted())
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !isInside(user); }))
        values.push_back(result);
  return values;
}

SmallVector<Operation *> HostGroup::sorted() const {
  SmallVector<Operation *> ops = llvm::to_vector(members);
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Whether `after`, which is behind `before`, has to stay there: it uses a result, or both have effects.
bool HostGroup::precedes(Operation *before, Operation *after) const {
  if (!isFree(before) && !isFree(after))
    return true;
  return llvm::any_of(usedBy(after), [&](Value value) { return inBlock(value.getDefiningOp()) == before; });
}

/// Replaces the group by the op around its block; false if that is a function.
bool HostGroup::widen() {
  Operation *around = block->getParentOp();
  if (isa<FunctionOpInterface>(around))
    return false;
  block = around->getBlock();
  members.clear();
  members.insert(around);
  return true;
}

/// Adds the ops at the other ends of what cannot be passed. True if there were some.
FailureOr<bool> HostGroup::addUnpassable() {
  bool isChanged = false;
  Operation *first = members.front();
  for (Value value : inputs()) {
    if (isPassable(value.getType()) || isConstant(value.getDefiningOp()))
      continue;
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != block) {
      if (widen())
        return true;
      return first->emitError() << "a host function cannot take a value of type " << value.getType();
    }
    isChanged |= members.insert(def);
  }
  for (Value value : outputs()) {
    if (isPassable(value.getType()))
      continue;
    for (Operation *user : value.getUsers()) {
      Operation *ancestor = inBlock(user);
      if (!ancestor || ancestor->hasTrait<OpTrait::IsTerminator>()) {
        if (widen())
          return true;
        return first->emitError() << "a host function cannot return a value of type " << value.getType();
      }
      isChanged |= members.insert(ancestor);
    }
  }
  return isChanged;
}

/// The ops from the first to the last of `ops`, none of them, that must stay behind one of them.
llvm::DenseSet<Operation *> HostGroup::followers(ArrayRef<Operation *> ops) const {
  llvm::DenseSet<Operation *> after;
  SmallVector<Operation *> order;
  for (Operation *op = ops.front(); op != ops.back()->getNextNode(); op = op->getNextNode()) {
    if (members.contains(op)) {
      order.push_back(op);
      continue;
    }
    if (llvm::any_of(order, [&](Operation *before) { return precedes(before, op); })) {
      after.insert(op);
      order.push_back(op);
    }
  }
  return after;
}

/// Adds ops that are behind one member and before another. True if there were some.
FailureOr<bool> HostGroup::addBetween() {
  SmallVector<Operation *> ops = sorted();
  llvm::DenseSet<Operation *> after = followers(ops);
  SmallVector<Operation *> needed = ops;
  bool isChanged = false;
  for (Operation *op = ops.back(); op != ops.front(); op = op->getPrevNode()) {
    if (!after.contains(op))
      continue;
    if (!llvm::any_of(needed, [&](Operation *later) { return op->isBeforeInBlock(later) && precedes(op, later); }))
      continue;
    needed.push_back(op);
    isChanged |= members.insert(op);
  }
  return isChanged;
}

LogicalResult HostGroup::grow() {
  for (bool isChanged = true; isChanged;) {
    FailureOr<bool> ends = addUnpassable();
    if (failed(ends))
      return failure();
    FailureOr<bool> between = addBetween();
    isChanged = *ends || *between;
  }
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> seen;
  for (Operation *op : members)
    if (touchesState(op, symbols, seen))
      return op->emitError("a host function cannot share state with the rest of the program");
  return success();
}

bool HostGroup::joins(HostGroup &other) {
  if (other.block != block || llvm::none_of(other.members, [&](Operation *op) { return members.contains(op); }))
    return false;
  members.insert_range(other.members);
  return true;
}

func::CallOp HostGroup::outline(ModuleOp program, SymbolTable &symbols) {
  SmallVector<Operation *> ops = sorted();
  SmallVector<Value> results = outputs(), arguments;
  llvm::SetVector<Value> used = inputs();
  llvm::DenseSet<Operation *> after = followers(ops);
  IRMapping mapping;
  SmallVector<Operation *> constants;
  for (Value value : used) {
    if (!isConstant(value.getDefiningOp()))
      arguments.push_back(value);
    else if (!llvm::is_contained(constants, value.getDefiningOp()))
      constants.push_back(value.getDefiningOp());
  }
  Location loc = members.front()->getLoc(); // what is in the way
  std::string name = "host_" + ops.front()->getName().getStringRef().str();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  OpBuilder builder(program.getContext());
  auto typesOf = [](ArrayRef<Value> values) {
    return llvm::map_to_vector(values, [](Value value) { return value.getType(); });
  };
  auto function =
      func::FuncOp::create(builder, loc, name, builder.getFunctionType(typesOf(arguments), typesOf(results)));
  function.setPrivate();
  function->setAttr(sched::kHostOpAttr, builder.getUnitAttr());
  symbols.insert(function); // gives it a unique name
  Block *body = function.addEntryBlock();
  mapping.map(arguments, body->getArguments());
  builder.setInsertionPointToEnd(body);
  // Code for sparse tensors updates arguments in place.
  if (llvm::any_of(ops, isSparse))
    for (BlockArgument argument : body->getArguments())
      if (auto tensor = dyn_cast<RankedTensorType>(argument.getType()))
        mapping.map(arguments[argument.getArgNumber()],
                    bufferization::AllocTensorOp::create(builder, loc, tensor, ValueRange(), argument).getResult());
  for (Operation *op : llvm::concat<Operation *const>(constants, ops))
    builder.clone(*op, mapping);
  SmallVector<Value> returned;
  for (Value result : results) {
    Value made = mapping.lookup(result);
    // In memory of its own: the caller may change it.
    if (auto tensor = dyn_cast<RankedTensorType>(made.getType()))
      made = bufferization::AllocTensorOp::create(builder, loc, tensor, /*dynamicSizes=*/ValueRange(), /*copy=*/made);
    returned.push_back(made);
  }
  func::ReturnOp::create(builder, loc, returned);

  Operation *last = ops.back();
  builder.setInsertionPointAfter(last);
  auto call = func::CallOp::create(builder, loc, function, arguments);
  for (auto [result, value] : llvm::zip_equal(results, call.getResults()))
    result.replaceUsesWithIf(value, [&](OpOperand &use) { return !isInside(use.getOwner()); });
  if (llvm::all_of(ops, [&](Operation *op) { return isFree(op); }))
    freeCalls->insert(call);
  Operation *place = call;
  for (Operation *op = ops.front(); op != last;) {
    Operation *next = op->getNextNode();
    if (after.contains(op)) {
      op->moveAfter(place);
      place = op;
    }
    op = next;
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return call;
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

/// The operation that is outlined for `op`: the largest in its function, or, if that is control flow around work for
/// kernels, the largest inside of it.
static Operation *outlinedFor(Operation *op) {
  SmallVector<Operation *> chain{op};
  while (chain.back()->getParentOp() && !isa<func::FuncOp>(chain.back()->getParentOp()))
    chain.push_back(chain.back()->getParentOp());
  auto isControlFlow = [](Operation *around) {
    return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(around);
  };
  for (size_t i = chain.size(); i-- > 1;) {
    Operation *around = chain[i], *inner = chain[i - 1];
    const bool holdsWork = isControlFlow(around) && around
                                                        ->walk([&](Operation *other) {
                                                          if (other == around || inner->isAncestor(other) ||
                                                              other->isProperAncestor(inner) || !isKernelWork(other))
                                                            return WalkResult::advance();
                                                          return WalkResult::interrupt();
                                                        })
                                                        .wasInterrupted();
    if (!holdsWork || inner->hasTrait<OpTrait::IsTerminator>())
      return around;
  }
  return op;
}

namespace {
struct OutlineHostOps : mica::impl::OutlineHostOpsBase<OutlineHostOps> {
  using OutlineHostOpsBase::OutlineHostOpsBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    SmallVector<HostGroup> groups;
    llvm::DenseSet<Operation *> freeCalls;
    for (Operation *op : chosenOps(program)) {
      if (llvm::any_of(groups, [&](HostGroup &group) { return group.contains(op); }))
        continue;
      HostGroup group(op, freeCalls);
      if (failed(group.grow()))
        return signalPassFailure();
      if (failed(join(groups, std::move(group))))
        return signalPassFailure();
    }
    SymbolTable symbols(program);
    llvm::SetVector<func::FuncOp> callers;
    for (HostGroup &group : groups) {
      func::CallOp call = group.outline(program, symbols);
      callers.insert(call->getParentOfType<func::FuncOp>());
    }
    for (func::FuncOp caller : callers)
      if (!hasWork(caller, symbols)) {
        caller.emitError() << "no op of function '@" << caller.getName() << "' is left for a kernel";
        signalPassFailure();
      }
  }

  SmallVector<Operation *> chosenOps(ModuleOp program) {
    llvm::DenseSet<int64_t> wanted(ops.begin(), ops.end());
    SmallVector<Operation *> chosen;
    int64_t number = 0;
    program.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (wanted.contains(number++) && op->getParentOfType<func::FuncOp>())
        chosen.push_back(outlinedFor(op));
    });
    return chosen;
  }

  /// Adds `group`, joined with those that share ops with it, unless it is inside of one.
  LogicalResult join(SmallVectorImpl<HostGroup> &groups, HostGroup group) {
    for (size_t i = 0; i < groups.size();) {
      if (groups[i].contains(group))
        return success();
      if (group.contains(groups[i])) {
        groups.erase(groups.begin() + i);
        continue;
      }
      if (!group.joins(groups[i])) {
        ++i;
        continue;
      }
      groups.erase(groups.begin() + i);
      if (failed(group.grow()))
        return failure();
      i = 0;
    }
    groups.push_back(std::move(group));
    return success();
  }

  /// Whether `function`, or one that it calls, has work for kernels.
  static bool hasWork(func::FuncOp function, SymbolTable &symbols) {
    llvm::SetVector<Operation *> reached;
    reached.insert(function);
    for (size_t i = 0; i < reached.size(); ++i) {
      const WalkResult result = reached[i]->walk([&](Operation *op) {
        if (auto call = dyn_cast<func::CallOp>(op))
          if (Operation *callee = symbols.lookup(call.getCallee()); callee && !callee->hasAttr(sched::kHostOpAttr))
            reached.insert(callee);
        return isKernelWork(op) ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (result.wasInterrupted())
        return true;
    }
    return false;
  }
};
} // namespace
