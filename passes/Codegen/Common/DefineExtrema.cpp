//===- DefineExtrema.cpp - maxnum and minnum with a defined order of zeros --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM does not define which zero llvm.maxnum(-0, +0) is, and vector and scalar code differ. This implements
// arith.maxnumf as maximumNumber of IEEE 754-2019: the other operand if one is NaN, and -0 < +0. The LLVM dialect has
// that only as a named intrinsic, and has none for reductions.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mica {
#define GEN_PASS_DEF_DEFINEEXTREMAPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct DefineExtremaPass : mica::impl::DefineExtremaPassBase<DefineExtremaPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<LLVM::MaxNumOp, LLVM::MinNumOp, LLVM::vector_reduce_fmax, LLVM::vector_reduce_fmin, LLVM::VPReduceFMaxOp,
              LLVM::VPReduceFMinOp>(op))
        found.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : found) {
      rewriter.setInsertionPoint(op);
      bool isMax = isa<LLVM::MaxNumOp, LLVM::vector_reduce_fmax, LLVM::VPReduceFMaxOp>(op);
      if (isa<LLVM::MaxNumOp, LLVM::MinNumOp>(op))
        rewriter.replaceOp(op, extremum(rewriter, op, isMax, op->getOperand(0), op->getOperand(1)));
      else if (isa<LLVM::vector_reduce_fmax, LLVM::vector_reduce_fmin>(op))
        rewriter.replaceOp(op, reduced(rewriter, op, isMax, op->getOperand(0)));
      else
        rewriter.replaceOp(op, extremum(rewriter, op, isMax, op->getOperand(0), masked(rewriter, op, isMax)));
    }
  }

private:
  static Value extremum(OpBuilder &b, Operation *op, bool isMax, Value x, Value y) {
    auto name = b.getStringAttr(isMax ? "llvm.maximumnum" : "llvm.minimumnum");
    return LLVM::CallIntrinsicOp::create(b, op->getLoc(), x.getType(), name, ValueRange{x, y}).getResult(0);
  }

  /// `value` in every lane of `type`.
  static Value splat(OpBuilder &b, Location loc, Type type, const APFloat &value) {
    return LLVM::ConstantOp::create(b, loc, type, DenseElementsAttr::get(cast<ShapedType>(type), value));
  }

  /// Combines all lanes of `lanes`: NaN only if all lanes are.
  static Value reduced(OpBuilder &b, Operation *op, bool isMax, Value lanes) {
    Location loc = op->getLoc();
    auto type = cast<VectorType>(lanes.getType());
    const llvm::fltSemantics &semantics = cast<FloatType>(type.getElementType()).getFloatSemantics();
    Value isNaN = LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::uno, lanes, lanes);
    Value last = splat(b, loc, type, APFloat::getInf(semantics, /*Negative=*/isMax));
    Value numbers = LLVM::SelectOp::create(b, loc, isNaN, last, lanes);
    Value best = isMax ? LLVM::vector_reduce_fmaximum::create(b, loc, type.getElementType(), numbers).getResult()
                       : LLVM::vector_reduce_fminimum::create(b, loc, type.getElementType(), numbers).getResult();
    Value noNumber = LLVM::vector_reduce_and::create(b, loc, b.getI1Type(), isNaN);
    Value nan = LLVM::ConstantOp::create(b, loc, type.getElementType(),
                                         b.getFloatAttr(type.getElementType(), APFloat::getNaN(semantics)));
    return LLVM::SelectOp::create(b, loc, noNumber, nan, best);
  }

  /// Combines the active lanes of a masked reduction; NaN if there are none.
  static Value masked(OpBuilder &b, Operation *op, bool isMax) {
    Value lanes = op->getOperand(1), mask = op->getOperand(2);
    auto type = cast<VectorType>(lanes.getType());
    Value nan =
        splat(b, op->getLoc(), type, APFloat::getNaN(cast<FloatType>(type.getElementType()).getFloatSemantics()));
    return reduced(b, op, isMax, LLVM::SelectOp::create(b, op->getLoc(), mask, lanes, nan));
  }
};
} // namespace
