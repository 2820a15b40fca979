//===- EvalParallelLoops.cpp - scf.parallel and scf.forall ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loops whose iterations may run in any order; they are run in row-major order. A reduction of scf.parallel combines
// its operands by its region; scf.forall inserts slices into tensors that all iterations share.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/ParallelAccesses.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mica::reference {

namespace {

/// Trip counts of loops from `lower` to below `upper` by `steps`.
FailureOr<SmallVector<int64_t>> tripCounts(Operation *op, ArrayRef<int64_t> lower, ArrayRef<int64_t> upper,
                                           ArrayRef<int64_t> steps) {
  SmallVector<int64_t> counts;
  for (auto [first, end, step] : llvm::zip_equal(lower, upper, steps)) {
    if (step <= 0)
      return op->emitError() << "loop step " << step << " is not positive";
    counts.push_back(end <= first ? 0 : int64_t((uint64_t(end) - uint64_t(first) - 1) / uint64_t(step)) + 1);
  }
  return counts;
}

SmallVector<Tensor> pointOf(ArrayRef<int64_t> lower, ArrayRef<int64_t> steps, ArrayRef<int64_t> at) {
  SmallVector<Tensor> point;
  for (auto [first, step, number] : llvm::zip_equal(lower, steps, at))
    point.push_back(Tensor::index(first + step * number));
  return point;
}

LogicalResult evalParallel(scf::ParallelOp op, Operands in, Results &out, Evaluator &evaluator) {
  size_t loops = op.getNumLoops();
  SmallVector<int64_t> bounds;
  for (const Tensor &bound : in.take_front(3 * loops))
    bounds.push_back(bound.value().i);
  ArrayRef<int64_t> lower = ArrayRef(bounds).take_front(loops), steps = ArrayRef(bounds).drop_front(2 * loops);
  FailureOr<SmallVector<int64_t>> counts = tripCounts(op, lower, ArrayRef(bounds).slice(loops, loops), steps);
  if (failed(counts))
    return failure();
  out.append(in.begin() + 3 * loops, in.end());
  ParallelAccesses accesses(op, evaluator);
  return tryEachPosition(*counts, [&](ArrayRef<int64_t> at) -> LogicalResult {
    SmallVector<Tensor> values;
    Operation *terminator = nullptr;
    accesses.next();
    if (failed(evaluator.runRegion(op.getRegion(), pointOf(lower, steps, at), values, &terminator)) ||
        failed(accesses.check()))
      return failure();
    for (auto [i, region] : llvm::enumerate(cast<scf::ReduceOp>(terminator).getReductions())) {
      SmallVector<Tensor> combined;
      if (failed(evaluator.runRegion(region, {out[i], values[i]}, combined)))
        return failure();
      out[i] = std::move(combined.front());
    }
    return success();
  });
}

/// Inserts `source` into the slice of `whole` given by `insert`. `written`: the op that inserted each element before,
/// in the search for undefined behavior.
LogicalResult insertSlice(tensor::ParallelInsertSliceOp insert, Tensor &whole, std::vector<Operation *> &written,
                          Evaluator &evaluator) {
  auto numbers = [&](ArrayRef<OpFoldResult> mixed) {
    return llvm::map_to_vector(mixed, [&](OpFoldResult number) {
      if (std::optional<int64_t> constant = getConstantIntValue(number))
        return *constant;
      return evaluator.lookup(cast<Value>(number)).value().i;
    });
  };
  SmallVector<int64_t> offsets = numbers(insert.getMixedOffsets()), sizes = numbers(insert.getMixedSizes());
  SmallVector<int64_t> strides = numbers(insert.getMixedStrides()), wholeStrides = whole.strides();
  const Tensor source = evaluator.lookup(insert.getSource()).materialized();
  if (sizeOf(sizes) != source.size())
    return insert.emitError() << "shape mismatch: " << source.typeString() << " inserted into a slice of shape "
                              << shapeString(sizes);
  for (auto [d, extent] : llvm::enumerate(whole.shape())) {
    int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
    if (sizes[d] > 0 && (offsets[d] < 0 || offsets[d] >= extent || last < 0 || last >= extent))
      return insert.emitError() << "slice [offset " << offsets[d] << ", size " << sizes[d] << ", stride " << strides[d]
                                << "] is out of range for dimension " << d << " of extent " << extent;
  }
  auto insertInto = [&](Tensor &target, const Tensor &elements) {
    Cell *cells = target.mutableData();
    const Cell *cell = elements.data();
    forEachPosition(sizes, [&](ArrayRef<int64_t> at) {
      int64_t linear = 0;
      for (auto [d, position] : llvm::enumerate(at))
        linear += (offsets[d] + position * strides[d]) * wholeStrides[d];
      cells[linear] = *cell++;
    });
  };
  if (evaluator.undefined()) {
    written.resize(size_t(whole.size()));
    std::optional<int64_t> twice;
    forEachPosition(sizes, [&](ArrayRef<int64_t> at) {
      int64_t linear = 0;
      for (auto [d, position] : llvm::enumerate(at))
        linear += (offsets[d] + position * strides[d]) * wholeStrides[d];
      if (written[size_t(linear)] && !twice)
        twice = linear;
      if (!twice)
        written[size_t(linear)] = insert;
    });
    if (twice)
      return emitBroken(insert, "element " + Twine(*twice) + " of " + whole.typeString() + " is inserted twice",
                        written[size_t(*twice)], "the element is inserted here", evaluator);
  }
  Tensor bounds = source.bound || whole.bound ? whole.boundTwin() : Tensor();
  if (source.bound || whole.bound) {
    insertInto(bounds, source.boundTwin());
    whole.setBound(std::move(bounds));
  }
  insertInto(whole, source);
  return success();
}

LogicalResult evalForall(scf::ForallOp op, Operands in, Results &out, Evaluator &evaluator) {
  ArrayRef<Tensor> dynamic = in;
  SmallVector<int64_t> lower = fillDynamic(op.getStaticLowerBound(), dynamic);
  SmallVector<int64_t> upper = fillDynamic(op.getStaticUpperBound(), dynamic);
  SmallVector<int64_t> steps = fillDynamic(op.getStaticStep(), dynamic);
  FailureOr<SmallVector<int64_t>> counts = tripCounts(op, lower, upper, steps);
  if (failed(counts))
    return failure();
  SmallVector<Tensor> initial(dynamic), shared = initial;
  ParallelAccesses accesses(op, evaluator);
  // The op that inserted each element of each shared tensor, in the search for undefined behavior.
  SmallVector<std::vector<Operation *>> written(shared.size());
  LogicalResult status = tryEachPosition(*counts, [&](ArrayRef<int64_t> at) -> LogicalResult {
    accesses.next();
    SmallVector<Tensor> args = pointOf(lower, steps, at), none;
    args.append(shared);
    Operation *terminator = nullptr;
    if (failed(evaluator.runRegion(op.getRegion(), std::move(args), none, &terminator)) || failed(accesses.check()))
      return failure();
    for (Operation &yielding : cast<scf::InParallelOp>(terminator).getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
      if (!insert)
        return yielding.emitError() << "the reference evaluator does not know this op in scf.forall.in_parallel";
      auto destination = cast<BlockArgument>(insert.getDest());
      const size_t number = destination.getArgNumber() - lower.size();
      if (failed(insertSlice(insert, shared[number], written[number], evaluator)))
        return failure();
    }
    return success();
  });
  out.append(std::make_move_iterator(shared.begin()), std::make_move_iterator(shared.end()));
  return status;
}

} // namespace

void addParallelLoopOps(OpTable &table) {
  table.add<scf::ParallelOp>(evalParallel);
  table.addTerminator<scf::ReduceOp>();
  table.addTerminator<scf::ReduceReturnOp>();
  table.add<scf::ForallOp>(evalForall);
  table.addTerminator<scf::InParallelOp>();
  table.addTerminator<tensor::ParallelInsertSliceOp>();
}

} // namespace mica::reference
