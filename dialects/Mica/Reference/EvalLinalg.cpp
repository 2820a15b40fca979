//===- EvalLinalg.cpp - linalg ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every structured op, named or generic, is evaluated by its region at each point of its iteration space. Rounding: an
// op with only parallel loops rounds each op of its body as IEEE requires, so its result is that of these ops. An op
// with a reduction keeps all floats of its body in f64 until the last point and rounds the result once: this is the
// accurate value, which every order of summation approximates.
//
// linalg.softmax, pack and unpack have no region and are implemented directly; so are the transforms of
// EvalWinograd.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Body.h"
#include "dialects/Mica/Reference/Contraction.h"
#include "dialects/Mica/Reference/Lifetimes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Iteration spaces
//===------------------------------------------------------------------------------------------------------------===//

/// The position of an operand's element: position(point) = base + sum over loops of step * point, in cells.
struct LinearAccess {
  int64_t base = 0;
  SmallVector<int64_t> steps; ///< per loop
};

/// An affine expression of loop indices as constant + sum of coefficients; nothing if it does not have that form.
std::optional<LinearAccess> linearForm(AffineExpr expr, unsigned numLoops) {
  LinearAccess form{0, SmallVector<int64_t>(numLoops, 0)};
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.base = constant.getValue();
    return form;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    form.steps[dim.getPosition()] = 1;
    return form;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::Add && expr.getKind() != AffineExprKind::Mul))
    return std::nullopt;
  std::optional<LinearAccess> left = linearForm(binary.getLHS(), numLoops);
  std::optional<LinearAccess> right = linearForm(binary.getRHS(), numLoops);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    form.base = left->base + right->base;
    for (unsigned i = 0; i < numLoops; ++i)
      form.steps[i] = left->steps[i] + right->steps[i];
    return form;
  }
  // A product is linear if one side is a constant; affine keeps it on the right.
  if (!isa<AffineConstantExpr>(binary.getRHS()))
    return std::nullopt;
  form.base = left->base * right->base;
  for (unsigned i = 0; i < numLoops; ++i)
    form.steps[i] = left->steps[i] * right->base;
  return form;
}

} // namespace

FailureOr<SmallVector<int64_t>> loopExtents(linalg::LinalgOp op, Operands in) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numLoops = op.getNumLoops();
  SmallVector<int64_t> extents(numLoops, -1);
  for (auto [k, map, operand] : llvm::enumerate(maps, in))
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      int64_t &extent = extents[dim.getPosition()];
      if (extent >= 0 && extent != operand.dim(d))
        return op.emitError() << "shape mismatch: dimension " << d << " of operand " << k << " ("
                              << operand.typeString() << ") should be " << extent;
      extent = operand.dim(d);
    }
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (extent < 0)
      return op.emitError() << "no operand gives the extent of loop d" << loop;
  return extents;
}

namespace {

/// The access of `operand` by `map`, or nothing if it is not linear (then the map is evaluated at each point). Fails
/// with an error at `op` if a linear access is out of bounds.
FailureOr<std::optional<LinearAccess>> accessOf(linalg::LinalgOp op, unsigned number, const Tensor &operand,
                                                AffineMap map, ArrayRef<int64_t> extents) {
  LinearAccess access{0, SmallVector<int64_t>(extents.size(), 0)};
  SmallVector<int64_t> strides = operand.strides();
  bool isEmpty = llvm::is_contained(extents, 0);
  for (auto [d, expr] : llvm::enumerate(map.getResults())) {
    std::optional<LinearAccess> form = linearForm(expr, extents.size());
    if (!form)
      return std::optional<LinearAccess>();
    int64_t lowest = form->base, highest = form->base;
    for (auto [step, extent] : llvm::zip_equal(form->steps, extents)) {
      (step < 0 ? lowest : highest) += step * (extent - 1);
    }
    if (!isEmpty && (lowest < 0 || highest >= operand.dim(d)))
      return op.emitError() << "operand " << number << " (" << operand.typeString() << ") is read at " << lowest
                            << " to " << highest << " in dimension " << d << ", whose extent is " << operand.dim(d);
    access.base += form->base * strides[d];
    for (auto [total, step] : llvm::zip_equal(access.steps, form->steps))
      total += step * strides[d];
  }
  return std::optional<LinearAccess>(access);
}

/// The cell at the results of `map` at `point`, for maps with mod or floordiv.
FailureOr<int64_t> nonlinearPosition(linalg::LinalgOp op, unsigned number, const Tensor &operand, AffineMap map,
                                     ArrayRef<int64_t> point) {
  SmallVector<int64_t, 4> position = map.compose(point);
  for (auto [d, index] : llvm::enumerate(position))
    if (index < 0 || index >= operand.dim(d))
      return op.emitError() << "operand " << number << " (" << operand.typeString() << ") is read at " << index
                            << " in dimension " << d << ", at point (" << pointString(point) << ")";
  return linearize(position, operand.strides());
}

//===------------------------------------------------------------------------------------------------------------===//
// Evaluating a region at its points
//===------------------------------------------------------------------------------------------------------------===//

/// The bounds of a structured op's results if its body is evaluated point by point. A result of a reduction is
/// accumulated in an order that implementations choose: its bound follows from the sum of the magnitudes of all
/// changes, however they cancel.
class BodyBounds {
public:
  BodyBounds(linalg::LinalgOp op, Operands in, Body &body)
      : op(op), in(in), body(body), numInputs(op.getNumDpsInputs()), reduces(op.getNumReductionLoops() != 0) {
    if (!body.isBounded())
      return;
    for (const Tensor &operand : in.drop_front(numInputs)) {
      Output &output = outputs.emplace_back();
      const auto size = static_cast<size_t>(operand.size());
      for (size_t i = 0; i < size; ++i)
        output.bounds.push_back(operand.boundAt(static_cast<int64_t>(i)));
      const unsigned argument = numInputs + outputs.size() - 1;
      output.accumulates = reduces && operand.elementType().isFloat && argument < op.getBlock()->getNumArguments() &&
                           body.accumulatesInto(argument);
      if (!output.accumulates)
        continue;
      output.changes.assign(size, 0.0);
      for (size_t i = 0; i < size; ++i)
        output.quanta.push_back(lastBit(operand.data()[i].f));
    }
  }

  void before(ArrayRef<int64_t> offsets) {
    for (size_t k = 0; k < std::min<size_t>(in.size(), op.getBlock()->getNumArguments()); ++k)
      body.argBound(k) =
          k < numInputs ? in[k].boundAt(offsets[k]) : outputs[k - numInputs].bounds[static_cast<size_t>(offsets[k])];
  }

  void after(ArrayRef<int64_t> offsets, ArrayRef<Cell *> cells) {
    for (auto [i, output] : llvm::enumerate(outputs)) {
      const auto at = static_cast<size_t>(offsets[numInputs + i]);
      output.bounds[at] = body.yieldedBound(i);
      if (!output.accumulates)
        continue;
      const double change = body.yielded(i).f - cells[numInputs + i][at].f;
      // Once the accumulator is infinite, changes are not visible in it.
      output.changes[at] += std::isfinite(change) ? std::fabs(change) : body.accumulated(numInputs + i);
      output.quanta[at] = std::min(output.quanta[at], lastBit(change));
    }
  }

  void finish(int64_t points, bool narrow) {
    for (auto [i, output] : llvm::enumerate(outputs)) {
      Tensor &result = in[numInputs + i];
      const ElementType type = result.elementType(), sum = accumulatorOf(type, narrow);
      const double terms = std::max(1.0, double(points) / double(std::max<int64_t>(result.size(), 1)));
      Tensor bounds(DType::F64, result.shape());
      Cell *cells = bounds.mutableData();
      for (size_t at = 0; at < output.bounds.size(); ++at) {
        double bound = output.bounds[at];
        const double raw = result.data()[at].f;
        if (output.accumulates && std::isfinite(raw)) {
          const double size = output.changes[at] + std::fabs(raw);
          const bool isExact =
              bound == 0 && size < std::ldexp(1 / unitRoundoff(sum), std::max(output.quanta[at], -2000));
          if (!isExact)
            bound = size > largestFinite(sum) ? kUnknown
                                              : std::hypot(bound, 2 * unitRoundoff(sum) * std::sqrt(terms) * size);
          else if (raw == 0 && !roundingErrorsAreOff())
            bound = kSignOfZero;
        } else if (output.accumulates && output.changes[at] > largestFinite(sum) && !roundingErrorsAreOff()) {
          bound = kUnknown; // finite terms may overflow to either infinity
        }
        // The final rounding.
        if (reduces && type.isFloat && (bound > kSignOfZero || type.round(raw) != raw))
          bound = roundedBound(type, raw, bound);
        cells[at] = Cell::of(bound);
      }
      result.setBound(std::move(bounds));
    }
  }

private:
  struct Output {
    std::vector<double> bounds;
    bool accumulates = false;
    std::vector<double> changes; ///< per element the sum of |change|
    std::vector<int> quanta;     ///< the last bit of any change
  };
  linalg::LinalgOp op;
  Operands in;
  Body &body;
  unsigned numInputs;
  bool reduces;
  SmallVector<Output> outputs;
};

class StructuredRun {
public:
  StructuredRun(linalg::LinalgOp op, Operands in, Evaluator &evaluator) : op(op), in(in), evaluator(evaluator) {}

  LogicalResult run(Results &out);

private:
  bool runAsMultiplyAccumulate();
  LogicalResult runBody(bool rounded);

  linalg::LinalgOp op;
  Operands in;
  Evaluator &evaluator;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> extents;
  SmallVector<std::optional<LinearAccess>> accesses; ///< per operand
};

LogicalResult StructuredRun::run(Results &out) {
  maps = op.getIndexingMapsArray();
  FailureOr<SmallVector<int64_t>> loops = loopExtents(op, in);
  if (failed(loops))
    return failure();
  extents = std::move(*loops);
  for (auto [k, map, operand] : llvm::enumerate(maps, in)) {
    FailureOr<std::optional<LinearAccess>> access = accessOf(op, k, operand, map, extents);
    if (failed(access))
      return failure();
    accesses.push_back(std::move(*access));
  }

  bool hasReduction = op.getNumReductionLoops() != 0;
  if (!(hasReduction && runAsMultiplyAccumulate()) && failed(runBody(/*rounded=*/!hasReduction)))
    return failure();
  for (unsigned i = op.getNumDpsInputs(); i < in.size(); ++i) {
    if (hasReduction)
      in[i].roundAll();
    out.push_back(std::move(in[i]));
  }
  return success();
}

/// `tensor` with `casts` applied to every element.
Tensor applyCasts(const Tensor &tensor, ArrayRef<Operation *> casts, const ScalarTable &table) {
  Tensor result = tensor;
  for (Operation *cast : casts) {
    ScalarOp scalar = *table.resolve(cast);
    result = result.retyped(scalar.out);
    Trap trap; // casts never trap
    Cell *cells = result.mutableData();
    for (int64_t i = 0, e = result.size(); i < e; ++i)
      cells[i] = scalar.apply(&cells[i], /*rounded=*/false, trap);
  }
  return result;
}

bool StructuredRun::runAsMultiplyAccumulate() {
  std::optional<MacForm> form = matchMultiplyAccumulate(op);
  if (!form || !accesses[0] || !accesses[1] || !accesses[2])
    return false;
  Tensor a = applyCasts(in[0], form->casts[0], evaluator.table.scalars);
  Tensor b = applyCasts(in[1], form->casts[1], evaluator.table.scalars);
  SmallVector<MacLoop> loops;
  for (auto [i, extent] : llvm::enumerate(extents))
    loops.push_back({extent, accesses[0]->steps[i], accesses[1]->steps[i], accesses[2]->steps[i]});
  ElementType type = in[2].elementType();
  Cell *c = in[2].mutableData();
  multiplyAccumulate(loops, a.data() + accesses[0]->base, b.data() + accesses[1]->base, c + accesses[2]->base,
                     type.isFloat);
  if (!type.isFloat)
    for (int64_t i = 0, e = in[2].size(); i < e; ++i)
      c[i].i = type.wrap(c[i].i);
  return true;
}

LogicalResult StructuredRun::runBody(bool rounded) {
  unsigned numInputs = op.getNumDpsInputs();
  Body body(*op.getBlock(), evaluator, rounded);
  SmallVector<const Cell *> inputs;
  SmallVector<Cell *> outputs;
  for (auto [k, operand] : llvm::enumerate(in)) {
    inputs.push_back(k < numInputs ? operand.data() : nullptr);
    outputs.push_back(k < numInputs ? nullptr : operand.mutableData());
  }
  SmallVector<int64_t> offsets(in.size());
  BodyBounds bounds(op, in, body);
  LogicalResult status = tryEachPosition(extents, [&](ArrayRef<int64_t> point) -> LogicalResult {
    for (size_t k = 0; k < in.size(); ++k) {
      if (accesses[k]) {
        offsets[k] = accesses[k]->base + linearize(point, accesses[k]->steps);
      } else {
        FailureOr<int64_t> position = nonlinearPosition(op, k, in[k], maps[k], point);
        if (failed(position))
          return failure();
        offsets[k] = *position;
      }
      if (k < op.getBlock()->getNumArguments()) // linalg.map has no argument for its output
        body.arg(k) = (inputs[k] ? inputs[k] : outputs[k])[offsets[k]];
    }
    if (body.isBounded())
      bounds.before(offsets);
    if (failed(body.run(point)))
      return failure();
    if (body.isBounded())
      bounds.after(offsets, outputs);
    for (size_t k = numInputs; k < in.size(); ++k)
      outputs[k][offsets[k]] = body.yielded(k - numInputs);
    return success();
  });
  if (body.isBounded())
    bounds.finish(sizeOf(extents), evaluator.options.narrowAccumulators);
  return status;
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops without a region
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalSoftmax(linalg::SoftmaxOp op, Operands in, Evaluator &) {
  Tensor result = in[0];
  if (in[0].shape() != in[1].shape())
    return op.emitError() << "shape mismatch: input is " << in[0].typeString() << ", output " << in[1].typeString();
  softmaxInPlace(result, op.getDimension());
  return result.retyped(in[1].elementType());
}

/// result[o.., t..] = source[o * tile + t], padded beyond its end; outer_dims_perm permutes the o.
FailureOr<Tensor> evalPack(linalg::PackOp op, Operands in, Evaluator &evaluator) {
  const Tensor &source = in[0];
  Tensor result = std::move(in[1]);
  Cell padding = source.elementType().number(0);
  bool isPadded = static_cast<bool>(op.getPaddingValue());
  if (isPadded)
    padding = in[2].value();
  int64_t rank = source.rank();
  ArrayRef<int64_t> tiled = op.getInnerDimsPos(), outerPerm = op.getOuterDimsPerm();
  SmallVector<int64_t> extents(source.shape()), tiles(rank, 1);
  for (auto [i, dim] : llvm::enumerate(tiled))
    tiles[dim] = result.dim(rank + i);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t from = outerPerm.empty() ? d : outerPerm[d];
    int64_t covered = result.dim(d) * tiles[from];
    if (covered < extents[from] || (covered != extents[from] && !isPadded))
      return op.emitError() << "shape mismatch: " << source.typeString() << " does not pack into "
                            << result.typeString() << (isPadded ? "" : " without a padding value");
  }
  SmallVector<int64_t> position(rank), strides = source.strides();
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) {
    for (int64_t d = 0; d < rank; ++d) {
      int64_t from = outerPerm.empty() ? d : outerPerm[d];
      position[from] = at[d] * tiles[from];
    }
    for (auto [i, dim] : llvm::enumerate(tiled))
      position[dim] += at[rank + i];
    bool inside = llvm::all_of(llvm::zip_equal(position, extents),
                               [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
    *cell++ = inside ? source.data()[linearize(position, strides)] : padding;
  });
  return result;
}

/// The inverse: result[i] = source[i / tile.., i % tile..].
FailureOr<Tensor> evalUnpack(linalg::UnPackOp op, Operands in, Evaluator &) {
  const Tensor &source = in[0];
  Tensor result = std::move(in[1]);
  int64_t rank = result.rank();
  ArrayRef<int64_t> tiled = op.getInnerDimsPos(), outerPerm = op.getOuterDimsPerm();
  SmallVector<int64_t> tiles(rank, 1);
  for (auto [i, dim] : llvm::enumerate(tiled))
    tiles[dim] = source.dim(rank + i);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t to = outerPerm.empty() ? d : outerPerm[d];
    if (source.dim(d) * tiles[to] < result.dim(to))
      return op.emitError() << "shape mismatch: " << source.typeString() << " does not fill " << result.typeString();
  }
  SmallVector<int64_t> position(source.rank()), strides = source.strides();
  Cell *cell = result.mutableData();
  forEachPosition(result.shape(), [&](ArrayRef<int64_t> at) {
    for (int64_t d = 0; d < rank; ++d) {
      int64_t to = outerPerm.empty() ? d : outerPerm[d];
      position[d] = at[to] / tiles[to];
    }
    for (auto [i, dim] : llvm::enumerate(tiled))
      position[rank + i] = at[dim] % tiles[dim];
    *cell++ = source.data()[linearize(position, strides)];
  });
  return result;
}

/// linalg.index in a body that is interpreted op by op (Body compiles it otherwise).
FailureOr<Tensor> evalIndex(linalg::IndexOp op, Operands, Evaluator &evaluator) {
  return Tensor::index(evaluator.points.back()[op.getDim()]);
}

} // namespace

void softmaxInPlace(Tensor &tensor, int64_t dim) {
  SmallVector<int64_t> outer(tensor.shape()), strides = tensor.strides();
  int64_t extent = outer[dim], stride = strides[dim];
  outer[dim] = 1;
  Cell *cells = tensor.mutableData();
  if (extent == 0)
    return;
  forEachPosition(outer, [&](ArrayRef<int64_t> position) {
    Cell *row = cells + linearize(position, strides);
    double largest = row[0].f, sum = 0;
    for (int64_t i = 1; i < extent; ++i)
      largest = ieeeMaximum(largest, row[i * stride].f);
    for (int64_t i = 0; i < extent; ++i)
      sum += row[i * stride].f = std::exp(row[i * stride].f - largest);
    for (int64_t i = 0; i < extent; ++i)
      row[i * stride].f /= sum;
  });
  tensor.roundAll();
}

LogicalResult evalStructured(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  if (failed(checkParallelWrites(op, in, evaluator)))
    return failure();
  return StructuredRun(cast<linalg::LinalgOp>(op), in, evaluator).run(out);
}

LogicalResult evalOnBuffers(Operation *op, Operands in, Results &, Evaluator &evaluator) {
  auto destinations = cast<DestinationStyleOpInterface>(op);
  if (failed(checkOutputAliases(op, in, evaluator)))
    return failure();
  SmallVector<Tensor> values, results;
  for (const Tensor &operand : in)
    values.push_back(operand.isBuffer() ? operand.loaded() : operand);
  if (failed(evaluator.run(op, evaluator.table.onValues(op), values, results)))
    return failure();
  for (auto [i, result] : llvm::enumerate(results)) {
    const Tensor &destination = in[destinations.getDpsInitOperand(i)->getOperandNumber()];
    if (destination.shape() != result.shape())
      return op->emitError() << "shape mismatch: a result of " << result.typeString() << " for a buffer of "
                             << destination.typeString();
    destination.store(result);
  }
  return success();
}

void addLinalgOps(OpTable &table) {
  table.add<linalg::SoftmaxOp>(evalSoftmax);
  table.add<linalg::PackOp>(evalPack);
  table.add<linalg::UnPackOp>(evalUnpack);
  table.add<linalg::IndexOp>(evalIndex);
  table.addTerminator<linalg::YieldOp>();
}

} // namespace mica::reference
