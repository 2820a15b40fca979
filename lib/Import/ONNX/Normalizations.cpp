//===- Normalizations.cpp - normalizations --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// BatchNormalization and its relatives.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static bool isFloatInput(Node &node) {
  if (isa<FloatType>(node.element(0)))
    return true;
  (void)node.refuse("its element type is not a float type");
  return false;
}

static LogicalResult buildBatchNormalization(Node &node) {
  const int64_t rank = node.rank(0);
  if (!isFloatInput(node) || rank < 2)
    return node.refuse("its input has rank " + llvm::Twine(rank) + ", less than 2");
  for (unsigned i = 1; i < 5; ++i)
    if (node.rank(i) != 1)
      return node.refuse("input " + llvm::Twine(i) + " is no vector");
  if (node.opset < 9 && !node.integer("spatial", 1))
    return node.refuse("spatial = 0 is not supported", "export the model with opset_version=9 or later");
  const Type element = node.element(0);
  const double epsilon = node.real("epsilon", 1e-5f);
  Value mean = node.cast(node.in(3), element), variance = node.cast(node.in(4), element);
  const bool trains = node.opset >= 14 ? node.integer("training_mode") != 0
                                       : node.opset < 7 && node.integer("is_test") == 0 && node.wants(1);
  if (trains) {
    // Statistics of the batch; the running ones move towards them.
    Ints dims{0};
    for (int64_t dim = 2; dim < rank; ++dim)
      dims.push_back(dim);
    Value batchMean = node.reduced(ReduceKind::Mean, node.in(0), dims, true);
    Value centred = node.sub(node.in(0), batchMean);
    Value batchVariance = node.reduced(ReduceKind::Mean, node.mul(centred, centred), dims, false);
    Sizes vector{node.sizeOf(node.in(0), 1)};
    batchMean = node.reshaped(batchMean, vector);
    Value momentum = node.constant(element, node.real("momentum", 0.9f)),
          rest = node.constant(element, 1 - node.real("momentum", 0.9f));
    node.set(1, node.cast(node.add(node.mul(mean, momentum), node.mul(batchMean, rest)), node.element(3)));
    node.set(2, node.cast(node.add(node.mul(variance, momentum), node.mul(batchVariance, rest)), node.element(4)));
    mean = batchMean;
    variance = batchVariance;
  }
  const Value scale = node.cast(node.in(1), element), bias = node.cast(node.in(2), element);
  node.set(0, BatchNormOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), mean, variance, scale, bias, 1,
                                  llvm::APFloat(epsilon))
                  .getResult());
  return success();
}

static LogicalResult buildInstanceNormalization(Node &node) {
  if (!isFloatInput(node) || node.rank(0) < 2 || node.operand(0).type().isDynamicDim(1))
    return node.refuse("its input has no static number of channels");
  node.set(0, GroupNormOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), node.in(1), node.in(2),
                                  node.operand(0).type().getDimSize(1), 1, llvm::APFloat(node.real("epsilon", 1e-5f)))
                  .getResult());
  return success();
}

static LogicalResult buildGroupNormalization(Node &node) {
  const int64_t groups = node.integer("num_groups");
  if (!isFloatInput(node) || node.rank(0) < 2 || node.operand(0).type().isDynamicDim(1) || groups < 1 ||
      node.operand(0).type().getDimSize(1) % groups)
    return node.refuse("num_groups does not divide its channels");
  const int64_t channels = node.operand(0).type().getDimSize(1);
  Value scale = node.in(1), bias = node.in(2);
  if (node.opset < 21 && groups != channels) {
    // One value per group, for each of its channels.
    auto perChannel = [&](Value value) {
      Value rows = node.broadcast(node.unsqueezed(value, {1}), {node.index(groups), node.index(channels / groups)});
      return node.reshaped(rows, {node.index(channels)});
    };
    if (node.operand(1).type().getDimSize(0) == groups) {
      scale = perChannel(scale);
      bias = perChannel(bias);
    }
  }
  node.set(0, GroupNormOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), scale, bias, groups, 1,
                                  llvm::APFloat(node.real("epsilon", 1e-5f)))
                  .getResult());
  return success();
}

static LogicalResult buildRmsNormalization(Node &node) {
  const int64_t rank = node.rank(0);
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), rank);
  if (!axis || !isFloatInput(node))
    return failure();
  const double epsilon = node.real("epsilon", 1e-5f);
  const Type element = node.element(0),
             wide = element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  // Statistics are f32 if the elements are narrower, and the scale is broadcast.
  Ints dims;
  for (int64_t dim = *axis; dim < rank; ++dim)
    dims.push_back(dim);
  if (wide == element && node.rank(1) == rank - *axis && node.element(1) == element &&
      llvm::equal(node.operand(1).type().getShape(), node.operand(0).type().getShape().drop_front(size_t(*axis)))) {
    node.set(0, RmsNormOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), node.in(1), *axis,
                                  llvm::APFloat(epsilon))
                    .getResult());
    return success();
  }
  Value input = node.cast(node.in(0), wide);
  Value mean = node.reduced(ReduceKind::Mean, node.mul(input, input), dims, true);
  Value inverse = node.unary<RsqrtOp>(node.add(mean, node.constant(wide, epsilon)));
  Value normalized = node.cast(node.mul(input, inverse), node.element(1));
  node.set(0, node.mul(normalized, node.in(1)));
  return failure(node.isRefused());
}

static LogicalResult buildLayerNormalization(Node &node) {
  const int64_t rank = node.rank(0);
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), rank);
  if (!axis || !isFloatInput(node))
    return failure();
  const double epsilon = node.real("epsilon", 1e-5f);
  const bool fits = node.rank(1) == rank - *axis && (!node.has(2) || node.rank(2) == rank - *axis);
  if (fits && !node.wants(1) && !node.wants(2)) {
    node.set(0, LayerNormOp::create(node.b, node.loc, node.in(0).getType(), node.in(0), node.in(1),
                                    node.has(2) ? node.in(2) : Value(), *axis, llvm::APFloat(epsilon))
                    .getResult());
    return success();
  }
  // Statistics are f32 if the elements are narrower.
  const Type element = node.element(0),
             wide = element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  Ints dims;
  for (int64_t dim = *axis; dim < rank; ++dim)
    dims.push_back(dim);
  Value input = node.cast(node.in(0), wide), mean = node.reduced(ReduceKind::Mean, input, dims, true);
  Value centred = node.sub(input, mean);
  Value variance = node.reduced(ReduceKind::Mean, node.mul(centred, centred), dims, true);
  Value inverse = node.unary<RsqrtOp>(node.add(variance, node.constant(wide, epsilon)));
  Value normal = node.cast(node.mul(centred, inverse), element);
  Value result = node.mul(normal, node.in(1));
  if (node.has(2))
    result = node.add(result, node.in(2));
  node.set(0, result);
  node.set(1, mean);
  node.set(2, inverse);
  return success();
}

/// Divides by the sum of squares of neighbouring channels.
static LogicalResult buildLrn(Node &node) {
  const int64_t size = node.integer("size"), rank = node.rank(0);
  if (!isFloatInput(node) || size < 1 || size > 1024 || rank < 2)
    return node.refuse("size is less than 1, or its input has no channels");
  const Type element = node.element(0);
  const double alpha = node.real("alpha", 1e-4f), beta = node.real("beta", 0.75f), bias = node.real("bias", 1);
  Value squares = node.mul(node.in(0), node.in(0));
  Ints low(rank, 0), high(rank, 0);
  low[1] = (size - 1) / 2;
  high[1] = size - 1 - low[1];
  Value wide = node.make<PadOp>(squares, llvm::ArrayRef<int64_t>(low), llvm::ArrayRef<int64_t>(high), PadMode::Constant,
                                TypedAttr());
  Sizes sizes = node.sizesOf(squares), offsets(rank, node.index(0));
  Value sum;
  for (int64_t i = 0; i < size; ++i) {
    offsets[1] = node.index(i);
    Value part = node.sliced(wide, offsets, sizes, {});
    sum = sum ? node.add(sum, part) : part;
  }
  Value base = node.add(node.mul(sum, node.constant(element, alpha / size)), node.constant(element, bias));
  node.set(0, node.div(node.in(0), node.binary<PowOp>(base, node.constant(element, beta))));
  return success();
}

static LogicalResult buildMeanVarianceNormalization(Node &node) {
  std::optional<Ints> axes = node.axesOf(node.integers("axes", {0, 2, 3}), node.rank(0));
  if (!axes || !isFloatInput(node))
    return failure();
  const Type element = node.element(0);
  Value centred = node.sub(node.in(0), node.reduced(ReduceKind::Mean, node.in(0), *axes, true));
  Value deviation = node.unary<SqrtOp>(node.reduced(ReduceKind::Mean, node.mul(centred, centred), *axes, true));
  node.set(0, node.div(centred, node.add(deviation, node.constant(element, 1e-9))));
  return success();
}

static LogicalResult buildLpNormalization(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), node.rank(0));
  if (!axis || !isFloatInput(node))
    return failure();
  Value norm = node.integer("p", 2) == 1
                   ? node.reduced(ReduceKind::Sum, node.unary<AbsOp>(node.in(0)), {*axis}, true)
                   : node.unary<SqrtOp>(node.reduced(ReduceKind::Sum, node.mul(node.in(0), node.in(0)), {*axis}, true));
  node.set(0, node.div(node.in(0), norm));
  return success();
}

/// Of com.microsoft: the sum of input, skip and bias is normalized over the last dimension, and a result of its own.
template <bool isRms> static LogicalResult buildSkipNormalization(Node &node) {
  const unsigned bias = isRms ? 3 : 4;
  if (!isFloatInput(node))
    return failure();
  if (node.wants(1) || node.wants(2))
    return node.refuse("its mean and deviation are results: these are of training");
  Value sum = node.add(node.in(0), node.in(1));
  if (node.has(bias))
    sum = node.add(sum, node.in(bias));
  if (node.isRefused())
    return failure();
  const llvm::APFloat epsilon(node.real("epsilon", 1e-12f));
  const int64_t axis = llvm::cast<RankedTensorType>(sum.getType()).getRank() - 1;
  if constexpr (isRms)
    node.set(0, RmsNormOp::create(node.b, node.loc, sum.getType(), sum, node.in(2), axis, epsilon).getResult());
  else
    node.set(0, LayerNormOp::create(node.b, node.loc, sum.getType(), sum, node.in(2),
                                    node.has(3) ? node.in(3) : Value(), axis, epsilon)
                    .getResult());
  if (node.wants(3))
    node.set(3, sum);
  return success();
}

void importer::addNormalizations(OpTable &table) {
  table.add("BatchNormalization", buildBatchNormalization, 5, 5);
  table.add("GroupNormalization", buildGroupNormalization, 3, 3);
  table.add("InstanceNormalization", buildInstanceNormalization, 3, 3);
  table.add("LRN", buildLrn, 1, 1);
  table.add("LayerNormalization", buildLayerNormalization, 2, 3);
  table.add("LpNormalization", buildLpNormalization, 1, 1);
  table.add("MeanVarianceNormalization", buildMeanVarianceNormalization, 1, 1);
  table.add("RMSNormalization", buildRmsNormalization, 2, 2);
  // What ONNX Runtime wrote before operator set 23, also without a domain.
  table.add("SimplifiedLayerNormalization", buildRmsNormalization, 2, 2);
  table.add("com.microsoft:SimplifiedLayerNormalization", buildRmsNormalization, 2, 2);
  table.add("com.microsoft:SkipLayerNormalization", buildSkipNormalization<false>, 3, 5);
  table.add("com.microsoft:SkipSimplifiedLayerNormalization", buildSkipNormalization<true>, 3, 4);
}
