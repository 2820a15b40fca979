//===- Images.cpp - lowering padding and resizing of images ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A constant border becomes tensor.pad; for other borders each position reads its source element. A resize first
// computes tables, for each row and column of the result, of the operand's positions and weights, then reads these.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Integer arithmetic in one type; callers use one operation per statement.
struct Integers {
  OpBuilder &b;
  Location loc;
  Type type;

  Value number(int64_t value) { return tolinalg::number(b, loc, type, static_cast<double>(value)); }
  Value add(Value lhs, Value rhs) { return arith::AddIOp::create(b, loc, lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return arith::SubIOp::create(b, loc, lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return arith::MulIOp::create(b, loc, lhs, rhs); }
  /// The quotient, rounded down, of nonnegative numbers.
  Value div(Value lhs, Value rhs) { return arith::DivUIOp::create(b, loc, lhs, rhs); }
  Value min(Value lhs, Value rhs) { return arith::MinSIOp::create(b, loc, lhs, rhs); }
  Value max(Value lhs, Value rhs) { return arith::MaxSIOp::create(b, loc, lhs, rhs); }
  Value less(Value lhs, Value rhs) { return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lhs, rhs); }
  Value select(Value condition, Value yes, Value no) { return arith::SelectOp::create(b, loc, condition, yes, no); }
};

//===------------------------------------------------------------------------------------------------------------===//
// Pad
//===------------------------------------------------------------------------------------------------------------===//

struct LowerPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The source position of `p` among `size` elements, as an index.
  static Value sourceOf(OpBuilder &b, Location loc, PadMode mode, Value p, Value size) {
    Integers math{b, loc, b.getIndexType()};
    Value zero = math.number(0), one = math.number(1), last = math.sub(size, one);
    if (mode == PadMode::Edge) {
      Value low = math.max(p, zero);
      return math.min(low, last);
    }
    Value before, after;
    if (mode == PadMode::Reflect) {
      Value twice = math.add(last, last);
      before = math.sub(zero, p);
      after = math.sub(twice, p);
    } else {
      before = math.add(p, size);
      after = math.sub(p, size);
    }
    Value isBefore = math.less(p, zero), isAfter = math.less(last, p);
    Value upper = math.select(isAfter, after, p);
    return math.select(isBefore, before, upper);
  }

  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = op.getType().getElementType();
    ArrayRef<int64_t> lows = op.getLow(), highs = op.getHigh();
    if (op.getMode() == PadMode::Constant) {
      TypedAttr value = op.getValueAttr() ? op.getValueAttr() : cast<TypedAttr>(rewriter.getZeroAttr(element));
      Value scalar = arith::ConstantOp::create(rewriter, loc, value);
      replace(rewriter, op,
              tensor::PadOp::create(rewriter, loc, Type(), op.getInput(),
                                    getAsIndexOpFoldResult(rewriter.getContext(), lows),
                                    getAsIndexOpFoldResult(rewriter.getContext(), highs), scalar, /*nofold=*/false));
      return success();
    }
    Lowering lowering(rewriter, loc);
    Value input = op.getInput();
    SmallVector<OpFoldResult> inputSizes = tensor::getMixedSizes(rewriter, loc, input);
    auto body = [&](OpBuilder &b, Location bodyLoc, ValueRange) -> Value {
      SmallVector<Value> from;
      for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
        from.push_back(linalg::IndexOp::create(b, bodyLoc, dim));
        if (lows[dim] == 0 && highs[dim] == 0)
          continue;
        Value low = arith::ConstantIndexOp::create(b, bodyLoc, lows[dim]);
        Value p = arith::SubIOp::create(b, bodyLoc, from.back(), low);
        Value size = getValueOrCreateConstantIndexOp(b, bodyLoc, inputSizes[dim]);
        from.back() = sourceOf(b, bodyLoc, op.getMode(), p, size);
      }
      return tensor::ExtractOp::create(b, bodyLoc, input, from);
    };
    replace(rewriter, op, lowering.parallel({}, {}, resultSizes(rewriter, op), element, body));
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Resize
//===------------------------------------------------------------------------------------------------------------===//

struct LowerResize : OpRewritePattern<ResizeOp> {
  using OpRewritePattern::OpRewritePattern;

  /// One spatial dimension: the sizes of operand and result.
  struct Direction {
    OpFoldResult in, out;
  };

  /// The coordinate of position `x`, as numerator and denominator; it is above -1.
  static std::pair<Value, Value> coordinateOf(Integers math, ResizeCoordinates coordinates, Value x, Value in,
                                              Value out) {
    Value one = math.number(1), two = math.number(2);
    switch (coordinates) {
    case ResizeCoordinates::HalfPixel: {
      Value doubled = math.mul(x, two), odd = math.add(doubled, one), scaled = math.mul(odd, in);
      Value numerator = math.sub(scaled, out), denominator = math.mul(out, two);
      return {numerator, denominator};
    }
    case ResizeCoordinates::Asymmetric: {
      Value numerator = math.mul(x, in);
      return {numerator, out};
    }
    case ResizeCoordinates::AlignCorners: {
      // With one position, which is 0, any nonzero denominator works.
      Value steps = math.sub(in, one), numerator = math.mul(x, steps), others = math.sub(out, one);
      Value denominator = math.max(others, one);
      return {numerator, denominator};
    }
    }
    llvm_unreachable("all coordinates are above");
  }

  /// The coordinate as an integer. Dividends are made nonnegative, so that division rounds down.
  static Value rounded(Integers math, ResizeRounding rounding, Value numerator, Value denominator) {
    Value one = math.number(1), two = math.number(2);
    switch (rounding) {
    case ResizeRounding::Floor: {
      Value raised = math.add(numerator, denominator), quotient = math.div(raised, denominator);
      return math.sub(quotient, one);
    }
    case ResizeRounding::Ceil: {
      Value raised = math.add(numerator, denominator), dividend = math.sub(raised, one);
      return math.div(dividend, denominator);
    }
    case ResizeRounding::PreferFloor:
    case ResizeRounding::PreferCeil: {
      Value doubled = math.mul(numerator, two), dividend = math.add(doubled, denominator);
      Value divisor = math.mul(denominator, two);
      if (rounding == ResizeRounding::PreferFloor)
        dividend = math.sub(dividend, one);
      return math.div(dividend, divisor);
    }
    }
    llvm_unreachable("all roundings are above");
  }

  /// A table over the positions of one dimension, with `entry` of a coordinate's numerator and denominator.
  static Value table(Lowering &lowering, ResizeOp op, Direction direction, Type element,
                     llvm::function_ref<Value(Integers, Value, Value, Value)> entry) {
    return lowering.parallel({}, {}, direction.out, element, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
      Integers math{b, loc, b.getI64Type()};
      auto integer = [&](OpFoldResult size) -> Value {
        Value index = getValueOrCreateConstantIndexOp(b, loc, size);
        return arith::IndexCastOp::create(b, loc, math.type, index);
      };
      Value position = linalg::IndexOp::create(b, loc, 0), x = arith::IndexCastOp::create(b, loc, math.type, position);
      Value in = integer(direction.in), out = integer(direction.out);
      auto [numerator, denominator] = coordinateOf(math, op.getCoordinates(), x, in, out);
      return entry(math, numerator, denominator, in);
    });
  }

  /// The position that is read first (`later` 0) or second (`later` 1).
  static Value positions(Lowering &lowering, ResizeOp op, Direction direction, ResizeRounding rounding, int64_t later) {
    return table(lowering, op, direction, lowering.builder.getI64Type(),
                 [&](Integers math, Value numerator, Value denominator, Value in) -> Value {
                   Value at = rounded(math, rounding, numerator, denominator);
                   if (later)
                     at = math.add(at, math.number(later));
                   Value zero = math.number(0), one = math.number(1), last = math.sub(in, one);
                   Value raised = math.max(at, zero);
                   return math.min(raised, last);
                 });
  }

  /// The weight of the second element, in the type `wide`.
  static Value parts(Lowering &lowering, ResizeOp op, Direction direction, Type wide) {
    return table(lowering, op, direction, wide, [&](Integers math, Value numerator, Value denominator, Value) -> Value {
      Value first = rounded(math, ResizeRounding::Floor, numerator, denominator);
      Value whole = math.mul(first, denominator), rest = math.sub(numerator, whole);
      Value dividend = arith::SIToFPOp::create(math.b, math.loc, wide, rest);
      Value divisor = arith::SIToFPOp::create(math.b, math.loc, wide, denominator);
      return arith::DivFOp::create(math.b, math.loc, dividend, divisor);
    });
  }

  LogicalResult matchAndRewrite(ResizeOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    ImageDims dims = op.getImageDims();
    Type element = op.getType().getElementType(), wide = widened(element);
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    bool nearest = op.getMode() == ResizeMode::Nearest;
    ResizeRounding rounding = nearest ? op.getRounding() : ResizeRounding::Floor;

    // Per dimension: the first positions and, with mode bilinear, the second ones and their weights.
    SmallVector<Value> tables;
    SmallVector<AffineMap> maps;
    for (int64_t dim : {dims.height, dims.width}) {
      Direction direction{tensor::getMixedSize(rewriter, op.getLoc(), input, dim), sizes[dim]};
      size_t before = tables.size();
      tables.push_back(positions(lowering, op, direction, rounding, 0));
      if (!nearest) {
        tables.push_back(positions(lowering, op, direction, rounding, 1));
        tables.push_back(parts(lowering, op, direction, wide));
      }
      maps.append(tables.size() - before, AffineMap::get(4, 0, rewriter.getAffineDimExpr(dim)));
    }
    auto body = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      auto elementAt = [&](Value row, Value column) -> Value {
        SmallVector<Value> from(4);
        from[dims.batch] = linalg::IndexOp::create(b, loc, dims.batch);
        from[dims.channel] = linalg::IndexOp::create(b, loc, dims.channel);
        from[dims.height] = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
        from[dims.width] = arith::IndexCastOp::create(b, loc, b.getIndexType(), column);
        return tensor::ExtractOp::create(b, loc, input, from);
      };
      if (nearest)
        return elementAt(args[0], args[1]);
      // a + f * (b - a) would be wrong for infinities and inexact at f = 1; so both products are computed.
      auto between = [&](Value first, Value second, Value part) -> Value {
        Value one = number(b, loc, wide, 1), rest = arith::SubFOp::create(b, loc, one, part);
        Value low = arith::MulFOp::create(b, loc, rest, first), high = arith::MulFOp::create(b, loc, part, second);
        return arith::AddFOp::create(b, loc, low, high);
      };
      auto row = [&](Value position) -> Value {
        Value left = elementAt(position, args[3]), right = elementAt(position, args[4]);
        Value first = widenTo(b, loc, left, wide), second = widenTo(b, loc, right, wide);
        return between(first, second, args[5]);
      };
      Value upper = row(args[0]), lower = row(args[1]);
      return narrowTo(b, loc, between(upper, lower, args[2]), element);
    };
    replace(rewriter, op, lowering.parallel(tables, maps, sizes, element, body));
    return success();
  }
};

} // namespace

void tolinalg::populateImagePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerPad, LowerResize>(patterns.getContext());
}
