//===- Prove.cpp - proving that checks cannot fail --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An access is in bounds if for each dimension 0 <= index, 0 <= size and index + size <= extent. This is proved in
// three ways, in order of cost: the index is clamped or guarded by a comparison with the extent; upstream's value
// bounds (loops, affine arithmetic, sizes of buffers and slices, static or not); upstream's integer ranges (remainders,
// masks, casts).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Check/Passes.h"
#include "passes/Check/Predicates.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-check-prove"

namespace mica {
#define GEN_PASS_DEF_PROVECHECKSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// Upstream's constraints on the compared values and their operands, and that no size is negative.
class Bounds : public ValueBoundsConstraintSet {
public:
  static bool compare(const Variable &lhs, ComparisonOperator operation, const Variable &rhs) {
    Bounds bounds(lhs.getContext());
    const int64_t left = bounds.populateConstraints(lhs.getMap(), lhs.getOperands());
    const int64_t right = bounds.populateConstraints(rhs.getMap(), rhs.getOperands());
    for (auto [position, value] : llvm::enumerate(bounds.positionToValueDim))
      if (value && value->second != kIndexValue)
        bounds.addBound(presburger::BoundType::LB, position, bounds.builder.getAffineConstantExpr(0));
    return bounds.comparePos(left, operation, right);
  }

private:
  explicit Bounds(MLIRContext *context)
      : ValueBoundsConstraintSet(
            context,
            [](Value value, std::optional<int64_t>, ValueBoundsConstraintSet &) { return isBeyondRank(value); },
            /*addConservativeSemiAffineBounds=*/true) {}
};

class Prover {
public:
  explicit Prover(func::FuncOp func) : context(func.getContext()), solver(DataFlowConfig().setInterprocedural(false)) {
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    hasRanges = succeeded(solver.initializeAndRun(func));
  }

  bool holds(check::InBoundsOp op) {
    auto type = cast<MemRefType>(op.getBuffer().getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = op.getSizes().empty() ? Value() : op.getSizes()[dim];
      if (!isInside(op, op.getIndices()[dim], size,
                    type.isDynamicDim(dim) ? ShapedType::kDynamic : type.getDimSize(dim), dim))
        return false;
    }
    return true;
  }

  bool holds(check::DivisibleOp op) {
    const ConstantIntRanges *divisor = rangeOf(op.getRhs());
    const bool nonZero = (divisor && (divisor->umin().ugt(0) || divisor->smin().sgt(0) || divisor->smax().slt(0))) ||
                         isNever(op.getRhs(), 0);
    if (!nonZero || !op.getIsSigned())
      return nonZero;
    const ConstantIntRanges *dividend = rangeOf(op.getLhs());
    return (divisor && (divisor->smin().sgt(-1) || divisor->smax().slt(-1))) ||
           (dividend && dividend->smin().sgt(APInt::getSignedMinValue(dividend->smin().getBitWidth()))) ||
           isNever(op.getRhs(), -1);
  }

  bool holds(check::ShiftableOp op) {
    const ConstantIntRanges *amount = rangeOf(op.getAmount());
    Type element = getElementTypeOrSelf(op.getAmount().getType());
    return amount && amount->umax().ult(element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  }

private:
  const ConstantIntRanges *rangeOf(Value value) {
    auto *state = hasRanges ? solver.lookupState<dataflow::IntegerValueRangeLattice>(value) : nullptr;
    return state && !state->getValue().isUninitialized() ? &state->getValue().getValue() : nullptr;
  }

  /// The value of `condition` if `value` is `number`; nothing if that does not follow.
  static std::optional<bool> conditionAt(Value condition, Value value, int64_t number) {
    if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
      APInt bound;
      if (compare.getLhs() != value || !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
        return std::nullopt;
      return arith::applyCmpPredicate(compare.getPredicate(), APInt(bound.getBitWidth(), number, /*isSigned=*/true),
                                      bound);
    }
    for (bool absorbing : {true, false}) {
      Operation *op = condition.getDefiningOp();
      if (!op || !(absorbing ? isa<arith::OrIOp>(op) : isa<arith::AndIOp>(op)))
        continue;
      for (Value part : op->getOperands())
        if (conditionAt(part, value, number) == absorbing)
          return absorbing;
    }
    return std::nullopt;
  }

  /// Whether `value`, in each lane, differs from `number`: a constant, or a select by a comparison with `number`, as in
  /// a division that is defined for every divisor.
  static bool isNever(Value value, int64_t number) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant != APInt(constant.getBitWidth(), number, /*isSigned=*/true);
    if (auto chosen = value.getDefiningOp<arith::SelectOp>()) {
      Value condition = chosen.getCondition(), yes = chosen.getTrueValue(), no = chosen.getFalseValue();
      return (isNever(yes, number) || conditionAt(condition, yes, number) == false) &&
             (isNever(no, number) || conditionAt(condition, no, number) == true);
    }
    if (Operation *op = value.getDefiningOp(); isa_and_present<arith::ExtSIOp, vector::BroadcastOp>(op))
      return isNever(op->getOperand(0), number);
    return false;
  }

  /// Whether `condition` implies 0 <= index < n with n <= extent.
  bool impliesInside(Value condition, Value index, check::InBoundsOp op, int64_t dim) {
    if (auto both = condition.getDefiningOp<arith::AndIOp>())
      return impliesInside(both.getLhs(), index, op, dim) || impliesInside(both.getRhs(), index, op, dim);
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult || compare.getLhs() != index)
      return false;
    return Bounds::compare(Bounds::Variable(compare.getRhs()), Bounds::LE, Bounds::Variable(op.getBuffer(), dim));
  }

  /// Whether [index, index + size) is in dimension `dim`; without `size`, one element.
  bool isInside(check::InBoundsOp op, Value index, Value size, int64_t extent, int64_t dim) {
    std::optional<int64_t> number = size ? getConstantIntValue(size) : 1;
    if (number == 1) {
      // By an enclosing condition, or by clamping.
      for (Operation *inner = op, *outer = op->getParentOp(); outer; inner = outer, outer = outer->getParentOp())
        if (auto branch = dyn_cast<scf::IfOp>(outer);
            branch && inner->getBlock() == branch.thenBlock() && impliesInside(branch.getCondition(), index, op, dim))
          return true;
      if (auto select = index.getDefiningOp<arith::SelectOp>();
          select && impliesInside(select.getCondition(), select.getTrueValue(), op, dim))
        return isInside(op, select.getFalseValue(), size, extent, dim);
    }
    // A segment that is accessed completely, or not at all.
    if (auto place = index.getDefiningOp<arith::SelectOp>(), count = selectOf(size);
        place && count && includes(count.getCondition(), place.getCondition())) {
      if (!isInside(op, place.getFalseValue(), count.getFalseValue(), extent, dim))
        return false;
      if (isWholeRun(op, place, getConstantIntValue(count.getTrueValue()), extent, dim))
        return place.getCondition() == count.getCondition() || isConstantIntValue(count.getFalseValue(), 0);
      return place.getCondition() == count.getCondition() &&
             isInside(op, place.getTrueValue(), count.getTrueValue(), extent, dim);
    }
    return byRanges(index, size, number, extent) || byBounds(op, index, size, number, dim);
  }

  /// Whether `condition` is `part`, or a conjunction with it.
  static bool includes(Value condition, Value part) {
    auto both = condition.getDefiningOp<arith::AndIOp>();
    return condition == part || (both && (includes(both.getLhs(), part) || includes(both.getRhs(), part)));
  }

  static arith::SelectOp selectOf(Value value) { return value ? value.getDefiningOp<arith::SelectOp>() : nullptr; }

  /// Whether the condition implies that the segment begins in bounds, in a row of such segments.
  bool isWholeRun(check::InBoundsOp op, arith::SelectOp place, std::optional<int64_t> count, int64_t extent,
                  int64_t dim) {
    return count && *count > 0 && !ShapedType::isDynamic(extent) && extent % *count == 0 &&
           isMultipleOf(place.getTrueValue(), *count) &&
           impliesInside(place.getCondition(), place.getTrueValue(), op, dim);
  }

  bool byRanges(Value index, Value size, std::optional<int64_t> number, int64_t extent) {
    const ConstantIntRanges *range = rangeOf(index);
    if (!range || ShapedType::isDynamic(extent) || range->smin().isNegative())
      return false;
    APInt most(64, number.value_or(0));
    if (!number) {
      const ConstantIntRanges *sizes = rangeOf(size);
      if (!sizes || sizes->smin().isNegative())
        return false;
      most = sizes->smax();
    }
    if (most.isNegative())
      return false;
    bool overflows = false;
    APInt last = range->smax();
    // For multiples of the size, the largest one counts.
    if (number && *number > 1 && isMultipleOf(index, *number))
      last -= last.urem(*number);
    APInt end = last.sadd_ov(most, overflows);
    return !overflows && end.sle(extent);
  }

  /// Whether `value` is computed from multiples of `number` by operations that preserve this: positions of segments in
  /// rows with permuted segments.
  static bool isMultipleOf(Value value, int64_t number) {
    if (!llvm::isPowerOf2_64(number)) // wrapped values are multiples of powers of two only
      return false;
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant % number == 0;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto of = [&](unsigned operand) { return isMultipleOf(op->getOperand(operand), number); };
    if (isa<arith::MulIOp>(op))
      return of(0) || of(1);
    if (isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp, arith::RemUIOp>(op))
      return of(0) && of(1);
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) // truncated bits are divisible by a power of two
      return of(0);
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return apply.getAffineMap().getResult(0).isMultipleOf(number);
    return isa<arith::SelectOp>(op) && of(1) && of(2);
  }

  /// Whether `expr` of `operands` is computed from nonnegative values by operations that preserve this.
  bool isNotNegative(AffineExpr expr, unsigned numDims, ValueRange operands) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue() >= 0;
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return isNotNegative(operands[dim.getPosition()]);
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      return isNotNegative(operands[numDims + symbol.getPosition()]);
    auto binary = cast<AffineBinaryOpExpr>(expr);
    return isNotNegative(binary.getLHS(), numDims, operands) && isNotNegative(binary.getRHS(), numDims, operands);
  }

  /// By structure, else by value bounds, which only know upper bounds of a minimum, and lose the remainders of
  /// divisions.
  bool isNotNegative(Value value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return *constant >= 0;
    if (value.getDefiningOp<memref::DimOp>())
      return true;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
          loop && argument == loop.getInductionVar() && isNotNegative(loop.getLowerBound()))
        return true;
    }
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
      if (isNotNegative(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands()))
        return true;
    auto zero = Bounds::Variable(OpFoldResult(Builder(context).getIndexAttr(0)));
    if (auto least = value.getDefiningOp<affine::AffineMinOp>())
      return llvm::all_of(llvm::seq<unsigned>(0, least.getMap().getNumResults()), [&](unsigned i) {
        return Bounds::compare(Bounds::Variable(least.getMap().getSubMap({i}), least.getMapOperands()), Bounds::GE,
                               zero);
      });
    if (auto most = value.getDefiningOp<affine::AffineMaxOp>())
      return llvm::any_of(most.getMap().getResults(), [&](AffineExpr expr) {
        return isNotNegative(expr, most.getMap().getNumDims(), most.getMapOperands());
      });
    if (auto least = value.getDefiningOp<arith::MinSIOp>())
      return isNotNegative(least.getLhs()) && isNotNegative(least.getRhs());
    if (auto most = value.getDefiningOp<arith::MaxSIOp>())
      return isNotNegative(most.getLhs()) || isNotNegative(most.getRhs());
    return Bounds::compare(Bounds::Variable(value), Bounds::GE, zero);
  }

  bool byBounds(check::InBoundsOp op, Value index, Value size, std::optional<int64_t> number, int64_t dim) {
    if ((number ? *number < 0 : !isNotNegative(size)) || !isNotNegative(index))
      return false;
    // A loop's induction variable is below its upper bound, whatever its lower bound (such as the rest of a division)
    // is.
    if (auto argument = dyn_cast<BlockArgument>(index); argument && number == 1)
      if (auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
          loop && argument == loop.getInductionVar() &&
          Bounds::compare(Bounds::Variable(loop.getUpperBound()), Bounds::LE, Bounds::Variable(op.getBuffer(), dim)))
        return true;
    const AffineMap self = AffineMap::getMultiDimIdentityMap(1, context);
    if (number)
      return endsInside(op, self, index, AffineMap::getConstantMap(*number, context), {}, dim);
    // A maximum has no known upper bound: each operand must be in bounds.
    if (auto most = size.getDefiningOp<affine::AffineMaxOp>())
      return llvm::all_of(llvm::seq<unsigned>(0, most.getMap().getNumResults()), [&](unsigned i) {
        return endsInside(op, self, index, most.getMap().getSubMap({i}), most.getMapOperands(), dim);
      });
    return endsInside(op, self, index, self, size, dim);
  }

  /// Whether `index` of `indexOperands` plus `size` of `sizeOperands` is within dimension `dim`.
  bool endsInside(check::InBoundsOp op, AffineMap index, ValueRange indexOperands, AffineMap size,
                  ValueRange sizeOperands, int64_t dim) {
    auto shifted = [&](AffineMap map, unsigned by) {
      SmallVector<AffineExpr> inputs;
      for (unsigned i = 0; i < map.getNumInputs(); ++i)
        inputs.push_back(getAffineDimExpr(by + i, context));
      return map.getResult(0).replaceDimsAndSymbols(ArrayRef(inputs).take_front(map.getNumDims()),
                                                    ArrayRef(inputs).drop_front(map.getNumDims()));
    };
    const AffineExpr end = shifted(index, 0) + shifted(size, index.getNumInputs());
    SmallVector<Value> operands(indexOperands);
    llvm::append_range(operands, sizeOperands);
    if (Bounds::compare(Bounds::Variable(AffineMap::get(operands.size(), 0, end), operands), Bounds::LE,
                        Bounds::Variable(op.getBuffer(), dim)))
      return true;
    auto most = index.isIdentity() ? indexOperands.front().getDefiningOp<affine::AffineMaxOp>() : nullptr;
    return most && llvm::all_of(llvm::seq<unsigned>(0, most.getMap().getNumResults()), [&](unsigned i) {
             return endsInside(op, most.getMap().getSubMap({i}), most.getMapOperands(), size, sizeOperands, dim);
           });
  }

  MLIRContext *context;
  DataFlowSolver solver;
  bool hasRanges = false;
};

struct ProveChecksPass : mica::impl::ProveChecksPassBase<ProveChecksPass> {
  void runOnOperation() override {
    SmallVector<Operation *> predicates;
    getOperation().walk([&](Operation *op) {
      if (isa<check::InBoundsOp, check::DivisibleOp, check::ShiftableOp>(op))
        predicates.push_back(op);
    });
    if (predicates.empty())
      return;
    Prover prover(getOperation());
    // Collects first: the IR must not change during the analysis.
    SmallVector<Operation *> proved;
    for (Operation *op : predicates) {
      bool holds = false;
      if (auto access = dyn_cast<check::InBoundsOp>(op))
        holds = prover.holds(access);
      else if (auto division = dyn_cast<check::DivisibleOp>(op))
        holds = prover.holds(division);
      else
        holds = prover.holds(cast<check::ShiftableOp>(op));
      LDBG() << (holds ? "proved: " : "not proved: ") << *op;
      if (holds)
        proved.push_back(op);
    }
    for (Operation *op : proved)
      replaceByTrue(op);
  }
};

} // namespace
