//===- MutateModule.cpp - changes of a program in memory ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Mutate.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Mutate.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <array>
#include <limits>

using namespace mlir;
using namespace mica::fuzz;

static int64_t edgeNumber(Random &random) {
  static constexpr std::array<int64_t, 20> kEdges{0,
                                                  1,
                                                  -1,
                                                  2,
                                                  3,
                                                  4,
                                                  7,
                                                  8,
                                                  16,
                                                  17,
                                                  32,
                                                  63,
                                                  64,
                                                  1000,
                                                  65536,
                                                  2147483647,
                                                  2147483648,
                                                  int64_t(1) << 62,
                                                  std::numeric_limits<int64_t>::max(),
                                                  std::numeric_limits<int64_t>::min()};
  return kEdges[below(random, kEdges.size())];
}

static APFloat edgeFloat(const llvm::fltSemantics &semantics, Random &random) {
  switch (below(random, 7)) {
  case 0:
    return APFloat::semanticsHasNaN(semantics) ? APFloat::getNaN(semantics) : APFloat::getZero(semantics);
  case 1:
    return APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics) : APFloat::getLargest(semantics);
  case 2:
    return APFloat::getLargest(semantics, /*Negative=*/true);
  case 3:
    return APFloat::getSmallest(semantics);
  case 4:
    return APFloat::getZero(semantics);
  case 5:
    return APFloat::getZero(semantics, /*Negative=*/true);
  default:
    return APFloat::getOne(semantics);
  }
}

/// An edge case whatever the attribute was.
static Attribute anyAttribute(MLIRContext *context, Random &random) {
  Builder builder(context);
  switch (below(random, 6)) {
  case 0:
    return builder.getDenseI64ArrayAttr({1, 2});
  case 1:
    return builder.getI64IntegerAttr(edgeNumber(random));
  case 2:
    return builder.getUnitAttr();
  case 3:
    return builder.getStringAttr("");
  case 4:
    return builder.getArrayAttr({});
  default:
    return builder.getDenseI64ArrayAttr({});
  }
}

static Attribute mutateNumbers(DenseI64ArrayAttr array, Random &random) {
  SmallVector<int64_t> numbers(array.asArrayRef());
  const size_t kind = below(random, 4);
  if (kind == 0 || numbers.empty())
    numbers.push_back(edgeNumber(random));
  else if (kind == 1)
    numbers.pop_back();
  else
    numbers[below(random, numbers.size())] = edgeNumber(random);
  return DenseI64ArrayAttr::get(array.getContext(), numbers);
}

static Attribute mutateList(ArrayAttr array, Random &random) {
  SmallVector<Attribute> items(array.getValue());
  const size_t kind = below(random, 4);
  if (items.empty())
    items.push_back(anyAttribute(array.getContext(), random));
  else if (kind == 0)
    items.push_back(items[below(random, items.size())]);
  else if (kind == 1)
    items.erase(items.begin() + ptrdiff_t(below(random, items.size())));
  else if (kind == 2)
    std::swap(items[below(random, items.size())], items[below(random, items.size())]);
  else if (Attribute &item = items[below(random, items.size())])
    item = mutateAttribute(item, random);
  return ArrayAttr::get(array.getContext(), items);
}

Attribute mica::fuzz::mutateAttribute(Attribute attribute, Random &random) {
  if (below(random, 12) == 0)
    return anyAttribute(attribute.getContext(), random);
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    const unsigned width = number.getValue().getBitWidth();
    return IntegerAttr::get(number.getType(), APInt(64, uint64_t(edgeNumber(random)), true).sextOrTrunc(width));
  }
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(number.getType(), edgeFloat(number.getValue().getSemantics(), random));
  if (auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute))
    return mutateNumbers(numbers, random);
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    return mutateList(list, random);
  if (auto text = dyn_cast<StringAttr>(attribute))
    return StringAttr::get(attribute.getContext(), below(random, 2) ? text.getValue() + "x" : llvm::Twine(""));
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute)) {
    Type element = elements.getElementType();
    if (auto type = dyn_cast<FloatType>(element))
      return DenseElementsAttr::get(elements.getType(), edgeFloat(type.getFloatSemantics(), random));
    if (element.isIntOrIndex()) {
      const unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      return DenseElementsAttr::get(elements.getType(),
                                    APInt(64, uint64_t(edgeNumber(random)), true).sextOrTrunc(width));
    }
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute); dictionary && !dictionary.empty()) {
    SmallVector<NamedAttribute> members(dictionary.getValue());
    NamedAttribute &member = members[below(random, members.size())];
    member.setValue(mutateAttribute(member.getValue(), random));
    return DictionaryAttr::get(attribute.getContext(), members);
  }
  return attribute;
}

void mica::fuzz::collectAttributes(ModuleOp module, AttributePool &pool) {
  module->walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName().getValue().starts_with("mica"))
        pool.push_back({attribute.getName(), attribute.getValue()});
  });
}

/// A value of `type` that is made before `op` in its block, or a block's argument; null: there is none but `other`.
static Value valueBefore(Operation *op, Type type, Value other, Random &random) {
  SmallVector<Value> found;
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    for (Value result : before.getResults())
      if (result.getType() == type && result != other)
        found.push_back(result);
  }
  for (Block *block = op->getBlock(); block; block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr)
    for (Value argument : block->getArguments())
      if (argument.getType() == type && argument != other)
        found.push_back(argument);
  return found.empty() ? Value() : found[below(random, found.size())];
}

static void mutateOperand(Operation *op, Random &random) {
  if (op->getNumOperands() == 0)
    return;
  const auto first = unsigned(below(random, op->getNumOperands())),
             second = unsigned(below(random, op->getNumOperands()));
  Value a = op->getOperand(first), b = op->getOperand(second);
  if (first != second && a.getType() == b.getType() && below(random, 2)) {
    op->setOperand(first, b);
    op->setOperand(second, a);
  } else if (Value other = valueBefore(op, a.getType(), a, random)) {
    op->setOperand(first, other);
  }
}

/// A property of another kind than `value` becomes null, on which verifiers of MLIR crash: it stays as it was.
static void setAttribute(Operation *op, NamedAttribute old, Attribute value) {
  op->setAttr(old.getName(), value);
  if (op->getAttr(old.getName()) != value)
    op->setAttr(old.getName(), old.getValue());
}

static void mutateAttributeOf(Operation *op, const AttributePool &pool, Random &random) {
  SmallVector<NamedAttribute> attributes(op->getAttrDictionary().getValue());
  // Names of symbols and types of functions would mostly give something that is invalid.
  llvm::erase_if(attributes, [](NamedAttribute attribute) {
    return attribute.getName() == "sym_name" || attribute.getName() == "function_type" ||
           attribute.getName() == "operandSegmentSizes";
  });
  const size_t kind = below(random, 6);
  if (kind == 0 && !pool.empty()) {
    auto [name, value] = pool[below(random, pool.size())];
    op->setDiscardableAttr(name, below(random, 2) ? value : mutateAttribute(value, random));
    return;
  }
  if (attributes.empty())
    return;
  NamedAttribute chosen = attributes[below(random, attributes.size())];
  if (kind == 1 && op->getDiscardableAttr(chosen.getName()))
    op->removeDiscardableAttr(chosen.getName());
  else
    setAttribute(op, chosen, mutateAttribute(chosen.getValue(), random));
}

void mica::fuzz::mutateModule(ModuleOp module, const AttributePool &pool, Random &random) {
  SmallVector<Operation *> ops;
  module->walk([&](Operation *op) {
    if (op != module.getOperation())
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  Operation *op = ops[below(random, ops.size())];
  const bool isTerminator = op->hasTrait<OpTrait::IsTerminator>();
  switch (below(random, 10)) {
  case 0:
    if (op->use_empty() && !isTerminator && !op->hasAttr("sym_name"))
      op->erase();
    break;
  case 1:
    if (!isTerminator && !op->hasAttr("sym_name"))
      op->getBlock()->getOperations().insert(op->getIterator(), op->clone());
    break;
  case 2:
    if (Operation *before = op->getPrevNode(); before && !isTerminator)
      op->moveBefore(before);
    break;
  case 3:
    if (!op->use_empty())
      for (Value result : op->getResults())
        if (Value other = valueBefore(op, result.getType(), result, random))
          result.replaceAllUsesWith(other);
    break;
  case 4:
  case 5:
    mutateOperand(op, random);
    break;
  default:
    mutateAttributeOf(op, pool, random);
    break;
  }
}
