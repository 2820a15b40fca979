//===- EvalAxis.cpp - operations along one dimension -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of AxisOps.td as described there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Evaluator.h"
#include "dialects/Mica/Reference/Windows.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

/// Calls `visit` with the first cell of each row of `tensor` along `axis`, in row-major order of the rows.
void forEachRow(const Tensor &tensor, int64_t axis, function_ref<void(int64_t first)> visit) {
  SmallVector<int64_t> shape(tensor.shape()), strides = tensor.strides();
  shape[axis] = 1;
  forEachPosition(shape, [&](ArrayRef<int64_t> position) { visit(linearize(position, strides)); });
}

/// The position of the first element that no other one exceeds; NaN exceeds every number.
template <typename OpT> FailureOr<Tensor> evalArg(OpT op, Operands in, Evaluator &evaluator) {
  constexpr bool kLargest = std::is_same_v<OpT, ArgMaxOp>;
  const Tensor &input = in[0];
  int64_t axis = op.getAxis(), size = input.dim(axis), stride = input.strides()[axis];
  if (size == 0)
    return op.emitError() << "shape mismatch: dimension " << axis << " of " << input.typeString() << " has no element";
  SmallVector<int64_t> shape(input.shape());
  if (op.getKeepDims())
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  FailureOr<Tensor> result = evaluator.allocateLike(op, op.getType(), shape);
  if (failed(result))
    return failure();
  auto beats = [&](Cell a, Cell b) {
    if (!input.elementType().isFloat)
      return kLargest ? a.i > b.i : a.i < b.i;
    if (std::isnan(a.f) || std::isnan(b.f))
      return std::isnan(a.f) && !std::isnan(b.f);
    return kLargest ? a.f > b.f : a.f < b.f;
  };
  Cell *out = result->mutableData();
  forEachRow(input, axis, [&](int64_t first) {
    int64_t best = 0;
    for (int64_t i = 1; i < size; ++i)
      if (beats(input.data()[first + i * stride], input.data()[first + best * stride]))
        best = i;
    *out++ = Cell::of(best);
  });
  return result;
}

FailureOr<Tensor> evalCumSum(CumSumOp op, Operands in, Evaluator &) {
  Tensor result = in[0];
  ElementType type = result.elementType();
  int64_t size = result.dim(op.getAxis()), stride = result.strides()[op.getAxis()];
  noteAccumulation(size);
  Cell *cells = result.mutableData();
  forEachRow(in[0], op.getAxis(), [&](int64_t first) {
    Cell sum = type.number(0);
    for (int64_t i = 0; i < size; ++i) {
      Cell &cell = cells[first + (op.getReverse() ? size - 1 - i : i) * stride];
      Cell before = sum;
      sum = type.isFloat ? Cell::of(sum.f + cell.f) : Cell::of(int64_t(uint64_t(sum.i) + uint64_t(cell.i)));
      cell = op.getExclusive() ? before : sum;
    }
  });
  return finished(std::move(result));
}

} // namespace

void addMicaAxisOps(OpTable &table) {
  table.add<ArgMaxOp>(evalArg<ArgMaxOp>);
  table.add<ArgMinOp>(evalArg<ArgMinOp>);
  table.add<CumSumOp>(evalCumSum);
}

} // namespace mica::reference
