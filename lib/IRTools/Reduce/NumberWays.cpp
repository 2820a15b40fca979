//===- NumberWays.cpp - simplifying constants and numbers in attributes -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h. A number becomes 0, or else 1, or else half of itself; a tensor of numbers a splat. Optional attributes
// are removed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <optional>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

namespace {
enum class Manner { Zero, One, Half };
} // namespace

/// A simpler number than `number`; nothing if this manner has none.
static std::optional<double> simplerNumber(double number, Manner manner) {
  const bool isSimple = number == 0 || number == 1;
  if (manner == Manner::Zero)
    return number == 0 ? std::nullopt : std::optional<double>(0);
  if (manner == Manner::One)
    return isSimple ? std::nullopt : std::optional<double>(1);
  if (isSimple || !std::isfinite(number) || std::fabs(number) < 2)
    return std::nullopt;
  return std::trunc(number == std::trunc(number) ? number / 2 : number);
}

/// The same for an integer without another meaning.
static std::optional<int64_t> simplerInteger(int64_t number, Manner manner) {
  if (ShapedType::isDynamic(number) || std::abs(number) > (int64_t(1) << 52))
    return manner == Manner::Zero && !ShapedType::isDynamic(number) ? std::optional<int64_t>(0) : std::nullopt;
  std::optional<double> simpler = simplerNumber(static_cast<double>(number), manner);
  return simpler ? std::optional<int64_t>(static_cast<int64_t>(*simpler)) : std::nullopt;
}

static Attribute simplerAttribute(Attribute attr, Manner manner);

static Attribute simplerElements(DenseIntOrFPElementsAttr elements, Manner manner) {
  if (elements.getNumElements() == 0)
    return nullptr;
  if (elements.isSplat()) {
    Attribute value = simplerAttribute(elements.getSplatValue<Attribute>(), manner);
    return value ? DenseElementsAttr::get(elements.getType(), value) : DenseElementsAttr();
  }
  if (manner == Manner::Half)
    return DenseElementsAttr::get(elements.getType(), *elements.getValues<Attribute>().begin());
  return splatLike(elements, manner == Manner::Zero ? 0 : 1);
}

template <typename ArrayT> static Attribute simplerArray(ArrayT array, Manner manner) {
  auto values = llvm::to_vector(array.asArrayRef());
  bool any = false;
  for (auto &value : values)
    if (std::optional<int64_t> simpler = simplerInteger(value, manner)) {
      value = static_cast<std::decay_t<decltype(value)>>(*simpler);
      any = true;
    }
  return any ? ArrayT::get(array.getContext(), values) : ArrayT();
}

static Attribute simplerMap(AffineMapAttr attr, Manner manner) {
  AffineMap map = attr.getValue();
  llvm::DenseMap<AffineExpr, AffineExpr> simpler;
  for (AffineExpr result : map.getResults())
    result.walk([&](AffineExpr part) {
      if (auto constant = dyn_cast<AffineConstantExpr>(part))
        if (std::optional<int64_t> number = simplerInteger(constant.getValue(), manner))
          simpler[part] = getAffineConstantExpr(*number, map.getContext());
    });
  if (simpler.empty())
    return nullptr;
  AffineMap changed = map.replace(simpler, map.getNumDims(), map.getNumSymbols());
  return changed == map ? AffineMapAttr() : AffineMapAttr::get(changed);
}

/// `attr` with simpler numbers; null if this manner has none.
static Attribute simplerAttribute(Attribute attr, Manner manner) {
  return llvm::TypeSwitch<Attribute, Attribute>(attr)
      .Case([&](IntegerAttr number) -> Attribute {
        if (number.getValue().getBitWidth() > 64)
          return nullptr;
        const bool isBit = number.getType().isInteger(1);
        const int64_t value = isBit ? int64_t(!number.getValue().isZero()) : number.getValue().getSExtValue();
        std::optional<int64_t> simpler = simplerInteger(value, manner);
        return simpler ? IntegerAttr::get(number.getType(), *simpler) : IntegerAttr();
      })
      .Case([&](FloatAttr number) -> Attribute {
        std::optional<double> simpler = simplerNumber(number.getValueAsDouble(), manner);
        return simpler ? FloatAttr::get(number.getType(), *simpler) : FloatAttr();
      })
      .Case([&](DenseIntOrFPElementsAttr elements) { return simplerElements(elements, manner); })
      .Case<DenseI64ArrayAttr, DenseI32ArrayAttr>([&](auto array) { return simplerArray(array, manner); })
      .Case([&](AffineMapAttr map) { return simplerMap(map, manner); })
      .Default(Attribute());
}

/// Attributes that are not numbers in meaning: groupings of operands, kinds of an op. A loop with a step of 0 would not
/// terminate, and a size that differs from its type is not always an error.
static bool isName(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"operandSegmentSizes", "resultSegmentSizes", "predicate", "overflowFlags", "fastmath", "alignment",
              "step", "static_sizes", "static_strides", "static_output_shape"},
             true)
      .Default(false);
}

static void listNumbers(ModuleOp module, ReductionItems &items, Manner manner) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOpInterface, ModuleOp>(op))
      return;
    for (auto [i, attr] : llvm::enumerate(op->getAttrs()))
      if (!isName(attr.getName().strref()) && simplerAttribute(attr.getValue(), manner))
        items.push_back({op, static_cast<int64_t>(i)});
  });
}

static bool changeNumbers(llvm::ArrayRef<ReductionItem> items, Manner manner) {
  // Attributes keep their positions: none is added or removed.
  for (const ReductionItem &item : items) {
    const NamedAttribute attr = item.op->getAttrs()[item.index];
    item.op->setAttr(attr.getName(), simplerAttribute(attr.getValue(), manner));
  }
  return true;
}

template <Manner manner> static void list(ModuleOp module, ReductionItems &items) {
  listNumbers(module, items, manner);
}
template <Manner manner> static bool change(llvm::ArrayRef<ReductionItem> items) {
  return changeNumbers(items, manner);
}

static void listOptional(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The attributes of a function are read before it is verified.
    if (isa<ModuleOp, FunctionOpInterface>(op))
      return;
    llvm::ArrayRef<StringAttr> names = op->getName().getAttributeNames();
    for (auto [i, attr] : llvm::enumerate(op->getAttrs()))
      if (llvm::is_contained(names, attr.getName()) && attr.getName() != SymbolTable::getSymbolAttrName() &&
          attr.getName() != "operandSegmentSizes" && attr.getName() != "resultSegmentSizes" &&
          attr.getName() != "predicate")
        items.push_back({op, static_cast<int64_t>(i)});
  });
}

static bool removeOptional(llvm::ArrayRef<ReductionItem> items) {
  Operation *op = items.front().op;
  op->removeAttr(op->getAttrs()[items.front().index].getName());
  if (op->getPropertiesStorageSize() > 0)
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
  return true;
}

llvm::ArrayRef<ReductionWay> irtools::numberWays() {
  static constexpr ReductionWay ways[] = {{list<Manner::Zero>, change<Manner::Zero>},
                                          {list<Manner::One>, change<Manner::One>},
                                          {list<Manner::Half>, change<Manner::Half>},
                                          {listOptional, removeOptional, 1}};
  return ways;
}
