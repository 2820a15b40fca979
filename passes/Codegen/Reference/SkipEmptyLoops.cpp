//===- SkipEmptyLoops.cpp - skipping loops around empty loops -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A tensor of 2^62 x 0 elements is empty, but a loop over its first dimension would practically not terminate.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mica {
#define GEN_PASS_DEF_SKIPEMPTYLOOPS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The only op in the body of `loop` if it is a loop; null otherwise.
static scf::ForOp onlyLoopIn(scf::ForOp loop) {
  scf::ForOp inner;
  if (!loop.getInitArgs().empty())
    return {};
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto found = dyn_cast<scf::ForOp>(op)) {
      if (inner)
        return {};
      inner = found;
    } else if (!isMemoryEffectFree(&op)) {
      return {};
    }
  }
  return inner;
}

namespace {
struct SkipEmptyLoops : mica::impl::SkipEmptyLoopsBase<SkipEmptyLoops> {
  void runOnOperation() override {
    // Inner loops are visited first.
    getOperation()->walk([](scf::ForOp loop) {
      scf::ForOp inner = onlyLoopIn(loop);
      if (!inner || !loop.isDefinedOutsideOfLoop(inner.getLowerBound()) ||
          !loop.isDefinedOutsideOfLoop(inner.getUpperBound()))
        return;
      std::optional<int64_t> from = getConstantIntValue(inner.getLowerBound()),
                             to = getConstantIntValue(inner.getUpperBound());
      if (from && to && *from < *to)
        return;
      // The bound is computed in front of all enclosing loops on which it does not depend.
      OpBuilder builder(loop);
      Value bounds[] = {loop.getLowerBound(), loop.getUpperBound(), inner.getLowerBound(), inner.getUpperBound()};
      for (auto outer = loop->getParentOfType<scf::ForOp>();
           outer && llvm::all_of(bounds, [&](Value bound) { return outer.isDefinedOutsideOfLoop(bound); });
           outer = outer->getParentOfType<scf::ForOp>())
        builder.setInsertionPoint(outer);
      Location loc = loop.getLoc();
      Value turns = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, bounds[2], bounds[3]);
      loop.setUpperBound(arith::SelectOp::create(builder, loc, turns, bounds[1], bounds[0]));
    });
  }
};
} // namespace
