//===- CollapseContiguousDims.cpp - collapsing contiguous dimensions ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// If the innermost dimension is short (channels, classes), loops along it never fill a vector. Dimensions that are
// adjacent in memory for every operand of an op are collapsed:
//
//   linalg.generic over (16, 16, 8) on memref<16x16x8xf32>  ->  linalg.generic over (2048) on memref<2048xf32>
//
// Dimensions of size 1 are not collapsed: they cost no loop, and ops of equal shape can share one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_COLLAPSECONTIGUOUSDIMSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether dimensions `position` and `position + 1` of a buffer have no gaps, so that they can be collapsed.
static bool isContiguous(MemRefType type, unsigned position) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  if (type.getLayout().isIdentity())
    return true;
  int64_t size = type.getDimSize(position + 1);
  return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(strides[position]) &&
         !ShapedType::isDynamic(strides[position + 1]) && strides[position] == size * strides[position + 1];
}

/// Whether the loops over `dim` and `dim + 1` can be collapsed.
static bool canCollapse(linalg::GenericOp op, unsigned dim) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (iterators[dim] != iterators[dim + 1] || sizes[dim] == 1 || sizes[dim + 1] == 1)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    if (!map.isProjectedPermutation())
      return false;
    std::optional<unsigned> outer = map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    std::optional<unsigned> inner = map.getResultPosition(getAffineDimExpr(dim + 1, op.getContext()));
    if (!outer && !inner)
      continue;
    if (!outer || !inner || *inner != *outer + 1 || !isContiguous(type, *outer))
      return false;
  }
  return true;
}

namespace {
struct CollapseContiguousDimsPass : mica::impl::CollapseContiguousDimsPassBase<CollapseContiguousDimsPass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) {
      // A body with linalg.index would have to delinearize the index for every element.
      if (op.hasPureBufferSemantics() && !op.hasIndexSemantics() && !op->hasAttr(mica::codegen::kKeepLoopsAttr))
        generics.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : generics) {
      SmallVector<ReassociationIndices> sequences;
      for (unsigned dim = 0; dim + 1 < op.getNumLoops(); ++dim) {
        if (!canCollapse(op, dim))
          continue;
        if (!sequences.empty() && sequences.back().back() == dim)
          sequences.back().push_back(dim + 1);
        else
          sequences.push_back({dim, dim + 1});
      }
      if (sequences.empty())
        continue;
      rewriter.setInsertionPoint(op);
      if (succeeded(linalg::collapseOpIterationDims(cast<linalg::LinalgOp>(op.getOperation()), sequences, rewriter)))
        rewriter.eraseOp(op);
    }
  }
};
} // namespace
