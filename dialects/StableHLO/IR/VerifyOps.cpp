//===- VerifyOps.cpp - verifiers of the dialect stablehlo ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The constraints on shapes and types that traits do not state. A dynamic size fits every size.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;
using namespace mica::stablehlo::verifier;

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult stablehlo::AbsOp::verify() {
  Type from = getElementTypeOrSelf(getOperand()), to = getElementTypeOrSelf(getResult());
  if (auto complex = dyn_cast<ComplexType>(from))
    from = complex.getElementType();
  if (from != to) // (C1), (C2)
    return emitOpError("has a result of element type ") << to << ", expected " << from;
  return success();
}

LogicalResult SelectOp::verify() {
  RankedTensorType type = typeOf(getOnTrue());
  if (!isScalar(getPred()) && !fit(typeOf(getPred()).getShape(), type.getShape()))
    return emitOpError("has a predicate of sizes ")
           << text(typeOf(getPred()).getShape()) << ", expected " << text(type.getShape()) << " or rank 0";
  if (!fit(typeOf(getOnFalse()).getShape(), type.getShape()) ||
      getElementTypeOrSelf(getOnFalse()) != type.getElementType())
    return emitOpError("chooses between values of different types");
  return verifyResult(*this, type.getShape(), type.getElementType());
}

LogicalResult ClampOp::verify() {
  RankedTensorType type = typeOf(getOperand());
  for (Value limit : {getMin(), getMax()})
    if (!isScalar(limit) && !fit(typeOf(limit).getShape(), type.getShape()))
      return emitOpError("has a limit of sizes ")
             << text(typeOf(limit).getShape()) << ", expected " << text(type.getShape()) << " or rank 0";
  return verifyResult(*this, type.getShape(), type.getElementType());
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  return verifyDims(*this, int64_t(getIotaDimension()), type.getRank(), "the dimension 'dim' must exist: its values");
}

LogicalResult BroadcastInDimOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  auto to = cast<RankedTensorType>(getType());
  if (failed(verifyCount(*this, getBroadcastDimensions().size(), from.getRank(), "'dims'")) ||
      failed(verifyDims(*this, getBroadcastDimensions(), to.getRank(), "'dims'")))
    return failure();
  for (auto [dim, target] : llvm::enumerate(getBroadcastDimensions())) {
    const int64_t size = from.getDimSize(dim);
    if (size != 1 && !fits(size, to.getDimSize(target)))
      return emitOpError("broadcasts dimension ") << dim << " of size " << size << " to size " << to.getDimSize(target);
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  auto to = cast<RankedTensorType>(getType());
  if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements())
    return emitOpError("has ") << from.getNumElements() << " elements, and " << to.getNumElements() << " in its result";
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  if (failed(verifyCount(*this, getPermutation().size(), from.getRank(), "'dims'")) ||
      failed(verifyDims(*this, getPermutation(), from.getRank(), "'dims'")))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim : getPermutation())
    shape.push_back(from.getDimSize(dim));
  return verifyResult(*this, shape, from.getElementType());
}

LogicalResult ReverseOp::verify() {
  return verifyDims(*this, getDimensions(), typeOf(getOperand()).getRank(), "'dims'");
}

LogicalResult stablehlo::SliceOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  for (size_t count : {getStartIndices().size(), getLimitIndices().size(), getStrides().size()})
    if (failed(verifyCount(*this, count, from.getRank(), "positions")))
      return failure();
  SmallVector<int64_t> shape;
  for (auto [dim, start, limit, stride] : llvm::enumerate(getStartIndices(), getLimitIndices(), getStrides())) {
    const int64_t size = from.getDimSize(dim);
    if (start < 0 || start > limit || stride < 1 || (!ShapedType::isDynamic(size) && limit > size))
      return emitOpError("takes the positions ")
             << start << ':' << limit << ':' << stride << " of dimension " << dim << " of size " << size;
    shape.push_back((limit - start) / stride + ((limit - start) % stride != 0));
  }
  return verifyResult(*this, shape, from.getElementType());
}

LogicalResult ConcatenateOp::verify() {
  if (getInputs().empty())
    return emitOpError("has no operands");
  RankedTensorType first = typeOf(getInputs().front());
  const int64_t along = getDimension();
  if (failed(verifyDims(*this, along, first.getRank(), "the dimension 'dim' must exist: its values")))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[along] = 0;
  for (Value input : getInputs()) {
    RankedTensorType type = typeOf(input);
    SmallVector<int64_t> other(type.getShape());
    if (type.getElementType() != first.getElementType() || type.getRank() != first.getRank())
      return emitOpError("has operands of types ") << first << " and " << type;
    const int64_t size = other[along];
    other[along] = shape[along];
    if (!fit(other, shape))
      return emitOpError("has operands of types ") << first << " and " << type;
    const bool isDynamic = ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[along]);
    shape[along] = isDynamic ? ShapedType::kDynamic : shape[along] + size;
  }
  return verifyResult(*this, shape, first.getElementType());
}

LogicalResult stablehlo::PadOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  if (!isScalar(getPaddingValue()))
    return emitOpError("has a padding value of rank ") << typeOf(getPaddingValue()).getRank() << ", expected 0";
  for (size_t count : {getEdgePaddingLow().size(), getEdgePaddingHigh().size(), getInteriorPadding().size()})
    if (failed(verifyCount(*this, count, from.getRank(), "paddings")))
      return failure();
  SmallVector<int64_t> shape;
  for (auto [size, low, high, interior] :
       llvm::zip_equal(from.getShape(), getEdgePaddingLow(), getEdgePaddingHigh(), getInteriorPadding())) {
    if (interior < 0)
      return emitOpError("has a negative interior padding");
    shape.push_back(ShapedType::isDynamic(size) ? size : size + low + high + std::max<int64_t>(size - 1, 0) * interior);
    if (!ShapedType::isDynamic(size) && shape.back() < 0)
      return emitOpError("removes more elements than there are");
  }
  return verifyResult(*this, shape, from.getElementType());
}

/// Checks that there is an integer of rank 0 for each dimension.
static LogicalResult verifyStarts(Operation *op, OperandRange starts, int64_t rank) {
  if (failed(verifyCount(op, starts.size(), rank, "start indices")))
    return failure();
  for (Value start : starts)
    if (!isScalar(start) || !isa<IntegerType>(getElementTypeOrSelf(start)) || start.getType() != starts[0].getType())
      return op->emitOpError("has start indices that are not integers of rank 0 of one type");
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  RankedTensorType from = typeOf(getOperand());
  if (failed(verifyStarts(*this, getStartIndices(), from.getRank())) ||
      failed(verifyCount(*this, getSliceSizes().size(), from.getRank(), "slice sizes")))
    return failure();
  for (auto [dim, size] : llvm::enumerate(getSliceSizes()))
    if (size < 0 || (!from.isDynamicDim(dim) && size > from.getDimSize(dim)))
      return emitOpError("takes ") << size << " positions of dimension " << dim << " of size " << from.getDimSize(dim);
  return verifyResult(*this, getSliceSizes(), from.getElementType());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  RankedTensorType from = typeOf(getOperand()), update = typeOf(getUpdate());
  if (failed(verifyStarts(*this, getStartIndices(), from.getRank())))
    return failure();
  if (update.getRank() != from.getRank() || update.getElementType() != from.getElementType())
    return emitOpError("updates ") << from << " by " << update;
  for (auto [size, whole] : llvm::zip_equal(update.getShape(), from.getShape()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(whole) && size > whole)
      return emitOpError("updates ") << from << " by " << update;
  return verifyResult(*this, from.getShape(), from.getElementType());
}

//===------------------------------------------------------------------------------------------------------------===//
// Contraction, reduction
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs());
  DotDimensionNumbersAttr numbers = getDotDimensionNumbers();
  SmallVector<int64_t> shape;
  auto verifySide = [&](RankedTensorType type, ArrayRef<int64_t> batch, ArrayRef<int64_t> sum) {
    SmallVector<int64_t> both(batch);
    llvm::append_range(both, sum);
    return verifyDims(*this, both, type.getRank(), "batching and contracting dimensions");
  };
  ArrayRef<int64_t> lhsBatch = numbers.getLhsBatchingDimensions(), rhsBatch = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsSum = numbers.getLhsContractingDimensions(), rhsSum = numbers.getRhsContractingDimensions();
  if (failed(verifySide(lhs, lhsBatch, lhsSum)) || failed(verifySide(rhs, rhsBatch, rhsSum)))
    return failure();
  if (lhsBatch.size() != rhsBatch.size() || lhsSum.size() != rhsSum.size())
    return emitOpError("has different numbers of dimensions for its two operands");
  const auto joined = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> all(a);
    llvm::append_range(all, b);
    return all;
  };
  for (auto [a, b] : llvm::zip_equal(joined(lhsBatch, lhsSum), joined(rhsBatch, rhsSum)))
    if (!fits(lhs.getDimSize(a), rhs.getDimSize(b)))
      return emitOpError("pairs dimension ") << a << " of " << lhs << " with dimension " << b << " of " << rhs;
  for (int64_t dim : lhsBatch)
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (!llvm::is_contained(lhsBatch, dim) && !llvm::is_contained(lhsSum, dim))
      shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
    if (!llvm::is_contained(rhsBatch, dim) && !llvm::is_contained(rhsSum, dim))
      shape.push_back(rhs.getDimSize(dim));
  return verifyResult(*this, shape, getElementTypeOrSelf(getResult()));
}

LogicalResult stablehlo::ReduceOp::verify() {
  if (getInputs().empty() || getInputs().size() != getInitValues().size() || getNumResults() != getInputs().size())
    return emitOpError("needs as many initial values and results as operands, and at least one");
  RankedTensorType first = typeOf(getInputs().front());
  if (failed(verifyDims(*this, getDimensions(), first.getRank(), "'dimensions'")))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < first.getRank(); ++dim)
    if (!llvm::is_contained(getDimensions(), dim))
      shape.push_back(first.getDimSize(dim));
  SmallVector<Type> scalars;
  for (auto [input, init, result] : llvm::zip_equal(getInputs(), getInitValues(), getResults())) {
    if (!fit(typeOf(input).getShape(), first.getShape()))
      return emitOpError("has operands of types ") << first << " and " << input.getType();
    if (!isScalar(init))
      return emitOpError("has an initial value of type ") << init.getType() << ", expected rank 0";
    if (!fit(typeOf(result).getShape(), shape) || getElementTypeOrSelf(result) != getElementTypeOrSelf(init))
      return emitOpError("has a result of type ")
             << result.getType() << ", expected sizes " << text(shape) << " and the initial value's element type";
    scalars.push_back(init.getType());
  }
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  return verifyBlock(*this, getBody().front(), arguments, scalars);
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------------------------===//

static bool isScalarOf(Value value, unsigned width) {
  return isScalar(value) && getElementTypeOrSelf(value).isSignlessInteger(width);
}

LogicalResult stablehlo::IfOp::verify() {
  if (!isScalarOf(getPred(), 1))
    return emitOpError("has a predicate of type ") << getPred().getType() << ", expected tensor<i1>";
  if (failed(verifyBlock(*this, getTrueBranch().front(), {}, getResultTypes())))
    return failure();
  return verifyBlock(*this, getFalseBranch().front(), {}, getResultTypes());
}

LogicalResult CaseOp::verify() {
  if (!isScalarOf(getIndex(), 32))
    return emitOpError("has an index of type ") << getIndex().getType() << ", expected tensor<i32>";
  if (getBranches().empty())
    return emitOpError("has no branches");
  for (Region &branch : getBranches())
    if (failed(verifyBlock(*this, branch.front(), {}, getResultTypes())))
      return failure();
  return success();
}

LogicalResult stablehlo::WhileOp::verify() {
  const Type pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyBlock(*this, getCond().front(), getOperandTypes(), pred)))
    return failure();
  return verifyBlock(*this, getBody().front(), getOperandTypes(), getOperandTypes());
}

//===------------------------------------------------------------------------------------------------------------===//
// Tuples, quantized types, older ops
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult TupleOp::verify() {
  auto type = cast<TupleType>(getType());
  if (type.getTypes() != getOperandTypes())
    return emitOpError("has a result of type ") << type << " and operands of types (" << getOperandTypes() << ')';
  return success();
}

LogicalResult GetTupleElementOp::verify() {
  auto type = cast<TupleType>(getOperand().getType());
  const int32_t index = int32_t(getIndex());
  if (index < 0 || size_t(index) >= type.size())
    return emitOpError("takes element ") << index << " of a tuple of " << type.size();
  if (type.getType(index) != getType())
    return emitOpError("has a result of type ") << getType() << ", expected " << type.getType(index);
  return success();
}

/// Checks that quantized elements, which `type` has, express `floats`.
static LogicalResult verifyQuantized(Operation *op, Type type, Type floats) {
  auto quantized = dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
  if (!quantized)
    return op->emitOpError("works on quantized elements, got ") << getElementTypeOrSelf(type);
  if (quantized.getExpressedType() != getElementTypeOrSelf(floats))
    return op->emitOpError("converts between ") << type << " and " << floats;
  return success();
}

LogicalResult UniformQuantizeOp::verify() {
  const Type from = getElementTypeOrSelf(getOperand());
  auto quantized = dyn_cast<quant::QuantizedType>(from);
  return verifyQuantized(*this, getType(), quantized ? quantized.getExpressedType() : from);
}

LogicalResult UniformDequantizeOp::verify() { return verifyQuantized(*this, getOperand().getType(), getType()); }

LogicalResult stablehlo::ConstantOp::verify() {
  auto given = dyn_cast<RankedTensorType>(getValue().getShapedType());
  auto type = cast<RankedTensorType>(getType());
  auto quantized = dyn_cast<quant::QuantizedType>(type.getElementType());
  auto stored = given ? dyn_cast<IntegerType>(given.getElementType()) : IntegerType();
  const bool fits = quantized ? stored && given.getShape() == type.getShape() &&
                                    stored.getWidth() == quantized.getStorageTypeIntegralWidth()
                              : given == type;
  if (!fits)
    return emitOpError("has a result of type ") << type << " and a value of type " << getValue().getShapedType();
  return success();
}

LogicalResult stablehlo::BroadcastOp::verify() {
  SmallVector<int64_t> shape = listOf(getBroadcastSizes());
  llvm::append_range(shape, typeOf(getOperand()).getShape());
  return verifyResult(*this, shape, getElementTypeOrSelf(getOperand()));
}
