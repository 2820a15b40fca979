//===- OpWays.cpp - removing parts of IR --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h. Removes functions, ops, arguments, results and attributes. Results of removed ops become arguments;
// values that were only used by removed ops are returned, so that no further op becomes dead.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Reduction.h"
#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Constants of up to this many elements are not changed.
static constexpr int64_t kSmallConstant = 4;

//===------------------------------------------------------------------------------------------------------------===//
// Functions and other ops of modules
//===------------------------------------------------------------------------------------------------------------===//

static void listMembers(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_nonnull<ModuleOp>(op->getParentOp()))
      items.push_back({op});
  });
}

static bool eraseMembers(llvm::ArrayRef<ReductionItem> items) {
  llvm::SmallPtrSet<Operation *, 8> gone;
  for (const ReductionItem &item : items)
    gone.insert(item.op);
  for (const ReductionItem &item : llvm::reverse(items)) {
    // Ops nested in a removed member are removed with it.
    bool isInside = false;
    for (Operation *at = item.op->getParentOp(); at; at = at->getParentOp())
      isInside |= gone.contains(at);
    if (isInside || !item.op->use_empty())
      continue;
    gone.erase(item.op);
    item.op->erase();
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops of functions
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `op` is at the top level of a function, and not a terminator.
static bool isStep(Operation *op) {
  return isa_and_nonnull<FunctionOpInterface>(op->getParentOp()) && !op->hasTrait<OpTrait::IsTerminator>();
}

static void listSteps(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isStep(op))
      items.push_back({op});
  });
}

/// The return of a function of one block.
static func::ReturnOp returnOf(Operation *function) {
  auto func = dyn_cast<func::FuncOp>(function);
  if (!func || !llvm::hasSingleElement(func.getBody()))
    return nullptr;
  return dyn_cast<func::ReturnOp>(func.getBody().front().getTerminator());
}

static bool appendResults(Operation *function, llvm::ArrayRef<Value> values) {
  if (values.empty())
    return true;
  func::ReturnOp ret = returnOf(function);
  if (!ret)
    return false;
  auto func = cast<func::FuncOp>(function);
  for (Value value : values) {
    if (failed(func.insertResult(func.getNumResults(), value.getType(), {})))
      return false;
    ret->insertOperands(ret->getNumOperands(), value);
  }
  return true;
}

/// Removes ops of one function.
static bool cutSteps(FunctionOpInterface function, llvm::ArrayRef<Operation *> steps) {
  llvm::SmallPtrSet<Operation *, 16> gone(steps.begin(), steps.end());
  auto goes = [&](Operation *user) {
    for (Operation *at = user; at && at != function; at = at->getParentOp())
      if (gone.contains(at))
        return true;
    return false;
  };
  llvm::SetVector<Value> orphans;
  for (Operation *step : steps)
    step->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *maker = operand.getDefiningOp();
        if (maker && isStep(maker) && !goes(maker) && llvm::all_of(operand.getUsers(), goes))
          orphans.insert(operand);
      }
    });
  if (!appendResults(function, orphans.getArrayRef()))
    return false;
  for (Operation *step : steps)
    for (OpResult result : step->getResults()) {
      if (llvm::all_of(result.getUsers(), goes))
        continue;
      unsigned at = function.getNumArguments();
      if (failed(function.insertArgument(at, result.getType(), {}, result.getLoc())))
        return false;
      result.replaceUsesWithIf(function.getArgument(at), [&](OpOperand &use) { return !goes(use.getOwner()); });
    }
  for (Operation *step : llvm::reverse(steps)) {
    step->dropAllUses();
    step->erase();
  }
  return true;
}

static bool cutSteps(llvm::ArrayRef<ReductionItem> items) {
  llvm::MapVector<Operation *, std::vector<Operation *>> byFunction;
  for (const ReductionItem &item : items)
    byFunction[item.op->getParentOp()].push_back(item.op);
  return llvm::all_of(byFunction,
                      [](auto &each) { return cutSteps(cast<FunctionOpInterface>(each.first), each.second); });
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops inside other ops
//===------------------------------------------------------------------------------------------------------------===//

/// A replacement for `result` when its op is removed: an operand or block argument of its type.
static Value standIn(OpResult result) {
  for (Value operand : result.getOwner()->getOperands())
    if (operand.getType() == result.getType())
      return operand;
  for (BlockArgument argument : result.getOwner()->getBlock()->getArguments())
    if (argument.getType() == result.getType())
      return argument;
  return nullptr;
}

static bool canGo(Operation *op) {
  return llvm::all_of(op->getResults(), [](OpResult result) { return result.use_empty() || standIn(result); });
}

static void listInner(ModuleOp module, ReductionItems &items) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->hasTrait<OpTrait::IsTerminator>() && !isStep(op) && op->getParentOfType<FunctionOpInterface>() &&
        canGo(op))
      items.push_back({op});
  });
}

static void eraseWithMakers(Operation *op) {
  llvm::SmallVector<Operation *> makers;
  for (Value operand : op->getOperands())
    if (Operation *maker = operand.getDefiningOp(); maker && !isStep(maker))
      makers.push_back(maker);
  op->erase();
  llvm::SmallPtrSet<Operation *, 4> done;
  for (Operation *maker : makers)
    if (done.insert(maker).second && isOpTriviallyDead(maker))
      eraseWithMakers(maker);
}

static bool cutInner(llvm::ArrayRef<ReductionItem> items) {
  // One at a time: a replacement may itself be removed.
  Operation *op = items.front().op;
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(standIn(result));
  eraseWithMakers(op);
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Results, arguments, attributes
//===------------------------------------------------------------------------------------------------------------===//

/// Whether result `index` can be removed without making its op dead.
static bool isSpareResult(func::ReturnOp ret, int64_t index) {
  Value value = ret.getOperand(index);
  return isa<BlockArgument>(value) || !value.hasOneUse();
}

static void listResults(ModuleOp module, ReductionItems &items) {
  module.walk([&](func::FuncOp func) {
    if (func::ReturnOp ret = func.isExternal() ? func::ReturnOp() : returnOf(func))
      for (int64_t i = 0; i < static_cast<int64_t>(ret.getNumOperands()); ++i)
        if (isSpareResult(ret, i))
          items.push_back({func, i});
  });
}

static bool cutResults(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : llvm::reverse(items)) {
    func::ReturnOp ret = returnOf(item.op);
    if (!isSpareResult(ret, item.index))
      continue;
    ret->eraseOperand(item.index);
    if (failed(cast<func::FuncOp>(item.op).eraseResult(item.index)))
      return false;
  }
  return true;
}

static void listArguments(ModuleOp module, ReductionItems &items) {
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    for (BlockArgument argument : function.getArguments())
      if (argument.use_empty())
        items.push_back({function, argument.getArgNumber()});
  });
}

static bool cutArguments(llvm::ArrayRef<ReductionItem> items) {
  return llvm::all_of(llvm::reverse(items), [](const ReductionItem &item) {
    return succeeded(cast<FunctionOpInterface>(item.op).eraseArgument(item.index));
  });
}

static void listAttributes(ModuleOp module, ReductionItems &items) {
  module->walk([&](Operation *op) {
    for (size_t i = 0; i < op->getDiscardableAttrDictionary().size(); ++i)
      items.push_back({op, static_cast<int64_t>(i)});
  });
}

static bool cutAttributes(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : llvm::reverse(items))
    item.op->removeDiscardableAttr(item.op->getDiscardableAttrDictionary().getValue()[item.index].getName());
  return true;
}

static void listArgumentAttributes(ModuleOp module, ReductionItems &items) {
  module.walk([&](FunctionOpInterface function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (DictionaryAttr attributes = function.getArgAttrDict(i); attributes && !attributes.empty())
        items.push_back({function, i});
  });
}

static bool cutArgumentAttributes(llvm::ArrayRef<ReductionItem> items) {
  for (const ReductionItem &item : items)
    cast<FunctionOpInterface>(item.op).setArgAttrs(item.index, llvm::ArrayRef<NamedAttribute>());
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------------------------===//

DenseElementsAttr irtools::splatLike(ElementsAttr constant, int64_t number) {
  auto type = dyn_cast<ShapedType>(constant.getType());
  Type element = type ? type.getElementType() : Type();
  if (auto floats = dyn_cast_or_null<FloatType>(element)) {
    llvm::APFloat value(static_cast<double>(number));
    bool ignored = false;
    value.convert(floats.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &ignored);
    return DenseElementsAttr::get(type, value);
  }
  if (isa_and_nonnull<IntegerType, IndexType>(element)) {
    const unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    return DenseElementsAttr::get(type, llvm::APInt(width, number, /*isSigned=*/false, /*implicitTrunc=*/true));
  }
  return nullptr;
}

static ElementsAttr largeConstant(Operation *op) {
  auto value = dyn_cast_or_null<ElementsAttr>(op->getAttr("value"));
  if (!value || value.getNumElements() <= kSmallConstant)
    return nullptr;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && dense.isSplat() ? nullptr : value;
}

static void listConstants(ModuleOp module, ReductionItems &items) {
  module.walk([&](Operation *op) {
    if (largeConstant(op))
      items.push_back({op});
  });
}

static bool simplifyConstants(llvm::ArrayRef<ReductionItem> items) {
  bool any = false;
  for (const ReductionItem &item : items)
    if (ElementsAttr ones = splatLike(largeConstant(item.op), 1)) {
      item.op->setAttr("value", ones);
      any = true;
    }
  return any;
}

void irtools::replaceResources(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
    ElementsAttr ones = splatLike(attr, 1);
    return ones ? Attribute(ones) : Attribute(attr);
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/false);
}

llvm::ArrayRef<ReductionWay> irtools::removals() {
  static constexpr ReductionWay ways[] = {
      {listMembers, eraseMembers},     {listSteps, cutSteps},
      {listInner, cutInner, 1},        {listResults, cutResults},
      {listArguments, cutArguments},   {listArgumentAttributes, cutArgumentAttributes},
      {listAttributes, cutAttributes}, {listConstants, simplifyConstants}};
  return ways;
}
