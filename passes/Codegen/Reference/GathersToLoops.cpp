//===- GathersToLoops.cpp - lowering tensor.gather and tensor.scatter ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See GathersToLoops.h. Both ops map a position in a "small" tensor (the result of a gather, the source of a scatter)
// to one in a "large" tensor: the first dimensions of the small one select a vector of coordinates.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/GathersToLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static int64_t rankOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getRank(); }

/// The position in a tensor of `rank` dimensions for position `small`; `dims` are given by the indices, and may be
/// absent in `small`.
static SmallVector<Value> largePosition(OpBuilder &b, Location loc, Value indices, ArrayRef<int64_t> dims, int64_t rank,
                                        ValueRange small) {
  const size_t batch = rankOf(indices) - 1;
  const bool hasAll = small.size() == batch + rank;
  SmallVector<Value> large;
  size_t next = batch;
  for (int64_t d = 0; d < rank; ++d) {
    const auto *found = llvm::find(dims, d);
    if (found == dims.end()) {
      large.push_back(small[next++]);
      continue;
    }
    if (hasAll)
      ++next;
    SmallVector<Value> tuple(small.take_front(batch));
    tuple.push_back(arith::ConstantIndexOp::create(b, loc, found - dims.begin()));
    Value index = tensor::ExtractOp::create(b, loc, indices, tuple);
    large.push_back(
        index.getType().isIndex() ? index : arith::IndexCastOp::create(b, loc, b.getIndexType(), index).getResult());
  }
  return large;
}

static void convert(tensor::GatherOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  const int64_t batch = rankOf(op.getIndices()) - 1, rank = rankOf(op.getSource());
  const bool hasAll = type.getRank() == batch + rank;
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < batch; ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(tensor::DimOp::create(b, loc, op.getIndices(), d));
  int64_t next = batch;
  for (int64_t d = 0; d < rank; ++d) {
    if (!hasAll && llvm::is_contained(op.getGatherDims(), d))
      continue;
    if (type.isDynamicDim(next++))
      sizes.push_back(tensor::DimOp::create(b, loc, op.getSource(), d));
  }
  auto made = tensor::GenerateOp::create(b, loc, type, sizes, [&](OpBuilder &inner, Location, ValueRange at) {
    SmallVector<Value> from = largePosition(inner, loc, op.getIndices(), op.getGatherDims(), rank, at);
    tensor::YieldOp::create(inner, loc, tensor::ExtractOp::create(inner, loc, op.getSource(), from));
  });
  op.replaceAllUsesWith(made.getResult());
  op.erase();
}

static void convert(tensor::ScatterOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), one = arith::ConstantIndexOp::create(b, loc, 1);
  const int64_t rank = rankOf(op.getSource());
  SmallVector<Value> ends;
  for (int64_t d = 0; d < rank; ++d)
    ends.push_back(tensor::DimOp::create(b, loc, op.getSource(), d));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, SmallVector<Value>(rank, zero), ends, SmallVector<Value>(rank, one), ValueRange{op.getDest()},
      [&](OpBuilder &inner, Location, ValueRange at, ValueRange carried) -> scf::ValueVector {
        SmallVector<Value> to =
            largePosition(inner, loc, op.getIndices(), op.getScatterDims(), rankOf(op.getDest()), at);
        Value element = tensor::ExtractOp::create(inner, loc, op.getSource(), at);
        return {tensor::InsertOp::create(inner, loc, element, carried.front(), to)};
      });
  op.replaceAllUsesWith(nest.results.front());
  op.erase();
}

void mica::plain::convertGathers(Operation *function) {
  SmallVector<tensor::GatherOp> gathers;
  SmallVector<tensor::ScatterOp> scatters;
  function->walk([&](tensor::GatherOp op) { gathers.push_back(op); });
  function->walk([&](tensor::ScatterOp op) { scatters.push_back(op); });
  for (tensor::GatherOp op : gathers)
    convert(op);
  for (tensor::ScatterOp op : scatters)
    convert(op);
}
