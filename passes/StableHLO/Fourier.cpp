//===- Fourier.cpp - Fourier transforms as products with matrices ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each dimension is multiplied by its matrix of cosines and sines, in 64-bit floats.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

/// The longest dimension; its matrices have 2^22 elements together.
static constexpr int64_t kLongest = 1448;

namespace {
class Transform {
public:
  Transform(OpBuilder &builder, Location loc) : builder(builder), loc(loc), arith(builder, loc) {}

  /// Transforms dimension `dim`, of `from` elements, to `to` elements. `sign` is that of the exponent. A real operand
  /// has a null imaginary part; a result is real if `toReal`, which also takes the missing half of a spectrum of
  /// `length` values as conjugates.
  Parts along(Parts value, int64_t dim, int64_t from, int64_t to, int64_t length, double sign, bool toReal) {
    SmallVector<double> cosines, sines;
    const double scale = sign > 0 ? 1.0 / double(length) : 1.0;
    for (int64_t i = 0; i < from; ++i)
      for (int64_t j = 0; j < to; ++j) {
        // The remainder keeps the argument small.
        const double angle = 2 * M_PI * double(i * j % length) / double(length);
        const bool isPaired = toReal && i != 0 && 2 * i != length;
        const double factor = isPaired ? 2 * scale : scale;
        cosines.push_back(factor * std::cos(angle));
        sines.push_back(factor * sign * std::sin(angle));
      }
    Value c = matrix(from, to, cosines), s = matrix(from, to, sines);
    if (!value.im)
      return {product(value.re, c, dim), product(value.re, s, dim)};
    Value re = arith.sub(product(value.re, c, dim), product(value.im, s, dim));
    if (toReal)
      return {re, Value()};
    return {re, arith.add(product(value.re, s, dim), product(value.im, c, dim))};
  }

private:
  Value matrix(int64_t rows, int64_t columns, ArrayRef<double> values) {
    auto type = RankedTensorType::get({rows, columns}, builder.getF64Type());
    return hlo::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, values));
  }

  /// Contracts dimension `dim` with the rows of `by`; the columns take its place.
  Value product(Value value, Value by, int64_t dim) {
    auto type = cast<RankedTensorType>(value.getType());
    const int64_t rank = type.getRank(), columns = cast<RankedTensorType>(by.getType()).getDimSize(1);
    SmallVector<int64_t> shape(type.getShape()), order;
    shape.erase(shape.begin() + dim);
    shape.push_back(columns);
    auto numbers = hlo::DotDimensionNumbersAttr::get(builder.getContext(), {}, {}, {dim}, {0});
    Value result = hlo::DotGeneralOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
                                             by, numbers, ArrayAttr());
    if (dim == rank - 1)
      return result;
    for (int64_t i = 0; i < rank; ++i)
      order.push_back(i < dim ? i : i == dim ? rank - 1 : i - 1);
    SmallVector<int64_t> back(type.getShape());
    back[dim] = columns;
    return hlo::TransposeOp::create(builder, loc, RankedTensorType::get(back, type.getElementType()), result, order);
  }

  OpBuilder &builder;
  Location loc;
  Arith arith;
};
} // namespace

std::optional<Parts> hlotypes::computeFft(hlo::FftOp op, Parts operand, OpBuilder &builder) {
  const SmallVector<int64_t> length = hlo::listOf(op.getFftLength());
  auto from = cast<RankedTensorType>(op.getOperand().getType());
  // The dimensions that are transformed have the sizes that 'fft_length' gives.
  if (llvm::any_of(length, [](int64_t n) { return n < 1 || n > kLongest; }) ||
      llvm::any_of(from.getShape().take_back(length.size()), ShapedType::isDynamic))
    return std::nullopt;
  const int64_t count = int64_t(length.size()), first = from.getRank() - count;
  const hlo::FftType kind = op.getFftType();
  const double sign = kind == hlo::FftType::IFFT || kind == hlo::FftType::IRFFT ? 1 : -1;
  Arith arith(builder, op.getLoc());
  Transform transform(builder, op.getLoc());
  const Type element = getElementTypeOrSelf(operand.re);
  Parts value{arith.as(operand.re, builder.getF64Type()),
              operand.im ? arith.as(operand.im, builder.getF64Type()) : Value()};
  if (kind == hlo::FftType::RFFT)
    value = transform.along(value, first + count - 1, length.back(), length.back() / 2 + 1, length.back(), sign, false);
  const bool isReal = kind == hlo::FftType::RFFT || kind == hlo::FftType::IRFFT;
  for (int64_t i = 0; i < (isReal ? count - 1 : count); ++i)
    value = transform.along(value, first + i, length[i], length[i], length[i], sign, false);
  if (kind == hlo::FftType::IRFFT)
    value = transform.along(value, first + count - 1, length.back() / 2 + 1, length.back(), length.back(), sign, true);
  return Parts{arith.as(value.re, element), value.im ? arith.as(value.im, element) : Value()};
}
