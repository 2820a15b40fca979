//===- VerifyMovement.cpp - constraints of data movement operations ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The labelled constraints of each operation of MovementOps.td, in the order of its description. A message begins with
// the constraint's label and names the values that break it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

/// `i32` or `i64`, the types of positions.
static LogicalResult verifyPositions(Operation *op, StringRef label, StringRef name, Value value) {
  Type element = typeOf(value).getElementType();
  if (!element.isInteger(32) && !element.isInteger(64))
    return op->emitOpError() << "(" << label << ") " << name << " must have elements of type i32 or i64, got "
                             << element;
  return success();
}

static LogicalResult verifySameElements(Operation *op, StringRef label, StringRef lhsName, Value lhs, StringRef rhsName,
                                        Value rhs) {
  if (typeOf(lhs).getElementType() == typeOf(rhs).getElementType())
    return success();
  return op->emitOpError() << "(" << label << ") " << lhsName << " and " << rhsName
                           << " have one element type, but it is " << typeOf(lhs).getElementType() << " and "
                           << typeOf(rhs).getElementType();
}

/// (`first`) the axis, then the number of batch dimensions, then their sizes.
static LogicalResult verifyBatch(Operation *op, int64_t firstLabel, Value inputValue, Value indicesValue, int64_t axis,
                                 int64_t batch) {
  RankedTensorType input = typeOf(inputValue), indices = typeOf(indicesValue);
  auto label = [&](int64_t number) { return "C" + std::to_string(firstLabel + number); };
  if (failed(verifyAxis(op, label(0), axis)))
    return failure();
  if (batch < 0 || batch > axis || batch > indices.getRank())
    return op->emitOpError() << "(" << label(1) << ") batch_dims must be at least 0, at most axis, " << axis
                             << ", and at most the rank of the indices, " << indices.getRank() << ", got " << batch;
  for (int64_t dim = 0; dim < batch; ++dim)
    if (!mayBeEqual(op, label(2), sizeIn("the operand", inputValue, dim), sizeIn("indices", indicesValue, dim)))
      return op->emitOpError() << "(" << label(2) << ") dim " << dim << ", shared by operand and indices, is "
                               << input.getDimSize(dim) << " in one and " << indices.getDimSize(dim) << " in the other";
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult GatherOp::verifyConstraints() {
  if (failed(verifyPositions(*this, "C1", "indices", getIndices())) ||
      failed(verifyBatch(*this, 2, getInput(), getIndices(), getAxis(), getBatchDims())))
    return failure();
  return verifyResult(*this, "C5");
}

LogicalResult EmbeddingOp::verifyConstraints() {
  return failure(failed(verifyRank(*this, "C1", "the table", getTable(), 2)) ||
                 failed(verifyPositions(*this, "C2", "indices", getIndices())) || failed(verifyResult(*this, "C3")));
}

LogicalResult ScatterOp::verifyConstraints() {
  if (failed(verifyPositions(*this, "C1", "indices", getIndices())) ||
      failed(verifySameElements(*this, "C2", "operand", getInput(), "updates", getUpdates())))
    return failure();
  if (getKind() == ScatterKind::Add && getInput().getType().getElementType().isInteger(1))
    return emitOpError() << "(C2) elements of type i1 cannot be added";
  if (failed(verifyBatch(*this, 3, getInput(), getIndices(), getAxis(), getBatchDims())))
    return failure();
  SmallVector<int64_t> shape =
      gatheredShape(getInput().getType().getShape(), getIndices().getType().getShape(), getAxis(), getBatchDims());
  SmallVector<ConstrainedSize> sizes = sizesFrom("the operand", getInput(), 0);
  sizes.erase(sizes.begin() + getAxis());
  SmallVector<ConstrainedSize> positions = sizesFrom("indices", getIndices(), getBatchDims());
  sizes.insert(sizes.begin() + getAxis(), positions.begin(), positions.end());
  if (!mayHaveSizes(*this, "C6", "updates", getUpdates(), sizes))
    return emitOpError() << "(C6) the updates must have the shape " << shapeText(shape) << ", got "
                         << shapeText(getUpdates().getType().getShape());
  return verifySameType(*this, "C7");
}

LogicalResult CacheUpdateOp::verifyConstraints() {
  if (failed(verifySameElements(*this, "C1", "cache", getCache(), "update", getUpdate())) ||
      failed(verifyRank(*this, "C2", "position", getPosition(), 0)) ||
      failed(verifyPositions(*this, "C2", "position", getPosition())) || failed(verifyAxis(*this, "C3", getAxis())))
    return failure();
  SmallVector<int64_t> cache(getCache().getType().getShape()), update(getUpdate().getType().getShape());
  bool fits = cache.size() == update.size();
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(cache, update)))
    fits = fits && (dim == getAxis() || mayBeEqual(*this, "C4", sizeIn("the update", getUpdate(), dim),
                                                   sizeIn("the cache", getCache(), dim)));
  if (!fits)
    return emitOpError() << "(C4) the update must have the cache's shape " << shapeText(cache) << " but for dim "
                         << getAxis() << ", got " << shapeText(update);
  return verifySameType(*this, "C5");
}

//===------------------------------------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ConcatOp::verifyConstraints() {
  if (getInputs().empty())
    return emitOpError() << "(C1) there is no operand";
  RankedTensorType first = typeOf(getInputs()[0]);
  for (auto [index, input] : llvm::enumerate(getInputs()))
    if (typeOf(input).getElementType() != first.getElementType() || typeOf(input).getRank() != first.getRank())
      return emitOpError() << "(C1) operands have one element type and rank, but operand 0 is " << first
                           << " and operand " << index << " is " << input.getType();
  if (failed(verifyAxis(*this, "C2", getAxis())))
    return failure();
  for (auto [index, input] : llvm::enumerate(getInputs()))
    for (int64_t dim = 0; dim < first.getRank(); ++dim)
      if (dim != static_cast<int64_t>(getAxis()) &&
          !mayBeEqual(*this, "C3", sizeIn("operand " + std::to_string(index), input, dim),
                      sizeIn("operand 0", getInputs()[0], dim)))
        return emitOpError() << "(C3) sizes differ: dim " << dim << " of operand 0 is " << first.getDimSize(dim)
                             << ", of operand " << index << " " << typeOf(input).getDimSize(dim);
  return verifyResult(*this, "C4");
}

LogicalResult SplitOp::verifyConstraints() {
  if (failed(verifyAxis(*this, "C1", getAxis())))
    return failure();
  int64_t size = getInput().getType().getDimSize(getAxis()), sum = 0;
  if (isDynamic(size))
    return emitOpError() << "(C1) dim " << getAxis()
                         << " of the operand must be static, got ?; mica.slice takes sizes known "
                         << "at run time";
  for (int64_t part : getSizes()) {
    if (part < 0)
      return emitOpError() << "(C2) sizes holds " << part << ", the least is 0";
    if (llvm::AddOverflow(sum, part, sum))
      return emitOpError() << "(C2) the sum of sizes overflows";
  }
  if (sum != size)
    return emitOpError() << "(C2) the sum of sizes is " << sum << ", dim " << getAxis() << " of the operand " << size;
  if (getNumResults() != getSizes().size())
    return emitOpError() << "(C3) there must be one result per size, " << getSizes().size() << ", got "
                         << getNumResults();
  return verifyResult(*this, "C3");
}

/// (C2) and (C3) of a dynamic dimension. The division avoids overflow.
static void addSliceFits(SliceOp op, int64_t dim) {
  ConstrainedSize count = sizeGiven("size " + Twine(dim) + " of the slice", op.getMixedSizes()[dim]);
  (void)mayBeAtLeast(op, "C2", count, 0);
  const int64_t offset = op.getStaticOffsets()[dim], from = isDynamic(offset) ? 0 : offset;
  ConstrainedSize extent = sizeIn("the operand", op.getInput(), dim);
  AffineExpr size, room;
  bindSymbols(op.getContext(), size, room);
  std::string message = "the slice of {0} elements from " + std::to_string(from) + " on with stride " +
                        std::to_string(op.getStrides()[dim]) + " leaves dim " + std::to_string(dim) + " of size {1}";
  (void)mayHold({"C3",
                 (room - from - 1).floorDiv(op.getStrides()[dim]) + 1 - size,
                 /*isEquality=*/false,
                 {count, extent},
                 message});
}

LogicalResult SliceOp::verifyConstraints() {
  int64_t rank = getInput().getType().getRank();
  for (auto [name, values] : {std::pair<StringRef, ArrayRef<int64_t>>{"offsets", getStaticOffsets()},
                              {"sizes", getStaticSizes()},
                              {"strides", getStrides()}})
    if (static_cast<int64_t>(values.size()) != rank)
      return emitOpError() << "(C1) " << name << " must have a value per dimension of the operand, " << rank << ", got "
                           << values.size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t count = getStaticSizes()[dim], stride = getStrides()[dim];
    if (!isDynamic(count) && count < 0)
      return emitOpError() << "(C2) sizes holds " << count << ", the least is 0";
    if (stride < 1)
      return emitOpError() << "(C2) strides holds " << stride << ", the least is 1";
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = getInput().getType().getDimSize(dim), count = getStaticSizes()[dim], last = 0;
    int64_t offset = getStaticOffsets()[dim], from = isDynamic(offset) ? 0 : offset;
    if (from < 0)
      return emitOpError() << "(C3) the offset in dim " << dim << " is " << from << ", the least is 0";
    if (isDynamic(count) || isDynamic(size)) {
      addSliceFits(*this, dim);
      continue;
    }
    bool overflows = llvm::MulOverflow(count - 1, getStrides()[dim], last) || llvm::AddOverflow(last, from, last);
    // An empty slice accesses nothing; it may begin at the end.
    if (overflows || (count == 0 ? from > size : last >= size))
      return emitOpError() << "(C3) the slice of " << count << " elements from " << (isDynamic(offset) ? "0" : "")
                           << (isDynamic(offset) ? "" : std::to_string(offset)) << " on with stride "
                           << getStrides()[dim] << " leaves dim " << dim << " of size " << size;
  }
  return verifyResult(*this, "C4");
}

LogicalResult TileOp::verifyConstraints() {
  return failure(failed(verifyList(*this, "C1", "multiples", getMultiples(), getInput().getType().getRank(), 1)) ||
                 failed(verifyResult(*this, "C2")));
}

LogicalResult FlipOp::verifyConstraints() {
  int64_t rank = getInput().getType().getRank();
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    if (dim < 0 || dim >= rank)
      return emitOpError() << "(C1) dims[" << index << "] is " << dim << ", outside of the operand's rank " << rank;
    if (index > 0 && getDims()[index - 1] >= dim)
      return emitOpError() << "(C1) dims is strictly increasing, but " << dim << " follows " << getDims()[index - 1];
  }
  return verifySameType(*this, "C2");
}

//===------------------------------------------------------------------------------------------------------------===//
// By order
//===------------------------------------------------------------------------------------------------------------===//

/// The last constraint of an operation with values and indices.
template <typename OpTy> static LogicalResult verifyOrdered(OpTy op, StringRef label) {
  SmallVector<Type> inferred;
  (void)OpTy::inferReturnTypes(op.getContext(), std::nullopt, op->getOperands(), op->getDiscardableAttrDictionary(),
                               op->getPropertiesStorage(), op->getRegions(), inferred);
  if (haveCompatibleTypes(inferred, op->getResultTypes())) {
    addWrittenSizes(op, label, inferred);
    return success();
  }
  return op.emitOpError() << "(" << label << ") the results must be " << inferred[0] << " and " << inferred[1]
                          << ", got " << op->getResultTypes()[0] << " and " << op->getResultTypes()[1];
}

LogicalResult SortOp::verifyConstraints() {
  return failure(failed(verifyAxis(*this, "C1", getAxis())) || failed(verifyOrdered(*this, "C2")));
}

LogicalResult TopKOp::verifyConstraints() {
  if (failed(verifyAxis(*this, "C1", getAxis())))
    return failure();
  int64_t size = getInput().getType().getDimSize(getAxis()), k = getK();
  if (k < 0 || !mayBeAtLeast(*this, "C2", sizeIn("the operand", getInput(), getAxis()), k, ", which is k"))
    return emitOpError() << "(C2) k must be at least 0 and at most dim " << getAxis() << " of the operand, "
                         << (isDynamic(size) ? "?" : std::to_string(size)) << ", got " << k;
  return verifyOrdered(*this, "C3");
}
