//===- LaunchBuilder.cpp - building launches --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Iterations are numbered, the innermost loop fastest, so that adjacent threads access adjacent elements. Numbers are
// delinearized by divisions, which are cheap by constants.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/LaunchBuilder.h"

#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/Registers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mica::device;

static Value multiply(OpBuilder &builder, Location loc, Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}

LaunchBuilder::Iterations LaunchBuilder::countOf(RewriterBase &rewriter, Location loc, ArrayRef<SharedLoop> loops) {
  Iterations iterations;
  iterations.total = arith::ConstantIndexOp::create(rewriter, loc, 1);
  for (const SharedLoop &loop : loops) {
    iterations.counts.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, loop.count));
    iterations.total = multiply(rewriter, loc, iterations.total, iterations.counts.back());
  }
  iterations.known = getConstantIntValue(iterations.total);
  return iterations;
}

mlir::gpu::LaunchOp LaunchBuilder::open(RewriterBase &rewriter, Location loc, const Iterations &iterations,
                                        int64_t each, int64_t threadsX, int64_t threadsY, ArrayRef<Type> memory) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  if (!iterations.known) {
    Value some = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt, iterations.total, constant(0));
    auto branch = scf::IfOp::create(rewriter, loc, some, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  Value one = constant(1);
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      rewriter, loc, rewriter.getAffineSymbolExpr(0).ceilDiv(each), {OpFoldResult(iterations.total)});
  Value grid = getValueOrCreateConstantIndexOp(rewriter, loc, blocks);
  auto *context = rewriter.getContext();
  auto module = FlatSymbolRefAttr::get(context, kGpuModuleName);
  auto name = FlatSymbolRefAttr::get(context, (func.getName() + "_" + Twine(next++)).str());
  auto launch = mlir::gpu::LaunchOp::create(rewriter, loc, grid, one, one, constant(threadsX), constant(threadsY), one,
                                            Value(), Type(), {}, memory, {}, Value(), Value(), Value(), module, name);
  rewriter.setInsertionPointToEnd(&launch.getBody().front());
  auto end = mlir::gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPoint(end);
  return launch;
}

SmallVector<Value> LaunchBuilder::positionsOf(RewriterBase &rewriter, Location loc, ArrayRef<SharedLoop> loops,
                                              const Iterations &iterations, Value number) {
  SmallVector<Value> positions(loops.size());
  Value rest = number;
  for (size_t i = loops.size(); i-- > 0;) {
    Value position = rest;
    if (i > 0) {
      position = rewriter.createOrFold<arith::RemUIOp>(loc, rest, iterations.counts[i]);
      rest = rewriter.createOrFold<arith::DivUIOp>(loc, rest, iterations.counts[i]);
    }
    AffineExpr s0 = rewriter.getAffineSymbolExpr(0), s1 = rewriter.getAffineSymbolExpr(1),
               s2 = rewriter.getAffineSymbolExpr(2);
    OpFoldResult at = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1 + s2,
                                                            {OpFoldResult(position), loops[i].step, loops[i].begin});
    positions[i] = getValueOrCreateConstantIndexOp(rewriter, loc, at);
  }
  return positions;
}

mlir::gpu::LaunchOp LaunchBuilder::launch(RewriterBase &rewriter, Location loc, ArrayRef<SharedLoop> loops,
                                          llvm::function_ref<void(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(rewriter);
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
  Iterations iterations = countOf(rewriter, loc, loops);
  std::optional<int64_t> known = iterations.known;
  if (known && *known <= 0)
    return {};
  int64_t width = threads;
  if (known && *known < threads)
    width = *known == 1 ? 1 : llvm::alignTo(*known, kWarp);
  mlir::gpu::LaunchOp launch = open(rewriter, loc, iterations, width, width, 1, {});
  if (loops.empty() || (known && *known == 1)) {
    SmallVector<Value> positions;
    for (const SharedLoop &loop : loops)
      positions.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, loop.begin));
    body(positions);
    return launch;
  }
  Value id = arith::AddIOp::create(rewriter, loc, multiply(rewriter, loc, launch.getBlockIds().x, constant(width)),
                                   launch.getThreadIds().x);
  if (!known || *known % width != 0) {
    Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, id, iterations.total);
    auto branch = scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  body(positionsOf(rewriter, loc, loops, iterations, id));
  return launch;
}

mlir::gpu::LaunchOp
LaunchBuilder::launchGroups(RewriterBase &rewriter, Location loc, ArrayRef<SharedLoop> loops, int64_t lanes,
                            int64_t groups, ArrayRef<Type> memory,
                            llvm::function_ref<void(ValueRange, Value, ArrayRef<BlockArgument>)> body) {
  OpBuilder::InsertionGuard guard(rewriter);
  Iterations iterations = countOf(rewriter, loc, loops);
  std::optional<int64_t> known = iterations.known;
  if (known && *known <= 0)
    return {};
  if (known)
    groups = std::min(groups, *known);
  mlir::gpu::LaunchOp launch = open(rewriter, loc, iterations, groups, lanes, groups, memory);
  Value id = launch.getBlockIds().x;
  if (groups > 1) {
    Value first = multiply(rewriter, loc, id, arith::ConstantIndexOp::create(rewriter, loc, groups));
    id = arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().y);
    if (!known || *known % groups != 0) {
      Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, id, iterations.total);
      auto branch = scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
  }
  SmallVector<Value> positions = positionsOf(rewriter, loc, loops, iterations, id);
  body(positions, launch.getThreadIds().x, launch.getWorkgroupAttributions());
  return launch;
}

int64_t mica::device::vectorElementBytes(Type type) {
  const unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits < 8 || bits > 64 || (bits == 8 && isa<FloatType>(type)) ? 0 : bits / 8;
}

int64_t mica::device::elementsPerAccess(int64_t bytes, int64_t elementBytes, int64_t size) {
  for (int64_t count = elementBytes > 0 ? bytes / elementBytes : 1; count > 1; count /= 2)
    if (size % count == 0)
      return count;
  return 1;
}

int64_t mica::device::elementsPerThread(linalg::GenericOp op, int64_t bytes) {
  unsigned loops = op.getNumLoops();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (loops == 0 || op.getNumParallelLoops() != loops || op.hasIndexSemantics() || ShapedType::isDynamic(sizes.back()))
    return 1;
  for (Operation &inner : op.getBody()->without_terminator())
    if (!OpTrait::hasElementwiseMappableTraits(&inner) && !isa<arith::ConstantOp>(inner))
      return 1;
  int64_t widest = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return 1;
    const int64_t elementBytes = vectorElementBytes(type.getElementType());
    if (elementBytes == 0)
      return 1;
    if (!map.isFunctionOfDim(loops - 1))
      continue;
    // The last dimension is packed, and rows begin at multiples of an access.
    SmallVector<int64_t> strides;
    int64_t offset;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || last.getPosition() != loops - 1 || failed(type.getStridesAndOffset(strides, offset)) ||
        strides.back() != 1)
      return 1;
    widest = std::max(widest, elementBytes);
  }
  return elementsPerAccess(bytes, widest, sizes.back());
}
