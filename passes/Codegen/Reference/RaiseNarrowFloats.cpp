//===- RaiseNarrowFloats.cpp - narrow floats of the LLVM dialect as ops of arith and math -------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pipeline may have lowered a program to the LLVM dialect already. Its arithmetic on bf16 needs instructions or
// library functions that the host may lack, so it goes back to ops that mica-reference-compute-narrow-floats expands.
// Types are the same in both dialects.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_RAISENARROWFLOATS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

static bool isNarrow(Type type) {
  auto floating = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floating && floating.getWidth() < 32;
}

/// Ops with the same operands, in the same order, and the same results.
static llvm::StringRef counterpart(llvm::StringRef name) {
  static const llvm::StringMap<llvm::StringRef> table = {
      {"llvm.fadd", "arith.addf"},
      {"llvm.fsub", "arith.subf"},
      {"llvm.fmul", "arith.mulf"},
      {"llvm.fdiv", "arith.divf"},
      {"llvm.frem", "arith.remf"},
      {"llvm.fneg", "arith.negf"},
      {"llvm.fpext", "arith.extf"},
      {"llvm.fptrunc", "arith.truncf"},
      {"llvm.sitofp", "arith.sitofp"},
      {"llvm.uitofp", "arith.uitofp"},
      {"llvm.fptosi", "arith.fptosi"},
      {"llvm.fptoui", "arith.fptoui"},
      {"llvm.intr.maximum", "arith.maximumf"},
      {"llvm.intr.minimum", "arith.minimumf"},
      {"llvm.intr.maxnum", "arith.maxnumf"},
      {"llvm.intr.minnum", "arith.minnumf"},
      {"llvm.intr.fabs", "math.absf"},
      {"llvm.intr.copysign", "math.copysign"},
      {"llvm.intr.floor", "math.floor"},
      {"llvm.intr.ceil", "math.ceil"},
      {"llvm.intr.trunc", "math.trunc"},
      {"llvm.intr.round", "math.round"},
      {"llvm.intr.roundeven", "math.roundeven"},
      {"llvm.intr.rint", "math.roundeven"},
      {"llvm.intr.nearbyint", "math.roundeven"},
      {"llvm.intr.sqrt", "math.sqrt"},
      {"llvm.intr.fma", "math.fma"},
      {"llvm.intr.fmuladd", "math.fma"},
      {"llvm.intr.exp", "math.exp"},
      {"llvm.intr.exp2", "math.exp2"},
      {"llvm.intr.log", "math.log"},
      {"llvm.intr.log2", "math.log2"},
      {"llvm.intr.log10", "math.log10"},
      {"llvm.intr.pow", "math.powf"},
      {"llvm.intr.powi", "math.fpowi"},
      {"llvm.intr.sin", "math.sin"},
      {"llvm.intr.cos", "math.cos"},
      {"llvm.intr.tan", "math.tan"},
  };
  return table.lookup(name);
}

/// A reduction of a vector, with a start value if it is a sum or a product.
static std::optional<vector::CombiningKind> reductionKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<vector::CombiningKind>>(op)
      .Case<LLVM::vector_reduce_fadd>([](auto) { return vector::CombiningKind::ADD; })
      .Case<LLVM::vector_reduce_fmul>([](auto) { return vector::CombiningKind::MUL; })
      .Case<LLVM::vector_reduce_fmax>([](auto) { return vector::CombiningKind::MAXNUMF; })
      .Case<LLVM::vector_reduce_fmin>([](auto) { return vector::CombiningKind::MINNUMF; })
      .Case<LLVM::vector_reduce_fmaximum>([](auto) { return vector::CombiningKind::MAXIMUMF; })
      .Case<LLVM::vector_reduce_fminimum>([](auto) { return vector::CombiningKind::MINIMUMF; })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
struct RaiseNarrowFloats : mica::impl::RaiseNarrowFloatsBase<RaiseNarrowFloats> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<LLVM::LLVMDialect>(op->getDialect()) &&
          (llvm::any_of(op->getOperandTypes(), isNarrow) || llvm::any_of(op->getResultTypes(), isNarrow)))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      raise(rewriter, op);
    }
  }

private:
  static void raise(IRRewriter &b, Operation *op) {
    if (auto compare = dyn_cast<LLVM::FCmpOp>(op)) {
      // Both dialects number the predicates in the same way.
      auto predicate = static_cast<arith::CmpFPredicate>(compare.getPredicate());
      b.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, compare.getLhs(), compare.getRhs());
    } else if (std::optional<vector::CombiningKind> kind = reductionKind(op)) {
      Value values = op->getOperands().back(), start = op->getNumOperands() == 2 ? op->getOperand(0) : Value();
      b.replaceOpWithNewOp<vector::ReductionOp>(op, *kind, values, start);
    } else if (llvm::StringRef name = counterpart(op->getName().getStringRef()); !name.empty()) {
      OperationState state(op->getLoc(), name, op->getOperands(), op->getResultTypes(), {});
      b.replaceOp(op, b.create(state));
    }
  }
};
} // namespace
