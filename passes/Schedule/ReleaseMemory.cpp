//===- ReleaseMemory.cpp - pass mica-schedule-release-memory -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td. What is allocated in an iteration is known to the rest of the iteration, and to the next ones by the
// values that are passed on. So it is enough to know which buffers these are when the iteration ends; which of them are
// views of which memory, the runtime sees by their addresses.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mica {
#define GEN_PASS_DEF_RELEASEMEMORY
#include "passes/Schedule/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Whether a loop may pass on a value of `type`: its address in memory, if it has one, is known.
static bool isBufferOrNumber(Type type) {
  if (auto buffer = dyn_cast<MemRefType>(type))
    return !isa<BaseMemRefType>(buffer.getElementType());
  return type.isIntOrIndexOrFloat() || isa<VectorType, ComplexType>(type);
}

/// Whether `op` may keep the address of a buffer where it is not seen: as a number, or in memory.
static bool mayHideAddresses(Operation *op) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp, UnrealizedConversionCastOp>(op))
    return true;
  auto hides = [](Type type) {
    auto buffer = dyn_cast<BaseMemRefType>(type);
    return isa<LLVM::LLVMPointerType>(type) || (buffer && isa<BaseMemRefType>(buffer.getElementType()));
  };
  return llvm::any_of(op->getOperandTypes(), hides) || llvm::any_of(op->getResultTypes(), hides);
}

/// Whether memory is allocated in a region of `loop`.
static bool allocates(Operation *loop) {
  return loop
      ->walk([](Operation *op) {
        return isa<sched::AllocOp, memref::AllocOp, memref::AllocaOp, memref::ReallocOp, func::CallOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The terminator of the block of `loop` with which an iteration ends; null if it is no loop, or one that cannot be
/// seen through.
static Operation *endOfIteration(Operation *loop) {
  if (!llvm::all_of(loop->getResultTypes(), isBufferOrNumber))
    return nullptr;
  if (auto forOp = dyn_cast<scf::ForOp>(loop))
    return forOp.getBody()->getTerminator();
  auto whileOp = dyn_cast<scf::WhileOp>(loop);
  return whileOp && llvm::all_of(whileOp.getInits().getTypes(), isBufferOrNumber) ? whileOp.getYieldOp().getOperation()
                                                                                  : nullptr;
}

namespace {
class ReleaseMemory : public mica::impl::ReleaseMemoryBase<ReleaseMemory> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool hides = false;
    SmallVector<std::pair<Operation *, Operation *>> loops;
    function.walk([&](Operation *op) {
      hides |= mayHideAddresses(op);
      if (Operation *end = endOfIteration(op); end && allocates(op))
        loops.push_back({op, end});
    });
    if (hides)
      return;
    OpBuilder builder(&getContext());
    for (auto [loop, end] : loops) {
      builder.setInsertionPoint(loop);
      auto mark = sched::MarkOp::create(builder, loop->getLoc());
      SmallVector<Value> kept(
          llvm::make_filter_range(end->getOperands(), [](Value value) { return isa<MemRefType>(value.getType()); }));
      builder.setInsertionPoint(end);
      sched::ReleaseOp::create(builder, end->getLoc(), mark, kept);
    }
  }
};
} // namespace
