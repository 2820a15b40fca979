//===- NormalizeDynamicViews.cpp - normalizing dynamic views ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Rewrites three forms that bufferization creates and later passes do not support:
//
//   memref.cast %v : memref<?x1x?xf32, strided<[?, ?, 1]>> to memref<?x1x?xf32>
//     a contiguous copy of %v: the cast would treat its rows as adjacent
//   memref.expand_shape %v [[0, 1]] output_shape [%a, %b] : memref<?xf32> into ..
//     memref.reinterpret_cast: upstream supports one dynamic size per group, not two
//   memref.reshape %v(%s) : (.., memref<2xi32>) -> ..
//     memref.reinterpret_cast: upstream's conversion to LLVM assumes sizes of index width
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_NORMALIZEDYNAMICVIEWS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// A new buffer with the elements of `cast`, if they are not contiguous as its type claims.
static void copyScattered(memref::CastOp cast) {
  auto from = dyn_cast<MemRefType>(cast.getSource().getType()), to = dyn_cast<MemRefType>(cast.getType());
  if (!from || !to || from.getLayout().isIdentity() || !to.getLayout().isIdentity())
    return;
  OpBuilder builder(cast);
  Location loc = cast.getLoc();
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < to.getRank(); ++d)
    if (to.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(builder, loc, cast.getSource(), d));
  Value copy = memref::AllocOp::create(builder, loc, to, sizes, builder.getI64IntegerAttr(64));
  memref::CopyOp::create(builder, loc, cast.getSource(), copy);
  cast.replaceAllUsesWith(copy);
  cast.erase();
}

/// The view `expand`, with the strides of every group computed from its sizes.
static void reinterpret(memref::ExpandShapeOp expand) {
  MemRefType type = expand.getResultType();
  auto [strides, offset] = type.getStridesAndOffset();
  bool hasUnknown = llvm::any_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t d) { return type.isDynamicDim(d); }) > 1;
  });
  if (!hasUnknown)
    return;
  OpBuilder builder(expand);
  Location loc = expand.getLoc();
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape(), mixed(type.getRank());
  auto source = memref::ExtractStridedMetadataOp::create(builder, loc, expand.getSrc());
  for (auto [group, inner] : llvm::zip_equal(expand.getReassociationIndices(), source.getStrides())) {
    Value stride = inner;
    for (int64_t d : llvm::reverse(group)) {
      mixed[d] = ShapedType::isDynamic(strides[d]) ? OpFoldResult(stride) : builder.getIndexAttr(strides[d]);
      Value size = getValueOrCreateConstantIndexOp(builder, loc, sizes[d]);
      // A size may be static here and dynamic in the type.
      if (type.isDynamicDim(d))
        sizes[d] = size;
      stride = arith::MulIOp::create(builder, loc, stride, size);
    }
  }
  OpFoldResult begin = ShapedType::isDynamic(offset) ? OpFoldResult(source.getOffset()) : builder.getIndexAttr(offset);
  auto view = memref::ReinterpretCastOp::create(builder, loc, type, source.getBaseBuffer(), begin, sizes, mixed);
  expand.replaceAllUsesWith(view.getResult());
  expand.erase();
}

namespace {

struct NormalizeDynamicViews : mica::impl::NormalizeDynamicViewsBase<NormalizeDynamicViews> {
  void runOnOperation() override {
    getOperation()->walk([](memref::CastOp op) { copyScattered(op); });
    getOperation()->walk([](memref::ExpandShapeOp op) { reinterpret(op); });
    SmallVector<Operation *> reshapes;
    getOperation()->walk([&](memref::ReshapeOp op) { reshapes.push_back(op); });
    RewritePatternSet patterns(&getContext());
    memref::populateExpandOpsPatterns(patterns);
    (void)applyOpPatternsGreedily(
        reshapes, std::move(patterns),
        GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingOps).enableFolding(false));
  }
};

} // namespace
