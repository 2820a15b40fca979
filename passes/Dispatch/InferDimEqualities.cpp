//===- InferDimEqualities.cpp - inferring equal sizes of arguments ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Partitions sizes into classes of equal ones, op by op: a loop of a structured op has the size of every dimension that
// it indexes; slices and new tensors have the sizes they are given. If an op merges two classes that both contain sizes
// of arguments, or one of them a constant, this is a requirement for callers, attributed to the op. Only ops that are
// always executed create requirements: those in the function's entry block, not in branches and loops. Requirements on
// other sizes are checked before the op by mica_sched.check_sizes: that dimensions of one loop are equal, that a window
// is in bounds.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace mica {
#define GEN_PASS_DEF_INFERDIMEQUALITIES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Classes of equal sizes.
class SizeClasses {
public:
  explicit SizeClasses(func::FuncOp function) : builder(function.getContext()) {
    for (BlockArgument argument : function.getArguments())
      if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
        for (int64_t d = 0; d < type.getRank(); ++d)
          if (type.isDynamicDim(d))
            classes[find(argument, d)].argument = {int64_t(argument.getArgNumber()), d};
  }

  /// Records that `op` requires both to be equal.
  void relate(size_t a, size_t b, Operation *op) {
    a = root(a), b = root(b);
    if (a == b)
      return;
    Class &one = classes[a], &other = classes[b];
    const bool bothArguments = one.argument && other.argument;
    if (bothArguments)
      demand(*std::max(one.argument, other.argument), *std::min(one.argument, other.argument), -1, op);
    else if (one.argument && other.constant && !one.constant)
      demand(*one.argument, {-1, -1}, *other.constant, op);
    else if (other.argument && one.constant && !other.constant)
      demand(*other.argument, {-1, -1}, *one.constant, op);
    // The smallest argument represents the class; a known constant is kept.
    if (!one.argument || (other.argument && *other.argument < *one.argument))
      one.argument = other.argument;
    if (!one.constant)
      one.constant = other.constant;
    other.parent = a;
  }

  /// The size of dimension `d` of the tensor `value`.
  size_t find(Value value, int64_t d) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(d))
      return constant(type.getDimSize(d));
    return keyed({value, d});
  }
  /// The class of `value`, an index.
  size_t find(Value value) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return constant(number.getSExtValue());
    if (auto dim = value.getDefiningOp<tensor::DimOp>())
      if (std::optional<int64_t> d = dim.getConstantIndex();
          d && isa<RankedTensorType>(dim.getSource().getType()) &&
          *d < cast<RankedTensorType>(dim.getSource().getType()).getRank())
        return find(dim.getSource(), *d);
    return keyed({value, -1});
  }
  size_t find(OpFoldResult size) {
    if (std::optional<int64_t> number = getConstantIntValue(size))
      return constant(*number);
    return find(cast<Value>(size));
  }

  ArrayRef<Attribute> demanded() const { return demands; }

  bool areEqual(size_t a, size_t b) {
    const Class &one = classes[root(a)], &other = classes[root(b)];
    return root(a) == root(b) || (one.constant && one.constant == other.constant);
  }
  /// Whether callers can ensure that both are equal.
  bool areOfArguments(size_t a, size_t b) {
    const Class &one = classes[root(a)], &other = classes[root(b)];
    if (!requiresCallers || (one.constant && other.constant))
      return false;
    return (one.argument && other.argument) || (one.argument && other.constant) || (other.argument && one.constant);
  }
  /// From here on there are no requirements for callers.
  void stopRequiringCallers() { requiresCallers = false; }

private:
  struct Class {
    size_t parent;
    std::optional<std::pair<int64_t, int64_t>> argument; ///< an argument (number, dimension) of this size
    std::optional<int64_t> constant;
  };

  size_t fresh() {
    classes.push_back({classes.size(), std::nullopt, std::nullopt});
    return classes.size() - 1;
  }
  /// A new class each time: two sizes that are both 8 are equal without a requirement.
  size_t constant(int64_t number) {
    const size_t made = fresh();
    classes[made].constant = number;
    return made;
  }
  size_t keyed(std::pair<Value, int64_t> key) {
    auto [it, inserted] = byValue.try_emplace(key, 0);
    if (inserted)
      it->second = fresh();
    return root(it->second);
  }
  size_t root(size_t at) {
    while (classes[at].parent != at)
      at = classes[at].parent = classes[classes[at].parent].parent;
    return at;
  }
  void demand(std::pair<int64_t, int64_t> size, std::pair<int64_t, int64_t> other, int64_t number, Operation *op) {
    if (!requiresCallers)
      return;
    SmallVector<StringRef> ids = mica::getOpIds(op);
    demands.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             "sizes", builder.getDenseI64ArrayAttr({size.first, size.second, other.first, other.second, number})),
         builder.getNamedAttr("op", builder.getStringAttr(ids.empty() ? "" : ids.front()))}));
  }

  Builder builder;
  std::vector<Class> classes;
  DenseMap<std::pair<Value, int64_t>, size_t> byValue;
  SmallVector<Attribute> demands;
  bool requiresCallers = true;
};

/// What `tensor` is in the program, if it is a cast of that, or an operand that is broadcast only if its size is 1:
/// tosa's ops on unknown sizes choose by an scf.if.
Value givenTo(Value tensor) {
  while (Operation *made = tensor.getDefiningOp()) {
    if (auto cast = dyn_cast<tensor::CastOp>(made)) {
      tensor = cast.getSource();
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(made);
    if (!branch || branch.getElseRegion().empty())
      break;
    const unsigned number = cast<OpResult>(tensor).getResultNumber();
    Value yes = branch.thenYield().getOperand(number), no = branch.elseYield().getOperand(number);
    auto isOutside = [&](Value value) { return !branch->isAncestor(value.getParentBlock()->getParentOp()); };
    if (isOutside(yes) == isOutside(no))
      break;
    tensor = isOutside(yes) ? yes : no;
  }
  return tensor;
}

/// A size on which an op has a requirement: dimension `dim` of `tensor`, or the constant `number` without a tensor.
struct Size {
  Value tensor;
  int64_t dim = 0;
  OpFoldResult number;

  size_t in(SizeClasses &sizes) const { return tensor ? sizes.find(tensor, dim) : sizes.find(number); }

  OpFoldResult value(OpBuilder &builder, Location loc) const {
    return tensor ? tensor::getMixedSize(builder, loc, tensor, dim) : number;
  }

  std::string text() const {
    if (!tensor)
      return "the size";
    std::string text = "dimension " + std::to_string(dim) + " of ";
    Value tensor = givenTo(this->tensor);
    if (auto argument = dyn_cast<BlockArgument>(tensor);
        argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
      return text + "argument " + std::to_string(argument.getArgNumber());
    // By its id the runtime finds the name.
    if (SmallVector<StringRef> ids = mica::getOpIds(tensor.getLoc()); isa<OpResult>(tensor) && !ids.empty())
      return text + "result " + ids.front().str();
    SmallVector<FileLineColLoc> positions = mica::getSourcePositions(tensor.getLoc());
    if (positions.empty())
      return text + "an operand";
    return text + "the tensor of " + llvm::sys::path::filename(positions.back().getFilename().getValue()).str() + ":" +
           std::to_string(positions.back().getLine()) + ":" + std::to_string(positions.back().getColumn());
  }
};

/// Records that `op` requires `got` and `expected` to be equal: of callers if possible, else by a check before it.
void require(SizeClasses &sizes, Operation *op, const Size &got, const Size &expected) {
  const size_t a = expected.in(sizes), b = got.in(sizes);
  if (sizes.areEqual(a, b))
    return;
  if (!sizes.areOfArguments(a, b)) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value one = getValueOrCreateConstantIndexOp(builder, loc, got.value(builder, loc));
    Value other = getValueOrCreateConstantIndexOp(builder, loc, expected.value(builder, loc));
    Value ok = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, one, other);
    mica::sched::CheckSizesOp::create(builder, loc, ok,
                                      got.text() + " is {0}, but " + expected.text() + " is {1}; they have to be equal",
                                      ValueRange{one, other});
  }
  sizes.relate(a, b, op);
}

/// Records that `op` accesses dimension `dim` of `tensor` at the positions `expression` of its loops, with the bounds
/// `loops`: all of them must be in bounds.
void requirePositions(linalg::LinalgOp op, Value tensor, int64_t dim, AffineExpr expression,
                      ArrayRef<std::optional<Size>> loops) {
  SmallVector<int64_t> factors;
  if (failed(getFlattenedAffineExpr(expression, loops.size(), /*numSymbols=*/0, &factors)) ||
      factors.size() != loops.size() + 1)
    return;
  // Upstream's verifier checks static sizes, except 0.
  const int64_t staticExtent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  bool isDynamic = ShapedType::isDynamic(staticExtent) || staticExtent == 0;
  for (auto [factor, loop] : llvm::zip(factors, loops)) {
    if (factor == 0)
      continue;
    if (!loop)
      return;
    isDynamic |= cast<RankedTensorType>(loop->tensor.getType()).isDynamicDim(loop->dim);
  }
  if (!isDynamic)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value zero = number(0), one = number(1), first = number(factors.back()), last = first;
  Value isEmpty = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (auto [factor, loop] : llvm::zip(factors, loops)) {
    if (factor == 0)
      continue;
    Value size = getValueOrCreateConstantIndexOp(builder, loc, loop->value(builder, loc));
    isEmpty = builder.createOrFold<arith::OrIOp>(
        loc, isEmpty, builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, size, zero));
    Value way =
        builder.createOrFold<arith::MulIOp>(loc, builder.createOrFold<arith::SubIOp>(loc, size, one), number(factor));
    Value &end = factor > 0 ? last : first;
    end = builder.createOrFold<arith::AddIOp>(loc, end, way);
  }
  Value extent = getValueOrCreateConstantIndexOp(builder, loc, tensor::getMixedSize(builder, loc, tensor, dim));
  Value isInside = builder.createOrFold<arith::AndIOp>(
      loc, builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, first, zero),
      builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, last, extent));
  mica::sched::CheckSizesOp::create(builder, loc, builder.createOrFold<arith::OrIOp>(loc, isEmpty, isInside),
                                    "positions {0} to {1} of " + Size{tensor, dim, {}}.text() +
                                        " are accessed, which has the size {2}",
                                    ValueRange{first, last, extent});
}

/// Records the sizes `mixed` of `value`'s dimensions.
void relateMixed(SizeClasses &sizes, Value value, ArrayRef<OpFoldResult> mixed, Operation *op) {
  for (auto [d, size] : llvm::enumerate(mixed))
    sizes.relate(sizes.find(value, int64_t(d)), sizes.find(size), op);
}

/// Whether `size` is computed from sizes and constants alone, and without differences, so that it is not negative.
bool isNeverNegative(Value size) {
  if (APInt number; matchPattern(size, m_ConstantInt(&number)))
    return !number.isNegative();
  Operation *def = size.getDefiningOp();
  if (!def)
    return false;
  if (isa<tensor::DimOp>(def))
    return true;
  if (isa<arith::MaxSIOp>(def))
    return llvm::any_of(def->getOperands(), isNeverNegative);
  return isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
             arith::MinSIOp, arith::RemSIOp>(def) &&
         llvm::all_of(def->getOperands(), isNeverNegative);
}

/// Checks the sizes of a new tensor at its op: its users would be blamed for a negative one.
void checkNewSizes(Operation *op, ValueRange sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d))
      continue;
    Value size = sizes.front();
    sizes = sizes.drop_front();
    if (isNeverNegative(size))
      continue;
    OpBuilder builder(op);
    Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    Value ok = arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::sge, size, zero);
    mica::sched::CheckSizesOp::create(builder, op->getLoc(), ok,
                                      "it would have the size {0} in dimension " + std::to_string(d) +
                                          "; sizes must not be negative",
                                      ValueRange{size});
  }
}

void relateStructured(SizeClasses &sizes, linalg::LinalgOp op) {
  SmallVector<std::optional<Size>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [d, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      if (!loop)
        continue;
      const Size size{operand.get(), int64_t(d), {}};
      std::optional<Size> &known = loops[loop.getPosition()];
      if (known)
        require(sizes, op, size, *known);
      else
        known = size;
    }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      for (auto [d, expression] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (!isa<AffineDimExpr>(expression))
          requirePositions(op, operand.get(), int64_t(d), expression, loops);
  for (OpResult result : op->getResults())
    for (int64_t d = 0; d < cast<RankedTensorType>(result.getType()).getRank(); ++d)
      sizes.relate(sizes.find(result, d), sizes.find(op.getTiedOpOperand(result)->get(), d), op);
}

/// Handles a check of equal sizes: a requirement for callers if possible; known equalities are not checked again.
void relateCheck(SizeClasses &sizes, mica::sched::CheckSizesOp check) {
  auto compare = check.getOk().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return;
  const size_t a = sizes.find(compare.getRhs()), b = sizes.find(compare.getLhs());
  const bool isNeeded = !sizes.areEqual(a, b) && !sizes.areOfArguments(a, b);
  sizes.relate(a, b, check);
  if (isNeeded)
    return;
  SmallVector<Value> operands(check->getOperands());
  check.erase();
  while (!operands.empty()) {
    Operation *op = operands.pop_back_val().getDefiningOp();
    if (!op || !isOpTriviallyDead(op))
      continue;
    llvm::append_range(operands, op->getOperands());
    op->erase();
  }
}

/// For all other ops, nothing is known about the result sizes.
void relate(SizeClasses &sizes, Operation *op) {
  if (auto check = dyn_cast<mica::sched::CheckSizesOp>(op))
    return relateCheck(sizes, check);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op); structured && structured.hasPureTensorSemantics())
    return relateStructured(sizes, structured);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    checkNewSizes(op, empty.getDynamicSizes());
    return relateMixed(sizes, empty, empty.getMixedSizes(), op);
  }
  if (auto made = dyn_cast<tensor::GenerateOp>(op))
    return checkNewSizes(op, made.getDynamicExtents());
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto source = dyn_cast<RankedTensorType>(cast.getSource().getType());
    if (source && isa<RankedTensorType>(cast.getType()))
      for (int64_t d = 0; d < source.getRank(); ++d)
        sizes.relate(sizes.find(cast.getSource(), d), sizes.find(cast.getResult(), d), op);
    return;
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (slice.getSourceType().getRank() == slice.getType().getRank())
      for (auto [d, size] : llvm::enumerate(slice.getMixedSizes()))
        require(sizes, op, {slice.getSource(), int64_t(d), {}}, {Value(), 0, size});
    for (int64_t d = 0; d < slice.getType().getRank(); ++d)
      sizes.relate(sizes.find(slice.getResult(), d), sizes.find(slice.getDest(), d), op);
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (slice.getSourceType().getRank() == slice.getType().getRank())
      relateMixed(sizes, slice.getResult(), slice.getMixedSizes(), op);
    return;
  }
  // Dimensions that form a group by themselves keep their size.
  auto relateReshape = [&](Value small, Value large, ArrayRef<ReassociationIndices> groups) {
    for (auto [d, group] : llvm::enumerate(groups))
      if (group.size() == 1)
        sizes.relate(sizes.find(small, int64_t(d)), sizes.find(large, group.front()), op);
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return relateReshape(collapse.getResult(), collapse.getSrc(), collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    relateMixed(sizes, expand.getResult(), expand.getMixedOutputShape(), op);
    return relateReshape(expand.getSrc(), expand.getResult(), expand.getReassociationIndices());
  }
}

/// Facts from before an op with regions hold in its regions; facts found there do not hold after it.
void relateBlock(SizeClasses &sizes, Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    relate(sizes, &op);
    // The bodies of kernels compute elements or tiles.
    if (op.getNumRegions() == 0 || isa<linalg::LinalgOp, scf::ForallOp, mica::sched::BufferRegionOp>(op))
      continue;
    bool hasSizes = false;
    op.walk([&](linalg::LinalgOp inner) { hasSizes |= inner.hasDynamicShape(); });
    op.walk([&](tensor::InsertSliceOp inner) { hasSizes |= !inner.getSourceType().hasStaticShape(); });
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        if (!hasSizes)
          continue;
        SizeClasses copy = sizes;
        copy.stopRequiringCallers();
        relateBlock(copy, inner);
      }
  }
}

struct RelateSizesPass : mica::impl::InferDimEqualitiesBase<RelateSizesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    SizeClasses sizes(function);
    // The runtime calls entries only.
    if (function.isPrivate())
      sizes.stopRequiringCallers();
    relateBlock(sizes, function.getBody().front());
    if (!sizes.demanded().empty())
      function->setAttr(mica::kRelatedSizesAttr, ArrayAttr::get(&getContext(), sizes.demanded()));
  }
};

} // namespace
