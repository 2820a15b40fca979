//===- EpilogueEmitter.cpp - initial values and epilogues of contractions -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loads and stores of contiguous results, and the elementwise ops before and after a contraction; see
// EpilogueEmitter.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/EpilogueEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mica::device;

Value EpilogueEmitter::add(Value a, Value b) { return rewriter.createOrFold<arith::AddIOp>(loc, a, b); }

Value EpilogueEmitter::add(Value a, int64_t b) {
  return b == 0 ? a : add(a, arith::ConstantIndexOp::create(rewriter, loc, b).getResult());
}

/// `map`: from loops of the contraction.
EpilogueEmitter::Place EpilogueEmitter::placeOf(Value buffer, AffineMap map) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return {buffer, {}};
  Access access = accessOf(product, type, map);
  return {access.view(rewriter, loc, buffer), access};
}

/// The places of the operands of `op`, which is elementwise on the results.
SmallVector<EpilogueEmitter::Place> EpilogueEmitter::placesOf(linalg::GenericOp op) {
  if (!op)
    return {};
  OpOperand &init = *product.op.getDpsInitOperand(0);
  AffineMap resultMap = product.op.getMatchingIndexingMap(&init);
  // Its loops are the dimensions of the results, possibly permuted.
  SmallVector<AffineExpr> loops(op.getNumLoops(), rewriter.getAffineConstantExpr(0));
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != init.get())
      continue;
    for (auto [loop, expr] : llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(), resultMap.getResults()))
      loops[cast<AffineDimExpr>(loop).getPosition()] = expr;
    break;
  }
  AffineMap toLoops = AffineMap::get(product.sizes.size(), 0, loops, rewriter.getContext());
  SmallVector<Place> places;
  for (OpOperand &operand : op->getOpOperands()) {
    const bool isRead = !op.getMatchingBlockArgument(&operand).use_empty();
    if (operand.get() != init.get() && (isRead || op.isDpsInit(&operand)))
      places.push_back(placeOf(operand.get(), op.getMatchingIndexingMap(&operand).compose(toLoops)));
    else
      places.push_back({});
  }
  return places;
}

void EpilogueEmitter::place(const LoopPositions &ofBlock) {
  corner = ofBlock;
  OpOperand &init = *product.op.getDpsInitOperand(0);
  if (!group.epilogue || !group.fill)
    result = placeOf(init.get(), product.op.getMatchingIndexingMap(&init));
  if (!group.start)
    ofFill = placesOf(group.fill);
  ofEpilogue = placesOf(group.epilogue);
}

/// Computes `op`, elementwise on the results, for contiguous results from `at` on, per init. `results`: their values.
SmallVector<SmallVector<Value>> EpilogueEmitter::compute(linalg::GenericOp op, ArrayRef<Place> places,
                                                         const LoopPositions &at, int64_t count,
                                                         ArrayRef<Value> results) {
  SmallVector<SmallVector<Value>> operands;
  for (auto [operand, place] : llvm::zip_equal(op->getOpOperands(), places)) {
    if (op.getMatchingBlockArgument(&operand).use_empty())
      operands.emplace_back(count, Value(op.getMatchingBlockArgument(&operand)));
    else if (operand.get() == product.op.getDpsInits()[0])
      operands.emplace_back(results);
    else
      operands.push_back(loadRun(place, at, count));
  }
  SmallVector<SmallVector<Value>> made(op.getNumDpsInits());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping mapping;
    for (auto [argument, run] : llvm::zip_equal(op.getBody()->getArguments(), operands))
      mapping.map(argument, run[i]);
    for (Operation &inner : op.getBody()->without_terminator())
      rewriter.clone(inner, mapping);
    for (auto [into, value] : llvm::zip_equal(made, op.getBody()->getTerminator()->getOperands()))
      into.push_back(mapping.lookupOrDefault(value));
  }
  return made;
}

bool EpilogueEmitter::movesAlongN(const Access &access) {
  return access.map.isFunctionOfDim(access.innermost(product, Axis::N));
}

/// Whether `count` contiguous results along n are aligned accesses.
bool EpilogueEmitter::liesSideBySide(const Access &access, int64_t count) {
  if (count == 1 || !access.type.getElementType().isIntOrFloat() || !movesAlongN(access))
    return false;
  const unsigned bits = access.type.getElementType().getIntOrFloatBitWidth();
  return bits >= 16 && bits <= 64 && count * bits <= 128 && access.liesSideBySide(product, Axis::N, count);
}

SmallVector<Value> EpilogueEmitter::loadRun(const Place &from, const LoopPositions &at, int64_t count) {
  if (!isa<MemRefType>(from.buffer.getType()))
    return SmallVector<Value>(count, from.buffer);
  AffineMap map = from.access.map;
  if (!movesAlongN(from.access))
    return SmallVector<Value>(count, memref::LoadOp::create(rewriter, loc, from.buffer, at.indices(map)));
  SmallVector<Value> values;
  if (liesSideBySide(from.access, count)) {
    Type element = from.access.type.getElementType();
    Value run =
        vector::LoadOp::create(rewriter, loc, VectorType::get({count}, element), from.buffer, at.indices(map),
                               /*nontemporal=*/false, llvm::MaybeAlign(count * element.getIntOrFloatBitWidth() / 8));
    for (int64_t i = 0; i < count; ++i)
      values.push_back(vector::ExtractOp::create(rewriter, loc, run, i));
    return values;
  }
  for (int64_t i = 0; i < count; ++i) {
    LoopPositions place = at;
    place.advance(Axis::N, i);
    values.push_back(memref::LoadOp::create(rewriter, loc, from.buffer, place.indices(map)));
  }
  return values;
}

void EpilogueEmitter::storeRun(const Place &to, const LoopPositions &at, ArrayRef<Value> values) {
  const int64_t count = values.size();
  AffineMap map = to.access.map;
  if (liesSideBySide(to.access, count)) {
    Type element = to.access.type.getElementType();
    Value run = vector::FromElementsOp::create(rewriter, loc, VectorType::get({count}, element), values);
    vector::StoreOp::create(rewriter, loc, run, to.buffer, at.indices(map), /*nontemporal=*/false,
                            llvm::MaybeAlign(count * element.getIntOrFloatBitWidth() / 8));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    LoopPositions place = at;
    place.advance(Axis::N, i);
    memref::StoreOp::create(rewriter, loc, values[i], to.buffer, place.indices(map));
  }
}

/// The initial values of contiguous accumulators.
SmallVector<Value> EpilogueEmitter::start(Value m, Value n, int64_t count) {
  if (group.start)
    return SmallVector<Value>(count, group.start);
  // Computed or loaded where in bounds.
  const int64_t size = product.sizes[product.n.back()],
                together = !ShapedType::isDynamic(size) && size % count == 0 ? count : 1;
  SmallVector<Value> values;
  LoopPositions place = *corner;
  place.set(Axis::M, add(corner->along(Axis::M), m));
  auto load = [&] {
    return group.fill ? compute(group.fill, ofFill, place, together, {})[0] : loadRun(result, place, together);
  };
  for (int64_t i = 0; i < count; i += together) {
    place.set(Axis::N, add(add(corner->along(Axis::N), n), i));
    Value inside = place.isInside(Axis::M, plan.m, place.along(Axis::M)),
          inN = place.isInside(Axis::N, plan.n, place.along(Axis::N), together);
    if (inside && inN)
      inside = arith::AndIOp::create(rewriter, loc, inside, inN);
    else if (inN)
      inside = inN;
    if (!inside) {
      values.append(load());
      continue;
    }
    SmallVector<Type> types(together, product.sumType());
    auto branch = scf::IfOp::create(rewriter, loc, types, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, load());
    rewriter.setInsertionPointToStart(branch.elseBlock());
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(product.sumType()));
    scf::YieldOp::create(rewriter, loc, SmallVector<Value>(together, zero));
    values.append(branch.getResults().begin(), branch.getResults().end());
  }
  return values;
}

/// Stores contiguous results that are in bounds, from `at` on.
void EpilogueEmitter::giveInside(const LoopPositions &at, ArrayRef<Value> values) {
  linalg::GenericOp op = group.epilogue;
  if (!op) {
    storeRun(result, at, values);
    return;
  }
  for (auto [i, run] : llvm::enumerate(compute(op, ofEpilogue, at, values.size(), values)))
    storeRun(ofEpilogue[op.getNumDpsInputs() + i], at, run);
}

/// Stores those results that are in bounds.
void EpilogueEmitter::give(Value m, Value n, ArrayRef<Value> values) {
  OpBuilder::InsertionGuard guard(rewriter);
  const int64_t count = values.size(), size = product.sizes[product.n.back()];
  LoopPositions at = *corner;
  at.set(Axis::M, add(corner->along(Axis::M), m));
  Value atN = add(corner->along(Axis::N), n);
  auto where = [&](Value inside) {
    if (!inside)
      return;
    auto branch = scf::IfOp::create(rewriter, loc, inside, /*withElseRegion=*/false);
    rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
  };
  where(at.isInside(Axis::M, plan.m, at.along(Axis::M)));
  if (!ShapedType::isDynamic(size) && size % count == 0) {
    at.set(Axis::N, atN);
    where(at.isInside(Axis::N, plan.n, atN, count));
    giveInside(at, values);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    OpBuilder::InsertionGuard inner(rewriter);
    at.set(Axis::N, add(atN, i));
    where(at.isInside(Axis::N, plan.n, at.along(Axis::N)));
    giveInside(at, values[i]);
  }
}
