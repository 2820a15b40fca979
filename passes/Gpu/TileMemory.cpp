//===- TileMemory.cpp - tiles of a product's input in workgroup memory ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Copies into workgroup memory and addresses in it; see TileMemory.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/TileMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mica::device;

/// Bytes of all banks, and rows that a matrix load takes at once.
static constexpr int64_t kBankBytes = 128, kMatrixRows = 8;

TileMemory::TileMemory(RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number)
    : rewriter(rewriter), product(product), threads(plan.threads()), stages(plan.stages),
      operand(product.input(number)),
      access(accessOf(product, cast<MemRefType>(operand.get().getType()), product.op.getMatchingIndexingMap(&operand))),
      side(number == product.lhs ? Axis::M : Axis::N) {
  columnAxis = access.columnAxis(product, number);
  rowAxis = columnAxis == side ? Axis::K : side;
  const int64_t ofSide = side == Axis::M ? plan.m : plan.n;
  rows = columnAxis == side ? plan.k : ofSide;
  columns = columnAxis == side ? ofSide : plan.k;
  chunk = kChunkBytes / (product.inputType(number).getIntOrFloatBitWidth() / 8);
}

MemRefType TileMemory::type() const {
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({stages, rows, columns}, cast<MemRefType>(operand.get().getType()).getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

static Value number(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Where the element of `row` at `column` lies in its row.
Value TileMemory::swizzled(Location loc, Value row, Value column) {
  const int64_t chunks = columns / chunk;
  // Rows beyond which the same banks come again, and what tells apart those before.
  const int64_t period = std::max<int64_t>(1, kBankBytes / kChunkBytes / chunks);
  const int64_t kinds = std::min(chunks, kMatrixRows);
  if (kinds == 1)
    return column;
  auto mask = [&](Value value, int64_t count) {
    return rewriter.createOrFold<arith::RemUIOp>(loc, value, number(rewriter, loc, count));
  };
  Value kind = row;
  if (period > 1)
    kind = rewriter.createOrFold<arith::DivUIOp>(loc, row, number(rewriter, loc, period));
  kind = rewriter.createOrFold<arith::MulIOp>(loc, mask(kind, kinds), number(rewriter, loc, chunk));
  // A multiple of a chunk moves chunks only: elements within one keep their order.
  return rewriter.createOrFold<arith::XOrIOp>(loc, column, kind);
}

void TileMemory::follow(Location loc, const LoopPositions &corner, Axis axis, Value begin,
                        std::vector<LoopPositions> &positions, SmallVector<Value> &inside) {
  const int64_t count = axis == columnAxis && !isAsync() ? chunk : 1;
  // Whether a chunk stays within a run of the innermost loop, so that the other ones are where they are for its first element.
  const int64_t run = product.sizes[product.loops(axis).back()];
  const bool staysInRun = product.loops(axis).size() == 1 || (!ShapedType::isDynamic(run) && run % count == 0);
  for (int64_t i = 0; i < count; ++i) {
    Value position = i == 0 ? begin : rewriter.createOrFold<arith::AddIOp>(loc, begin, number(rewriter, loc, i));
    inside.push_back(corner.isInside(axis, tileOf(axis), position));
    // Chunks are inside or outside as a whole. Of those outside nothing is read.
    if (isAsync() && inside.back())
      position = arith::SelectOp::create(rewriter, loc, inside.back(), position, number(rewriter, loc, 0));
    positions.push_back(i > 0 && staysInRun ? positions.front() : corner);
    if (i > 0 && staysInRun)
      positions.back().advance(axis, i);
    else
      positions.back().set(axis, position);
  }
}

void TileMemory::place(Location loc, Value where, const LoopPositions &corner, Value thread) {
  memory = where;
  source = access.view(rewriter, loc, operand.get());
  const int64_t inRow = columns / chunk;
  for (int64_t done = 0; done < rows * inRow; done += threads) {
    Share share;
    Value perRow = number(rewriter, loc, inRow);
    share.id = rewriter.createOrFold<arith::AddIOp>(loc, thread, number(rewriter, loc, done));
    share.row = rewriter.createOrFold<arith::DivUIOp>(loc, share.id, perRow);
    share.column = rewriter.createOrFold<arith::MulIOp>(
        loc, rewriter.createOrFold<arith::RemUIOp>(loc, share.id, perRow), number(rewriter, loc, chunk));
    Value begin =
        rewriter.createOrFold<arith::AddIOp>(loc, corner.along(side), rowAxis == side ? share.row : share.column);
    follow(loc, corner, side, begin, share.sides, share.inSide);
    shares.push_back(std::move(share));
  }
}

static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
  return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : a ? a : b;
}

/// A chunk whose elements are no aligned 16 bytes of the input, or not all there: one by one.
void TileMemory::copyElements(Location loc, ArrayRef<LoopPositions> positions, ArrayRef<Value> isInside,
                              ValueRange to) {
  Type type = cast<MemRefType>(operand.get().getType()).getElementType();
  SmallVector<Value> elements;
  for (auto [at, inside] : llvm::zip_equal(positions, isInside)) {
    if (!inside) {
      elements.push_back(memref::LoadOp::create(rewriter, loc, source, at.indices(access.map)));
      continue;
    }
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange{type}, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    Value element = memref::LoadOp::create(rewriter, loc, source, at.indices(access.map));
    scf::YieldOp::create(rewriter, loc, element);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    scf::YieldOp::create(rewriter, loc, zero);
    elements.push_back(branch.getResult(0));
  }
  Value whole = vector::FromElementsOp::create(rewriter, loc, VectorType::get({chunk}, type), elements);
  vector::StoreOp::create(rewriter, loc, whole, memory, to, /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
}

void TileMemory::copy(Location loc, Value begin, Value slot) {
  const int64_t total = rows * columns / chunk;
  for (auto [turn, share] : llvm::enumerate(shares)) {
    OpBuilder::InsertionGuard guard(rewriter);
    if (static_cast<int64_t>(turn + 1) * threads > total) {
      Value has =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, share.id, number(rewriter, loc, total));
      auto branch = scf::IfOp::create(rewriter, loc, has, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value to[] = {slot, share.row, swizzled(loc, share.row, share.column)};
    std::vector<LoopPositions> positions;
    SmallVector<Value> inside;
    follow(loc, share.sides.front(), Axis::K,
           rewriter.createOrFold<arith::AddIOp>(loc, begin, rowAxis == Axis::K ? share.row : share.column), positions,
           inside);
    if (share.sides.size() > 1) {
      positions.assign(share.sides.size(), positions.front());
      inside.assign(share.sides.size(), inside.front());
    }
    for (size_t i = 0; i < positions.size(); ++i) {
      const size_t ofSide = share.sides.size() > 1 ? i : 0;
      positions[i].setFrom(side, share.sides[ofSide]);
      inside[i] = both(rewriter, loc, share.inSide[ofSide], inside[i]);
    }
    if (!isAsync()) {
      copyElements(loc, positions, inside, to);
      continue;
    }
    // Zeros are written for what is outside.
    Value count;
    if (inside.front())
      count = arith::SelectOp::create(rewriter, loc, inside.front(), number(rewriter, loc, chunk),
                                      number(rewriter, loc, 0));
    nvgpu::DeviceAsyncCopyOp::create(rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()), memory, to,
                                     source, positions.front().indices(access.map), rewriter.getIndexAttr(chunk), count,
                                     rewriter.getUnitAttr());
  }
}

SmallVector<Value> TileMemory::at(Location loc, Value slot, Value side, Value k) {
  Value row = isAlongK() ? side : k, column = isAlongK() ? k : side;
  return {slot, row, swizzled(loc, row, column)};
}

Value TileMemory::load(Location loc, Value slot, Value side, Value k, int64_t count) {
  Type element = type().getElementType();
  const int64_t bytes = count * element.getIntOrFloatBitWidth() / 8;
  return vector::LoadOp::create(rewriter, loc, VectorType::get({count}, element), memory, at(loc, slot, side, k),
                                /*nontemporal=*/false, llvm::MaybeAlign(bytes));
}
