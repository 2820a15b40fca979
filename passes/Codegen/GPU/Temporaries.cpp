//===- Temporaries.cpp - sizes of temporaries of launches -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Temporaries.h"

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

/// The maximum length of arithmetic chains that are followed.
static constexpr int kMostSteps = 32;

Value mica::device::saturatedProduct(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> factors) {
  Value product = arith::ConstantIndexOp::create(builder, loc, 1);
  Value zero, most;
  for (OpFoldResult factor : factors) {
    Value value = getValueOrCreateConstantIndexOp(builder, loc, factor);
    auto known = getConstantIntValue(value), before = getConstantIntValue(product);
    int64_t folded = 0;
    if (known && before && *known >= 0 && !llvm::MulOverflow(*known, *before, folded)) {
      product = arith::ConstantIndexOp::create(builder, loc, folded);
      continue;
    }
    if (known == 1)
      continue;
    if (!zero) {
      zero = arith::ConstantIndexOp::create(builder, loc, 0);
      most = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int64_t>::max());
    }
    // A negative factor is treated as overflow too.
    if (before == 1) {
      Value positive = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, value, zero);
      product = arith::SelectOp::create(builder, loc, positive, value, most);
      continue;
    }
    auto wide = arith::MulUIExtendedOp::create(builder, loc, product, value);
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wide.getHigh(), zero);
    Value positive = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, wide.getLow(), zero);
    Value fits = arith::AndIOp::create(builder, loc, none, positive);
    product = arith::SelectOp::create(builder, loc, fits, wide.getLow(), most);
  }
  return product;
}

Value mica::device::temporaryBytes(OpBuilder &builder, Location loc, MemRefType type, ValueRange sizes) {
  SmallVector<OpFoldResult> factors = getMixedValues(type.getShape(), sizes, builder);
  factors.push_back(builder.getIndexAttr(temporaryElementBytes(type.getElementType())));
  return saturatedProduct(builder, loc, factors);
}

namespace {

class Bounds {
public:
  Bounds(OpBuilder &builder, llvm::function_ref<bool(Value)> isKnown) : builder(builder), isKnown(isKnown) {}

  /// The same value as `value`; null if it depends on values that are not known.
  Value exact(Value value, int steps = kMostSteps) {
    if (isKnown(value))
      return value;
    Operation *def = value.getDefiningOp();
    if (!def || steps == 0 || !isPure(def) || def->getNumRegions() != 0)
      return {};
    IRMapping mapping;
    for (Value operand : def->getOperands()) {
      Value inside = exact(operand, steps - 1);
      if (!inside)
        return {};
      mapping.map(operand, inside);
    }
    return builder.clone(*def, mapping)->getResult(cast<OpResult>(value).getResultNumber());
  }

  /// An upper bound of `value`, which is nonnegative.
  Value upper(Value value, int steps = kMostSteps) {
    if (Value same = exact(value))
      return same;
    FailureOr<int64_t> constant = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, value, /*stopCondition=*/nullptr, /*closedUB=*/true);
    if (succeeded(constant) && *constant >= 0)
      return arith::ConstantIndexOp::create(builder, value.getLoc(), *constant);
    Operation *def = value.getDefiningOp();
    if (!def || steps == 0)
      return {};
    auto larger = [&](Value a, Value b) -> Value {
      Value first = upper(a, steps - 1), second = first ? upper(b, steps - 1) : Value();
      return second ? arith::MaxSIOp::create(builder, value.getLoc(), first, second).getResult() : Value();
    };
    if (auto select = dyn_cast<arith::SelectOp>(def))
      return larger(select.getTrueValue(), select.getFalseValue());
    if (isa<arith::MaxSIOp, arith::MaxUIOp>(def))
      return larger(def->getOperand(0), def->getOperand(1));
    if (isa<arith::MinSIOp, arith::MinUIOp>(def)) {
      Value first = upper(def->getOperand(0), steps - 1);
      return first ? first : upper(def->getOperand(1), steps - 1);
    }
    return {};
  }

private:
  OpBuilder &builder;
  llvm::function_ref<bool(Value)> isKnown;
};

} // namespace

std::optional<SmallVector<Value>> mica::device::boundsOfSizes(OpBuilder &builder, memref::AllocOp alloc,
                                                              llvm::function_ref<bool(Value)> isKnown) {
  SmallVector<Value> bounds;
  if (!alloc.getType().getLayout().isIdentity())
    return std::nullopt;
  for (Value size : alloc.getDynamicSizes()) {
    Value bound = Bounds(builder, isKnown).upper(size);
    if (!bound)
      return std::nullopt;
    bounds.push_back(bound);
  }
  return bounds;
}
