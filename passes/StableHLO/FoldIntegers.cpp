//===- FoldIntegers.cpp - evaluates ops on constant integers ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FoldIntegers.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/FoldIntegers.h"

#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
namespace hlo = mica::stablehlo;

static constexpr int64_t kMostElements = 64;

using Integers = std::optional<SmallVector<APInt>>;

DenseIntElementsAttr hlotypes::constantOf(Value value) {
  auto constant = value.getDefiningOp<hlo::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : DenseIntElementsAttr();
  return elements && elements.getNumElements() <= kMostElements ? elements : DenseIntElementsAttr();
}

static bool isSigned(Value value) { return !getElementTypeOrSelf(value).isUnsignedInteger(); }

static std::optional<APInt> foldPair(Operation *op, const APInt &a, const APInt &b, bool isSignedOp) {
  const bool isBool = a.getBitWidth() == 1;
  return llvm::TypeSwitch<Operation *, std::optional<APInt>>(op)
      .Case([&](hlo::AddOp) { return isBool ? a | b : a + b; })
      .Case([&](hlo::SubtractOp) { return a - b; })
      .Case([&](hlo::MulOp) { return isBool ? a & b : a * b; })
      .Case([&](hlo::AndOp) { return a & b; })
      .Case([&](hlo::OrOp) { return a | b; })
      .Case([&](hlo::XorOp) { return a ^ b; })
      .Case([&](hlo::MaxOp) { return (isSignedOp && !isBool ? a.sgt(b) : a.ugt(b)) ? a : b; })
      .Case([&](hlo::MinOp) { return (isSignedOp && !isBool ? a.slt(b) : a.ult(b)) ? a : b; })
      .Case([&](hlo::DivOp) -> std::optional<APInt> {
        if (b.isZero())
          return std::nullopt;
        return isSignedOp ? a.sdiv(b) : a.udiv(b);
      })
      .Case([&](hlo::RemOp) -> std::optional<APInt> {
        if (b.isZero())
          return std::nullopt;
        return isSignedOp ? a.srem(b) : a.urem(b);
      })
      .Default([](Operation *) { return std::nullopt; });
}

static bool holds(hlo::ComparisonDirection direction, const APInt &a, const APInt &b, bool isSignedOp) {
  const int order = a == b ? 0 : (isSignedOp ? a.slt(b) : a.ult(b)) ? -1 : 1;
  switch (direction) {
  case hlo::ComparisonDirection::EQ:
    return order == 0;
  case hlo::ComparisonDirection::NE:
    return order != 0;
  case hlo::ComparisonDirection::GE:
    return order >= 0;
  case hlo::ComparisonDirection::GT:
    return order > 0;
  case hlo::ComparisonDirection::LE:
    return order <= 0;
  case hlo::ComparisonDirection::LT:
    return order < 0;
  }
  llvm_unreachable("all directions are handled");
}

static Integers foldOp(Operation *op, ArrayRef<SmallVector<APInt>> operands, RankedTensorType type) {
  const bool isSignedOp = op->getNumOperands() != 0 && isSigned(op->getOperand(0));
  const unsigned width = type.getElementTypeBitWidth();
  if (operands.size() == 2 && operands[0].size() == operands[1].size() &&
      !isa<hlo::ConcatenateOp, hlo::DynamicReshapeOp, hlo::DynamicBroadcastInDimOp>(op)) {
    SmallVector<APInt> values;
    auto compare = dyn_cast<hlo::CompareOp>(op);
    const bool inSigned = isSignedOp && operands[0].front().getBitWidth() != 1;
    for (auto [a, b] : llvm::zip_equal(operands[0], operands[1])) {
      const std::optional<APInt> value =
          compare ? APInt(1, holds(compare.getComparisonDirection(), a, b, inSigned)) : foldPair(op, a, b, isSignedOp);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    return values;
  }
  const auto each = [&](llvm::function_ref<APInt(const APInt &)> function) -> Integers {
    return llvm::map_to_vector(operands[0], function);
  };
  return llvm::TypeSwitch<Operation *, Integers>(op)
      .Case([&](hlo::NegOp) { return each([](const APInt &a) { return -a; }); })
      .Case([&](hlo::NotOp) { return each([](const APInt &a) { return ~a; }); })
      .Case([&](hlo::AbsOp) { return each([&](const APInt &a) { return isSignedOp ? a.abs() : a; }); })
      .Case([&](hlo::SignOp) {
        return each([&](const APInt &a) {
          return a.isZero() ? a : isSignedOp && a.isNegative() ? APInt::getAllOnes(width) : APInt(width, 1);
        });
      })
      .Case([&](hlo::ConvertOp convert) -> Integers {
        const bool from1 = operands[0].front().getBitWidth() == 1;
        return each([&](const APInt &a) {
          if (width == 1)
            return APInt(1, !a.isZero());
          return isSigned(convert.getOperand()) && !from1 ? a.sextOrTrunc(width) : a.zextOrTrunc(width);
        });
      })
      .Case<hlo::ReshapeOp, hlo::DynamicReshapeOp>([&](Operation *) -> Integers { return operands[0]; })
      .Case<hlo::BroadcastInDimOp, hlo::DynamicBroadcastInDimOp>([&](Operation *) -> Integers {
        if (operands[0].size() == 1)
          return SmallVector<APInt>(type.getNumElements(), operands[0].front());
        if (int64_t(operands[0].size()) == type.getNumElements() && type.getRank() == 1)
          return operands[0];
        return std::nullopt;
      })
      .Case([&](hlo::ConcatenateOp) -> Integers {
        if (type.getRank() != 1)
          return std::nullopt;
        SmallVector<APInt> values;
        for (const SmallVector<APInt> &operand : operands)
          llvm::append_range(values, operand);
        return values;
      })
      .Case([&](hlo::SliceOp slice) -> Integers {
        if (type.getRank() != 1)
          return std::nullopt;
        SmallVector<APInt> values;
        for (int64_t at = slice.getStartIndices()[0]; at < slice.getLimitIndices()[0]; at += slice.getStrides()[0])
          values.push_back(operands[0][at]);
        return values;
      })
      .Case([&](hlo::SelectOp) -> Integers {
        SmallVector<APInt> values;
        for (size_t i = 0; i < operands[1].size(); ++i)
          values.push_back(operands[0][operands[0].size() == 1 ? 0 : i].isZero() ? operands[2][i] : operands[1][i]);
        return values;
      })
      .Case([&](hlo::ClampOp) -> Integers {
        SmallVector<APInt> values;
        for (size_t i = 0; i < operands[1].size(); ++i) {
          const APInt &low = operands[0][operands[0].size() == 1 ? 0 : i],
                      &high = operands[2][operands[2].size() == 1 ? 0 : i], &value = operands[1][i];
          const APInt &raised = (isSignedOp ? value.slt(low) : value.ult(low)) ? low : value;
          values.push_back((isSignedOp ? raised.sgt(high) : raised.ugt(high)) ? high : raised);
        }
        return values;
      })
      .Default([](Operation *) { return std::nullopt; });
}

DenseIntElementsAttr hlotypes::foldIntegers(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || isa<hlo::ConstantOp>(op))
    return {};
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !isa<IntegerType>(type.getElementType()))
    return {};
  if (auto size = dyn_cast<hlo::GetDimensionSizeOp>(op)) {
    auto operand = cast<RankedTensorType>(size.getOperand().getType());
    if (operand.isDynamicDim(size.getDimension()))
      return {};
    const APInt value(type.getElementTypeBitWidth(), uint64_t(operand.getDimSize(size.getDimension())));
    return cast<DenseIntElementsAttr>(DenseElementsAttr::get(type, ArrayRef<APInt>(value)));
  }
  if (op->getNumOperands() == 0)
    return {};
  SmallVector<SmallVector<APInt>> operands;
  for (Value operand : op->getOperands()) {
    const DenseIntElementsAttr elements = constantOf(operand);
    if (!elements || elements.getNumElements() == 0)
      return {};
    operands.push_back(llvm::to_vector(elements.getValues<APInt>()));
  }
  if (!type.hasStaticShape()) {
    if (!isa<hlo::DynamicReshapeOp, hlo::DynamicBroadcastInDimOp>(op) &&
        !op->hasTrait<OpTrait::SameOperandsAndResultShape>())
      return {};
    auto shape = SmallVector<int64_t>(cast<RankedTensorType>(op->getOperand(0).getType()).getShape());
    if (!op->hasTrait<OpTrait::SameOperandsAndResultShape>())
      shape = llvm::map_to_vector(operands[1], [](const APInt &x) { return x.getSExtValue(); });
    if (int64_t(shape.size()) != type.getRank() || llvm::any_of(shape, [](int64_t size) { return size < 0; }))
      return {};
    type = RankedTensorType::get(shape, type.getElementType());
  }
  if (type.getNumElements() > kMostElements)
    return {};
  const Integers values = foldOp(op, operands, type);
  if (!values || int64_t(values->size()) != type.getNumElements())
    return {};
  return cast<DenseIntElementsAttr>(DenseElementsAttr::get(type, ArrayRef<APInt>(*values)));
}
