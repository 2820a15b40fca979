//===- CoverOutputs.cpp - rewriting ops that write their outputs partially --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The elements of an output that a linalg op does not write keep the values of the init. Upstream's canonicalization,
// fusion and bufferization, and Mica's, treat an init that the body does not read as uninitialized, which is correct
// only for ops that write every element. Every other op is rewritten here to one of two forms for which it is correct:
//
//   outs(%y : tensor<7xf32>), map (d0) -> (2 * d0 + 1)         one element per step: a slice of the init
//   =>
//   %s = tensor.extract_slice %y[1] [3] [2]                    (tensor.empty where the body does not read it)
//   %r = linalg.generic .. outs(%s), map (d0) -> (d0)
//   %0 = tensor.insert_slice %r into %y[1] [3] [2]
//
//   outs(%y : tensor<3x3xf32>), map (d0) -> (d0, d0)           anything else: loops that change %y element by element
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Tensor/Coverage.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-tensor-cover-outputs"

namespace mica {
#define GEN_PASS_DEF_COVEROUTPUTS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
/// The index of one dimension of an output: `scale * loop + offset`, or the constant `offset` if `loop` is -1.
struct Position {
  int64_t loop = -1;
  int64_t scale = 0;
  int64_t offset = 0;
};
} // namespace

/// Analyzes `expr`; nothing if it depends on more than one loop, or is not a multiple of it.
static std::optional<Position> positionOf(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Position{-1, 0, constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Position{dim.getPosition(), 1, 0};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !llvm::is_contained({AffineExprKind::Add, AffineExprKind::Mul}, binary.getKind()))
    return std::nullopt;
  std::optional<Position> lhs = positionOf(binary.getLHS()), rhs = positionOf(binary.getRHS());
  if (!lhs || !rhs || (lhs->loop >= 0 && rhs->loop >= 0))
    return std::nullopt;
  if (lhs->loop < 0)
    std::swap(lhs, rhs);
  if (expr.getKind() == AffineExprKind::Add)
    return Position{lhs->loop, lhs->scale, lhs->offset + rhs->offset};
  return Position{lhs->loop, lhs->scale * rhs->offset, lhs->offset * rhs->offset};
}

/// The positions of `map` if they form a slice: each loop at most once, positive strides.
static std::optional<SmallVector<Position>> slicePositions(AffineMap map) {
  SmallVector<Position> positions;
  llvm::SmallBitVector seen(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    std::optional<Position> position = positionOf(expr);
    if (!position || position->offset < 0)
      return std::nullopt;
    if (position->loop >= 0) {
      if (position->scale < 1 || seen.test(position->loop))
        return std::nullopt;
      seen.set(position->loop);
    }
    positions.push_back(*position);
  }
  return positions;
}

/// Whether loops on buffers, which form a separate kernel, are allowed at `op`.
static bool isInKernel(Operation *op) {
  if (op->getParentOfType<scf::ForallOp>())
    return true;
  auto module = op->getParentOfType<ModuleOp>();
  return module && mica::sched::isKernelModule(module);
}

namespace {
/// Rewrites one op.
class Coverer {
public:
  Coverer(IRRewriter &rewriter, linalg::GenericOp op) : b(rewriter), op(op), loc(op.getLoc()) {}

  void run() {
    b.setInsertionPoint(op);
    for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
      OpOperand *init = op.getDpsInitOperand(result);
      if (!mica::writesWhole(op, *init) &&
          !(mica::writesOnce(op, *init) && slicePositions(op.getMatchingIndexingMap(init))))
        return isInKernel(op) ? onTensors() : onBuffers();
    }
    onSlices();
  }

private:
  void onSlices();
  void onBuffers();
  void onTensors();
  /// The number of iterations of each loop.
  SmallVector<Value> bounds();
  /// A loop nest over `bounds`, outermost first: `inner` creates the innermost body from the induction variables and
  /// the loop-carried values, and returns the next values. Returns the final values.
  SmallVector<Value> nest(ValueRange bounds, ValueRange carried,
                          llvm::function_ref<SmallVector<Value>(ArrayRef<Value>, ValueRange)> inner);
  /// The indices of `operand` at `steps`.
  SmallVector<Value> indices(OpOperand &operand, ArrayRef<Value> steps) {
    SmallVector<Value> at;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      at.push_back(affine::expandAffineExpr(b, loc, expr, steps, {}));
    return at;
  }
  /// Clones the body at `steps`, with `elements` for its arguments; returns the yielded values.
  SmallVector<Value> body(ArrayRef<Value> steps, ArrayRef<Value> elements);

  IRRewriter &b;
  linalg::GenericOp op;
  Location loc;
};
} // namespace

void Coverer::onSlices() {
  SmallVector<Range> ranges = cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inits(op.getDpsInits());
  SmallVector<std::optional<std::array<SmallVector<OpFoldResult>, 3>>> slices(inits.size());
  SmallVector<Type> types(op.getResultTypes());
  for (unsigned result = 0; result < inits.size(); ++result) {
    OpOperand &init = *op.getDpsInitOperand(result);
    if (mica::writesWhole(op, init))
      continue;
    AffineMap &map = maps[init.getOperandNumber()];
    bool isRead = op.payloadUsesValueFromOperand(&init);
    std::array<SmallVector<OpFoldResult>, 3> slice; // offsets, sizes, strides
    SmallVector<OpFoldResult> kept;
    SmallVector<AffineExpr> loops;
    SmallVector<int64_t> shape;
    const SmallVector<Position> positions = *slicePositions(map);
    for (const Position &position : positions) {
      bool moves = position.loop >= 0;
      OpFoldResult size = moves ? ranges[position.loop].size : b.getIndexAttr(1);
      // A size that is a constant op must be static in the slice's type.
      if (std::optional<int64_t> known = getConstantIntValue(size))
        size = b.getIndexAttr(*known);
      slice[0].push_back(b.getIndexAttr(position.offset));
      slice[1].push_back(size);
      slice[2].push_back(b.getIndexAttr(moves ? position.scale : 1));
      if (!moves)
        continue;
      kept.push_back(size);
      loops.push_back(b.getAffineDimExpr(position.loop));
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    }
    auto type = RankedTensorType::get(shape, cast<RankedTensorType>(init.get().getType()).getElementType());
    inits[result] =
        isRead ? tensor::ExtractSliceOp::create(b, loc, type, init.get(), slice[0], slice[1], slice[2]).getResult()
               : tensor::EmptyOp::create(b, loc, kept, type.getElementType()).getResult();
    types[result] = inits[result].getType();
    map = AffineMap::get(map.getNumDims(), 0, loops, b.getContext());
    slices[result] = std::move(slice);
  }
  auto made = linalg::GenericOp::create(b, loc, types, op.getInputs(), inits, maps, op.getIteratorTypesArray());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  b.inlineRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().begin());
  SmallVector<Value> results(made.getResults());
  for (auto [result, slice] : llvm::enumerate(slices))
    if (slice)
      results[result] = tensor::InsertSliceOp::create(b, loc, results[result], op.getDpsInits()[result], (*slice)[0],
                                                      (*slice)[1], (*slice)[2]);
  b.replaceOp(op, results);
}

SmallVector<Value> Coverer::nest(ValueRange bounds, ValueRange carried,
                                 llvm::function_ref<SmallVector<Value>(ArrayRef<Value>, ValueRange)> inner) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<scf::ForOp> loops;
  SmallVector<Value> steps;
  OpBuilder::InsertionGuard guard(b);
  for (Value bound : bounds) {
    loops.push_back(scf::ForOp::create(b, loc, zero, bound, one, carried));
    b.setInsertionPointToStart(loops.back().getBody());
    steps.push_back(loops.back().getInductionVar());
    carried = loops.back().getRegionIterArgs();
  }
  SmallVector<Value> given = inner(steps, carried);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    b.setInsertionPointToEnd(loop.getBody());
    if (!given.empty())
      scf::YieldOp::create(b, loc, given);
    given.assign(loop.result_begin(), loop.result_end());
  }
  return given;
}

SmallVector<Value> Coverer::body(ArrayRef<Value> steps, ArrayRef<Value> elements) {
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments(), elements);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), steps[index.getDim()]);
    else
      b.clone(inner, mapping);
  }
  return llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                             [&](Value yielded) { return mapping.lookupOrDefault(yielded); });
}

SmallVector<Value> Coverer::bounds() {
  return llvm::map_to_vector(cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc),
                             [&](Range range) { return getValueOrCreateConstantIndexOp(b, loc, range.size); });
}

void Coverer::onTensors() {
  SmallVector<Value> results =
      nest(bounds(), op.getDpsInits(), [&](ArrayRef<Value> steps, ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> elements;
        for (OpOperand *input : op.getDpsInputOperands())
          elements.push_back(op.isScalar(input)
                                 ? input->get()
                                 : tensor::ExtractOp::create(b, loc, input->get(), indices(*input, steps)).getResult());
        SmallVector<SmallVector<Value>> places;
        for (unsigned i = 0; i < carried.size(); ++i) {
          places.push_back(indices(*op.getDpsInitOperand(i), steps));
          elements.push_back(tensor::ExtractOp::create(b, loc, carried[i], places.back()));
        }
        SmallVector<Value> given = body(steps, elements);
        for (auto [value, tensor, at] : llvm::zip_equal(given, carried, places))
          value = tensor::InsertOp::create(b, loc, value, tensor, at);
        return given;
      });
  b.replaceOp(op, results);
}

void Coverer::onBuffers() {
  SmallVector<Value> sizes = bounds(), reads;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!op.isScalar(input))
      reads.push_back(input->get());
  auto made = mica::sched::BufferRegionOp::create(b, loc, op.getResultTypes(), reads, op.getDpsInits(), /*host=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&made.getBody());
    for (Value operand : made.getOperands()) {
      auto type = cast<RankedTensorType>(operand.getType());
      block->addArgument(MemRefType::get(type.getShape(), type.getElementType()), loc);
    }
    nest(sizes, {}, [&](ArrayRef<Value> steps, ValueRange) -> SmallVector<Value> {
      SmallVector<Value> elements;
      unsigned next = 0;
      for (OpOperand &operand : op->getOpOperands())
        elements.push_back(
            !op.isDpsInit(&operand) && op.isScalar(&operand)
                ? operand.get()
                : memref::LoadOp::create(b, loc, made.getBuffer(next++), indices(operand, steps)).getResult());
      SmallVector<Value> given = body(steps, elements);
      for (auto [result, value] : llvm::enumerate(given))
        memref::StoreOp::create(b, loc, value, made.getBuffer(reads.size() + result),
                                indices(*op.getDpsInitOperand(result), steps));
      return {};
    });
  }
  b.replaceOp(op, made.getResults());
}

namespace {
class CoverOutputs : public mica::impl::CoverOutputsBase<CoverOutputs> {
public:
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> partial;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() &&
          llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) { return !mica::writesWhole(op, init); }))
        partial.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : partial) {
      LDBG() << "does not write its output whole: " << op->getName() << " at " << op->getLoc();
      // Nothing is written; a slice of such an output may be out of bounds, as any slice of an empty output is.
      auto isEmpty = [](Value init) {
        return llvm::is_contained(cast<RankedTensorType>(init.getType()).getShape(), 0);
      };
      if (llvm::is_contained(op.getStaticLoopRanges(), 0) || llvm::any_of(op.getDpsInits(), isEmpty)) {
        rewriter.replaceOp(op, op.getDpsInits());
        continue;
      }
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
        if (failed(made)) {
          op->emitError() << "does not write its output whole, and has no form as linalg.generic";
          return signalPassFailure();
        }
        generic = *made;
        mica::propagateIdsToBody(generic);
      }
      Coverer(rewriter, generic).run();
    }
  }
};
} // namespace
