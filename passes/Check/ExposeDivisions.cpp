//===- ExposeDivisions.cpp - making implicit divisions explicit --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ExposeDivisions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/ExposeDivisions.h"

#include "passes/Check/CeilDivisions.h"
#include "passes/Check/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_EXPOSEDIVISIONSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Whether `divisor` is a number above 0, or an operand that is one.
bool isPositive(AffineExpr divisor, unsigned dims, ValueRange operands) {
  if (isa<AffineConstantExpr>(divisor))
    return true; // mica-tensor-verify-input refuses others
  auto isConstant = [&](unsigned place) {
    APInt number;
    return place < operands.size() && matchPattern(operands[place], m_ConstantInt(&number)) &&
           number.isStrictlyPositive();
  };
  if (auto dim = dyn_cast<AffineDimExpr>(divisor))
    return isConstant(dim.getPosition());
  auto symbol = dyn_cast<AffineSymbolExpr>(divisor);
  return symbol && isConstant(dims + symbol.getPosition());
}

/// `operands`: those of the map, if they are known.
bool divides(AffineExpr whole, unsigned dims = 0, ValueRange operands = {}) {
  bool found = false;
  whole.walk([&](AffineExpr part) {
    const bool isDivision =
        llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv, AffineExprKind::CeilDiv}, part.getKind());
    found |= isDivision && !isPositive(cast<AffineBinaryOpExpr>(part).getRHS(), dims, operands);
  });
  return found;
}

/// Whether a map or set of `op` divides by a dimension or symbol that may be 0.
bool divides(Operation *op) {
  if (!isa_and_present<affine::AffineDialect>(op->getDialect()))
    return false;
  bool found = false;
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    AffineMap map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
    return llvm::any_of(map.getResults(),
                        [&](AffineExpr each) { return divides(each, map.getNumDims(), op->getOperands()); });
  }
  op->getAttrDictionary().walk([&](Attribute attribute) {
    if (auto map = dyn_cast<AffineMapAttr>(attribute))
      found |= llvm::any_of(map.getValue().getResults(), [](AffineExpr each) { return divides(each); });
    else if (auto set = dyn_cast<IntegerSetAttr>(attribute))
      found |= llvm::any_of(set.getValue().getConstraints(), [](AffineExpr each) { return divides(each); });
  });
  return found;
}

/// The map of `op` as arithmetic; several results are combined by `combine`.
template <typename Op, typename Combine> void expandMap(Op op, Combine combine) {
  OpBuilder builder(op);
  const AffineMap map = mica::expandCeilDivisions(op.getAffineMap(), op.getOperands());
  auto values = affine::expandAffineMap(builder, op.getLoc(), map, op.getOperands());
  if (!values)
    return;
  Value result = values->front();
  for (Value value : llvm::drop_begin(*values))
    result = combine(builder, op.getLoc(), result, value);
  op.replaceAllUsesWith(result);
  op.erase();
}

template <typename To> void replaceByArith(Operation *op) {
  OpBuilder builder(op);
  Value made = To::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1));
  op->replaceAllUsesWith(ValueRange{made});
  op->erase();
}

/// Lowers parallel loops to a loop nest, since they may run in any order. What they reduce is carried through the nest.
void lowerParallel(affine::AffineParallelOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto bound = [&](AffineMap map, ValueRange operands, bool isLower) {
    Value result;
    for (AffineExpr expr : map.getResults()) {
      auto single = AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr);
      Value value = affine::AffineApplyOp::create(builder, loc, single, operands);
      if (result)
        value = isLower ? arith::MaxSIOp::create(builder, loc, result, value).getResult()
                        : arith::MinSIOp::create(builder, loc, result, value).getResult();
      result = value;
    }
    return result;
  };
  SmallVector<arith::AtomicRMWKind> kinds;
  SmallVector<Value> carried;
  for (auto [kind, type] : llvm::zip(op.getReductions(), op.getResultTypes())) {
    kinds.push_back(static_cast<arith::AtomicRMWKind>(cast<IntegerAttr>(kind).getInt()));
    carried.push_back(arith::getIdentityValue(kinds.back(), type, builder, loc));
  }
  SmallVector<scf::ForOp> loops;
  Block *body = op.getBody();
  for (auto [dim, step] : llvm::enumerate(op.getSteps())) {
    Value lower = bound(op.getLowerBoundMap(dim), op.getLowerBoundsOperands(), true);
    Value upper = bound(op.getUpperBoundMap(dim), op.getUpperBoundsOperands(), false);
    Value by = arith::ConstantIndexOp::create(builder, loc, step);
    auto loop = scf::ForOp::create(builder, loc, lower, upper, by, carried);
    if (!loops.empty() && !carried.empty())
      scf::YieldOp::create(builder, loc, loop.getResults());
    body->getArgument(dim).replaceAllUsesWith(loop.getInductionVar());
    carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    loops.push_back(loop);
    builder.setInsertionPointToStart(loop.getBody());
  }
  Operation *yield = body->getTerminator();
  SmallVector<Value> given = llvm::to_vector(yield->getOperands());
  yield->erase();
  Block *inner = loops.back().getBody();
  inner->getOperations().splice(inner->begin(), body->getOperations());
  if (!kinds.empty()) {
    builder.setInsertionPointToEnd(inner);
    for (auto [value, kind, before] : llvm::zip(given, kinds, carried))
      value = arith::getReductionOp(kind, builder, loc, before, value);
    scf::YieldOp::create(builder, loc, given);
  }
  op.replaceAllUsesWith(loops.front().getResults());
  op.erase();
}

/// Rewrites the affine ops of `root` that `isMeant` holds for to arithmetic, and all loops and accesses if one of them
/// is: a map of what is left may not refer to the variables of other loops.
LogicalResult expand(Operation *root, function_ref<bool(Operation *)> isMeant, bool withBases) {
  bool inAccesses = false;
  root->walk([&](Operation *op) {
    inAccesses |= !isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op) && isMeant(op);
  });
  if (inAccesses) {
    SmallVector<affine::AffineParallelOp> parallel;
    root->walk([&](affine::AffineParallelOp op) {
      if (op.getNumDims() > 0)
        parallel.push_back(op);
    });
    llvm::for_each(parallel, lowerParallel);
  }
  if (inAccesses || withBases) {
    RewritePatternSet patterns(root->getContext());
    if (inAccesses)
      mica::populateLowerAffineAccessesPatterns(patterns);
    if (withBases)
      affine::populateAffineExpandIndexOpsPatterns(patterns);
    // Folds compose a divisor of 0 into the map, and make poison of it.
    if (failed(applyPatternsGreedily(root, std::move(patterns),
                                     GreedyRewriteConfig().enableFolding(false).enableConstantCSE(false))))
      return failure();
  }
  auto least = [](OpBuilder &b, Location loc, Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); };
  auto most = [](OpBuilder &b, Location loc, Value x, Value y) { return arith::MaxSIOp::create(b, loc, x, y); };
  root->walk([&](Operation *op) {
    if (!isMeant(op))
      return;
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](affine::AffineApplyOp apply) { expandMap(apply, least); })
        .Case([&](affine::AffineMinOp min) { expandMap(min, least); })
        .Case([&](affine::AffineMaxOp max) { expandMap(max, most); });
  });
  return success();
}

} // namespace

bool mica::isConstantWhere(Value value, llvm::function_ref<bool(const APInt &)> holds) {
  DenseIntElementsAttr numbers;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return holds(number);
  return matchPattern(value, m_Constant(&numbers)) && llvm::all_of(numbers.getValues<APInt>(), holds);
}

bool mica::dividesAlways(Value divisor, bool isSigned) {
  return isConstantWhere(divisor,
                         [&](const APInt &number) { return !number.isZero() && !(isSigned && number.isAllOnes()); });
}

/// Whether an op other than a select gets `value`, or what is computed from it, and has an effect or ends a block.
static bool isSeen(Value value) {
  SmallVector<Value> pending{value};
  DenseSet<Value> visited;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    for (Operation *user : next.getUsers()) {
      if (isa<arith::SelectOp>(user))
        continue;
      if (user->getNumRegions() > 0 || user->hasTrait<OpTrait::IsTerminator>() || !isPure(user))
        return true;
      llvm::append_range(pending, user->getResults());
    }
  }
  return false;
}

bool mica::shiftsOut(Operation *shift) {
  auto isOutside = [](const APInt &number) { return number.uge(number.getBitWidth()); };
  Value amount = shift->getOperand(1);
  DenseIntElementsAttr numbers;
  APInt number;
  const bool isWrong =
      matchPattern(amount, m_ConstantInt(&number))
          ? isOutside(number)
          : matchPattern(amount, m_Constant(&numbers)) && llvm::any_of(numbers.getValues<APInt>(), isOutside);
  return isWrong && isSeen(shift->getResult(0));
}

LogicalResult mica::expandCeilDivisions(Operation *root) { return expand(root, roundsUp, /*withBases=*/false); }

LogicalResult mica::exposeDivisions(func::FuncOp function) {
  bool inBases = false;
  function.walk([&](affine::AffineDelinearizeIndexOp op) { inBases |= !op.getDynamicBasis().empty(); });
  if (failed(expand(
          function, [](Operation *op) { return divides(op); }, inBases)))
    return failure();
  function.walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([](index::DivSOp op) { replaceByArith<arith::DivSIOp>(op); })
        .Case([](index::DivUOp op) { replaceByArith<arith::DivUIOp>(op); })
        .Case([](index::CeilDivSOp op) { replaceByArith<arith::CeilDivSIOp>(op); })
        .Case([](index::CeilDivUOp op) { replaceByArith<arith::CeilDivUIOp>(op); })
        .Case([](index::FloorDivSOp op) { replaceByArith<arith::FloorDivSIOp>(op); })
        .Case([](index::RemSOp op) { replaceByArith<arith::RemSIOp>(op); })
        .Case([](index::RemUOp op) { replaceByArith<arith::RemUIOp>(op); })
        .Case([](index::ShlOp op) { replaceByArith<arith::ShLIOp>(op); })
        .Case([](index::ShrSOp op) { replaceByArith<arith::ShRSIOp>(op); })
        .Case([](index::ShrUOp op) { replaceByArith<arith::ShRUIOp>(op); });
  });
  return success();
}

namespace {
struct ExposeDivisionsPass : mica::impl::ExposeDivisionsPassBase<ExposeDivisionsPass> {
  void runOnOperation() override {
    auto found = getOperation().walk([](Operation *op) {
      auto delinearize = dyn_cast<affine::AffineDelinearizeIndexOp>(op);
      return divides(op) || (delinearize && !delinearize.getDynamicBasis().empty()) ? WalkResult::interrupt()
                                                                                    : WalkResult::advance();
    });
    if (found.wasInterrupted() && failed(mica::exposeDivisions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
