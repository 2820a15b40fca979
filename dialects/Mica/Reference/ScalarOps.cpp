//===- ScalarOps.cpp - elementwise operations -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table of elementwise ops and their evaluation on whole tensors.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Undefined.h"

using namespace mlir;

namespace mica::reference {

void ScalarTable::add(StringRef name, ScalarFn onFloat, ScalarFn onInt, PrepareFn prepare, unsigned keyOperand) {
  entries[name] = {onFloat, onInt, prepare, keyOperand};
}

void ScalarTable::merge(StringRef name, ScalarFn onFloat, ScalarFn onInt) {
  Entry &entry = entries[name];
  if (onFloat)
    entry.onFloat = onFloat;
  if (onInt)
    entry.onInt = onInt;
}

bool ScalarTable::contains(Operation *op) const { return entries.contains(op->getName().getStringRef()); }

std::optional<ScalarOp> ScalarTable::resolve(Operation *op) const {
  auto it = entries.find(op->getName().getStringRef());
  if (it == entries.end() || op->getNumResults() != 1)
    return std::nullopt;
  const Entry &entry = it->second;
  std::optional<ElementType> in = ElementType::of(op->getOperand(entry.keyOperand).getType());
  std::optional<ElementType> out = ElementType::of(op->getResult(0).getType());
  if (!in || !out)
    return std::nullopt;
  ScalarOp scalar;
  scalar.fn = in->isFloat ? entry.onFloat : entry.onInt;
  scalar.in = *in;
  scalar.out = *out;
  if (!scalar.fn)
    return std::nullopt;
  if (entry.prepare)
    entry.prepare(op, scalar);
  return scalar;
}

/// Whether dimension `d` of an operand of `op` with type `type` may be broadcast: one with static size 1. A dynamic
/// dimension is only broadcast by tosa.
static bool mayRepeat(Operation *op, Type type, int64_t d) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked &&
         (ranked.getDimSize(d) == 1 || (ranked.isDynamicDim(d) && op->getName().getDialectNamespace() == "tosa"));
}

/// The shape to which all operands broadcast (right-aligned, sizes equal or 1), or an error at `op`.
static FailureOr<SmallVector<int64_t>> broadcastShape(Operation *op, Operands in) {
  SmallVector<int64_t> shape;
  for (const Tensor &operand : in)
    shape.resize(std::max<size_t>(shape.size(), operand.rank()), 1);
  for (size_t d = 0; d < shape.size(); ++d) {
    // Sizes that may not be broadcast must agree; without one, all are 1.
    std::optional<int64_t> size;
    for (auto [operand, type] : llvm::zip_equal(in, op->getOperandTypes())) {
      size_t lead = shape.size() - operand.rank();
      if (d < lead)
        continue;
      int64_t extent = operand.dim(d - lead);
      if (extent == 1 && mayRepeat(op, type, d - lead))
        continue;
      if (size && *size != extent)
        return op->emitError() << "shape mismatch: operands of sizes " << *size << " and " << extent << " in dimension "
                               << d;
      size = extent;
    }
    shape[d] = size.value_or(1);
  }
  return shape;
}

/// The strides of `tensor` for positions of `shape`: 0 where it is broadcast.
static SmallVector<int64_t> broadcastStrides(const Tensor &tensor, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 0);
  size_t lead = shape.size() - tensor.rank();
  for (auto [i, stride] : llvm::enumerate(tensor.strides()))
    strides[lead + i] = tensor.dim(i) == 1 ? 0 : stride;
  return strides;
}

/// evalElementwise with bounds.
static LogicalResult evalWithBounds(Operation *op, const ScalarOp &scalar, Operands in, ArrayRef<int64_t> shape,
                                    Results &out, Evaluator &evaluator) {
  FailureOr<Tensor> result = evaluator.allocate(op, scalar.out, shape);
  if (failed(result))
    return failure();
  const bool isStrict = evaluator.undefined() != nullptr;
  const PoisonRule poison = isStrict ? poisonRule(op) : PoisonRule();
  ScalarRule rule = isStrict ? poison.scalar : scalarRule(op);
  rule.in.resize(in.size()); // excluding parameters of tosa
  Tensor bounds(DType::F64, shape);
  Cell *cells = result->mutableData(), *boundCells = bounds.mutableData();
  SmallVector<SmallVector<int64_t>, 4> strides;
  for (const Tensor &operand : in)
    strides.push_back(broadcastStrides(operand, shape));
  SmallVector<Cell, 4> args(in.size());
  SmallVector<double, 4> argBounds(in.size());
  Trap trap;
  int64_t number = 0;
  LogicalResult status = tryEachPosition(shape, [&](ArrayRef<int64_t> position) -> LogicalResult {
    for (size_t k = 0; k < args.size(); ++k) {
      const int64_t at = linearize(position, strides[k]);
      args[k] = in[k].data()[at];
      argBounds[k] = in[k].boundAt(at);
    }
    const Cell raw = scalar.fn(scalar, args.data(), trap);
    if (trap.message) {
      InFlightDiagnostic error = op->emitError() << trap.message;
      return shape.empty() ? error : error << " at element " << number << " of shape " << shapeString(shape);
    }
    cells[number] = scalar.finish(raw, /*rounded=*/true);
    const Cell value = scalar.out.isFloat ? raw : cells[number];
    boundCells[number] =
        Cell::of(isStrict ? undefinedBound(op, scalar, poison, args.data(), argBounds, value, evaluator)
                          : scalarBound(scalar, rule, scalar.out, args.data(), argBounds.data(), value));
    ++number;
    return success();
  });
  if (failed(status))
    return failure();
  result->setBound(std::move(bounds));
  out.push_back(std::move(*result));
  return success();
}

LogicalResult evalElementwise(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  ScalarOp scalar = *evaluator.table.scalars.resolve(op);
  // arith.index_cast of a buffer shows the same memory as another type.
  if (in.size() == 1 && in[0].isBuffer()) {
    out.push_back(in[0].retyped(scalar.out));
    return success();
  }
  FailureOr<SmallVector<int64_t>> shape = broadcastShape(op, in);
  if (failed(shape))
    return failure();
  // Undefined elements come from operands, or from poison rules of the op.
  const bool isDefined = evaluator.undefined() && !poisonRule(op).isAny &&
                         llvm::none_of(in, [](const Tensor &operand) { return operand.hasBound(); });
  if (evaluator.tracksBounds() && !isDefined)
    return evalWithBounds(op, scalar, in, *shape, out, evaluator);
  FailureOr<Tensor> result = evaluator.allocate(op, scalar.out, *shape);
  if (failed(result))
    return failure();
  Cell *cells = result->mutableData();
  SmallVector<Cell, 4> args(in.size());
  Trap trap;
  // `number` counts the result's elements in row-major order.
  auto trapped = [&](int64_t number) -> LogicalResult {
    InFlightDiagnostic error = op->emitError() << trap.message;
    return shape->empty() ? error : error << " at element " << number << " of shape " << shapeString(*shape);
  };

  bool sameShapes = llvm::all_of(in, [&](const Tensor &operand) { return operand.shape() == ArrayRef(*shape); });
  if (sameShapes) {
    SmallVector<const Cell *, 4> data;
    for (const Tensor &operand : in)
      data.push_back(operand.data());
    for (int64_t i = 0, e = result->size(); i < e; ++i) {
      for (size_t k = 0; k < args.size(); ++k)
        args[k] = data[k][i];
      cells[i] = scalar.apply(args.data(), /*rounded=*/true, trap);
      if (trap.message)
        return trapped(i);
    }
  } else {
    SmallVector<SmallVector<int64_t>, 4> strides;
    for (const Tensor &operand : in)
      strides.push_back(broadcastStrides(operand, *shape));
    Cell *cell = cells;
    LogicalResult status = tryEachPosition(*shape, [&](ArrayRef<int64_t> position) -> LogicalResult {
      for (size_t k = 0; k < args.size(); ++k)
        args[k] = in[k].data()[linearize(position, strides[k])];
      *cell++ = scalar.apply(args.data(), /*rounded=*/true, trap);
      return trap.message ? trapped(cell - cells - 1) : success();
    });
    if (failed(status))
      return failure();
  }
  out.push_back(std::move(*result));
  return success();
}

} // namespace mica::reference
