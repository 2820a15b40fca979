//===- WinogradToLoops.cpp - lowering Winograd's transforms to loops ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A convolution by F(m, r) is A^T [(G g G^T) * (B^T d B)] A, tile by tile. Every element of a transform is computed as
// a double sum, left[x, i] * tile[i, j] * right[y, j], in f64:
//
//   filter   result[x, y, c, f]                  = sum of G[x, i] * filter[f, i, j, c] * G[y, j]
//   input    result[x, y, s, t, n, c]            = sum of B^T[x, i] * input[n, m s + i, m t + j, c] * B^T[y, j]
//   output   result[n, m s + x, m t + y, f]     += sum of A^T[x, i] * value[i, j, s, t, n, f] * A^T[y, j]
//
// A dimension that is not transformed has the matrix [1] and m = 1. The matrices are those of upstream, which rounds
// them to f32.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/WinogradToLoops.h"

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using mica::plain::Emitter;

namespace {

/// A constant matrix. Without rows: the dimension is not transformed.
struct Matrix {
  int64_t rows = 1, columns = 1;
  ArrayRef<double> numbers;
};

struct Algorithm {
  int64_t m;
  Matrix filter, input, output;
};

constexpr double kG23[] = {-1, 0, 0, .5, -.5, .5, .5, .5, .5, 0, 0, 1};
constexpr double kB23[] = {-1, 0, 1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, -1, 0, 1};
constexpr double kA23[] = {1, 1, 1, 0, 0, -1, 1, 1};

constexpr double kG43[] = {1,       0,       0,      -1 / 3., 1 / 3., -1 / 3., -1 / 3., -1 / 3., -1 / 3.,
                           1 / 12., -1 / 6., 1 / 3., 1 / 12., 1 / 6., 1 / 3.,  0,       0,       1};
constexpr double kB43[] = {.25, 0,    -.3125, 0,     .0625, 0, 0, .25, -.25,  -.0625, .0625, 0,
                           0,   -.25, -.25,   .0625, .0625, 0, 0, .25, -.125, -.25,   .125,  0,
                           0,   -.25, -.125,  .25,   .125,  0, 0, .25, 0,     -.3125, 0,     .0625};
constexpr double kA43[] = {4, 8, 8, 4, 4, 0, 0, -8, 8, -8, 8, 0, 0, 8, 8, 16, 16, 0, 0, -8, 8, -32, 32, 16};

constexpr double kG25[] = {1,       0,       0,       0,       0,       1 / 6.,   -1 / 6., 1 / 6.,   -1 / 6., 1 / 6.,
                           -1 / 6., -1 / 6., -1 / 6., -1 / 6., -1 / 6., -4 / 15., 2 / 15., -1 / 15., 1 / 30., -1 / 60.,
                           1 / 60., 1 / 30., 1 / 15., 2 / 15., 4 / 15., 0,        0,       0,        0,       1};
constexpr double kB25[] = {.125, .1875, -.25,   -.1875, .125, 0, 0, .125, .0625, -.3125, .125,   0,
                           0,    -.125, -.3125, -.0625, .125, 0, 0, .25,  -.125, -.25,   .125,   0,
                           0,    -.125, -.25,   .125,   .25,  0, 0, .125, .1875, -.25,   -.1875, .125};
constexpr double kA25[] = {8, 16, 16, 32, 16, 0, 0, -16, 16, -16, 32, 8};

Algorithm algorithmOf(linalg::WinogradConv2DFmr fmr) {
  switch (fmr) {
  case linalg::WinogradConv2DFmr::F_2_3:
    return {2, {4, 3, kG23}, {4, 4, kB23}, {2, 4, kA23}};
  case linalg::WinogradConv2DFmr::F_4_3:
    return {4, {6, 3, kG43}, {6, 6, kB43}, {4, 6, kA43}};
  case linalg::WinogradConv2DFmr::F_2_5:
    return {2, {6, 5, kG25}, {6, 6, kB25}, {2, 6, kA25}};
  }
  llvm_unreachable("all algorithms are above");
}

/// One transform: the bounds of its loops, and the positions of its elements.
class Transform {
public:
  Transform(Operation *op, Matrix left, Matrix right)
      : e(op), left(left), right(right), leftBuffer(bufferOf(left)), rightBuffer(bufferOf(right)) {}

  /// The double sum for row `x` and column `y`; `tile(i, j)` is an element of the tile, as f64.
  Value sum(Value x, Value y, llvm::function_ref<Value(Value, Value)> tile) {
    return e.fold({e.index(left.columns), e.index(right.columns)}, e.real(0), [&](ArrayRef<Value> k, Value before) {
      Value term = e.mul(factor(leftBuffer, x, k[0]), tile(k[0], k[1]));
      return e.add(before, e.mul(term, factor(rightBuffer, y, k[1])));
    });
  }

  Emitter e;
  Matrix left, right;

private:
  Value bufferOf(const Matrix &matrix) {
    if (matrix.numbers.empty())
      return Value();
    auto type = RankedTensorType::get({matrix.rows, matrix.columns}, e.b.getF64Type());
    return e.buffer(e.constant(DenseElementsAttr::get(type, matrix.numbers)));
  }
  Value factor(Value matrix, Value row, Value column) { return matrix ? e.raw(matrix, {row, column}) : e.real(1); }

  Value leftBuffer, rightBuffer;
};

int64_t sizeOf(Value tensor, int64_t dim) { return cast<RankedTensorType>(tensor.getType()).getDimSize(dim); }

void emitFilter(linalg::WinogradFilterTransformOp op) {
  Matrix matrix = algorithmOf(op.getFmr()).filter;
  Transform t(op, sizeOf(op.getFilter(), 1) == 1 ? Matrix() : matrix,
              sizeOf(op.getFilter(), 2) == 1 ? Matrix() : matrix);
  Emitter &e = t.e;
  Value filter = e.buffer(op.getFilter()), result = e.resultOf(e.sizes(e.buffer(op.getOutput())));
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value sum = t.sum(at[0], at[1], [&](Value i, Value j) { return e.load(filter, {at[3], i, j, at[2]}); });
    e.store(sum, result, at);
  });
  e.replace(result);
}

void emitInput(linalg::WinogradInputTransformOp op) {
  Algorithm algorithm = algorithmOf(op.getFmr());
  bool byRow = sizeOf(op.getOutput(), 0) != 1, byColumn = sizeOf(op.getOutput(), 1) != 1;
  Transform t(op, byRow ? algorithm.input : Matrix(), byColumn ? algorithm.input : Matrix());
  Emitter &e = t.e;
  Value input = e.buffer(op.getInput()), result = e.resultOf(e.sizes(e.buffer(op.getOutput())));
  Value down = e.index(byRow ? algorithm.m : 1), across = e.index(byColumn ? algorithm.m : 1);
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value sum = t.sum(at[0], at[1], [&](Value i, Value j) {
      return e.load(input, {at[4], e.add(e.mul(at[2], down), i), e.add(e.mul(at[3], across), j), at[5]});
    });
    e.store(sum, result, at);
  });
  e.replace(result);
}

void emitOutput(linalg::WinogradOutputTransformOp op) {
  Matrix matrix = algorithmOf(op.getFmr()).output;
  Transform t(op, sizeOf(op.getValue(), 0) == 1 ? Matrix() : matrix, sizeOf(op.getValue(), 1) == 1 ? Matrix() : matrix);
  Emitter &e = t.e;
  Value value = e.buffer(op.getValue()), before = e.buffer(op.getOutput()),
        result = e.resultOf(e.sizes(e.buffer(op.getOutput())));
  Value rows = e.index(t.left.rows), columns = e.index(t.right.rows);
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value s = e.div(at[1], rows), tile = e.div(at[2], columns);
    Value sum = t.sum(e.rem(at[1], rows), e.rem(at[2], columns), [&](Value i, Value j) {
      return e.load(value, {i, j, s, tile, at[0], at[3]});
    });
    e.store(e.add(sum, e.load(before, at)), result, at);
  });
  e.replace(result);
}

} // namespace

void mica::plain::convertWinograd(Operation *function) {
  auto isOfFloats = [](Operation *op) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return type && isa<FloatType>(type.getElementType());
  };
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) {
    if (isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp>(
            op) &&
        isOfFloats(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto filter = dyn_cast<linalg::WinogradFilterTransformOp>(op))
      emitFilter(filter);
    else if (auto input = dyn_cast<linalg::WinogradInputTransformOp>(op))
      emitInput(input);
    else
      emitOutput(cast<linalg::WinogradOutputTransformOp>(op));
  }
}
