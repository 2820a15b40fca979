//===- VerifyIndexing.cpp - verifiers of gather, scatter, sort and map -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The constraints that keep every position within the operands. Numbers in parentheses are those of the specification.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;
using namespace mica::stablehlo::verifier;

static SmallVector<int64_t> joined(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> all(a);
  llvm::append_range(all, b);
  return all;
}

/// The sizes of `type` in the dimensions that are not in `without`.
static SmallVector<int64_t> sizesWithout(RankedTensorType type, ArrayRef<int64_t> without) {
  SmallVector<int64_t> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(without, dim))
      sizes.push_back(type.getDimSize(dim));
  return sizes;
}

/// What gather and scatter share: the dimensions of the indices, and those of the operand that have no place in a
/// window.
static LogicalResult verifyIndexing(Operation *op, RankedTensorType operand, RankedTensorType indices,
                                    ArrayRef<int64_t> indexMap, ArrayRef<int64_t> dropped,
                                    ArrayRef<int64_t> operandBatch, ArrayRef<int64_t> indicesBatch,
                                    int64_t indexVectorDim) {
  if (!isa<IntegerType>(indices.getElementType()))
    return op->emitOpError("has indices of type ") << indices << ", expected integers";
  if (indexVectorDim < 0 || indexVectorDim > indices.getRank())
    return op->emitOpError("has 'index_vector_dim' = ")
           << indexVectorDim << ", expected a number from 0 to " << indices.getRank();
  const int64_t count = indexVectorDim == indices.getRank() ? 1 : indices.getDimSize(indexVectorDim);
  if (!fits(count, int64_t(indexMap.size())))
    return op->emitOpError("maps ") << indexMap.size() << " numbers of each index to dimensions, expected " << count;
  if (failed(verifyDims(op, joined(indexMap, operandBatch), operand.getRank(),
                        "the dimensions that indices and batches choose")) ||
      failed(verifyDims(op, joined(dropped, operandBatch), operand.getRank(),
                        "the dimensions without a place in the window")) ||
      failed(verifyDims(op, indicesBatch, indices.getRank(), "the batching dimensions of the indices")))
    return failure();
  if (!llvm::is_sorted(dropped) || !llvm::is_sorted(operandBatch))
    return op->emitOpError("lists dimensions of the operand that are not in ascending order");
  if (llvm::is_contained(indicesBatch, indexVectorDim))
    return op->emitOpError("batches over 'index_vector_dim'");
  if (operandBatch.size() != indicesBatch.size())
    return op->emitOpError("has ") << operandBatch.size() << " batching dimensions of the operand and "
                                   << indicesBatch.size() << " of the indices";
  for (auto [a, b] : llvm::zip_equal(operandBatch, indicesBatch))
    if (!fits(operand.getDimSize(a), indices.getDimSize(b)))
      return op->emitOpError("batches over sizes ") << operand.getDimSize(a) << " and " << indices.getDimSize(b);
  return success();
}

/// The sizes of the result of a gather, or of the updates of a scatter.
static SmallVector<int64_t> interleaved(ArrayRef<int64_t> windowDims, ArrayRef<int64_t> window,
                                        ArrayRef<int64_t> batch) {
  SmallVector<int64_t> sizes;
  size_t nextWindow = 0, nextBatch = 0;
  for (size_t dim = 0; dim < window.size() + batch.size(); ++dim)
    sizes.push_back(llvm::is_contained(windowDims, int64_t(dim)) ? window[nextWindow++] : batch[nextBatch++]);
  return sizes;
}

LogicalResult stablehlo::GatherOp::verify() {
  RankedTensorType operand = typeOf(getOperand()), indices = typeOf(getStartIndices());
  GatherDimensionNumbersAttr numbers = getDimensionNumbers();
  if (failed(verifyIndexing(*this, operand, indices, numbers.getStartIndexMap(), numbers.getCollapsedSliceDims(),
                            numbers.getOperandBatchingDims(), numbers.getStartIndicesBatchingDims(),
                            numbers.getIndexVectorDim())))
    return failure();
  const SmallVector<int64_t> sizes = listOf(getSliceSizes());
  if (failed(verifyCount(*this, sizes.size(), operand.getRank(), "slice sizes"))) // (C11)
    return failure();
  const SmallVector<int64_t> dropped = joined(numbers.getCollapsedSliceDims(), numbers.getOperandBatchingDims());
  SmallVector<int64_t> window;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < 0 || (!operand.isDynamicDim(dim) && size > operand.getDimSize(dim))) // (C12)
      return emitOpError("takes slices of size ")
             << size << " of dimension " << dim << " of size " << operand.getDimSize(dim);
    const bool isDropped = llvm::is_contained(dropped, int64_t(dim));
    if (isDropped && size > 1) // (C8), (C13)
      return emitOpError("drops dimension ") << dim << " of slices of size " << size << ", expected at most 1";
    if (!isDropped)
      window.push_back(size);
  }
  if (numbers.getOffsetDims().size() != window.size()) // (C1)
    return emitOpError("has ") << numbers.getOffsetDims().size() << " 'offset_dims', expected " << window.size();
  const SmallVector<int64_t> batch = sizesWithout(indices, numbers.getIndexVectorDim());
  if (failed(
          verifyDims(*this, numbers.getOffsetDims(), int64_t(batch.size() + window.size()), "'offset_dims'"))) // (C4)
    return failure();
  return verifyResult(*this, interleaved(numbers.getOffsetDims(), window, batch), operand.getElementType()); // (C22)
}

LogicalResult stablehlo::ScatterOp::verify() {
  if (getInputs().empty() || getInputs().size() != getUpdates().size() || getInputs().size() != getNumResults())
    return emitOpError("needs as many updates and results as inputs, and at least one");
  RankedTensorType operand = typeOf(getInputs().front()), indices = typeOf(getScatterIndices()),
                   update = typeOf(getUpdates().front());
  ScatterDimensionNumbersAttr numbers = getScatterDimensionNumbers();
  if (failed(verifyIndexing(*this, operand, indices, numbers.getScatterDimsToOperandDims(),
                            numbers.getInsertedWindowDims(), numbers.getInputBatchingDims(),
                            numbers.getScatterIndicesBatchingDims(), numbers.getIndexVectorDim())))
    return failure();
  const SmallVector<int64_t> dropped = joined(numbers.getInsertedWindowDims(), numbers.getInputBatchingDims());
  const SmallVector<int64_t> whole = sizesWithout(operand, dropped);
  if (numbers.getUpdateWindowDims().size() != whole.size()) // (C2)
    return emitOpError("has ") << numbers.getUpdateWindowDims().size() << " 'update_window_dims', expected "
                               << whole.size();
  const SmallVector<int64_t> batch = sizesWithout(indices, numbers.getIndexVectorDim());
  if (failed(verifyDims(*this, numbers.getUpdateWindowDims(), update.getRank(), "'update_window_dims'")))
    return failure();
  if (update.getRank() != int64_t(whole.size() + batch.size()))
    return emitOpError("has updates of rank ") << update.getRank() << ", expected " << whole.size() + batch.size();
  SmallVector<int64_t> window;
  for (auto [dim, most] : llvm::zip_equal(numbers.getUpdateWindowDims(), whole)) {
    window.push_back(update.getDimSize(dim));
    if (!ShapedType::isDynamic(window.back()) && !ShapedType::isDynamic(most) && window.back() > most) // (C4)
      return emitOpError("has windows of size ") << window.back() << " in a dimension of size " << most;
  }
  const SmallVector<int64_t> shape = interleaved(numbers.getUpdateWindowDims(), window, batch);
  if (!fit(update.getShape(), shape))
    return emitOpError("has updates of sizes ") << text(update.getShape()) << ", expected " << text(shape);
  SmallVector<Type> lhs, rhs, results;
  for (auto [input, other, result] : llvm::zip_equal(getInputs(), getUpdates(), getResults())) {
    if (!fit(typeOf(input).getShape(), operand.getShape()) || !fit(typeOf(other).getShape(), update.getShape()) ||
        !fit(typeOf(result).getShape(), operand.getShape()))
      return emitOpError("has inputs, updates or results of different sizes");
    const Type element = getElementTypeOrSelf(result);
    lhs.push_back(RankedTensorType::get({}, element));
    rhs.push_back(RankedTensorType::get({}, getElementTypeOrSelf(other)));
    results.push_back(lhs.back());
  }
  SmallVector<Type> arguments(lhs);
  llvm::append_range(arguments, rhs);
  return verifyBlock(*this, getUpdateComputation().front(), arguments, results); // (C23)
}

LogicalResult SortOp::verify() {
  if (getInputs().empty() || getNumResults() != getInputs().size())
    return emitOpError("needs as many results as operands, and at least one");
  RankedTensorType first = typeOf(getInputs().front());
  SmallVector<Type> arguments;
  for (auto [input, result] : llvm::zip_equal(getInputs(), getResults())) {
    if (!fit(typeOf(input).getShape(), first.getShape()) || !fit(typeOf(result).getShape(), first.getShape()) ||
        getElementTypeOrSelf(input) != getElementTypeOrSelf(result)) // (C2), (C3)
      return emitOpError("has operands or results of different sizes");
    arguments.append(2, RankedTensorType::get({}, getElementTypeOrSelf(input)));
  }
  const int64_t dim = getDimension(), rank = first.getRank();
  if (dim < -rank || dim >= std::max<int64_t>(rank, 1)) // (C4)
    return emitOpError("sorts along dimension ") << dim << " of " << first;
  return verifyBlock(*this, getComparator().front(), arguments,
                     RankedTensorType::get({}, IntegerType::get(getContext(), 1))); // (C5)
}

LogicalResult MapOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no operands");
  const int64_t rank = typeOf(getInputs().front()).getRank();
  const SmallVector<int64_t> dims = listOf(getDimensions());
  if (dims.size() != size_t(rank) || !llvm::equal(dims, llvm::seq<int64_t>(0, rank))) // (C3)
    return emitOpError("has 'dimensions' other than 0 to ") << rank - 1;
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.push_back(RankedTensorType::get({}, getElementTypeOrSelf(input)));
  return verifyBlock(*this, getComputation().front(), arguments,
                     RankedTensorType::get({}, getElementTypeOrSelf(getResult()))); // (C4)
}
