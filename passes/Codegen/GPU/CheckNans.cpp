//===- CheckNans.cpp - detecting NaN and infinities in stores --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Only stores to the kernel's results are checked. Temporaries, and values of a result that are overwritten later, do
// not matter to the user, so a finding is a hint for the host, which then examines the results of this kernel.
//
// The test is on the bits, so that fast-math assumptions (no NaN, no infinity) cannot remove it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Codegen/GPU/Passes.h"

#include "dialects/RootBuffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mica {
#define GEN_PASS_DEF_CHECKNANSPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// A store of floats: of one, or of a vector whose lanes are contiguous in the last dimension.
struct FloatStore {
  Operation *op;
  Value value, buffer;
  SmallVector<Value> indices;
  Value mask; ///< null: every lane is stored
};

std::optional<FloatStore> asStore(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return FloatStore{op, store.getValue(), store.getMemref(), store.getIndices(), {}};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return FloatStore{op, store.getValueToStore(), store.getBase(), store.getIndices(), {}};
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return FloatStore{op, store.getValueToStore(), store.getBase(), store.getIndices(), store.getMask()};
  // Out-of-bounds lanes are not stored; a finding there is not confirmed by the host.
  if (auto store = dyn_cast<vector::TransferWriteOp>(op);
      store && isa<MemRefType>(store.getBase().getType()) && store.getPermutationMap().isMinorIdentity())
    return FloatStore{op, store.getVector(), store.getBase(), store.getIndices(), store.getMask()};
  return std::nullopt;
}

/// Floats with the infinities and NaNs of IEEE 754: all exponent bits set.
bool hasKnownForm(Type type) { return type.isF16() || type.isBF16() || type.isF32() || type.isF64(); }

/// A constant that is finite, or -inf, with which masks and maxima are initialized.
bool isHarmless(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  auto harmless = [](const APFloat &number) {
    return number.isFinite() || (number.isInfinity() && number.isNegative());
  };
  FloatAttr number;
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&number)))
    return harmless(number.getValue());
  return matchPattern(value, m_Constant(&elements)) && llvm::all_of(elements.getValues<APFloat>(), harmless);
}

/// Whether indices of `buffer` are those of the allocation it is part of, or offsets in it.
bool saysPlace(Value buffer) {
  if (auto collapse = buffer.getDefiningOp<memref::CollapseShapeOp>())
    return collapse.getResultType().getRank() == 1 && isa<BlockArgument>(collapse.getSrc());
  return isa<BlockArgument>(buffer);
}

/// Inserts the test before one store.
class CheckInserter {
public:
  explicit CheckInserter(const FloatStore &store)
      : builder(store.op), loc(store.op->getLoc()), store(store), isVector(isa<VectorType>(store.value.getType())) {}

  void look() {
    Type element = getElementTypeOrSelf(store.value.getType());
    const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
    const unsigned width = element.getIntOrFloatBitWidth();
    Value bits = arith::BitcastOp::create(builder, loc, withElements(builder.getIntegerType(width)), store.value);
    Value infinity = all(APFloat::getInf(semantics).bitcastToAPInt());
    Value magnitude = arith::AndIOp::create(builder, loc, bits, all(APInt::getSignedMaxValue(width)));
    // Infinity has the smallest non-finite bits.
    Value odd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, magnitude, infinity);
    if (store.mask)
      odd = arith::AndIOp::create(builder, loc, odd, store.mask);
    auto branch = scf::IfOp::create(builder, loc, any(odd), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value isNan = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, magnitude, infinity);
    Value isInfinite = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, magnitude, infinity);
    note(isNan, /*asNan=*/true);
    note(isInfinite, /*asNan=*/false);
  }

private:
  Type withElements(Type element) {
    auto type = dyn_cast<VectorType>(store.value.getType());
    return type ? Type(VectorType::get(type.getShape(), element)) : element;
  }
  /// `value` in every lane.
  Value all(const APInt &value) {
    Type type = withElements(builder.getIntegerType(value.getBitWidth()));
    TypedAttr attribute = IntegerAttr::get(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, value);
    return arith::ConstantOp::create(builder, loc, attribute);
  }
  Value any(Value lanes) {
    return isVector ? vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, lanes).getResult() : lanes;
  }

  /// Records the first set lane of `lanes`.
  void note(Value lanes, bool asNan) {
    OpBuilder::InsertionGuard guard(builder);
    if (store.mask)
      lanes = arith::AndIOp::create(builder, loc, lanes, store.mask);
    auto branch = scf::IfOp::create(builder, loc, any(lanes), /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> indices;
    if (saysPlace(store.buffer)) {
      indices = store.indices;
      if (isVector && !indices.empty())
        indices.back() = arith::AddIOp::create(builder, loc, indices.back(), firstLane(lanes));
    }
    check::NotFiniteOp::create(builder, loc, store.buffer, indices, asNan ? builder.getUnitAttr() : UnitAttr(),
                               IntegerAttr());
  }

  Value firstLane(Value lanes) {
    auto type = VectorType::get(cast<VectorType>(store.value.getType()).getShape(), builder.getI32Type());
    SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(0, type.getDimSize(0)));
    Value counted = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
    Value none = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, int32_t(type.getDimSize(0))));
    Value on = arith::SelectOp::create(builder, loc, lanes, counted, none);
    Value first = vector::ReductionOp::create(builder, loc, vector::CombiningKind::MINUI, on);
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), first);
  }

  OpBuilder builder;
  const Location loc;
  const FloatStore &store;
  const bool isVector;
};

struct CheckNansPass : mica::impl::CheckNansPassBase<CheckNansPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); }).wasInterrupted())
      return;
    bool checksAll = true;
    llvm::SmallDenseSet<Value> results;
    for (BlockArgument argument : func.getArguments()) {
      auto access = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), sched::kAccessAttr);
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!access || !type || access.getValue() == "read" || !isa<FloatType>(type.getElementType()))
        continue;
      results.insert(argument);
      // Elements of such a buffer that are not stored are from before.
      checksAll &= access.getValue() == "write" && hasKnownForm(type.getElementType());
    }
    if (results.empty())
      return;
    SmallVector<FloatStore> stores;
    func.walk([&](Operation *op) {
      if (std::optional<FloatStore> store = asStore(op)) {
        if (!results.contains(mica::rootBuffer(store->buffer)))
          return;
        auto vector = dyn_cast<VectorType>(store->value.getType());
        if (!op->getParentOfType<gpu::LaunchOp>() || (vector && vector.getRank() != 1) ||
            !hasKnownForm(getElementTypeOrSelf(store->value.getType())))
          checksAll = false;
        else if (!isHarmless(store->value))
          stores.push_back(std::move(*store));
        return;
      }
      checksAll &= !writesOtherwise(op, results);
    });
    for (const FloatStore &store : stores)
      CheckInserter(store).look();
    Builder builder(&getContext());
    func->setAttr(check::kFiniteAttr, builder.getStringAttr(checksAll ? "all" : "some"));
    if (!func->hasAttr(check::kInsertedAttr))
      func->setAttr(check::kInsertedAttr, builder.getI64IntegerAttr(0));
    if (!func->hasAttr(check::kLevelAttr))
      func->setAttr(check::kLevelAttr, builder.getStringAttr("none"));
  }

private:
  /// Whether `op`, which is not one of the checked stores, may write to one of `results`.
  static bool writesOtherwise(Operation *op, const llvm::SmallDenseSet<Value> &results) {
    if (isa<ViewLikeOpInterface>(op) || op->getNumRegions() != 0)
      return false;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      if (!isa<BaseMemRefType>(operand.getType()) || !results.contains(mica::rootBuffer(operand)))
        return false;
      return !effects || isa<memref::ExtractAlignedPointerAsIndexOp>(op) ||
             effects.getEffectOnValue<MemoryEffects::Write>(operand).has_value();
    });
  }
};

} // namespace
