//===- ExpandVectors.cpp - expanding vector ops that convert-vector-to-llvm does not convert ---------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Uses upstream's patterns for reductions of several dimensions, scans, and masks. LLVM packs vectors of i1 and i4,
// whose elements are bytes in buffers, so such a vector is read and written element by element.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/UnrolledVectors.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDVECTORS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
/// An access of a vector of rank 0 or 1 along the last dimension of a buffer.
struct VectorAccess {
  Value buffer;
  ValueRange indices;
  VectorType vector;
  Value stored; ///< null: a load
  Value mask;   ///< null: all elements
  Value rest;   ///< pass-through value of masked loads; may be a scalar, or null
  bool mayLeave = false;
};
} // namespace

static std::optional<VectorAccess> accessOf(Operation *op) {
  VectorAccess access;
  if (auto load = dyn_cast<vector::LoadOp>(op))
    access = {load.getBase(), load.getIndices(), load.getVectorType(), {}, {}, {}};
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    access = {store.getBase(), store.getIndices(), store.getVectorType(), store.getValueToStore(), {}, {}};
  else if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    access = {load.getBase(), load.getIndices(), load.getVectorType(), {}, load.getMask(), load.getPassThru()};
  else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    access = {store.getBase(), store.getIndices(), store.getVectorType(), store.getValueToStore(), store.getMask(), {}};
  else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    auto read = dyn_cast<vector::TransferReadOp>(op);
    if (!transfer.getPermutationMap().isMinorIdentity() || op->getNumResults() != (read ? 1u : 0u))
      return std::nullopt;
    access = {transfer.getBase(),          transfer.getIndices(),
              transfer.getVectorType(),    read ? Value() : op->getOperand(0),
              transfer.getMask(),          read ? read.getPadding() : Value(),
              transfer.hasOutOfBoundsDim()};
  } else {
    return std::nullopt;
  }
  auto type = dyn_cast<MemRefType>(access.buffer.getType());
  const bool isNarrow = type && (type.getElementType().isInteger(1) || type.getElementType().isInteger(4));
  // Those that convert-vector-to-scf leaves, although the lanes are not adjacent: of rank 0, or what a broadcast reads.
  const bool isApart = type && type.getRank() > 0 && !type.isLastDimUnitStride();
  return (isNarrow || isApart) && access.vector.getRank() <= 1 ? std::optional(access) : std::nullopt;
}

/// Reads or writes element by element, under the mask and within the buffer.
static void accessElements(Operation *op, const VectorAccess &access) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  const bool isScalar = access.vector.getRank() == 0;
  auto elementOf = [&](Value value, int64_t lane) -> Value {
    if (!isa<VectorType>(value.getType()))
      return value;
    return vector::ExtractOp::create(b, loc, value, isScalar ? ArrayRef<int64_t>() : ArrayRef(lane));
  };
  Value result;
  if (!access.stored)
    result = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(access.vector)));
  for (int64_t lane = 0, count = access.vector.getNumElements(); lane < count; ++lane) {
    SmallVector<Value> indices(access.indices);
    if (!isScalar)
      indices.back() = arith::AddIOp::create(b, loc, indices.back(), arith::ConstantIndexOp::create(b, loc, lane));
    Value isTaken = access.mask ? elementOf(access.mask, lane) : Value();
    if (access.mayLeave) {
      Value size = memref::DimOp::create(b, loc, access.buffer, indices.size() - 1);
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, indices.back(), size);
      isTaken = isTaken ? arith::AndIOp::create(b, loc, isTaken, inside).getResult() : inside;
    }
    auto load = [&](OpBuilder &at) -> Value { return memref::LoadOp::create(at, loc, access.buffer, indices); };
    if (access.stored) {
      Value element = elementOf(access.stored, lane);
      auto store = [&](OpBuilder &at) { memref::StoreOp::create(at, loc, element, access.buffer, indices); };
      if (!isTaken) {
        store(b);
        continue;
      }
      scf::IfOp::create(b, loc, isTaken, [&](OpBuilder &inner, Location) {
        store(inner);
        scf::YieldOp::create(inner, loc);
      });
      continue;
    }
    Value element;
    if (isTaken) {
      Value rest = elementOf(access.rest, lane);
      element = scf::IfOp::create(
                    b, loc, isTaken, [&](OpBuilder &inner, Location) { scf::YieldOp::create(inner, loc, load(inner)); },
                    [&](OpBuilder &inner, Location) { scf::YieldOp::create(inner, loc, rest); })
                    .getResult(0);
    } else {
      element = load(b);
    }
    result = vector::InsertOp::create(b, loc, element, result, isScalar ? ArrayRef<int64_t>() : ArrayRef(lane));
  }
  if (result)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

namespace {
struct ExpandVectors : mica::impl::ExpandVectorsBase<ExpandVectors> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<vector::VectorDialect>(op->getDialect()))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    if (failed(mica::checkUnrolledVectors(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    vector::populateVectorMultiReductionLoweringPatterns(patterns,
                                                         vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorScanLoweringPatterns(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    (void)applyOpPatternsGreedily(
        ops, std::move(patterns),
        GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingAndNewOps).enableFolding(false));
    SmallVector<Operation *> accesses;
    getOperation()->walk([&](Operation *op) {
      if (accessOf(op))
        accesses.push_back(op);
    });
    // The stored value may be the result of a load that was replaced already.
    for (Operation *op : accesses)
      accessElements(op, *accessOf(op));
  }
};
} // namespace
