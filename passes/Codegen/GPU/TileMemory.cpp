//===- TileMemory.cpp - tiles of a contraction's input in workgroup memory --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Copies into workgroup memory and addresses in it; see TileMemory.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/TileMemory.h"

#include "passes/Codegen/GPU/Factors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mica::device;

/// Bytes of all banks, and rows of a matrix load.
static constexpr int64_t kBankBytes = 128, kMatrixRows = 8;

TileMemory::TileMemory(RewriterBase &rewriter, const Contraction &product, const ContractionPlan &plan, unsigned number)
    : rewriter(rewriter), product(product), threads(plan.threads()), stages(plan.stages),
      factor(product.factor(number)), side(number == product.lhs ? Axis::M : Axis::N) {
  for (OpOperand *input : inputsOf(product.op, factor)) {
    auto type = dyn_cast<MemRefType>(input->get().getType());
    sources.push_back(
        {input, type ? accessOf(product, type, product.op.getMatchingIndexingMap(input)) : Access(), input->get()});
  }
  columnAxis = sources.front().access.columnAxis(product, number);
  rowAxis = columnAxis == side ? Axis::K : side;
  const int64_t ofSide = side == Axis::M ? plan.m : plan.n;
  rows = columnAxis == side ? plan.k : ofSide;
  columns = columnAxis == side ? ofSide : plan.k;
  chunk = kChunkBytes / (product.inputType(number).getIntOrFloatBitWidth() / 8);
}

MemRefType TileMemory::type() const {
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({stages, rows, columns}, factor.getType(), MemRefLayoutAttrInterface(), space);
}

static Value number(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// The swizzled position of the element of `row` at `column` in its row.
Value TileMemory::swizzled(Location loc, Value row, Value column) {
  const int64_t chunks = columns / chunk;
  // After `period` rows the banks repeat; the swizzle uses the row number within a period.
  const int64_t period = std::max<int64_t>(1, kBankBytes / kChunkBytes / chunks);
  const int64_t kinds = std::min(chunks, kMatrixRows);
  if (kinds == 1)
    return column;
  auto constant = [&](int64_t value) { return number(rewriter, loc, value); };
  // Elements that are not loaded by matrix loads are read by a warp from 4 rows at a time, whose distance is that of
  // the elements of a register, and from two chunks per row if they are larger: then the swizzle of these rows must
  // differ in more than the last bit of the chunk number.
  const int64_t bytes = kChunkBytes / chunk;
  const bool isGathered = bytes == 8 || (bytes != 2 && !isAlongK());
  const int64_t apart = std::max(period, isGathered ? 4 / std::min<int64_t>(bytes, 4) : 1);
  Value kind = row;
  if (apart > 1)
    kind = rewriter.createOrFold<arith::DivUIOp>(loc, row, constant(apart));
  kind = rewriter.createOrFold<arith::RemUIOp>(loc, kind, constant(kinds));
  if (isGathered && bytes >= 4 && kinds > 2) {
    Value upper = rewriter.createOrFold<arith::DivUIOp>(loc, kind, constant(kinds / 2));
    Value twice = rewriter.createOrFold<arith::MulIOp>(loc, kind, constant(2));
    kind = rewriter.createOrFold<arith::RemUIOp>(loc, twice, constant(kinds));
    kind = rewriter.createOrFold<arith::AddIOp>(loc, kind, upper);
  }
  kind = rewriter.createOrFold<arith::MulIOp>(loc, kind, constant(chunk));
  // XOR with a multiple of a chunk only permutes chunks: the order within a chunk is kept.
  return rewriter.createOrFold<arith::XOrIOp>(loc, column, kind);
}

/// Whether the elements of a chunk are all in or all out of bounds, and consecutive in the innermost loop.
bool TileMemory::hasWholeChunks() const {
  ArrayRef<unsigned> loops = product.loops(columnAxis);
  const int64_t size = product.size(columnAxis), run = product.sizes[loops.back()];
  return !ShapedType::isDynamic(size) && size % chunk == 0 && (loops.size() == 1 || run % chunk == 0);
}

void TileMemory::follow(Location loc, const LoopPositions &corner, Axis axis, Value begin,
                        std::vector<LoopPositions> &positions, SmallVector<Value> &inside) {
  const int64_t count = axis == columnAxis && !isAsync() && !hasWholeChunks() ? chunk : 1;
  // Whether a chunk stays within the innermost loop, so that the addresses of its elements follow from its first
  // element.
  const int64_t run = product.sizes[product.loops(axis).back()];
  const bool staysInRun = product.loops(axis).size() == 1 || (!ShapedType::isDynamic(run) && run % count == 0);
  for (int64_t i = 0; i < count; ++i) {
    Value position = i == 0 ? begin : rewriter.createOrFold<arith::AddIOp>(loc, begin, number(rewriter, loc, i));
    inside.push_back(corner.isInside(axis, tileOf(axis), position));
    // Chunks are in or out of bounds as a whole. Those out of bounds are not read.
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
  for (Source &source : sources)
    if (isa<MemRefType>(source.buffer.getType()))
      source.buffer = source.access.view(rewriter, loc, source.operand->get());
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

/// The conjunction of `conditions`, of which null ones are true; null if all are.
Value TileMemory::allOf(Location loc, ArrayRef<Value> conditions) {
  Value all;
  for (Value condition : conditions)
    if (condition)
      all = all ? arith::AndIOp::create(rewriter, loc, all, condition).getResult() : condition;
  return all;
}

Value TileMemory::hasTurn(Location loc, const Share &share, int64_t turn) {
  const int64_t total = rows * columns / chunk;
  if ((turn + 1) * threads <= total)
    return {};
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, share.id, number(rewriter, loc, total));
}

TileMemory::Places TileMemory::placesOf(Location loc, const Share &share, Value begin) {
  Places places;
  follow(loc, share.sides.front(), Axis::K,
         rewriter.createOrFold<arith::AddIOp>(loc, begin, rowAxis == Axis::K ? share.row : share.column),
         places.positions, places.inside);
  if (share.sides.size() > 1) {
    places.positions.assign(share.sides.size(), LoopPositions(places.positions.front()));
    places.inside.assign(share.sides.size(), Value(places.inside.front()));
  }
  for (size_t i = 0; i < places.positions.size(); ++i) {
    const size_t ofSide = share.sides.size() > 1 ? i : 0;
    places.positions[i].setFrom(side, share.sides[ofSide]);
    places.inside[i] = allOf(loc, {share.inSide[ofSide], places.inside[i]});
  }
  return places;
}

void TileMemory::copy(Location loc, Value begin, Value slot) {
  const Source &source = sources.front();
  for (auto [turn, share] : llvm::enumerate(shares)) {
    OpBuilder::InsertionGuard guard(rewriter);
    if (Value has = hasTurn(loc, share, turn)) {
      auto branch = scf::IfOp::create(rewriter, loc, has, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value to[] = {slot, share.row, swizzled(loc, share.row, share.column)};
    Places places = placesOf(loc, share, begin);
    // Zeros are written for elements out of bounds.
    Value count;
    if (Value inside = places.inside.front())
      count = arith::SelectOp::create(rewriter, loc, inside, number(rewriter, loc, chunk), number(rewriter, loc, 0));
    nvgpu::DeviceAsyncCopyOp::create(rewriter, loc, nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()), memory, to,
                                     source.buffer, places.positions.front().indices(source.access.map),
                                     rewriter.getIndexAttr(chunk), count, rewriter.getUnitAttr());
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// Through registers
//===------------------------------------------------------------------------------------------------------------===//

/// Loads `count` elements of an input from `at` on, along the tile's columns.
SmallVector<Value> TileMemory::read(Location loc, const Source &source, const LoopPositions &at, int64_t count) {
  auto type = dyn_cast<MemRefType>(source.buffer.getType());
  if (!type)
    return {source.buffer};
  const Access &access = source.access;
  const unsigned whole = product.sizes.size() + static_cast<unsigned>(columnAxis);
  if (!access.map.isFunctionOfDim(whole) &&
      llvm::none_of(product.loops(columnAxis), [&](unsigned loop) { return access.map.isFunctionOfDim(loop); }))
    return {memref::LoadOp::create(rewriter, loc, source.buffer, at.indices(access.map))};
  Type element = type.getElementType();
  const int64_t bits = element.getIntOrFloatBitWidth();
  const bool atOnce = count > 1 && llvm::isPowerOf2_64(bits) && bits >= (isa<IntegerType>(element) ? 8 : 16) &&
                      access.liesSideBySide(product, columnAxis, count);
  const int64_t each = atOnce ? std::min<int64_t>(count, kChunkBytes * 8 / bits) : 1;
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; i += each) {
    LoopPositions place = at;
    if (i > 0)
      place.advance(columnAxis, i);
    SmallVector<Value> indices = place.indices(access.map);
    if (each == 1)
      values.push_back(memref::LoadOp::create(rewriter, loc, source.buffer, indices));
    else
      values.push_back(vector::LoadOp::create(rewriter, loc, VectorType::get({each}, element), source.buffer, indices,
                                              /*nontemporal=*/false, llvm::MaybeAlign(each * bits / 8)));
  }
  return values;
}

TileMemory::Part TileMemory::readWhere(Location loc, Value inside, const LoopPositions &at, int64_t count) {
  Part part{inside, {}};
  for (const Source &source : sources) {
    if (!inside) {
      part.ofInputs.push_back(read(loc, source, at, count));
      continue;
    }
    SmallVector<Value> values;
    auto there = [&](OpBuilder &builder, Location) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
      values = read(loc, source, at, count);
      scf::YieldOp::create(rewriter, loc, values);
    };
    auto outside = [&](OpBuilder &builder, Location) {
      SmallVector<Value> zeros = llvm::map_to_vector(values, [&](Value value) -> Value {
        return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
      });
      scf::YieldOp::create(builder, loc, zeros);
    };
    part.ofInputs.emplace_back(scf::IfOp::create(rewriter, loc, inside, there, outside).getResults());
  }
  return part;
}

SmallVector<TileMemory::Chunk> TileMemory::fetch(Location loc, Value begin, Value valid) {
  SmallVector<Chunk> chunks;
  for (auto [turn, share] : llvm::enumerate(shares)) {
    Chunk fetched{allOf(loc, {hasTurn(loc, share, turn), valid}), share.row, share.column, {}, {}};
    Places places = placesOf(loc, share, begin);
    const int64_t count = chunk / static_cast<int64_t>(places.positions.size());
    SmallVector<Value> elements;
    for (auto [at, inside] : llvm::zip_equal(places.positions, places.inside)) {
      fetched.read = readWhere(loc, allOf(loc, {fetched.has, inside}), at, count);
      // Elements that are loaded one by one would occupy a register each until they are stored.
      if (count < chunk || isa<BlockArgument>(factor))
        for (int64_t e = 0; e < count; ++e)
          elements.push_back(compute(loc, fetched.read, e, count));
    }
    if (!elements.empty())
      fetched.made =
          vector::FromElementsOp::create(rewriter, loc, VectorType::get({chunk}, factor.getType()), elements);
    chunks.push_back(std::move(fetched));
  }
  return chunks;
}

/// Computes the factor of element `element` of the `count` elements of `part`.
Value TileMemory::compute(Location loc, const Part &part, int64_t element, int64_t count) {
  IRMapping mapping;
  for (auto [source, values] : llvm::zip_equal(sources, part.ofInputs)) {
    const int64_t each = count / static_cast<int64_t>(values.size());
    Value value = values[values.size() == 1 ? 0 : element / each];
    if (isa<VectorType>(value.getType()))
      value = vector::ExtractOp::create(rewriter, loc, value, element % each);
    mapping.map(product.op.getMatchingBlockArgument(source.operand), value);
  }
  Value value = computeAgain(rewriter, product.op.getBody(), factor, mapping);
  // A factor computed from zeros is not always zero.
  if (part.inside && !isa<BlockArgument>(factor)) {
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(factor.getType()));
    value = arith::SelectOp::create(rewriter, loc, part.inside, value, zero);
  }
  return value;
}

void TileMemory::put(Location loc, ArrayRef<Chunk> chunks, Value slot) {
  for (const Chunk &each : chunks) {
    OpBuilder::InsertionGuard guard(rewriter);
    if (each.has) {
      auto branch = scf::IfOp::create(rewriter, loc, each.has, /*withElseRegion=*/false);
      rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value made = each.made;
    if (!made) {
      SmallVector<Value> elements;
      for (int64_t i = 0; i < chunk; ++i)
        elements.push_back(compute(loc, each.read, i, chunk));
      made = vector::FromElementsOp::create(rewriter, loc, VectorType::get({chunk}, factor.getType()), elements);
    }
    Value to[] = {slot, each.row, swizzled(loc, each.row, each.column)};
    vector::StoreOp::create(rewriter, loc, made, memory, to, /*nontemporal=*/false, llvm::MaybeAlign(kChunkBytes));
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// From the tile
//===------------------------------------------------------------------------------------------------------------===//

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
