//===- VerifyWindows.cpp - verifiers of windows and of linear algebra --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Convolution, reduce_window, select_and_scatter, and ops on matrices and bits. Numbers in parentheses are those of
// the specification.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;
using namespace mica::stablehlo::verifier;

/// Checks that a padding has two numbers for each of `rank` dimensions.
static LogicalResult verifyPadding(Operation *op, DenseIntElementsAttr padding, int64_t rank) {
  if (padding && padding.getNumElements() != 2 * rank)
    return op->emitOpError("has ") << padding.getNumElements() << " paddings, expected " << 2 * rank;
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Windows
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult ConvolutionOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs()), to = typeOf(getResult());
  ConvDimensionNumbersAttr numbers = getDimensionNumbers();
  const int64_t rank = lhs.getRank(), spatial = rank - 2;
  if (rank < 2 || rhs.getRank() != rank || to.getRank() != rank) // (C1)
    return emitOpError("has operands and a result of ranks ")
           << rank << ", " << rhs.getRank() << " and " << to.getRank() << ", expected one rank of at least 2";
  const auto verifySide = [&](int64_t first, int64_t second, ArrayRef<int64_t> others) {
    SmallVector<int64_t> dims{first, second};
    llvm::append_range(dims, others);
    return success(succeeded(verifyCount(*this, dims.size(), rank, "dimension numbers")) &&
                   succeeded(verifyDims(*this, dims, rank, "dimension numbers")));
  };
  if (failed(verifySide(numbers.getInputBatchDimension(), numbers.getInputFeatureDimension(),
                        numbers.getInputSpatialDimensions())) || // (C12), (C13)
      failed(verifySide(numbers.getKernelInputFeatureDimension(), numbers.getKernelOutputFeatureDimension(),
                        numbers.getKernelSpatialDimensions())) || // (C17), (C18)
      failed(verifySide(numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension(),
                        numbers.getOutputSpatialDimensions()))) // (C19), (C20)
    return failure();
  const SmallVector<int64_t> strides = listOr(getWindowStridesAttr(), spatial, 1),
                             lhsDilation = listOr(getLhsDilationAttr(), spatial, 1),
                             rhsDilation = listOr(getRhsDilationAttr(), spatial, 1),
                             reversal = listOr(getWindowReversalAttr(), spatial, 0),
                             padding = listOr(getPaddingAttr(), 2 * spatial, 0);
  if (failed(verifyLists(*this,
                         {{"window_strides", strides}, {"lhs_dilation", lhsDilation}, {"rhs_dilation", rhsDilation}},
                         spatial, 1)) || // (C2) to (C8)
      failed(verifyLists(*this, {{"window_reversal", reversal}}, spatial, 0)) ||
      failed(verifyPadding(*this, getPaddingAttr(), spatial)))
    return failure();
  const int64_t features = getFeatureGroupCount(), batches = getBatchGroupCount();
  if (features < 1 || batches < 1 || (features > 1 && batches > 1)) // (C21) to (C23)
    return emitOpError("has ") << features << " feature groups and " << batches << " batch groups, expected one of one "
                               << "kind, and at least one of the other";
  const int64_t batch = lhs.getDimSize(numbers.getInputBatchDimension()),
                in = lhs.getDimSize(numbers.getInputFeatureDimension()),
                kernelIn = rhs.getDimSize(numbers.getKernelInputFeatureDimension()),
                out = rhs.getDimSize(numbers.getKernelOutputFeatureDimension());
  const auto divides = [](int64_t size, int64_t count) { return ShapedType::isDynamic(size) || size % count == 0; };
  if (!divides(batch, batches) || !divides(in, features) || !divides(out, features) || !divides(out, batches) ||
      (!ShapedType::isDynamic(in) && !fits(in / features, kernelIn))) // (C10), (C11), (C14) to (C16)
    return emitOpError("has ") << batch << " batches, " << in << " input features, " << kernelIn
                               << " of the kernel and " << out << " output features, which its groups do not divide";
  SmallVector<int64_t> shape(rank);
  shape[numbers.getOutputBatchDimension()] = ShapedType::isDynamic(batch) ? batch : batch / batches;
  shape[numbers.getOutputFeatureDimension()] = out;
  for (int64_t dim = 0; dim < spatial; ++dim)
    shape[numbers.getOutputSpatialDimensions()[dim]] =
        windowed(lhs.getDimSize(numbers.getInputSpatialDimensions()[dim]), lhsDilation[dim], padding[2 * dim],
                 padding[2 * dim + 1], rhs.getDimSize(numbers.getKernelSpatialDimensions()[dim]), rhsDilation[dim],
                 strides[dim]);
  return verifyResult(*this, shape, to.getElementType()); // (C25)
}

LogicalResult ReduceWindowOp::verify() {
  if (getInputs().empty() || getInputs().size() != getInitValues().size() || getNumResults() != getInputs().size())
    return emitOpError("needs as many initial values and results as operands, and at least one"); // (C1)
  RankedTensorType first = typeOf(getInputs().front());
  const int64_t rank = first.getRank();
  const SmallVector<int64_t> window = listOf(getWindowDimensions()), strides = listOr(getWindowStridesAttr(), rank, 1),
                             base = listOr(getBaseDilationsAttr(), rank, 1),
                             dilation = listOr(getWindowDilationsAttr(), rank, 1),
                             padding = listOr(getPaddingAttr(), 2 * rank, 0);
  if (failed(verifyLists(*this,
                         {{"window_dimensions", window},
                          {"window_strides", strides},
                          {"base_dilations", base},
                          {"window_dilations", dilation}},
                         rank, 1)) ||                       // (C4) to (C11)
      failed(verifyPadding(*this, getPaddingAttr(), rank))) // (C12)
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim)
    shape.push_back(windowed(first.getDimSize(dim), base[dim], padding[2 * dim], padding[2 * dim + 1], window[dim],
                             dilation[dim], strides[dim]));
  SmallVector<Type> scalars;
  for (auto [input, init, result] : llvm::zip_equal(getInputs(), getInitValues(), getResults())) {
    if (!fit(typeOf(input).getShape(), first.getShape())) // (C2)
      return emitOpError("has operands of types ") << first << " and " << input.getType();
    if (!isScalar(init))
      return emitOpError("has an initial value of type ") << init.getType() << ", expected rank 0";
    if (!fit(typeOf(result).getShape(), shape)) // (C14), (C15)
      return emitOpError("has a result of sizes ") << text(typeOf(result).getShape()) << ", expected " << text(shape);
    scalars.push_back(RankedTensorType::get({}, getElementTypeOrSelf(result)));
  }
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  return verifyBlock(*this, getBody().front(), arguments, scalars); // (C13)
}

LogicalResult SelectAndScatterOp::verify() {
  RankedTensorType operand = typeOf(getOperand()), source = typeOf(getSource());
  const int64_t rank = operand.getRank();
  const SmallVector<int64_t> window = listOr(getWindowDimensionsAttr(), rank, 1),
                             strides = listOr(getWindowStridesAttr(), rank, 1),
                             padding = listOr(getPaddingAttr(), 2 * rank, 0);
  if (failed(verifyLists(*this, {{"window_dimensions", window}, {"window_strides", strides}}, rank, 1)) ||
      failed(verifyPadding(*this, getPaddingAttr(), rank))) // (C4) to (C8)
    return failure();
  if (!isScalar(getInitValue()))
    return emitOpError("has an initial value of type ") << getInitValue().getType() << ", expected rank 0";
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim)
    shape.push_back(
        windowed(operand.getDimSize(dim), 1, padding[2 * dim], padding[2 * dim + 1], window[dim], 1, strides[dim]));
  if (!fit(source.getShape(), shape)) // (C2)
    return emitOpError("has a source of sizes ") << text(source.getShape()) << ", expected " << text(shape);
  const Type element = getElementTypeOrSelf(getResult()), scalar = RankedTensorType::get({}, element),
             selected = RankedTensorType::get({}, operand.getElementType()),
             pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyBlock(*this, getSelect().front(), {selected, selected}, pred)) || // (C9)
      failed(verifyBlock(*this, getScatter().front(), {scalar, scalar}, scalar)))    // (C10)
    return failure();
  return verifyResult(*this, operand.getShape(), element); // (C11)
}

//===------------------------------------------------------------------------------------------------------------===//
// Matrices
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType lhs = typeOf(getLhs()), rhs = typeOf(getRhs());
  if (lhs.getRank() < 1 || lhs.getRank() > 2 || rhs.getRank() < 1 || rhs.getRank() > 2)
    return emitOpError("has operands of ranks ") << lhs.getRank() << " and " << rhs.getRank() << ", expected 1 or 2";
  if (!fits(lhs.getShape().back(), rhs.getDimSize(0)))
    return emitOpError("pairs dimensions of sizes ") << lhs.getShape().back() << " and " << rhs.getDimSize(0);
  SmallVector<int64_t> shape(lhs.getShape().drop_back());
  llvm::append_range(shape, rhs.getShape().drop_front());
  return verifyResult(*this, shape, getElementTypeOrSelf(getResult()));
}

/// Checks that the last two dimensions are of one size.
static LogicalResult verifySquare(Operation *op, RankedTensorType type) {
  if (type.getRank() < 2 || !fits(type.getDimSize(type.getRank() - 1), type.getDimSize(type.getRank() - 2)))
    return op->emitOpError("works on ") << type << ", expected a batch of square matrices";
  return success();
}

LogicalResult CholeskyOp::verify() {
  RankedTensorType type = typeOf(getA());
  if (failed(verifySquare(*this, type))) // (C2), (C3)
    return failure();
  return verifyResult(*this, type.getShape(), type.getElementType()); // (C1)
}

LogicalResult TriangularSolveOp::verify() {
  RankedTensorType a = typeOf(getA()), b = typeOf(getB());
  if (failed(verifySquare(*this, a))) // (C3)
    return failure();
  const int64_t rank = a.getRank();
  if (b.getRank() != rank || !fit(a.getShape().drop_back(2), b.getShape().drop_back(2)) ||
      !fits(a.getDimSize(rank - 1), b.getDimSize(getLeftSide() ? rank - 2 : rank - 1))) // (C2)
    return emitOpError("solves systems ") << a << " for " << b;
  if (getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return emitOpError("has 'transpose_a' = TRANSPOSE_INVALID");
  return verifyResult(*this, b.getShape(), b.getElementType()); // (C4)
}

LogicalResult FftOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = typeOf(getResult());
  const SmallVector<int64_t> length = listOf(getFftLength());
  const int64_t count = int64_t(length.size()), rank = from.getRank();
  if (count < 1 || count > 3 || count > rank) // (C1), (C3)
    return emitOpError("transforms ") << count << " dimensions of " << from << ", expected 1 to 3";
  const bool fromReal = getFftType() == FftType::RFFT, toReal = getFftType() == FftType::IRFFT;
  if (isa<ComplexType>(from.getElementType()) == fromReal || isa<ComplexType>(to.getElementType()) == toReal)
    return emitOpError("transforms ") << from << " to " << to; // (C2)
  SmallVector<int64_t> fromShape(from.getShape()), toShape(from.getShape());
  for (int64_t dim = 0; dim < count; ++dim)
    fromShape[rank - count + dim] = toShape[rank - count + dim] = length[dim];
  if (fromReal)
    toShape.back() = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (toReal)
    fromShape.back() = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (!fit(from.getShape(), fromShape)) // (C4)
    return emitOpError("transforms sizes ") << text(from.getShape()) << ", expected " << text(fromShape);
  return verifyResult(*this, toShape, to.getElementType()); // (C5)
}

//===------------------------------------------------------------------------------------------------------------===//
// Bits and sizes
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult RngBitGeneratorOp::verify() {
  RankedTensorType state = typeOf(getInitialState());
  if (state != getOutputState().getType()) // (C1)
    return emitOpError("has states of types ") << state << " and " << getOutputState().getType();
  if (!isa<IntegerType>(state.getElementType()) || state.getRank() != 1)
    return emitOpError("has a state of type ") << state << ", expected a vector of integers";
  return success();
}

/// The bits of an element; of a quantized one those of the integer.
static int64_t bitsOf(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.getStorageTypeIntegralWidth();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * int64_t(complex.getElementType().getIntOrFloatBitWidth());
  return element.isIntOrFloat() ? int64_t(element.getIntOrFloatBitWidth()) : 0;
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType from = typeOf(getOperand()), to = typeOf(getResult());
  const int64_t fromBits = bitsOf(from.getElementType()), toBits = bitsOf(to.getElementType());
  if (fromBits == 0 || toBits == 0 ||
      isa<ComplexType>(from.getElementType()) != isa<ComplexType>(to.getElementType())) // (C2)
    return emitOpError("converts ") << from << " to " << to;
  SmallVector<int64_t> wide(fromBits >= toBits ? from.getShape() : to.getShape());
  const int64_t ratio = std::max(fromBits, toBits) / std::min(fromBits, toBits);
  if (std::max(fromBits, toBits) % std::min(fromBits, toBits) != 0)
    return emitOpError("converts ") << from << " to " << to;
  if (ratio != 1)
    wide.push_back(ratio);
  if (!fit(wide, fromBits >= toBits ? to.getShape() : from.getShape())) // (C1)
    return emitOpError("converts ") << from << " to " << to;
  return success();
}

LogicalResult ReducePrecisionOp::verify() {
  if (int32_t(getExponentBits()) < 1) // (C2)
    return emitOpError("has ") << int32_t(getExponentBits()) << " exponent bits, expected at least 1";
  if (int32_t(getMantissaBits()) < 0) // (C3)
    return emitOpError("has ") << int32_t(getMantissaBits()) << " mantissa bits, expected at least 0";
  return success();
}

LogicalResult GetDimensionSizeOp::verify() {
  if (failed(verifyDims(*this, int64_t(getDimension()), typeOf(getOperand()).getRank(), "the dimension 'dim'"))) // (C1)
    return failure();
  return verifyResult(*this, {}, getElementTypeOrSelf(getResult()));
}

LogicalResult SetDimensionSizeOp::verify() {
  RankedTensorType operand = typeOf(getOperand());
  if (failed(verifyDims(*this, int64_t(getDimension()), operand.getRank(), "the dimension 'dim'")))
    return failure();
  if (!isScalar(getSize()) || !isa<IntegerType>(getElementTypeOrSelf(getSize())))
    return emitOpError("has a size of type ") << getSize().getType() << ", expected an integer of rank 0";
  SmallVector<int64_t> shape(operand.getShape());
  shape[getDimension()] = ShapedType::kDynamic;
  return verifyResult(*this, shape, operand.getElementType());
}
