//===- InlineMasks.cpp - vector.mask becomes the mask of the op inside --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See InlineMasks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/InlineMasks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// The operand of `op` that masks it, if it is of a kind that has one.
static std::optional<MutableOperandRange> maskOperand(Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return read.getMaskMutable();
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return write.getMaskMutable();
  return std::nullopt;
}

static void inlineMask(vector::MaskOp mask) {
  Operation *inner = mask.getMaskableOp();
  // A value for the lanes that are off is in the order of the result, not of the mask.
  if (!inner || mask.hasPassthru())
    return;
  OpBuilder b(mask);
  Location loc = inner->getLoc();
  auto both = [&](Value own) -> Value {
    return own ? arith::AndIOp::create(b, loc, mask.getMask(), own).getResult() : mask.getMask();
  };
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner)) {
    if (!reduction.getReductionDims().empty())
      return;
    mask.replaceAllUsesWith(ValueRange{vector::makeArithReduction(
        b, loc, reduction.getKind(), reduction.getSource(), reduction.getAcc(), /*fastmath=*/nullptr, mask.getMask())});
    return mask.erase();
  }
  if (auto gather = dyn_cast<vector::GatherOp>(inner)) {
    Value merged = both(gather.getMask());
    inner->moveBefore(mask);
    gather.getMaskMutable().assign(merged);
  } else if (std::optional<MutableOperandRange> own = maskOperand(inner)) {
    Value merged = both(own->empty() ? Value() : (*own)[0].get());
    inner->moveBefore(mask);
    own->assign(merged);
  } else {
    return;
  }
  mask.replaceAllUsesWith(inner->getResults());
  mask.erase();
}

void mica::inlineMasks(Operation *root) { root->walk(inlineMask); }
