//===- BuildReplay.cpp - building a replay of a kernel for one element --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-build-replay. The inputs of an element are determined by upstream's TilingInterface: the result is
// tiled to one element, into which the producers are fused. An operation without the interface is computed as a whole.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Check/FloatProbes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/ReplayProbes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <deque>

namespace mica {
#define GEN_PASS_DEF_BUILDREPLAYPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// With more tiles an operation is computed as a whole, since each reader of a value recomputes it.
static constexpr size_t kMostTiles = 512;

//===------------------------------------------------------------------------------------------------------------===//
// Probes
//===------------------------------------------------------------------------------------------------------------===//

SmallVector<Value> mica::elementComputedBy(Operation *op, size_t most) {
  SmallVector<Value> found;
  // The body of a tensor.generate has the element as its arguments.
  if (auto generate = op->getParentOfType<tensor::GenerateOp>();
      generate && !generate->getParentOfType<LoopLikeOpInterface>() && generate.getBody().getNumArguments() <= most)
    return llvm::to_vector_of<Value>(generate.getBody().getArguments());
  auto parent = op->getParentOfType<linalg::GenericOp>();
  // Inside of a loop, it computes a part of a tensor.
  if (!parent || parent.getNumDpsInits() == 0 || parent->getParentOfType<LoopLikeOpInterface>())
    return found;
  AffineMap map = parent.getMatchingIndexingMap(parent.getDpsInitOperand(0));
  if (!map.isProjectedPermutation() || map.getNumResults() > most)
    return found;
  OpBuilder b = OpBuilder::atBlockBegin(parent.getBody());
  for (AffineExpr result : map.getResults())
    found.push_back(linalg::IndexOp::create(b, op->getLoc(), cast<AffineDimExpr>(result).getPosition()));
  return found;
}

void mica::keepArgumentsUnchanged(func::FuncOp kernel) {
  kernel.walk([](bufferization::ToTensorOp op) { op.setWritable(false); });
}

void mica::describeProbes(func::FuncOp kernel, int64_t probes) {
  Builder builder(kernel.getContext());
  kernel->setAttr(check::kInsertedAttr, builder.getI64IntegerAttr(probes));
  kernel->setAttr(check::kUncheckedAttr, builder.getI64IntegerAttr(0));
  kernel->setAttr(check::kLevelAttr, builder.getStringAttr("warn"));
}

//===------------------------------------------------------------------------------------------------------------===//
// One element
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct BuildReplayPass : mica::impl::BuildReplayPassBase<BuildReplayPass> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    SmallVector<bufferization::MaterializeInDestinationOp> results;
    for (auto result : kernel.getOps<bufferization::MaterializeInDestinationOp>())
      results.push_back(result);
    SmallVector<Operation *> probed;
    kernel.walk([&](Operation *op) {
      if (computesFloat(op))
        probed.push_back(op);
    });
    if (results.empty() || probed.empty())
      return;
    for (Operation *op : probed)
      probeFloat(op, [&](size_t most) { return elementComputedBy(op, most); });
    keepArgumentsUnchanged(kernel);

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
    describeProbes(kernel, static_cast<int64_t>(probed.size()));
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

  /// A slice of a tensor.empty becomes a tensor.empty of the slice's size.
  static bool replaceByEmpty(IRRewriter &b, tensor::ExtractSliceOp slice) {
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return false;
    b.setInsertionPoint(slice);
    b.replaceOpWithNewOp<tensor::EmptyOp>(slice, slice.getMixedSizes(), slice.getType().getElementType());
    return true;
  }

  /// Erases the operations that tiles replaced. They contain probes, so no other pass would.
  static void eraseUnused(func::FuncOp kernel) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.front())))
      if (op.use_empty() && op.getNumResults() > 0)
        op.erase();
  }
};
} // namespace
