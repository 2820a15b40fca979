//===- OpenMPLoops.cpp - OpenMP's loops run one iteration after the other -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpenMPLoops.h. A reduction adds to its variable itself: each thread would begin with the neutral element, and one
// thread's part is all of it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/OpenMPLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace {

/// Ops of loops in the dialect of the function around them.
class LoopBuilder : public OpBuilder {
public:
  explicit LoopBuilder(Operation *at)
      : OpBuilder(at), loc(at->getLoc()), isLowered(at->getParentOfType<LLVM::LLVMFuncOp>()) {}

  Value isBefore(Value variable, Value end, bool isInclusive) {
    if (isLowered)
      return LLVM::ICmpOp::create(*this, loc, isInclusive ? LLVM::ICmpPredicate::sle : LLVM::ICmpPredicate::slt,
                                  variable, end);
    return arith::CmpIOp::create(*this, loc, isInclusive ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt,
                                 variable, end);
  }
  /// Branches of the LLVM dialect take no index.
  Type typeOf(Value value) { return isLowered && value.getType().isIndex() ? getI64Type() : value.getType(); }
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(*this, loc, type, value).getResult(0);
  }
  Value add(Value a, Value b) {
    if (isLowered)
      return LLVM::AddOp::create(*this, loc, a, b);
    return arith::AddIOp::create(*this, loc, a, b);
  }
  void branch(Block *to, ValueRange operands) {
    if (isLowered)
      LLVM::BrOp::create(*this, loc, operands, to);
    else
      cf::BranchOp::create(*this, loc, to, operands);
  }
  void branch(Value condition, Block *yes, ValueRange operands, Block *no) {
    if (isLowered)
      LLVM::CondBrOp::create(*this, loc, condition, yes, operands, no, ValueRange());
    else
      cf::CondBranchOp::create(*this, loc, condition, yes, operands, no, ValueRange());
  }

  Location loc;

private:
  bool isLowered;
};

} // namespace

/// Whether the region around `op` may have several blocks: of a function, or an op that goes too.
static bool isAmongBlocks(Operation *op) {
  return isa<FunctionOpInterface, omp::ParallelOp, omp::LoopNestOp>(op->getParentOp());
}

/// A loop of scf for each variable.
static void writeStructured(omp::WsloopOp loop, omp::LoopNestOp nest) {
  OpBuilder builder(loop);
  SmallVector<Value> variables;
  for (auto [begin, end, step] :
       llvm::zip_equal(nest.getLoopLowerBounds(), nest.getLoopUpperBounds(), nest.getLoopSteps())) {
    auto inner = scf::ForOp::create(builder, loop.getLoc(), begin, end, step);
    variables.push_back(inner.getInductionVar());
    builder.setInsertionPointToStart(inner.getBody());
  }
  Block &body = nest.getRegion().front();
  for (auto [argument, variable] : llvm::zip_equal(body.getArguments(), variables))
    argument.replaceAllUsesWith(variable);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    op.moveBefore(builder.getInsertionBlock()->getTerminator());
  loop.erase();
}

/// For each variable a block that compares and one that counts.
static void writeBranches(omp::WsloopOp loop, omp::LoopNestOp nest) {
  LoopBuilder builder(loop);
  Block *body = &nest.getRegion().front();
  const size_t depth = nest.getLoopLowerBounds().size();
  SmallVector<Value> begins, ends, steps;
  for (auto [values, given] : {std::pair(&begins, nest.getLoopLowerBounds()),
                               std::pair(&ends, nest.getLoopUpperBounds()), std::pair(&steps, nest.getLoopSteps())})
    for (Value value : given)
      values->push_back(builder.cast(value, builder.typeOf(value)));
  Block *before = loop->getBlock(), *after = before->splitBlock(loop);
  Region &region = *before->getParent();
  SmallVector<Block *> heads, latches;
  for (size_t i = 0; i < depth; ++i) {
    for (SmallVector<Block *> *blocks : {&heads, &latches}) {
      blocks->push_back(new Block());
      region.getBlocks().insert(after->getIterator(), blocks->back());
    }
    heads.back()->addArgument(begins[i].getType(), builder.loc);
  }
  builder.setInsertionPointToEnd(before);
  builder.branch(heads.front(), begins.front());
  for (size_t i = 0; i < depth; ++i) {
    const Value variable = heads[i]->getArgument(0);
    const bool isInnermost = i + 1 == depth;
    builder.setInsertionPointToEnd(heads[i]);
    const Value goesOn = builder.isBefore(variable, ends[i], nest.getLoopInclusive());
    builder.branch(goesOn, isInnermost ? body : heads[i + 1], isInnermost ? ValueRange() : ValueRange(begins[i + 1]),
                   i == 0 ? after : latches[i - 1]);
    builder.setInsertionPointToEnd(latches[i]);
    builder.branch(heads[i], builder.add(variable, steps[i]));
    builder.setInsertionPointToStart(heads[i]);
    body->getArgument(i).replaceAllUsesWith(builder.cast(variable, body->getArgument(i).getType()));
  }
  for (Block &block : nest.getRegion())
    if (auto end = dyn_cast<omp::YieldOp>(block.getTerminator())) {
      builder.setInsertionPoint(end);
      builder.branch(latches.back(), ValueRange());
      end.erase();
    }
  body->eraseArguments(0, depth);
  region.getBlocks().splice(after->getIterator(), nest.getRegion().getBlocks());
  loop.erase();
}

static void writeLoop(omp::WsloopOp loop) {
  Block &wrapper = loop.getRegion().front();
  auto nest = dyn_cast<omp::LoopNestOp>(wrapper.front());
  if (!nest || wrapper.getNumArguments() != loop.getReductionVars().size())
    return;
  const bool isStructured =
      nest.getRegion().hasOneBlock() && !nest.getLoopInclusive() && !loop->getParentOfType<LLVM::LLVMFuncOp>();
  if (!isStructured && !isAmongBlocks(loop))
    return;
  for (auto [argument, variable] : llvm::zip_equal(wrapper.getArguments(), loop.getReductionVars()))
    argument.replaceAllUsesWith(variable);
  if (isStructured)
    writeStructured(loop, nest);
  else
    writeBranches(loop, nest);
}

static void writeParallel(omp::ParallelOp parallel) {
  Region &region = parallel.getRegion();
  if (region.getNumArguments() != parallel.getReductionVars().size() ||
      (!region.hasOneBlock() && !isAmongBlocks(parallel)))
    return;
  for (auto [argument, variable] : llvm::zip_equal(region.getArguments(), parallel.getReductionVars()))
    argument.replaceAllUsesWith(variable);
  region.front().eraseArguments(0, region.getNumArguments());
  if (region.hasOneBlock()) {
    for (Operation &op : llvm::make_early_inc_range(region.front().without_terminator()))
      op.moveBefore(parallel);
    parallel.erase();
    return;
  }
  LoopBuilder builder(parallel);
  Block *before = parallel->getBlock(), *after = before->splitBlock(parallel);
  builder.setInsertionPointToEnd(before);
  builder.branch(&region.front(), ValueRange());
  for (Block &block : region)
    if (auto end = dyn_cast<omp::TerminatorOp>(block.getTerminator())) {
      builder.setInsertionPoint(end);
      builder.branch(after, ValueRange());
      end.erase();
    }
  before->getParent()->getBlocks().splice(after->getIterator(), region.getBlocks());
  parallel.erase();
}

void mica::bisect::sequenceOpenMP(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<omp::WsloopOp, omp::ParallelOp>(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  // Inner ones come first.
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<omp::WsloopOp>(op))
      writeLoop(loop);
    else
      writeParallel(cast<omp::ParallelOp>(op));
  }
  for (auto reduction : llvm::make_early_inc_range(module.getOps<omp::DeclareReductionOp>()))
    reduction.erase();
}
