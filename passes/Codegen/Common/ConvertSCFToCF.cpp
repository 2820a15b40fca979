//===- ConvertSCFToCF.cpp - converting structured control flow to branches ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Applies upstream's patterns from the last op of a block to the first. Each pattern splits its block after the op,
// which moves all ops that follow; in forward order, as in the conversion driver, n loops move n^2 / 2 ops.
//
// With many loops, each is rotated here (it tests at its end, after an initial test), because LLVM's loop rotation
// invalidates its analyses of all sibling loops for each loop, and updates the dominators of all code that follows.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTSCFTOCFPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The minimum number of loops of an op for rotation.
static constexpr int64_t kManyLoops = 64;

namespace {
///     %r = scf.for %i = %lb to %ub step %s iter_args(%a = %x) { .. scf.yield %y }
///   =>
///     %some = arith.cmpi slt, %lb, %ub
///     cf.cond_br %some, ^before, ^after(%x)
///   ^before:
///     cf.br ^body(%lb, %x)
///   ^body(%i, %a):
///     ..
///     %next = arith.addi %i, %s
///     %more = arith.cmpi slt, %next, %ub
///     cf.cond_br %more, ^body(%next, %y), ^left(%y)
///   ^left(%z):
///     cf.br ^after(%z)
///   ^after(%r):
struct RotateFor : OpRewritePattern<scf::ForOp> {
  explicit RotateFor(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    const Location loc = loop.getLoc();
    const auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    const SmallVector<Location> places(loop.getNumResults(), loc);
    Block *start = loop->getBlock(), *body = loop.getBody();
    Block *after = rewriter.splitBlock(start, loop->getIterator());
    after->addArguments(loop.getResultTypes(), places);
    rewriter.inlineRegionBefore(loop.getRegion(), after);
    Block *before = rewriter.createBlock(body);
    Block *left = rewriter.createBlock(after, loop.getResultTypes(), places);
    cf::BranchOp::create(rewriter, loc, after, left->getArguments());

    auto yield = cast<scf::YieldOp>(body->getTerminator());
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> again{arith::AddIOp::create(rewriter, loc, body->getArgument(0), loop.getStep())};
    llvm::append_range(again, yield.getOperands());
    Value more = arith::CmpIOp::create(rewriter, loc, predicate, again.front(), loop.getUpperBound());
    auto latch = cf::CondBranchOp::create(rewriter, loc, more, body, again, left, yield.getOperands());
    // Hints for LLVM, such as llvm.loop_annotation.
    for (NamedAttribute attribute : loop->getDiscardableAttrs())
      if (isa<LLVM::LLVMDialect>(attribute.getValue().getDialect()))
        latch->setDiscardableAttr(attribute.getName(), attribute.getValue());
    rewriter.eraseOp(yield);

    SmallVector<Value> first{loop.getLowerBound()};
    llvm::append_range(first, loop.getInitArgs());
    rewriter.setInsertionPointToEnd(before);
    cf::BranchOp::create(rewriter, loc, body, first);
    rewriter.setInsertionPointToEnd(start);
    Value some = arith::CmpIOp::create(rewriter, loc, predicate, loop.getLowerBound(), loop.getUpperBound());
    cf::CondBranchOp::create(rewriter, loc, some, before, ValueRange(), after, loop.getInitArgs());
    rewriter.replaceOp(loop, after->getArguments());
    return success();
  }
};

struct ConvertSCFToCFPass : mica::impl::ConvertSCFToCFPassBase<ConvertSCFToCFPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    RewritePatternSet rotating(context);
    populateSCFToControlFlowConversionPatterns(rotating);
    rotating.add<RotateFor>(context);
    rotatingPatterns = std::move(rotating);
    return success();
  }

  void runOnOperation() override {
    // Ops that become other structured ops, with the same body, are converted before their bodies become blocks.
    if (failed(convertAll<scf::ForallOp>()) || failed(convertAll<scf::ParallelOp>()) ||
        failed(convertAll<scf::ExecuteRegionOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>()))
      signalPassFailure();
  }

private:
  template <typename... Ops> LogicalResult convertAll() {
    int64_t loops = 0;
    getOperation()->walk([&](scf::ForOp) { ++loops; });
    PatternApplicator applicator(loops > kManyLoops ? rotatingPatterns : patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    // An op before those in its regions, which its pattern moves; the ops of a block in reverse order.
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
      if (isa<Ops...>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      const std::string name = op->getName().getStringRef().str();
      const Location loc = op->getLoc();
      // Enclosing ops that become branches are converted already, or will be.
      Operation *around = op->getParentOp();
      while (isa_and_present<scf::SCFDialect>(around->getDialect()))
        around = around->getParentOp();
      if (around->hasTrait<OpTrait::SingleBlock>())
        return emitError(loc) << "'" << name << "' does not become branches: it lies in '" << around->getName()
                              << "', which has one block; lower that first";
      if (failed(applicator.matchAndRewrite(op, rewriter)))
        return emitError(loc) << "'" << name << "' does not become branches between blocks";
    }
    return success();
  }

  FrozenRewritePatternSet patterns, rotatingPatterns;
};
} // namespace
