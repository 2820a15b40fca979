//===- StoredPanels.cpp - contractions that read an operand stored as panels --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %r = contraction (m, n, k) ins(%x[m, k], %w[k, n]);  %s = elementwise ins(%r)                 panels of 64
//   ->
//   %r = contraction (m, p, c, k) ins(%x[m, k], %panels[p, k, c]);  %s = elementwise on [m, p, c]
//   n = 64 * p + c; the output is a view of the same memory.
//
// An element of the result is the sum of the same products in the same order of steps as without panels.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/StoredPanels.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cstring>

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

//===------------------------------------------------------------------------------------------------------------===//
// The kernel
//===------------------------------------------------------------------------------------------------------------===//

BlockArgument mica::cpu::onlyReadArgument(OpOperand &operand) {
  auto load = operand.get().getDefiningOp<bufferization::ToTensorOp>();
  if (!load || !load->hasOneUse())
    return {};
  auto argument = dyn_cast<BlockArgument>(load.getBuffer());
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto type = dyn_cast<MemRefType>(load.getBuffer().getType());
  if (!function || !argument.hasOneUse() || !type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return {};
  return argument;
}

/// Dimension `dim` of `rank` as two, the others as they are.
static SmallVector<ReassociationIndices> splitDim(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < rank; ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  return groups;
}

/// `shape` with dimension `dim` split into panels of `columns`.
static SmallVector<int64_t> splitShape(ArrayRef<int64_t> shape, int64_t dim, int64_t columns) {
  SmallVector<int64_t> result(shape);
  result[dim] /= columns;
  result.insert(result.begin() + dim + 1, columns);
  return result;
}

namespace {
/// Stores a collapsed tensor as it was before, into a view of the destination.
struct StoreExpanded : OpRewritePattern<bufferization::MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(bufferization::MaterializeInDestinationOp op, PatternRewriter &b) const override {
    auto collapse = op.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    auto type = dyn_cast<MemRefType>(op.getDest().getType());
    if (!collapse || !type || !type.getLayout().isIdentity() || op->getNumResults() != 0)
      return failure();
    auto source = collapse.getSrcType();
    auto expanded =
        MemRefType::get(source.getShape(), source.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace());
    Value view =
        memref::ExpandShapeOp::create(b, op.getLoc(), expanded, op.getDest(), collapse.getReassociationIndices(),
                                      tensor::getMixedSizes(b, op.getLoc(), collapse.getSrc()));
    b.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(collapse.getSrc());
      op.getDestMutable().assign(view);
    });
    return success();
  }
};
} // namespace

/// Moves the reshapes around the contraction to the ends of the function, through elementwise ops.
static LogicalResult moveReshapes(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, [](OpOperand *) { return true; });
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  patterns.add<StoreExpanded>(context);
  GreedyRewriteConfig config;
  config.setMaxIterations(20);
  (void)applyPatternsGreedily(function, std::move(patterns), config);
  // What is left would compute the result in memory of its own, and copy it.
  return failure(function
                     .walk([](tensor::CollapseShapeOp op) {
                       return op.getSrc().getDefiningOp<linalg::LinalgOp>() ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
                     })
                     .wasInterrupted());
}

LogicalResult mica::cpu::readPanels(RewriterBase &b, linalg::GenericOp op, const PanelLayout &layout) {
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();
  auto function = op->getParentOfType<func::FuncOp>();
  OpOperand &operand = op->getOpOperand(layout.operand);
  BlockArgument argument = onlyReadArgument(operand);
  if (!argument || op->getNumResults() != 1)
    return failure();
  const unsigned lane = layout.laneDim, numLoops = op.getNumLoops() + 1;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto loopAfter = [&](unsigned d) { return b.getAffineDimExpr(d + (d > lane)); };
  SmallVector<AffineExpr> renamed;
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    renamed.push_back(loopAfter(d));

  b.setInsertionPoint(op);
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  SmallVector<ReassociationIndices> resultGroups;
  for (OpOperand &use : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&use);
    if (&use == &operand) {
      SmallVector<AffineExpr> results;
      SmallVector<int64_t> shape;
      for (int64_t d : layout.dims) {
        const bool isPanel = d == PanelLayout::kPanel, isLane = d == lane;
        results.push_back(b.getAffineDimExpr(isPanel ? lane : isLane ? lane + 1 : d + (d > lane)));
        shape.push_back(isPanel ? sizes[lane] / layout.columns : isLane ? layout.columns : sizes[d]);
      }
      auto element = cast<RankedTensorType>(use.get().getType()).getElementType();
      auto type = MemRefType::get(shape, element);
      auto load = use.get().getDefiningOp<bufferization::ToTensorOp>();
      b.modifyOpInPlace(load, [&] {
        argument.setType(type);
        load->getResult(0).setType(RankedTensorType::get(shape, element));
      });
      maps.push_back(AffineMap::get(numLoops, 0, results, context));
      operands.push_back(load.getResult());
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(use.get().getType());
    SmallVector<AffineExpr> results;
    int64_t split = -1;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      if (expr == b.getAffineDimExpr(lane)) {
        if (split >= 0)
          return failure();
        split = i;
        results.push_back(b.getAffineDimExpr(lane));
        results.push_back(b.getAffineDimExpr(lane + 1));
      } else if (expr.isFunctionOfDim(lane)) {
        return failure();
      } else {
        results.push_back(expr.replaceDims(renamed));
      }
    }
    maps.push_back(AffineMap::get(numLoops, 0, results, context));
    if (split < 0) {
      operands.push_back(use.get());
      continue;
    }
    if (!type || type.getDimSize(split) != sizes[lane])
      return failure();
    SmallVector<ReassociationIndices> groups = splitDim(type.getRank(), split);
    auto expanded = type.clone(splitShape(type.getShape(), split, layout.columns));
    operands.push_back(tensor::ExpandShapeOp::create(b, loc, expanded, use.get(), groups));
    if (op.isDpsInit(&use))
      resultGroups = groups;
  }
  if (resultGroups.empty())
    return failure();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + lane, utils::IteratorType::parallel);
  ArrayRef<Value> all(operands);
  auto fresh = linalg::GenericOp::create(b, loc, all.back().getType(), all.drop_back(), all.back(), maps, iterators);
  b.inlineRegionBefore(op.getRegion(), fresh.getRegion(), fresh.getRegion().begin());
  // Loops that the body asks for are numbered anew; that of the lanes is computed.
  fresh.walk([&](linalg::IndexOp index) {
    if (index.getDim() > lane)
      b.modifyOpInPlace(index, [&] { index.setDim(index.getDim() + 1); });
    else if (index.getDim() == lane)
      resultGroups.clear();
  });
  if (resultGroups.empty())
    return failure();
  b.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op->getResult(0).getType(), fresh.getResult(0), resultGroups);
  function.setType(FunctionType::get(context, function.getBody().getArgumentTypes(), function.getResultTypes()));
  return moveReshapes(function);
}

//===------------------------------------------------------------------------------------------------------------===//
// The bytes
//===------------------------------------------------------------------------------------------------------------===//

SmallVector<int64_t> mica::cpu::panelSources(AffineMap map, const PanelLayout &layout) {
  SmallVector<int64_t> sources;
  for (int64_t d : layout.dims)
    sources.push_back(*map.getResultPosition(
        getAffineDimExpr(d == PanelLayout::kPanel ? layout.laneDim : static_cast<unsigned>(d), map.getContext())));
  return sources;
}

std::vector<char> mica::cpu::panelBytes(ArrayRef<char> source, ArrayRef<int64_t> shape, int64_t elementBytes,
                                        ArrayRef<int64_t> sources, int64_t columns) {
  SmallVector<int64_t> stride(shape.size(), elementBytes);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    stride[i] = stride[i + 1] * shape[i + 1];
  // Sizes and steps in the source of each dimension of the panels.
  const int64_t lane = sources.back();
  SmallVector<int64_t> size, step;
  for (int64_t from : sources.drop_back()) {
    size.push_back(from == lane ? shape[lane] / columns : shape[from]);
    step.push_back(from == lane ? stride[lane] * columns : stride[from]);
  }
  std::vector<char> bytes(source.size());
  char *to = bytes.data();
  SmallVector<int64_t> at(size.size(), 0);
  const char *from = source.data();
  const int64_t rows = static_cast<int64_t>(source.size()) / (columns * elementBytes);
  for (int64_t row = 0; row < rows; ++row) {
    if (stride[lane] == elementBytes) {
      std::memcpy(to, from, columns * elementBytes);
      to += columns * elementBytes;
    } else {
      for (int64_t c = 0; c < columns; ++c, to += elementBytes)
        std::memcpy(to, from + c * stride[lane], elementBytes);
    }
    for (int64_t d = static_cast<int64_t>(size.size()) - 1; d >= 0; --d) {
      from += step[d];
      if (++at[d] < size[d])
        break;
      from -= size[d] * step[d];
      at[d] = 0;
    }
  }
  return bytes;
}
