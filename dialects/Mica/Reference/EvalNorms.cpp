//===- EvalNorms.cpp - normalizations ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of NormOps.td as described there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Evaluator.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

/// The element of an optional parameter, `otherwise` if it is not given.
double elementOr(const Tensor *parameter, int64_t index, double otherwise) {
  return parameter ? parameter->data()[index].f : otherwise;
}

LogicalResult requireChannels(Operation *op, const Tensor *parameter, int64_t channels) {
  if (parameter && parameter->size() != channels)
    return op->emitError() << "shape mismatch: " << parameter->typeString() << " for " << channels << " channels";
  return success();
}

FailureOr<Tensor> evalRmsNorm(RmsNormOp op, Operands in, Evaluator &) {
  Tensor result = in[0];
  ArrayRef<int64_t> rowShape = in[0].shape().drop_front(op.getAxis());
  int64_t rowSize = sizeOf(rowShape);
  const Tensor *scale = op.getScale() ? &in[1] : nullptr;
  if (scale && scale->shape() != rowShape)
    return op.emitError() << "shape mismatch: " << scale->typeString() << " beside rows of shape "
                          << shapeString(rowShape);
  double epsilon = op.getEpsilon().convertToDouble();
  Cell *row = result.mutableData();
  for (Cell *end = row + result.size(); row != end; row += rowSize) {
    double squares = 0;
    for (int64_t i = 0; i < rowSize; ++i)
      squares += row[i].f * row[i].f;
    double divisor = std::sqrt(squares / double(rowSize) + epsilon);
    for (int64_t i = 0; i < rowSize; ++i)
      row[i].f = row[i].f / divisor * elementOr(scale, i, 1);
  }
  result.roundAll();
  return result;
}

FailureOr<Tensor> evalBatchNorm(BatchNormOp op, Operands in, Evaluator &) {
  const Tensor &mean = in[1], &variance = in[2];
  const Tensor *scale = op.getScale() ? &in[3] : nullptr;
  const Tensor *bias = op.getBias() ? &in[scale ? 4 : 3] : nullptr;
  for (const Tensor *parameter : {&mean, &variance, scale, bias})
    if (failed(requireChannels(op, parameter, in[0].dim(op.getAxis()))))
      return failure();
  double epsilon = op.getEpsilon().convertToDouble();
  Tensor result = in[0];
  Cell *cell = result.mutableData();
  forEachPosition(in[0].shape(), [&](ArrayRef<int64_t> position) {
    int64_t c = position[op.getAxis()];
    double normalized = (cell->f - mean.data()[c].f) / std::sqrt(variance.data()[c].f + epsilon);
    *cell++ = Cell::of(normalized * elementOr(scale, c, 1) + elementOr(bias, c, 0));
  });
  result.roundAll();
  return result;
}

FailureOr<Tensor> evalGroupNorm(GroupNormOp op, Operands in, Evaluator &) {
  const Tensor &input = in[0];
  const Tensor *scale = op.getScale() ? &in[1] : nullptr;
  const Tensor *bias = op.getBias() ? &in[scale ? 2 : 1] : nullptr;
  int64_t channels = input.dim(op.getAxis()), groups = op.getGroups();
  if (channels % groups != 0)
    return op.emitError() << "shape mismatch: " << groups << " groups do not divide the channels of "
                          << input.typeString();
  for (const Tensor *parameter : {scale, bias})
    if (failed(requireChannels(op, parameter, channels)))
      return failure();
  double epsilon = op.getEpsilon().convertToDouble();
  int64_t perGroup = channels / groups;
  double count = double(input.size()) / double(std::max<int64_t>(1, input.dim(0) * groups));
  std::vector<double> means(input.dim(0) * groups), variances(means.size());
  auto groupOf = [&](ArrayRef<int64_t> position) { return position[0] * groups + position[op.getAxis()] / perGroup; };

  const Cell *cell = input.data();
  forEachPosition(input.shape(), [&](ArrayRef<int64_t> position) { means[groupOf(position)] += cell++->f / count; });
  cell = input.data();
  forEachPosition(input.shape(), [&](ArrayRef<int64_t> position) {
    double difference = cell++->f - means[groupOf(position)];
    variances[groupOf(position)] += difference * difference / count;
  });
  Tensor result = input;
  Cell *out = result.mutableData();
  forEachPosition(input.shape(), [&](ArrayRef<int64_t> position) {
    int64_t group = groupOf(position), c = position[op.getAxis()];
    double normalized = (out->f - means[group]) / std::sqrt(variances[group] + epsilon);
    *out++ = Cell::of(normalized * elementOr(scale, c, 1) + elementOr(bias, c, 0));
  });
  result.roundAll();
  return result;
}

} // namespace

void addMicaNormOps(OpTable &table) {
  table.add<RmsNormOp>(evalRmsNorm);
  table.add<BatchNormOp>(evalBatchNorm);
  table.add<GroupNormOp>(evalGroupNorm);
}

} // namespace mica::reference
