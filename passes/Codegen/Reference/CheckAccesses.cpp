//===- CheckAccesses.cpp - checking accesses of buffers ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-reference-check-accesses. The report is inside of a branch: a call is executed only if a check fails, after
// which mica-reference-make-entries returns from the function.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/LoopSteps.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Codegen/Reference/FailedChecks.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Tensor/InlineMasks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCECHECKACCESSES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// "%m", as the source calls `buffer` or what it is a view of, if a location has it.
static std::string nameOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  if (auto named = buffer.getLoc()->findInstanceOf<NameLoc>())
    return named.getName().str();
  return isa<TensorType>(buffer.getType()) ? "its tensor" : "its buffer";
}

/// Whether `op` accesses elements of a tensor at the positions of its lanes.
static bool isTensorAccess(Operation *op) {
  return isa<vector::GatherOp, vector::ScatterOp, VectorTransferOpInterface>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Checks that the computed position of a vector.extract or vector.insert is inside of its vector.
static void checkLanes(OpBuilder &builder, Operation *op) {
  auto extract = dyn_cast<vector::ExtractOp>(op);
  auto insert = dyn_cast<vector::InsertOp>(op);
  if (!extract && !insert)
    return;
  VectorType type = extract ? extract.getSourceVectorType() : insert.getDestVectorType();
  if (type.isScalable())
    return;
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  for (auto [dim, lane] : llvm::enumerate(extract ? extract.getMixedPosition() : insert.getMixedPosition())) {
    auto computed = dyn_cast<Value>(lane);
    if (!computed)
      continue;
    Value extent = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
    failUnless(builder, op, builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, computed, extent),
               ": position {0} is outside of its vector, whose size in dimension " + std::to_string(dim) + " is {1}",
               {computed, extent});
  }
}

namespace {
struct ReferenceCheckAccesses : mica::impl::ReferenceCheckAccessesBase<ReferenceCheckAccesses> {
  void runOnOperation() override {
    // An op in a vector.mask stands alone: nothing can be computed before it there.
    mica::inlineMasks(getOperation());
    func::FuncOp function = getOperation();
    SmallVector<Operation *> loops, accesses;
    function.walk([&](Operation *op) {
      if (!unknownSteps(op).empty())
        loops.push_back(op);
      else if (isKnownAccess(op) || isTensorAccess(op))
        accesses.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (Operation *op : loops) {
      builder.setInsertionPoint(op);
      for (const LoopStep &each : limitUnknownSteps(builder, op))
        failUnless(builder, op, each.ok, ": " + kLoopStepMessage, {each.lower, each.upper, each.step});
    }
    function.walk([&](Operation *op) { checkLanes(builder, op); });
    for (Operation *op : accesses) {
      builder.setInsertionPoint(op);
      const MemoryAccess access = describeAccess(builder, op);
      Value ok = buildInBounds(builder, op->getLoc(), access.buffer, access.indices, access.sizes);
      failUnless(
          builder, op, ok, " " + check::stringifyAccess(access.kind).str() + "s outside " + nameOf(access.buffer),
          [&](OpBuilder &inside) {
            return reportedValues(inside, op->getLoc(), access.buffer, access.indices, access.sizes);
          },
          check::kAccessReport);
    }
  }
};
} // namespace
