//===- Recurrent.cpp - recurrent networks ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// RNN, GRU and LSTM: a loop over time steps per direction, whose body is a matrix product and the gates. A step behind
// the end of a sequence (sequence_lens) keeps the state and gives 0.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

namespace {
/// What a direction of a recurrent node computes with. Sizes: time T, batch B, input I, hidden H, gates G.
struct Direction {
  Value weights, recurrence;             ///< [G * H, I], [G * H, H]
  Value inputBias, hiddenBias;           ///< [1, G * H] each; null: none
  Value state, cell;                     ///< initial ones, [B, H]; `cell`: of an LSTM
  llvm::SmallVector<Value, 3> peepholes; ///< [1, H]: input, output, forget; empty: none
  bool isReversed = false;
  std::vector<std::string> activations;
  llvm::SmallVector<double> alphas, betas;
};

/// Inputs that the three operators share.
struct Recurrence {
  int64_t gates = 1, hidden = 0;
  Value input, lengths; ///< [T, B, I]; [B] or null
  OpFoldResult time, batch;
  double clip = 0; ///< 0: none
  llvm::SmallVector<Direction, 2> directions;
};
} // namespace

/// An activation by its name; alpha and beta have the defaults of the operator it is named after.
static Value activated(Node &node, Value x, const Direction &direction, size_t index) {
  const std::string name = llvm::StringRef(direction.activations[index]).lower();
  const Type element = llvm::cast<RankedTensorType>(x.getType()).getElementType();
  auto alpha = [&](double fallback) { return index < direction.alphas.size() ? direction.alphas[index] : fallback; };
  auto beta = [&](double fallback) { return index < direction.betas.size() ? direction.betas[index] : fallback; };
  auto number = [&](double value) { return node.constant(element, value); };
  if (name == "sigmoid")
    return node.unary<SigmoidOp>(x);
  if (name == "tanh")
    return node.unary<TanhOp>(x);
  if (name == "relu")
    return node.unary<ReluOp>(x);
  if (name == "affine")
    return node.add(node.mul(x, number(alpha(1))), number(beta(0)));
  if (name == "leakyrelu")
    return node.select(node.compare(Comparison::Lt, x, number(0)), node.mul(x, number(alpha(0.01))), x);
  if (name == "thresholdedrelu")
    return node.select(node.compare(Comparison::Gt, x, number(alpha(1))), x, number(0));
  if (name == "scaledtanh")
    return node.mul(node.unary<TanhOp>(node.mul(x, number(beta(1)))), number(alpha(1)));
  if (name == "hardsigmoid")
    return node.binary<MaxOp>(
        node.binary<MinOp>(node.add(node.mul(x, number(alpha(0.2))), number(beta(0.5))), number(1)), number(0));
  if (name == "elu")
    return node.select(node.compare(Comparison::Lt, x, number(0)),
                       node.mul(node.sub(node.unary<ExpOp>(x), number(1)), number(alpha(1))), x);
  if (name == "softsign")
    return node.div(x, node.add(node.unary<AbsOp>(x), number(1)));
  if (name == "softplus")
    return node.unary<LogOp>(node.add(node.unary<ExpOp>(x), number(1)));
  (void)node.refuse("activation '" + llvm::Twine(direction.activations[index]) + "' is not known");
  return x;
}

static Value clipped(Node &node, const Recurrence &plan, Value x) {
  if (plan.clip <= 0)
    return x;
  const Type element = llvm::cast<RankedTensorType>(x.getType()).getElementType();
  return node.binary<MinOp>(node.binary<MaxOp>(x, node.constant(element, -plan.clip)),
                            node.constant(element, plan.clip));
}

/// Columns [gate * H, (gate + 1) * H).
static Value gateOf(Node &node, const Recurrence &plan, Value all, int64_t gate) {
  if (plan.gates == 1)
    return all;
  return node.sliced(all, {node.index(0), node.index(gate * plan.hidden)},
                     {node.sizeOf(all, 0), node.index(plan.hidden)}, {});
}

/// x * W^T (+ bias) of a step, [B, G * H].
static Value product(Node &node, Value x, Value weights, Value bias) {
  Value result = node.make<MatmulOp>(x, weights, false, true);
  return bias ? node.add(result, bias) : result;
}

/// The next state (and cell) of a step.
using Step = Value (*)(Node &, const Recurrence &, const Direction &, Value x, Value state, Value &cell);

static Value stepRnn(Node &node, const Recurrence &plan, const Direction &direction, Value x, Value state, Value &) {
  Value sum = node.add(product(node, x, direction.weights, direction.inputBias),
                       product(node, state, direction.recurrence, direction.hiddenBias));
  return activated(node, clipped(node, plan, sum), direction, 0);
}

/// Gates in the order update, reset, hidden.
template <bool resetsBehind>
static Value stepGru(Node &node, const Recurrence &plan, const Direction &direction, Value x, Value state, Value &) {
  Value fromInput = product(node, x, direction.weights, direction.inputBias);
  auto rows = [&](Value matrix, int64_t gate) {
    return node.sliced(matrix, {node.index(gate * plan.hidden), node.index(0)},
                       {node.index(plan.hidden), node.sizeOf(matrix, 1)}, {});
  };
  auto hiddenBias = [&](int64_t gate) {
    return direction.hiddenBias ? gateOf(node, plan, direction.hiddenBias, gate) : Value();
  };
  auto gate = [&](int64_t index) {
    Value sum = node.add(gateOf(node, plan, fromInput, index),
                         product(node, state, rows(direction.recurrence, index), hiddenBias(index)));
    return activated(node, clipped(node, plan, sum), direction, 0);
  };
  Value update = gate(0), reset = gate(1);
  Value candidate = resetsBehind ? node.mul(reset, product(node, state, rows(direction.recurrence, 2), hiddenBias(2)))
                                 : product(node, node.mul(reset, state), rows(direction.recurrence, 2), hiddenBias(2));
  candidate = activated(node, clipped(node, plan, node.add(gateOf(node, plan, fromInput, 2), candidate)), direction, 1);
  const Type element = llvm::cast<RankedTensorType>(x.getType()).getElementType();
  return node.add(node.mul(node.sub(node.constant(element, 1), update), candidate), node.mul(update, state));
}

/// Gates in the order input, output, forget, cell.
template <bool couples>
static Value stepLstm(Node &node, const Recurrence &plan, const Direction &direction, Value x, Value state,
                      Value &cell) {
  Value sum = node.add(product(node, x, direction.weights, direction.inputBias),
                       product(node, state, direction.recurrence, direction.hiddenBias));
  auto gate = [&](int64_t index, Value peeped) {
    Value part = gateOf(node, plan, sum, index);
    if (peeped && !direction.peepholes.empty())
      part = node.add(part, node.mul(direction.peepholes[index], peeped));
    return clipped(node, plan, part);
  };
  const Type element = llvm::cast<RankedTensorType>(x.getType()).getElementType();
  Value input = activated(node, gate(0, cell), direction, 0);
  Value forget = couples ? node.sub(node.constant(element, 1), input) : activated(node, gate(2, cell), direction, 0);
  Value candidate = activated(node, gate(3, Value()), direction, 1);
  cell = node.add(node.mul(forget, cell), node.mul(input, candidate));
  Value output = activated(node, gate(1, cell), direction, 0);
  return node.mul(output, activated(node, cell, direction, 2));
}

/// The loop of one direction: all states [T, B, H], the last state and cell.
static std::array<Value, 3> runDirection(Node &node, const Recurrence &plan, const Direction &direction, Step step) {
  const Type element = llvm::cast<RankedTensorType>(plan.input.getType()).getElementType();
  Value all = node.filled({plan.time, plan.batch, node.index(plan.hidden)}, node.scalar(element, 0));
  llvm::SmallVector<Value> inits{all, direction.state};
  if (direction.cell)
    inits.push_back(direction.cell);
  Value zero = node.indexValue(node.index(0)), one = node.indexValue(node.index(1)), count = node.indexValue(plan.time);
  bool isRefused = false;
  auto loop = scf::ForOp::create(
      node.b, node.loc, zero, count, one, inits, [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
        Node inner(node.proto, node.importer, node.scope, b, loc, node.opset);
        OpFoldResult position = OpFoldResult(i);
        if (direction.isReversed)
          position = inner.minus(inner.minus(plan.time, inner.index(1)), position);
        Value x = inner.at(plan.input, 0, position), cell = direction.cell ? carried[2] : Value();
        Value state = step(inner, plan, direction, x, carried[1], cell);
        state = inner.refined(state, llvm::cast<RankedTensorType>(direction.state.getType()));
        Value shown = state;
        if (plan.lengths) {
          Value now = inner.indexValue(position);
          Value isAlive =
              inner.elementwise(plan.lengths, b.getI1Type(), [&](OpBuilder &body, Location at, ValueRange args) {
                Value length = arith::IndexCastOp::create(body, at, body.getIndexType(), args[0]);
                return arith::CmpIOp::create(body, at, arith::CmpIPredicate::slt, now, length).getResult();
              });
          isAlive = inner.unsqueezed(isAlive, {1});
          shown = inner.select(isAlive, state, inner.constant(element, 0));
          state = inner.select(isAlive, state, carried[1]);
          if (cell)
            cell = inner.select(isAlive, cell, carried[2]);
        }
        Sizes offsets{position, inner.index(0), inner.index(0)},
            sizes{inner.index(1), plan.batch, inner.index(plan.hidden)}, strides(3, inner.index(1));
        Value next = tensor::InsertSliceOp::create(b, loc, shown, carried[0], offsets, sizes, strides);
        llvm::SmallVector<Value> yielded{next, state};
        if (cell)
          yielded.push_back(cell);
        for (auto [value, old] : llvm::zip(yielded, carried))
          if (value.getType() != old.getType())
            value = tensor::CastOp::create(b, loc, old.getType(), value);
        scf::YieldOp::create(b, loc, yielded);
        isRefused = inner.isRefused();
      });
  if (isRefused)
    (void)node.refuse("its sizes do not fit each other");
  return {loop.getResult(0), loop.getResult(1), direction.cell ? loop.getResult(2) : Value()};
}

static LogicalResult readRecurrence(Node &node, Recurrence &plan, int64_t gates,
                                    llvm::ArrayRef<const char *> activations, bool hasCell) {
  plan.gates = gates;
  plan.hidden = node.integer("hidden_size");
  plan.clip = node.real("clip", 0);
  const bool isBatchFirst = node.integer("layout") != 0;
  const std::string way = node.text("direction", "forward");
  const int64_t count = way == "bidirectional" ? 2 : 1;
  for (unsigned i : {0u, 1u, 2u})
    if (node.rank(i) != 3)
      return node.refuse("input " + llvm::Twine(i) + " has rank " + llvm::Twine(node.rank(i)) + " instead of 3");
  const RankedTensorType recurrence = node.operand(2).type(), weights = node.operand(1).type();
  if (plan.hidden < 1)
    plan.hidden = recurrence.getDimSize(2);
  if (!recurrence.hasStaticShape() || !weights.hasStaticShape() || recurrence.getDimSize(0) != count ||
      weights.getDimSize(0) != count || recurrence.getDimSize(2) != plan.hidden ||
      recurrence.getDimSize(1) != gates * plan.hidden || weights.getDimSize(1) != gates * plan.hidden ||
      node.element(1) != node.element(0) || node.element(2) != node.element(0))
    return node.refuse("its weights do not fit hidden_size " + llvm::Twine(plan.hidden) + " and direction " + way);
  plan.input = isBatchFirst ? node.transposed(node.in(0), {1, 0, 2}) : node.in(0);
  plan.time = node.sizeOf(plan.input, 0);
  plan.batch = node.sizeOf(plan.input, 1);
  if (node.has(4))
    plan.lengths = node.in(4);
  std::vector<std::string> names = node.texts("activations");
  if (names.empty())
    for (int64_t i = 0; i < count; ++i)
      names.insert(names.end(), activations.begin(), activations.end());
  if (names.size() != count * activations.size())
    return node.refuse("has " + llvm::Twine(names.size()) + " activations instead of " +
                       llvm::Twine(count * activations.size()));
  llvm::SmallVector<double> alphas = node.reals("activation_alpha"), betas = node.reals("activation_beta");
  const Type element = node.element(0);
  for (int64_t d = 0; d < count; ++d) {
    Direction direction;
    direction.isReversed = way == "reverse" || d == 1;
    auto begin = names.begin() + d * activations.size();
    direction.activations.assign(begin, begin + activations.size());
    if (count == 1) {
      direction.alphas = alphas;
      direction.betas = betas;
    }
    direction.weights = node.at(node.in(1), 0, node.index(d));
    direction.recurrence = node.at(node.in(2), 0, node.index(d));
    if (node.has(3)) {
      if (node.rank(3) != 2 || node.operand(3).type().getDimSize(1) != 2 * gates * plan.hidden)
        return node.refuse("its bias does not fit hidden_size " + llvm::Twine(plan.hidden));
      auto part = [&](int64_t offset) {
        return node.sliced(node.in(3), {node.index(d), node.index(offset)},
                           {node.index(1), node.index(gates * plan.hidden)}, {});
      };
      direction.inputBias = part(0);
      direction.hiddenBias = part(gates * plan.hidden);
    }
    Sizes stateSizes{plan.batch, node.index(plan.hidden)};
    auto initial = [&](unsigned i) -> Value {
      if (!node.has(i))
        return node.filled(stateSizes, node.scalar(element, 0));
      return node.at(node.in(i), isBatchFirst ? 1 : 0, node.index(d));
    };
    for (unsigned i : {5u, 6u})
      if (node.has(i) && (i == 5 || hasCell) && node.rank(i) != 3)
        return node.refuse("its initial state has rank " + llvm::Twine(node.rank(i)) + " instead of 3");
    direction.state = initial(5);
    if (hasCell)
      direction.cell = initial(6);
    if (hasCell && node.has(7)) {
      if (node.rank(7) != 2 || node.operand(7).type().getDimSize(1) != 3 * plan.hidden)
        return node.refuse("its peephole weights do not fit hidden_size " + llvm::Twine(plan.hidden));
      for (int64_t i = 0; i < 3; ++i)
        direction.peepholes.push_back(node.sliced(node.in(7), {node.index(d), node.index(i * plan.hidden)},
                                                  {node.index(1), node.index(plan.hidden)}, {}));
    }
    plan.directions.push_back(std::move(direction));
  }
  return success();
}

static LogicalResult buildRecurrent(Node &node, int64_t gates, llvm::ArrayRef<const char *> activations, bool hasCell,
                                    Step step) {
  Recurrence plan;
  if (failed(readRecurrence(node, plan, gates, activations, hasCell)))
    return failure();
  llvm::SmallVector<Value> all, states, cells;
  for (const Direction &direction : plan.directions) {
    std::array<Value, 3> results = runDirection(node, plan, direction, step);
    if (node.isRefused())
      return failure();
    all.push_back(node.unsqueezed(results[0], {1}));
    states.push_back(node.unsqueezed(results[1], {0}));
    if (hasCell)
      cells.push_back(node.unsqueezed(results[2], {0}));
  }
  const bool isBatchFirst = node.integer("layout") != 0;
  // [T, D, B, H]; with layout 1 [B, T, D, H], and states [B, D, H].
  Value sequence = node.concatenated(all, 1), state = node.concatenated(states, 0);
  node.set(0, isBatchFirst ? node.transposed(sequence, {2, 0, 1, 3}) : sequence);
  node.set(1, isBatchFirst ? node.transposed(state, {1, 0, 2}) : state);
  if (hasCell) {
    Value cell = node.concatenated(cells, 0);
    node.set(2, isBatchFirst ? node.transposed(cell, {1, 0, 2}) : cell);
  }
  return success();
}

static LogicalResult buildRnn(Node &node) { return buildRecurrent(node, 1, {"Tanh"}, false, stepRnn); }
static LogicalResult buildGru(Node &node) {
  return buildRecurrent(node, 3, {"Sigmoid", "Tanh"}, false,
                        node.integer("linear_before_reset") ? stepGru<true> : stepGru<false>);
}
static LogicalResult buildLstm(Node &node) {
  return buildRecurrent(node, 4, {"Sigmoid", "Tanh", "Tanh"}, true,
                        node.integer("input_forget") ? stepLstm<true> : stepLstm<false>);
}

void importer::addRecurrent(OpTable &table) {
  table.add("GRU", buildGru, 3, 6);
  table.add("LSTM", buildLstm, 3, 8);
  table.add("RNN", buildRnn, 3, 6);
}
