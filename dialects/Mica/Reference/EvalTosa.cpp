//===- EvalTosa.cpp - reductions, shapes and control flow of tosa -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Follows the TOSA 1.0 specification. Matrix products and window operations are in EvalTosaWindows.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Constants.h"
#include "dialects/Mica/Reference/WhileLoop.h"
#include "dialects/Mica/Reference/Windows.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

/// Reduces along the op's axis with a function on f64 and one on int64_t; rounds or wraps at the end.
template <typename OpT, typename Float, typename Int>
Tensor reduceAxis(OpT op, const Tensor &input, Cell initial, Float onFloats, Int onInts) {
  bool isFloat = input.elementType().isFloat;
  return finished(reduced(input, {int64_t(op.getAxis())}, initial, [&](Cell a, Cell b) {
    return isFloat ? Cell::of(double(onFloats(a.f, b.f))) : Cell::of(int64_t(onInts(a.i, b.i)));
  }));
}

FailureOr<Tensor> evalReduceSum(tosa::ReduceSumOp op, Operands in, Evaluator &) {
  return reduceAxis(
      op, in[0], in[0].elementType().number(0), [](double a, double b) { return a + b; },
      [](uint64_t a, uint64_t b) { return a + b; });
}

FailureOr<Tensor> evalReduceProduct(tosa::ReduceProductOp op, Operands in, Evaluator &) {
  return reduceAxis(
      op, in[0], in[0].elementType().number(1), [](double a, double b) { return a * b; },
      [](uint64_t a, uint64_t b) { return a * b; });
}

FailureOr<Tensor> evalReduceMax(tosa::ReduceMaxOp op, Operands in, Evaluator &) {
  bool ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
  // If NaN is ignored, it is also the initial value: a row of only NaN gives NaN.
  Cell start = ignoresNaN && in[0].elementType().isFloat ? Cell::of(std::nan("")) : in[0].elementType().lowest();
  return reduceAxis(
      op, in[0], start, [&](double a, double b) { return ignoresNaN ? ieeeMaximumNumber(a, b) : ieeeMaximum(a, b); },
      [](int64_t a, int64_t b) { return std::max(a, b); });
}

FailureOr<Tensor> evalReduceMin(tosa::ReduceMinOp op, Operands in, Evaluator &) {
  bool ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
  Cell start = ignoresNaN && in[0].elementType().isFloat ? Cell::of(std::nan("")) : in[0].elementType().highest();
  return reduceAxis(
      op, in[0], start, [&](double a, double b) { return ignoresNaN ? ieeeMinimumNumber(a, b) : ieeeMinimum(a, b); },
      [](int64_t a, int64_t b) { return std::min(a, b); });
}

FailureOr<Tensor> evalReduceAll(tosa::ReduceAllOp op, Operands in, Evaluator &) {
  return reduceAxis(
      op, in[0], Cell::of(int64_t(1)), [](double a, double) { return a; }, [](int64_t a, int64_t b) { return a & b; });
}

FailureOr<Tensor> evalReduceAny(tosa::ReduceAnyOp op, Operands in, Evaluator &) {
  return reduceAxis(
      op, in[0], Cell::of(int64_t(0)), [](double a, double) { return a; }, [](int64_t a, int64_t b) { return a | b; });
}

/// The first position of the largest element along the axis, which is removed. NaN is the largest unless it is ignored.
FailureOr<Tensor> evalArgMax(tosa::ArgMaxOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  int64_t axis = op.getAxis(), extent = input.dim(axis), stride = input.strides()[axis];
  bool isFloat = input.elementType().isFloat, ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
  SmallVector<int64_t> shape(input.shape()), strides = input.strides();
  shape.erase(shape.begin() + axis);
  strides.erase(strides.begin() + axis);
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), shape);
  if (failed(result))
    return failure();
  // True if `b` replaces `a` as the largest.
  auto replaces = [&](Cell a, Cell b) {
    if (!isFloat)
      return b.i > a.i;
    if (std::isnan(a.f) || std::isnan(b.f))
      return ignoresNaN ? std::isnan(a.f) && !std::isnan(b.f) : !std::isnan(a.f);
    return b.f > a.f;
  };
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    const Cell *row = input.data() + linearize(position, strides);
    int64_t best = 0;
    for (int64_t i = 1; i < extent; ++i)
      if (replaces(row[best * stride], row[i * stride]))
        best = i;
    *cell++ = Cell::of(best);
  });
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalConst(tosa::ConstOp op, Operands, Evaluator &evaluator) {
  return tensorOf(op, op.getValues(), evaluator);
}

FailureOr<Tensor> evalConstShape(tosa::ConstShapeOp op, Operands, Evaluator &) {
  return Tensor::indices(llvm::to_vector(op.getValues().getValues<int64_t>()));
}

FailureOr<Tensor> evalConcat(tosa::ConcatOp op, Operands in, Evaluator &evaluator) {
  return concatenate(op, in, op.getAxis(), evaluator);
}

/// result[p] = input[from(p)] if `from` returns a position, else `otherwise`.
FailureOr<Tensor> rearranged(Operation *op, const Tensor &input, ArrayRef<int64_t> shape, Cell otherwise,
                             function_ref<bool(ArrayRef<int64_t>, MutableArrayRef<int64_t>)> from,
                             const Evaluator &evaluator) {
  FailureOr<Tensor> result = evaluator.allocate(op, input.elementType(), shape);
  if (failed(result))
    return failure();
  SmallVector<int64_t> source(input.rank()), strides = input.strides();
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    *cell++ = from(position, source) ? input.data()[linearize(source, strides)] : otherwise;
  });
  return result;
}

/// `padding` is (before, after) per dimension.
FailureOr<Tensor> evalPad(tosa::PadOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  SmallVector<int64_t> padding = in[1].toInts(), shape(input.shape());
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (padding[2 * d] < 0 || padding[2 * d + 1] < 0)
      return op.emitError() << "padding of dimension " << d << " is negative";
    extent = saturatingAdd(saturatingAdd(extent, padding[2 * d]), padding[2 * d + 1]);
  }
  return rearranged(
      op, input, shape, in[2].data()[0],
      [&](ArrayRef<int64_t> position, MutableArrayRef<int64_t> source) {
        for (auto [d, p] : llvm::enumerate(position)) {
          source[d] = p - padding[2 * d];
          if (source[d] < 0 || source[d] >= input.dim(d))
            return false;
        }
        return true;
      },
      evaluator);
}

/// One size may be -1: it follows from the number of elements.
FailureOr<Tensor> evalReshape(tosa::ReshapeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape = in[1].toInts();
  int64_t known = 1, *open = nullptr;
  for (int64_t &extent : shape) {
    if (extent < 0)
      open = &extent;
    else
      known = saturatingMul(known, extent);
  }
  if (open)
    *open = known ? in[0].size() / known : 0;
  if (sizeOf(shape) != in[0].size())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " cannot become " << shapeString(shape);
  return in[0].reshaped(shape);
}

FailureOr<Tensor> evalReverse(tosa::ReverseOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  int64_t axis = op.getAxis();
  return rearranged(
      op, input, input.shape(), Cell::of(int64_t(0)),
      [&](ArrayRef<int64_t> position, MutableArrayRef<int64_t> source) {
        llvm::copy(position, source.begin());
        source[axis] = input.dim(axis) - 1 - position[axis];
        return true;
      },
      evaluator);
}

FailureOr<Tensor> evalSlice(tosa::SliceOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  SmallVector<int64_t> start = in[1].toInts(), size = in[2].toInts();
  for (int64_t d = 0; d < input.rank(); ++d)
    if (start[d] < 0 || size[d] < 0 || start[d] > input.dim(d) || size[d] > input.dim(d) - start[d])
      return op.emitError() << "slice [start " << start[d] << ", size " << size[d] << "] is out of range for dimension "
                            << d << " of extent " << input.dim(d);
  return rearranged(
      op, input, size, Cell::of(int64_t(0)),
      [&](ArrayRef<int64_t> position, MutableArrayRef<int64_t> source) {
        for (auto [d, p] : llvm::enumerate(position))
          source[d] = p + start[d];
        return true;
      },
      evaluator);
}

FailureOr<Tensor> evalTile(tosa::TileOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  SmallVector<int64_t> shape(input.shape());
  for (auto [extent, multiple] : llvm::zip_equal(shape, in[1].toInts()))
    extent = saturatingMul(extent, multiple);
  return rearranged(
      op, input, shape, Cell::of(int64_t(0)),
      [&](ArrayRef<int64_t> position, MutableArrayRef<int64_t> source) {
        for (auto [d, p] : llvm::enumerate(position))
          source[d] = p % input.dim(d);
        return true;
      },
      evaluator);
}

FailureOr<Tensor> evalTranspose(tosa::TransposeOp op, Operands in, Evaluator &) {
  return transposed(in[0], llvm::to_vector_of<int64_t>(op.getPerms()));
}

/// An index of gather or scatter, bounds-checked.
FailureOr<int64_t> checkedIndex(Operation *op, const Tensor &indices, int64_t i, int64_t extent) {
  int64_t index = indices.intAt(i);
  if (index < 0 || index >= extent)
    return op->emitError() << "index " << index << " (element " << i << " of the indices) is out of range for extent "
                           << extent;
  return index;
}

/// output[n, w, c] = values[n, indices[n, w], c].
FailureOr<Tensor> evalGather(tosa::GatherOp op, Operands in, Evaluator &evaluator) {
  const Tensor &values = in[0], &indices = in[1];
  int64_t n = values.dim(0), k = values.dim(1), c = values.dim(2), w = indices.dim(1);
  FailureOr<Tensor> result = evaluator.allocate(op, values.elementType(), {n, w, c});
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < n * w; ++i) {
    FailureOr<int64_t> index = checkedIndex(op, indices, i, k);
    if (failed(index))
      return failure();
    std::copy_n(values.data() + (i / w * k + *index) * c, c, result->mutableData() + i * c);
  }
  return result;
}

/// values[n, indices[n, w], c] = input[n, w, c].
FailureOr<Tensor> evalScatter(tosa::ScatterOp op, Operands in, Evaluator &evaluator) {
  Tensor result = std::move(in[0]);
  const Tensor &indices = in[1], &input = in[2];
  int64_t k = result.dim(1), c = result.dim(2), w = indices.dim(1);
  llvm::DenseMap<int64_t, int64_t> written; // in the search for undefined behavior
  for (int64_t i = 0, e = indices.size(); i < e; ++i) {
    FailureOr<int64_t> index = checkedIndex(op, indices, i, k);
    if (failed(index))
      return failure();
    if (evaluator.undefined()) {
      auto [first, isNew] = written.try_emplace(i / w * k + *index, i);
      if (!isNew)
        return op.emitError() << "index " << *index << " stands twice in the indices, as elements " << first->second
                              << " and " << i;
    }
    std::copy_n(input.data() + i * c, c, result.mutableData() + (i / w * k + *index) * c);
  }
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalIf(tosa::IfOp op, Operands in, Results &out, Evaluator &evaluator) {
  Region &region = in[0].data()[0].i ? op.getThenGraph() : op.getElseGraph();
  SmallVector<Tensor> args(in.drop_front());
  if (region.getNumArguments() == 0)
    args.clear(); // the short form: the branches use values from outside
  return evaluator.runRegion(region, std::move(args), out);
}

LogicalResult evalWhile(tosa::WhileOp op, Operands in, Results &out, Evaluator &evaluator) {
  return runWhile(op.getCondGraph(), op.getBodyGraph(), in, out, evaluator);
}

} // namespace

void addTosaOps(OpTable &table) {
  table.add<tosa::ReduceSumOp>(evalReduceSum);
  table.add<tosa::ReduceProductOp>(evalReduceProduct);
  table.add<tosa::ReduceMaxOp>(evalReduceMax);
  table.add<tosa::ReduceMinOp>(evalReduceMin);
  table.add<tosa::ReduceAllOp>(evalReduceAll);
  table.add<tosa::ReduceAnyOp>(evalReduceAny);
  table.add<tosa::ArgMaxOp>(evalArgMax);
  table.add<tosa::ConstOp>(evalConst);
  table.add<tosa::ConstShapeOp>(evalConstShape);
  table.add<tosa::ConcatOp>(evalConcat);
  table.add<tosa::PadOp>(evalPad);
  table.add<tosa::ReshapeOp>(evalReshape);
  table.add<tosa::ReverseOp>(evalReverse);
  table.add<tosa::SliceOp>(evalSlice);
  table.add<tosa::TileOp>(evalTile);
  table.add<tosa::TransposeOp>(evalTranspose);
  table.add<tosa::GatherOp>(evalGather);
  table.add<tosa::ScatterOp>(evalScatter);
  table.add<tosa::IfOp>(evalIf);
  table.add<tosa::WhileOp>(evalWhile);
  table.addTerminator<tosa::YieldOp>();
}

} // namespace mica::reference
