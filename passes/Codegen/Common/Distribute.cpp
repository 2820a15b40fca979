//===- Distribute.cpp - distributing a kernel's work ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Adds the trailing arguments %part and %parts to the kernel, and converts the loop that a strategy marked with
// `mica.distribute` to a loop over this call's part of the iterations:
//
//   scf.forall (%i, %j) in (64, 32) { body } {mica.distribute}
//   ->
//   %b = 2048 * %part / %parts;  %e = 2048 * (%part + 1) / %parts
//   scf.for %k = %b to %e step 1 { %i = %k / 32; %j = %k mod 32; body }
//
// The value of `mica.distribute`, if it is an integer, is the maximum useful number of work partitions. If no loop is
// marked, the only outermost scf.forall is distributed. A kernel without such a loop, or one that writes its arguments
// outside of it, is serial: partition 0 does everything.
//
// If consecutive iterations write consecutive parts of a buffer, the argument gets the attribute `mica.share_elements`,
// unless the kernel does preparatory work outside of the loop, because then each partition repeats it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/Common/ContiguousShares.h"
#include "passes/Codegen/Common/Passes.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/RootBuffer.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-codegen-distribute"

namespace mica {
#define GEN_PASS_DEF_DISTRIBUTEPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

using mica::codegen::kDistributeAttr;

/// Whether `op` (or an op nested in it) may write memory that other work partitions access: a function argument.
static bool writesArguments(Operation *op) {
  WalkResult result = op->walk([&](Operation *inner) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
    if (!effects)
      return inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isPure(inner) ? WalkResult::advance()
                                                                                    : WalkResult::interrupt();
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (MemoryEffects::EffectInstance &effect : instances) {
      if (!isa<MemoryEffects::Write>(effect.getEffect()))
        continue;
      // What is not allocated here may be an argument, also if a loop or a condition has passed it on.
      Value value = effect.getValue();
      Operation *root = value ? mica::rootBuffer(value).getDefiningOp() : nullptr;
      if (!isa_and_present<memref::AllocOp, memref::AllocaOp>(root))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Replaces `loop` by a loop over the range [total*part/parts, total*(part+1)/parts) of its iterations in row-major
/// order. Returns the number of iterations if it is known. Fails if that overflows.
static FailureOr<std::optional<int64_t>> distributeLoop(scf::ForallOp loop, Value part, Value parts) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  AffineExpr s0, s1, s2;
  bindSymbols(loop.getContext(), s0, s1, s2);
  SmallVector<OpFoldResult> counts;
  OpFoldResult total = rewriter.getIndexAttr(1);
  std::optional<int64_t> known = 1; // the product of the known counts
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getMixedLowerBound(), loop.getMixedUpperBound(), loop.getMixedStep())) {
    counts.push_back(affine::makeComposedFoldedAffineApply(rewriter, loc, (s1 - s0).ceilDiv(s2), {lower, upper, step}));
    total = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1, {total, counts.back()});
    known = mica::checkedMul(*known, getConstantIntValue(counts.back()).value_or(1));
    if (!known)
      return loop.emitOpError("has more iterations than 64 bits can count");
  }

  auto bound = [&](Value share) -> Value {
    Value totalValue = getValueOrCreateConstantIndexOp(rewriter, loc, total);
    Value product = arith::MulIOp::create(rewriter, loc, totalValue, share);
    return arith::DivUIOp::create(rewriter, loc, product, parts);
  };
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value begin = bound(part);
  Value end = bound(arith::AddIOp::create(rewriter, loc, part, one));
  auto share = scf::ForOp::create(rewriter, loc, begin, end, one);
  rewriter.setInsertionPointToStart(share.getBody());

  SmallVector<Value> ivs(loop.getRank());
  Value rest = share.getInductionVar();
  for (int64_t d = loop.getRank() - 1; d >= 0; --d) {
    Value position = rest;
    if (d > 0) {
      Value count = getValueOrCreateConstantIndexOp(rewriter, loc, counts[d]);
      position = arith::RemUIOp::create(rewriter, loc, rest, count);
      rest = arith::DivUIOp::create(rewriter, loc, rest, count);
    }
    OpFoldResult iv = affine::makeComposedFoldedAffineApply(
        rewriter, loc, s0 * s1 + s2, {OpFoldResult(position), loop.getMixedStep()[d], loop.getMixedLowerBound()[d]});
    ivs[d] = getValueOrCreateConstantIndexOp(rewriter, loc, iv);
  }
  rewriter.eraseOp(loop.getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), share.getBody()->getTerminator(), ivs);
  rewriter.eraseOp(loop);
  return std::optional<int64_t>(getConstantIntValue(total));
}

/// The parallel loop of a kernel that was written as one in the program, so that no strategy marked it.
static scf::ForallOp onlyOutermostLoop(func::FuncOp func) {
  auto loops = llvm::to_vector(func.getOps<scf::ForallOp>());
  return loops.size() == 1 && loops.front().getNumResults() == 0 ? loops.front() : nullptr;
}

/// Marks the buffers of which each iteration of `loop` writes a contiguous part.
static void noteContiguousShares(func::FuncOp func, scf::ForallOp loop) {
  if (llvm::any_of(func.getBody().front(), [&](Operation &op) { return &op != loop && op.getNumRegions() > 0; }))
    return;
  for (BlockArgument argument : func.getArguments()) {
    auto access = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), mica::sched::kAccessAttr);
    if (!access || access.getValue() == "read")
      continue;
    if (std::optional<int64_t> elements = mica::elementsPerIteration(loop, argument))
      func.setArgAttr(argument.getArgNumber(), mica::kShareElementsAttr,
                      IntegerAttr::get(IntegerType::get(func.getContext(), 64), *elements));
  }
}

namespace {
struct DistributePass : mica::impl::DistributePassBase<DistributePass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func->hasAttr("mica_sched.grid"))
      return;
    SmallVector<scf::ForallOp> marked;
    func.walk([&](scf::ForallOp loop) {
      if (loop->hasAttr(kDistributeAttr))
        marked.push_back(loop);
    });
    if (marked.size() > 1) {
      marked[1].emitOpError("is a second loop marked 'mica_codegen.distribute' in one kernel");
      return signalPassFailure();
    }
    scf::ForallOp loop = marked.empty() ? onlyOutermostLoop(func) : marked.front();
    if (loop && (loop->getParentOp() != func || loop.getNumResults() != 0)) {
      loop.emitOpError("marked 'mica_codegen.distribute' must be outermost and work on buffers");
      return signalPassFailure();
    }
    Block &body = func.getBody().front();
    bool serial = !loop || llvm::any_of(body, [&](Operation &op) { return &op != loop && writesArguments(&op); });

    Type index = IndexType::get(&getContext());
    unsigned first = func.getNumArguments();
    if (failed(func.insertArguments({first, first}, {index, index}, {DictionaryAttr(), DictionaryAttr()},
                                    {func.getLoc(), func.getLoc()})))
      return signalPassFailure();
    Value part = func.getArgument(first), parts = func.getArgument(first + 1);

    std::optional<int64_t> grid = 1;
    if (serial) {
      // Only partition 0 works, so that a wrong number of partitions does not repeat the work.
      IRRewriter rewriter(&getContext());
      rewriter.setInsertionPointToStart(&body);
      Value zero = arith::ConstantIndexOp::create(rewriter, func.getLoc(), 0);
      Value isFirst = arith::CmpIOp::create(rewriter, func.getLoc(), arith::CmpIPredicate::eq, part, zero);
      auto guard = scf::IfOp::create(rewriter, func.getLoc(), isFirst);
      Block &then = guard.getThenRegion().front();
      then.getOperations().splice(then.getTerminator()->getIterator(), body.getOperations(),
                                  std::next(guard->getIterator()), body.getTerminator()->getIterator());
    } else {
      auto limit = loop->getAttrOfType<IntegerAttr>(kDistributeAttr);
      noteContiguousShares(func, loop);
      FailureOr<std::optional<int64_t>> iterations = distributeLoop(loop, part, parts);
      if (failed(iterations))
        return signalPassFailure();
      grid = *iterations;
      if (limit && grid)
        grid = std::max<int64_t>(1, std::min<int64_t>(*grid, limit.getInt()));
    }
    LDBG() << func.getName() << ": " << (serial ? "serial" : "divided") << ", useful shares " << grid.value_or(-1);
    func->setAttr("mica_sched.grid", IntegerAttr::get(IntegerType::get(&getContext(), 64), grid.value_or(-1)));

    // Loops over sub-blocks that no strategy distributes run sequentially.
    SmallVector<scf::ForallOp> others;
    func.walk<WalkOrder::PostOrder>([&](scf::ForallOp inner) { others.push_back(inner); });
    for (scf::ForallOp inner : others) {
      IRRewriter rewriter(inner);
      if (failed(scf::forallToForLoop(rewriter, inner)))
        return signalPassFailure();
    }
  }
};
} // namespace
