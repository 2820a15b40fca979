//===- NarrowIntAccesses.cpp - accesses of vectors of sub-byte integers -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See NarrowIntAccesses.h. Each access is cloned with its buffer cast to bytes, and with its data (the stored value, or
// the pass-through value of a masked load) extended.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/NarrowIntAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

namespace {

/// The operands of an access: its buffer, and its data, which loads may lack.
struct NarrowAccess {
  OpOperand *buffer = nullptr;
  OpOperand *data = nullptr;
};

NarrowAccess accessOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, NarrowAccess>(op)
      .Case([](vector::LoadOp load) {
        return NarrowAccess{&load.getBaseMutable(), nullptr};
      })
      .Case([](vector::StoreOp store) {
        return NarrowAccess{&store.getBaseMutable(), &store.getValueToStoreMutable()};
      })
      .Case([](vector::TransferReadOp read) {
        return NarrowAccess{&read.getBaseMutable(), &read.getPaddingMutable()};
      })
      .Case([](vector::TransferWriteOp write) {
        return NarrowAccess{&write.getBaseMutable(), &write.getValueToStoreMutable()};
      })
      .Case<vector::MaskedLoadOp, vector::GatherOp, vector::ExpandLoadOp>([](auto load) {
        return NarrowAccess{&load.getBaseMutable(), &load.getPassThruMutable()};
      })
      .Case<vector::MaskedStoreOp, vector::ScatterOp, vector::CompressStoreOp>([](auto store) {
        return NarrowAccess{&store.getBaseMutable(), &store.getValueToStoreMutable()};
      })
      .Default([](Operation *) { return NarrowAccess(); });
}

/// `type` with i8 elements.
Type inBytes(Type type) {
  Type byte = IntegerType::get(type.getContext(), 8);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(byte)) : byte;
}

struct AccessBytes : RewritePattern {
  AccessBytes(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    const NarrowAccess access = accessOf(op);
    auto type = access.buffer ? dyn_cast<MemRefType>(access.buffer->get().getType()) : MemRefType();
    Type element = type ? type.getElementType() : Type();
    if (!type || (!element.isInteger(1) && !element.isInteger(4)))
      return failure();
    Location loc = op->getLoc();
    auto bytesType = MemRefType::get(type.getShape(), rewriter.getI8Type(), type.getLayout(), type.getMemorySpace());
    Value bytes = UnrealizedConversionCastOp::create(rewriter, loc, bytesType, access.buffer->get()).getResult(0);
    Operation *copy = rewriter.clone(*op);
    rewriter.modifyOpInPlace(copy, [&] {
      copy->setOperand(access.buffer->getOperandNumber(), bytes);
      if (access.data)
        copy->setOperand(access.data->getOperandNumber(), extended(rewriter, copy, access.data->get()));
      if (copy->getNumResults() == 1)
        copy->getResult(0).setType(inBytes(copy->getResult(0).getType()));
    });
    if (op->getNumResults() == 0) {
      rewriter.eraseOp(op);
      return success();
    }
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op->getResult(0).getType(), copy->getResult(0));
    return success();
  }

  static Value extended(PatternRewriter &rewriter, Operation *before, Value value) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(before);
    Type wide = inBytes(value.getType());
    if (getElementTypeOrSelf(value.getType()).isInteger(1))
      return arith::ExtUIOp::create(rewriter, before->getLoc(), wide, value);
    return arith::ExtSIOp::create(rewriter, before->getLoc(), wide, value);
  }
};

} // namespace

void mica::populateNarrowIntAccessPatterns(RewritePatternSet &patterns) {
  patterns.add<AccessBytes>(patterns.getContext());
}
