//===- ControlFlow.cpp - If, Loop and Scan --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Conditions and loops become mica.if and mica.while. What a loop collects of each iteration is written into a tensor
// whose first dimension grows, since a condition may end the loop early.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// The type that both are compatible with: dynamic where they differ. Null where ranks or element types differ.
static RankedTensorType commonType(RankedTensorType a, RankedTensorType c) {
  if (a.getRank() != c.getRank() || a.getElementType() != c.getElementType())
    return {};
  Ints shape(a.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size != c.getDimSize(dim))
      size = ShapedType::kDynamic;
  return a.clone(shape);
}

static Value asType(OpBuilder &b, Location loc, Value value, RankedTensorType type) {
  return value.getType() == type ? value : Value(tensor::CastOp::create(b, loc, type, value));
}

/// The condition as a tensor of rank 0.
static Value conditionOf(Node &node, unsigned i) { return node.reshaped(node.in(i), {}); }

static const ::onnx::GraphProto *graphOf(Node &node, llvm::StringRef name) {
  const auto *attribute = node.attribute(name);
  if (attribute && attribute->has_g())
    return &attribute->g();
  (void)node.refuse("it has no graph " + name);
  return nullptr;
}

/// A builder at the end of a block of a region that no op has yet.
static OpBuilder builderAt(Node &node, Block &block) {
  OpBuilder builder(node.b.getContext());
  builder.setInsertionPointToEnd(&block);
  return builder;
}

/// Builds a graph in a block of its own. Fails without a report of its own where a node in it was refused.
static FailureOr<std::vector<Tensor>> buildInto(Node &node, const ::onnx::GraphProto &graph, Scope &scope,
                                                Block &block) {
  OpBuilder inner = builderAt(node, block);
  if (failed(node.importer.buildNodes(graph, scope, inner)))
    return failure();
  return node.importer.outputsOf(graph, scope, inner, node.loc);
}

static LogicalResult buildIf(Node &node) {
  const ::onnx::GraphProto *thenGraph = graphOf(node, "then_branch"), *elseGraph = graphOf(node, "else_branch");
  if (!thenGraph || !elseGraph)
    return failure();
  if (!node.element(0).isInteger(1) ||
      (node.operand(0).type().hasStaticShape() && node.operand(0).type().getNumElements() != 1))
    return node.refuse("its condition is not a single value of type bool");
  // A condition that is known takes one branch, which may be all that fits the shapes.
  if (const auto &elements = node.operand(0).elements; elements && elements->size() == 1)
    if (std::optional<int64_t> known = getConstantIntValue(elements->front())) {
      Scope scope(&node.scope);
      const ::onnx::GraphProto &graph = *known ? *thenGraph : *elseGraph;
      if (failed(node.importer.buildNodes(graph, scope, node.b)))
        return failure();
      FailureOr<std::vector<Tensor>> outputs = node.importer.outputsOf(graph, scope, node.b, node.loc);
      if (failed(outputs) || outputs->size() < node.outputCount())
        return failure();
      for (unsigned i = 0; i < node.outputCount(); ++i)
        node.set(i, (*outputs)[i]);
      return success();
    }
  OperationState state(node.loc, IfOp::getOperationName());
  state.addOperands(conditionOf(node, 0));
  std::vector<Tensor> outputs[2];
  Block *blocks[2];
  for (int branch = 0; branch < 2; ++branch) {
    Region *region = state.addRegion();
    blocks[branch] = &region->emplaceBlock();
    Scope scope(&node.scope);
    FailureOr<std::vector<Tensor>> built = buildInto(node, branch ? *elseGraph : *thenGraph, scope, *blocks[branch]);
    if (failed(built))
      return failure();
    outputs[branch] = std::move(*built);
  }
  if (outputs[0].size() != outputs[1].size() || outputs[0].size() != node.outputCount())
    return node.refuse("its branches have different numbers of outputs");
  llvm::SmallVector<RankedTensorType> types;
  for (auto [a, c] : llvm::zip(outputs[0], outputs[1])) {
    if (!a.value || !c.value)
      return node.refuse("a branch yields a sequence");
    RankedTensorType type = commonType(a.type(), c.type());
    if (!type || a.isUnsigned != c.isUnsigned)
      return node.refuse("its branches yield tensors of different ranks or element types: a result has one");
    types.push_back(type);
  }
  for (int branch = 0; branch < 2; ++branch) {
    OpBuilder inner = builderAt(node, *blocks[branch]);
    llvm::SmallVector<Value> values;
    for (auto [tensor, type] : llvm::zip(outputs[branch], types))
      values.push_back(asType(inner, node.loc, tensor.value, type));
    YieldOp::create(inner, node.loc, values);
  }
  for (RankedTensorType type : types)
    state.addTypes(type);
  Operation *op = node.b.create(state);
  for (unsigned i = 0; i < node.outputCount(); ++i)
    node.set(i, op->getResult(i), outputs[0][i].isUnsigned);
  return success();
}

namespace {
/// A loop under construction: carried values, and what is collected.
struct LoopPlan {
  std::vector<Tensor> carried;               ///< initial values
  llvm::SmallVector<RankedTensorType> types; ///< of the carried values
  llvm::SmallVector<RankedTensorType> parts; ///< of what each iteration adds to a collected tensor
  llvm::SmallVector<int64_t> axes;           ///< along which it is collected
  llvm::SmallVector<bool> prepends;
};
} // namespace

/// A tensor of no parts yet.
static RankedTensorType collectedType(RankedTensorType part, int64_t axis) {
  Ints shape(part.getShape());
  shape.insert(shape.begin() + axis, ShapedType::kDynamic);
  return part.clone(shape);
}

/// Builds the ops of a body and gives its outputs. `iteration` is a tensor of rank 0.
using BuildBody = llvm::function_ref<FailureOr<std::vector<Tensor>>(OpBuilder &, Block &, Value iteration, ValueRange)>;

/// A mica.while that runs while `more` holds and, with a `limit` (a scalar i64), fewer iterations were done. The body
/// yields the condition, where `hasCondition`, the carried values, and what is collected.
static LogicalResult buildWhile(Node &node, LoopPlan &plan, Value limit, Value more, bool hasCondition,
                                BuildBody body) {
  const Type i64 = node.b.getI64Type(), i1 = node.b.getI1Type();
  const auto counterType = RankedTensorType::get({}, i64), conditionType = RankedTensorType::get({}, i1);
  const size_t carriedCount = plan.carried.size();
  // A carried type that the body does not keep becomes dynamic, and the body is built again.
  for (int attempt = 0; attempt < 3; ++attempt) {
    llvm::SmallVector<Type> types{counterType, conditionType};
    llvm::append_range(types, plan.types);
    const size_t fixed = types.size();
    OperationState state(node.loc, WhileOp::getOperationName());
    llvm::SmallVector<Location> places;
    auto region = std::make_unique<Region>();
    Block &block = region->emplaceBlock();
    for (Type type : types)
      block.addArgument(type, node.loc);
    OpBuilder inner = builderAt(node, block);
    FailureOr<std::vector<Tensor>> outputs =
        body(inner, block, block.getArgument(0), ValueRange(block.getArguments()).drop_front(2));
    if (failed(outputs))
      return failure();
    const size_t first = hasCondition ? 1 : 0;
    if (outputs->size() < first + carriedCount || outputs->size() - first - carriedCount != plan.axes.size())
      return node.refuse("its body has " + llvm::Twine(outputs->size()) + " outputs");
    for (const Tensor &output : *outputs)
      if (!output.value)
        return node.refuse("its body yields a sequence");
    bool isStable = true;
    for (size_t i = 0; i < carriedCount; ++i) {
      RankedTensorType now = (*outputs)[first + i].type();
      RankedTensorType common = commonType(plan.types[i], now);
      if (!common)
        return node.refuse("what it carries changes its rank or element type");
      isStable &=
          common == plan.types[i] || (now != plan.types[i] && !common.hasStaticShape() && common == plan.types[i]);
      plan.types[i] = common;
    }
    if (!isStable) {
      block.dropAllDefinedValueUses();
      continue;
    }
    // What is collected is carried behind the rest.
    plan.parts.clear();
    for (size_t i = 0; i < plan.axes.size(); ++i) {
      plan.parts.push_back((*outputs)[first + carriedCount + i].type());
      if (!plan.parts.back().hasStaticShape())
        return node.refuse("the sizes of what it collects are not known when compiling");
      types.push_back(collectedType(plan.parts.back(), plan.axes[i]));
      block.addArgument(types.back(), node.loc);
    }
    OpBuilder end = builderAt(node, block);
    Value one = ConstantOp::create(end, node.loc, DenseElementsAttr::get(counterType, llvm::APInt(64, 1)));
    llvm::SmallVector<Value> yielded{AddOp::create(end, node.loc, counterType, block.getArgument(0), one)};
    Value again = hasCondition ? (*outputs)[0].value : block.getArgument(1);
    if (llvm::cast<RankedTensorType>(again.getType()).getRank() != 0)
      again = ReshapeOp::create(end, node.loc, conditionType, again);
    yielded.push_back(again);
    for (size_t i = 0; i < carriedCount; ++i)
      yielded.push_back(asType(end, node.loc, (*outputs)[first + i].value, plan.types[i]));
    for (size_t i = 0; i < plan.axes.size(); ++i) {
      Ints shape(plan.parts[i].getShape());
      shape.insert(shape.begin() + plan.axes[i], 1);
      Value part =
          ReshapeOp::create(end, node.loc, plan.parts[i].clone(shape), (*outputs)[first + carriedCount + i].value);
      Value all = block.getArgument(fixed + i);
      llvm::SmallVector<Value> both{all, part};
      if (plan.prepends[i])
        std::swap(both[0], both[1]);
      yielded.push_back(ConcatOp::create(end, node.loc, all.getType(), both, plan.axes[i]));
    }
    YieldOp::create(end, node.loc, yielded);

    llvm::SmallVector<Value> inits{
        ConstantOp::create(node.b, node.loc, DenseElementsAttr::get(counterType, llvm::APInt(64, 0))), more};
    for (size_t i = 0; i < carriedCount; ++i)
      inits.push_back(asType(node.b, node.loc, plan.carried[i].value, plan.types[i]));
    for (size_t i = 0; i < plan.axes.size(); ++i) {
      Sizes sizes;
      for (int64_t size : plan.parts[i].getShape())
        sizes.push_back(node.index(size));
      sizes.insert(sizes.begin() + plan.axes[i], OpFoldResult(node.indexValue(node.index(0))));
      Ints shape(plan.parts[i].getShape());
      shape.insert(shape.begin() + plan.axes[i], 0);
      Value none = tensor::EmptyOp::create(node.b, node.loc, shape, plan.parts[i].getElementType());
      inits.push_back(asType(node.b, node.loc, none, collectedType(plan.parts[i], plan.axes[i])));
    }
    state.addOperands(inits);
    state.addTypes(types);
    Region *condition = state.addRegion();
    Block &test = condition->emplaceBlock();
    for (Type type : types)
      test.addArgument(type, node.loc);
    OpBuilder testBuilder = builderAt(node, test);
    Value holds = test.getArgument(1);
    if (limit) {
      Value below = arith::CmpIOp::create(
          testBuilder, node.loc, arith::CmpIPredicate::slt,
          tensor::ExtractOp::create(testBuilder, node.loc, test.getArgument(0), ValueRange()), limit);
      Value known = tensor::ExtractOp::create(testBuilder, node.loc, holds, ValueRange());
      holds = tensor::FromElementsOp::create(testBuilder, node.loc, conditionType,
                                             Value(arith::AndIOp::create(testBuilder, node.loc, below, known)));
    }
    YieldOp::create(testBuilder, node.loc, holds);
    state.addRegion(std::move(region));
    Operation *op = node.b.create(state);
    for (size_t i = 0; i < carriedCount; ++i)
      node.set(i, op->getResult(2 + i), plan.carried[i].isUnsigned);
    for (size_t i = 0; i < plan.axes.size(); ++i)
      node.set(carriedCount + i, op->getResult(fixed + i), (*outputs)[first + carriedCount + i].isUnsigned);
    return success();
  }
  return node.refuse("the sizes of what it carries do not settle");
}

/// Defines the inputs of a body, as far as there are values for them.
static void defineInputs(const ::onnx::GraphProto &graph, Scope &scope, size_t first, ValueRange values,
                         llvm::ArrayRef<Tensor> models) {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (static_cast<int>(first + i) >= graph.input_size())
      return;
    Tensor tensor;
    tensor.value = value;
    tensor.isUnsigned = i < models.size() && models[i].isUnsigned;
    scope.define(graph.input(first + i).name(), std::move(tensor));
  }
}

static LogicalResult buildLoop(Node &node) {
  const ::onnx::GraphProto *graph = graphOf(node, "body");
  if (!graph)
    return failure();
  LoopPlan plan;
  for (unsigned i = 2; i < node.inputCount(); ++i) {
    if (!node.has(i))
      return node.refuse("an initial value is left out");
    if (node.operand(i).sequence)
      return node.refuse("it carries the sequence '" + node.proto.input(i) + "': a loop carries tensors",
                         "collect the values as a scan output of the loop instead");
    plan.carried.push_back(node.operand(i));
    plan.types.push_back(node.operand(i).type());
  }
  const int collected = graph->output_size() - 1 - static_cast<int>(plan.carried.size());
  if (collected < 0 || graph->input_size() < 2)
    return node.refuse("its body does not fit what it carries");
  plan.axes.assign(collected, 0);
  plan.prepends.assign(collected, false);
  Value limit;
  if (node.has(0)) {
    std::optional<Sizes> count = node.elementsOf(0);
    if (!count || count->size() != 1)
      return node.refuse("its trip count is not a single number");
    limit = arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(), node.indexValue(count->front()));
  }
  Value more = node.has(1) ? conditionOf(node, 1) : node.constant(node.b.getI1Type(), 1);
  return buildWhile(node, plan, limit, more, /*hasCondition=*/true,
                    [&](OpBuilder &b, Block &block, Value iteration, ValueRange carried) {
                      Scope scope(&node.scope);
                      defineInputs(*graph, scope, 0, ValueRange{iteration, block.getArgument(1)}, {});
                      defineInputs(*graph, scope, 2, carried, plan.carried);
                      return buildInto(node, *graph, scope, block);
                    });
}

/// Scan over sequences along an axis each: a loop over positions. Opset 8 has a batch dimension, and is refused.
static LogicalResult buildScan(Node &node) {
  const ::onnx::GraphProto *graph = graphOf(node, "body");
  const int64_t scans = node.integer("num_scan_inputs");
  const int64_t offset = node.opset < 9 ? 1 : 0, states = static_cast<int64_t>(node.inputCount()) - offset - scans;
  if (!graph || scans < 1 || states < 0 || graph->input_size() < states + scans ||
      graph->output_size() < static_cast<int>(states))
    return node.refuse("its body does not fit its inputs");
  // Of opset 8, a batch of one is what is left when the dimension is dropped.
  const bool isBatched = node.opset < 9;
  if (isBatched && node.has(0))
    return node.refuse("sequence_lens are not supported", "export the model with opset_version=9 or later");
  std::vector<Tensor> inputs;
  for (int64_t i = 0; i < states + scans; ++i) {
    Tensor input = node.operand(offset + i);
    if (!node.has(offset + i))
      return node.refuse("an input is left out");
    if (isBatched) {
      if (input.rank() < 1 || input.type().getDimSize(0) != 1)
        return node.refuse("its batch size is not 1", "export the model with opset_version=9 or later");
      input.value = node.squeezed(input.value, {0});
    }
    inputs.push_back(input);
  }
  LoopPlan plan;
  for (int64_t i = 0; i < states; ++i) {
    plan.carried.push_back(inputs[i]);
    plan.types.push_back(inputs[i].type());
  }
  Ints axes = node.integers(isBatched ? "" : "scan_input_axes", Ints(scans, 0)),
       directions = node.integers(isBatched ? "directions" : "scan_input_directions", Ints(scans, 0));
  const int64_t collected = graph->output_size() - states;
  plan.axes = node.integers("scan_output_axes", Ints(collected, 0));
  Ints outDirections = node.integers("scan_output_directions", Ints(collected, 0));
  if (static_cast<int64_t>(axes.size()) != scans || static_cast<int64_t>(directions.size()) != scans ||
      static_cast<int64_t>(plan.axes.size()) != collected || static_cast<int64_t>(outDirections.size()) != collected)
    return node.refuse("its axes or directions do not fit its inputs and outputs");
  for (int64_t direction : outDirections)
    plan.prepends.push_back(direction != 0);
  for (int64_t &axis : plan.axes)
    if (axis != 0)
      return node.refuse("scan_output_axes other than 0 are not supported", "transpose the output instead");
  OpFoldResult length;
  for (int64_t i = 0; i < scans; ++i) {
    std::optional<int64_t> axis = node.axisOf(axes[i], inputs[states + i].rank());
    if (!axis)
      return failure();
    axes[i] = *axis;
    length = node.sizeOf(inputs[states + i].value, *axis);
  }
  Value count = node.indexValue(length);
  Value limit = arith::IndexCastOp::create(node.b, node.loc, node.b.getI64Type(), count);
  LogicalResult built =
      buildWhile(node, plan, limit, node.constant(node.b.getI1Type(), 1), /*hasCondition=*/false,
                 [&](OpBuilder &b, Block &block, Value iteration, ValueRange carried) {
                   Scope scope(&node.scope);
                   defineInputs(*graph, scope, 0, carried, plan.carried);
                   Node inner(node.proto, node.importer, node.scope, b, node.loc, node.opset);
                   Value position = arith::IndexCastOp::create(
                       b, node.loc, b.getIndexType(), tensor::ExtractOp::create(b, node.loc, iteration, ValueRange()));
                   llvm::SmallVector<Value> slices;
                   for (int64_t i = 0; i < scans; ++i) {
                     OpFoldResult at = OpFoldResult(position);
                     if (directions[i])
                       at = inner.minus(inner.minus(OpFoldResult(count), inner.index(1)), at);
                     slices.push_back(inner.at(inputs[states + i].value, axes[i], at));
                   }
                   defineInputs(*graph, scope, states, slices, llvm::ArrayRef(inputs).drop_front(states));
                   return buildInto(node, *graph, scope, block);
                 });
  if (failed(built) || !isBatched)
    return built;
  for (unsigned i = 0; i < node.outputCount(); ++i)
    node.set(i, node.unsqueezed(node.result(i), {0}), node.isResultUnsigned(i));
  return success();
}

void importer::addControlFlow(OpTable &table) {
  table.add("If", buildIf, 1, 1);
  table.addForSequences("Loop", buildLoop, 0);
  table.add("Scan", buildScan, 0);
}
