//===- EvalMica.cpp - mica --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates each op as described in dialects/Mica/IR. Elementwise ops are in EvalMicaElementwise.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Constants.h"
#include "dialects/Mica/Reference/Contraction.h"
#include "dialects/Mica/Reference/Windows.h"
#include "mica/Support/Checked.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Contractions
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalMatmul(MatmulOp op, Operands in, Evaluator &evaluator) {
  const Tensor &a = in[0], &b = in[1];
  int64_t rank = std::max(a.rank(), b.rank()), batchRank = rank - 2;
  SmallVector<int64_t> aStrides = a.strides(), bStrides = b.strides(), shape;
  int64_t m = a.dim(op.getLhsRowDim()), n = b.dim(op.getRhsColumnDim()), k = a.dim(op.getLhsContractedDim());
  if (k != b.dim(op.getRhsContractedDim()))
    return op.emitError() << "shape mismatch: " << a.typeString() << " and " << b.typeString()
                          << " have different contracted sizes";

  SmallVector<MacLoop> loops;
  for (int64_t d = 0; d < batchRank; ++d) {
    // An operand of rank 2 has no batch; a batch size that is statically 1 is broadcast.
    bool inA = a.rank() > 2 && op.getLhs().getType().getDimSize(d) != 1;
    bool inB = b.rank() > 2 && op.getRhs().getType().getDimSize(d) != 1;
    if (inA && inB && a.dim(d) != b.dim(d))
      return op.emitError() << "shape mismatch: " << a.typeString() << " and " << b.typeString()
                            << " have different sizes in batch dimension " << d;
    shape.push_back(inA ? a.dim(d) : inB ? b.dim(d) : 1);
    loops.push_back({shape.back(), inA ? aStrides[d] : 0, inB ? bStrides[d] : 0, 0});
  }
  shape.append({m, n});
  loops.push_back({m, aStrides[op.getLhsRowDim()], 0, 0});
  loops.push_back({n, 0, bStrides[op.getRhsColumnDim()], 0});
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), shape);
  if (failed(result))
    return failure();
  for (auto [loop, stride] : llvm::zip_equal(loops, result->strides()))
    loop.c = stride;
  loops.push_back({k, aStrides[op.getLhsContractedDim()], bStrides[op.getRhsContractedDim()], 0});
  multiplyAccumulate(loops, a.data(), b.data(), result->mutableData(), a.elementType().isFloat);
  return finished(std::move(*result));
}

/// The maximum of two cells of `type`: NaN is propagated, -0 < +0.
Cell larger(ElementType type, Cell a, Cell b) {
  return type.isFloat ? Cell::of(ieeeMaximum(a.f, b.f)) : Cell::of(std::max(a.i, b.i));
}

/// The minimum, likewise.
Cell smaller(ElementType type, Cell a, Cell b) {
  return type.isFloat ? Cell::of(ieeeMinimum(a.f, b.f)) : Cell::of(std::min(a.i, b.i));
}

//===------------------------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalReduce(ReduceOp op, Operands in, Evaluator &) {
  const Tensor &input = in[0];
  ElementType type = input.elementType();
  auto add = [&](Cell a, Cell b) {
    return type.isFloat ? Cell::of(a.f + b.f) : Cell::of(int64_t(uint64_t(a.i) + uint64_t(b.i)));
  };
  auto multiply = [&](Cell a, Cell b) {
    return type.isFloat ? Cell::of(a.f * b.f) : Cell::of(int64_t(uint64_t(a.i) * uint64_t(b.i)));
  };
  auto maximum = [&](Cell a, Cell b) { return larger(type, a, b); };
  auto minimum = [&](Cell a, Cell b) { return smaller(type, a, b); };
  auto [start, combine] = [&]() -> std::pair<Cell, llvm::function_ref<Cell(Cell, Cell)>> {
    switch (op.getKind()) {
    case ReduceKind::Sum:
    case ReduceKind::Mean:
      return {type.number(0), add};
    case ReduceKind::Prod:
      return {type.number(1), multiply};
    case ReduceKind::Max:
      return {type.lowest(), maximum};
    case ReduceKind::Min:
      return {type.highest(), minimum};
    }
    llvm_unreachable("all kinds are above");
  }();
  Tensor result = reduced(input, op.getDims(), start, combine);
  if (op.getKind() == ReduceKind::Mean) {
    int64_t count = 1;
    for (int64_t dim : op.getDims())
      count *= input.dim(dim);
    Cell *cells = result.mutableData();
    for (int64_t i = 0, e = result.size(); i < e; ++i)
      cells[i].f /= double(count);
  }
  result = finished(std::move(result));
  if (op.getKeepDims())
    return result;
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < input.rank(); ++d)
    if (!llvm::is_contained(op.getDims(), d))
      shape.push_back(input.dim(d));
  return result.reshaped(shape);
}

FailureOr<Tensor> evalSoftmax(SoftmaxOp op, Operands in, Evaluator &) {
  Tensor result = std::move(in[0]);
  softmaxInPlace(result, op.getAxis());
  return result;
}

FailureOr<Tensor> evalLayerNorm(LayerNormOp op, Operands in, Evaluator &) {
  Tensor result = std::move(in[0]);
  ArrayRef<int64_t> rowShape = result.shape().drop_front(op.getAxis());
  int64_t rowSize = sizeOf(rowShape);
  const Tensor *scale = op.getScale() ? &in[1] : nullptr;
  const Tensor *bias = op.getBias() ? &in[scale ? 2 : 1] : nullptr;
  for (const Tensor *operand : {scale, bias})
    if (operand && operand->shape() != rowShape)
      return op.emitError() << "shape mismatch: " << operand->typeString() << " beside rows of shape "
                            << shapeString(rowShape);
  double epsilon = op.getEpsilon().convertToDouble();
  Cell *row = result.mutableData();
  for (Cell *end = row + result.size(); row != end; row += rowSize) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < rowSize; ++i)
      mean += row[i].f;
    mean /= double(rowSize);
    for (int64_t i = 0; i < rowSize; ++i)
      variance += (row[i].f - mean) * (row[i].f - mean);
    variance /= double(rowSize);
    for (int64_t i = 0; i < rowSize; ++i)
      row[i].f = (row[i].f - mean) / std::sqrt(variance + epsilon) * (scale ? scale->data()[i].f : 1.0) +
                 (bias ? bias->data()[i].f : 0.0);
  }
  return finished(std::move(result));
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalConstant(ConstantOp op, Operands, Evaluator &evaluator) {
  return tensorOf(op, op.getValue(), evaluator);
}

FailureOr<Tensor> evalTranspose(TransposeOp op, Operands in, Evaluator &) {
  return transposed(in[0], op.getPermutation());
}

FailureOr<Tensor> evalReshape(ReshapeOp op, Operands in, Evaluator &) {
  SmallVector<int64_t> shape(op.getResult().getType().getShape());
  int64_t known = 1, *dynamic = nullptr;
  for (int64_t &extent : shape) {
    if (ShapedType::isDynamic(extent))
      dynamic = &extent;
    else
      known = saturatingMul(known, extent);
  }
  if (dynamic)
    *dynamic = known ? in[0].size() / known : 0;
  if ((dynamic && known == 0) || checkedElements(shape) != in[0].size())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " cannot become " << op.getResult().getType();
  return in[0].reshaped(shape);
}

FailureOr<Tensor> evalBroadcast(BroadcastOp op, Operands in, Evaluator &evaluator) {
  SmallVector<int64_t> shape(op.getResult().getType().getShape());
  size_t nextSize = 1;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = in[nextSize++].value().i;
  FailureOr<Tensor> result = evaluator.allocate(op, in[0].elementType(), shape);
  if (failed(result))
    return failure();
  size_t lead = shape.size() - in[0].rank();
  SmallVector<int64_t> strides(shape.size(), 0);
  for (auto [d, stride] : llvm::enumerate(in[0].strides())) {
    if (op.getInput().getType().getDimSize(d) == 1)
      continue;
    if (in[0].dim(d) != shape[lead + d])
      return op.emitError() << "shape mismatch: " << in[0].typeString() << " does not repeat to " << shapeString(shape);
    strides[lead + d] = stride;
  }
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) { *cell++ = in[0].data()[linearize(position, strides)]; });
  return result;
}

} // namespace

void addMicaOps(OpTable &table) {
  table.add<MatmulOp>(evalMatmul);
  table.add<ReduceOp>(evalReduce);
  table.add<SoftmaxOp>(evalSoftmax);
  table.add<LayerNormOp>(evalLayerNorm);
  table.add<ConstantOp>(evalConstant);
  table.add<TransposeOp>(evalTranspose);
  table.add<ReshapeOp>(evalReshape);
  table.add<BroadcastOp>(evalBroadcast);
}

} // namespace mica::reference
