//===- LiftCFToSCF.cpp - lifting branches to loops and conditionals ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   cf.cond_br %c, ^a, ^b                    %r = scf.if %c -> (i32) { ... scf.yield %x } else { ... scf.yield %y }
//   ^a: ... cf.br ^end(%x : i32)       =>    return %r
//   ^b: ... cf.br ^end(%y : i32)
//   ^end(%r: i32): return %r
//
// Upstream's transformation, with constants for undefined values, because later phases have no poison tensors. Large
// regions are transformed in segments (CFGSegments.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/EndlessLoops.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Tensor/BufferCode.h"
#include "passes/Tensor/CFGSegments.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_LIFTCFTOSCF
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// What argument `number` of the first region of `loop` is in every turn, if that never changes; null otherwise.
static Value unchanging(scf::WhileOp loop, unsigned number) {
  Value init = loop.getInits()[number], next = loop.getYieldOp().getOperand(number);
  if (next == init)
    return init;
  auto carried = dyn_cast<BlockArgument>(next);
  if (!carried || carried.getOwner() != loop.getAfterBody())
    return {};
  Value passed = loop.getConditionOp().getArgs()[carried.getArgNumber()], same = loop.getBeforeArguments()[number];
  // Lifting passes poison where the loop does not go on.
  if (auto branch = passed.getDefiningOp<scf::IfOp>()) {
    const unsigned result = cast<OpResult>(passed).getResultNumber();
    Value yes = branch.thenYield().getOperand(result), no = branch.elseYield().getOperand(result);
    passed = yes.getDefiningOp<ub::PoisonOp>() ? no : no.getDefiningOp<ub::PoisonOp>() ? yes : passed;
  }
  return passed == same ? init : Value();
}

/// Whether `loop` stays in a host function: it may not be in a kernel, as bodies of structured ops and loops on buffers
/// are, with the functions that they call.
static bool isOfHost(scf::WhileOp loop) {
  Operation *around = loop->getParentOp();
  while (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(around))
    around = around->getParentOp();
  auto function = dyn_cast<func::FuncOp>(around);
  return function && !usesBuffers(function) && SymbolTable::symbolKnownUseEmpty(function, function->getParentOp());
}

/// What `loop` carries into its first iteration, as mica_sched.check_sizes and mica_check.failed take it; `message`
/// names the places.
static SmallVector<Value> carriedScalars(OpBuilder &builder, scf::WhileOp loop, std::string &message) {
  constexpr size_t kShown = 8; // a mica_check.failed has no more
  Location loc = loop.getLoc();
  SmallVector<Value> shown;
  message += "; 0 iterations; it carries";
  for (Value value : loop.getInits()) {
    Type type = value.getType();
    const bool isFloat = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
    if ((!isFloat && !type.isIndex() && !(type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64)) ||
        shown.size() == kShown)
      continue;
    message += (Twine(shown.empty() ? " {" : ", {") + Twine(shown.size()) + (isFloat ? ":f}" : "}")).str();
    if (isFloat && !type.isF64())
      value = arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
    if (isFloat)
      value = arith::BitcastOp::create(builder, loc, builder.getI64Type(), value);
    if (type.isInteger(1))
      value = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), value);
    else if (!type.isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    shown.push_back(value);
  }
  message += shown.empty() ? " nothing" : "";
  return shown;
}

/// Checks in front of `loop` that it ends, where its condition is the same in every turn. Upstream erases such a loop,
/// if it does nothing else, as if it had ended.
static void assertEnd(scf::WhileOp loop) {
  if (!isMemoryEffectFree(loop))
    return;
  IRMapping first;
  SetVector<Operation *> needed;
  SmallVector<Value> pending{loop.getConditionOp().getCondition()};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (value.getParentRegion() != &loop.getBefore())
      continue; // from outside of the loop
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value same = unchanging(loop, argument.getArgNumber());
      if (!same)
        return;
      first.map(argument, same);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (needed.insert(op))
      op->walk([&](Operation *inner) { llvm::append_range(pending, inner->getOperands()); });
  }
  OpBuilder builder(loop);
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (needed.contains(&op))
      builder.clone(op, first);
  Value goesOn = first.lookupOrDefault(loop.getConditionOp().getCondition());
  Value always = arith::ConstantOp::create(builder, loop.getLoc(), builder.getBoolAttr(true));
  Value ends = arith::XOrIOp::create(builder, loop.getLoc(), goesOn, always);
  std::string message = (check::kEndlessMessage + ": nothing that its condition needs changes").str();
  SmallVector<Value> carried = carriedScalars(builder, loop, message);
  if (!isOfHost(loop)) {
    auto branch = scf::IfOp::create(builder, loop.getLoc(), ends, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    check::FailedOp::create(builder, loop.getLoc(), message, carried, IntegerAttr());
    return;
  }
  sched::CheckSizesOp::create(builder, loop.getLoc(), ends, message, carried)
      ->setAttr(check::kReportAttr, builder.getStringAttr(check::kLoopReport));
}

namespace {
class Transformation : public ControlFlowToSCFTransformation {
public:
  Value getUndefValue(Location loc, OpBuilder &builder, Type type) override {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return ControlFlowToSCFTransformation::getUndefValue(loc, builder, type);
    Value zero = tensor.hasStaticShape() ? Value() : arith::ConstantIndexOp::create(builder, loc, 0).getResult();
    return tensor::EmptyOp::create(builder, loc, tensor, SmallVector<Value>(tensor.getNumDynamicDims(), zero));
  }
};

class LiftCFToSCF : public mica::impl::LiftCFToSCFBase<LiftCFToSCF> {
public:
  using LiftCFToSCFBase::LiftCFToSCFBase;

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      // Regions of nested operations have separate branches.
      SmallVector<Region *> regions;
      function.walk<WalkOrder::PostOrder>([&](Operation *op) {
        for (Region &region : op->getRegions())
          if (!region.empty() && !region.hasOneBlock())
            regions.push_back(&region);
      });
      for (Region *region : regions) {
        IRRewriter rewriter(&getContext());
        (void)eraseUnreachableBlocks(rewriter, *region);
        Transformation transformation;
        if (segmentBlocks > 0 && failed(structureSegments(*region, transformation, segmentBlocks))) {
          region->getParentOp()->emitOpError() << "has branches that cannot be written as loops and conditionals";
          return signalPassFailure();
        }
        DominanceInfo dominance(function);
        if (failed(transformCFGToSCF(*region, transformation, dominance))) {
          region->getParentOp()->emitOpError() << "has branches that cannot be written as loops and conditionals";
          return signalPassFailure();
        }
      }
    }
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      assertEnd(loop);
  }
};
} // namespace
