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
#include "mlir/Dialect/Arith/Utils/Utils.h"
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
      operand(product.input(number)) {
  const bool isLhs = number == product.lhs;
  const unsigned side = isLhs ? product.m : product.n;
  AffineMap map = product.op.getMatchingIndexingMap(&operand);
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  columnLoop = last && last.getPosition() == side ? side : product.k;
  rowLoop = columnLoop == side ? product.k : side;
  rows = columnLoop == side ? plan.k : (isLhs ? plan.m : plan.n);
  columns = columnLoop == side ? (isLhs ? plan.m : plan.n) : plan.k;
  chunk = kChunkBytes / (product.inputType(number).getIntOrFloatBitWidth() / 8);
}

MemRefType TileMemory::type() const {
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({stages, rows, columns}, cast<MemRefType>(operand.get().getType()).getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

bool TileMemory::isAsync() const {
  AffineMap map = product.op.getMatchingIndexingMap(&operand);
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  const int64_t size = cast<MemRefType>(operand.get().getType()).getShape().back();
  return last && last.getPosition() == columnLoop && !ShapedType::isDynamic(size) && size % chunk == 0;
}

void TileMemory::place(Value where, ArrayRef<OpFoldResult> loopSizes, ArrayRef<Value> loopBegins, Value ofThread) {
  memory = where;
  sizes.assign(loopSizes.begin(), loopSizes.end());
  begins.assign(loopBegins.begin(), loopBegins.end());
  thread = ofThread;
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

/// Whether `position` is one that loop `loop` has; null where all positions of tiles are.
Value TileMemory::isInside(Location loc, unsigned loop, int64_t tile, Value position) {
  if (int64_t size = product.sizes[loop]; !ShapedType::isDynamic(size) && size % tile == 0)
    return {};
  Value size = getValueOrCreateConstantIndexOp(rewriter, loc, sizes[loop]);
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, position, size);
}

/// Indices of the input at positions of the product's loops.
SmallVector<Value> TileMemory::indicesOf(Location loc, ArrayRef<Value> positions) {
  SmallVector<Value> indices;
  for (AffineExpr expr : product.op.getMatchingIndexingMap(&operand).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    indices.push_back(dim ? positions[dim.getPosition()] : number(rewriter, loc, 0));
  }
  return indices;
}

/// A chunk whose elements are no aligned 16 bytes of the input, or not all there: one by one.
void TileMemory::copyElements(Location loc, Value inRow, ArrayRef<Value> positions, ValueRange to) {
  Type type = cast<MemRefType>(operand.get().getType()).getElementType();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < chunk; ++i) {
    SmallVector<Value> place(positions);
    place[columnLoop] = rewriter.createOrFold<arith::AddIOp>(loc, positions[columnLoop], number(rewriter, loc, i));
    Value inside = isInside(loc, columnLoop, columns, place[columnLoop]);
    if (inside && inRow)
      inside = arith::AndIOp::create(rewriter, loc, inside, inRow);
    else if (inRow)
      inside = inRow;
    if (!inside) {
      elements.push_back(memref::LoadOp::create(rewriter, loc, operand.get(), indicesOf(loc, place)));
      continue;
    }
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange{type}, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    Value element = memref::LoadOp::create(rewriter, loc, operand.get(), indicesOf(loc, place));
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
  const int64_t inRow = columns / chunk, total = rows * inRow;
  for (int64_t done = 0; done < total; done += threads) {
    OpBuilder::InsertionGuard guard(rewriter);
    Value id = rewriter.createOrFold<arith::AddIOp>(loc, thread, number(rewriter, loc, done));
    if (done + threads > total) {
      Value has = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, id, number(rewriter, loc, total));
      auto branch = scf::IfOp::create(rewriter, loc, has, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value perRow = number(rewriter, loc, inRow);
    Value row = rewriter.createOrFold<arith::DivUIOp>(loc, id, perRow);
    Value column = rewriter.createOrFold<arith::MulIOp>(loc, rewriter.createOrFold<arith::RemUIOp>(loc, id, perRow),
                                                        number(rewriter, loc, chunk));
    SmallVector<Value> positions(begins);
    positions[product.k] = begin;
    positions[rowLoop] = rewriter.createOrFold<arith::AddIOp>(loc, positions[rowLoop], row);
    positions[columnLoop] = rewriter.createOrFold<arith::AddIOp>(loc, positions[columnLoop], column);
    Value to[] = {slot, row, swizzled(loc, row, column)};
    Value inside = isInside(loc, rowLoop, rows, positions[rowLoop]);
    if (!isAsync()) {
      copyElements(loc, inside, positions, to);
      continue;
    }
    // Chunks are inside or outside as a whole. Of those outside nothing is read, and zeros are written.
    if (Value inColumn = isInside(loc, columnLoop, columns, positions[columnLoop]))
      inside = inside ? arith::AndIOp::create(rewriter, loc, inside, inColumn).getResult() : inColumn;
    Value count;
    if (inside) {
      Value zero = number(rewriter, loc, 0);
      for (unsigned loop : {rowLoop, columnLoop})
        positions[loop] = arith::SelectOp::create(rewriter, loc, inside, positions[loop], zero);
      count = arith::SelectOp::create(rewriter, loc, inside, number(rewriter, loc, chunk), zero);
    }
    nvgpu::DeviceAsyncCopyOp::create(rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()), memory, to,
                                     operand.get(), indicesOf(loc, positions), rewriter.getIndexAttr(chunk), count,
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
