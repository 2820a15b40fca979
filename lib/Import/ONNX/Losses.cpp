//===- Losses.cpp - losses and optimizers ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss, and the optimizers of ai.onnx.preview.training.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// The loss of log probabilities [N, C, ...] and targets [N, ...], reduced as the node says.
static LogicalResult buildLoss(Node &node, Value logs) {
  const Type element = node.element(0);
  const std::string reduction = node.text("reduction", "mean");
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    return node.refuse("reduction is '" + llvm::Twine(reduction) + "'");
  const int64_t rank = node.rank(0);
  if (rank < 2 || node.rank(1) != rank - 1 || !isa<FloatType>(element) || !isa<IntegerType>(node.element(1)))
    return node.refuse("its input and target do not fit each other");
  const bool ignores = node.hasAttribute("ignore_index");
  const int64_t ignored = node.integer("ignore_index");
  Value target = node.in(1), weights = node.has(2) ? node.in(2) : Value();
  Value classes = node.indexValue(node.sizeOf(node.in(0), 1));
  const Type wide = element.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : element;
  // The weight of each target: 0 where it is ignored.
  Value weight = node.elementwise(target, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(wide, 1)),
          zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(wide, 0));
    Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
    Value isClass = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, classes);
    Value safe = arith::SelectOp::create(b, loc, isClass, index, arith::ConstantIndexOp::create(b, loc, 0));
    Value found = one;
    if (weights) {
      found = tensor::ExtractOp::create(b, loc, weights, safe);
      if (element != wide)
        found = arith::ExtFOp::create(b, loc, wide, found);
    }
    if (ignores) {
      Value isIgnored =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, args[0],
                                arith::ConstantOp::create(b, loc, b.getIntegerAttr(args[0].getType(), ignored)));
      found = arith::SelectOp::create(b, loc, isIgnored, zero, found);
    }
    return found;
  });
  Value losses = node.elementwise(target, element, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
    Value isClass = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, classes);
    Value safe = arith::SelectOp::create(b, loc, isClass, index, arith::ConstantIndexOp::create(b, loc, 0));
    llvm::SmallVector<Value> at;
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      at.push_back(linalg::IndexOp::create(b, loc, dim));
    at.insert(at.begin() + 1, safe);
    Value found = tensor::ExtractOp::create(b, loc, logs, at);
    return arith::NegFOp::create(b, loc, found);
  });
  losses = node.mul(losses, node.cast(weight, element));
  if (reduction == "none") {
    node.set(0, losses);
    return success();
  }
  Ints all;
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    all.push_back(dim);
  Value sum = node.reduced(ReduceKind::Sum, losses, all, false);
  if (reduction == "mean")
    sum = node.div(sum, node.reduced(ReduceKind::Sum, node.cast(weight, element), all, false));
  node.set(0, sum);
  return success();
}

static LogicalResult buildNegativeLogLikelihood(Node &node) { return buildLoss(node, node.in(0)); }

static LogicalResult buildSoftmaxCrossEntropy(Node &node) {
  if (!isa<FloatType>(node.element(0)) || node.rank(0) < 2)
    return node.refuse("its scores are not of a float type, or have no classes");
  Value shifted = node.sub(node.in(0), node.reduced(ReduceKind::Max, node.in(0), {1}, true));
  Value sum = node.reduced(ReduceKind::Sum, node.unary<ExpOp>(shifted), {1}, true);
  Value logs = node.sub(shifted, node.unary<LogOp>(sum));
  if (failed(buildLoss(node, logs)))
    return failure();
  node.set(1, logs);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Optimizers: inputs are the rate, the number of updates, and for each tensor its value, gradient and state
//===------------------------------------------------------------------------------------------------------------===//

/// How many tensors are optimized; refuses inputs that are no groups of `perTensor`.
static std::optional<unsigned> optimizedCount(Node &node, unsigned perTensor, unsigned outputs) {
  const unsigned count = (node.inputCount() - 2) / perTensor;
  if (node.inputCount() != 2 + count * perTensor || node.outputCount() > count * outputs) {
    (void)node.refuse("its inputs are no groups of " + llvm::Twine(perTensor));
    return std::nullopt;
  }
  for (unsigned i = 2; i < node.inputCount(); ++i)
    if (!isa<FloatType>(node.element(i))) {
      (void)node.refuse("input " + llvm::Twine(i) + " is not of a float type");
      return std::nullopt;
    }
  return count;
}

static LogicalResult buildAdagrad(Node &node) {
  std::optional<unsigned> count = optimizedCount(node, 3, 2);
  if (!count)
    return failure();
  for (unsigned i = 0; i < *count; ++i) {
    const Type element = node.element(2 + i);
    auto number = [&](double value) { return node.constant(element, value); };
    Value x = node.in(2 + i), gradient = node.in(2 + *count + i), squares = node.in(2 + 2 * *count + i);
    Value steps = node.cast(node.in(1), element);
    Value rate = node.div(node.cast(node.in(0), element),
                          node.add(number(1), node.mul(steps, number(node.real("decay_factor", 0)))));
    gradient = node.add(node.mul(number(node.real("norm_coefficient", 0)), x), gradient);
    squares = node.add(squares, node.mul(gradient, gradient));
    Value scale = node.add(node.unary<SqrtOp>(squares), number(node.real("epsilon", 1e-6f)));
    node.set(i, node.sub(x, node.div(node.mul(rate, gradient), scale)));
    node.set(*count + i, squares);
  }
  return success();
}

static LogicalResult buildMomentum(Node &node) {
  std::optional<unsigned> count = optimizedCount(node, 3, 2);
  if (!count)
    return failure();
  const bool isNesterov = node.text("mode") == "nesterov";
  for (unsigned i = 0; i < *count; ++i) {
    const Type element = node.element(2 + i);
    auto number = [&](double value) { return node.constant(element, value); };
    Value x = node.in(2 + i), gradient = node.in(2 + *count + i), momentum = node.in(2 + 2 * *count + i);
    gradient = node.add(node.mul(number(node.real("norm_coefficient")), x), gradient);
    Value isLater = node.compare(Comparison::Gt, node.in(1), node.constant(node.element(1), 0));
    Value beta = node.select(isLater, number(node.real("beta")), number(1));
    Value next = node.add(node.mul(number(node.real("alpha")), momentum), node.mul(beta, gradient));
    Value step = isNesterov ? node.add(gradient, node.mul(number(node.real("alpha")), next)) : next;
    node.set(i, node.sub(x, node.mul(node.cast(node.in(0), element), step)));
    node.set(*count + i, next);
  }
  return success();
}

static LogicalResult buildAdam(Node &node) {
  std::optional<unsigned> count = optimizedCount(node, 4, 3);
  if (!count)
    return failure();
  const double alpha = node.real("alpha", 0.9f), beta = node.real("beta", 0.999f);
  for (unsigned i = 0; i < *count; ++i) {
    const Type element = node.element(2 + i);
    auto number = [&](double value) { return node.constant(element, value); };
    Value x = node.in(2 + i), gradient = node.in(2 + *count + i), first = node.in(2 + 2 * *count + i),
          second = node.in(2 + 3 * *count + i);
    gradient = node.add(node.mul(number(node.real("norm_coefficient", 0)), x), gradient);
    first = node.add(node.mul(number(alpha), first), node.mul(number(1 - alpha), gradient));
    second = node.add(node.mul(number(beta), second), node.mul(number(1 - beta), node.mul(gradient, gradient)));
    Value root = node.add(node.unary<SqrtOp>(second), number(node.real("epsilon", 1e-6f)));
    Value steps = node.cast(node.in(1), element), rate = node.cast(node.in(0), element);
    // In the first steps the rate makes up for the zeros that the averages began with.
    auto rest = [&](double decay) { return node.sub(number(1), node.binary<PowOp>(number(decay), steps)); };
    Value isLater = node.compare(Comparison::Gt, node.in(1), node.constant(node.element(1), 0));
    Value adjusted = node.div(node.mul(rate, node.unary<SqrtOp>(rest(beta))), rest(alpha));
    rate = node.select(isLater, adjusted, rate);
    Value next = node.sub(x, node.div(node.mul(rate, first), root));
    node.set(i, node.mul(number(1 - node.real("norm_coefficient_post", 0)), next));
    node.set(*count + i, first);
    node.set(2 * *count + i, second);
  }
  return success();
}

void importer::addLosses(OpTable &table) {
  table.add("NegativeLogLikelihoodLoss", buildNegativeLogLikelihood, 2, 3);
  table.add("SoftmaxCrossEntropyLoss", buildSoftmaxCrossEntropy, 2, 3);
  table.add("ai.onnx.preview.training:Adagrad", buildAdagrad, 2);
  table.add("ai.onnx.preview.training:Adam", buildAdam, 2);
  table.add("ai.onnx.preview.training:Momentum", buildMomentum, 2);
  table.refuse("ai.onnx.preview.training:Gradient",
               "differentiates its graph, which is not supported; export the model with its gradients as nodes");
}
