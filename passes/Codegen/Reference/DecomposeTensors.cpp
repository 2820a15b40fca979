//===- DecomposeTensors.cpp - decomposing tensor ops --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Applies a list of upstream's patterns, lowers Winograd's transforms, whose matrices upstream rounds to f32, and works
// around views that upstream cannot bufferize:
//
//   tensor.expand_shape whose sizes are values where its type has numbers           the numbers
//   a stride behind a size of 1, which names no element                              1
//   tensor.collapse_shape of a tensor without elements, of sizes not all known       tensor.empty
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/DynamicPack.h"
#include "passes/Codegen/Reference/GathersToLoops.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Reference/WinogradToLoops.h"
#include "passes/Tensor/BlockViewFolds.h"
#include "passes/Tensor/SoftmaxSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_DECOMPOSETENSORS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Calls `decompose` for each `OpT` of `program`.
template <typename OpT> static LogicalResult forEach(Operation *program, function_ref<LogicalResult(OpT)> decompose) {
  SmallVector<OpT> ops;
  program->walk([&](OpT op) { ops.push_back(op); });
  for (OpT op : ops)
    if (failed(decompose(op)))
      return op->emitError() << "the reference lowering cannot decompose '" << op->getName() << "'";
  return success();
}

static void knowSizes(tensor::ExpandShapeOp op) {
  SmallVector<int64_t> known;
  SmallVector<Value> unknown;
  for (auto [size, inType] : llvm::zip_equal(op.getMixedOutputShape(), op.getResultType().getShape())) {
    known.push_back(inType);
    if (!ShapedType::isDynamic(inType))
      continue;
    OpBuilder b(op);
    unknown.push_back(getValueOrCreateConstantIndexOp(b, op.getLoc(), size));
  }
  op.setStaticOutputShape(known);
  op.getOutputShapeMutable().assign(unknown);
}

template <typename OpT> static void dropStrides(OpT op) {
  SmallVector<int64_t> strides(op.getStaticStrides());
  for (auto [stride, size] : llvm::zip_equal(strides, op.getMixedSizes()))
    if (isConstantIntValue(size, 1) && !ShapedType::isDynamic(stride))
      stride = 1;
  op.setStaticStrides(strides);
}

static bool hasNoElements(Value tensor) {
  return llvm::is_contained(cast<RankedTensorType>(tensor.getType()).getShape(), 0);
}

/// The dynamic sizes of an op's result.
static FailureOr<SmallVector<Value>> dynamicSizes(RewriterBase &rewriter, Operation *op) {
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(rewriter, op, shapes)))
    return failure();
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(shapes.front()))
    if (cast<RankedTensorType>(op->getResult(0).getType()).isDynamicDim(dim))
      sizes.push_back(getValueOrCreateConstantIndexOp(rewriter, op->getLoc(), size));
  return sizes;
}

/// Drops empty operands, whose offsets would be out of bounds of the result: upstream's verifier requires an offset
/// below the size.
static LogicalResult dropEmptyParts(RewriterBase &rewriter, tensor::ConcatOp op) {
  SmallVector<Value> parts(llvm::make_filter_range(op.getInputs(), [](Value input) { return !hasNoElements(input); }));
  if (parts.size() == op.getInputs().size())
    return success();
  rewriter.setInsertionPoint(op);
  if (!hasNoElements(op) && !parts.empty()) {
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(), parts);
    return success();
  }
  FailureOr<SmallVector<Value>> sizes = dynamicSizes(rewriter, op);
  if (failed(sizes))
    return failure();
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, op.getType(), *sizes);
  return success();
}

/// Lowers a pad of an empty tensor: every element is padding.
static LogicalResult generatePadding(RewriterBase &rewriter, tensor::PadOp op) {
  if (!hasNoElements(op.getSource()))
    return success();
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> sizes = dynamicSizes(rewriter, op);
  if (failed(sizes))
    return failure();
  if (hasNoElements(op)) {
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, op.getType(), *sizes);
    return success();
  }
  auto made = tensor::GenerateOp::create(rewriter, op.getLoc(), op.getType(), *sizes);
  rewriter.inlineRegionBefore(op.getRegion(), made.getBody(), made.getBody().end());
  rewriter.replaceOp(op, made);
  return success();
}

/// Elementwise: upstream cannot bufferize tensor.bitcast.
static LogicalResult mapBitcast(RewriterBase &rewriter, tensor::BitcastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return failure();
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (to.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(rewriter, loc, op.getSource(), dim));
  Value empty = tensor::EmptyOp::create(rewriter, loc, to, sizes);
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(to.getRank()));
  SmallVector<utils::IteratorType> loops(to.getRank(), utils::IteratorType::parallel);
  auto mapped = linalg::GenericOp::create(
      rewriter, loc, to, op.getSource(), empty, maps, loops, [&](OpBuilder &b, Location at, ValueRange elements) {
        // arith does not distinguish signed and unsigned integers.
        Type type = to.getElementType();
        Value element = elements.front();
        auto plain = [](Type given) -> Type {
          auto integer = dyn_cast<IntegerType>(given);
          return integer ? IntegerType::get(given.getContext(), integer.getWidth()) : given;
        };
        if (plain(element.getType()) != element.getType())
          element = UnrealizedConversionCastOp::create(b, at, plain(element.getType()), element).getResult(0);
        element = arith::BitcastOp::create(b, at, plain(type), element);
        if (plain(type) != type)
          element = UnrealizedConversionCastOp::create(b, at, type, element).getResult(0);
        linalg::YieldOp::create(b, at, element);
      });
  rewriter.replaceOp(op, mapped.getResults());
  return success();
}

namespace {
struct DecomposeTensors : mica::impl::DecomposeTensorsBase<DecomposeTensors> {
  void runOnOperation() override {
    Operation *program = getOperation();
    blockViewFolds(program); // also views whose rank reduction bufferization would lose
    IRRewriter rewriter(&getContext());
    auto aggregated = [&](linalg::AggregatedOpInterface op) -> LogicalResult {
      rewriter.setInsertionPoint(op);
      // Upstream creates the float identity of a maximum for all element types.
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op.getOperation());
          softmax && !isa<FloatType>(softmax.getInputOperandType().getElementType()))
        return failure();
      FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
      if (failed(parts))
        return failure();
      rewriter.replaceOp(op, *parts);
      return success();
    };
    // Upstream's transposes crash on scalars, which need no packing or unpacking.
    auto isScalar = [&](auto op) {
      if (op.getSourceType().getRank() != 0)
        return false;
      rewriter.replaceOp(op, op.getSource());
      return true;
    };
    auto pack = [&](linalg::PackOp op) -> LogicalResult {
      if (isScalar(op))
        return success();
      rewriter.setInsertionPoint(op);
      return mica::lowerPack(rewriter, op);
    };
    auto unpack = [&](linalg::UnPackOp op) -> LogicalResult {
      if (isScalar(op))
        return success();
      rewriter.setInsertionPoint(op);
      return linalg::lowerUnPack(rewriter, op, /*lowerUnpadLikeWithExtractSlice=*/false);
    };
    auto splat = [&](tensor::SplatOp op) -> LogicalResult {
      rewriter.setInsertionPoint(op);
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), op.getType(), op.getDynamicSizes());
      rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
      return success();
    };
    // Values that a path through lifted branches leaves undefined.
    auto poison = [&](ub::PoisonOp op) -> LogicalResult {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!type)
        return success();
      rewriter.setInsertionPoint(op);
      SmallVector<Value> sizes;
      if (!type.hasStaticShape())
        sizes.assign(type.getNumDynamicDims(), arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0));
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type, sizes);
      return success();
    };
    // Upstream does not bufferize one whose destination may not be written to, such as an argument.
    auto materialize = [&](bufferization::MaterializeInDestinationOp op) -> LogicalResult {
      if (op->getNumResults() == 0)
        return success();
      rewriter.setInsertionPoint(op);
      Value source = op.getSource();
      if (source.getType() != op.getResult().getType())
        source = tensor::CastOp::create(rewriter, op.getLoc(), op.getResult().getType(), source);
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, source, op.getDest());
      return success();
    };
    auto concat = [&](tensor::ConcatOp op) { return dropEmptyParts(rewriter, op); };
    auto bitcast = [&](tensor::BitcastOp op) { return mapBitcast(rewriter, op); };
    auto pad = [&](tensor::PadOp op) { return generatePadding(rewriter, op); };
    mica::castSoftmaxOperands(program);
    if (failed(forEach<ub::PoisonOp>(program, poison)) || failed(forEach<linalg::PackOp>(program, pack)) ||
        failed(forEach<bufferization::MaterializeInDestinationOp>(program, materialize)) ||
        failed(forEach<linalg::UnPackOp>(program, unpack)) ||
        failed(forEach<linalg::AggregatedOpInterface>(program, aggregated)) ||
        failed(forEach<tensor::SplatOp>(program, splat)) || failed(forEach<tensor::ConcatOp>(program, concat)) ||
        failed(forEach<tensor::PadOp>(program, pad)) || failed(forEach<tensor::BitcastOp>(program, bitcast)))
      return signalPassFailure();
    mica::plain::convertWinograd(program);
    mica::plain::convertGathers(program);
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    linalg::populateDecomposePadPatterns(patterns);
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(program, std::move(patterns), config);

    program->walk(knowSizes);
    program->walk(dropStrides<tensor::ExtractSliceOp>);
    program->walk(dropStrides<tensor::InsertSliceOp>);
    auto collapse = [&](tensor::CollapseShapeOp op) -> LogicalResult {
      RankedTensorType from = op.getSrcType();
      if (from.hasStaticShape() || !llvm::is_contained(from.getShape(), 0))
        return success();
      rewriter.setInsertionPoint(op);
      SmallVector<Value> sizes;
      for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
        if (!op.getResultType().isDynamicDim(dim))
          continue;
        Value size = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 1);
        for (int64_t source : group)
          size = arith::MulIOp::create(rewriter, op.getLoc(), size,
                                       tensor::DimOp::create(rewriter, op.getLoc(), op.getSrc(), source));
        sizes.push_back(size);
      }
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, op.getResultType(), sizes);
      return success();
    };
    (void)forEach<tensor::CollapseShapeOp>(program, collapse);
  }
};
} // namespace
