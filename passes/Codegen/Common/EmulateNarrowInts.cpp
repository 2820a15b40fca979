//===- EmulateNarrowInts.cpp - emulating integers without native support ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An i4 in memory is a byte, of which LLVM assumes that the upper bits are zeros. A loaded byte is truncated to its
// four low bits, a stored value is sign-extended. Vectors of i1 and i4 are also stored as bytes (NarrowIntAccesses.h).
//
// math.ipowi becomes multiplications without a loop, so that it works on vectors: for a type of w bits,
// square-and-multiply over the w - 1 bits of a nonnegative exponent.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/NarrowIntAccesses.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EMULATENARROWINTSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// A buffer of i4 cast to one of bytes; null for other buffers.
Value asBytes(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.getElementType().isInteger(4))
    return nullptr;
  auto bytes = MemRefType::get(type.getShape(), b.getI8Type(), type.getLayout(), type.getMemorySpace());
  return UnrealizedConversionCastOp::create(b, loc, bytes, buffer).getResult(0);
}

struct LoadBytes : OpRewritePattern<memref::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::LoadOp op, PatternRewriter &rewriter) const override {
    Type type = op->getResult(0).getType();
    Value bytes = asBytes(rewriter, op.getLoc(), op->getOperand(0));
    if (!bytes)
      return failure();
    Value loaded = memref::LoadOp::create(rewriter, op.getLoc(), rewriter.getI8Type(), bytes, op.getIndices());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, loaded);
    return success();
  }
};

struct StoreBytes : OpRewritePattern<memref::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::StoreOp op, PatternRewriter &rewriter) const override {
    Value stored = op->getOperand(0), bytes = asBytes(rewriter, op.getLoc(), op->getOperand(1));
    if (!bytes)
      return failure();
    Value extended = arith::ExtSIOp::create(rewriter, op.getLoc(), rewriter.getI8Type(), stored);
    rewriter.replaceOpWithNewOp<memref::StoreOp>(op, extended, bytes, op.getIndices());
    return success();
  }
};

struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    if (isa<TensorType>(type))
      return rewriter.notifyMatchFailure(op, "is not lowered to numbers or vectors");
    Type element = getElementTypeOrSelf(type);
    unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    auto constant = [&](const APInt &value) -> Value {
      TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), value);
      if (auto vector = dyn_cast<VectorType>(type))
        attr = DenseElementsAttr::get(vector, cast<Attribute>(attr));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    auto equal = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, x, y);
    };
    auto select = [&](Value condition, Value x, Value y) -> Value {
      return arith::SelectOp::create(rewriter, loc, condition, x, y);
    };
    Value base = op.getLhs(), exponent = op.getRhs();
    Value zero = constant(APInt(width, 0)), one = constant(APInt(width, 1)),
          minusOne = constant(APInt::getAllOnes(width));
    auto bitIsClear = [&](unsigned bit) -> Value {
      Value mask = constant(APInt::getOneBitSet(width, bit));
      Value kept = arith::AndIOp::create(rewriter, loc, exponent, mask);
      return equal(kept, zero);
    };
    Value result = one, square = base;
    for (unsigned bit = 0; bit + 1 < width; ++bit) {
      Value product = arith::MulIOp::create(rewriter, loc, result, square);
      Value clear = bitIsClear(bit);
      result = select(clear, result, product);
      square = arith::MulIOp::create(rewriter, loc, square, square);
    }
    // A negative exponent: the inverses of 1 and -1 are integers, all others round to 0.
    Value even = bitIsClear(0), sign = select(even, one, minusOne);
    Value isOne = equal(base, one), isMinusOne = equal(base, minusOne);
    Value inverse = select(isOne, one, zero);
    inverse = select(isMinusOne, sign, inverse);
    Value isNegative = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    rewriter.replaceOp(op, select(isNegative, inverse, result));
    return success();
  }
};

/// Whether `type` is a vector that upstream's conversion of extended sums and products does not take.
bool isOfOtherRank(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() != 1;
}

/// Upstream's conversion converts neither the index type nor vectors of several dimensions. A sum that wraps is less
/// than each operand.
struct ExpandAddExtended : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op, PatternRewriter &rewriter) const override {
    Type type = op.getLhs().getType();
    if (!getElementTypeOrSelf(type).isIndex() && !isOfOtherRank(type))
      return failure();
    Value sum = arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    Value overflow = arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, overflow});
    return success();
  }
};

/// Vectors of several dimensions, likewise: a product in twice the bits.
template <typename Op, typename Extend> struct ExpandMulExtended : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getLhs().getType());
    if (!type || !isOfOtherRank(type) || !type.getElementType().isInteger())
      return failure();
    Location loc = op.getLoc();
    const unsigned width = type.getElementType().getIntOrFloatBitWidth();
    Type wide = rewriter.getIntegerType(2 * width);
    auto wideType = VectorType::get(type.getShape(), wide, type.getScalableDims());
    Value product = arith::MulIOp::create(rewriter, loc, Extend::create(rewriter, loc, wideType, op.getLhs()),
                                          Extend::create(rewriter, loc, wideType, op.getRhs()));
    Value bits = arith::ConstantOp::create(rewriter, loc,
                                           DenseElementsAttr::get(wideType, rewriter.getIntegerAttr(wide, width)));
    Value high = arith::ShRUIOp::create(rewriter, loc, product, bits);
    rewriter.replaceOp(op, {arith::TruncIOp::create(rewriter, loc, type, product).getResult(),
                            arith::TruncIOp::create(rewriter, loc, type, high).getResult()});
    return success();
  }
};

struct EmulateNarrowIntsPass : mica::impl::EmulateNarrowIntsPassBase<EmulateNarrowIntsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mica::populateEmulateNarrowIntsPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void mica::populateEmulateNarrowIntsPatterns(RewritePatternSet &patterns) {
  patterns.add<LoadBytes, StoreBytes, ExpandIPowI, ExpandAddExtended,
               ExpandMulExtended<arith::MulSIExtendedOp, arith::ExtSIOp>,
               ExpandMulExtended<arith::MulUIExtendedOp, arith::ExtUIOp>>(patterns.getContext());
  populateNarrowIntAccessPatterns(patterns);
}
