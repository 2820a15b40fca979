//===- FoldOps.cpp - folders and canonicalization patterns of the dialect `mica` ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A fold never changes a result's bits: floats are folded only if IEEE arithmetic gives the same value at run time, and
// transcendental functions never are. An operation made from several has the locations of all of them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mica;

namespace {

/// Larger constants are only folded if they are splats, so that folding does not make the program larger.
constexpr int64_t kMaxFoldedElements = 64;

using IntFold = llvm::function_ref<APInt(const APInt &, const APInt &)>;
using FloatFold = llvm::function_ref<APFloat(const APFloat &, const APFloat &)>;

/// The row-major position in a broadcast operand for a position in the result.
int64_t broadcastPosition(int64_t position, ArrayRef<int64_t> result, ArrayRef<int64_t> operand) {
  int64_t found = 0, stride = 1;
  for (int64_t dim = result.size() - 1; dim >= 0; --dim) {
    int64_t index = position % result[dim];
    position /= result[dim];
    if (operand[dim] != 1)
      found += index * stride;
    stride *= operand[dim];
  }
  return found;
}

template <typename Element, typename Fold>
DenseElementsAttr foldElements(DenseElementsAttr lhs, DenseElementsAttr rhs, RankedTensorType type, Fold fold) {
  if (lhs.isSplat() && rhs.isSplat())
    return DenseElementsAttr::get(type, fold(lhs.getSplatValue<Element>(), rhs.getSplatValue<Element>()));
  auto l = lhs.getValues<Element>(), r = rhs.getValues<Element>();
  SmallVector<Element> values;
  for (int64_t position = 0, count = type.getNumElements(); position < count; ++position)
    values.push_back(fold(l[broadcastPosition(position, type.getShape(), lhs.getType().getShape())],
                          r[broadcastPosition(position, type.getShape(), rhs.getType().getShape())]));
  return DenseElementsAttr::get(type, values);
}

/// A binary elementwise operation on constants.
OpFoldResult foldBinary(Attribute lhs, Attribute rhs, RankedTensorType type, IntFold intFold, FloatFold floatFold) {
  auto l = dyn_cast_or_null<DenseElementsAttr>(lhs), r = dyn_cast_or_null<DenseElementsAttr>(rhs);
  if (!l || !r || !type.hasStaticShape() ||
      (!(l.isSplat() && r.isSplat()) && type.getNumElements() > kMaxFoldedElements))
    return {};
  if (isa<FloatType>(type.getElementType()))
    return foldElements<APFloat>(l, r, type, floatFold);
  return foldElements<APInt>(l, r, type, intFold);
}

/// Whether a constant is a splat for which `isInt` or `isFloat` holds.
bool isSplatOf(Attribute value, llvm::function_ref<bool(const APInt &)> isInt,
               llvm::function_ref<bool(const APFloat &)> isFloat) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat())
    return false;
  if (isa<FloatType>(dense.getElementType()))
    return isFloat(dense.getSplatValue<APFloat>());
  return isInt(dense.getSplatValue<APInt>());
}

bool isOne(Attribute value) {
  return isSplatOf(
      value, [](const APInt &v) { return v.isOne(); }, [](const APFloat &v) { return v.isExactlyValue(1.0); });
}

/// `lhs` as the result of an operation with a neutral right operand; requires equal types, as rhs may have been larger.
template <typename BinaryOp> OpFoldResult keepLhs(BinaryOp op) {
  return op.getLhs().getType() == op.getType() ? OpFoldResult(op.getLhs()) : OpFoldResult();
}

} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // -0 is the neutral float: x + 0 changes -0 to 0.
  bool neutral = isSplatOf(
      adaptor.getRhs(), [](const APInt &v) { return v.isZero(); }, [](const APFloat &v) { return v.isNegZero(); });
  if (neutral)
    if (OpFoldResult lhs = keepLhs(*this))
      return lhs;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &a, const APInt &b) { return a + b; },
      [](const APFloat &a, const APFloat &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  bool neutral = isSplatOf(
      adaptor.getRhs(), [](const APInt &v) { return v.isZero(); }, [](const APFloat &v) { return v.isPosZero(); });
  if (neutral)
    if (OpFoldResult lhs = keepLhs(*this))
      return lhs;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &a, const APInt &b) { return a - b; },
      [](const APFloat &a, const APFloat &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    if (OpFoldResult lhs = keepLhs(*this))
      return lhs;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(), [](const APInt &a, const APInt &b) { return a * b; },
      [](const APFloat &a, const APFloat &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    if (OpFoldResult lhs = keepLhs(*this))
      return lhs;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return b.isZero()      ? b
                                                  : b.isAllOnes() ? -a
                                                                  : a.sdiv(b); },
      [](const APFloat &a, const APFloat &b) { return a / b; });
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return keepLhs(*this);
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return a.getBitWidth() == 1 ? a | b : llvm::APIntOps::smax(a, b); },
      [](const APFloat &a, const APFloat &b) { return llvm::maximum(a, b); });
}

OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return keepLhs(*this);
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return a.getBitWidth() == 1 ? a & b : llvm::APIntOps::smin(a, b); },
      [](const APFloat &a, const APFloat &b) { return llvm::minimum(a, b); });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>())
    return inner.getInput();
  return foldBinary(
      adaptor.getInput(), adaptor.getInput(), getType(), [](const APInt &a, const APInt &) { return -a; },
      [](const APFloat &a, const APFloat &) { return llvm::neg(a); });
}

OpFoldResult ReluOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<ReluOp>())
    return inner.getResult();
  return foldBinary(
      adaptor.getInput(), adaptor.getInput(), getType(),
      [](const APInt &a, const APInt &) { return a.isNegative() ? APInt(a.getBitWidth(), 0) : a; },
      [](const APFloat &a, const APFloat &) {
        bool kept = a.isNaN() || (!a.isNegative() && !a.isZero());
        return kept ? a : APFloat::getZero(a.getSemantics());
      });
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<AbsOp>())
    return inner.getResult();
  return foldBinary(
      adaptor.getInput(), adaptor.getInput(), getType(), [](const APInt &a, const APInt &) { return a.abs(); },
      [](const APFloat &a, const APFloat &) { return llvm::abs(a); });
}

/// Folds the rounding of a constant, or of the result of the same rounding.
template <typename OpTy> static OpFoldResult foldRounding(OpTy op, Attribute input, llvm::RoundingMode mode) {
  if (auto inner = op.getInput().template getDefiningOp<OpTy>())
    return inner.getResult();
  return foldBinary(
      input, input, op.getType(), [](const APInt &a, const APInt &) { return a; },
      [&](APFloat a, const APFloat &) {
        a.roundToIntegral(mode);
        return a;
      });
}

OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getInput(), llvm::RoundingMode::TowardNegative);
}
OpFoldResult CeilOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getInput(), llvm::RoundingMode::TowardPositive);
}
OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getInput(), llvm::RoundingMode::NearestTiesToEven);
}

/// not(not(x)) is x, for i1 and integers.
template <typename OpTy> static OpFoldResult foldNot(OpTy op, Attribute input) {
  if (auto inner = op.getInput().template getDefiningOp<OpTy>())
    return inner.getInput();
  return foldBinary(
      input, input, op.getType(), [](const APInt &a, const APInt &) { return ~a; },
      [](const APFloat &a, const APFloat &) { return a; });
}

OpFoldResult LogicalNotOp::fold(FoldAdaptor adaptor) { return foldNot(*this, adaptor.getInput()); }
OpFoldResult BitwiseNotOp::fold(FoldAdaptor adaptor) { return foldNot(*this, adaptor.getInput()); }

/// `x and x` and `x or x` are x, and so is x combined with the neutral value.
template <typename OpTy> static OpFoldResult foldIdempotent(OpTy op, Attribute rhs, bool neutralIsOnes) {
  bool neutral = isSplatOf(
      rhs, [&](const APInt &v) { return neutralIsOnes ? v.isAllOnes() : v.isZero(); },
      [](const APFloat &) { return false; });
  return neutral || op.getLhs() == op.getRhs() ? keepLhs(op) : OpFoldResult();
}

OpFoldResult LogicalAndOp::fold(FoldAdaptor adaptor) { return foldIdempotent(*this, adaptor.getRhs(), true); }
OpFoldResult LogicalOrOp::fold(FoldAdaptor adaptor) { return foldIdempotent(*this, adaptor.getRhs(), false); }
OpFoldResult BitwiseAndOp::fold(FoldAdaptor adaptor) { return foldIdempotent(*this, adaptor.getRhs(), true); }
OpFoldResult BitwiseOrOp::fold(FoldAdaptor adaptor) { return foldIdempotent(*this, adaptor.getRhs(), false); }

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() && getOnTrue().getType() == getType())
    return getOnTrue();
  auto condition = dyn_cast_or_null<DenseElementsAttr>(adaptor.getCondition());
  if (!condition || !condition.isSplat())
    return {};
  Value chosen = condition.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  return chosen.getType() == getType() ? OpFoldResult(chosen) : OpFoldResult();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

//===------------------------------------------------------------------------------------------------------------===//
// Contraction
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// mica.matmul of an operand that was transposed by mica.transpose: sets the transpose flag instead.
struct AbsorbTranspose : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  static TransposeOp matrixTranspose(Value value) {
    auto op = value.getDefiningOp<TransposeOp>();
    if (!op)
      return nullptr;
    ArrayRef<int64_t> permutation = op.getPermutation();
    int64_t rank = permutation.size();
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      if (permutation[dim] != dim)
        return nullptr;
    return rank >= 2 && permutation[rank - 2] == rank - 1 ? op : nullptr;
  }

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    TransposeOp lhs = matrixTranspose(op.getLhs()), rhs = matrixTranspose(op.getRhs());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand is the transpose of matrices");
    SmallVector<Location> locs{op.getLoc()};
    if (lhs)
      locs.push_back(lhs.getLoc());
    if (rhs)
      locs.push_back(rhs.getLoc());
    auto product = MatmulOp::create(rewriter, rewriter.getFusedLoc(locs), op.getType(),
                                    lhs ? lhs.getInput() : op.getLhs(), rhs ? rhs.getInput() : op.getRhs(),
                                    op.getTransposeA() != (lhs != nullptr), op.getTransposeB() != (rhs != nullptr));
    rewriter.replaceOp(op, product);
    return success();
  }
};

} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AbsorbTranspose>(context);
}

//===------------------------------------------------------------------------------------------------------------===//
// Shape
//===------------------------------------------------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// A splat is a splat in every static shape.
static OpFoldResult resplat(Attribute value, RankedTensorType type) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (dense && dense.isSplat() && type.hasStaticShape())
    return dense.resizeSplat(type);
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity = llvm::all_of(llvm::enumerate(getPermutation()),
                               [](auto pair) { return static_cast<int64_t>(pair.index()) == pair.value(); });
  if (identity && getInput().getType() == getType())
    return getInput();
  return resplat(adaptor.getInput(), getType());
}

namespace {

struct TransposeOfTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the operand is no transpose");
    SmallVector<int64_t> permutation;
    for (int64_t dim : op.getPermutation())
      permutation.push_back(inner.getPermutation()[dim]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getInput(), permutation)
        ->setLoc(rewriter.getFusedLoc({op.getLoc(), inner.getLoc()}));
    return success();
  }
};

struct ReshapeOfReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the operand is no reshape");
    // If the result has a dynamic dimension, this only drops the static sizes of the intermediate type.
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getInput())
        ->setLoc(rewriter.getFusedLoc({op.getLoc(), inner.getLoc()}));
    return success();
  }
};

} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<TransposeOfTranspose>(context);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType() && getType().getNumDynamicDims() <= 1)
    return getInput();
  if (!getType().hasStaticShape())
    return {};
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getInput()))
    return dense.reshape(getType());
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(adaptor.getInput()))
    return DenseResourceElementsAttr::get(getType(), resource.getRawHandle());
  return {};
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReshapeOfReshape>(context);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType() && getType().hasStaticShape())
    return getInput();
  return resplat(adaptor.getInput(), getType());
}
