//===- EvalAffine.cpp - affine ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Loops and accesses whose bounds and indices are affine maps.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/ParallelAccesses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Maps
//===------------------------------------------------------------------------------------------------------------===//

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
/// `b` is positive.
int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b > 0); }

FailureOr<int64_t> evalExpr(Operation *op, AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<int64_t> left = evalExpr(op, binary.getLHS(), dims, symbols);
  FailureOr<int64_t> right = evalExpr(op, binary.getRHS(), dims, symbols);
  if (failed(left) || failed(right))
    return failure();
  AffineExprKind kind = expr.getKind();
  if (kind == AffineExprKind::Add)
    return int64_t(uint64_t(*left) + uint64_t(*right));
  if (kind == AffineExprKind::Mul)
    return int64_t(uint64_t(*left) * uint64_t(*right));
  if (*right <= 0)
    return op->emitError() << "an affine division by " << *right << ", which is not positive";
  if (kind == AffineExprKind::Mod)
    return *left - floorDivide(*left, *right) * *right;
  return kind == AffineExprKind::FloorDiv ? floorDivide(*left, *right) : ceilDivide(*left, *right);
}

/// The results of `map` on the index values `operands`, dimensions first, then symbols.
FailureOr<SmallVector<int64_t>> evalMap(Operation *op, AffineMap map, ArrayRef<Tensor> operands) {
  SmallVector<int64_t> numbers, results;
  for (const Tensor &operand : operands)
    numbers.push_back(operand.value().i);
  ArrayRef<int64_t> dims = ArrayRef(numbers).take_front(map.getNumDims());
  ArrayRef<int64_t> symbols = ArrayRef(numbers).drop_front(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    FailureOr<int64_t> value = evalExpr(op, expr, dims, symbols);
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  return results;
}

SmallVector<Tensor> asTensors(ArrayRef<int64_t> numbers) {
  return llvm::map_to_vector(numbers, [](int64_t number) { return Tensor::index(number); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalApply(affine::AffineApplyOp op, Operands in, Evaluator &) {
  FailureOr<SmallVector<int64_t>> values = evalMap(op, op.getAffineMap(), in);
  if (failed(values))
    return failure();
  return Tensor::index(values->front());
}

FailureOr<Tensor> evalMin(affine::AffineMinOp op, Operands in, Evaluator &) {
  FailureOr<SmallVector<int64_t>> values = evalMap(op, op.getMap(), in);
  if (failed(values))
    return failure();
  return Tensor::index(*llvm::min_element(*values));
}

FailureOr<Tensor> evalMax(affine::AffineMaxOp op, Operands in, Evaluator &) {
  FailureOr<SmallVector<int64_t>> values = evalMap(op, op.getMap(), in);
  if (failed(values))
    return failure();
  return Tensor::index(*llvm::max_element(*values));
}

LogicalResult evalDelinearize(affine::AffineDelinearizeIndexOp op, Operands in, Results &out, Evaluator &) {
  if (op->getNumResults() == 0)
    return success();
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front();
  SmallVector<int64_t> basis = fillDynamic(op.getStaticBasis(), dynamic);
  if (op.hasOuterBound())
    basis.erase(basis.begin());
  int64_t rest = in[0].value().i;
  SmallVector<int64_t> digits;
  for (int64_t extent : llvm::reverse(basis)) {
    if (extent <= 0)
      return op.emitError() << "basis element " << extent << " is not positive";
    int64_t quotient = floorDivide(rest, extent);
    digits.push_back(rest - quotient * extent);
    rest = quotient;
  }
  digits.push_back(rest);
  for (int64_t digit : llvm::reverse(digits))
    out.push_back(Tensor::index(digit));
  return success();
}

FailureOr<Tensor> evalLinearize(affine::AffineLinearizeIndexOp op, Operands in, Evaluator &evaluator) {
  size_t count = op.getMultiIndex().size();
  if (count == 0)
    return Tensor::index(0); // an empty basis counts as one with an outer bound
  ArrayRef<Tensor> dynamic = ArrayRef<Tensor>(in).drop_front(count);
  SmallVector<int64_t> basis = fillDynamic(op.getStaticBasis(), dynamic);
  if (op.hasOuterBound())
    basis.erase(basis.begin());
  int64_t result = in[0].value().i;
  for (size_t i = 1; i < count; ++i) {
    const int64_t digit = in[i].value().i;
    if (op.getDisjoint() && evaluator.undefined() && (digit < 0 || digit >= basis[i - 1]))
      return op.emitError() << "index " << digit << " is not below its basis element " << basis[i - 1]
                            << ", which disjoint promises";
    result = result * basis[i - 1] + digit;
  }
  return Tensor::index(result);
}

//===------------------------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalFor(affine::AffineForOp op, Operands in, Results &out, Evaluator &evaluator) {
  size_t numLower = op.getLowerBoundOperands().size(), numUpper = op.getUpperBoundOperands().size();
  FailureOr<SmallVector<int64_t>> lower = evalMap(op, op.getLowerBoundMap(), in.take_front(numLower));
  FailureOr<SmallVector<int64_t>> upper = evalMap(op, op.getUpperBoundMap(), in.slice(numLower, numUpper));
  if (failed(lower) || failed(upper))
    return failure();
  int64_t first = *llvm::max_element(*lower), end = *llvm::min_element(*upper), step = op.getStepAsInt();
  SmallVector<Tensor> carried(in.drop_front(numLower + numUpper));
  for (int64_t i = first, isLast = first >= end; !isLast; isLast = __builtin_add_overflow(i, step, &i) || i >= end) {
    carried.insert(carried.begin(), Tensor::index(i));
    SmallVector<Tensor> next;
    if (failed(evaluator.runRegion(op.getRegion(), std::move(carried), next)))
      return failure();
    carried = std::move(next);
  }
  out.append(std::make_move_iterator(carried.begin()), std::make_move_iterator(carried.end()));
  return success();
}

LogicalResult evalIf(affine::AffineIfOp op, Operands in, Results &out, Evaluator &evaluator) {
  IntegerSet set = op.getIntegerSet();
  SmallVector<int64_t> numbers;
  for (const Tensor &operand : in)
    numbers.push_back(operand.value().i);
  bool holds = true;
  for (auto [i, constraint] : llvm::enumerate(set.getConstraints())) {
    FailureOr<int64_t> value = evalExpr(op, constraint, ArrayRef(numbers).take_front(set.getNumDims()),
                                        ArrayRef(numbers).drop_front(set.getNumDims()));
    if (failed(value))
      return failure();
    holds = holds && (set.isEq(i) ? *value == 0 : *value >= 0);
  }
  Region &region = holds ? op.getThenRegion() : op.getElseRegion();
  return region.empty() ? success() : evaluator.runRegion(region, {}, out);
}

LogicalResult evalParallel(affine::AffineParallelOp op, Operands in, Results &out, Evaluator &evaluator) {
  size_t numLower = op.getLowerBoundsOperands().size();
  SmallVector<int64_t> first, extents, steps = op.getSteps();
  for (unsigned d = 0; d < op.getNumDims(); ++d) {
    FailureOr<SmallVector<int64_t>> lower = evalMap(op, op.getLowerBoundMap(d), in.take_front(numLower));
    FailureOr<SmallVector<int64_t>> upper = evalMap(op, op.getUpperBoundMap(d), in.drop_front(numLower));
    if (failed(lower) || failed(upper))
      return failure();
    first.push_back(*llvm::max_element(*lower));
    const int64_t end = *llvm::min_element(*upper);
    const uint64_t span = uint64_t(end) - uint64_t(first.back());
    extents.push_back(end <= first.back() ? 0 : int64_t((span - 1) / uint64_t(steps[d])) + 1);
  }
  SmallVector<arith::AtomicRMWKind> kinds;
  for (Attribute kind : op.getReductions())
    kinds.push_back(*arith::symbolizeAtomicRMWKind(cast<IntegerAttr>(kind).getInt()));
  for (auto [kind, result] : llvm::zip_equal(kinds, op->getResults())) {
    FailureOr<Cell> neutral = neutralOf(op, kind, *ElementType::of(result.getType()));
    if (failed(neutral))
      return failure();
    out.push_back(Tensor::scalar(*ElementType::of(result.getType()), *neutral));
  }
  ParallelAccesses accesses(op, evaluator);
  LogicalResult status = tryEachPosition(extents, [&](ArrayRef<int64_t> at) -> LogicalResult {
    accesses.next();
    SmallVector<int64_t> point;
    for (auto [start, step, number] : llvm::zip_equal(first, steps, at))
      point.push_back(start + step * number);
    SmallVector<Tensor> partial;
    if (failed(evaluator.runRegion(op.getRegion(), asTensors(point), partial)) || failed(accesses.check()))
      return failure();
    for (auto [kind, total, value] : llvm::zip_equal(kinds, out, partial))
      *total.mutableData() = combine(kind, total.elementType(), total.value(), value.value());
    return success();
  });
  for (Tensor &total : out)
    total.roundAll();
  return status;
}

//===------------------------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------------------------===//

/// The position in the memory of `buffer` at the results of `map` on `operands`.
FailureOr<int64_t> accessed(Operation *op, const Tensor &buffer, AffineMap map, ArrayRef<Tensor> operands) {
  FailureOr<SmallVector<int64_t>> indices = evalMap(op, map, operands);
  if (failed(indices))
    return failure();
  return elementPosition(op, buffer, asTensors(*indices));
}

FailureOr<Tensor> evalLoad(affine::AffineLoadOp op, Operands in, Evaluator &evaluator) {
  FailureOr<int64_t> at = accessed(op, in[0], op.getAffineMap(), in.drop_front());
  if (failed(at))
    return failure();
  return loadElement(op, in[0], *at, op.getMemRefType(), evaluator);
}

LogicalResult evalStore(affine::AffineStoreOp op, Operands in, Results &, Evaluator &evaluator) {
  FailureOr<int64_t> at = accessed(op, in[1], op.getAffineMap(), in.drop_front(2));
  if (failed(at))
    return failure();
  storeElement(in[0], in[1], *at, op.getMemRefType(), evaluator);
  return success();
}

FailureOr<Tensor> evalVectorLoad(affine::AffineVectorLoadOp op, Operands in, Evaluator &) {
  FailureOr<SmallVector<int64_t>> indices = evalMap(op, op.getAffineMap(), in.drop_front());
  if (failed(indices))
    return failure();
  return loadVector(op, in[0], *indices, op.getVectorType().getShape());
}

LogicalResult evalVectorStore(affine::AffineVectorStoreOp op, Operands in, Results &, Evaluator &) {
  FailureOr<SmallVector<int64_t>> indices = evalMap(op, op.getAffineMap(), in.drop_front(2));
  if (failed(indices))
    return failure();
  return storeVector(op, in[0], in[1], *indices);
}

LogicalResult evalPrefetch(affine::AffinePrefetchOp, Operands, Results &, Evaluator &) { return success(); }

} // namespace

void addAffineOps(OpTable &table) {
  table.add<affine::AffineApplyOp>(evalApply);
  table.add<affine::AffineMinOp>(evalMin);
  table.add<affine::AffineMaxOp>(evalMax);
  table.add<affine::AffineDelinearizeIndexOp>(evalDelinearize);
  table.add<affine::AffineLinearizeIndexOp>(evalLinearize);
  table.add<affine::AffineForOp>(evalFor);
  table.add<affine::AffineIfOp>(evalIf);
  table.add<affine::AffineParallelOp>(evalParallel);
  table.addTerminator<affine::AffineYieldOp>();
  table.add<affine::AffineLoadOp>(evalLoad);
  table.add<affine::AffineStoreOp>(evalStore);
  table.add<affine::AffineVectorLoadOp>(evalVectorLoad);
  table.add<affine::AffineVectorStoreOp>(evalVectorStore);
  table.add<affine::AffinePrefetchOp>(evalPrefetch);
}

} // namespace mica::reference
