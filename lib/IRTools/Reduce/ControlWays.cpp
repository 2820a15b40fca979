//===- ControlWays.cpp - removing control flow --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h. A loop becomes its first iteration, a conditional one of its branches, a conditional branch an
// unconditional one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <optional>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

//===------------------------------------------------------------------------------------------------------------===//
// Inlining regions
//===------------------------------------------------------------------------------------------------------------===//

static Value indexAt(Operation *op, int64_t number) {
  OpBuilder builder(op);
  return arith::ConstantIndexOp::create(builder, op->getLoc(), number);
}

/// Whether the op can be replaced by the body of `region`: the values of its arguments are known, and it yields the
/// op's results.
static bool canInline(Operation *op, Region &region) {
  if (op->hasTrait<OpTrait::IsIsolatedFromAbove>() || !llvm::hasSingleElement(region) || region.front().empty())
    return false;
  Operation *terminator = region.front().getTerminator();
  if (!terminator->hasTrait<OpTrait::ReturnLike>() && !isa<scf::YieldOp, affine::AffineYieldOp>(terminator))
    return false;
  if (!llvm::equal(terminator->getOperandTypes(), op->getResultTypes()))
    return false;
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return loop.hasConstantLowerBound();
  return isa<scf::ForOp>(op) || region.front().getNumArguments() == 0;
}

static llvm::SmallVector<Value> firstArguments(Operation *op) {
  llvm::SmallVector<Value> arguments;
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    arguments.push_back(indexAt(op, loop.getConstantLowerBound()));
    llvm::append_range(arguments, loop.getInits());
  } else if (auto counted = dyn_cast<scf::ForOp>(op)) {
    arguments.push_back(counted.getLowerBound());
    llvm::append_range(arguments, counted.getInitArgs());
  }
  return arguments;
}

static void listRegions(ModuleOp module, ReductionItems &items, unsigned number) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<FunctionOpInterface>(op) && op->getParentOfType<FunctionOpInterface>() && op->getNumRegions() > number &&
        canInline(op, op->getRegion(number)))
      items.push_back({op, number});
  });
}

static void listFirstRegions(ModuleOp module, ReductionItems &items) { listRegions(module, items, 0); }
static void listSecondRegions(ModuleOp module, ReductionItems &items) { listRegions(module, items, 1); }

static bool inlineRegions(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : llvm::reverse(items)) {
    Operation *op = item.op;
    Block &body = op->getRegion(item.index).front();
    const llvm::SmallVector<Value> arguments = firstArguments(op);
    for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
      argument.replaceAllUsesWith(value);
    Operation *terminator = body.getTerminator();
    op->replaceAllUsesWith(terminator->getOperands());
    terminator->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    op->erase();
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Constant indices
//===------------------------------------------------------------------------------------------------------------===//

/// Lists maps of loads and stores with a constant operand.
static void listMaps(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op) &&
        llvm::any_of(op->getOperands(), [](Value operand) { return matchPattern(operand, m_Constant()); }))
      items.push_back({op});
  });
}

static bool foldIntoMaps(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : items) {
    const bool isLoad = isa<affine::AffineLoadOp>(item.op);
    const unsigned first = isLoad ? 1 : 2;
    AffineMap map = cast<AffineMapAttr>(item.op->getAttr("map")).getValue();
    llvm::SmallVector<Value> operands = llvm::to_vector(item.op->getOperands().drop_front(first));
    affine::canonicalizeMapAndOperands(&map, &operands);
    item.op->setOperands(first, item.op->getNumOperands() - first, operands);
    item.op->setAttr("map", AffineMapAttr::get(map));
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Branches
//===------------------------------------------------------------------------------------------------------------===//

static void listBranches(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumSuccessors() > 1 && isa<BranchOpInterface>(op))
      items.push_back({op});
  });
}

/// Branches to successor `number`, and erases unreachable blocks.
static bool takeSuccessor(llvm::ArrayRef<ReductionItem> items, unsigned number) {
  IRRewriter rewriter(items.front().op->getContext());
  llvm::SmallVector<Region *> regions;
  for (const ReductionItem &item : items) {
    auto branch = cast<BranchOpInterface>(item.op);
    SuccessorOperands operands = branch.getSuccessorOperands(number);
    if (operands.getProducedOperandCount() != 0)
      return false;
    rewriter.setInsertionPoint(item.op);
    Block *successor = item.op->getSuccessor(number);
    if (isa_and_present<LLVM::LLVMDialect>(item.op->getDialect()))
      LLVM::BrOp::create(rewriter, item.op->getLoc(), operands.getForwardedOperands(), successor);
    else
      cf::BranchOp::create(rewriter, item.op->getLoc(), successor, operands.getForwardedOperands());
    regions.push_back(item.op->getParentRegion());
    item.op->erase();
  }
  for (Region *region : regions)
    (void)eraseUnreachableBlocks(rewriter, *region);
  return true;
}

static bool takeFirst(llvm::ArrayRef<ReductionItem> items) { return takeSuccessor(items, 0); }
static bool takeSecond(llvm::ArrayRef<ReductionItem> items) { return takeSuccessor(items, 1); }

/// Lists blocks whose only predecessor branches to them unconditionally.
static void listFollowing(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<cf::BranchOp, LLVM::BrOp>(op) && op->getSuccessor(0)->getSinglePredecessor() == op->getBlock() &&
        op->getSuccessor(0) != op->getBlock())
      items.push_back({op});
  });
}

static bool mergeFollowing(llvm::ArrayRef<ReductionItem> items) {
  IRRewriter rewriter(items.front().op->getContext());
  for (const ReductionItem &item : llvm::reverse(items)) {
    Block *block = item.op->getBlock(), *next = item.op->getSuccessor(0);
    const llvm::SmallVector<Value> operands = llvm::to_vector(item.op->getOperands());
    item.op->erase();
    rewriter.mergeBlocks(next, block, operands);
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Calls
//===------------------------------------------------------------------------------------------------------------===//

/// The callee, if its only use is `call` and it has one block; otherwise null.
static func::FuncOp onlyCallee(func::CallOp call) {
  Operation *table = SymbolTable::getNearestSymbolTable(call);
  auto callee = dyn_cast_or_null<func::FuncOp>(SymbolTable::lookupSymbolIn(table, call.getCalleeAttr()));
  if (!callee || !llvm::hasSingleElement(callee.getBody()) || callee->isAncestor(call) ||
      !isa<func::ReturnOp>(callee.getBody().front().getTerminator()))
    return nullptr;
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(callee, table);
  return uses && llvm::hasSingleElement(*uses) ? callee : func::FuncOp();
}

static void listCalls(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    if (onlyCallee(call))
      items.push_back({call});
  });
}

static bool inlineCalls(llvm::ArrayRef<ReductionItem> items) {
  auto call = cast<func::CallOp>(items.front().op);
  func::FuncOp callee = onlyCallee(call);
  Block &body = callee.getBody().front();
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(value);
  Operation *terminator = body.getTerminator();
  call->replaceAllUsesWith(terminator->getOperands());
  terminator->erase();
  call->getBlock()->getOperations().splice(call->getIterator(), body.getOperations());
  call->erase();
  callee->erase();
  return true;
}

llvm::ArrayRef<ReductionWay> irtools::controlWays() {
  static constexpr ReductionWay ways[] = {{listCalls, inlineCalls, 1},        {listFirstRegions, inlineRegions},
                                          {listSecondRegions, inlineRegions}, {listMaps, foldIntoMaps},
                                          {listBranches, takeFirst},          {listBranches, takeSecond},
                                          {listFollowing, mergeFollowing}};
  return ways;
}
