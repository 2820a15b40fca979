//===- EvalImages.cpp - padding and resizing of images -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of ImageOps.td as described there. Coordinates are fractions of integers, so that rounding
// does not affect which element is read.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Constants.h"
#include "dialects/Mica/Reference/Evaluator.h"
#include "mica/Support/Checked.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mica::reference {

namespace {

/// The source position among `size` elements of position `p`, which may be before or after them.
int64_t borderSource(PadMode mode, int64_t p, int64_t size) {
  switch (mode) {
  case PadMode::Constant:
    return p;
  case PadMode::Edge:
    return std::clamp<int64_t>(p, 0, size - 1);
  case PadMode::Reflect:
    return p < 0 ? -p : p >= size ? 2 * (size - 1) - p : p;
  case PadMode::Wrap:
    return p < 0 ? p + size : p >= size ? p - size : p;
  }
  llvm_unreachable("all modes are above");
}

FailureOr<Tensor> evalPad(PadOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  SmallVector<int64_t> shape(input.shape()), strides = input.strides();
  for (int64_t d = 0; d < input.rank(); ++d) {
    int64_t low = op.getLow()[d], high = op.getHigh()[d], size = input.dim(d), most = std::max(low, high);
    shape[d] = saturatingAdd(saturatingAdd(shape[d], low), high);
    if (most > 0 && op.getMode() != PadMode::Constant &&
        (size == 0 || (op.getMode() == PadMode::Reflect && most >= size) ||
         (op.getMode() == PadMode::Wrap && most > size)))
      return op.emitError() << "shape mismatch: dimension " << d << " of " << input.typeString()
                            << " is too small for a border of " << most;
  }
  FailureOr<Tensor> result = evaluator.allocate(op, input.elementType(), shape);
  if (failed(result))
    return failure();
  Cell border = input.elementType().number(0);
  if (TypedAttr value = op.getValueAttr()) {
    FailureOr<Tensor> constant = tensorOf(op, value, evaluator);
    if (failed(constant))
      return failure();
    border = constant->value();
  }
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    int64_t index = 0;
    bool inside = true;
    for (int64_t d = 0; d < input.rank(); ++d) {
      int64_t at = borderSource(op.getMode(), position[d] - op.getLow()[d], input.dim(d));
      inside &= at >= 0 && at < input.dim(d);
      index += at * strides[d];
    }
    *cell++ = inside ? input.data()[index] : border;
  });
  return result;
}

/// A coordinate in the operand: `numerator / denominator`.
struct Fraction {
  int64_t numerator, denominator;
};

Fraction coordinateOf(ResizeCoordinates coordinates, int64_t x, int64_t in, int64_t out) {
  switch (coordinates) {
  case ResizeCoordinates::HalfPixel:
    return {(2 * x + 1) * in - out, 2 * out};
  case ResizeCoordinates::Asymmetric:
    return {x * in, out};
  case ResizeCoordinates::AlignCorners:
    return out == 1 ? Fraction{0, 1} : Fraction{x * (in - 1), out - 1};
  }
  llvm_unreachable("all coordinates are above");
}

int64_t rounded(ResizeRounding rounding, Fraction c) {
  switch (rounding) {
  case ResizeRounding::Floor:
    return llvm::divideFloorSigned(c.numerator, c.denominator);
  case ResizeRounding::Ceil:
    return llvm::divideCeilSigned(c.numerator, c.denominator);
  case ResizeRounding::PreferFloor:
    return llvm::divideCeilSigned(2 * c.numerator - c.denominator, 2 * c.denominator);
  case ResizeRounding::PreferCeil:
    return llvm::divideFloorSigned(2 * c.numerator + c.denominator, 2 * c.denominator);
  }
  llvm_unreachable("all roundings are above");
}

FailureOr<Tensor> evalResize(ResizeOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  ImageDims dims = op.getImageDims();
  SmallVector<int64_t> shape(input.shape()), strides = input.strides();
  size_t next = 1;
  for (int64_t dim : {dims.height, dims.width}) {
    int64_t size = op.getType().getDimSize(dim);
    shape[dim] = ShapedType::isDynamic(size) ? in[next++].value().i : size;
    if (input.dim(dim) < 1 || shape[dim] < 1)
      return op.emitError() << "shape mismatch: " << input.typeString() << " cannot become " << shapeString(shape)
                            << ": height and width are at least 1";
  }
  FailureOr<Tensor> result = evaluator.allocate(op, input.elementType(), shape);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    // In both directions the positions read and the weight of the second one.
    int64_t at[2][2];
    double part[2];
    const int64_t spatial[] = {dims.height, dims.width};
    for (auto [axis, dim] : llvm::enumerate(spatial)) {
      Fraction c = coordinateOf(op.getCoordinates(), position[dim], input.dim(dim), shape[dim]);
      bool nearest = op.getMode() == ResizeMode::Nearest;
      int64_t first = rounded(nearest ? op.getRounding() : ResizeRounding::Floor, c);
      part[axis] = nearest ? 0.0 : double(c.numerator - first * c.denominator) / double(c.denominator);
      at[axis][0] = std::clamp<int64_t>(first, 0, input.dim(dim) - 1);
      at[axis][1] = std::clamp<int64_t>(first + 1, 0, input.dim(dim) - 1);
    }
    auto element = [&](int row, int column) {
      SmallVector<int64_t> from(position);
      from[dims.height] = at[0][row];
      from[dims.width] = at[1][column];
      return input.data()[linearize(from, strides)];
    };
    if (op.getMode() == ResizeMode::Nearest) {
      *cell++ = element(0, 0);
      return;
    }
    double upper = (1 - part[1]) * element(0, 0).f + part[1] * element(0, 1).f;
    double lower = (1 - part[1]) * element(1, 0).f + part[1] * element(1, 1).f;
    *cell++ = Cell::of((1 - part[0]) * upper + part[0] * lower);
  });
  result->roundAll();
  return result;
}

} // namespace

void addMicaImageOps(OpTable &table) {
  table.add<PadOp>(evalPad);
  table.add<ResizeOp>(evalResize);
}

} // namespace mica::reference
