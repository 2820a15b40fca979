//===- InsertShadows.cpp - reads of uninitialized memory --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each buffer gets a shadow, an i16 for each element. What is done to the buffer is done to the shadow: a load reads
// it, what moves the loaded value moves what was read with it, a store writes it. Where a loaded value is used and not
// moved, mica_check.initialized looks at it:
//
//   %v = memref.load %a[%i]      %o = memref.load %shadow[%i]
//   %w = arith.addf %v, %v       scf.if (mica_check.initialized %o) {} else { mica_check.uninitialized %a[%i] ... }
//   memref.store %w, %b[%i]      memref.store 0, %b_shadow[%i]
//
// A value that leaves a conditional takes its shadow along, as a result more; one that is carried around a loop counts
// as used.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Check/Passes.h"
#include "passes/Check/Shadows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_INSERTSHADOWSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

class Shadower {
public:
  Shadower(func::FuncOp func, bool prove) : func(func), prove(prove), builder(func.getContext()) {}

  int64_t reads = 0;       ///< uses that were examined
  int64_t proved = 0;      ///< loads whose buffer is certainly written before
  int64_t allocations = 0; ///< buffers of the kernel's own that have a shadow

  void run() {
    for (BlockArgument argument : func.getArguments())
      if (isBinding(argument) && !isTracked(argument))
        markWritten(argument);
    // Inside out, so that what a conditional yields is known when it is met.
    SmallVector<Operation *> ops;
    func.walk<WalkOrder::PostOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      visit(op);
    for (auto [value, shadow] : llvm::to_vector(shadows))
      if (!value.getDefiningOp<scf::IfOp>())
        checkUses(value, shadow);
  }

private:
  Type shadowType(Type type) {
    Type i16 = builder.getIntegerType(16);
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(i16);
    return i16;
  }

  Value zero(Location loc, Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(shadowType(type)));
  }

  /// What is known of `value`; 0 where it is no moved one.
  Value shadowOrZero(Location loc, Value value) {
    Value known = shadows.lookup(value);
    return known ? known : zero(loc, value.getType());
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Shadows of buffers
  //===--------------------------------------------------------------------------------------------------------===//

  /// The shadow of `buffer`, made at the first call; null where it has none: what is loaded from it counts as written.
  Value shadowOf(Value buffer) {
    if (auto known = buffers.find(buffer); known != buffers.end())
      return known->second;
    Value shadow = makeShadow(buffer);
    buffers[buffer] = shadow;
    return shadow;
  }

  Value makeShadow(Value buffer) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    OpBuilder::InsertionGuard guard(builder);
    if (!type || !type.getElementType().isIntOrIndexOrFloat())
      return {};
    if (auto argument = dyn_cast<BlockArgument>(buffer))
      return isBinding(argument) && isTracked(argument) ? shadowOfArgument(argument) : Value();
    Operation *op = buffer.getDefiningOp();
    builder.setInsertionPointAfter(op);
    if (isAllocation(buffer))
      return type.getLayout().isIdentity() && isTracked(buffer) ? makeLocal(buffer, type) : Value();
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view || op->getNumResults() != 1 || !isa<MemRefType>(view.getViewSource().getType()))
      return {};
    Value source = shadowOf(view.getViewSource());
    if (!source)
      return {};
    builder.setInsertionPointAfter(op);
    IRMapping mapping;
    mapping.map(view.getViewSource(), source);
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(check::ShadowOp::typeFor(type));
    return clone->getResult(0);
  }

  bool isBinding(BlockArgument argument) {
    return argument.getOwner() == &func.getBody().front() && isa<MemRefType>(argument.getType()) &&
           func.getArgAttr(argument.getArgNumber(), "mica_sched.access");
  }

  Value shadowOfArgument(BlockArgument argument) {
    builder.setInsertionPointToStart(argument.getOwner());
    return check::ShadowOp::create(builder, argument.getLoc(), argument, Value(), /*filled=*/false);
  }

  /// Whether all that is done to `buffer` is known: no view of it goes where it is called otherwise.
  static bool isTracked(Value buffer) {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      if (isAllocation(buffer) && isa<memref::ReinterpretCastOp>(user))
        return true; // the memory of an allocation
      if (loadedBuffer(user) || (storedBuffer(user) && storedBuffer(user)->get() == buffer) ||
          isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::CopyOp, memref::DimOp, memref::DeallocOp,
              CallOpInterface>(user) ||
          isa_and_nonnull<check::MicaCheckDialect>(user->getDialect()))
        return true;
      if (isa<memref::SubViewOp, memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::TransposeOp,
              memref::AssumeAlignmentOp, memref::MemorySpaceCastOp>(user))
        return isa<MemRefType>(user->getResult(0).getType()) && isTracked(user->getResult(0));
      return false;
    });
  }

  /// Whether `buffer` is memory of the kernel's own.
  static bool isLocal(Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
      if (isa<memref::ViewOp>(view))
        return true;
      buffer = view.getViewSource();
    }
    return buffer.getDefiningOp<memref::AllocOp>() || buffer.getDefiningOp<memref::AllocaOp>();
  }

  /// Whether memory of the kernel's own begins to be called `buffer`. Behind mica-codegen-allocate-scratch a view of
  /// scratch memory is an allocation; of a size known at run time only, one that is cast to it.
  static bool isAllocation(Value buffer) {
    Operation *op = buffer.getDefiningOp();
    if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
      op = cast.getSource().getDefiningOp<memref::ReinterpretCastOp>();
    if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
      return isLocal(cast.getSource());
    return isa_and_nonnull<memref::AllocOp, memref::AllocaOp, memref::ViewOp>(op);
  }

  /// `body` for each element of `buffer`.
  void forEach(Location loc, Value buffer, llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0, rank = cast<MemRefType>(buffer.getType()).getRank(); dim < rank; ++dim)
      sizes.push_back(builder.createOrFold<memref::DimOp>(loc, buffer, dim));
    Value from = arith::ConstantIndexOp::create(builder, loc, 0),
          step = arith::ConstantIndexOp::create(builder, loc, 1);
    scf::buildLoopNest(builder, loc, SmallVector<Value>(sizes.size(), from), sizes,
                       SmallVector<Value>(sizes.size(), step),
                       [&](OpBuilder &inner, Location, ValueRange indices) { body(inner, indices); });
  }

  /// A shadow for memory of the kernel's own, all of it not written yet.
  Value makeLocal(Value buffer, MemRefType type) {
    const bool isFilled = prove && isFilledFirst(buffer, buffer.getParentBlock());
    if (isFilled && !holdsMoved(buffer)) {
      filled.insert(buffer);
      return {};
    }
    Location loc = buffer.getLoc();
    SmallVector<Value> dynamic;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        dynamic.push_back(builder.createOrFold<memref::DimOp>(loc, buffer, dim));
    Value memory = memref::AllocOp::create(builder, loc, check::ShadowOp::typeFor(type), dynamic);
    Value shadow = check::ShadowOp::create(builder, loc, buffer, memory, isFilled);
    if (!isFilled) {
      Value origin = check::OriginOp::create(builder, loc, allocations++);
      forEach(loc, shadow, [&](OpBuilder &inner, ValueRange indices) {
        memref::StoreOp::create(inner, loc, origin, shadow, indices);
      });
    }
    builder.setInsertionPoint(buffer.getParentBlock()->getTerminator());
    memref::DeallocOp::create(builder, loc, memory);
    return shadow;
  }

  /// Whether a value may be stored to `buffer` that was loaded elsewhere, and not computed.
  static bool holdsMoved(Value buffer) {
    return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      if (storedBuffer(user)) {
        Operation *op = storedOperand(user)->get().getDefiningOp();
        return !op || loadedBuffer(op) || isMovement(op) || isa<scf::IfOp>(op);
      }
      return isa<memref::CopyOp>(user) || llvm::any_of(user->getResults(), [](Value result) {
               return isa<MemRefType>(result.getType()) && holdsMoved(result);
             });
    });
  }

  /// The memory that `buffer` is a view of.
  static Value memoryOf(Value buffer) {
    while (!isAllocation(buffer))
      if (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
        buffer = view.getViewSource();
      else
        break;
    return buffer;
  }

  /// From here on all of `shadow` counts as written: something may have written it, nobody knows where.
  void fillShadow(Location loc, Value shadow) {
    Value written = zero(loc, builder.getI16Type());
    forEach(loc, shadow, [&](OpBuilder &inner, ValueRange indices) {
      memref::StoreOp::create(inner, loc, written, shadow, indices);
    });
  }

  void markWritten(Operation *after, Value buffer) {
    Value shadow = shadowOf(memoryOf(buffer));
    if (!shadow)
      return;
    builder.setInsertionPointAfter(after);
    fillShadow(after->getLoc(), shadow);
  }

  /// Of an argument with which more is done than is known.
  void markWritten(BlockArgument argument) {
    Value shadow = shadowOfArgument(argument);
    builder.setInsertionPointAfterValue(shadow);
    fillShadow(argument.getLoc(), shadow);
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------------------------------------------===//

  void visit(Operation *op) {
    if (OpOperand *buffer = loadedBuffer(op))
      return visitLoad(op, *buffer);
    if (storedBuffer(op))
      return visitStore(op);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranch(branch);
    if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
      return visitAtomic(atomic, atomic.getMemref(), atomic.getIndices());
    if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
      return visitAtomic(atomic, atomic.getMemref(), atomic.getIndices());
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return visitCopy(copy);
    if (isMovement(op))
      return visitMovement(op);
    if (isa<CallOpInterface>(op))
      for (Value operand : llvm::to_vector(op->getOperands()))
        if (isa<MemRefType>(operand.getType()))
          markWritten(op, operand);
  }

  /// A load or a store of the shadow of its buffer, with `others` in place of operands.
  Operation *mirrored(Operation *op, ArrayRef<std::pair<OpOperand *, Value>> others) {
    Operation *clone = builder.clone(*op);
    for (auto [operand, value] : others)
      clone->setOperand(operand->getOperandNumber(), value);
    // It may promise more than elements of two bytes keep.
    clone->removeAttr("alignment");
    clone->removeAttr("nontemporal");
    for (Value result : clone->getResults())
      result.setType(shadowType(result.getType()));
    return clone;
  }

  void visitLoad(Operation *op, OpOperand &buffer) {
    Value shadow = shadowOf(buffer.get());
    if (!shadow) {
      proved += filled.contains(memoryOf(buffer.get()));
      return;
    }
    builder.setInsertionPointAfter(op);
    SmallVector<std::pair<OpOperand *, Value>> others{{&buffer, shadow}};
    auto passes = [&](OpOperand &other) { others.push_back({&other, shadowOrZero(op->getLoc(), other.get())}); };
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::MaskedLoadOp, vector::GatherOp, vector::ExpandLoadOp>(
            [&](auto load) { passes(load.getPassThruMutable()); })
        .Case([&](vector::TransferReadOp load) { passes(load.getPaddingMutable()); });
    shadows[op->getResult(0)] = mirrored(op, others)->getResult(0);
  }

  void visitStore(Operation *op) {
    OpOperand &buffer = *storedBuffer(op), &value = *storedOperand(op);
    Value shadow = shadowOf(buffer.get());
    if (!shadow)
      return;
    builder.setInsertionPointAfter(op);
    mirrored(op, {{&buffer, shadow}, {&value, shadowOrZero(op->getLoc(), value.get())}});
  }

  void visitAtomic(Operation *op, Value buffer, ValueRange indices) {
    Value shadow = shadowOf(buffer);
    if (!shadow)
      return;
    builder.setInsertionPoint(op);
    Value origin = memref::LoadOp::create(builder, op->getLoc(), shadow, indices);
    ++reads;
    reportUnless(op->getLoc(), origin, buffer, indices, origin);
    builder.setInsertionPointAfter(op);
    memref::StoreOp::create(builder, op->getLoc(), zero(op->getLoc(), builder.getI16Type()), shadow, indices);
  }

  void visitCopy(memref::CopyOp op) {
    Value target = isa<MemRefType>(op.getTarget().getType()) ? shadowOf(op.getTarget()) : Value();
    if (!target)
      return;
    Location loc = op.getLoc();
    Value source = isa<MemRefType>(op.getSource().getType()) ? shadowOf(op.getSource()) : Value();
    builder.setInsertionPointAfter(op);
    if (!source)
      return fillShadow(loc, target);
    forEach(loc, target, [&](OpBuilder &inner, ValueRange indices) {
      Value moved = memref::LoadOp::create(inner, loc, source, indices);
      memref::StoreOp::create(inner, loc, moved, target, indices);
    });
  }

  void visitMovement(Operation *op) {
    if (llvm::none_of(op->getOpOperands(),
                      [&](OpOperand &operand) { return isMoved(operand) && shadows.contains(operand.get()); }))
      return;
    builder.setInsertionPointAfter(op);
    if (isa<arith::BitcastOp, vector::BitCastOp>(op)) {
      shadows[op->getResult(0)] = shadows.lookup(op->getOperand(0));
      return;
    }
    if (isUsedByChoice(op)) {
      // Of one of its operands that is uninitialized.
      Value origin;
      for (Value operand : op->getOperands())
        if (Value known = shadows.lookup(operand))
          origin = origin ? arith::MaxUIOp::create(builder, op->getLoc(), origin, known).getResult() : known;
      shadows[op->getResult(0)] = origin;
      return;
    }
    SmallVector<std::pair<OpOperand *, Value>> others;
    for (OpOperand &operand : op->getOpOperands())
      if (isMoved(operand))
        others.push_back({&operand, shadowOrZero(op->getLoc(), operand.get())});
    Operation *clone = builder.clone(*op);
    for (auto [operand, value] : others)
      clone->setOperand(operand->getOperandNumber(), value);
    for (auto [result, copied] : llvm::zip(op->getResults(), clone->getResults())) {
      copied.setType(shadowType(result.getType()));
      shadows[result] = copied;
    }
  }

  /// Results whose branches yield moved values get a twin that yields what is known of them.
  void visitBranch(scf::IfOp op) {
    SmallVector<unsigned> moved;
    if (op.getNumResults() > 0)
      for (auto [index, yields] :
           llvm::enumerate(llvm::zip(op.thenYield().getOperands(), op.elseYield().getOperands())))
        if (shadows.contains(std::get<0>(yields)) || shadows.contains(std::get<1>(yields)))
          moved.push_back(index);
    if (moved.empty())
      return;
    SmallVector<Type> types(op.getResultTypes());
    for (unsigned index : moved)
      types.push_back(shadowType(types[index]));
    for (scf::YieldOp yield : {op.thenYield(), op.elseYield()}) {
      builder.setInsertionPoint(yield);
      SmallVector<Value> more;
      for (unsigned index : moved)
        more.push_back(shadowOrZero(op.getLoc(), yield.getOperand(index)));
      yield.getResultsMutable().append(more);
    }
    builder.setInsertionPoint(op);
    auto wider = scf::IfOp::create(builder, op.getLoc(), types, op.getCondition(), /*addThenBlock=*/false,
                                   /*addElseBlock=*/false);
    wider->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    wider.getThenRegion().takeBody(op.getThenRegion());
    wider.getElseRegion().takeBody(op.getElseRegion());
    op->replaceAllUsesWith(wider.getResults().take_front(op.getNumResults()));
    for (auto [twin, index] : llvm::enumerate(moved))
      shadows[wider.getResult(index)] = wider.getResult(op.getNumResults() + twin);
    builder.eraseOp(op);
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Uses
  //===--------------------------------------------------------------------------------------------------------===//

  /// Whether `use` looks at the value, and does not only move it.
  bool isUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isMoved(use) || storedOperand(user) == &use || isa<check::InitializedOp, check::UninitializedOp>(user))
      return false;
    // Of a load, the value where nothing is loaded.
    if (loadedBuffer(user) && isa<VectorType>(use.get().getType()))
      return !llvm::TypeSwitch<Operation *, bool>(user)
                  .Case<vector::MaskedLoadOp, vector::GatherOp, vector::ExpandLoadOp>(
                      [&](auto load) { return &load.getPassThruMutable() == &use; })
                  .Default([](Operation *) { return false; });
    if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp()))
      return llvm::any_of(user->getParentOp()->getResult(use.getOperandNumber()).getUses(),
                          [&](OpOperand &outer) { return isUse(outer); });
    return true;
  }

  /// Whether between `user` and the block of `value` there is a branch that need not be taken.
  static bool isConditional(Operation *user, Value value) {
    for (Operation *op = user; op && op->getBlock() != value.getParentBlock(); op = op->getParentOp())
      if (isa_and_nonnull<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op->getParentOp()))
        return true;
    return false;
  }

  void checkUses(Value value, Value shadow) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : value.getUses())
      if (isUse(use))
        uses.push_back(&use);
    if (uses.empty())
      return;
    // The first in the code names the operation where the load does not.
    Operation *user = uses.back()->getOwner();
    ++reads;
    useInstead(value, shadow, uses);
    if (llvm::any_of(uses, [&](OpOperand *use) { return !isConditional(use->getOwner(), value); })) {
      builder.setInsertionPointAfterValue(shadow);
      return check(user, value, shadow);
    }
    SmallPtrSet<Block *, 4> done;
    for (OpOperand *use : llvm::reverse(uses)) {
      if (!done.insert(use->getOwner()->getBlock()).second)
        continue;
      builder.setInsertionPointToStart(use->getOwner()->getBlock());
      check(user, value, shadow);
    }
  }

  /// What is used is 0 if it is uninitialized: LLVM takes it that memory is not read before it is written, and would
  /// eliminate the report with the branch that leads to it.
  void useInstead(Value value, Value shadow, ArrayRef<OpOperand *> uses) {
    Location loc = value.getLoc();
    builder.setInsertionPointAfterValue(shadow);
    Value written = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, shadow, zero(loc, value.getType()));
    Value other = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
    Value used = arith::SelectOp::create(builder, loc, written, value, other);
    usedFor[used] = value;
    for (OpOperand *use : uses)
      use->set(used);
  }

  /// Of the load that `value` comes from, if it is of one operation of the program; else of what uses the value.
  Location locationOf(Value value, Operation *user) {
    Location load = loadBehind(value)->getLoc(), use = user->getLoc();
    return getOpIds(load).size() == 1 || getOpIds(use).empty() ? load : use;
  }

  /// The loads that `value` was moved from; conditionals, where they leave one.
  void findSources(Value value, SmallVectorImpl<Value> &sources) {
    Operation *op = value.getDefiningOp();
    if (!isMovement(op)) {
      if (!llvm::is_contained(sources, value))
        sources.push_back(value);
      return;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (isMoved(operand) && shadows.contains(operand.get()))
        findSources(operand.get(), sources);
  }

  /// A load from which the result `value` of a conditional comes.
  Operation *loadBehind(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      const unsigned index = cast<OpResult>(value).getResultNumber();
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
        Value yielded = yield.getOperand(index);
        if (Value before = usedFor.lookup(yielded))
          yielded = before;
        if (shadows.contains(yielded))
          return loadBehind(yielded);
      }
    }
    SmallVector<Value> sources;
    findSources(value, sources);
    return sources.front() == value ? op : loadBehind(sources.front());
  }

  /// Here, a report where `shadow` is not all 0.
  void check(Operation *user, Value value, Value shadow) {
    Location loc = value.getLoc();
    Value ok = builder.createOrFold<check::InitializedOp>(loc, builder.getI1Type(), shadow);
    auto branch = scf::IfOp::create(builder, loc, ok, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> sources;
    findSources(value, sources);
    if (sources.size() == 1)
      return report(locationOf(sources.front(), user), sources.front());
    for (Value source : sources) {
      Value written = builder.createOrFold<check::InitializedOp>(loc, builder.getI1Type(), shadows.lookup(source));
      auto inner = scf::IfOp::create(builder, loc, written, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard innerGuard(builder);
      builder.setInsertionPointToStart(inner.elseBlock());
      report(locationOf(source, user), source);
    }
  }

  void reportUnless(Location loc, Value origin, Value buffer, ValueRange indices, Value first) {
    Value ok = builder.createOrFold<check::InitializedOp>(loc, builder.getI1Type(), origin);
    auto branch = scf::IfOp::create(builder, loc, ok, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    Value one = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
    auto [memory, place] = indexInMemory(builder, loc, buffer, llvm::to_vector(indices));
    check::UninitializedOp::create(builder, loc, memory, place, one, first, IntegerAttr());
  }

  /// Reports the first uninitialized element of those that `source` was loaded from, and how many there are.
  void report(Location loc, Value source) {
    Value shadow = shadows.lookup(source);
    Value count, origin;
    SmallVector<Value> lanes;
    Value lane;
    if (auto type = dyn_cast<VectorType>(shadow.getType())) {
      const int64_t number = type.getNumElements();
      auto flatType = VectorType::get({number}, type.getElementType());
      auto numbersType = VectorType::get({number}, builder.getI64Type());
      Value flat = type == flatType ? shadow : vector::ShapeCastOp::create(builder, loc, flatType, shadow).getResult();
      Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(flatType));
      Value bad = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, flat, none);
      auto splat = [&](int64_t value) -> Value {
        return arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(numbersType, builder.getI64IntegerAttr(value)));
      };
      SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, number));
      Value numbers = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(numbersType, ArrayRef(order)));
      Value places = arith::SelectOp::create(builder, loc, bad, numbers, splat(number - 1));
      Value first = vector::ReductionOp::create(builder, loc, vector::CombiningKind::MINUI, places);
      count = vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD,
                                          arith::SelectOp::create(builder, loc, bad, splat(1), splat(0)));
      lane = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), first);
      origin = vector::ExtractOp::create(builder, loc, flat, OpFoldResult(lane));
      Value rest = lane;
      lanes.resize(type.getRank());
      for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
        Value size = arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
        lanes[dim] = dim ? arith::RemUIOp::create(builder, loc, rest, size).getResult() : rest;
        rest = arith::DivUIOp::create(builder, loc, rest, size);
      }
    } else {
      count = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
      origin = shadow;
    }
    Operation *load = loadBehind(source);
    if (auto branch = source.getDefiningOp<scf::IfOp>(); branch && !isPlacedOutside(load, source, branch)) {
      Value memory = memoryOf(loadedBuffer(load)->get());
      check::UninitializedOp::create(builder, loc, memory, ValueRange(), count, origin, IntegerAttr());
      return;
    }
    SmallVector<Value> indices = indicesOf(loc, load, lanes, lane);
    auto [memory, place] = indexInMemory(builder, loc, loadedBuffer(load)->get(), indices);
    const bool known = cast<MemRefType>(memory.getType()).getRank() == static_cast<int64_t>(place.size());
    check::UninitializedOp::create(builder, loc, memory, known ? ValueRange(place) : ValueRange(), count, origin,
                                   IntegerAttr());
  }

  /// Whether `source`, a result of `branch`, is what `load` gives, at a place that is known outside.
  static bool isPlacedOutside(Operation *load, Value source, scf::IfOp branch) {
    return load->getResult(0).getType() == source.getType() && load->getParentOp() == branch &&
           llvm::none_of(load->getOperands(),
                         [&](Value operand) { return branch->isAncestor(operand.getParentRegion()->getParentOp()); });
  }

  /// The index in its buffer of the element at `lanes` of what `load` gives.
  SmallVector<Value> indicesOf(Location loc, Operation *load, ArrayRef<Value> lanes, Value lane) {
    auto plus = [&](Value a, Value b) -> Value { return builder.createOrFold<arith::AddIOp>(loc, a, b); };
    return llvm::TypeSwitch<Operation *, SmallVector<Value>>(load)
        .Case([&](memref::LoadOp op) { return llvm::to_vector_of<Value>(op.getIndices()); })
        .Case([&](vector::TransferReadOp op) {
          SmallVector<Value> indices(op.getIndices());
          for (auto [dim, expr] : llvm::enumerate(op.getPermutationMap().getResults()))
            if (auto place = dyn_cast<AffineDimExpr>(expr))
              indices[place.getPosition()] = plus(indices[place.getPosition()], lanes[dim]);
          return indices;
        })
        .Case([&](vector::GatherOp op) {
          SmallVector<Value> indices(op.getOffsets());
          auto type = cast<VectorType>(op.getIndices().getType());
          auto flatType = VectorType::get({type.getNumElements()}, type.getElementType());
          Value flat = type == flatType
                           ? op.getIndices()
                           : vector::ShapeCastOp::create(builder, loc, flatType, op.getIndices()).getResult();
          Value offset = vector::ExtractOp::create(builder, loc, flat, OpFoldResult(lane));
          if (!offset.getType().isIndex())
            offset = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), offset);
          indices.back() = plus(indices.back(), offset);
          return indices;
        })
        .Case<vector::LoadOp, vector::MaskedLoadOp, vector::ExpandLoadOp>([&](auto op) {
          SmallVector<Value> indices(op.getIndices());
          // Of an expanding load the lanes lie closer; the first of them is named.
          if (!isa<vector::ExpandLoadOp>(op.getOperation()))
            for (size_t i = 0; i < lanes.size(); ++i) {
              Value &index = indices[indices.size() - lanes.size() + i];
              index = plus(index, lanes[i]);
            }
          return indices;
        });
  }

  func::FuncOp func;
  const bool prove;
  IRRewriter builder;
  llvm::MapVector<Value, Value> shadows; ///< of loaded and moved values
  DenseMap<Value, Value> buffers;        ///< of memory; null for those that have none
  DenseMap<Value, Value> usedFor;        ///< what is used in place of a value: the value
  DenseSet<Value> filled;                ///< allocations that hold computed values only, each before it is read
};

struct InsertShadowsPass : mica::impl::InsertShadowsPassBase<InsertShadowsPass> {
  using InsertShadowsPassBase::InsertShadowsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    OpBuilder builder(&getContext());
    for (BlockArgument argument : func.getArguments()) {
      auto access = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "mica_sched.access");
      func.removeArgAttr(argument.getArgNumber(), check::kFillsAttr);
      if (prove && access && access == "write" && isFilledFirst(argument, &func.getBody().front()))
        func.setArgAttr(argument.getArgNumber(), check::kFillsAttr, builder.getUnitAttr());
    }
    Shadower shadower(func, prove);
    shadower.run();
    func->setAttr(check::kShadowsAttr, builder.getI64IntegerAttr(shadower.allocations));
    func->setAttr(check::kReadsAttr, builder.getI64IntegerAttr(shadower.reads + shadower.proved));
  }
};

} // namespace
