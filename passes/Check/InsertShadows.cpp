//===- InsertShadows.cpp - checking reads of uninitialized memory -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each buffer gets a shadow buffer with an i16 per element. Operations on the buffer are mirrored on the shadow: a load
// reads it, moving a loaded value also moves its shadow, a store writes it. If a loaded value is used other than by a
// move, mica_check.initialized tests its shadow:
//
//   %v = memref.load %a[%i]      %o = memref.load %shadow[%i]
//   %w = arith.addf %v, %v       scf.if (mica_check.initialized %o) {} else { mica_check.uninitialized %a[%i] ... }
//   memref.store %w, %b[%i]      memref.store 0, %b_shadow[%i]
//
// A value that a conditional yields takes its shadow along as an additional result; a loop-carried value counts as
// used.
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

  int64_t reads = 0;       ///< uses that are checked
  int64_t proved = 0;      ///< loads from buffers that are known to be initialized
  int64_t allocations = 0; ///< allocations of the kernel with a shadow

  void run() {
    for (BlockArgument argument : func.getArguments())
      if (isBinding(argument) && !isTracked(argument))
        markWritten(argument);
    // Inside out, so that the values that a conditional yields are known when it is visited.
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

  /// The shadow of `value`; 0 if it was not loaded or moved.
  Value shadowOrZero(Location loc, Value value) {
    Value known = shadows.lookup(value);
    return known ? known : zero(loc, value.getType());
  }

  //===--------------------------------------------------------------------------------------------------------===//
  // Shadows of buffers
  //===--------------------------------------------------------------------------------------------------------===//

  /// The shadow of `buffer`, created on first use; null if it has none: its elements count as initialized.
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

  /// Whether all accesses of `buffer` are known: no view of it is passed on under another name.
  static bool isTracked(Value buffer) {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      if (isAllocation(buffer) && isa<memref::ReinterpretCastOp>(user))
        return true; // the memory of an allocation
      if (loadedBuffer(user) || (storedBuffer(user) && storedBuffer(user)->get() == buffer) ||
          isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::CopyOp, memref::DimOp, memref::DeallocOp,
              CallOpInterface>(user) ||
          isa_and_present<check::MicaCheckDialect>(user->getDialect()))
        return true;
      if (isa<memref::SubViewOp, memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::TransposeOp,
              memref::AssumeAlignmentOp, memref::MemorySpaceCastOp>(user))
        return isa<MemRefType>(user->getResult(0).getType()) && isTracked(user->getResult(0));
      return false;
    });
  }

  /// Whether `buffer` is a temporary of the kernel.
  static bool isLocal(Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
      if (isa<memref::ViewOp>(view))
        return true;
      buffer = view.getViewSource();
    }
    return buffer.getDefiningOp<memref::AllocOp>() || buffer.getDefiningOp<memref::AllocaOp>();
  }

  /// Whether `buffer` is the result of an allocation in the kernel. After mica-codegen-allocate-scratch, a view of
  /// scratch memory is an allocation; for dynamic sizes, one that is cast to the buffer.
  static bool isAllocation(Value buffer) {
    Operation *op = buffer.getDefiningOp();
    if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
      op = cast.getSource().getDefiningOp<memref::ReinterpretCastOp>();
    if (auto cast = dyn_cast_or_null<memref::ReinterpretCastOp>(op))
      return isLocal(cast.getSource());
    return isa_and_present<memref::AllocOp, memref::AllocaOp, memref::ViewOp>(op);
  }

  /// Emits `body` for each element of `buffer`.
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

  /// A shadow for a temporary of the kernel, with all elements marked uninitialized.
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

  /// Whether a value that was loaded elsewhere, and not computed, may be stored to `buffer`.
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

  /// The allocation of which `buffer` is a view.
  static Value memoryOf(Value buffer) {
    while (!isAllocation(buffer))
      if (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
        buffer = view.getViewSource();
      else
        break;
    return buffer;
  }

  /// Marks all of `shadow` as initialized from here on, because an unknown element may have been written.
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

  /// Marks an argument as initialized that has unknown accesses.
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

  /// A load or a store of the shadow of its buffer, with operands replaced by `others`.
  Operation *mirrored(Operation *op, ArrayRef<std::pair<OpOperand *, Value>> others) {
    Operation *clone = builder.clone(*op);
    for (auto [operand, value] : others)
      clone->setOperand(operand->getOperandNumber(), value);
    // It may be larger than the alignment of the shadow's i16 elements.
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
      // The origin of an uninitialized operand.
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

  /// Results whose branches yield loaded values get an additional result that yields their shadows.
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

  /// Whether `use` depends on the value, and does not only move it.
  bool isUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (isMoved(use) || storedOperand(user) == &use || isa<check::InitializedOp, check::UninitializedOp>(user))
      return false;
    // For a masked load, the pass-through value.
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

  /// Whether a conditional branch lies between `user` and the block of `value`.
  static bool isConditional(Operation *user, Value value) {
    for (Operation *op = user; op && op->getBlock() != value.getParentBlock(); op = op->getParentOp())
      if (isa_and_present<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op->getParentOp()))
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
    // The first use in program order provides the location if the load has none.
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

  /// Uses 0 instead of an uninitialized value: LLVM treats a load of uninitialized memory as undefined, and would
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

  /// The location of the load that `value` comes from, if it belongs to one op of the program; else that of `user`.
  Location locationOf(Value value, Operation *user) {
    Location load = loadBehind(value)->getLoc(), use = user->getLoc();
    return getOpIds(load).size() == 1 || getOpIds(use).empty() ? load : use;
  }

  /// The loads from which `value` was moved, looking through conditionals if only one is possible.
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

  /// The load from which the result `value` of a conditional comes.
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

  /// Inserts a report that is executed if `shadow` is not all 0.
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

  /// Reports the first uninitialized element among those loaded by `source`, and their number.
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

  /// Whether `source`, a result of `branch`, is the result of `load`, at an index that is available outside.
  static bool isPlacedOutside(Operation *load, Value source, scf::IfOp branch) {
    return load->getResult(0).getType() == source.getType() && load->getParentOp() == branch &&
           llvm::none_of(load->getOperands(),
                         [&](Value operand) { return branch->isAncestor(operand.getParentRegion()->getParentOp()); });
  }

  /// The index in its buffer of the element at `lanes` of the result of `load`.
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
          // The lanes of an expanding load are compressed; its first element is reported.
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
  DenseMap<Value, Value> buffers;        ///< of memory; null for buffers without one
  DenseMap<Value, Value> usedFor;        ///< replacement for uses -> the original value
  DenseSet<Value> filled;                ///< allocations with computed values only, each written before it is read
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
