//===- BuildReplay.cpp - a kernel that computes one element again and reports where NaN originates ----------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-build-replay. What an element is computed from comes of upstream's TilingInterface: a tile of one
// element of the result, into which the producers are fused. An operation without the interface is computed as a whole.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <deque>

namespace mica {
#define GEN_PASS_DEF_BUILDREPLAYPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// A report has room for that many values (C2 of mica_check.failed).
static constexpr size_t kReportValues = 8;
/// Beyond so many tiles an operation is computed as a whole: each reader of a value computes it again.
static constexpr size_t kMostTiles = 512;

//===------------------------------------------------------------------------------------------------------------===//
// Probes
//===------------------------------------------------------------------------------------------------------------===//

static bool isProbedFloat(Type type) { return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type); }

/// Whether `op` computes a float: it does not move, choose or convert one exactly.
static bool isProbed(Operation *op) {
  if (op->getNumResults() != 1 || !isProbedFloat(op->getResult(0).getType()))
    return false;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    FloatAttr number;
    return llvm::any_of(ValueRange{select.getTrueValue(), select.getFalseValue()}, [&](Value value) {
      return matchPattern(value, m_Constant(&number)) && number.getValue().isNaN();
    });
  }
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<arith::ConstantOp, arith::ExtFOp, arith::NegFOp, arith::BitcastOp, math::AbsFOp, math::CopySignOp>(op);
}

namespace {
/// Puts a probe behind one operation.
class Prober {
public:
  explicit Prober(Operation *op) : op(op), b(op->getContext()), loc(op->getLoc()) { b.setInsertionPointAfter(op); }

  void probe() {
    Value result = op->getResult(0);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      if (isProbedFloat(operand.getType()))
        operands.push_back(operand);
    Value nan = isNan(result), infinite = isInfinite(result);
    for (Value operand : operands) {
      // Of a constant an origin may be made.
      if (matchPattern(operand, m_Constant()))
        continue;
      Value number = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, operand, operand);
      nan = arith::AndIOp::create(b, loc, nan, number);
      infinite = arith::AndIOp::create(b, loc, infinite, isFinite(operand));
    }
    Value originates = arith::OrIOp::create(b, loc, nan, infinite);
    operands.resize(std::min<size_t>(operands.size(), 3));
    SmallVector<Value> element = indices(kReportValues - 1 - operands.size());
    auto branch = scf::IfOp::create(b, loc, originates, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> shown{bits(result)};
    for (Value operand : operands)
      shown.push_back(bits(operand));
    shown.append(element);
    check::FailedOp::create(b, loc, (op->getName().getStringRef() + " " + Twine(operands.size())).str(), shown,
                            IntegerAttr());
  }

private:
  Value isNan(Value value) { return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value); }
  Value infinity(Type type) {
    const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, APFloat::getInf(semantics)));
  }
  Value compareMagnitude(arith::CmpFPredicate predicate, Value value) {
    return arith::CmpFOp::create(b, loc, predicate, math::AbsFOp::create(b, loc, value), infinity(value.getType()));
  }
  Value isInfinite(Value value) { return compareMagnitude(arith::CmpFPredicate::OEQ, value); }
  Value isFinite(Value value) { return compareMagnitude(arith::CmpFPredicate::OLT, value); }

  /// The bits of `value` as an f64.
  Value bits(Value value) {
    if (!value.getType().isF64())
      value = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    return arith::BitcastOp::create(b, loc, b.getI64Type(), value);
  }

  /// The element of its result that a linalg operation computes; nothing where it has more than `most` dimensions, or
  /// is not one iteration's.
  SmallVector<Value> indices(size_t most) {
    SmallVector<Value> found;
    auto parent = dyn_cast<linalg::GenericOp>(op->getParentOp());
    if (!parent || parent.getNumDpsInits() == 0)
      return found;
    AffineMap map = parent.getMatchingIndexingMap(parent.getDpsInitOperand(0));
    if (!map.isProjectedPermutation() || map.getNumResults() > most)
      return found;
    for (AffineExpr result : map.getResults())
      found.push_back(linalg::IndexOp::create(b, loc, cast<AffineDimExpr>(result).getPosition()));
    return found;
  }

  Operation *op;
  OpBuilder b;
  Location loc;
};

//===------------------------------------------------------------------------------------------------------------===//
// One element
//===------------------------------------------------------------------------------------------------------------===//

struct BuildReplayPass : mica::impl::BuildReplayPassBase<BuildReplayPass> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    SmallVector<bufferization::MaterializeInDestinationOp> results;
    for (auto result : kernel.getOps<bufferization::MaterializeInDestinationOp>())
      results.push_back(result);
    SmallVector<Operation *> probed;
    kernel.walk([&](Operation *op) {
      if (isProbed(op))
        probed.push_back(op);
    });
    if (results.empty() || probed.empty())
      return;
    for (Operation *op : probed)
      Prober(op).probe();
    // What a kernel updates in place holds its results now; they must stay.
    kernel.walk([](bufferization::ToTensorOp op) { op.setWritable(false); });

    int64_t rank = 0;
    for (auto result : results)
      rank = std::max(rank, cast<RankedTensorType>(result.getSource().getType()).getRank());
    auto addIndex = [&] {
      const unsigned position = kernel.getNumArguments();
      (void)kernel.insertArgument(position, IndexType::get(&getContext()), {}, kernel.getLoc());
      return kernel.getArgument(position);
    };
    Value which = addIndex();
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < rank; ++dim)
      indices.push_back(addIndex());
    for (auto [number, result] : llvm::enumerate(results))
      computeElement(result, number, which, indices);
    eraseUnused(kernel);
    // Probes get numbers as checks do; what they find fails nothing.
    Builder builder(&getContext());
    kernel->setAttr(check::kInsertedAttr, builder.getI64IntegerAttr(probed.size()));
    kernel->setAttr(check::kUncheckedAttr, builder.getI64IntegerAttr(0));
    kernel->setAttr(check::kLevelAttr, builder.getStringAttr("warn"));
  }

private:
  void computeElement(bufferization::MaterializeInDestinationOp result, size_t number, Value which,
                      ArrayRef<Value> indices) {
    IRRewriter b(&getContext());
    b.setInsertionPoint(result);
    Location loc = result.getLoc();
    auto type = cast<RankedTensorType>(result.getSource().getType());
    Value own = arith::ConstantIndexOp::create(b, loc, number);
    Value isWanted = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, which, own);
    auto branch = scf::IfOp::create(b, loc, isWanted, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<OpFoldResult> offsets(indices.begin(), indices.begin() + type.getRank());
    SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
    auto element = tensor::ExtractSliceOp::create(b, loc, result.getSource(), offsets, ones, ones);
    b.eraseOp(result);

    std::deque<tensor::ExtractSliceOp> slices{element};
    for (size_t tiles = 0; !slices.empty() && tiles < kMostTiles; ++tiles) {
      tensor::ExtractSliceOp slice = slices.front();
      slices.pop_front();
      if (replaceByEmpty(b, slice))
        continue;
      auto producer = dyn_cast<OpResult>(slice.getSource());
      if (!producer || !isa<TilingInterface>(producer.getOwner()))
        continue;
      b.setInsertionPoint(slice);
      FailureOr<TilingResult> tile = tensor::replaceExtractSliceWithTiledProducer(b, slice, producer);
      if (failed(tile) || tile->tiledValues.empty())
        continue;
      for (Operation *made : tile->generatedSlices)
        if (auto next = dyn_cast<tensor::ExtractSliceOp>(made))
          slices.push_back(next);
      b.replaceOp(slice, tile->tiledValues.front());
    }
  }

  /// Of memory that nothing was written to, no more is needed than the slice.
  static bool replaceByEmpty(IRRewriter &b, tensor::ExtractSliceOp slice) {
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return false;
    b.setInsertionPoint(slice);
    b.replaceOpWithNewOp<tensor::EmptyOp>(slice, slice.getMixedSizes(), slice.getType().getElementType());
    return true;
  }

  /// The operations that tiles stand for now. They hold probes, so that no other pass knows that they are not needed.
  static void eraseUnused(func::FuncOp kernel) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.front())))
      if (op.use_empty() && op.getNumResults() > 0)
        op.erase();
  }
};
} // namespace
