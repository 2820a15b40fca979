//===- EvalWinograd.cpp - linalg's transforms of Winograd convolutions -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// F(m, r) computes m results of a filter of r taps from m + r - 1 inputs, by row and by column of a tile:
//
//   Y = A^T [(G g G^T) * (B^T d B)] A
//
// The matrices follow from m + r - 2 points and infinity, except for a factor of each row, which are those of MLIR; so
// the three transforms equal those of MLIR, value by value. A dimension in which the filter has size 1 is not
// transformed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace mica::reference {

namespace {

/// Integers with a common denominator.
struct Matrix {
  std::vector<std::vector<double>> numerators;
  double denominator;

  int64_t rows() const { return numerators.size(); }
  int64_t columns() const { return numerators.front().size(); }
  double at(int64_t row, int64_t column) const { return numerators[row][column] / denominator; }
};

/// The identity, for a dimension that is not transformed.
const Matrix &identity() {
  static const Matrix one{{{1}}, 1};
  return one;
}

/// G, B^T and A^T of F(m, r).
struct Algorithm {
  int64_t m;
  Matrix filter, input, output;
};

const Algorithm &algorithmOf(linalg::WinogradConv2DFmr fmr) {
  static const Algorithm f23{2,
                             {{{-2, 0, 0}, {1, -1, 1}, {1, 1, 1}, {0, 0, 2}}, 2},
                             {{{-1, 0, 1, 0}, {0, -1, 1, 0}, {0, 1, 1, 0}, {0, -1, 0, 1}}, 1},
                             {{{1, 1, 1, 0}, {0, -1, 1, 1}}, 1}};
  static const Algorithm f43{
      4,
      {{{12, 0, 0}, {-4, 4, -4}, {-4, -4, -4}, {1, -2, 4}, {1, 2, 4}, {0, 0, 12}}, 12},
      {{{4, 0, -5, 0, 1, 0},
        {0, 4, -4, -1, 1, 0},
        {0, -4, -4, 1, 1, 0},
        {0, 4, -2, -4, 2, 0},
        {0, -4, -2, 4, 2, 0},
        {0, 4, 0, -5, 0, 1}},
       16},
      {{{4, 8, 8, 4, 4, 0}, {0, -8, 8, -8, 8, 0}, {0, 8, 8, 16, 16, 0}, {0, -8, 8, -32, 32, 16}}, 1}};
  static const Algorithm f25{2,
                             {{{60, 0, 0, 0, 0},
                               {10, -10, 10, -10, 10},
                               {-10, -10, -10, -10, -10},
                               {-16, 8, -4, 2, -1},
                               {1, 2, 4, 8, 16},
                               {0, 0, 0, 0, 60}},
                              60},
                             {{{2, 3, -4, -3, 2, 0},
                               {0, 2, 1, -5, 2, 0},
                               {0, -2, -5, -1, 2, 0},
                               {0, 4, -2, -4, 2, 0},
                               {0, -2, -4, 2, 4, 0},
                               {0, 2, 3, -4, -3, 2}},
                              16},
                             {{{8, 16, 16, 32, 16, 0}, {0, -16, 16, -16, 32, 8}}, 1}};
  switch (fmr) {
  case linalg::WinogradConv2DFmr::F_2_3:
    return f23;
  case linalg::WinogradConv2DFmr::F_4_3:
    return f43;
  case linalg::WinogradConv2DFmr::F_2_5:
    return f25;
  }
  llvm_unreachable("all algorithms are above");
}

/// left * tile * right^T, where tile(i, j) returns an element of the tile; `each` is called with each element (x, y) of
/// the product.
void transformTile(const Matrix &left, const Matrix &right, function_ref<double(int64_t, int64_t)> tile,
                   function_ref<void(int64_t, int64_t, double)> each) {
  for (int64_t x = 0; x < left.rows(); ++x)
    for (int64_t y = 0; y < right.rows(); ++y) {
      double sum = 0;
      for (int64_t i = 0; i < left.columns(); ++i)
        for (int64_t j = 0; j < right.columns(); ++j)
          sum += left.at(x, i) * tile(i, j) * right.at(y, j);
      each(x, y, sum);
    }
}

Cell &cellAt(Tensor &tensor, ArrayRef<int64_t> position) {
  return tensor.mutableData()[linearize(position, tensor.strides())];
}

LogicalResult mismatch(Operation *op, const Tensor &source, const Tensor &result) {
  return op->emitError() << "shape mismatch: " << source.typeString() << " is not transformed into "
                         << result.typeString();
}

/// result[x, y, c, f] = (G filter[f, :, :, c] G^T)[x, y]
FailureOr<Tensor> evalFilter(linalg::WinogradFilterTransformOp op, Operands in, Evaluator &) {
  const Tensor &filter = in[0];
  Tensor result = std::move(in[1]);
  const Algorithm &algorithm = algorithmOf(op.getFmr());
  const Matrix &left = filter.dim(1) == 1 ? identity() : algorithm.filter;
  const Matrix &right = filter.dim(2) == 1 ? identity() : algorithm.filter;
  if (filter.dim(1) != left.columns() || filter.dim(2) != right.columns() ||
      result.shape() != ArrayRef<int64_t>{left.rows(), right.rows(), filter.dim(3), filter.dim(0)})
    return mismatch(op, filter, result);
  forEachPosition({filter.dim(0), filter.dim(3)}, [&](ArrayRef<int64_t> at) {
    int64_t f = at[0], c = at[1];
    transformTile(
        left, right,
        [&](int64_t h, int64_t w) {
          return filter.at({f, h, w, c}).f;
        },
        [&](int64_t x, int64_t y, double value) {
          cellAt(result, {x, y, c, f}) = Cell::of(value);
        });
  });
  result.roundAll();
  return result;
}

/// result[x, y, s, t, n, c] = (B^T input[n, m * s + :, m * t + :, c] B)[x, y]
FailureOr<Tensor> evalInput(linalg::WinogradInputTransformOp op, Operands in, Evaluator &) {
  const Tensor &input = in[0];
  Tensor result = std::move(in[1]);
  const Algorithm &algorithm = algorithmOf(op.getFmr());
  bool byRow = result.dim(0) != 1, byColumn = result.dim(1) != 1;
  const Matrix &left = byRow ? algorithm.input : identity(), &right = byColumn ? algorithm.input : identity();
  int64_t down = byRow ? algorithm.m : 1, across = byColumn ? algorithm.m : 1;
  int64_t rows = result.dim(2), columns = result.dim(3);
  if (result.dim(0) != left.rows() || result.dim(1) != right.rows() || result.dim(4) != input.dim(0) ||
      result.dim(5) != input.dim(3) || input.dim(1) < down * (rows - 1) + left.columns() ||
      input.dim(2) < across * (columns - 1) + right.columns())
    return mismatch(op, input, result);
  forEachPosition({rows, columns, input.dim(0), input.dim(3)}, [&](ArrayRef<int64_t> at) {
    int64_t s = at[0], t = at[1], n = at[2], c = at[3];
    transformTile(
        left, right,
        [&](int64_t h, int64_t w) {
          return input.at({n, down * s + h, across * t + w, c}).f;
        },
        [&](int64_t x, int64_t y, double value) {
          cellAt(result, {x, y, s, t, n, c}) = Cell::of(value);
        });
  });
  result.roundAll();
  return result;
}

/// result[n, m * s + :, m * t + :, f] = output[..] + A^T value[:, :, s, t, n, f] A
FailureOr<Tensor> evalOutput(linalg::WinogradOutputTransformOp op, Operands in, Evaluator &) {
  const Tensor &value = in[0];
  Tensor result = std::move(in[1]);
  const Algorithm &algorithm = algorithmOf(op.getFmr());
  const Matrix &left = value.dim(0) == 1 ? identity() : algorithm.output;
  const Matrix &right = value.dim(1) == 1 ? identity() : algorithm.output;
  int64_t rows = value.dim(2), columns = value.dim(3);
  if (value.dim(0) != left.columns() || value.dim(1) != right.columns() ||
      result.shape() != ArrayRef<int64_t>{value.dim(4), left.rows() * rows, right.rows() * columns, value.dim(5)})
    return mismatch(op, value, result);
  forEachPosition({rows, columns, value.dim(4), value.dim(5)}, [&](ArrayRef<int64_t> at) {
    int64_t s = at[0], t = at[1], n = at[2], f = at[3];
    transformTile(
        left, right,
        [&](int64_t x, int64_t y) {
          return value.at({x, y, s, t, n, f}).f;
        },
        [&](int64_t h, int64_t w, double sum) {
          cellAt(result, {n, left.rows() * s + h, right.rows() * t + w, f}).f += sum;
        });
  });
  result.roundAll();
  return result;
}

} // namespace

void addWinogradOps(OpTable &table) {
  table.add<linalg::WinogradFilterTransformOp>(evalFilter);
  table.add<linalg::WinogradInputTransformOp>(evalInput);
  table.add<linalg::WinogradOutputTransformOp>(evalOutput);
}

} // namespace mica::reference
