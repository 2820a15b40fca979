//===- InterleavedReducer.cpp - register blocks of dot-product instructions ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See InterleavedReducer.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/InterleavedReducer.h"
#include "passes/Codegen/Common/TransposeVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mica::cpu;

/// Steps of the reduction that one instruction adds up.
static constexpr int64_t kGroup = 4;

LogicalResult InterleavedReducer::matchFactors() {
  std::string why;
  auto matched = codegen::matchByteProducts(root, plan.laneDim, plan.rowDim, plan.dotDim, why);
  if (!matched || plan.packOperand != matched->lane.input)
    return failure();
  factors = *matched;
  outerReductions = reductions;
  llvm::erase(outerReductions, static_cast<unsigned>(plan.dotDim));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------------------------===//

InterleavedReducer::GroupPart InterleavedReducer::partOf(Value groupBytes, bool isSigned) {
  if (hasByteDots)
    return {groupBytes, Value()};
  auto type = VectorType::get({cast<VectorType>(groupBytes.getType()).getNumElements() / 2}, b.getI16Type());
  Value pairs = vector::BitCastOp::create(b, loc, type, groupBytes);
  Value byte = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, APInt(16, 8)));
  if (!isSigned) {
    Value low = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, APInt(16, 0xff)));
    return {arith::AndIOp::create(b, loc, pairs, low), arith::ShRUIOp::create(b, loc, pairs, byte)};
  }
  Value even = arith::ShRSIOp::create(b, loc, arith::ShLIOp::create(b, loc, pairs, byte), byte);
  return {even, arith::ShRSIOp::create(b, loc, pairs, byte)};
}

/// `sum` plus four products for each lane.
Value InterleavedReducer::dot(Value sum, const GroupPart &ofRow, const GroupPart &ofLane) {
  auto call = [&](const Twine &name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, loc, sum.getType(), b.getStringAttr(name), operands).getResult(0);
  };
  if (hasByteDots) {
    // One of them is unsigned: the row, or else what is packed beside it.
    auto [unsignedBytes, signedBytes] = factors.row.isSigned ? std::pair(ofLane.bytesOrEven, ofRow.bytesOrEven)
                                                             : std::pair(ofRow.bytesOrEven, ofLane.bytesOrEven);
    return call("llvm.x86.avx512.vpdpbusd." + Twine(32 * plan.lanes), {sum, unsignedBytes, signedBytes});
  }
  const StringRef name = plan.lanes == 4   ? "llvm.x86.sse2.pmadd.wd"
                         : plan.lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                           : "llvm.x86.avx512.pmaddw.d.512";
  // Both before the sum, which then is the only value that the next step waits for.
  Value products = arith::AddIOp::create(b, loc, call(name, {ofRow.bytesOrEven, ofLane.bytesOrEven}),
                                         call(name, {ofRow.odd, ofLane.odd}));
  return arith::AddIOp::create(b, loc, sum, products);
}

/// Vector `vector` of the packed group at `point`.
InterleavedReducer::GroupPart InterleavedReducer::loadPart(const Point &point, int64_t vector) {
  Values position = groupPosition(point, vector);
  if (hasByteDots)
    return {loadVector(groups, position, groupLanes(), Value()), Value()};
  Value even = loadVector(groups, position, 2 * plan.lanes, Value());
  position.back() = value(constant(vector * groupLanes() + 2 * plan.lanes));
  return {even, loadVector(groups, position, 2 * plan.lanes, Value())};
}

void InterleavedReducer::storePart(Value groupBytes, const Point &point, int64_t vector) {
  const GroupPart part = partOf(groupBytes, factors.lane.isSigned);
  Values position = groupPosition(point, vector);
  storeVector(part.bytesOrEven, groups, position, Value());
  if (!part.odd)
    return;
  position.back() = value(constant(vector * groupLanes() + 2 * plan.lanes));
  storeVector(part.odd, groups, position, Value());
}

Value InterleavedReducer::bytes(int64_t value) {
  auto type = VectorType::get({groupLanes()}, b.getI8Type());
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, APInt(8, static_cast<uint64_t>(value), false, /*implicitTrunc=*/true)));
}

/// Bytes of the factor of the lanes in the range in which they are packed: the other one's if both have the same sign.
Value InterleavedReducer::moved(Value packedBytes) {
  if (!mustMove())
    return packedBytes;
  auto type = cast<VectorType>(packedBytes.getType());
  Value sign = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, APInt::getSignedMinValue(8)));
  return arith::XOrIOp::create(b, loc, packedBytes, sign);
}

/// A value of the root's body that is the same in every iteration, as a value before the loops.
Value InterleavedReducer::evaluate(Value inBody) {
  if (auto argument = dyn_cast<BlockArgument>(inBody); argument && argument.getOwner() == root.getBlock()) {
    OpOperand &operand = root->getOpOperand(argument.getArgNumber());
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    Values position = indices(root.getMatchingIndexingMap(&operand), Point(root.getNumLoops(), constant(0)));
    return memref::LoadOp::create(b, loc, operand.get(), position);
  }
  Operation *def = inBody.getDefiningOp();
  if (!def || def->getBlock() != root.getBlock())
    return inBody;
  IRMapping mapping;
  for (Value operand : def->getOperands())
    mapping.map(operand, evaluate(operand));
  return b.clone(*def, mapping)->getResult(cast<OpResult>(inBody).getResultNumber());
}

/// Lanes of 32 bits as groups of four bytes, or the other way around.
Value InterleavedReducer::asLanes(Value vector, bool toBytes) {
  auto type = toBytes ? VectorType::get({groupLanes()}, b.getI8Type()) : VectorType::get({plan.lanes}, b.getI32Type());
  return vector::BitCastOp::create(b, loc, type, vector);
}

//===------------------------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------------------------===//

BlockBuilder::Values
InterleavedReducer::groupLoops(Point &point, ValueRange carried,
                               llvm::function_ref<Values(std::optional<OpFoldResult> rest, ValueRange)> step) {
  return unitLoops(outerReductions, point, carried,
                   [&](ValueRange outer) { return strips(plan.dotDim, constant(0), kGroup, point, outer, step); });
}

/// The position of vector `vector` of the group at `point` in the packed factor.
BlockBuilder::Values InterleavedReducer::groupPosition(const Point &point, int64_t vector) {
  Values position = {value(apply(b.getAffineDimExpr(0).floorDiv(plan.columns), {point[plan.laneDim]}))};
  for (unsigned d : outerReductions)
    if (packedMap.isFunctionOfDim(d))
      position.push_back(value(point[d]));
  position.push_back(value(apply(b.getAffineDimExpr(0).floorDiv(kGroup), {point[plan.dotDim]})));
  position.push_back(value(constant(vector * groupLanes())));
  return position;
}

//===------------------------------------------------------------------------------------------------------------===//
// Packing
//===------------------------------------------------------------------------------------------------------------===//

/// Packs the group at `point` from vector `first` on, row by row. Steps beyond `rest` are zeros.
void InterleavedReducer::packGroup(Point &point, const Lanes &lanes, int64_t first, std::optional<OpFoldResult> rest) {
  const bool sideBySide = codegen::classifyAccess(packedMap, plan.laneDim) == LaneAccess::Contiguous;
  std::optional<int64_t> known = rest ? getConstantIntValue(*rest) : std::optional<int64_t>(kGroup);
  auto rowType = VectorType::get({plan.lanes}, b.getI8Type());
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(rowType));
  for (int64_t u = first; u < lanes.vectors; ++u) {
    Values rows;
    for (int64_t j = 0; j < kGroup; ++j) {
      if (known && j >= *known) {
        rows.push_back(zeros);
        continue;
      }
      Point at = point;
      at[plan.laneDim] = add(point[plan.laneDim], u * plan.lanes);
      at[plan.dotDim] = add(point[plan.dotDim], j);
      if (!known)
        at[plan.dotDim] = smaller(at[plan.dotDim], add(sizes[plan.dotDim], -1));
      std::optional<OpFoldResult> last;
      if (lanes.count)
        last = add(sizes[plan.laneDim], -1);
      Value row = moved(
          sideBySide ? loadVector(packed->get(), indices(packedMap, at), plan.lanes, maskFor(lanes, u, plan.lanes))
                     : gather(packed->get(), packedMap, at, plan.lanes, last));
      if (!known && j > 0) {
        Value isStep = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, value(constant(j)), value(*rest));
        row = arith::SelectOp::create(b, loc, isStep, row, zeros);
      }
      rows.push_back(row);
    }
    Value even = vector::InterleaveOp::create(b, loc, rows[0], rows[2]);
    Value odd = vector::InterleaveOp::create(b, loc, rows[1], rows[3]);
    storePart(vector::InterleaveOp::create(b, loc, even, odd), point, u);
  }
}

/// Packs as many groups at `point` as a vector has lanes, of the first `vectors` vectors, all of whose lanes exist: the
/// factor is contiguous along the reduction.
void InterleavedReducer::packTransposed(Point &point, int64_t vectors) {
  for (int64_t u = 0; u < vectors; ++u) {
    Values columns;
    for (int64_t j = 0; j < plan.lanes; ++j) {
      Point at = point;
      at[plan.laneDim] = add(point[plan.laneDim], u * plan.lanes + j);
      columns.push_back(
          asLanes(loadVector(packed->get(), indices(packedMap, at), groupLanes(), Value()), /*toBytes=*/false));
    }
    columns = transposeVectors(b, loc, std::move(columns));
    for (int64_t j = 0; j < plan.lanes; ++j) {
      Point at = point;
      at[plan.dotDim] = add(point[plan.dotDim], kGroup * j);
      storePart(moved(asLanes(columns[j], /*toBytes=*/true)), at, u);
    }
  }
}

void InterleavedReducer::packGroups(Point &point) {
  // Before the loops, where all loops of the block see them.
  if (factors.row.zeroPoint)
    rowZero = evaluate(factors.row.zeroPoint);
  if (factors.lane.zeroPoint)
    laneZero = evaluate(factors.lane.zeroPoint);
  if (mustMove()) {
    const int64_t by = factors.row.isSigned ? 128 : -128;
    Value shift = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(by)));
    laneZero = laneZero ? arith::AddIOp::create(b, loc, laneZero, shift).getResult() : shift;
  }

  OpFoldResult panels = apply(b.getAffineDimExpr(0).ceilDiv(plan.columns), {bound(plan.laneDim)});
  SmallVector<OpFoldResult> shape = {panels};
  for (unsigned d : outerReductions)
    if (packedMap.isFunctionOfDim(d))
      shape.push_back(bound(d));
  shape.push_back(apply(b.getAffineDimExpr(0).ceilDiv(kGroup), {bound(plan.dotDim)}));
  shape.push_back(constant(kGroup * plan.columns));
  groups = allocate(shape, hasByteDots ? b.getI8Type() : b.getIntegerType(16));
  if (needsColumnSums())
    columnSums = allocate({panels, constant(plan.columns)}, b.getI32Type());

  const bool transposed = codegen::classifyAccess(packedMap, plan.dotDim) == LaneAccess::Contiguous;
  SmallVector<unsigned> others;
  for (unsigned d : outerReductions)
    if (packedMap.isFunctionOfDim(d))
      others.push_back(d);
  laneBlocks(point, [&](Lanes lanes) {
    // With repeated columns in place of missing ones, LLVM's instruction selection does not end on the transposition.
    int64_t whole = transposed ? lanes.vectors : 0;
    while (whole > 0 && countFor(lanes, whole - 1, plan.lanes))
      --whole;
    unitLoops(others, point, [&] {
      auto packFrom = [&](OpFoldResult from, int64_t first, int64_t end) {
        strips(plan.dotDim, from, kGroup, point, {}, [&](auto rest, ValueRange) {
          packGroup(point, Lanes{end, lanes.count}, first, rest);
          return Values();
        });
      };
      if (whole > 0) {
        OpFoldResult upper = apply(b.getAffineDimExpr(0).floorDiv(groupLanes()) * groupLanes(), {sizes[plan.dotDim]});
        forLoop(constant(0), upper, groupLanes(), {}, [&](OpFoldResult iv, ValueRange) {
          point[plan.dotDim] = iv;
          packTransposed(point, whole);
          return Values();
        });
        packFrom(upper, 0, whole);
      }
      if (whole < lanes.vectors)
        packFrom(constant(0), whole, lanes.vectors);
    });
    if (needsColumnSums())
      sumColumns(point, lanes);
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Sums for zero points
//===------------------------------------------------------------------------------------------------------------===//

/// Adds up the columns of the panel at `point`.
void InterleavedReducer::sumColumns(Point &point, const Lanes &lanes) {
  auto type = VectorType::get({plan.lanes}, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  const GroupPart ones = partOf(bytes(1), factors.row.isSigned);
  Values sums = groupLoops(point, Values(lanes.vectors, zero), [&](std::optional<OpFoldResult>, ValueRange carried) {
    Values next;
    for (int64_t u = 0; u < lanes.vectors; ++u)
      next.push_back(dot(carried[u], ones, loadPart(point, u)));
    return next;
  });
  OpFoldResult panel = apply(b.getAffineDimExpr(0).floorDiv(plan.columns), {point[plan.laneDim]});
  for (int64_t u = 0; u < lanes.vectors; ++u)
    storeVector(sums[u], columnSums, {value(panel), value(constant(u * plan.lanes))}, Value());
}

/// The sum of the row at `point`.
Value InterleavedReducer::sumOfRow(Point &point) {
  OpOperand &source = root->getOpOperand(factors.row.input);
  AffineMap map = root.getMatchingIndexingMap(&source);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(VectorType::get({plan.lanes}, b.getI32Type())));
  const GroupPart ones = partOf(bytes(1), factors.lane.isSigned);
  Values sums = unitLoops(outerReductions, point, Values{zero}, [&](ValueRange outer) {
    return strips(plan.dotDim, constant(0), groupLanes(), point, outer, [&](auto rest, ValueRange inner) {
      Value some =
          loadVector(source.get(), indices(map, point), groupLanes(), maskFor(Lanes{1, rest}, 0, groupLanes()));
      return Values{dot(inner[0], partOf(some, factors.row.isSigned), ones)};
    });
  });
  return vector::ReductionOp::create(b, loc, vector::CombiningKind::ADD, sums[0]);
}

//===------------------------------------------------------------------------------------------------------------===//
// Rows
//===------------------------------------------------------------------------------------------------------------===//

/// Whether the rows are widened once, before the blocks: at least four panels read them.
bool InterleavedReducer::widensRows() {
  std::optional<int64_t> columns = getConstantIntValue(sizes[plan.laneDim]);
  AffineMap map = root.getMatchingIndexingMap(&root->getOpOperand(factors.row.input));
  return !hasByteDots && plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim) &&
         (!columns || *columns >= 4 * plan.columns);
}

/// The position of the group at `point` in the widened rows.
BlockBuilder::Values InterleavedReducer::widePosition(const Point &point) {
  Values position = {value(point[plan.rowDim])};
  for (unsigned d : outerReductions)
    position.push_back(value(point[d]));
  position.push_back(value(apply(b.getAffineDimExpr(0).floorDiv(kGroup) * 2, {point[plan.dotDim]})));
  return position;
}

/// Widens the row at `point`: two words of 32 bits, a pair of even and a pair of odd steps, for each group.
void InterleavedReducer::widenRow(Point &point) {
  OpOperand &source = root->getOpOperand(factors.row.input);
  AffineMap map = root.getMatchingIndexingMap(&source);
  auto words = VectorType::get({plan.lanes}, b.getI32Type());
  unitLoops(outerReductions, point, [&] {
    strips(plan.dotDim, constant(0), groupLanes(), point, {}, [&](auto rest, ValueRange) {
      Value some =
          loadVector(source.get(), indices(map, point), groupLanes(), maskFor(Lanes{1, rest}, 0, groupLanes()));
      const GroupPart part = partOf(some, factors.row.isSigned);
      Value both = vector::InterleaveOp::create(b, loc, vector::BitCastOp::create(b, loc, words, part.bytesOrEven),
                                                vector::BitCastOp::create(b, loc, words, part.odd));
      storeVector(both, wideRows, widePosition(point), Value());
      return Values();
    });
  });
}

void InterleavedReducer::prepareRows(Point &point) {
  const bool widens = widensRows();
  if (!needsRowSums() && !widens)
    return;
  OpFoldResult numRows = plan.rowDim < 0 ? constant(1) : sizes[plan.rowDim];
  OpFoldResult most = plan.rowDim < 0 ? constant(1) : bound(plan.rowDim);
  if (needsRowSums())
    rowSums = allocate({most}, b.getI32Type());
  if (widens) {
    SmallVector<OpFoldResult> shape = {most};
    for (unsigned d : outerReductions)
      shape.push_back(bound(d));
    // The last vector of a row is stored whole.
    shape.push_back(apply(b.getAffineDimExpr(0).ceilDiv(groupLanes()) * (2 * plan.lanes), {bound(plan.dotDim)}));
    wideRows = allocate(shape, b.getI32Type());
  }
  forLoop(constant(0), numRows, 1, {}, [&](OpFoldResult row, ValueRange) {
    if (plan.rowDim >= 0)
      point[plan.rowDim] = row;
    if (widens)
      widenRow(point);
    if (needsRowSums())
      memref::StoreOp::create(b, loc, sumOfRow(point), rowSums, ValueRange{value(row)});
    return Values();
  });
}

/// The group of the row at `point` in all lanes.
InterleavedReducer::GroupPart InterleavedReducer::rowPart(const Point &point, std::optional<OpFoldResult> rest) {
  auto inAllLanes = [&](Value word) { return toVector(word, plan.lanes); };
  if (wideRows) {
    auto pairs = VectorType::get({2 * plan.lanes}, b.getI16Type());
    Values position = widePosition(point);
    Value even = memref::LoadOp::create(b, loc, wideRows, position);
    position.back() = value(add(OpFoldResult(position.back()), 1));
    Value odd = memref::LoadOp::create(b, loc, wideRows, position);
    return {vector::BitCastOp::create(b, loc, pairs, inAllLanes(even)),
            vector::BitCastOp::create(b, loc, pairs, inAllLanes(odd))};
  }
  OpOperand &source = root->getOpOperand(factors.row.input);
  Value mask = rest ? maskFor(Lanes{1, rest}, 0, kGroup) : Value();
  Value four = loadVector(source.get(), indices(root.getMatchingIndexingMap(&source), point), kGroup, mask);
  four = vector::BitCastOp::create(b, loc, VectorType::get({1}, b.getI32Type()), four);
  Value word = vector::ExtractOp::create(b, loc, four, ArrayRef<int64_t>{0});
  return partOf(asLanes(inAllLanes(word), /*toBytes=*/true), factors.row.isSigned);
}

/// What the sum of row `row` adds to all its results: -zy' * sum x + K * zx * zy'.
Value InterleavedReducer::rowTerm(Point &point, int64_t row) {
  Value at = value(plan.rowDim < 0 ? constant(0) : add(point[plan.rowDim], row));
  Value term = memref::LoadOp::create(b, loc, rowSums, ValueRange{at});
  if (rowZero) {
    Value count = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
    for (unsigned d : reductions)
      count = arith::MulIOp::create(b, loc, count, arith::IndexCastOp::create(b, loc, b.getI32Type(), value(sizes[d])));
    term = arith::SubIOp::create(b, loc, term, arith::MulIOp::create(b, loc, count, rowZero));
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  return arith::SubIOp::create(b, loc, zero, arith::MulIOp::create(b, loc, term, laneZero));
}

//===------------------------------------------------------------------------------------------------------------===//
// The block
//===------------------------------------------------------------------------------------------------------------===//

BlockBuilder::Values InterleavedReducer::interleavedProducts(Point &point, int64_t rows, const Lanes &lanes,
                                                             Values start) {
  const int64_t vectors = lanes.vectors;
  SmallVector<OpFoldResult> rowAt;
  for (int64_t r = 0; r < rows; ++r)
    rowAt.push_back(plan.rowDim < 0 ? constant(0) : add(point[plan.rowDim], r));
  for (Value &v : start)
    v = toVector(v, plan.lanes);

  for (int64_t r = 0; r < rows && needsRowSums(); ++r) {
    Value term = toVector(rowTerm(point, r), plan.lanes);
    for (int64_t u = 0; u < vectors; ++u)
      start[r * vectors + u] = arith::AddIOp::create(b, loc, start[r * vectors + u], term);
  }
  OpFoldResult panel = apply(b.getAffineDimExpr(0).floorDiv(plan.columns), {point[plan.laneDim]});
  for (int64_t u = 0; u < vectors && needsColumnSums(); ++u) {
    Value sums = loadVector(columnSums, {value(panel), value(constant(u * plan.lanes))}, plan.lanes, Value());
    Value term = arith::MulIOp::create(b, loc, sums, toVector(rowZero, plan.lanes));
    for (int64_t r = 0; r < rows; ++r)
      start[r * vectors + u] = arith::SubIOp::create(b, loc, start[r * vectors + u], term);
  }

  OpOperand &source = root->getOpOperand(factors.row.input);
  AffineMap map = root.getMatchingIndexingMap(&source);
  const bool byRow = plan.rowDim >= 0 && map.isFunctionOfDim(plan.rowDim);
  return groupLoops(point, start, [&](std::optional<OpFoldResult> rest, ValueRange sums) {
    SmallVector<GroupPart> ofLanes;
    for (int64_t u = 0; u < vectors; ++u)
      ofLanes.push_back(loadPart(point, u));
    Values next;
    std::optional<GroupPart> ofRow;
    for (int64_t r = 0; r < rows; ++r) {
      if (!ofRow || byRow) {
        Point at = point;
        if (byRow)
          at[plan.rowDim] = rowAt[r];
        ofRow = rowPart(at, rest);
      }
      for (int64_t u = 0; u < vectors; ++u)
        next.push_back(dot(sums[r * vectors + u], *ofRow, ofLanes[u]));
    }
    return next;
  });
}
