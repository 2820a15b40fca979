//===- Insert.cpp - inserting checks of accesses, divisions, shifts and asserts ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An op that may fail moves into the branch that its predicate guards:
//
//   %0 = memref.load %view[%i]
//   ->
//   %in = mica_check.in_bounds %view[%i]
//   %ok = arith.andi %in, %view_ok
//   %0 = scf.if %ok { memref.load %view[%i] } else { mica_check.out_of_bounds load %view[%i]; 0 }
//
// %view_ok stands for the checks of the views between the buffer and %view, which are checked where they are created:
// no element is accessed through a view that is out of bounds.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/EndlessLoops.h"
#include "dialects/MicaSched/IR/KernelArguments.h"
#include "passes/Check/AllocationSizes.h"
#include "passes/Check/AtomicBodies.h"
#include "passes/Check/DataDependence.h"
#include "passes/Check/ExposeDivisions.h"
#include "passes/Check/IntegerPowers.h"
#include "passes/Check/LoopSteps.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Check/PaddedLanes.h"
#include "passes/Check/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_INSERTCHECKSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// Whether 0 can replace a value of this type.
bool hasZero(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrIndexOrFloat() && (!isa<ShapedType>(type) || isa<VectorType>(type));
}

bool isCheckedArithmetic(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) ||
         mayInvertZero(op);
}

/// Operations that all threads of a warp execute together: asynchronous copies that others wait for, and matrix loads
/// for which every lane provides an address.
bool isCollectiveAccess(Operation *op) {
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
    return load.getNumTiles() == 4;
  return isa<nvgpu::DeviceAsyncCopyOp>(op) && op->use_empty();
}

/// The report of the check that guards `op` already; null if there is none.
Operation *reportAround(Operation *op) {
  auto branch = dyn_cast_or_null<scf::IfOp>(op->getParentOp());
  if (!branch || branch.getElseRegion().empty() || op->getBlock() != branch.thenBlock())
    return nullptr;
  for (Operation &other : *branch.elseBlock())
    if (isa<check::OutOfBoundsOp, check::FailedOp>(other))
      return &other;
  return nullptr;
}

/// Whether `report` is about `op`: its first value is an operand.
bool reportsOperand(check::FailedOp report, Operation *op) {
  if (report.getValues().empty())
    return true;
  Value first = report.getValues().front();
  if (auto extended = first.getDefiningOp<arith::ExtUIOp>())
    first = extended.getIn();
  return llvm::is_contained(op->getOperands(), first);
}

bool sameValue(Value a, Value b) {
  return a == b || (getConstantIntValue(a) && getConstantIntValue(a) == getConstantIntValue(b));
}

bool sameValues(ValueRange a, ValueRange b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip(a, b), [](auto pair) { return sameValue(std::get<0>(pair), std::get<1>(pair)); });
}

/// Whether `op` divides by a value that input data may make 0, or shifts by a constant that the type has no bits for,
/// of which LLVM makes poison. In a kernel, this excludes indices computed from sizes alone, such as those from tiling.
bool dividesByData(Operation *op, bool isKernel) {
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return shiftsOut(op);
  if (!isCheckedArithmetic(op))
    return false;
  const bool isPower = isa<math::IPowIOp>(op);
  Value divisor = op->getOperand(isPower ? 0 : 1);
  const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  if (!isPower && dividesAlways(divisor, isSigned))
    return false;
  if (matchPattern(divisor, m_Constant()))
    return true;
  if (!isKernel || !getElementTypeOrSelf(divisor.getType()).isIndex())
    return true;
  DenseSet<Value> clean;
  return comesFrom(
      divisor,
      [](Value value) {
        // An argument of the program, a count of elements, or a loaded value.
        if (auto argument = dyn_cast<BlockArgument>(value))
          return value.getType().isIntOrIndex() && !isa<gpu::LaunchOp>(argument.getOwner()->getParentOp());
        return isLoadedValue(value);
      },
      clean);
}

/// The number of work partitions of the kernel `func`; null if it is not partitioned.
Value sharesOf(func::FuncOp func) {
  return func->hasAttr("mica_sched.grid") && func.getNumArguments() > 0 ? Value(func.getArguments().back()) : Value();
}

/// Whether the program computes positions in the kernel `func`: then sizes may make them wrong, too.
bool hasComputedPositions(func::FuncOp func) { return func->hasAttr(sched::kComputedPositionsAttr); }

/// Whether `op` is an access that the program itself makes, so that it may be outside whatever its position is computed
/// from.
bool isOfProgram(Operation *op) { return hasTag(op->getLoc(), kAccessTag); }

/// Whether input data may make a step of the loop `op` 0 or negative. In a kernel, this excludes steps computed from
/// sizes alone, such as those from tiling.
bool stepsByData(Operation *op, bool isKernel, DataDependence &data) {
  return llvm::any_of(unknownSteps(op), [&](Value step) { return !isKernel || data.dependsOnData(step); });
}

bool isAffineAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op);
}

/// The position of `op`, a vector.extract or vector.insert of vectors of known sizes, as far as it is computed.
ValueRange lanePosition(Operation *op) {
  auto ofVector = [](auto access, VectorType type) -> ValueRange {
    return type.isScalable() ? ValueRange() : ValueRange(access.getDynamicPosition());
  };
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return ofVector(extract, extract.getSourceVectorType());
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return ofVector(insert, insert.getDestVectorType());
  return {};
}

/// Whether a computed position in the vector of `op` may be outside: in a host function always, in a kernel where data
/// decides, or where it is a constant that is outside.
bool lanesMayLeave(Operation *op, bool isKernel, DataDependence &data) {
  ValueRange position = lanePosition(op);
  if (position.empty())
    return false;
  auto extract = dyn_cast<vector::ExtractOp>(op);
  VectorType type = extract ? extract.getSourceVectorType() : cast<vector::InsertOp>(op).getDestVectorType();
  auto mixed = extract ? extract.getMixedPosition() : cast<vector::InsertOp>(op).getMixedPosition();
  for (auto [dim, lane] : llvm::enumerate(mixed))
    if (std::optional<int64_t> number = getConstantIntValue(lane)) {
      if (*number < 0 || *number >= type.getDimSize(dim))
        return true;
    } else if (!isKernel || data.dependsOnData(cast<Value>(lane))) {
      return true;
    }
  return false;
}

/// Lowers the affine loops and accesses of `func`, if there are any: accesses in them are guarded as those of memref
/// are, and upstream's analysis of ranges crashes on affine loops without constant bounds.
LogicalResult lowerAffine(func::FuncOp func) {
  auto walked = func.walk([](Operation *op) {
    return isAffineAccess(op) || isa<affine::AffineForOp, affine::AffineIfOp>(op) ? WalkResult::interrupt()
                                                                                  : WalkResult::advance();
  });
  if (!walked.wasInterrupted())
    return success();
  RewritePatternSet patterns(func.getContext());
  populateLowerAffineAccessesPatterns(patterns);
  return applyPatternsGreedily(func, std::move(patterns));
}

class Inserter {
public:
  Inserter(func::FuncOp func, bool everyAccess, bool programAccesses)
      : builder(func.getContext()), everyAccess(everyAccess), programAccesses(programAccesses), shares(sharesOf(func)),
        hasPositions(hasComputedPositions(func)) {}

  OpBuilder builder;
  int64_t inserted = 0;

  void checkAccess(Operation *op) {
    builder.setInsertionPoint(op);
    Operation *before = op->getPrevNode();
    MemoryAccess access = describeAccess(builder, op);
    const bool isView = isa<ViewLikeOpInterface>(op);
    // A view that is out of bounds must not be used for any access.
    const bool isNeeded = everyAccess || isView || (programAccesses && isOfProgram(op)) || hasOffsets(op) ||
                          !viewsOf(access.buffer).empty() || isLoadedPosition(access) ||
                          (hasPositions && DataDependence(shares, /*ofSizes=*/true).readsByData(op));
    if (isGuarded(op, access) || !isNeeded)
      return dropUnused(op, before);
    Location loc = op->getLoc();
    Value inBounds =
        builder.createOrFold<check::InBoundsOp>(loc, builder.getI1Type(), access.buffer, access.indices, access.sizes);
    if (isView) {
      // The view itself is always created: accesses through it are guarded.
      if (!isTrue(inBounds)) {
        auto branch = scf::IfOp::create(builder, loc, inBounds, /*withElseRegion=*/true);
        builder.setInsertionPointToStart(branch.elseBlock());
        report(loc, access);
        viewChecks[op->getResult(0)] = inBounds;
      }
      ++inserted;
      return;
    }
    Value ok = inBounds;
    for (Value view : viewsOf(access.buffer))
      ok = builder.createOrFold<arith::AndIOp>(loc, ok, view);
    ++inserted;
    if (!isTrue(ok))
      guard(op, ok, [&] { report(loc, access); });
  }

  void checkArithmetic(Operation *op) {
    if (auto around = dyn_cast_or_null<check::FailedOp>(reportAround(op)); around && reportsOperand(around, op))
      return;
    builder.setInsertionPoint(op);
    Location loc = op->getLoc();
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    // The number of work partitions is set by the runtime.
    if (rhs == shares)
      return;
    const bool isShift = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
    const bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
    auto power = dyn_cast<math::IPowIOp>(op);
    auto isDefined = [&](OpBuilder &at, Location where, Value x, Value y) -> Value {
      if (isShift)
        return at.createOrFold<check::ShiftableOp>(where, at.getI1Type(), y);
      return at.createOrFold<check::DivisibleOp>(where, at.getI1Type(), x, y, isSigned ? at.getUnitAttr() : UnitAttr());
    };
    Value divisor = power ? invertedBase(builder, power, numberLike(rhs, 0), numberLike(rhs, 1)) : rhs;
    Value ok = isDefined(builder, loc, lhs, divisor);
    ++inserted;
    if (isTrue(ok))
      return;
    StringRef message = power      ? StringRef(kZeroInverted)
                        : isShift  ? "shift by a number of bits outside the type's width"
                        : isSigned ? "integer division by zero, or one that overflows"
                                   : "integer division by zero";
    guard(op, ok, [&] {
      SmallVector<Value> shown = firstFailing(loc, lhs, rhs, divisor, isDefined);
      // A report prints signed integers.
      for (Value &value : shown)
        if (!isSigned && !isShift && !power && !value.getType().isIndex() &&
            value.getType().getIntOrFloatBitWidth() < 64)
          value = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value);
      check::FailedOp::create(builder, loc, message, shown, IntegerAttr());
    });
  }

  /// An element of a vector at a position that is computed.
  void checkLane(Operation *op) {
    if (auto around = dyn_cast_or_null<check::FailedOp>(reportAround(op)); around && reportsOperand(around, op))
      return;
    builder.setInsertionPoint(op);
    Location loc = op->getLoc();
    auto extract = dyn_cast<vector::ExtractOp>(op);
    VectorType type = extract ? extract.getSourceVectorType() : cast<vector::InsertOp>(op).getDestVectorType();
    auto position = extract ? extract.getMixedPosition() : cast<vector::InsertOp>(op).getMixedPosition();
    Value ok;
    for (auto [dim, each] : llvm::enumerate(position)) {
      auto lane = dyn_cast<Value>(each);
      if (!lane)
        continue;
      Value extent = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane, extent);
      ok = ok ? arith::AndIOp::create(builder, loc, ok, inside).getResult() : inside;
    }
    ++inserted;
    guard(op, ok, [&] {
      check::FailedOp::create(builder, loc, "a position outside of the vector", lanePosition(op), IntegerAttr());
    });
  }

  void checkLoop(Operation *op) {
    builder.setInsertionPoint(op);
    for (const LoopStep &each : limitUnknownSteps(builder, op)) {
      OpBuilder::InsertionGuard guard(builder);
      auto branch = scf::IfOp::create(builder, op->getLoc(), each.ok, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.elseBlock());
      check::FailedOp::create(builder, op->getLoc(), kLoopStepMessage, ValueRange{each.lower, each.upper, each.step},
                              IntegerAttr());
      ++inserted;
    }
  }

  void checkAssert(cf::AssertOp op) {
    builder.setInsertionPoint(op);
    auto branch = scf::IfOp::create(builder, op.getLoc(), op.getArg(), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.elseBlock());
    std::string message = "assertion failed: " + op.getMsg().str();
    check::FailedOp::create(builder, op.getLoc(), message, ValueRange(), IntegerAttr());
    op.erase();
    ++inserted;
  }

  /// A copy that other threads wait for: out of bounds, it reads nothing and writes zeros.
  void checkCopy(nvgpu::DeviceAsyncCopyOp op) {
    builder.setInsertionPoint(op);
    Location loc = op.getLoc();
    Value elements = arith::ConstantIndexOp::create(builder, loc, op.getDstElements().getSExtValue());
    Value read = op.getSrcElements() ? op.getSrcElements() : elements;
    if (Value ok =
            checkCollectiveAccess(op, {check::Access::Load, op.getSrc(), llvm::to_vector_of<Value>(op.getSrcIndices()),
                                       runOf(op.getSrcIndices().size(), read)})) {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      for (OpOperand &index : op.getSrcIndicesMutable())
        index.set(arith::SelectOp::create(builder, loc, ok, index.get(), zero));
      op.getSrcElementsMutable().assign(arith::SelectOp::create(builder, loc, ok, read, zero).getResult());
    }
    if (Value ok =
            checkCollectiveAccess(op, {check::Access::Store, op.getDst(), llvm::to_vector_of<Value>(op.getDstIndices()),
                                       runOf(op.getDstIndices().size(), elements)})) {
      auto branch = scf::IfOp::create(builder, loc, ok, /*withElseRegion=*/false);
      op->moveBefore(branch.thenBlock()->getTerminator());
    }
  }

  /// All lanes of a warp take part, each with the address of a row: a lane that is out of bounds uses the first row's.
  void checkMatrixLoad(nvgpu::LdMatrixOp op) {
    builder.setInsertionPoint(op);
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getSrcMemref().getType());
    constexpr int64_t kRowBits = 128;
    Value row = arith::ConstantIndexOp::create(builder, loc, kRowBits / type.getElementTypeBitWidth());
    Value ok =
        checkCollectiveAccess(op, {check::Access::Load, op.getSrcMemref(), llvm::to_vector_of<Value>(op.getIndices()),
                                   runOf(op.getIndices().size(), row)});
    if (!ok)
      return;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (OpOperand &index : op.getIndicesMutable())
      index.set(arith::SelectOp::create(builder, loc, ok, index.get(), zero));
  }

private:
  /// The offsets of a gather or scatter are a vector, which the program rarely makes of constants.
  static bool hasOffsets(Operation *op) { return isa<vector::GatherOp, vector::ScatterOp>(op); }

  /// Whether a position of `access` was loaded from memory or given, so that it may be wrong in any correct compile.
  bool isLoadedPosition(const MemoryAccess &access) const {
    DataDependence data(shares);
    return data.anyDependsOnData(access.indices) || data.anyDependsOnData(access.sizes);
  }

  /// The sizes of an access of `count` contiguous elements.
  SmallVector<Value> runOf(size_t rank, Value count) {
    SmallVector<Value> sizes(rank, arith::ConstantIndexOp::create(builder, count.getLoc(), 1));
    if (rank > 0)
      sizes.back() = count;
    return sizes;
  }

  /// Reports `access` of `op` before it if it is out of bounds; returns the predicate, or null if there is nothing to
  /// check.
  Value checkCollectiveAccess(Operation *op, const MemoryAccess &access) {
    if (!everyAccess && !isLoadedPosition(access))
      return {};
    Location loc = op->getLoc();
    Value ok =
        builder.createOrFold<check::InBoundsOp>(loc, builder.getI1Type(), access.buffer, access.indices, access.sizes);
    for (Value view : viewsOf(access.buffer))
      ok = builder.createOrFold<arith::AndIOp>(loc, ok, view);
    ++inserted;
    if (isTrue(ok))
      return {};
    auto branch = scf::IfOp::create(builder, loc, ok, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    report(loc, access);
    return ok;
  }

  /// `number` in each lane of a value like `like`.
  Value numberLike(Value like, int64_t number) {
    TypedAttr value = builder.getIntegerAttr(getElementTypeOrSelf(like.getType()), number);
    if (auto vector = dyn_cast<VectorType>(like.getType()))
      value = DenseElementsAttr::get(vector, cast<Attribute>(value));
    return arith::ConstantOp::create(builder, like.getLoc(), value);
  }

  /// The operands of the first lane for which not `isDefined`, of `lhs` and `divisor`; for scalars, these operands.
  /// Empty for scalable vectors.
  SmallVector<Value> firstFailing(Location loc, Value lhs, Value rhs, Value divisor,
                                  llvm::function_ref<Value(OpBuilder &, Location, Value, Value)> isDefined) {
    auto type = dyn_cast<VectorType>(rhs.getType());
    if (!type)
      return {lhs, rhs};
    if (type.isScalable())
      return {};
    auto flat = VectorType::get({type.getNumElements()}, type.getElementType());
    if (type != flat) {
      lhs = vector::ShapeCastOp::create(builder, loc, flat, lhs);
      rhs = vector::ShapeCastOp::create(builder, loc, flat, rhs);
      divisor = vector::ShapeCastOp::create(builder, loc, flat, divisor);
    }
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value last = arith::ConstantIndexOp::create(builder, loc, flat.getNumElements() - 1);
    // Iterates from the last lane down, so the last match is the first lane.
    auto loop = scf::ForOp::create(
        builder, loc, zero, last, one,
        ValueRange{vector::ExtractOp::create(builder, loc, lhs, flat.getNumElements() - 1),
                   vector::ExtractOp::create(builder, loc, rhs, flat.getNumElements() - 1)},
        [&](OpBuilder &body, Location loc, Value i, ValueRange found) {
          Value lane = arith::SubIOp::create(body, loc, arith::SubIOp::create(body, loc, last, i), one);
          Value x = vector::ExtractOp::create(body, loc, lhs, OpFoldResult(lane));
          Value y = vector::ExtractOp::create(body, loc, rhs, OpFoldResult(lane));
          Value ok = isDefined(body, loc, x, vector::ExtractOp::create(body, loc, divisor, OpFoldResult(lane)));
          scf::YieldOp::create(body, loc,
                               ValueRange{arith::SelectOp::create(body, loc, ok, found[0], x),
                                          arith::SelectOp::create(body, loc, ok, found[1], y)});
        });
    return {loop.getResult(0), loop.getResult(1)};
  }

  static bool isTrue(Value value) { return getConstantIntValue(value).value_or(0) != 0; }

  void report(Location loc, const MemoryAccess &access) {
    check::OutOfBoundsOp::create(builder, loc, access.kind, access.buffer, access.indices, access.sizes, IntegerAttr());
  }

  static bool isGuarded(Operation *op, const MemoryAccess &access) {
    if (access.kind != check::Access::Slice) {
      auto report = dyn_cast_or_null<check::OutOfBoundsOp>(reportAround(op));
      return report && report.getBuffer() == access.buffer && sameValues(report.getIndices(), access.indices) &&
             sameValues(report.getSizes(), access.sizes);
    }
    // A view's check precedes it.
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (auto branch = dyn_cast<scf::IfOp>(before); branch && !branch.getElseRegion().empty())
        for (auto report : branch.elseBlock()->getOps<check::OutOfBoundsOp>())
          if (report.getBuffer() == access.buffer && sameValues(report.getIndices(), access.indices) &&
              sameValues(report.getSizes(), access.sizes))
            return true;
    return false;
  }

  /// Erases unused ops of describeAccess() between `before` and `op`, in reverse order.
  static void dropUnused(Operation *op, Operation *before) {
    for (Operation *made = op->getPrevNode(); made && made != before;) {
      Operation *previous = made->getPrevNode();
      if (made->use_empty())
        made->erase();
      made = previous;
    }
  }

  /// The predicates of the views between `buffer` and the allocation it is part of.
  SmallVector<Value> viewsOf(Value buffer) const {
    SmallVector<Value> checks;
    for (auto view = buffer.getDefiningOp<ViewLikeOpInterface>(); view;
         view = view.getViewSource().getDefiningOp<ViewLikeOpInterface>())
      if (Value check = viewChecks.lookup(view->getResult(0)))
        checks.push_back(check);
    return checks;
  }

  /// Moves `op` under `ok`; in the else branch emits `report` and yields 0.
  void guard(Operation *op, Value ok, llvm::function_ref<void()> report) {
    Location loc = op->getLoc();
    builder.setInsertionPoint(op);
    auto branch = scf::IfOp::create(builder, loc, op->getResultTypes(), ok, /*withElseRegion=*/true);
    op->replaceAllUsesWith(branch.getResults());
    if (op->getNumResults() == 0) {
      op->moveBefore(branch.thenBlock()->getTerminator());
      builder.setInsertionPointToStart(branch.elseBlock());
      return report();
    }
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
    builder.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(builder, loc, op->getResults());
    builder.setInsertionPointToStart(branch.elseBlock());
    report();
    builder.setInsertionPointToEnd(branch.elseBlock());
    SmallVector<Value> zeros;
    for (Type type : op->getResultTypes())
      zeros.push_back(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
    scf::YieldOp::create(builder, loc, zeros);
  }

  const bool everyAccess, programAccesses;
  const Value shares;
  const bool hasPositions;
  DenseMap<Value, Value> viewChecks;
};

struct InsertChecksPass : mica::impl::InsertChecksPassBase<InsertChecksPass> {
  using InsertChecksPassBase::InsertChecksPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    definePaddedDivisions(func);
    if (level == "none") {
      func.walk([](Operation *op) {
        if (isa<cf::AssertOp>(op) || check::reportsEndless(op))
          op->erase();
      });
      return;
    }
    if (!llvm::is_contained({"divisions", "warn", "safe", "all"}, level)) {
      func.emitError() << "mica-check-insert: unknown level '" << level
                       << "'; the levels are none, divisions, warn, safe and all";
      return signalPassFailure();
    }
    if (failed(exposeDivisions(func)))
      return signalPassFailure();
    const bool isKernel = func->getParentOp()->hasAttr("mica_sched.kernel");
    if (mayTrapInUpdate(func)) {
      // The patterns erase what is not used.
      if (isKernel && failed(lowerAffine(func)))
        return signalPassFailure();
      checkAfterwards(func);
    }
    int64_t unchecked = 0;
    SmallVector<Operation *> ops = opsToCheck(isKernel, unchecked);
    if (level == "divisions") {
      if (ops.empty())
        return;
      if (isKernel) {
        if (failed(lowerAffine(func)))
          return signalPassFailure();
        ops = opsToCheck(isKernel, unchecked);
      }
    }
    Inserter inserter(func, !isKernel || (level != "safe" && level != "divisions"), programAccesses);
    for (Operation *op : ops) {
      if (auto assertion = dyn_cast<cf::AssertOp>(op))
        inserter.checkAssert(assertion);
      else if (allocatesUnknownSize(op))
        inserter.inserted += checkSizes(inserter.builder, op);
      else if (check::reportsEndless(op))
        inserter.inserted += !func->hasAttr(check::kLevelAttr);
      else if (isa<scf::ForOp, scf::ParallelOp>(op))
        inserter.checkLoop(op);
      else if (isCheckedArithmetic(op))
        inserter.checkArithmetic(op);
      else if (isa<vector::ExtractOp, vector::InsertOp>(op))
        inserter.checkLane(op);
      else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
        inserter.checkCopy(copy);
      else if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
        inserter.checkMatrixLoad(load);
      else if (llvm::all_of(op->getResultTypes(), [](Type type) { return isa<MemRefType>(type) || hasZero(type); }))
        inserter.checkAccess(op);
      else
        ++unchecked;
    }
    Builder builder(&getContext());
    auto total = [&](StringRef name, int64_t more) {
      auto before = func->getAttrOfType<IntegerAttr>(name);
      func->setAttr(name, builder.getI64IntegerAttr((before ? before.getInt() : 0) + more));
    };
    func->setAttr(check::kLevelAttr, builder.getStringAttr(level));
    total(check::kInsertedAttr, inserter.inserted);
    func->setAttr(check::kUncheckedAttr, builder.getI64IntegerAttr(unchecked));
  }

private:
  /// The ops that are guarded at this level, in order, and at level divisions affine accesses that have to be lowered.
  /// `unchecked` is set to the number of memory operations that cannot be checked.
  SmallVector<Operation *> opsToCheck(bool isKernel, int64_t &unchecked) {
    func::FuncOp func = getOperation();
    SmallVector<Operation *> ops;
    unchecked = 0;
    DataDependence data(sharesOf(func)), sizes(sharesOf(func), /*ofSizes=*/true);
    const bool hasPositions = hasComputedPositions(func);
    // In a kernel that launches device code, only the device code is checked: the host part accesses no buffer.
    const bool launches = func.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted();
    func.walk([&](Operation *op) {
      if (launches && !op->getParentOfType<gpu::LaunchOp>())
        return;
      if (op->getParentOfType<memref::GenericAtomicRMWOp>())
        return; // it is checked behind the update
      if (stepsByData(op, isKernel, data))
        ops.push_back(op);
      if (lanesMayLeave(op, isKernel, data) || allocatesUnknownSize(op))
        ops.push_back(op);
      if (level == "divisions") {
        const bool isAccess = isKnownAccess(op) || (isKernel && isAffineAccess(op));
        // Asserts of host functions make the invocation fail already.
        if (dividesByData(op, isKernel) || (isKernel && (isa<cf::AssertOp>(op) || check::reportsEndless(op))) ||
            (isAccess && (!isKernel || (programAccesses && isOfProgram(op)) || data.accessesByData(op))) ||
            (isKernel && hasPositions && sizes.readsByData(op)) || (isCollectiveAccess(op) && data.accessesByData(op)))
          ops.push_back(op);
        return;
      }
      if (isKnownAccess(op) || isCollectiveAccess(op) || isCheckedArithmetic(op) || isa<cf::AssertOp>(op) ||
          (isKernel && check::reportsEndless(op)))
        ops.push_back(op);
      else
        unchecked += isUnknownAccess(op);
    });
    return ops;
  }
};

} // namespace
