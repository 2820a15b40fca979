//===- Influence.cpp - what one element of a result was computed from ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Influence.h"

#include "dialects/Mica/Reference/Body.h"
#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Evaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <cmath>
#include <queue>

using namespace mlir;

namespace mica::reference {
namespace {

/// Points of a linalg op that are visited for one element, and evaluations of another op.
constexpr int64_t kMaxPoints = int64_t(1) << 24;
constexpr size_t kMaxEvaluations = 320;
/// Points that are left out one by one, to weigh the terms of a reduction that is no sum.
constexpr size_t kMaxLeftOut = 2048;

double asDouble(const ElementType &type, Cell cell) { return type.isFloat ? cell.f : static_cast<double>(cell.i); }

bool isFiniteCell(const ElementType &type, Cell cell) { return !type.isFloat || std::isfinite(cell.f); }

/// How far apart two values are; a change of what is NaN or infinite counts more than any other.
double changeOf(double before, double after) {
  if (std::isnan(before) && std::isnan(after))
    return 0;
  if (before == after)
    return 0;
  return std::isfinite(before) && std::isfinite(after) ? std::fabs(before - after) : std::numeric_limits<double>::max();
}

SmallVector<int64_t> positionOf(int64_t flat, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> position(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    position[d] = shape[d] ? flat % shape[d] : 0;
    flat = shape[d] ? flat / shape[d] : 0;
  }
  return position;
}

//===------------------------------------------------------------------------------------------------------------===//
// linalg ops
//===------------------------------------------------------------------------------------------------------------===//

/// The points of a linalg op at which it writes one element, and what its body does there.
class StructuredElement {
public:
  StructuredElement(linalg::LinalgOp op, const TapeStep &step, unsigned result, int64_t element, Evaluator &evaluator)
      : op(op), step(step), result(result), element(element),
        body(*op.getBlock(), evaluator, /*rounded=*/op.getNumReductionLoops() == 0), maps(op.getIndexingMapsArray()) {}

  bool find(Influences &out) {
    SmallVector<Tensor> operands(step.operands);
    FailureOr<SmallVector<int64_t>> loops = loopExtents(op, operands);
    if (failed(loops) || !collectPoints(*loops))
      return false;
    const unsigned output = op.getNumDpsInputs() + result;
    accumulator = output < op.getBlock()->getNumArguments() ? std::optional<unsigned>(output) : std::nullopt;
    usesAccumulator = accumulator && !op.getBlock()->getArgument(output).use_empty();
    if (points.size() == 1)
      return single(points.front(), out);
    return reduction(out);
  }

private:
  bool collectPoints(ArrayRef<int64_t> extents) {
    const AffineMap map = maps[op.getNumDpsInputs() + result];
    const SmallVector<int64_t> place = positionOf(element, step.results[result].shape());
    SmallVector<int64_t> begin(extents.size(), 0), sizes(extents);
    for (auto [d, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        begin[dim.getPosition()] = place[d];
        sizes[dim.getPosition()] = 1;
      }
    if (sizeOf(sizes) > kMaxPoints)
      return false;
    forEachPosition(sizes, [&](ArrayRef<int64_t> offset) {
      SmallVector<int64_t> point(offset);
      for (size_t i = 0; i < point.size(); ++i)
        point[i] += begin[i];
      if (map.compose(point) == place)
        points.push_back(std::move(point));
    });
    return true;
  }

  /// The element of operand `k` at `point`.
  int64_t offsetOf(size_t k, ArrayRef<int64_t> point) const {
    return linearize(maps[k].compose(point), step.operands[k].strides());
  }

  /// Runs the body at `point`, with the accumulator of this result at `total`.
  std::optional<Cell> run(ArrayRef<int64_t> point, Cell total, std::optional<unsigned> without = {}) {
    for (size_t k = 0; k < step.operands.size() && k < op.getBlock()->getNumArguments(); ++k) {
      body.arg(k) = step.operands[k].data()[offsetOf(k, point)];
      if (without == k)
        body.arg(k) = step.operands[k].elementType().isFloat ? Cell::of(0.0) : Cell::of(int64_t(0));
    }
    if (accumulator)
      body.arg(*accumulator) = total;
    if (failed(body.run(point)))
      return std::nullopt;
    return body.yielded(result);
  }

  Cell initial() { return step.operands[op.getNumDpsInputs() + result].data()[element]; }

  void add(Influences &out, size_t k, ArrayRef<int64_t> point, double weight) const {
    out.list.push_back({static_cast<unsigned>(k), offsetOf(k, point), weight});
  }

  void addCaptured(Influences &out, double weight) const {
    for (size_t c = 0; c < step.captured.size(); ++c)
      if (step.captured[c].second.size() == 1 && !step.captured[c].second.isBuffer())
        out.list.push_back({static_cast<unsigned>(step.operands.size() + c), 0, weight});
  }

  bool single(ArrayRef<int64_t> point, Influences &out) {
    const ElementType type = step.results[result].elementType();
    const std::optional<Cell> value = run(point, initial());
    if (!value)
      return false;
    for (size_t k = 0; k < op.getBlock()->getNumArguments(); ++k) {
      if (op.getBlock()->getArgument(k).use_empty() ||
          (k >= static_cast<size_t>(op.getNumDpsInputs()) && k != accumulator))
        continue;
      const std::optional<Cell> other =
          run(point, initial(), k == accumulator ? std::nullopt : std::optional<unsigned>(k));
      double weight = other ? changeOf(asDouble(type, *value), asDouble(type, *other)) : 1;
      if (k == accumulator)
        weight = std::fabs(asDouble(type, initial()));
      add(out, k, point, weight);
    }
    addCaptured(out, 0);
    return true;
  }

  bool reduction(Influences &out) {
    const ElementType type = step.results[result].elementType();
    const bool isSum = accumulator && body.accumulatesInto(*accumulator);
    std::vector<double> weights;
    Cell total = initial();
    for (const auto &point : points) {
      const std::optional<Cell> next = run(point, total);
      if (!next)
        return false;
      weights.push_back(changeOf(asDouble(type, total), asDouble(type, *next)));
      total = *next;
    }
    // What other reductions keep depends on their order: a term weighs what the result is without it.
    if (!isSum && points.size() <= kMaxLeftOut)
      for (size_t left = 0; left < points.size(); ++left) {
        Cell without = initial();
        for (size_t i = 0; i < points.size(); ++i)
          if (i != left) {
            const std::optional<Cell> next = run(points[i], without);
            if (!next)
              return false;
            without = *next;
          }
        weights[left] = changeOf(asDouble(type, total), asDouble(type, without));
      }
    if (usesAccumulator && asDouble(type, initial()) != 0 && isFiniteCell(type, initial()))
      out.list.push_back(
          {static_cast<unsigned>(op.getNumDpsInputs()) + result, element, std::fabs(asDouble(type, initial()))});
    for (const auto &[point, weight] : llvm::zip_equal(points, weights))
      for (int64_t k = 0; k < op.getNumDpsInputs(); ++k)
        if (!op.getBlock()->getArgument(k).use_empty())
          add(out, k, point, weight);
    addCaptured(out, 0);
    return true;
  }

  linalg::LinalgOp op;
  const TapeStep &step;
  unsigned result;
  int64_t element;
  Body body;
  SmallVector<AffineMap> maps;
  std::vector<SmallVector<int64_t>> points;
  std::optional<unsigned> accumulator;
  bool usesAccumulator = false;
};

//===------------------------------------------------------------------------------------------------------------===//
// All other ops
//===------------------------------------------------------------------------------------------------------------===//

/// A part of an input: a box of its elements.
struct Part {
  double weight = 0;
  unsigned input = 0;
  SmallVector<int64_t, 4> begin, size;
  bool operator<(const Part &other) const { return weight < other.weight; }
};

/// An op that is evaluated again with other operands.
class Reevaluation {
public:
  Reevaluation(const OpTable &table, const TapeStep &step, unsigned result, int64_t element)
      : fn(table.find(step.op)), step(step), result(result), element(element), evaluator(table, options) {
    evaluator.enterFrame(step.captured);
    type = step.results[result].elementType();
    base = asDouble(type, step.results[result].data()[element]);
  }

  /// The element if the op is evaluated on `operands`; nothing if it has no result then.
  std::optional<Cell> evaluate(SmallVector<Tensor> operands) {
    ++evaluations;
    ScopedDiagnosticHandler quiet(step.op->getContext(), [](Diagnostic &) { return success(); });
    SmallVector<Tensor> results;
    if (!fn || failed((*fn)(step.op, operands, results, evaluator)) || result >= results.size() ||
        results[result].shape() != step.results[result].shape())
      return std::nullopt;
    return results[result].data()[element];
  }

  /// How much the element changes if `part` is 0.
  double weigh(const Part &part) {
    SmallVector<Tensor> operands(step.operands);
    Tensor &changed = operands[part.input];
    const bool isFloat = changed.elementType().isFloat;
    const SmallVector<int64_t> strides = changed.strides();
    Cell *cells = changed.mutableData();
    forEachPosition(part.size, [&](ArrayRef<int64_t> offset) {
      int64_t at = 0;
      for (size_t d = 0; d < offset.size(); ++d)
        at += (part.begin[d] + offset[d]) * strides[d];
      cells[at] = isFloat ? Cell::of(0.0) : Cell::of(int64_t(0));
    });
    const std::optional<Cell> value = evaluate(std::move(operands));
    return value ? changeOf(base, asDouble(type, *value)) : std::numeric_limits<double>::max();
  }

  /// The elements that are not finite and make this one so.
  bool findNonFinite(Influences &out) {
    if (std::isfinite(base))
      return false;
    SmallVector<std::pair<unsigned, int64_t>> places;
    for (auto [k, operand] : llvm::enumerate(step.operands))
      for (int64_t i = 0; !operand.isBuffer() && i < operand.size(); ++i)
        if (!isFiniteCell(operand.elementType(), operand.data()[i]))
          places.push_back({static_cast<unsigned>(k), i});
    constexpr size_t kTried = 64;
    for (size_t tried = 0; tried < std::min(places.size(), kTried); ++tried) {
      SmallVector<Tensor> operands(step.operands);
      for (auto [i, place] : llvm::enumerate(places))
        if (i != tried)
          operands[place.first].mutableData()[place.second] = Cell::of(0.0);
      const std::optional<Cell> value = evaluate(std::move(operands));
      if (value && !isFiniteCell(type, *value))
        out.list.push_back({places[tried].first, places[tried].second, std::numeric_limits<double>::max()});
    }
    out.isComplete = places.size() <= kTried;
    return !out.list.empty();
  }

  void search(Influences &out, size_t limit) {
    std::priority_queue<Part> parts;
    auto consider = [&](Part part) {
      part.weight = weigh(part);
      if (part.weight > 0)
        parts.push(std::move(part));
    };
    for (auto [k, operand] : llvm::enumerate(step.operands))
      if (!operand.isBuffer() && operand.size() > 0)
        consider({0, static_cast<unsigned>(k), SmallVector<int64_t, 4>(operand.rank(), 0),
                  SmallVector<int64_t, 4>(operand.shape())});
    while (!parts.empty() && out.list.size() < limit && evaluations < kMaxEvaluations) {
      Part part = parts.top();
      parts.pop();
      const Tensor &operand = step.operands[part.input];
      if (sizeOf(part.size) == 1) {
        out.list.push_back({part.input, linearize(part.begin, operand.strides()), part.weight});
        continue;
      }
      const size_t d = std::max_element(part.size.begin(), part.size.end()) - part.size.begin();
      Part other = part;
      part.size[d] /= 2;
      other.begin[d] += part.size[d];
      other.size[d] -= part.size[d];
      consider(std::move(part));
      consider(std::move(other));
    }
    out.isComplete = parts.empty();
    for (; !parts.empty(); parts.pop())
      out.restWeight += std::min(parts.top().weight, std::numeric_limits<double>::max() / 1e6);
  }

private:
  const OpTable::Fn *fn;
  const TapeStep &step;
  unsigned result;
  int64_t element;
  EvalOptions options;
  Evaluator evaluator;
  ElementType type;
  double base = 0;
  size_t evaluations = 0;
};

/// Of an op that moves elements, and the position `moved` of the one that it moves here: the indices among `operands`,
/// which hold positions elsewhere, without which it were another one.
void findIndices(Reevaluation &again, const SmallVector<Tensor> &operands, Cell moved, bool isFloat,
                 const SmallVector<std::pair<int64_t, unsigned>> &firsts, Influences &out) {
  for (auto [k, operand] : llvm::enumerate(operands)) {
    const auto input = static_cast<unsigned>(k);
    if (operand.isBuffer() || operand.elementType().isFloat || operand.size() == 0 ||
        llvm::any_of(firsts, [&](const auto &first) { return first.second == input; }))
      continue;
    // Whether one of the elements [begin, end) matters: another index is taken for each.
    auto matters = [&](int64_t begin, int64_t end) {
      SmallVector<Tensor> others(operands);
      Cell *cells = others[input].mutableData();
      for (int64_t i = begin; i < end; ++i)
        cells[i] = Cell::of(int64_t(cells[i].i == 0));
      const std::optional<Cell> other = again.evaluate(std::move(others));
      return !other || (isFloat ? other->f != moved.f : other->i != moved.i);
    };
    int64_t begin = 0, end = operand.size();
    if (!matters(begin, end))
      continue;
    while (end - begin > 1) {
      const int64_t middle = begin + (end - begin) / 2;
      (matters(begin, middle) ? end : begin) = middle;
    }
    out.list.push_back({input, begin, 0, /*selects=*/true});
  }
}

/// Of an op that moves elements: moves their positions instead.
bool findMoved(const OpTable &table, const TapeStep &step, unsigned result, int64_t element, Influences &out) {
  const BoundRule rule = boundRule(step.op);
  if (rule.kind != BoundRule::Kind::Move || step.op->getNumRegions() != 0)
    return false;
  SmallVector<Tensor> operands(step.operands);
  SmallVector<std::pair<int64_t, unsigned>> firsts; // position of element 0 of each operand that is moved
  int64_t next = 1;
  const bool isFloat = step.results[result].elementType().isFloat;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    const bool isLast = k + 1 == operands.size() && (rule.data & BoundRule::kLast);
    if (operand.isBuffer() || !(isLast || (k < 31 && (rule.data >> k) & 1)) ||
        !(operand.elementType() == step.results[result].elementType()))
      continue;
    firsts.push_back({next, static_cast<unsigned>(k)});
    Cell *cells = operand.mutableData();
    for (int64_t i = 0, e = operand.size(); i < e; ++i, ++next)
      cells[i] = isFloat ? Cell::of(static_cast<double>(next)) : Cell::of(next);
  }
  Reevaluation again(table, step, result, element);
  const std::optional<Cell> moved = again.evaluate(operands);
  if (!moved)
    return false;
  const auto place = static_cast<int64_t>(isFloat ? moved->f : static_cast<double>(moved->i));
  for (auto it = firsts.rbegin(); it != firsts.rend(); ++it)
    if (place >= it->first) {
      const int64_t source = place - it->first;
      const Tensor &operand = step.operands[it->second];
      // What the op itself filled in has no source.
      if (source < operand.size() &&
          changeOf(asDouble(operand.elementType(), operand.data()[source]),
                   asDouble(operand.elementType(), step.results[result].data()[element])) == 0) {
        out.list.push_back({it->second, source, 1});
        findIndices(again, operands, *moved, isFloat, firsts, out);
        return true;
      }
      break;
    }
  return rule.fills;
}

bool findElementwise(const OpTable &table, const TapeStep &step, unsigned result, int64_t element, Influences &out) {
  const std::optional<ScalarOp> scalar =
      table.scalars.contains(step.op) ? table.scalars.resolve(step.op) : std::nullopt;
  if (!scalar)
    return false;
  const ArrayRef<int64_t> shape = step.results[result].shape();
  const SmallVector<int64_t> place = positionOf(element, shape);
  SmallVector<Cell> args;
  SmallVector<int64_t> offsets;
  for (const Tensor &operand : step.operands) {
    if (operand.isBuffer() || operand.rank() > static_cast<int64_t>(shape.size()))
      return false;
    int64_t at = 0;
    const SmallVector<int64_t> strides = operand.strides();
    const size_t skipped = shape.size() - static_cast<size_t>(operand.rank());
    for (int64_t d = 0; d < operand.rank(); ++d)
      at += operand.dim(d) == 1 ? 0 : place[skipped + static_cast<size_t>(d)] * strides[static_cast<size_t>(d)];
    if (at >= operand.size())
      return false;
    offsets.push_back(at);
    args.push_back(operand.data()[at]);
  }
  Trap trap;
  const double value = asDouble(scalar->out, scalar->apply(args.data(), true, trap));
  for (auto [k, operand] : llvm::enumerate(step.operands)) {
    SmallVector<Cell> others = args;
    others[k] = operand.elementType().isFloat ? Cell::of(0.0) : Cell::of(int64_t(0));
    Trap ignored;
    out.list.push_back({static_cast<unsigned>(k), offsets[k],
                        changeOf(value, asDouble(scalar->out, scalar->apply(others.data(), true, ignored)))});
  }
  return true;
}

/// What makes an element NaN or infinite hides everything else.
void keepNonFinite(const TapeStep &step, unsigned result, int64_t element, Influences &found) {
  const Tensor &value = step.results[result];
  if (isFiniteCell(value.elementType(), value.data()[element]))
    return;
  auto isNonFinite = [&](const Influence &influence) {
    const Tensor &input = Tape::input(step, influence.input);
    return !isFiniteCell(input.elementType(), input.data()[influence.element]);
  };
  if (!std::any_of(found.list.begin(), found.list.end(), isNonFinite))
    return;
  std::erase_if(found.list, [&](const Influence &influence) { return !isNonFinite(influence) && !influence.selects; });
  for (Influence &influence : found.list)
    influence.weight = influence.selects ? 0 : 1;
}

} // namespace

InfluenceFinder::InfluenceFinder() : table(std::make_unique<OpTable>()) {}
InfluenceFinder::~InfluenceFinder() = default;

Influences InfluenceFinder::find(const TapeStep &step, unsigned result, int64_t element, size_t limit) {
  Influences found;
  if (isa<func::FuncOp>(step.op) || step.op->hasTrait<OpTrait::ConstantLike>() || step.op->getNumOperands() == 0)
    return found;
  const bool hasBuffers = llvm::any_of(step.operands, [](const Tensor &operand) { return operand.isBuffer(); });
  if (hasBuffers || step.results[result].isBuffer() ||
      isa<scf::ForallOp, scf::ParallelOp, affine::AffineParallelOp>(step.op)) {
    found.isFollowed = false;
    return found;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(step.op)) {
    const EvalOptions options;
    Evaluator evaluator(*table, options);
    evaluator.enterFrame(step.captured);
    found.isFollowed = StructuredElement(linalgOp, step, result, element, evaluator).find(found);
  } else if (!findElementwise(*table, step, result, element, found) &&
             !findMoved(*table, step, result, element, found)) {
    Reevaluation again(*table, step, result, element);
    if (!again.findNonFinite(found))
      again.search(found, limit);
  }
  keepNonFinite(step, result, element, found);
  // An element that is used several times is one influence.
  std::sort(found.list.begin(), found.list.end(), [](const Influence &a, const Influence &b) {
    return std::pair(a.input, a.element) < std::pair(b.input, b.element);
  });
  size_t kept = 0;
  for (const Influence &influence : found.list) {
    if (kept > 0 && found.list[kept - 1].input == influence.input && found.list[kept - 1].element == influence.element)
      found.list[kept - 1].weight += influence.weight;
    else
      found.list[kept++] = influence;
  }
  found.list.resize(kept);
  std::stable_sort(found.list.begin(), found.list.end(),
                   [](const Influence &a, const Influence &b) { return a.weight > b.weight; });
  return found;
}

} // namespace mica::reference
