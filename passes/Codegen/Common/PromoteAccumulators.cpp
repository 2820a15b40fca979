//===- PromoteAccumulators.cpp - accumulating narrow floats in f32 ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A sum of bf16 that is rounded at every step stops growing after a few hundred steps. So reductions whose accumulator
// has fewer bits than f32 are computed in f32 and rounded once:
//
//   %r = linalg.matmul ins(%a, %b : bf16) outs(%c : bf16)
//   ->
//   %w = linalg.generic ins(%c : bf16) outs(.. : f32) { extf }          (a fill of f32 where %c is a fill)
//   %s = linalg.generic ins(%a, %b : bf16) outs(%w : f32) { extf, extf, mulf, addf }
//   %r = linalg.generic ins(%s : f32) outs(.. : bf16) { truncf }
//
// It runs on tensors, before any strategy: a reduction that is tiled later is tiled in f32, and the conversions are
// fused like any other elementwise op.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-codegen-promote-accumulators"

namespace mica {
#define GEN_PASS_DEF_PROMOTEACCUMULATORSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether `type` is a float of fewer bits than f32.
static bool isSmallFloat(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating && floating.getWidth() < 32;
}

/// Whether the accumulator of result `result` is rounded. Extrema are exact in any type.
static bool rounds(linalg::LinalgOp op, unsigned result) {
  SetVector<Operation *> slice;
  getForwardSlice(Value(op.getRegionOutputArgs()[result]), &slice);
  return llvm::any_of(slice, llvm::IsaPred<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, math::FmaOp>);
}

namespace {

/// Rewrites one op with narrow accumulators.
class Widener {
public:
  Widener(RewriterBase &rewriter, linalg::GenericOp op) : b(rewriter), op(op), loc(op.getLoc()) {}

  void run() {
    b.setInsertionPoint(op);
    SmallVector<Value> inits;
    SmallVector<Type> types;
    for (auto [result, init] : llvm::enumerate(op.getDpsInits())) {
      inits.push_back(isWidened(result) ? widenInit(init) : init);
      types.push_back(inits.back().getType());
    }
    auto wide = linalg::GenericOp::create(b, loc, types, op.getInputs(), inits, op.getIndexingMapsArray(),
                                          op.getIteratorTypesArray(),
                                          [&](OpBuilder &, Location, ValueRange arguments) { writeBody(arguments); });
    wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<Value> results;
    for (auto [result, value] : llvm::enumerate(wide.getResults()))
      results.push_back(isWidened(result) ? round(value, op.getResult(result)) : Value(value));
    b.replaceOp(op, results);
  }

private:
  bool isWidened(unsigned result) { return isSmallFloat(op.getRegionOutputArgs()[result].getType()); }

  /// An uninitialized tensor with the shape of `like`.
  Value emptyLike(Value like, Type element) {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like), element);
  }

  /// Converts `from` elementwise by the op ConvertOp.
  template <typename ConvertOp> Value convert(Value from, Value to) {
    unsigned rank = cast<RankedTensorType>(from.getType()).getRank();
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    return linalg::GenericOp::create(b, loc, to.getType(), from, to, maps, iterators,
                                     [](OpBuilder &inner, Location at, ValueRange arguments) {
                                       Value v = ConvertOp::create(inner, at, arguments[1].getType(), arguments[0]);
                                       linalg::YieldOp::create(inner, at, v);
                                     })
        .getResult(0);
  }

  Value widenInit(Value init) {
    Value empty = emptyLike(init, b.getF32Type());
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!fill)
      return convert<arith::ExtFOp>(init, empty);
    Value start = fill.getInputs()[0];
    FloatAttr constant;
    start =
        matchPattern(start, m_Constant(&constant)) ? constantOf(constant, fill.getLoc()) : extend(start, fill.getLoc());
    return linalg::FillOp::create(b, fill.getLoc(), start, empty).getResult(0);
  }

  Value round(Value wide, Value like) {
    Value empty = emptyLike(wide, cast<RankedTensorType>(like.getType()).getElementType());
    Value result = convert<arith::TruncFOp>(wide, empty);
    return result.getType() == like.getType() ? result : tensor::CastOp::create(b, loc, like.getType(), result);
  }

  Value constantOf(FloatAttr attr, Location at) {
    return arith::ConstantOp::create(b, at, b.getF32FloatAttr(attr.getValueAsDouble()));
  }
  Value extend(Value v, Location at) { return arith::ExtFOp::create(b, at, b.getF32Type(), v); }

  /// Emits the old body with every narrow float computed in f32.
  void writeBody(ValueRange arguments) {
    IRMapping mapping;
    auto lookup = [&](Value v) -> Value {
      Value known = mapping.lookupOrDefault(v);
      if (!isSmallFloat(known.getType()))
        return known;
      Value wide = extend(known, loc);
      mapping.map(v, wide);
      return wide;
    };
    for (auto [from, to] : llvm::zip_equal(op.getBody()->getArguments(), arguments))
      mapping.map(Value(from), to);
    for (Operation &inner : op.getBody()->without_terminator()) {
      auto small = [](Value v) { return isSmallFloat(v.getType()); };
      if (llvm::none_of(inner.getOperands(), small) && llvm::none_of(inner.getResults(), small)) {
        b.clone(inner, mapping);
        continue;
      }
      if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
        mapping.map(constant.getResult(), constantOf(cast<FloatAttr>(constant.getValue()), inner.getLoc()));
        continue;
      }
      if (isa<arith::ExtFOp>(inner) && inner.getResult(0).getType().isF32()) {
        mapping.map(inner.getResult(0), lookup(inner.getOperand(0)));
        continue;
      }
      // Only the rounding of the accumulator is removed; other roundings are kept.
      bool isYielded = inner.getNumResults() == 1 && inner.getResult(0).hasOneUse() &&
                       isa<linalg::YieldOp>(*inner.getResult(0).user_begin());
      if (isa<arith::TruncFOp>(inner) && inner.getOperand(0).getType().isF32() && isYielded) {
        mapping.map(inner.getResult(0), mapping.lookupOrDefault(inner.getOperand(0)));
        continue;
      }
      if (isa<arith::TruncFOp, arith::ExtFOp, arith::BitcastOp>(inner) ||
          !OpTrait::hasElementwiseMappableTraits(&inner)) {
        narrow(inner.getOperands(), mapping);
        b.clone(inner, mapping);
        continue;
      }
      SmallVector<Value> operands = llvm::map_to_vector(inner.getOperands(), lookup);
      SmallVector<Type> types = llvm::map_to_vector(
          inner.getResultTypes(), [&](Type type) { return isSmallFloat(type) ? Type(b.getF32Type()) : type; });
      OperationState state(inner.getLoc(), inner.getName());
      state.addOperands(operands);
      state.addTypes(types);
      state.addAttributes(llvm::to_vector(inner.getDiscardableAttrs()));
      state.propertiesAttr = inner.getPropertiesAsAttribute();
      for (auto [from, to] : llvm::zip_equal(inner.getResults(), b.create(state)->getResults()))
        mapping.map(from, to);
    }
    SmallVector<Value> yielded;
    for (auto [result, v] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
      if (!isWidened(result))
        narrow(v, mapping);
      yielded.push_back(isWidened(result) ? lookup(v) : mapping.lookupOrDefault(v));
    }
    linalg::YieldOp::create(b, loc, yielded);
  }

  /// Rounds those of `values` that are in f32 to their original types.
  void narrow(ValueRange values, IRMapping &mapping) {
    for (Value v : values)
      if (Value wide = mapping.lookupOrDefault(v); wide.getType() != v.getType())
        mapping.map(v, arith::TruncFOp::create(b, loc, v.getType(), wide).getResult());
  }

  RewriterBase &b;
  linalg::GenericOp op;
  Location loc;
};

struct PromoteAccumulatorsPass : mica::impl::PromoteAccumulatorsPassBase<PromoteAccumulatorsPass> {
  void runOnOperation() override { mica::promoteAccumulators(getOperation()); }
};

} // namespace

void mica::promoteAccumulators(Operation *root) {
  SmallVector<linalg::LinalgOp> found;
  root->walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics())
      return;
    if (llvm::any_of(llvm::seq<unsigned>(0, op.getNumDpsInits()), [&](unsigned result) {
          return isSmallFloat(op.getRegionOutputArgs()[result].getType()) && rounds(op, result);
        }))
      found.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : found) {
    LDBG() << "sums in f32: " << op->getName() << " at " << op->getLoc();
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        continue;
      generic = *made;
    }
    Widener(rewriter, generic).run();
  }
}
