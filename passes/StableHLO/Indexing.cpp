//===- Indexing.cpp - converting stablehlo.gather, scatter and map -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A gather is a linalg.generic over its result that extracts elements of the operand; starts move into range. A
// scatter is a loop over its updates, in their order, that replaces elements of its results; positions out of range are
// skipped.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

/// A position in the operand: a start of `starts[mapped[i]]`, a batch, and an offset in the window.
namespace {
struct Position {
  Value indices;
  bool isUnsigned;
  ArrayRef<int64_t> indexMap, operandBatch, indicesBatch, windowless;
  int64_t indexVectorDim;
};
} // namespace

/// The operand's index for a coordinate of the result of a gather or of an update, without its window: and the offset
/// in the window, for each dimension of the operand.
static std::pair<SmallVector<Value>, SmallVector<Value>> positionOf(const Position &position, int64_t operandRank,
                                                                    ArrayRef<int64_t> windowDims, ValueRange coordinate,
                                                                    OpBuilder &builder, Location loc) {
  SmallVector<Value> batch, window;
  for (auto [dim, value] : llvm::enumerate(coordinate))
    (llvm::is_contained(windowDims, int64_t(dim)) ? window : batch).push_back(value);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  const int64_t indicesRank = typeOf(position.indices).getRank(), vectorDim = position.indexVectorDim;
  SmallVector<Value> starts(operandRank, zero), offsets(operandRank, zero);
  for (auto [number, dim] : llvm::enumerate(position.indexMap)) {
    SmallVector<Value> at(batch);
    if (vectorDim < indicesRank)
      at.insert(at.begin() + vectorDim, arith::ConstantIndexOp::create(builder, loc, int64_t(number)));
    Value start = tensor::ExtractOp::create(builder, loc, position.indices, at);
    starts[dim] = indexOf(builder, loc, start, position.isUnsigned);
  }
  for (auto [dim, from] : llvm::zip_equal(position.operandBatch, position.indicesBatch))
    starts[dim] = batch[from < vectorDim ? from : from - 1];
  size_t next = 0;
  for (int64_t dim = 0; dim < operandRank; ++dim)
    if (!llvm::is_contained(position.windowless, dim) && !llvm::is_contained(position.operandBatch, dim))
      offsets[dim] = window[next++];
  return {starts, offsets};
}

Converted hlotomica::convertGather(Operation *op, hlo::GatherDimensionNumbersAttr numbers, ValueRange sliceSizes,
                                   OpBuilder &builder) {
  const Location loc = op->getLoc();
  Value operand = op->getOperand(0), indices = op->getOperand(1);
  if (!isInteger(elementOf(indices)))
    return refuse(op, "start indices are integers of more than a bit");
  const Position position{indices,
                          isUnsignedOperand(op, 1),
                          numbers.getStartIndexMap(),
                          numbers.getOperandBatchingDims(),
                          numbers.getStartIndicesBatchingDims(),
                          numbers.getCollapsedSliceDims(),
                          numbers.getIndexVectorDim()};
  // The sizes of the result: those of the indices, and of the slices.
  SmallVector<Value> batch, window, sizes;
  for (int64_t dim = 0; dim < typeOf(indices).getRank(); ++dim)
    if (dim != numbers.getIndexVectorDim())
      batch.push_back(sizeOf(builder, loc, indices, dim));
  for (auto [dim, size] : llvm::enumerate(sliceSizes))
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), int64_t(dim)) &&
        !llvm::is_contained(numbers.getOperandBatchingDims(), int64_t(dim)))
      window.push_back(size);
  size_t nextBatch = 0, nextWindow = 0;
  SmallVector<int64_t> shape(typeOf(op->getResult(0)).getShape());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    const bool isOffset = llvm::is_contained(numbers.getOffsetDims(), int64_t(dim));
    sizes.push_back(isOffset ? window[nextWindow++] : batch[nextBatch++]);
    shape[dim] = getConstantIntValue(sizes.back()).value_or(ShapedType::kDynamic);
  }
  const auto type = RankedTensorType::get(shape, elementOf(operand));
  SmallVector<Value> lasts(typeOf(operand).getRank());
  const IndexMath math(builder, loc);
  for (auto [dim, size] : llvm::enumerate(sliceSizes)) {
    lasts[dim] = math.sub(sizeOf(builder, loc, operand, int64_t(dim)), size);
    math.require(math.both(math.atMost(math.constant(0), size), math.atMost(math.constant(0), lasts[dim])),
                 op->getName().getStringRef() + ": the size of the slices in dimension " + Twine(dim) +
                     " is more than that of the operand");
  }
  return Values{tabulated(builder, loc, type, sizes, [&](OpBuilder &inner, Location at, ValueRange coordinate) {
    auto [starts, offsets] =
        positionOf(position, typeOf(operand).getRank(), numbers.getOffsetDims(), coordinate, inner, at);
    Value zero = arith::ConstantIndexOp::create(inner, at, 0);
    for (int64_t dim : numbers.getStartIndexMap())
      starts[dim] = arith::MinSIOp::create(inner, at, arith::MaxSIOp::create(inner, at, starts[dim], zero), lasts[dim]);
    for (auto [start, offset] : llvm::zip_equal(starts, offsets))
      start = arith::AddIOp::create(inner, at, start, offset);
    return Value(tensor::ExtractOp::create(inner, at, operand, starts));
  })};
}

Converted hlotomica::convertGather(hlo::GatherOp op, OpBuilder &builder) {
  const SmallVector<Value> sizes = llvm::map_to_vector(hlo::listOf(op.getSliceSizes()), [&](int64_t size) -> Value {
    return arith::ConstantIndexOp::create(builder, op.getLoc(), size);
  });
  return convertGather(op, op.getDimensionNumbers(), sizes, builder);
}

Converted hlotomica::convertScatter(hlo::ScatterOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType operand = typeOf(op.getInputs().front()), update = typeOf(op.getUpdates().front());
  if (!isInteger(elementOf(op.getScatterIndices())))
    return refuse(op, "indices are integers of more than a bit");
  for (auto [input, result] : llvm::zip_equal(op.getInputs(), op.getResults()))
    if (elementOf(input) != elementOf(result))
      return refuse(op, "inputs and results have the same element types");
  const auto isEmpty = [](RankedTensorType type) { return llvm::is_contained(type.getShape(), 0); };
  if (isEmpty(update) || isEmpty(operand))
    return Values(op.getInputs());
  hlo::ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  const Position position{op.getScatterIndices(),
                          isUnsignedOperand(op, op.getInputs().size()),
                          numbers.getScatterDimsToOperandDims(),
                          numbers.getInputBatchingDims(),
                          numbers.getScatterIndicesBatchingDims(),
                          numbers.getInsertedWindowDims(),
                          numbers.getIndexVectorDim()};
  LogicalResult status = success();
  const SmallVector<Value> sizes = sizesOf(builder, loc, op.getInputs().front());
  SmallVector<Value> counts = sizesOf(builder, loc, op.getUpdates().front());
  if (!counts.empty())
    counts.front() = unlessEmpty(builder, loc, sizes, counts.front());
  SmallVector<Value> results =
      loopsOver(builder, loc, counts, op.getInputs(), [&](OpBuilder &inner, ValueRange coordinate, ValueRange now) {
        auto [starts, offsets] =
            positionOf(position, operand.getRank(), numbers.getUpdateWindowDims(), coordinate, inner, loc);
        Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
        Value isInside = arith::ConstantIntOp::create(inner, loc, 1, 1);
        SmallVector<Value> at;
        for (auto [bound, start, offset] : llvm::zip_equal(sizes, starts, offsets)) {
          // A start far beyond the size must not wrap around.
          Value limited = arith::MinSIOp::create(inner, loc, start, bound);
          Value index = arith::AddIOp::create(inner, loc, limited, offset);
          Value isLow = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::sge, index, zero);
          Value isHigh = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, index, bound);
          isInside = arith::AndIOp::create(inner, loc, isInside, arith::AndIOp::create(inner, loc, isLow, isHigh));
          at.push_back(index);
        }
        for (Value &index : at)
          index = arith::SelectOp::create(inner, loc, isInside, index, zero);
        SmallVector<Value> arguments, old;
        for (Value tensor : now)
          old.push_back(tensor::ExtractOp::create(inner, loc, tensor, at));
        arguments = old;
        for (Value given : op.getUpdates())
          arguments.push_back(tensor::ExtractOp::create(inner, loc, given, coordinate));
        Converted made = convertToScalars(op.getUpdateComputation().front(), arguments, inner);
        if (failed(made)) {
          status = failure();
          return SmallVector<Value>(now);
        }
        SmallVector<Value> next;
        for (auto [tensor, before, after] : llvm::zip_equal(now, old, *made)) {
          Value value = arith::SelectOp::create(inner, loc, isInside, after, before);
          next.push_back(tensor::InsertOp::create(inner, loc, value, tensor, at));
        }
        return next;
      });
  if (failed(status))
    return failure();
  return Values(results.begin(), results.end());
}

Converted hlotomica::convertMap(hlo::MapOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  const RankedTensorType type = typeOf(op);
  Value empty =
      tensor::EmptyOp::create(builder, loc, type, dynamicOnes(type, sizesOf(builder, loc, op.getInputs().front())));
  SmallVector<AffineMap> maps(op.getInputs().size() + 1, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  LogicalResult status = success();
  auto loop = linalg::GenericOp::create(
      builder, loc, type, op.getInputs(), empty, maps, iterators,
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        Converted results =
            convertToScalars(op.getComputation().front(), SmallVector<Value>(arguments.drop_back()), inner);
        status = LogicalResult(results);
        linalg::YieldOp::create(inner, at, succeeded(results) ? ValueRange(*results) : arguments.take_back(1));
      });
  if (failed(status))
    return failure();
  return Values{loop.getResult(0)};
}
