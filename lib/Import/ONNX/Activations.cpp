//===- Activations.cpp - activation functions -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Activation functions: scalar computations in a linalg.generic, where the dialect has no twin.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Activations.h"
#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/Scalars.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static LogicalResult buildLeakyRelu(Node &node) {
  const double alpha = node.real("alpha", 0.01f);
  return mapInput(node, [&](Scalars &s, Value x) {
    return s.select(s.less(x, s.number(x.getType(), 0)), s.mul(x, s.number(x.getType(), alpha)), x);
  });
}

static LogicalResult buildElu(Node &node) {
  const double alpha = node.real("alpha", 1);
  return mapInput(node, [&](Scalars &s, Value x) {
    Value grown = math::ExpM1Op::create(s.builder, s.loc, x);
    return s.select(s.less(x, s.number(x.getType(), 0)), s.mul(grown, s.number(x.getType(), alpha)), x);
  });
}

static LogicalResult buildCelu(Node &node) {
  const double alpha = node.real("alpha", 1);
  return mapInput(node, [&](Scalars &s, Value x) {
    Value a = s.number(x.getType(), alpha), zero = s.number(x.getType(), 0);
    Value grown = math::ExpM1Op::create(s.builder, s.loc, s.div(x, a));
    return s.add(s.max(x, zero), s.min(zero, s.mul(grown, a)));
  });
}

static LogicalResult buildSelu(Node &node) {
  const double alpha = node.real("alpha", node.opset < 6 ? 1.6732f : 1.67326319217681884765625f);
  const double gamma = node.real("gamma", node.opset < 6 ? 1.0507f : 1.05070102214813232421875f);
  return mapInput(node, [&](Scalars &s, Value x) {
    Value grown = s.mul(math::ExpM1Op::create(s.builder, s.loc, x), s.number(x.getType(), alpha));
    Value inner = s.select(s.less(s.number(x.getType(), 0), x), x, grown);
    return s.mul(inner, s.number(x.getType(), gamma));
  });
}

static LogicalResult buildHardSigmoid(Node &node) {
  const double alpha = node.real("alpha", 0.2f), beta = node.real("beta", 0.5f);
  return mapInput(node, [&](Scalars &s, Value x) {
    Type type = x.getType();
    Value line = s.add(s.mul(x, s.number(type, alpha)), s.number(type, beta));
    return s.max(s.number(type, 0), s.min(s.number(type, 1), line));
  });
}

static LogicalResult buildHardSwish(Node &node) {
  return mapInput(node, [&](Scalars &s, Value x) {
    Type type = x.getType();
    Value line = s.add(s.div(x, s.number(type, 6)), s.number(type, 0.5));
    return s.mul(x, s.max(s.number(type, 0), s.min(s.number(type, 1), line)));
  });
}

static LogicalResult buildSoftplus(Node &node) {
  // log(1 + e^x) = max(x, 0) + log(1 + e^-|x|), which does not overflow.
  return mapInput(node, [&](Scalars &s, Value x) {
    Value zero = s.number(x.getType(), 0);
    Value magnitude = math::AbsFOp::create(s.builder, s.loc, x);
    Value tail = math::Log1pOp::create(s.builder, s.loc, s.exp(s.sub(zero, magnitude)));
    return s.add(s.max(x, zero), tail);
  });
}

static LogicalResult buildMish(Node &node) {
  return mapInput(node, [&](Scalars &s, Value x) {
    Value zero = s.number(x.getType(), 0);
    Value magnitude = math::AbsFOp::create(s.builder, s.loc, x);
    Value tail = math::Log1pOp::create(s.builder, s.loc, s.exp(s.sub(zero, magnitude)));
    return s.mul(x, math::TanhOp::create(s.builder, s.loc, s.add(s.max(x, zero), tail)));
  });
}

static LogicalResult buildSoftsign(Node &node) {
  return mapInput(node, [&](Scalars &s, Value x) {
    Value magnitude = math::AbsFOp::create(s.builder, s.loc, x);
    return s.div(x, s.add(magnitude, s.number(x.getType(), 1)));
  });
}

static LogicalResult buildThresholdedRelu(Node &node) {
  const double alpha = node.real("alpha", 1);
  return mapInput(node, [&](Scalars &s, Value x) {
    return s.select(s.less(s.number(x.getType(), alpha), x), x, s.number(x.getType(), 0));
  });
}

static LogicalResult buildShrink(Node &node) {
  const double bias = node.real("bias", 0), lambd = node.real("lambd", 0.5);
  return mapInput(
      node,
      [&](Scalars &s, Value x) {
        Type type = x.getType();
        Value low = s.less(x, s.number(type, -lambd)), high = s.less(s.number(type, lambd), x);
        Value rest = s.select(high, s.sub(x, s.number(type, bias)), s.number(type, 0));
        return s.select(low, s.add(x, s.number(type, bias)), rest);
      },
      /*floatsOnly=*/false);
}

static LogicalResult buildPRelu(Node &node) {
  if (failed(checkSameTypes(node)))
    return failure();
  // The slope is per channel, dimension 1, or broadcast from the last dimension.
  Value slope = node.in(1);
  if (node.opset < 7 && node.rank(1) == 1 && node.rank(0) > 1 && node.operand(1).type().getDimSize(0) != 1) {
    Ints behind;
    for (int64_t dim = 1; dim < node.rank(0) - 1; ++dim)
      behind.push_back(dim);
    slope = node.unsqueezed(slope, behind);
  }
  const bool isUnsigned = node.isUnsigned(0);
  node.set(0,
           node.elementwise({node.in(0), slope}, node.element(0),
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              Scalars s(b, loc);
                              if (isUnsigned)
                                return args[0];
                              return s.select(s.less(args[0], s.number(args[0].getType(), 0)), s.mul(args[0], args[1]),
                                              args[0]);
                            }),
           isUnsigned);
  return success();
}

static LogicalResult buildGelu(Node &node) {
  const std::string approximation = node.text("approximate", "none");
  if (approximation != "none" && approximation != "tanh")
    return node.refuse("approximate is '" + llvm::Twine(approximation) + "', neither none nor tanh");
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  node.set(0, GeluOp::create(node.b, node.loc, node.in(0).getType(), node.in(0),
                             approximation == "tanh" ? GeluApproximation::Tanh : GeluApproximation::None)
                  .getResult());
  return success();
}

/// gelu(x + bias) of com.microsoft; FastGelu takes the tanh form, and may have no bias.
template <GeluApproximation form> static LogicalResult buildBiasGelu(Node &node) {
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  Value sum = node.has(1) ? node.add(node.in(0), node.in(1)) : node.in(0);
  if (node.isRefused())
    return failure();
  node.set(0, GeluOp::create(node.b, node.loc, sum.getType(), sum, form).getResult());
  return success();
}

/// x * sigmoid(alpha * x).
static LogicalResult swish(Node &node, double alpha) {
  if (!isa<FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  Value scaled = node.mul(node.in(0), node.constant(node.element(0), node.real("alpha", alpha)));
  node.set(0, node.mul(node.in(0), node.unary<SigmoidOp>(scaled)));
  return success();
}

static LogicalResult buildSwish(Node &node) { return swish(node, 1); }

static LogicalResult buildQuickGelu(Node &node) { return swish(node, 1.702f); }

LogicalResult importer::setActivated(Node &node, Value value, llvm::StringRef name, llvm::ArrayRef<double> parameters) {
  const Type element = llvm::cast<RankedTensorType>(value.getType()).getElementType();
  auto number = [&](double given) { return node.constant(element, given); };
  auto parameter = [&](unsigned i, double fallback) {
    return number(i < parameters.size() ? parameters[i] : fallback);
  };
  auto clamped = [&](Value x, Value low, Value high) { return node.binary<MinOp>(node.binary<MaxOp>(x, low), high); };
  if (node.isRefused())
    return failure();
  if (name == "Relu")
    value = node.binary<MaxOp>(value, number(0));
  else if (name == "Tanh")
    value = node.unary<TanhOp>(value);
  else if (name == "Sigmoid")
    value = node.unary<SigmoidOp>(value);
  else if (name == "LeakyRelu")
    value = node.select(node.compare(Comparison::Lt, value, number(0)), node.mul(value, parameter(0, 0.01f)), value);
  else if (name == "Clip")
    value = clamped(value, parameter(0, -INFINITY), parameter(1, INFINITY));
  else if (name == "HardSigmoid")
    value = clamped(node.add(node.mul(value, parameter(0, 0.2f)), parameter(1, 0.5f)), number(0), number(1));
  else if (!name.empty())
    return node.refuse("its activation is '" + name + "'");
  node.set(0, value);
  return failure(node.isRefused());
}

void importer::addActivations(OpTable &table) {
  table.add("Celu", buildCelu, 1, 1);
  table.add("Elu", buildElu, 1, 1);
  table.add("Gelu", buildGelu, 1, 1);
  table.add("com.microsoft:BiasGelu", buildBiasGelu<GeluApproximation::None>, 2, 2);
  table.add("com.microsoft:FastGelu", buildBiasGelu<GeluApproximation::Tanh>, 1, 2);
  table.add("com.microsoft:Gelu", buildGelu, 1, 1);
  table.add("com.microsoft:QuickGelu", buildQuickGelu, 1, 1);
  table.add("HardSigmoid", buildHardSigmoid, 1, 1);
  table.add("HardSwish", buildHardSwish, 1, 1);
  table.add("LeakyRelu", buildLeakyRelu, 1, 1);
  table.add("Mish", buildMish, 1, 1);
  table.add("PRelu", buildPRelu, 2, 2);
  table.add("Selu", buildSelu, 1, 1);
  table.add("Shrink", buildShrink, 1, 1);
  table.add("Softplus", buildSoftplus, 1, 1);
  table.add("Softsign", buildSoftsign, 1, 1);
  table.add("Swish", buildSwish, 1, 1);
  table.add("ThresholdedRelu", buildThresholdedRelu, 1, 1);
}
