//===- InferOps.cpp - result types and shapes of the dialect `mica` ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For each operation: inference of the result type (for builders, and as the last constraint of the verifier), and
// reification of dynamic result sizes (for lowering). Inference assumes that the preceding constraints hold, and fails
// without a message if it cannot infer a type.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Inference.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::inference;

namespace {

/// The size of a broadcast dimension: that of the operand that is not broadcast.
OpFoldResult broadcastSize(OpBuilder &builder, Location loc, Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim) {
  bool lhsRepeats = tensorOf(lhs).getDimSize(lhsDim) == 1;
  return lhsRepeats ? sizeOf(builder, loc, rhs, rhsDim) : sizeOf(builder, loc, lhs, lhsDim);
}

} // namespace

bool mica::haveCompatibleTypes(TypeRange lhs, TypeRange rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
           auto [l, r] = pair;
           return getElementTypeOrSelf(l) == getElementTypeOrSelf(r) && succeeded(verifyCompatibleShape(l, r));
         });
}

bool mica::haveCompatibleSums(TypeRange inferred, TypeRange written) {
  auto isWider = [](Type narrow, Type wide) {
    bool sameKind = isa<FloatType>(narrow) == isa<FloatType>(wide);
    return narrow == wide || (sameKind && narrow.getIntOrFloatBitWidth() < wide.getIntOrFloatBitWidth());
  };
  return inferred.size() == written.size() && llvm::all_of(llvm::zip(inferred, written), [&](auto pair) {
           auto [from, to] = pair;
           return isWider(getElementTypeOrSelf(from), getElementTypeOrSelf(to)) &&
                  succeeded(verifyCompatibleShape(from, to));
         });
}

LogicalResult mica::reifyAsFirstOperand(OpBuilder &builder, Operation *op, ReifiedRankedShapedTypeDims &shapes) {
  shapes.assign(op->getNumResults(), tensor::getMixedSizes(builder, op->getLoc(), op->getOperand(0)));
  return success();
}

std::optional<SmallVector<int64_t>> mica::broadcastShapes(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  if (lhs.size() != rhs.size())
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (auto [l, r] : llvm::zip(lhs, rhs)) {
    if (l == 1)
      shape.push_back(r);
    else if (r == 1 || l == r || ShapedType::isDynamic(r))
      shape.push_back(l);
    else if (ShapedType::isDynamic(l))
      shape.push_back(r);
    else
      return std::nullopt;
  }
  return shape;
}

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

/// `element` is the result's element type; if null, that of the operands.
template <typename Adaptor> static LogicalResult inferBinary(Adaptor adaptor, Types &results, Type element = nullptr) {
  auto lhs = tensorOf(adaptor.getLhs()), rhs = tensorOf(adaptor.getRhs());
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(lhs.getShape(), rhs.getShape());
  if (!shape)
    return failure();
  results.push_back(RankedTensorType::get(*shape, element ? element : lhs.getElementType()));
  return success();
}

template <typename BinaryOp>
static LogicalResult reifyBinary(OpBuilder &builder, BinaryOp op, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, rank = op.getType().getRank(); dim < rank; ++dim)
    sizes.push_back(broadcastSize(builder, op.getLoc(), op.getLhs(), dim, op.getRhs(), dim));
  return finishShape(builder, op, std::move(sizes), shapes);
}

#define MICA_BINARY_OP(OP)                                                                                             \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {        \
    return inferBinary(adaptor, results);                                                                              \
  }                                                                                                                    \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {                       \
    return reifyBinary(builder, *this, shapes);                                                                        \
  }
MICA_BINARY_OP(AddOp)
MICA_BINARY_OP(SubOp)
MICA_BINARY_OP(MulOp)
MICA_BINARY_OP(DivOp)
MICA_BINARY_OP(MaxOp)
MICA_BINARY_OP(MinOp)
MICA_BINARY_OP(PowOp)
MICA_BINARY_OP(RemOp)
MICA_BINARY_OP(LogicalAndOp)
MICA_BINARY_OP(LogicalOrOp)
MICA_BINARY_OP(LogicalXorOp)
MICA_BINARY_OP(BitwiseAndOp)
MICA_BINARY_OP(BitwiseOrOp)
MICA_BINARY_OP(BitwiseXorOp)
MICA_BINARY_OP(ShiftLeftOp)
MICA_BINARY_OP(ShiftRightArithmeticOp)
MICA_BINARY_OP(ShiftRightLogicalOp)
#undef MICA_BINARY_OP

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor,
                                          Types &results) {
  return inferBinary(adaptor, results, IntegerType::get(context, 1));
}

LogicalResult CompareOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyBinary(builder, *this, shapes);
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  auto condition = tensorOf(adaptor.getCondition()), onTrue = tensorOf(adaptor.getOnTrue());
  auto onFalse = tensorOf(adaptor.getOnFalse());
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(onTrue.getShape(), onFalse.getShape());
  if (shape)
    shape = broadcastShapes(condition.getShape(), *shape);
  if (!shape)
    return failure();
  results.push_back(RankedTensorType::get(*shape, onTrue.getElementType()));
  return success();
}

LogicalResult SelectOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, rank = getType().getRank(); dim < rank; ++dim) {
    // The size of the first operand that is not broadcast in this dimension.
    Value from = getOnFalse();
    for (Value operand : {getCondition(), getOnTrue()})
      if (tensorOf(operand).getDimSize(dim) != 1) {
        from = operand;
        break;
      }
    sizes.push_back(sizeOf(builder, getLoc(), from, dim));
  }
  return finishShape(builder, *this, std::move(sizes), shapes);
}

//===------------------------------------------------------------------------------------------------------------===//
// Contraction
//===------------------------------------------------------------------------------------------------------------===//

/// The batch dimensions of a matmul: those of the operand that has them, or both broadcast.
static std::optional<SmallVector<int64_t>> matmulBatch(RankedTensorType lhs, RankedTensorType rhs) {
  ArrayRef<int64_t> l = lhs.getShape().drop_back(2), r = rhs.getShape().drop_back(2);
  if (l.empty())
    return SmallVector<int64_t>(r);
  if (r.empty())
    return SmallVector<int64_t>(l);
  return broadcastShapes(l, r);
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  auto lhs = tensorOf(adaptor.getLhs()), rhs = tensorOf(adaptor.getRhs());
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return failure();
  std::optional<SmallVector<int64_t>> shape = matmulBatch(lhs, rhs);
  if (!shape)
    return failure();
  shape->push_back(lhs.getDimSize(lhs.getRank() - (adaptor.getTransposeA() ? 1 : 2)));
  shape->push_back(rhs.getDimSize(rhs.getRank() - (adaptor.getTransposeB() ? 2 : 1)));
  results.push_back(RankedTensorType::get(*shape, lhs.getElementType()));
  return success();
}

LogicalResult MatmulOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  int64_t batch = getType().getRank() - 2;
  bool lhsHasBatch = getLhs().getType().getRank() - 2 == batch, rhsHasBatch = getRhs().getType().getRank() - 2 == batch;
  for (int64_t dim = 0; dim < batch; ++dim) {
    if (lhsHasBatch && rhsHasBatch)
      sizes.push_back(broadcastSize(builder, getLoc(), getLhs(), dim, getRhs(), dim));
    else
      sizes.push_back(sizeOf(builder, getLoc(), lhsHasBatch ? getLhs() : getRhs(), dim));
  }
  sizes.push_back(sizeOf(builder, getLoc(), getLhs(), getLhsRowDim()));
  sizes.push_back(sizeOf(builder, getLoc(), getRhs(), getRhsColumnDim()));
  return finishShape(builder, *this, std::move(sizes), shapes);
}

//===------------------------------------------------------------------------------------------------------------===//
// Reduction
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  auto input = tensorOf(adaptor.getInput());
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(input.getShape())) {
    if (!llvm::is_contained(adaptor.getDims(), static_cast<int64_t>(dim)))
      shape.push_back(size);
    else if (adaptor.getKeepDims())
      shape.push_back(1);
  }
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult ReduceOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0, rank = getInput().getType().getRank(); dim < rank; ++dim) {
    if (!llvm::is_contained(getDims(), dim))
      sizes.push_back(sizeOf(builder, getLoc(), getInput(), dim));
    else if (getKeepDims())
      sizes.push_back(builder.getIndexAttr(1));
  }
  return finishShape(builder, *this, std::move(sizes), shapes);
}

//===------------------------------------------------------------------------------------------------------------===//
// Shape
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor, Types &results) {
  auto input = tensorOf(adaptor.getInput());
  SmallVector<int64_t> shape;
  for (int64_t dim : adaptor.getPermutation()) {
    if (dim < 0 || dim >= input.getRank())
      return failure();
    shape.push_back(input.getDimSize(dim));
  }
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult TransposeOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : getPermutation())
    sizes.push_back(sizeOf(builder, getLoc(), getInput(), dim));
  return finishShape(builder, *this, std::move(sizes), shapes);
}

LogicalResult ReshapeOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(getContext(), getType().getShape());
  for (auto [dim, size] : llvm::enumerate(getType().getShape())) {
    if (!ShapedType::isDynamic(size))
      continue;
    // The dynamic size is the number of elements divided by the product of the other sizes.
    int64_t known = 1, others = 1;
    for (int64_t d = 0, rank = getInput().getType().getRank(); d < rank; ++d)
      if (!getInput().getType().isDynamicDim(d))
        known *= getInput().getType().getDimSize(d);
    for (int64_t other : getType().getShape())
      others *= ShapedType::isDynamic(other) ? 1 : other;
    OpFoldResult product = builder.getIndexAttr(known);
    for (int64_t d = 0, rank = getInput().getType().getRank(); d < rank; ++d) {
      if (!getInput().getType().isDynamicDim(d))
        continue;
      // A product of two symbols is not affine, so more than one dynamic dimension requires arithmetic ops.
      OpFoldResult factor = sizeOf(builder, getLoc(), getInput(), d);
      if (auto number = getConstantIntValue(product))
        product = affine::makeComposedFoldedAffineApply(builder, getLoc(), builder.getAffineSymbolExpr(0) * *number,
                                                        {factor});
      else
        product = arith::MulIOp::create(builder, getLoc(), cast<Value>(product),
                                        getValueOrCreateConstantIndexOp(builder, getLoc(), factor))
                      .getResult();
    }
    sizes[dim] = affine::makeComposedFoldedAffineApply(builder, getLoc(),
                                                       builder.getAffineSymbolExpr(0).floorDiv(others), {product});
  }
  shapes.push_back(std::move(sizes));
  return success();
}

/// The sizes of an operation that has its dynamic result sizes as operands.
template <typename OpTy>
static LogicalResult reifyGivenSizes(OpBuilder &builder, OpTy op, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes;
  unsigned next = 0;
  for (int64_t size : op.getType().getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(op.getSizes()[next++]) : builder.getIndexAttr(size));
  shapes.push_back(std::move(sizes));
  return success();
}

LogicalResult BroadcastOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyGivenSizes(builder, *this, shapes);
}

LogicalResult IotaOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyGivenSizes(builder, *this, shapes);
}

LogicalResult OneHotOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, getLoc(), getIndices());
  sizes.insert(sizes.begin() + getAxis(), builder.getIndexAttr(getType().getDimSize(getAxis())));
  return finishShape(builder, *this, std::move(sizes), shapes);
}
