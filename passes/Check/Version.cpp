//===- Version.cpp - checking the accesses of a loop once --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   ops with checks   ->   scf.if (the extreme positions of all are in bounds) { ops without } else { ops with checks }
//
// The ops lie in one block, the innermost that contains all checks. What is computed there without access to memory
// moves before the first op with a check; bounds are sought in terms of it. They hold for the executions of an access
// that there are: a loop without iterations may run in the version with checks.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Check/Passes.h"
#include "passes/Check/Predicates.h"

#include "mica/Support/Checked.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mica {
#define GEN_PASS_DEF_VERSIONCHECKSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// Operands of bounds are smaller than this, and the sum of the coefficients than kMostFactors: no sum of them wraps.
constexpr int64_t kMostOperand = int64_t(1) << 40;
constexpr int64_t kMostFactors = int64_t(1) << 20;

/// An affine expression of values, or of sizes of buffers, that dominate the ops that are versioned, and of the
/// iterations of their loops: the first and the last.
struct Bound {
  AffineMap map;
  ValueDimList operands;
  SmallVector<bool> isLast; ///< for each operand that is an induction variable
};

/// The range of an induction variable.
struct Iterations {
  Value lower, upper;
  int64_t step;
};

/// The factor of `input` in `expr`, a dimension or symbol; nothing if the expression is not linear in it.
std::optional<int64_t> factorOf(AffineExpr expr, AffineExpr input) {
  if (expr == input)
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  const std::optional<int64_t> left = factorOf(binary.getLHS(), input), right = factorOf(binary.getRHS(), input);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return checkedAdd(*left, *right);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && constant)
    return checkedMul(*left, constant.getValue());
  return *left == 0 && *right == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

/// The largest |factor| by which an operand of `expr` can count, and added to it the constants; nothing if it is not
/// affine or larger than kMostFactors.
std::optional<int64_t> factorsOf(AffineExpr expr) {
  auto within = [](int64_t value) { return value <= kMostFactors ? std::optional(value) : std::nullopt; };
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return 1;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    // Counted as an operand that is at most kMostOperand.
    return within(1 + std::abs(std::max(constant.getValue(), -std::numeric_limits<int64_t>::max()) / kMostOperand));
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const std::optional<int64_t> left = factorsOf(binary.getLHS());
  if (!left)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add) {
    const std::optional<int64_t> right = factorsOf(binary.getRHS());
    return right ? within(*left + *right) : std::nullopt;
  }
  if (!constant || std::abs(std::max(constant.getValue(), -kMostOperand)) >= kMostOperand)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return std::abs(constant.getValue()) > kMostFactors ? std::nullopt : within(*left * std::abs(constant.getValue()));
  // Divisions and remainders by a positive number, rounded to either side.
  return constant.getValue() > 0 ? within(*left + 1) : std::nullopt;
}

/// A check that is made once, and in each dimension its first and last position and the extent of the buffer.
struct Once {
  check::InBoundsOp op;
  SmallVector<std::array<Bound, 3>, 0> dims;
};

class Versioner {
public:
  explicit Versioner(func::FuncOp func) : func(func), builder(func.getContext()) {}

  void run() {
    SmallVector<check::InBoundsOp> checks;
    func.walk([&](check::InBoundsOp op) { checks.push_back(op); });
    if (checks.empty() || !llvm::hasSingleElement(func.getBody()))
      return;
    block = &func.getBody().front();
    while (Block *inner = onlyBranchWithChecks())
      block = inner;
    findRange();
    if (!first)
      return;
    findMovable();
    SmallVector<Once, 0> hoisted;
    for (check::InBoundsOp op : checks)
      if (std::optional<Once> once = isInRange(op.getOperation()) ? boundsOf(op) : std::nullopt)
        hoisted.push_back(std::move(*once));
    findUnchanging(checks);
    // Outside of loops, a check costs what its condition does.
    if (unchanging.empty() &&
        llvm::none_of(hoisted, [](Once &once) { return once.op->getParentOfType<LoopLikeOpInterface>(); }))
      return;
    for (Operation *op : movable)
      op->moveBefore(first);
    builder.setInsertionPoint(first);
    for (check::InBoundsOp op : unchanging)
      require(op.getLoc(), op.getOk());
    for (const Once &once : hoisted)
      addCondition(once);
    split(hoisted);
    remark::passed(func.getLoc(), remark::RemarkOpts::name("check-once").category("checks")) << remark::add(
        "{0}: {1} of {2} checks are made once before its loops", func.getName(), hoisted.size(), checks.size());
  }

private:
  /// Whether `op` has checks, or asks in its regions for the outcome of one.
  static bool hasChecks(Operation &op) {
    return op
        .walk([&](Operation *inner) {
          const bool asks = inner != &op && llvm::any_of(inner->getOperands(), [](Value operand) {
                              return isa_and_present<check::InBoundsOp>(operand.getDefiningOp());
                            });
          return asks || isa<check::InBoundsOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The block of the only op in `block` with checks, where that is a branch without results that computes one of two.
  Block *onlyBranchWithChecks() {
    Operation *only = nullptr;
    for (Operation &op : *block)
      if (hasChecks(op)) {
        if (only)
          return nullptr;
        only = &op;
      }
    auto branch = dyn_cast_or_null<scf::IfOp>(only);
    if (!branch || branch.getNumResults() > 0)
      return nullptr;
    const bool inThen = llvm::any_of(*branch.thenBlock(), hasChecks);
    if (branch.getElseRegion().empty())
      return branch.thenBlock();
    const bool inElse = llvm::any_of(*branch.elseBlock(), hasChecks);
    return inThen && inElse ? nullptr : inThen ? branch.thenBlock() : branch.elseBlock();
  }

  /// The ops from the first to the last with checks; to the end of the block, where something else uses their results.
  void findRange() {
    for (Operation &op : *block)
      if (op.getNumRegions() > 0 && hasChecks(op)) {
        first = first ? first : &op;
        last = &op;
      }
    if (!first)
      return;
    for (Operation *op = first; op != last; op = op->getNextNode())
      if (isUsedAfter(op))
        last = block->getTerminator()->getPrevNode();
    if (isUsedAfter(last))
      last = block->getTerminator()->getPrevNode();
    if (llvm::any_of(block->getTerminator()->getOperands(), [&](Value value) { return isInRange(value); }))
      first = nullptr; // the versions have no results
  }

  bool isUsedAfter(Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      Operation *there = block->findAncestorOpInBlock(*user);
      return !there || last->isBeforeInBlock(there);
    });
  }

  bool isInRange(Operation *op) {
    Operation *there = block->findAncestorOpInBlock(*op);
    return there && !movable.contains(there) && !there->isBeforeInBlock(first) && !last->isBeforeInBlock(there);
  }
  bool isInRange(Value value) {
    if (Operation *op = value.getDefiningOp())
      return isInRange(op);
    return isInRange(cast<BlockArgument>(value).getOwner()->getParentOp());
  }

  /// Finds what is computed in the range without access to memory, from values before it.
  void findMovable() {
    for (Operation *op = first; op; op = op == last ? nullptr : op->getNextNode())
      if (op->getNumRegions() == 0 && isPure(op) &&
          llvm::none_of(op->getOperands(), [&](Value value) { return isInRange(value); }))
        movable.insert(op);
  }

  /// Finds the checks before the range that loops in it ask for again in each iteration: those of views.
  void findUnchanging(ArrayRef<check::InBoundsOp> checks) {
    for (check::InBoundsOp op : checks)
      if (op->getBlock() == block && !isInRange(op.getOperation()) &&
          (movable.contains(op) || op->isBeforeInBlock(first)) && llvm::any_of(op->getUsers(), [&](Operation *user) {
            return isInRange(user) && user->getParentOfType<LoopLikeOpInterface>();
          }))
        unchanging.push_back(op);
  }

  /// What upstream's bounds do not know of an induction variable: steps, and loops of scf.parallel. Nothing for other
  /// values, and where the range of the loop changes in the range of ops.
  std::optional<Iterations> iterationsOf(Value value) {
    auto variable = dyn_cast<BlockArgument>(value);
    Operation *loop = variable ? variable.getOwner()->getParentOp() : nullptr;
    Iterations found{{}, {}, 0};
    if (auto counted = dyn_cast_or_null<scf::ForOp>(loop)) {
      if (variable == counted.getInductionVar())
        found = {counted.getLowerBound(), counted.getUpperBound(), getConstantIntValue(counted.getStep()).value_or(0)};
      if (found.step == 1 || !value.getType().isIndex())
        return std::nullopt;
    } else if (auto parallel = dyn_cast_or_null<scf::ParallelOp>(loop)) {
      const unsigned i = variable.getArgNumber();
      found = {parallel.getLowerBound()[i], parallel.getUpperBound()[i],
               getConstantIntValue(parallel.getStep()[i]).value_or(0)};
    }
    if (found.step < 1 || found.step > kMostOperand || isInRange(found.lower) || isInRange(found.upper))
      return std::nullopt;
    return found;
  }

  std::optional<Bound> boundOf(presburger::BoundType type, const ValueBoundsConstraintSet::Variable &variable) {
    Bound bound;
    auto isKnown = [&](Value value, std::optional<int64_t>, ValueBoundsConstraintSet &) {
      return !isInRange(value) || isBeyondRank(value) || iterationsOf(value);
    };
    if (failed(ValueBoundsConstraintSet::computeBound(bound.map, bound.operands, type, variable, isKnown,
                                                      /*closedUB=*/true)))
      return std::nullopt;
    if (bound.map.getNumResults() != 1 || !factorsOf(bound.map.getResult(0)))
      return std::nullopt;
    for (auto [i, operand] : llvm::enumerate(bound.operands)) {
      bound.isLast.push_back(false);
      if (!isInRange(operand.first))
        continue;
      if (!iterationsOf(operand.first))
        return std::nullopt;
      const unsigned dims = bound.map.getNumDims();
      const std::optional<int64_t> factor = factorOf(
          bound.map.getResult(0), i < dims ? builder.getAffineDimExpr(i) : builder.getAffineSymbolExpr(i - dims));
      if (!factor)
        return std::nullopt;
      bound.isLast.back() = (*factor > 0) == (type == presburger::BoundType::UB);
    }
    return bound;
  }

  /// Adds to the condition that `value` is not too large; a size may be, where another size is 0.
  void requireSmall(Location loc, Value value) {
    if (getConstantIntValue(value) || !checkedOperands.insert(value).second)
      return;
    Value most = arith::ConstantIndexOp::create(builder, loc, kMostOperand);
    Value shifted = arith::AddIOp::create(builder, loc, value, most);
    Value twice = arith::ConstantIndexOp::create(builder, loc, 2 * kMostOperand);
    require(loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, shifted, twice));
  }

  /// Builds the value of `bound` before the range, and adds to the condition that none of its operands is too large.
  Value valueOf(Location loc, const Bound &bound) {
    SmallVector<Value> operands;
    for (auto [operand, isLast] : llvm::zip_equal(bound.operands, bound.isLast)) {
      auto [value, dim] = operand;
      if (dim) {
        operands.push_back(builder.createOrFold<memref::DimOp>(loc, value, *dim));
        requireSmall(loc, operands.back());
        continue;
      }
      if (std::optional<Iterations> iterations = isInRange(value) ? iterationsOf(value) : std::nullopt) {
        value = iterations->lower;
        requireSmall(loc, value);
        if (isLast) {
          requireSmall(loc, iterations->upper);
          AffineExpr lower = builder.getAffineDimExpr(0), upper = builder.getAffineDimExpr(1);
          value = builder.createOrFold<affine::AffineApplyOp>(
              loc, AffineMap::get(2, 0, lower + (upper - lower - 1).floorDiv(iterations->step) * iterations->step),
              ValueRange{iterations->lower, iterations->upper});
        }
      } else {
        requireSmall(loc, value);
      }
      operands.push_back(value);
    }
    return builder.createOrFold<affine::AffineApplyOp>(loc, bound.map, operands);
  }

  void require(Location loc, Value holds) {
    condition = condition ? Value(arith::AndIOp::create(builder, loc, condition, holds)) : holds;
  }

  /// What `op` needs in each iteration; nothing if that cannot be told before.
  std::optional<Once> boundsOf(check::InBoundsOp op) {
    using Variable = ValueBoundsConstraintSet::Variable;
    auto type = cast<MemRefType>(op.getBuffer().getType());
    Once once{op, {}};
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      const std::optional<int64_t> size = op.getSizes().empty() ? 1 : getConstantIntValue(op.getSizes()[dim]);
      Value index = op.getIndices()[dim];
      const std::optional<int64_t> position = getConstantIntValue(index);
      if (!size || *size < 1 || *size > kMostOperand)
        return std::nullopt;
      if (position && !type.isDynamicDim(dim)) {
        if (*position < 0 || *position > type.getDimSize(dim) - *size)
          return std::nullopt; // never holds
        continue;
      }
      const AffineMap end = AffineMap::get(1, 0, builder.getAffineDimExpr(0) + (*size - 1));
      const std::optional<Bound> low = boundOf(presburger::BoundType::LB, Variable(index)),
                                 high = boundOf(presburger::BoundType::UB, Variable(end, ValueRange{index})),
                                 extent = boundOf(presburger::BoundType::LB, Variable(op.getBuffer(), dim));
      if (!low || !high || !extent)
        return std::nullopt;
      once.dims.push_back({*low, *high, *extent});
    }
    return once;
  }

  /// Adds to the condition that the positions of `once` are in bounds.
  void addCondition(const Once &once) {
    check::InBoundsOp op = once.op;
    const Location loc = op.getLoc();
    for (const auto &[low, high, extent] : once.dims) {
      if (auto constant = dyn_cast<AffineConstantExpr>(low.map.getResult(0)); !constant || constant.getValue() < 0)
        require(loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, valueOf(loc, low),
                                           arith::ConstantIndexOp::create(builder, loc, 0)));
      Value most = valueOf(loc, high);
      require(loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, most, valueOf(loc, extent)));
    }
  }

  /// Makes the two versions of the range.
  void split(ArrayRef<Once> hoisted) {
    if (!condition) // all positions are known
      condition = arith::ConstantOp::create(builder, func.getLoc(), builder.getBoolAttr(true));
    auto branch = scf::IfOp::create(builder, func.getLoc(), condition, /*withElseRegion=*/true);
    Operation *end = branch.elseBlock()->getTerminator();
    SmallVector<Operation *> range;
    for (Operation *op = first; op; op = op == last ? nullptr : op->getNextNode())
      range.push_back(op);
    for (Operation *op : range)
      op->moveBefore(end);
    IRMapping mapping;
    builder.setInsertionPointToStart(branch.thenBlock());
    for (Operation *op : range)
      builder.clone(*op, mapping);
    for (const Once &once : hoisted) {
      check::InBoundsOp op = once.op;
      replaceByTrue(mapping.lookup(op.getOk()).getDefiningOp());
    }
    if (unchanging.empty())
      return;
    builder.setInsertionPointToStart(branch.thenBlock());
    Value holds = arith::ConstantOp::create(builder, func.getLoc(), builder.getBoolAttr(true));
    for (check::InBoundsOp op : unchanging)
      op.getOk().replaceUsesWithIf(
          holds, [&](OpOperand &use) { return branch.getThenRegion().isAncestor(use.getOwner()->getParentRegion()); });
  }

  func::FuncOp func;
  OpBuilder builder;
  Block *block = nullptr;
  Operation *first = nullptr, *last = nullptr; ///< the range; neither is movable when it is split
  llvm::SetVector<Operation *> movable;        ///< ops of the range that move before it
  SmallVector<check::InBoundsOp> unchanging;   ///< before the range; true in the version without checks
  DenseSet<Value> checkedOperands;
  Value condition;
};

struct VersionChecksPass : mica::impl::VersionChecksPassBase<VersionChecksPass> {
  using VersionChecksPassBase::VersionChecksPassBase;

  void runOnOperation() override { Versioner(getOperation()).run(); }
};
} // namespace
