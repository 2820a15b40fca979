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
  }
};
} // namespace
