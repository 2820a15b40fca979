//===- EvalTosaFourier.cpp - Fourier transforms of tosa ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// By definition, for each image of a batch:
//
//   result[k, l] = sum over y, x of input[y, x] * e^(-2 pi i (k y / height + l x / width))
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <complex>
#include <numbers>

using namespace mlir;

namespace mica::reference {

namespace {

using Complex = std::complex<double>;

/// e^(2 pi i n / size) for n = 0 .. size - 1, each from an angle within one turn; conjugated for the forward transform.
std::vector<Complex> rootsOfUnity(int64_t size, bool inverse) {
  std::vector<Complex> roots;
  for (int64_t n = 0; n < size; ++n)
    roots.push_back(std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi * double(n) / double(size)));
  return roots;
}

/// The first `columns` columns of the transform of `real` + i `imaginary` (null: 0).
LogicalResult transform(Operation *op, const Tensor &real, const Tensor *imaginary, bool inverse, int64_t columns,
                        Results &out, Evaluator &evaluator) {
  if (imaginary && imaginary->shape() != real.shape())
    return op->emitError() << "shape mismatch: " << real.typeString() << " and " << imaginary->typeString();
  int64_t height = real.dim(1), width = real.dim(2);
  std::vector<Complex> rowRoots = rootsOfUnity(height, inverse), columnRoots = rootsOfUnity(width, inverse);
  FailureOr<Tensor> realPart = evaluator.allocate(op, real.elementType(), {real.dim(0), height, columns});
  FailureOr<Tensor> imaginaryPart = evaluator.allocate(op, real.elementType(), {real.dim(0), height, columns});
  if (failed(realPart) || failed(imaginaryPart))
    return failure();
  Cell *toReal = realPart->mutableData(), *toImaginary = imaginaryPart->mutableData();
  forEachPosition(realPart->shape(), [&](ArrayRef<int64_t> at) {
    Complex sum = 0;
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) {
        Complex value(real.at({at[0], y, x}).f, imaginary ? imaginary->at({at[0], y, x}).f : 0);
        sum += value * rowRoots[at[1] * y % height] * columnRoots[at[2] * x % width];
      }
    *toReal++ = Cell::of(sum.real());
    *toImaginary++ = Cell::of(sum.imag());
  });
  for (FailureOr<Tensor> *part : {&realPart, &imaginaryPart}) {
    (*part)->roundAll();
    out.push_back(std::move(**part));
  }
  return success();
}

LogicalResult evalFft(tosa::FFT2dOp op, Operands in, Results &out, Evaluator &evaluator) {
  return transform(op, in[0], &in[1], op.getInverse(), in[0].dim(2), out, evaluator);
}

LogicalResult evalRealFft(tosa::RFFT2dOp op, Operands in, Results &out, Evaluator &evaluator) {
  return transform(op, in[0], nullptr, /*inverse=*/false, in[0].dim(2) / 2 + 1, out, evaluator);
}

} // namespace

void addTosaFourierOps(OpTable &table) {
  table.add<tosa::FFT2dOp>(evalFft);
  table.add<tosa::RFFT2dOp>(evalRealFft);
}

} // namespace mica::reference
