//===- WatchLoops.cpp - progress reports of host loops ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-check-watch-loops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Check/FloatProbes.h"
#include "passes/Check/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mica {
#define GEN_PASS_DEF_WATCHLOOPSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// The last two of this number of iterations, a power of two, report.
static constexpr int64_t kPeriod = 1024;

static bool isReported(Type type) {
  return type.isIndex() || (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() <= 64) ||
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

/// Whether an iteration of `loop` depends only on its loop-carried scalars.
static bool goesByScalars(Operation *loop) {
  const bool carriesScalars = llvm::all_of(loop->getResultTypes(), isReported);
  return carriesScalars && loop->walk([&](Operation *op) {
                                 return op == loop || isa<scf::WhileOp, scf::ForOp, scf::IfOp>(op) ||
                                                isMemoryEffectFree(op)
                                            ? WalkResult::advance()
                                            : WalkResult::interrupt();
                               }).wasInterrupted() == false;
}

/// Whether `loop` contains loops or calls, so that LLVM cannot vectorize it anyway, which a report would prevent.
static bool holdsLoops(Operation *loop) {
  return loop
      ->walk([&](Operation *op) {
        return op != loop && isa<LoopLikeOpInterface, CallOpInterface>(op) ? WalkResult::interrupt()
                                                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool submits(Operation *loop) {
  return loop->walk([](sched::SubmitOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// A loop that submits task lists is observed at each of them; what it carries besides their operands is reported, and
/// the index of an scf.for. A loop with fewer iterations than a period reports nothing. An scf.for terminates, and a
/// loop around it is observed.
static bool isWatched(Operation *loop) {
  if (submits(loop))
    return isa<scf::ForOp>(loop) || llvm::any_of(loop->getResultTypes(), isReported);
  if (auto loopFor = dyn_cast<scf::ForOp>(loop)) {
    std::optional<APInt> count = loopFor.getStaticTripCount();
    if ((count && count->ult(kPeriod)) || loop->getParentOfType<scf::ForOp>() ||
        !(goesByScalars(loop) || holdsLoops(loop)))
      return false;
  }
  return true;
}

/// Inserts the report at the beginning of `body`, an iteration of `loop` with the loop-carried values `carried`. Next
/// to a submission, the report of every iteration costs nothing.
static void report(Operation *loop, bool isPure, Block *body, Value count, ValueRange carried) {
  Location loc = loop->getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(body);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value)); };
  const bool isLaunching = submits(loop);
  std::string text = isLaunching ? "launches " : isPure ? "pure " : "memory ";
  if (!isLaunching) {
    Value place = arith::AndIOp::create(b, loc, count, constant(kPeriod - 1));
    Value due = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, place, constant(kPeriod - 2));
    auto branch = scf::IfOp::create(b, loc, due, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  SmallVector<Value> shown{count};
  for (Value value : carried) {
    Type type = value.getType();
    if (!isReported(type) || shown.size() == kReportValues)
      continue;
    // An index that moves says that the loop ends by itself.
    const bool isIndex = isLaunching && isa<scf::ForOp>(loop) && value == carried.front();
    text += isa<FloatType>(type) ? 'f' : isIndex ? 'n' : 'i';
    if (isa<FloatType>(type) && !type.isF64())
      value = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    if (isa<FloatType>(type))
      value = arith::BitcastOp::create(b, loc, b.getI64Type(), value);
    else if (type.isInteger(1))
      value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
    shown.push_back(value);
  }
  check::FailedOp::create(b, loc, text, shown, IntegerAttr())
      ->setAttr(check::kReportAttr, b.getStringAttr(check::kLoopReport));
}

static Value next(Operation *terminator, Value count) {
  OpBuilder b(terminator);
  Value one = arith::ConstantOp::create(b, count.getLoc(), b.getI64IntegerAttr(1));
  return arith::AddIOp::create(b, count.getLoc(), count, one);
}

/// Replaces `loop` by `changed`, which has one more result.
static void replaceLoop(Operation *loop, Operation *changed) {
  changed->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  loop->replaceAllUsesWith(changed->getResults().drop_back());
  loop->erase();
}

static void watch(scf::WhileOp loop, bool isPure) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits = llvm::to_vector(loop.getInits());
  inits.push_back(arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  SmallVector<Type> types = llvm::to_vector(loop.getResultTypes());
  types.push_back(b.getI64Type());
  auto changed = scf::WhileOp::create(b, loc, types, inits);
  changed.getBefore().takeBody(loop.getBefore());
  changed.getAfter().takeBody(loop.getAfter());
  Value before = changed.getBeforeBody()->addArgument(b.getI64Type(), loc);
  changed.getConditionOp().getArgsMutable().append(before);
  Block *after = changed.getAfterBody();
  SmallVector<Value> carried = llvm::to_vector_of<Value>(after->getArguments());
  Value count = after->addArgument(b.getI64Type(), loc);
  changed.getYieldOp().getResultsMutable().append(next(after->getTerminator(), count));
  report(changed, isPure, after, count, carried);
  replaceLoop(loop, changed);
}

static void watch(scf::ForOp loop, bool isPure) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits = llvm::to_vector(loop.getInitArgs());
  inits.push_back(arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)));
  auto changed = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits,
                                    /*bodyBuilder=*/[](OpBuilder &, Location, Value, ValueRange) {});
  changed.getRegion().takeBody(loop.getRegion());
  Block *body = changed.getBody();
  SmallVector<Value> carried = llvm::to_vector_of<Value>(body->getArguments());
  Value count = body->addArgument(b.getI64Type(), loc);
  cast<scf::YieldOp>(body->getTerminator()).getResultsMutable().append(next(body->getTerminator(), count));
  report(changed, isPure, body, count, carried);
  replaceLoop(loop, changed);
}

namespace {
struct WatchLoopsPass : mica::impl::WatchLoopsPassBase<WatchLoopsPass> {
  using WatchLoopsPassBase::WatchLoopsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // Collected before the first report is inserted, which is a side effect.
    SmallVector<std::pair<Operation *, bool>> loops;
    function.walk([&](Operation *op) {
      if (inKernels ? isa<scf::WhileOp>(op) : isa<scf::WhileOp, scf::ForOp>(op) && isWatched(op))
        loops.push_back({op, goesByScalars(op)});
    });
    for (auto [loop, isPure] : loops) {
      if (auto loopWhile = dyn_cast<scf::WhileOp>(loop))
        watch(loopWhile, isPure);
      else
        watch(cast<scf::ForOp>(loop), isPure);
    }
    Builder builder(&getContext());
    if (inKernels && !loops.empty() && !function->hasAttr(check::kInsertedAttr)) {
      function->setAttr(check::kInsertedAttr, builder.getI64IntegerAttr(0));
      function->setAttr(check::kUncheckedAttr, builder.getI64IntegerAttr(0));
    }
  }
};
} // namespace
