//===- EvalVectorMemory.cpp - vector ops on memory --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loads, stores, transfers, gathers and scatters. Every element is bounds-checked; a transfer pads or drops elements
// out of bounds, unless it promises that there are none.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/ParallelAccesses.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

SmallVector<int64_t> numbersOf(ArrayRef<Tensor> scalars) {
  return llvm::map_to_vector(scalars, [](const Tensor &scalar) { return scalar.value().i; });
}

/// The cells of a tensor or a buffer, and the offset of a position in them.
class Memory {
public:
  explicit Memory(Tensor &base) : base(base), strides(base.isBuffer() ? base.view().strides : base.strides()) {}

  ArrayRef<int64_t> shape() const { return base.shape(); }
  bool contains(ArrayRef<int64_t> position) const {
    return llvm::all_of(llvm::zip_equal(position, base.shape()),
                        [](auto pair) { return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair); });
  }
  LogicalResult check(Operation *op, ArrayRef<int64_t> position) const {
    if (contains(position))
      return success();
    return op->emitError() << "position (" << pointString(position) << ") is out of range for " << base.typeString();
  }
  Cell read(ArrayRef<int64_t> position) const {
    if (!base.isBuffer())
      return base.at(position);
    const int64_t at = base.bufferPosition(position);
    if (ParallelAccesses::isAnyNoted())
      noteAccess(*base.view().memory, at, AccessKind::Read);
    return base.cellAt(at);
  }
  void write(ArrayRef<int64_t> position, Cell value) {
    if (!base.isBuffer()) {
      base.mutableData()[linearize(position, strides)] = value;
      return;
    }
    const int64_t at = base.bufferPosition(position);
    if (ParallelAccesses::isAnyNoted())
      noteAccess(*base.view().memory, at, AccessKind::Write, base.cellAt(at).i != value.i);
    base.setCellAt(at, value);
  }

private:
  Tensor &base;
  SmallVector<int64_t, 4> strides;
};

/// `indices` plus `at`, which applies to the last dimensions.
SmallVector<int64_t> shifted(ArrayRef<int64_t> indices, ArrayRef<int64_t> at) {
  SmallVector<int64_t> position(indices);
  for (auto [d, offset] : llvm::enumerate(at))
    position[position.size() - at.size() + d] += offset;
  return position;
}

/// Calls `visit` with the number of each element of a vector of `shape` that `mask` includes, and its position.
LogicalResult eachUnmasked(ArrayRef<int64_t> shape, const Tensor *mask,
                           function_ref<LogicalResult(int64_t, ArrayRef<int64_t>)> visit) {
  int64_t number = 0;
  return tryEachPosition(shape, [&](ArrayRef<int64_t> at) -> LogicalResult {
    int64_t i = number++;
    return mask && !mask->intAt(i) ? success() : visit(i, at);
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Loads and stores
//===------------------------------------------------------------------------------------------------------------===//

/// MLIR's verifiers allow vectors with more dimensions than their buffer.
LogicalResult requireRank(Operation *op, const Tensor &vector, ArrayRef<int64_t> indices) {
  if (vector.rank() <= static_cast<int64_t>(indices.size()))
    return success();
  return op->emitError() << "a vector of rank " << vector.rank() << " has more dimensions than its buffer of rank "
                         << indices.size();
}

LogicalResult readInto(Operation *op, Tensor base, ArrayRef<int64_t> indices, const Tensor *mask, Tensor &vector) {
  if (failed(requireRank(op, vector, indices)))
    return failure();
  Memory memory(base);
  Cell *cells = vector.mutableData();
  return eachUnmasked(vector.shape(), mask, [&](int64_t i, ArrayRef<int64_t> at) -> LogicalResult {
    SmallVector<int64_t> position = shifted(indices, at);
    if (failed(memory.check(op, position)))
      return failure();
    cells[i] = memory.read(position);
    return success();
  });
}

LogicalResult writeFrom(Operation *op, const Tensor &vector, Tensor base, ArrayRef<int64_t> indices,
                        const Tensor *mask) {
  if (failed(requireRank(op, vector, indices)))
    return failure();
  Memory memory(base);
  return eachUnmasked(vector.shape(), mask, [&](int64_t i, ArrayRef<int64_t> at) -> LogicalResult {
    SmallVector<int64_t> position = shifted(indices, at);
    if (failed(memory.check(op, position)))
      return failure();
    memory.write(position, vector.data()[i]);
    return success();
  });
}

/// Checks an access that may promise an alignment.
template <typename OpT>
LogicalResult checkStart(OpT op, const Tensor &base, ArrayRef<int64_t> indices, Evaluator &evaluator) {
  return base.isBuffer()
             ? checkAlignment(op, base, base.bufferPosition(indices), op.getAlignment().value_or(1), evaluator)
             : success();
}

FailureOr<Tensor> evalLoad(vector::LoadOp op, Operands in, Evaluator &evaluator) {
  if (failed(checkStart(op, in[0], numbersOf(in.drop_front()), evaluator)))
    return failure();
  return loadVector(op, in[0], numbersOf(in.drop_front()), op.getVectorType().getShape());
}

LogicalResult evalStore(vector::StoreOp op, Operands in, Results &, Evaluator &evaluator) {
  if (failed(checkStart(op, in[1], numbersOf(in.drop_front(2)), evaluator)))
    return failure();
  return storeVector(op, in[0], in[1], numbersOf(in.drop_front(2)));
}

FailureOr<Tensor> evalMaskedLoad(vector::MaskedLoadOp op, Operands in, Evaluator &) {
  Tensor result = in.back();
  SmallVector<int64_t> indices = numbersOf(in.drop_front().drop_back(2));
  if (failed(readInto(op, in[0], indices, &in[in.size() - 2], result)))
    return failure();
  return result;
}

LogicalResult evalMaskedStore(vector::MaskedStoreOp op, Operands in, Results &, Evaluator &) {
  return writeFrom(op, in.back(), in[0], numbersOf(in.drop_front().drop_back(2)), &in[in.size() - 2]);
}

/// Consecutive elements of memory are assigned to the included elements, in order.
FailureOr<Tensor> evalExpandLoad(vector::ExpandLoadOp op, Operands in, Evaluator &) {
  Tensor result = in.back();
  Memory memory(in[0]);
  SmallVector<int64_t> position = numbersOf(in.drop_front().drop_back(2));
  Cell *cells = result.mutableData();
  LogicalResult status =
      eachUnmasked(result.shape(), &in[in.size() - 2], [&](int64_t i, ArrayRef<int64_t>) -> LogicalResult {
        if (failed(memory.check(op, position)))
          return failure();
        cells[i] = memory.read(position);
        ++position.back();
        return success();
      });
  return failed(status) ? FailureOr<Tensor>(failure()) : result;
}

LogicalResult evalCompressStore(vector::CompressStoreOp op, Operands in, Results &, Evaluator &) {
  Memory memory(in[0]);
  SmallVector<int64_t> position = numbersOf(in.drop_front().drop_back(2));
  return eachUnmasked(in.back().shape(), &in[in.size() - 2], [&](int64_t i, ArrayRef<int64_t>) -> LogicalResult {
    if (failed(memory.check(op, position)))
      return failure();
    memory.write(position, in.back().data()[i]);
    ++position.back();
    return success();
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Transfers
//===------------------------------------------------------------------------------------------------------------===//

/// The position in memory of element `at` of a transfer's vector; along a broadcast dimension it is constant.
SmallVector<int64_t> transferPosition(AffineMap map, ArrayRef<int64_t> indices, ArrayRef<int64_t> at) {
  SmallVector<int64_t> position(indices);
  for (auto [d, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      position[dim.getPosition()] += at[d];
  return position;
}

/// The element of a transfer's mask for `at`. A mask has the non-broadcast dimensions, in the memory's order.
bool isMasked(const Tensor &mask, AffineMap map, ArrayRef<int64_t> at) {
  SmallVector<std::pair<unsigned, int64_t>> moved;
  for (auto [d, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      moved.push_back({dim.getPosition(), at[d]});
  llvm::sort(moved);
  SmallVector<int64_t> position;
  for (auto [dim, offset] : moved)
    position.push_back(offset);
  return mask.rank() == static_cast<int64_t>(position.size()) && !mask.at(position).i;
}

/// Visits the included elements of a transfer: number, position in memory, whether it is in bounds. An element that is
/// out of bounds along a dimension promised to be in bounds is an error.
LogicalResult eachTransferred(VectorTransferOpInterface op, ArrayRef<int64_t> shape, const Memory &memory,
                              ArrayRef<int64_t> indices, const std::optional<Tensor> &mask,
                              function_ref<void(int64_t, ArrayRef<int64_t>, bool)> visit) {
  AffineMap map = op.getPermutationMap();
  int64_t number = 0;
  return tryEachPosition(shape, [&](ArrayRef<int64_t> at) -> LogicalResult {
    int64_t i = number++;
    if (mask && isMasked(*mask, map, at))
      return success();
    SmallVector<int64_t> position = transferPosition(map, indices, at);
    bool inside = memory.contains(position);
    if (!inside)
      for (auto [d, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        bool isOutside = dim && (position[dim.getPosition()] < 0 ||
                                 position[dim.getPosition()] >= memory.shape()[dim.getPosition()]);
        if (isOutside && op.isDimInBounds(d))
          return memory.check(op, position);
      }
    visit(i, position, inside);
    return success();
  });
}

std::optional<Tensor> takeMask(Evaluator &evaluator, Value own, const Tensor &last) {
  std::optional<Tensor> mask = std::exchange(evaluator.mask, std::nullopt);
  return own ? std::optional<Tensor>(last) : mask;
}

FailureOr<Tensor> evalTransferRead(vector::TransferReadOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> mask = takeMask(evaluator, op.getMask(), in.back());
  size_t rank = in[0].rank();
  Tensor result(in[0].elementType(), op.getVectorType().getShape());
  std::fill_n(result.mutableData(), result.size(), in[1 + rank].value());
  Memory memory(in[0]);
  Cell *cells = result.mutableData();
  LogicalResult status =
      eachTransferred(cast<VectorTransferOpInterface>(*op), result.shape(), memory, numbersOf(in.slice(1, rank)), mask,
                      [&](int64_t i, ArrayRef<int64_t> position, bool inside) {
                        if (inside)
                          cells[i] = memory.read(position);
                      });
  return failed(status) ? FailureOr<Tensor>(failure()) : result;
}

LogicalResult evalTransferWrite(vector::TransferWriteOp op, Operands in, Results &out, Evaluator &evaluator) {
  std::optional<Tensor> mask = takeMask(evaluator, op.getMask(), in.back());
  Memory memory(in[1]);
  LogicalResult status =
      eachTransferred(cast<VectorTransferOpInterface>(*op), in[0].shape(), memory, numbersOf(in.slice(2, in[1].rank())),
                      mask, [&](int64_t i, ArrayRef<int64_t> position, bool inside) {
                        if (inside)
                          memory.write(position, in[0].data()[i]);
                      });
  if (op.getResult())
    out.push_back(in[1]);
  return status;
}

//===------------------------------------------------------------------------------------------------------------===//
// Gathers and scatters
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalGather(vector::GatherOp op, Operands in, Evaluator &evaluator) {
  std::optional<Tensor> outer = std::exchange(evaluator.mask, std::nullopt);
  size_t rank = in[0].rank();
  SmallVector<int64_t> offsets = numbersOf(in.slice(1, rank));
  const Tensor &indices = in[1 + rank], &mask = in[2 + rank];
  Tensor result = in[3 + rank];
  Memory memory(in[0]);
  Cell *cells = result.mutableData();
  LogicalResult status = eachUnmasked(result.shape(), &mask, [&](int64_t i, ArrayRef<int64_t>) -> LogicalResult {
    if (outer && !outer->intAt(i))
      return success();
    SmallVector<int64_t> position = shifted(offsets, {indices.intAt(i)});
    if (failed(memory.check(op, position)))
      return failure();
    cells[i] = memory.read(position);
    return success();
  });
  return failed(status) ? FailureOr<Tensor>(failure()) : result;
}

LogicalResult evalScatter(vector::ScatterOp op, Operands in, Results &out, Evaluator &evaluator) {
  size_t rank = in[0].rank();
  SmallVector<int64_t> offsets = numbersOf(in.slice(1, rank));
  const Tensor &indices = in[1 + rank], &mask = in[2 + rank], &values = in[3 + rank];
  Memory memory(in[0]);
  llvm::DenseMap<int64_t, int64_t> lanes; // by index, in the search for undefined behavior
  LogicalResult status = eachUnmasked(values.shape(), &mask, [&](int64_t i, ArrayRef<int64_t>) -> LogicalResult {
    SmallVector<int64_t> position = shifted(offsets, {indices.intAt(i)});
    if (evaluator.undefined())
      if (auto [it, isNew] = lanes.try_emplace(indices.intAt(i), i); !isNew)
        return op.emitError() << "lanes " << it->second << " and " << i << " have the same index " << it->first;
    if (failed(memory.check(op, position)))
      return failure();
    memory.write(position, values.data()[i]);
    return success();
  });
  if (op->getNumResults())
    out.push_back(in[0]);
  return status;
}

/// A buffer as one vector: the same memory.
FailureOr<Tensor> evalTypeCast(vector::TypeCastOp, Operands in, Evaluator &) { return in[0]; }

} // namespace

FailureOr<Tensor> loadVector(Operation *op, const Tensor &buffer, ArrayRef<int64_t> indices, ArrayRef<int64_t> shape) {
  Tensor result(buffer.elementType(), shape);
  if (failed(readInto(op, buffer, indices, /*mask=*/nullptr, result)))
    return failure();
  return result;
}

LogicalResult storeVector(Operation *op, const Tensor &vector, const Tensor &buffer, ArrayRef<int64_t> indices) {
  return writeFrom(op, vector, buffer, indices, /*mask=*/nullptr);
}

void addVectorMemoryOps(OpTable &table) {
  table.add<vector::TypeCastOp>(evalTypeCast);
  table.add<vector::LoadOp>(evalLoad);
  table.add<vector::StoreOp>(evalStore);
  table.add<vector::MaskedLoadOp>(evalMaskedLoad);
  table.add<vector::MaskedStoreOp>(evalMaskedStore);
  table.add<vector::ExpandLoadOp>(evalExpandLoad);
  table.add<vector::CompressStoreOp>(evalCompressStore);
  table.add<vector::TransferReadOp>(evalTransferRead);
  table.add<vector::TransferWriteOp>(evalTransferWrite);
  table.add<vector::GatherOp>(evalGather);
  table.add<vector::ScatterOp>(evalScatter);
}

} // namespace mica::reference
