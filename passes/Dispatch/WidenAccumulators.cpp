//===- WidenAccumulators.cpp - sum f16, bf16 and f8 in f32 ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %r = generic {reduction} ins(%a, %b : bf16) outs(%init : bf16) { mulf bf16, addf bf16 }
// =>
//   %i = generic {parallel} ins(%init : bf16) outs(f32) { extf }      (a fill stays a fill, of f32)
//   %s = generic {reduction} ins(%a, %b : bf16) outs(%i : f32) { extf, extf, mulf f32, addf f32 }
//   %r = generic {parallel} ins(%s : f32) outs(bf16) { truncf }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mica {
#define GEN_PASS_DEF_WIDENACCUMULATORS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// A float that sums are not kept in.
static bool isNarrow(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() < 32;
}

/// Whether the body rounds what it accumulates, and is made of ops that mean the same on f32.
static bool shouldWiden(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
    return false;
  if (llvm::none_of(op.getOutputs(), [](Value v) { return isNarrow(getElementTypeOrSelf(v.getType())); }))
    return false;
  bool rounds = false;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.getNumRegions() != 0 || isa<arith::BitcastOp>(inner))
      return false;
    rounds |= isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(inner) ||
              isa_and_present<math::MathDialect>(inner.getDialect());
  }
  return rounds;
}

namespace {
class Widener {
public:
  Widener(linalg::GenericOp op, IRRewriter &b) : op(op), b(b), loc(op.getLoc()), wide(b.getF32Type()) {}

  void run() {
    b.setInsertionPoint(op);
    SmallVector<Value> inits;
    for (Value init : op.getOutputs())
      inits.push_back(isNarrow(getElementTypeOrSelf(init.getType())) ? extended(init) : init);
    SmallVector<Type> types = llvm::map_to_vector(inits, [](Value v) { return v.getType(); });
    auto wideOp = linalg::GenericOp::create(
        b, loc, types, op.getInputs(), inits, op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [&](OpBuilder &inner, Location, ValueRange args) { buildBody(inner, args); });
    SmallVector<Value> results;
    for (auto [result, original] : llvm::zip_equal(wideOp.getResults(), op.getResults()))
      results.push_back(result.getType() == original.getType() ? result : converted(result, original.getType()));
    b.replaceOp(op, results);
  }

private:
  /// `init` in f32. A fill of it is one there.
  Value extended(Value init) {
    auto type = cast<RankedTensorType>(init.getType());
    Type wideType = type.clone(wide);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, init);
    if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
      Value scalar = arith::ExtFOp::create(b, loc, wide, fill.getInputs().front());
      Value empty = tensor::EmptyOp::create(b, loc, sizes, wide);
      return linalg::FillOp::create(b, fill.getLoc(), scalar, empty).getResult(0);
    }
    if (init.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(b, loc, sizes, wide);
    return converted(init, wideType);
  }

  /// An elementwise op that extends or truncates `value` to `type`.
  Value converted(Value value, Type type) {
    auto tensorType = cast<RankedTensorType>(type);
    int64_t rank = tensorType.getRank();
    Value empty = tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, value), tensorType.getElementType());
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto cast = linalg::GenericOp::create(
        b, loc, type, value, empty, maps, loops, [&](OpBuilder &inner, Location innerLoc, ValueRange args) {
          Type element = tensorType.getElementType();
          Value result = element == wide ? arith::ExtFOp::create(inner, innerLoc, element, args[0]).getResult()
                                         : arith::TruncFOp::create(inner, innerLoc, element, args[0]).getResult();
          linalg::YieldOp::create(inner, innerLoc, result);
        });
    return cast.getResult(0);
  }

  /// The value in f32 that stands for `value` of the old body.
  Value lookup(OpBuilder &inner, Value value) {
    Value known = mapping.lookupOrDefault(value);
    if (!isNarrow(known.getType()))
      return known;
    Value extended = arith::ExtFOp::create(inner, loc, wide, known);
    mapping.map(value, extended);
    return extended;
  }

  void buildBody(OpBuilder &inner, ValueRange args) {
    Block *old = op.getBody();
    for (auto [before, after] : llvm::zip_equal(old->getArguments(), args))
      mapping.map(before, after);
    for (Operation &operation : old->without_terminator()) {
      // What is read from elsewhere (tensor.extract) keeps its type; arithmetic changes it.
      bool isArithmetic = isa_and_present<arith::ArithDialect, math::MathDialect>(operation.getDialect());
      if (isArithmetic && (isa<arith::TruncFOp>(operation) || isa<arith::ExtFOp>(operation))) {
        Value operand = lookup(inner, operation.getOperand(0));
        Type target = operation.getResult(0).getType();
        if (isNarrow(target))
          target = wide;
        unsigned from = operand.getType().getIntOrFloatBitWidth(), to = target.getIntOrFloatBitWidth();
        Value result = from == to  ? operand
                       : from < to ? arith::ExtFOp::create(inner, operation.getLoc(), target, operand).getResult()
                                   : arith::TruncFOp::create(inner, operation.getLoc(), target, operand).getResult();
        mapping.map(operation.getResult(0), result);
        continue;
      }
      if (isArithmetic && !isa<arith::ConstantOp>(operation))
        for (Value operand : operation.getOperands())
          lookup(inner, operand);
      Operation *copy = inner.clone(operation, mapping);
      if (isArithmetic && !isa<arith::ConstantOp>(operation))
        for (Value result : copy->getResults())
          if (isNarrow(result.getType()))
            result.setType(wide);
    }
    SmallVector<Value> yielded;
    for (Value value : old->getTerminator()->getOperands())
      yielded.push_back(isNarrow(value.getType()) ? lookup(inner, value) : mapping.lookupOrDefault(value));
    linalg::YieldOp::create(inner, old->getTerminator()->getLoc(), yielded);
  }

  linalg::GenericOp op;
  IRRewriter &b;
  Location loc;
  Type wide;
  IRMapping mapping;
};

class WidenAccumulators : public mica::impl::WidenAccumulatorsBase<WidenAccumulators> {
public:
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> found;
    getOperation().walk([&](linalg::GenericOp op) {
      if (shouldWiden(op))
        found.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : found)
      Widener(op, rewriter).run();
  }
};
} // namespace
