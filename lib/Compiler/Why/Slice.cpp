//===- Slice.cpp - the tree of what an element was computed from --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Why/Slice.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cmath>
#include <queue>

using namespace mlir;

namespace mica::compiler {

using reference::Tape;
using reference::TapeStep;
using reference::Tensor;

double valueOf(const Tensor &tensor, int64_t element) {
  const reference::Cell cell = tensor.data()[element];
  return tensor.elementType().isFloat ? cell.f : static_cast<double>(cell.i);
}

bool isBeyond(double compiled, double reference, double bound) {
  if (std::isnan(compiled) || std::isnan(reference))
    return std::isnan(compiled) != std::isnan(reference) && !std::isinf(bound);
  return compiled != reference && !(std::fabs(compiled - reference) <= bound);
}

std::string sourceOf(Operation *op) {
  const auto positions = getSourcePositions(op->getLoc());
  if (positions.empty())
    return "";
  const FileLineColLoc place = positions.back();
  return (place.getFilename().getValue() + ":" + llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn()))
      .str();
}

namespace {

/// Of the influences of an element, those are followed that make up this share of it, but at most so many.
constexpr double kKeptShare = 0.9;
constexpr size_t kKeptInputs = 4;
/// Values that only exist inside of kernels, and are looked through for one that disagrees.
constexpr double kHidden = 1e3, kDiffering = 1e6;
/// Indices and conditions count so much of what they select.
constexpr double kSelectingShare = 0.25;

class SliceBuilder {
public:
  SliceBuilder(const Tape &tape, CompiledValues &compiled, const OpNames &names, int64_t maxNodes)
      : tape(tape), compiled(compiled), names(names), maxNodes(maxNodes) {}

  Slice build(Tensor::Origin origin, int64_t element, std::optional<double> root) {
    const size_t first = nodeOf(origin, element);
    if (root) {
      slice.nodes[first].compiled = root;
      slice.nodes[first].differs = isBeyond(*root, slice.nodes[first].reference, slice.nodes[first].bound);
    }
    queue.push({slice.nodes[first].differs ? kDiffering : 1.0, first});
    while (!queue.empty() && static_cast<int64_t>(slice.nodes.size()) < maxNodes) {
      const auto [priority, node] = queue.top();
      queue.pop();
      expand(node, priority);
    }
    findFirstDifference();
    return std::move(slice);
  }

private:
  /// What is loaded from memory was computed elsewhere. Gives the value that was computed, and its element.
  std::pair<Tensor::Origin, int64_t> computedBy(Tensor::Origin origin, int64_t element) const {
    const auto &results = tape.steps[static_cast<size_t>(origin.step)].results;
    const Tensor::Origin moved = origin.result < results.size() ? results[origin.result].origin : origin;
    if (moved.step >= 0 && (moved.step != origin.step || moved.result != origin.result))
      return {moved, std::max<int64_t>(moved.element, 0)};
    return {origin, element};
  }

  size_t nodeOf(Tensor::Origin from, int64_t place) {
    const auto [origin, element] = computedBy(from, place);
    const auto key = std::tuple(origin.step, origin.result, element);
    if (const auto it = known.find(key); it != known.end())
      return it->second;
    const TapeStep &step = tape.steps[static_cast<size_t>(origin.step)];
    const Tensor tensor = step.results[origin.result].materialized();
    SliceNode node;
    node.step = origin.step;
    node.result = origin.result;
    node.element = element;
    const bool isArgument = isa<func::FuncOp>(step.op);
    node.kind = isArgument ? "argument " + std::to_string(origin.result) : step.op->getName().getStringRef().str();
    node.id = isArgument ? "" : names.ids.lookup(step.op);
    node.source = isArgument ? "" : sourceOf(step.op);
    node.reference = valueOf(tensor, element);
    node.bound = tensor.boundAt(element);
    if (isArgument || step.op->hasTrait<OpTrait::ConstantLike>())
      node.isExpanded = true;
    else if (const CompiledValues::Value value = compiledOf(origin, tensor); value.tensor) {
      // A name that the source does not give says the op a second time.
      node.name = StringRef(value.name).starts_with("the result of ") ? "" : value.name;
      node.compiled = value.tensor->asDouble(element);
      node.differs = isBeyond(*node.compiled, node.reference, node.bound);
    }
    known[key] = slice.nodes.size();
    slice.nodes.push_back(std::move(node));
    return slice.nodes.size() - 1;
  }

  /// What the compiled program has for the value with `origin`, `tensor` in the reference.
  const CompiledValues::Value &compiledOf(Tensor::Origin origin, const Tensor &tensor) {
    const TapeStep &step = tape.steps[static_cast<size_t>(origin.step)];
    return compiled.of(names.ids.lookup(step.op), step.occurrence, origin.result, tensor.elementType().dtype,
                       tensor.size(), [&](const HostTensor &candidate) {
                         for (int64_t i = 0; i < tensor.size(); ++i)
                           if (isBeyond(candidate.asDouble(i), valueOf(tensor, i), tensor.boundAt(i)))
                             return false;
                         return true;
                       });
  }

  /// Whether the compiled value of an input disagrees, or is unknown, without making a node of it.
  enum class State { Agrees, Hidden, Differs };
  State stateOf(Tensor::Origin from) {
    if (from.step < 0)
      return State::Agrees;
    const auto [origin, element] = computedBy(from, from.element);
    const TapeStep &step = tape.steps[static_cast<size_t>(origin.step)];
    if (isa<func::FuncOp>(step.op) || step.op->hasTrait<OpTrait::ConstantLike>())
      return State::Agrees;
    const Tensor input = step.results[origin.result].materialized();
    const HostTensor *value = compiledOf(origin, input).tensor;
    if (!value)
      return State::Hidden;
    return isBeyond(value->asDouble(element), valueOf(input, element), input.boundAt(element)) ? State::Differs
                                                                                               : State::Agrees;
  }

  void expand(size_t position, double priority) {
    if (slice.nodes[position].isExpanded)
      return;
    slice.nodes[position].isExpanded = true;
    const TapeStep &step = tape.steps[static_cast<size_t>(slice.nodes[position].step)];
    const reference::Influences found = finder.find(step, slice.nodes[position].result, slice.nodes[position].element);
    double total = found.restWeight;
    const auto selecting = static_cast<size_t>(
        llvm::count_if(found.list, [](const reference::Influence &influence) { return influence.selects; }));
    for (const reference::Influence &influence : found.list)
      total += std::min(influence.weight, 1e300);
    const bool isSuspect = slice.nodes[position].differs || priority >= kHidden;
    bool anyDiffers = false;
    std::vector<std::pair<State, size_t>> order;
    for (size_t i = 0; i < found.list.size(); ++i) {
      const State state = compiled.hasRun()
                              ? stateOf(reference::originOf(step, found.list[i].input, found.list[i].element))
                              : State::Agrees;
      anyDiffers = anyDiffers || state == State::Differs;
      order.push_back({state, i});
    }
    // Those that disagree first, and of an element that disagrees those that may; the list has the largest first.
    std::stable_sort(order.begin(), order.end(), [&](const auto &a, const auto &b) {
      auto rank = [&](State state) {
        return state == State::Differs ? 2 : state == State::Hidden && isSuspect && !anyDiffers ? 1 : 0;
      };
      return rank(a.first) > rank(b.first);
    });
    double keptShare = 0;
    int64_t pruned = 0;
    double prunedShare = total > 0 ? found.restWeight / total : 0;
    std::vector<SliceNode::Edge> inputs;
    for (const auto &[state, i] : order) {
      const reference::Influence &influence = found.list[i];
      const Tensor::Origin origin = reference::originOf(step, influence.input, influence.element);
      const double share = total > 0 ? std::min(influence.weight, 1e300) / total : 0;
      const bool isConstantScalar =
          origin.step < 0 || (Tape::input(step, influence.input).size() == 1 &&
                              tape.steps[static_cast<size_t>(origin.step)].op->hasTrait<OpTrait::ConstantLike>());
      const bool isWanted = inputs.size() < kKeptInputs + selecting &&
                            (keptShare < kKeptShare || state == State::Differs) &&
                            (share > 0 || state != State::Agrees || found.list.size() <= kKeptInputs);
      if (isConstantScalar)
        continue;
      if (influence.selects) {
        const size_t node = nodeOf(origin, origin.element);
        inputs.push_back({node, 0, SliceNode::Edge::Kind::Index});
        follow(node, state == State::Differs ? kDiffering : std::min(priority, 1.0) * kSelectingShare);
        continue;
      }
      if (!isWanted) {
        ++pruned;
        prunedShare += share;
        continue;
      }
      keptShare += share;
      const size_t node = nodeOf(origin, origin.element);
      inputs.push_back({node, share});
      const double next = state == State::Differs                              ? kDiffering
                          : state == State::Hidden && isSuspect && !anyDiffers ? kHidden
                                                                               : std::min(priority, 1.0) * share;
      follow(node, next);
    }
    addConditions(step, slice.nodes[position].step, priority, inputs);
    SliceNode &node = slice.nodes[position];
    node.inputs = std::move(inputs);
    node.pruned = pruned;
    node.prunedShare = prunedShare;
    node.isFollowed = found.isFollowed;
    node.isComplete = found.isComplete;
    slice.pruned += pruned;
  }

  void follow(size_t node, double priority) {
    if (!slice.nodes[node].isExpanded)
      queue.push({priority, node});
  }

  /// The conditions of the branches that the step `position` is in: the latest values that they had before it.
  void addConditions(const TapeStep &step, int64_t position, double priority, std::vector<SliceNode::Edge> &inputs) {
    for (Operation *inner = step.op, *around = inner->getParentOp(); around && !isa<func::FuncOp>(around);
         inner = around, around = around->getParentOp()) {
      Value condition;
      if (auto branch = dyn_cast<scf::IfOp>(around))
        condition = branch.getCondition();
      else if (auto choice = dyn_cast<scf::IndexSwitchOp>(around))
        condition = choice.getArg();
      if (!condition)
        continue;
      const std::optional<Tensor::Origin> origin = originBefore(condition, position);
      if (!origin)
        continue;
      const size_t node = nodeOf(*origin, 0);
      if (llvm::any_of(inputs, [&](const SliceNode::Edge &edge) { return edge.node == node; }))
        continue;
      inputs.push_back({node, 0, SliceNode::Edge::Kind::Condition});
      follow(node, slice.nodes[node].differs ? kDiffering : std::min(priority, 1.0) * kSelectingShare);
    }
  }

  /// Where the value that `scalar` had in step `position` was computed.
  std::optional<Tensor::Origin> originBefore(Value scalar, int64_t position) {
    if (auto argument = dyn_cast<BlockArgument>(scalar)) {
      auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
      if (!function || tape.steps.empty() || tape.steps[0].op != function.getOperation())
        return std::nullopt;
      return Tensor::Origin{0, argument.getArgNumber()};
    }
    Operation *op = scalar.getDefiningOp();
    if (stepsOf.empty())
      for (size_t i = 0; i < tape.steps.size(); ++i)
        stepsOf[tape.steps[i].op].push_back(static_cast<int64_t>(i));
    const auto found = stepsOf.find(op);
    if (found == stepsOf.end())
      return std::nullopt;
    const auto after = std::lower_bound(found->second.begin(), found->second.end(), position);
    if (after == found->second.begin())
      return std::nullopt;
    const int64_t at = *std::prev(after);
    const unsigned result = cast<OpResult>(scalar).getResultNumber();
    const TapeStep &step = tape.steps[static_cast<size_t>(at)];
    if (result >= step.results.size() || step.results[result].isBuffer() || step.results[result].size() != 1)
      return std::nullopt;
    return Tensor::Origin{at, result};
  }

  /// Whether an element below `position` disagrees, through values that are not known; collects these.
  bool differsBelow(size_t position, std::vector<size_t> &unseen, std::vector<bool> &visited) const {
    for (const SliceNode::Edge &edge : slice.nodes[position].inputs) {
      if (visited[edge.node])
        continue;
      visited[edge.node] = true;
      const SliceNode &input = slice.nodes[edge.node];
      if (input.differs)
        return true;
      if (input.compiled || input.inputs.empty())
        continue;
      unseen.push_back(edge.node);
      if (differsBelow(edge.node, unseen, visited))
        return true;
    }
    return false;
  }

  void findFirstDifference() {
    // The earliest in the order of evaluation.
    std::vector<size_t> differing;
    for (size_t i = 0; i < slice.nodes.size(); ++i)
      if (slice.nodes[i].differs)
        differing.push_back(i);
    std::stable_sort(differing.begin(), differing.end(),
                     [&](size_t a, size_t b) { return slice.nodes[a].step < slice.nodes[b].step; });
    for (size_t candidate : differing) {
      std::vector<size_t> unseen;
      std::vector<bool> visited(slice.nodes.size(), false);
      if (differsBelow(candidate, unseen, visited))
        continue;
      slice.firstDifference = candidate;
      slice.unseen = std::move(unseen);
      return;
    }
  }

  const Tape &tape;
  CompiledValues &compiled;
  const OpNames &names;
  int64_t maxNodes;
  reference::InfluenceFinder finder;
  Slice slice;
  std::map<std::tuple<int64_t, unsigned, int64_t>, size_t> known;
  llvm::DenseMap<Operation *, std::vector<int64_t>> stepsOf; ///< positions in the tape, in order
  std::priority_queue<std::pair<double, size_t>> queue;
};

} // namespace

Slice makeSlice(const Tape &tape, Tensor::Origin origin, int64_t element, std::optional<double> root,
                CompiledValues &compiled, const OpNames &names, int64_t maxNodes) {
  return SliceBuilder(tape, compiled, names, maxNodes).build(origin, element, root);
}

} // namespace mica::compiler
