//===- LoopGroup.cpp - grouping linalg ops into one loop nest -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LoopGroup.h. Sharing a nest is legal if every buffer that one member writes and another accesses is accessed at
// the same element in the same iteration; other ops get separate nests.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/LoopGroup.h"

#include "dialects/RootBuffer.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#include <cassert>

#define DEBUG_TYPE "mica-codegen-vectorize-loops"

using namespace mlir;
using namespace mica::cpu;

/// Coefficient of `dim` in a linear expression; nullopt if `expr` is not linear in it.
static std::optional<int64_t> coefficient(AffineExpr expr, unsigned dim) {
  if (!expr.isFunctionOfDim(dim))
    return 0;
  if (isa<AffineDimExpr>(expr))
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = coefficient(binary.getLHS(), dim), rhs = coefficient(binary.getRHS(), dim);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && constant)
    return *lhs * constant.getValue();
  return std::nullopt;
}

Access mica::cpu::classifyAccess(Type type, AffineMap map, unsigned dim) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !map.isFunctionOfDim(dim))
    return Access::Invariant;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return Access::Strided;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    std::optional<int64_t> factor = coefficient(expr, dim);
    int64_t expected = index + 1 == map.getNumResults() ? 1 : 0;
    if (!factor || *factor != expected)
      return Access::Strided;
  }
  return Access::Contiguous;
}

int mica::cpu::lastPosition(const LoopGroup &group, AffineMap map) {
  for (int position = group.numDims() - 1; position >= 0; --position)
    if (map.isFunctionOfDim(group.order[position]))
      return position;
  return -1;
}

/// Whether vectors of the type can be shuffled as they are loaded.
static bool canShuffle(Type type) {
  if (isa<IntegerType>(type))
    return llvm::is_contained({8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() || type.isIndex();
}

bool mica::cpu::isTransposed(OpOperand &operand, unsigned dim, unsigned other) {
  auto op = cast<linalg::GenericOp>(operand.getOwner());
  Type type = operand.get().getType();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return classifyAccess(type, map, dim) == Access::Strided && classifyAccess(type, map, other) == Access::Contiguous &&
         canShuffle(getElementTypeOrSelf(type)) && op.payloadUsesValueFromOperand(&operand);
}

//===----------------------------------------------------------------------------------------------------------===//
// Properties of bodies
//===----------------------------------------------------------------------------------------------------------===//

/// Whether every op of the body has a vector form of the same kind.
static bool isVectorizableBody(linalg::GenericOp op) {
  for (Operation &inner : *op.getBody()) {
    if (isa<linalg::YieldOp, linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) || inner.getNumResults() != 1)
      return false;
  }
  return llvm::all_of(op.getBody()->getArgumentTypes(), [](Type type) { return VectorType::isValidElementType(type); });
}

/// The reductions of an op's results; a result without a known reduction has no combiner.
static SmallVector<Reduction> findReductions(linalg::GenericOp op) {
  SmallVector<Reduction> reductions;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    Reduction &reduction = reductions.emplace_back();
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) || combiners.size() != 1)
      continue;
    std::optional<vector::CombiningKind> kind = linalg::getCombinerOpKind(combiners.front());
    std::optional<TypedAttr> neutral = arith::getNeutralElement(combiners.front());
    if (!kind || !neutral)
      continue;
    // For a type without infinities, the largest finite number is neutral.
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(combiners.front())) {
      auto type = cast<FloatType>(combiners.front()->getResult(0).getType());
      bool negative = isa<arith::MaximumFOp>(combiners.front());
      const llvm::fltSemantics &semantics = type.getFloatSemantics();
      neutral = FloatAttr::get(type, APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                                         : APFloat::getLargest(semantics, negative));
    }
    reduction = {combiners.front(), *kind, *neutral};
  }
  return reductions;
}

/// Recognizes the body `c = cmp(in, best); yield select(c, in, best), select(c, position, bestPosition)` where the
/// comparison is strict, so that the first extremum wins. Returns the comparison.
static Operation *findArgCompare(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 2 || op.getNumReductionLoops() != 1)
    return nullptr;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto value = yield.getOperand(0).getDefiningOp<arith::SelectOp>();
  auto position = yield.getOperand(1).getDefiningOp<arith::SelectOp>();
  Block::BlockArgListType best = op.getRegionOutputArgs();
  if (!value || !position || value.getCondition() != position.getCondition() || value.getFalseValue() != best[0] ||
      position.getFalseValue() != best[1] || best[1].getType().isFloat() || !best[1].hasOneUse())
    return nullptr;
  Operation *compare = value.getCondition().getDefiningOp();
  if (!compare || compare->getNumOperands() != 2 || compare->getOperand(0) != value.getTrueValue() ||
      compare->getOperand(1) != best[0])
    return nullptr;
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  if (auto cmp = dyn_cast<arith::CmpFOp>(compare))
    return llvm::is_contained({F::OGT, F::OLT}, cmp.getPredicate()) ? compare : nullptr;
  if (auto cmp = dyn_cast<arith::CmpIOp>(compare))
    return llvm::is_contained({I::sgt, I::slt, I::ugt, I::ult}, cmp.getPredicate()) ? compare : nullptr;
  return nullptr;
}

//===----------------------------------------------------------------------------------------------------------===//
// Sharing a nest
//===----------------------------------------------------------------------------------------------------------===//

/// A key for comparing sizes of two ops: a constant, or the value of an allocation's size, or (buffer, dimension).
using SizeKey = std::pair<const void *, int64_t>;

static SizeKey sizeKey(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return {nullptr, type.getDimSize(dim)};
  if (auto subview = buffer.getDefiningOp<memref::SubViewOp>(); subview && subview.getDroppedDims().none()) {
    OpFoldResult size = subview.getMixedSizes()[dim];
    if (auto value = dyn_cast<Value>(size))
      return {value.getAsOpaquePointer(), -1};
  }
  if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
    return {alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)].getAsOpaquePointer(), -1};
  return {buffer.getAsOpaquePointer(), dim};
}

/// The operand and its dimension from which the size of dimension `dim` of an op can be read.
static std::optional<std::pair<Value, int64_t>> sizeSource(linalg::GenericOp op, unsigned dim) {
  std::optional<std::pair<Value, int64_t>> dynamic;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [index, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (auto dimExpr = dyn_cast<AffineDimExpr>(expr); dimExpr && dimExpr.getPosition() == dim) {
        if (!type.isDynamicDim(index))
          return std::make_pair(operand.get(), int64_t(index));
        if (!dynamic)
          dynamic = std::make_pair(operand.get(), int64_t(index));
      }
    }
  }
  return dynamic;
}

/// All keys of a dimension's size: ops of one shape may read it from different operands.
static SmallVector<SizeKey> sizeKeys(linalg::GenericOp op, unsigned dim) {
  SmallVector<SizeKey> keys;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      for (auto [index, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto dimExpr = dyn_cast<AffineDimExpr>(expr); dimExpr && dimExpr.getPosition() == dim)
          keys.push_back(sizeKey(operand.get(), index));
  return keys;
}

static bool haveEqualSizes(linalg::GenericOp a, linalg::GenericOp b) {
  if (a.getNumLoops() != b.getNumLoops())
    return false;
  for (unsigned dim = 0; dim < a.getNumLoops(); ++dim) {
    SmallVector<SizeKey> keys = sizeKeys(b, dim);
    if (llvm::none_of(sizeKeys(a, dim), [&](SizeKey key) { return llvm::is_contained(keys, key); }))
      return false;
  }
  return true;
}

static bool mayAlias(Value a, Value b) {
  a = mica::rootBuffer(a), b = mica::rootBuffer(b);
  if (a == b)
    return true;
  // Arguments of a kernel do not alias each other (include/mica/ABI/Kernel.h), and allocations do not alias anything.
  auto isDistinct = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return (argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp())) ||
           value.getDefiningOp<memref::AllocOp>() || value.getDefiningOp<memref::AllocaOp>() ||
           value.getDefiningOp<memref::GetGlobalOp>();
  };
  return !isDistinct(a) || !isDistinct(b);
}

/// Whether the element at `map` is accessed in one iteration only, the one that has just computed it.
static bool isPointwise(linalg::GenericOp op, AffineMap map) {
  return op.getNumReductionLoops() == 0 && map.isProjectedPermutation() && map.getNumResults() == map.getNumDims();
}

/// Whether `later` may run in the same iteration as `earlier`, which precedes it.
static bool canShareNest(linalg::GenericOp earlier, linalg::GenericOp later) {
  auto conflictFree = [](linalg::GenericOp writer, linalg::GenericOp other) {
    for (OpOperand &written : writer.getDpsInitsMutable()) {
      for (OpOperand &touched : other->getOpOperands()) {
        if (!isa<MemRefType>(touched.get().getType()) || !mayAlias(written.get(), touched.get()))
          continue;
        AffineMap map = writer.getMatchingIndexingMap(&written);
        if (written.get() != touched.get() || map != other.getMatchingIndexingMap(&touched) ||
            !isPointwise(writer, map) || (other.getNumReductionLoops() && other.isDpsInit(&touched)))
          return false;
      }
    }
    return true;
  };
  return conflictFree(earlier, later) && conflictFree(later, earlier);
}

/// Whether the two ops share no memory that one of them writes.
static bool areIndependent(Operation *a, linalg::GenericOp b) {
  auto generic = dyn_cast<linalg::GenericOp>(a);
  if (!generic)
    return isMemoryEffectFree(a) || isa<memref::AllocOp, memref::AllocaOp>(a);
  auto noneWritten = [](linalg::GenericOp writer, linalg::GenericOp other) {
    for (Value written : writer.getDpsInits())
      for (Value touched : other->getOperands())
        if (isa<MemRefType>(touched.getType()) && mayAlias(written, touched))
          return false;
    return true;
  };
  return noneWritten(generic, b) && noneWritten(b, generic);
}

//===----------------------------------------------------------------------------------------------------------===//
// Order and width
//===----------------------------------------------------------------------------------------------------------===//

/// Relative cost of one element when the group is vectorized along `dim`.
static double costAlong(ArrayRef<linalg::GenericOp> ops, unsigned dim, int64_t size) {
  double cost = 0;
  for (linalg::GenericOp op : ops) {
    for (OpOperand &operand : op->getOpOperands()) {
      bool written = op.isDpsInit(&operand);
      switch (classifyAccess(operand.get().getType(), op.getMatchingIndexingMap(&operand), dim)) {
      case Access::Invariant:
        cost += 0.1;
        break;
      case Access::Contiguous:
        cost += 1;
        break;
      case Access::Strided:
        cost += written ? 20 : 10;
        break;
      }
    }
  }
  // Short dimensions do not fill a vector.
  if (!ShapedType::isDynamic(size) && size < 16)
    cost *= 16.0 / std::max<int64_t>(size, 1);
  return cost;
}

static int64_t constantSize(linalg::GenericOp op, unsigned dim) {
  std::optional<std::pair<Value, int64_t>> source = sizeSource(op, dim);
  return source ? cast<MemRefType>(source->first.getType()).getDimSize(source->second) : ShapedType::kDynamic;
}

/// The loop order of one op for a vector dimension: parallel loops, then reductions; the vector dimension last among
/// its kind.
static SmallVector<unsigned> loopOrder(linalg::GenericOp op, std::optional<unsigned> vectorDim) {
  SmallVector<unsigned> order;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (utils::IteratorType kind : {utils::IteratorType::parallel, utils::IteratorType::reduction}) {
    for (unsigned dim = 0; dim < iterators.size(); ++dim)
      if (iterators[dim] == kind && dim != vectorDim)
        order.push_back(dim);
    if (vectorDim && iterators[*vectorDim] == kind)
      order.push_back(*vectorDim);
  }
  return order;
}

/// The position from which on all loops are reductions of `op`; nullopt if a parallel loop follows a reduction.
static std::optional<unsigned> firstReduction(linalg::GenericOp op, ArrayRef<unsigned> order) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned first = order.size();
  while (first > 0 && iterators[order[first - 1]] == utils::IteratorType::reduction)
    --first;
  for (unsigned position = 0; position < first; ++position)
    if (iterators[order[position]] == utils::IteratorType::reduction)
      return std::nullopt;
  return first;
}

/// Which results of an op with reductions are indexed by a reduction.
static SmallVector<bool> findWrittenPerStep(linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<bool> found;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    found.push_back(llvm::any_of(reductions, [&](unsigned dim) { return map.isFunctionOfDim(dim); }));
  }
  return found;
}

/// Whether `op` may be vectorized along `dim`: along a reduction only if all results are known reductions.
static bool isVectorizableAlong(linalg::GenericOp op, unsigned dim) {
  if (!isVectorizableBody(op))
    return false;
  if (op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel)
    return true;
  if (llvm::is_contained(findWrittenPerStep(op), true))
    return false;
  return findArgCompare(op) || llvm::all_of(findReductions(op), [](const Reduction &r) { return r.combiner; });
}

/// The widest element in bits that the body computes with.
static int64_t widestElement(linalg::GenericOp op) {
  int64_t bits = 8;
  auto take = [&](Type type) {
    if (type.isIndex())
      bits = std::max<int64_t>(bits, 64);
    else if (type.isIntOrFloat())
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  };
  for (Type type : op.getBody()->getArgumentTypes())
    take(type);
  for (Operation &inner : *op.getBody())
    for (Type type : inner.getResultTypes())
      take(type);
  return bits;
}

static void chooseLanes(LoopGroup &group, int64_t vectorBits, int64_t size) {
  int64_t bits = 8, ops = 0;
  bool strided = false;
  for (GroupMember &member : group.members) {
    bits = std::max(bits, widestElement(member.op));
    ops += member.op.getBody()->getOperations().size();
    for (OpOperand &operand : member.op->getOpOperands())
      strided |= classifyAccess(operand.get().getType(), member.op.getMatchingIndexingMap(&operand),
                                *group.vectorDim) == Access::Strided;
  }
  int64_t native = std::max<int64_t>(2, vectorBits / bits);
  // Several registers per value hide latency; large bodies need the registers themselves.
  int64_t widest = strided ? native : ops <= 32 ? native * 4 : ops <= 80 ? native * 2 : native;
  auto fits = [&](int64_t lanes) { return ShapedType::isDynamic(size) || lanes <= size; };
  for (int64_t lanes : {widest, native, native / 2, native / 4})
    if (lanes >= 2 && fits(lanes) && (group.lanes.empty() || lanes < group.lanes.back())) {
      // At most two widths: the wide one, and one for the remainder.
      if (group.lanes.size() == 2)
        break;
      group.lanes.push_back(lanes);
      if (!ShapedType::isDynamic(size) && size % lanes == 0)
        break;
    }
  group.lanes.push_back(1);
}

/// Selects `transposedDim`, with the vector dimension, order and width that go with it, if the group only moves its
/// elements between dimensions and its results are contiguous along another one than an input is.
static void chooseTranspose(LoopGroup &group, int64_t vectorBits) {
  // Each body is emitted once per row of the block.
  constexpr int64_t kMostOps = 64, kOpsOfFunction = 16, kLongestSide = 16, kShortestSide = 4;
  int64_t ops = 0, bits = 8;
  DenseSet<Value> written;
  for (GroupMember &member : group.members) {
    if (member.reduces())
      return;
    bits = std::max(bits, widestElement(member.op));
    for (Operation &inner : *member.op.getBody())
      ops += isa_and_present<math::MathDialect>(inner.getDialect()) ? kOpsOfFunction : 1;
    for (Value init : member.op.getDpsInits())
      written.insert(init);
  }
  if (ops > kMostOps)
    return;
  linalg::GenericOp first = group.members.front().op;
  auto isAlong = [](OpOperand &operand, unsigned dim, Access access) {
    auto op = cast<linalg::GenericOp>(operand.getOwner());
    return classifyAccess(operand.get().getType(), op.getMatchingIndexingMap(&operand), dim) == access;
  };
  for (unsigned dim = 0; dim < group.numDims(); ++dim) {
    if (!llvm::all_of(group.members, [&](GroupMember &member) {
          return llvm::all_of(member.op.getDpsInitsMutable(),
                              [&](OpOperand &init) { return isAlong(init, dim, Access::Contiguous); });
        }))
      continue;
    for (unsigned other = 0; other < group.numDims(); ++other) {
      bool found = false;
      for (GroupMember &member : group.members)
        for (OpOperand *input : member.op.getDpsInputOperands())
          found |= other != dim && isTransposed(*input, dim, other) && !written.contains(input->get());
      int64_t side = std::min(vectorBits / bits, kLongestSide);
      for (unsigned d : {dim, other})
        if (int64_t size = constantSize(first, d); !ShapedType::isDynamic(size))
          side = std::min<int64_t>(side, llvm::bit_floor(static_cast<uint64_t>(size)));
      if (!found || side < kShortestSide || !llvm::isPowerOf2_64(side))
        continue;
      group.vectorDim = dim;
      group.transposedDim = other;
      group.lanes = {side, 1};
      llvm::erase_if(group.order, [&](unsigned d) { return d == dim || d == other; });
      group.order.append({other, dim});
      return;
    }
  }
}

LoopGroup mica::cpu::formGroup(linalg::GenericOp first, int64_t vectorBits) {
  LoopGroup group;
  SmallVector<linalg::GenericOp> ops = {first};
  if (vectorBits > 0) {
    // Ops in between that are independent of the members so far stay before the nest.
    for (Operation *next = first->getNextNode(); next; next = next->getNextNode()) {
      auto generic = dyn_cast<linalg::GenericOp>(next);
      if (generic && haveEqualSizes(first, generic) &&
          llvm::all_of(ops, [&](linalg::GenericOp op) { return canShareNest(op, generic); })) {
        ops.push_back(generic);
        continue;
      }
      if (!llvm::all_of(ops, [&](linalg::GenericOp op) { return areIndependent(next, op); })) {
        LDBG() << "the nest ends before " << next->getName() << " at " << next->getLoc();
        break;
      }
    }
  }

  // The cheapest dimension along which every op can be vectorized; ops that prevent vectorization are dropped from the
  // end of the group.
  for (; !ops.empty(); ops.pop_back()) {
    std::optional<unsigned> best;
    double bestCost = 0;
    for (unsigned dim = 0; vectorBits > 0 && dim < first.getNumLoops(); ++dim) {
      int64_t size = constantSize(first, dim);
      if ((!ShapedType::isDynamic(size) && size < 2) ||
          !llvm::all_of(ops, [&](linalg::GenericOp op) { return isVectorizableAlong(op, dim); }))
        continue;
      double cost = costAlong(ops, dim, size);
      LDBG() << ops.size() << " ops along loop " << dim << " cost " << cost;
      // On equal cost the inner one, because its elements are contiguous.
      if (!best || cost <= bestCost)
        best = dim, bestCost = cost;
    }
    linalg::GenericOp reducer = first;
    for (linalg::GenericOp op : ops)
      if (op.getNumReductionLoops() > reducer.getNumReductionLoops())
        reducer = op;
    group.vectorDim = best;
    group.order = loopOrder(reducer, best);
    bool ordered = llvm::all_of(ops, [&](linalg::GenericOp op) { return firstReduction(op, group.order).has_value(); });
    if (ops.size() == 1 || (best && ordered))
      break;
  }

  for (linalg::GenericOp op : ops) {
    GroupMember &member = group.members.emplace_back();
    member.op = op;
    std::optional<unsigned> reductions = firstReduction(op, group.order);
    assert(reductions && "an op whose loops have another order has left the group");
    member.firstReduction = *reductions;
    if (op.getNumReductionLoops() > 0) {
      member.reductions = findReductions(op);
      member.argCompare = findArgCompare(op);
      member.writtenPerStep = findWrittenPerStep(op);
    }
  }
  if (group.vectorDim)
    chooseLanes(group, vectorBits, constantSize(first, *group.vectorDim));
  else
    group.lanes = {1};
  if (group.vectorDim)
    chooseTranspose(group, vectorBits);
  return group;
}

ReasonForScalars mica::cpu::reasonForScalars(linalg::GenericOp first, int64_t vectorBits) {
  if (vectorBits == 0)
    return {"vectorization is off", ""};
  if (!isVectorizableBody(first))
    return {"its body has an operation without a vector form",
            "compute it of operations with a vector form, or in another element type; docs/Support.md"};
  if (llvm::all_of(llvm::seq<unsigned>(0, first.getNumLoops()),
                   [&](unsigned dim) { return constantSize(first, dim) == 0 || constantSize(first, dim) == 1; }))
    return {"no loop has two iterations", ""};
  if (llvm::is_contained(findWrittenPerStep(first), true))
    return {"each element depends on the one before it in memory, as in a cumulative sum",
            "accumulate along another dimension than the last, whose elements are then computed side by side"};
  return {"its loops carry a value that is not a supported reduction",
          "write the reduction as a sum, product, minimum or maximum"};
}
