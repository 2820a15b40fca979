//===- Contraction.cpp - contractions and their loops -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Recognizes contractions and their axes; see Contraction.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Contraction.h"

#include "mica/Support/Checked.h"
#include "passes/Codegen/GPU/Factors.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica::device;

/// A multiple of kWhole is covered by full tiles; at most kSmall is too small for separate tiles.
static constexpr int64_t kWhole = 128, kSmall = 64;

static int64_t sizeOf(ArrayRef<unsigned> loops, ArrayRef<int64_t> sizes) {
  int64_t total = 1;
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(sizes[loop]))
      return ShapedType::kDynamic;
    total = mica::saturatingMul(total, sizes[loop]);
  }
  return total;
}

int64_t Contraction::size(Axis axis) const { return sizeOf(loops(axis), sizes); }

/// `map` without the loops of a single iteration.
static AffineMap withoutUnits(AffineMap map, ArrayRef<int64_t> sizes) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [loop, size] : llvm::enumerate(sizes))
    dims.push_back(size == 1 ? getAffineConstantExpr(0, context) : getAffineDimExpr(loop, context));
  return map.replaceDimsAndSymbols(dims, {}, sizes.size(), 0);
}

/// Whether `expr` is a sum of multiples of loops.
static bool isLinear(AffineExpr expr) {
  bool linear = true;
  expr.walk([&](AffineExpr part) {
    if (isa<AffineSymbolExpr>(part) || (isa<AffineBinaryOpExpr>(part) && part.getKind() != AffineExprKind::Add &&
                                        part.getKind() != AffineExprKind::Mul))
      linear = false;
  });
  return linear;
}

/// The position at which the results of `map` are `loops` in order, if these occur nowhere else.
static std::optional<unsigned> findInRow(AffineMap map, ArrayRef<unsigned> loops) {
  for (unsigned first = 0; first + loops.size() <= map.getNumResults(); ++first) {
    bool found = true;
    for (unsigned r = 0; r < map.getNumResults(); ++r) {
      const bool within = r >= first && r < first + loops.size();
      if (within)
        found &= map.getResult(r) == getAffineDimExpr(loops[r - first], map.getContext());
      else
        found &= llvm::none_of(loops, [&](unsigned loop) { return map.getResult(r).isFunctionOfDim(loop); });
    }
    if (found)
      return first;
  }
  return std::nullopt;
}

bool Contraction::hasWindows() const {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return !withoutUnits(op.getMatchingIndexingMap(operand), sizes).isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

/// The innermost of `loops`, which index `input` and `result`, outermost first, that are collapsed to one axis. If
/// tiles of the inner ones are full, or delinearization would have no benefit, the outer ones remain batch loops.
static SmallVector<unsigned> axisOf(ArrayRef<unsigned> loops, AffineMap input, AffineMap result,
                                    ArrayRef<int64_t> sizes) {
  size_t first = loops.size() - 1;
  for (; first > 0; --first) {
    const int64_t size = sizeOf(loops.drop_front(first), sizes);
    if (!ShapedType::isDynamic(size) && size % kWhole == 0)
      break;
    ArrayRef<unsigned> more = loops.drop_front(first - 1);
    const bool isFree = findInRow(input, more) && findInRow(result, more);
    const bool isSmall = !ShapedType::isDynamic(size) && size < kSmall;
    if (!isFree && !isSmall && input.isProjectedPermutation(/*allowZeroInResults=*/true))
      break;
  }
  return SmallVector<unsigned>(loops.drop_front(first));
}

/// Whether threads can read `operand` of `op`: a buffer with its allocation's layout, or a scalar.
static bool isReadable(linalg::GenericOp op, OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return op.isScalar(&operand);
  return type.getLayout().isIdentity() && type.getElementType().isIntOrFloat() &&
         llvm::all_of(op.getMatchingIndexingMap(&operand).getResults(), isLinear);
}

/// The operands of the reduction in the body of `op`: two factors, or else both inputs; with the inputs of each, none
/// if there are none.
static void findFactors(linalg::GenericOp op, std::pair<Value, Value> &factors, SmallVector<OpOperand *> &ofFirst,
                        SmallVector<OpOperand *> &ofSecond) {
  if (auto found = factorsOf(op)) {
    factors = *found;
    ofFirst = inputsOf(op, factors.first);
    ofSecond = inputsOf(op, factors.second);
  } else if (op.getNumDpsInputs() == 2) {
    ofFirst = {op.getDpsInputOperand(0)};
    ofSecond = {op.getDpsInputOperand(1)};
    factors = {op.getMatchingBlockArgument(ofFirst.front()), op.getMatchingBlockArgument(ofSecond.front())};
  }
}

std::optional<Contraction> mica::device::contractionOf(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasIndexSemantics() ||
      !llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) { return isReadable(op, operand); }) ||
      !llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }))
    return std::nullopt;
  Contraction found;
  found.op = op;
  found.sizes = op.getStaticLoopRanges();
  auto mapOf = [&](OpOperand *operand) { return withoutUnits(op.getMatchingIndexingMap(operand), found.sizes); };
  AffineMap result = mapOf(op.getDpsInitOperand(0));
  if (!result.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  std::pair<Value, Value> factors;
  SmallVector<OpOperand *> ofFirst, ofSecond;
  findFactors(op, factors, ofFirst, ofSecond);
  auto moves = [&](ArrayRef<OpOperand *> inputs, unsigned loop) {
    return llvm::any_of(inputs, [&](OpOperand *input) { return mapOf(input).isFunctionOfDim(loop); });
  };
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned loop : reductions) {
    if (found.sizes[loop] == 1)
      continue;
    if (!moves(ofFirst, loop) || !moves(ofSecond, loop))
      return std::nullopt;
    found.k.push_back(loop);
  }
  // n has the loop along which the result is contiguous, if only one factor depends on it; else the innermost such
  // loop. m has the loops on which only the other factor depends.
  SmallVector<unsigned> alongFirst, alongSecond;
  bool firstIsRhs = false;
  for (AffineExpr expr : result.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    const unsigned d = dim.getPosition();
    if (moves(ofFirst, d) == moves(ofSecond, d))
      continue;
    firstIsRhs = moves(ofFirst, d);
    (firstIsRhs ? alongFirst : alongSecond).push_back(d);
  }
  if (alongFirst.empty() || alongSecond.empty() || found.k.empty())
    return std::nullopt;
  if (firstIsRhs) {
    std::swap(ofFirst, ofSecond);
    std::swap(alongFirst, alongSecond);
    std::swap(factors.first, factors.second);
  }
  OpOperand *lhs = ofFirst.front(), *rhs = ofSecond.front();
  if (lhs == rhs)
    return std::nullopt;
  std::tie(found.lhsFactor, found.rhsFactor) = factors;
  found.lhs = lhs->getOperandNumber();
  found.rhs = rhs->getOperandNumber();
  found.m = axisOf(alongFirst, mapOf(lhs), result, found.sizes);
  found.n = axisOf(alongSecond, mapOf(rhs), result, found.sizes);
  // k in the order of an input that is contiguous along it.
  for (OpOperand *input : {lhs, rhs}) {
    AffineMap map = mapOf(input);
    if (map.getNumResults() == 0)
      continue;
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || !llvm::is_contained(found.k, last.getPosition()))
      continue;
    auto place = [&](unsigned loop) {
      unsigned at = 0;
      while (at < map.getNumResults() && !map.getResult(at).isFunctionOfDim(loop))
        ++at;
      return at;
    };
    llvm::stable_sort(found.k, [&](unsigned a, unsigned b) { return place(a) < place(b); });
    break;
  }
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    if (!llvm::is_contained(found.m, d) && !llvm::is_contained(found.n, d) && !llvm::is_contained(reductions, d))
      found.batch.push_back(d);
  return found;
}

//===------------------------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------------------------===//

Access mica::device::accessOf(const Contraction &product, MemRefType type, AffineMap map) {
  const unsigned loops = product.sizes.size();
  map = withoutUnits(map, product.sizes);
  SmallVector<AffineExpr> results(map.getResults());
  Access access{type, {}, {}};
  for (Axis axis : {Axis::M, Axis::N, Axis::K}) {
    ArrayRef<unsigned> ofAxis = product.loops(axis);
    AffineMap now = AffineMap::get(loops + 3, 0, results, map.getContext());
    std::optional<unsigned> at;
    if (ofAxis.size() > 1 && type.getLayout().isIdentity())
      at = findInRow(now, ofAxis);
    if (!at)
      continue;
    if (access.together.empty())
      for (unsigned r = 0; r < results.size(); ++r)
        access.together.push_back({static_cast<int64_t>(r)});
    // Collapse these dimensions to one.
    for (unsigned r = 1; r < ofAxis.size(); ++r)
      access.together[*at].append(access.together[*at + r]);
    access.together.erase(access.together.begin() + *at + 1, access.together.begin() + *at + ofAxis.size());
    results[*at] = getAffineDimExpr(loops + static_cast<unsigned>(axis), map.getContext());
    results.erase(results.begin() + *at + 1, results.begin() + *at + ofAxis.size());
  }
  if (!access.together.empty())
    access.type = memref::CollapseShapeOp::computeCollapsedType(type, access.together);
  access.map = AffineMap::get(loops + 3, 0, results, map.getContext());
  return access;
}

Value Access::view(OpBuilder &builder, Location loc, Value buffer) const {
  return together.empty() ? buffer : memref::CollapseShapeOp::create(builder, loc, buffer, together).getResult();
}

unsigned Access::innermost(const Contraction &product, Axis axis) const {
  const unsigned whole = product.sizes.size() + static_cast<unsigned>(axis);
  return map.isFunctionOfDim(whole) ? whole : product.loops(axis).back();
}

Axis Access::columnAxis(const Contraction &product, unsigned number) const {
  // If it depends on both, as in a window of a row: positions along m and n do not change with k.
  const Axis side = number == product.lhs ? Axis::M : Axis::N;
  return map.getResults().back().isFunctionOfDim(innermost(product, side)) ? side : Axis::K;
}

bool Access::liesSideBySide(const Contraction &product, Axis axis, int64_t count) const {
  const unsigned moving = innermost(product, axis), loops = product.sizes.size();
  const int64_t size = moving < loops ? product.sizes[moving] : product.size(axis);
  const int64_t row = type.getRank() == 0 ? ShapedType::kDynamic : type.getShape().back();
  if (!type.getLayout().isIdentity() || ShapedType::isDynamic(row) || row % count != 0 || ShapedType::isDynamic(size) ||
      size % count != 0)
    return false;
  // The value of the last index if only `dim` is 1; none: all are 0.
  auto valueAt = [&](std::optional<unsigned> dim) {
    SmallVector<AffineExpr> values(map.getNumDims(), getAffineConstantExpr(0, map.getContext()));
    if (dim)
      values[*dim] = getAffineConstantExpr(1, map.getContext());
    return cast<AffineConstantExpr>(simplifyAffineExpr(map.getResults().back().replaceDims(values), 0, 0)).getValue();
  };
  const int64_t offset = valueAt(std::nullopt);
  if (offset % count != 0)
    return false;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (const int64_t factor = valueAt(dim) - offset; dim == moving ? factor != 1 : factor % count != 0)
      return false;
  return llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(moving); });
}
