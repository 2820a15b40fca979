//===- VerifyAttention.cpp - constraints and result types of attention and rotary embeddings ---------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The labelled constraints of the operations of AttentionOps.td, and the result type of mica.attention.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

/// All of `values` have the same float element type.
static LogicalResult verifyOneFloat(Operation *op, StringRef label, ValueRange values) {
  Type first = typeOf(values[0]).getElementType();
  if (!isa<FloatType>(first))
    return op->emitOpError() << "(" << label << ") must have float elements, got " << first;
  for (auto [index, value] : llvm::enumerate(values))
    if (typeOf(value).getElementType() != first)
      return op->emitOpError() << "(" << label << ") operands have one element type, but operand 0 has " << first
                               << " and operand " << index << " has " << typeOf(value).getElementType();
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Attention
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyMask(AttentionOp op) {
  RankedTensorType mask = typeOf(op.getMask()), query = op.getQuery().getType();
  if (mask.getElementType() != query.getElementType() && !mask.getElementType().isInteger(1))
    return op.emitOpError() << "(C5) the mask must have elements of type " << query.getElementType() << " or i1, got "
                            << mask.getElementType();
  const int64_t scores[] = {query.getDimSize(0), query.getDimSize(1), query.getDimSize(2),
                            op.getKey().getType().getDimSize(2)};
  const std::pair<StringRef, Value> sources[] = {{"the query", op.getQuery()},
                                                 {"the query", op.getQuery()},
                                                 {"the query", op.getQuery()},
                                                 {"the key", op.getKey()}};
  int64_t missing = 4 - mask.getRank();
  if (missing < 0)
    return op.emitOpError() << "(C5) the mask must have at most rank 4, got " << mask.getRank();
  for (auto [dim, size] : llvm::enumerate(mask.getShape()))
    if (const auto &[name, source] = sources[dim + missing];
        size != 1 && !mayBeEqual(op, "C5", sizeIn("the mask", op.getMask(), dim),
                                 sizeIn(name, source, std::min<int64_t>(dim + missing, 2))))
      return op.emitOpError() << "(C5) the mask's shape must be that of the last dimensions of the scores, "
                              << shapeText(scores) << ", or 1 where it is repeated, got " << shapeText(mask.getShape());
  return success();
}

LogicalResult AttentionOp::verifyConstraints() {
  SmallVector<Value> main = {getQuery(), getKey(), getValue()};
  const StringRef names[] = {"query", "key", "value"};
  if (failed(verifyOneFloat(*this, "C1", main)))
    return failure();
  for (auto [name, value] : llvm::zip(names, main))
    if (failed(verifyRank(*this, "C1", name, value, 4)))
      return failure();
  RankedTensorType query = getQuery().getType(), key = getKey().getType(), value = getValue().getType();
  auto verifySame = [&](StringRef what, int64_t lhs, int64_t rhs, int64_t dim) -> LogicalResult {
    if (mayBeEqual(*this, "C2", sizeIn(names[lhs], main[lhs], dim), sizeIn(names[rhs], main[rhs], dim)))
      return success();
    return emitOpError() << "(C2) the " << what << " is " << typeOf(main[lhs]).getDimSize(dim) << " in the "
                         << names[lhs] << " and " << typeOf(main[rhs]).getDimSize(dim) << " in the " << names[rhs];
  };
  if (failed(verifySame("batch", 0, 1, 0)) || failed(verifySame("batch", 0, 2, 0)) ||
      failed(verifySame("size of a head", 0, 1, 3)) || failed(verifySame("number of heads", 1, 2, 1)) ||
      failed(verifySame("number of keys", 1, 2, 2)))
    return failure();
  int64_t heads = query.getDimSize(1), groups = key.getDimSize(1);
  if (isDynamic(heads) || isDynamic(groups) || isDynamic(value.getDimSize(1)))
    return emitOpError() << "(C3) the numbers of heads are static";
  if (groups == 0 || heads % groups != 0)
    return emitOpError() << "(C3) the query's number of heads, " << heads << ", is a multiple of the key's, " << groups;
  if (getScale() ? !getScale()->isFinite() : isDynamic(query.getDimSize(3)) && isDynamic(key.getDimSize(3)))
    return emitOpError() << "(C4) "
                         << (getScale() ? "scale is finite"
                                        : "scale is given, since the size of a head is known at run time only");
  if (getMask() && failed(verifyMask(*this)))
    return failure();
  if (Value position = getPosition()) {
    Type element = typeOf(position).getElementType();
    if (!element.isInteger(32) && !element.isInteger(64))
      return emitOpError() << "(C6) position must have elements of type i32 or i64, got " << element;
    if (failed(verifyRank(*this, "C6", "position", position, 0)))
      return failure();
    if (!getCausal())
      return emitOpError() << "(C6) position is given with causal only";
  }
  return verifyResult(*this, "C7");
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  RankedTensorType query = typeOf(adaptor.getQuery()), value = typeOf(adaptor.getValue());
  if (query.getRank() != 4 || value.getRank() != 4)
    return failure();
  const int64_t shape[] = {query.getDimSize(0), query.getDimSize(1), query.getDimSize(2), value.getDimSize(3)};
  results.push_back(RankedTensorType::get(shape, query.getElementType()));
  return success();
}

LogicalResult AttentionOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getQuery());
  sizes[3] = tensor::getMixedSize(builder, getLoc(), getValue(), 3);
  for (auto [dim, size] : llvm::enumerate(getType().getShape()))
    if (!isDynamic(size))
      sizes[dim] = builder.getIndexAttr(size);
  shapes.push_back(std::move(sizes));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Rotary embeddings
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult RopeOp::verifyConstraints() {
  if (failed(verifyOneFloat(*this, "C1", {getInput(), getCos(), getSin()})))
    return failure();
  RankedTensorType input = getInput().getType();
  int64_t rank = input.getRank();
  if (rank < 2)
    return emitOpError() << "(C2) the input's rank must be at least 2, got " << rank;
  int64_t size = input.getDimSize(rank - 1);
  if (isDynamic(size) || size % 2 != 0)
    return emitOpError() << "(C2) the input's last size must be static and even, got "
                         << (isDynamic(size) ? "?" : std::to_string(size));
  const int64_t shape[] = {input.getDimSize(rank - 2), size / 2};
  const OpFoldResult halfSize = Builder(getContext()).getIndexAttr(size / 2);
  for (auto [name, table] : {std::pair<StringRef, Value>{"cos", getCos()}, {"sin", getSin()}})
    if (!mayHaveSizes(*this, "C3", name, table,
                      {sizeIn("the input", getInput(), rank - 2), sizeGiven("half of its last dim", halfSize)}))
      return emitOpError() << "(C3) " << name << " must have the shape " << shapeText(shape) << ", got "
                           << shapeText(typeOf(table).getShape());
  return verifySameType(*this, "C4");
}
