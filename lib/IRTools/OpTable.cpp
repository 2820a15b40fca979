//===- OpTable.cpp - hashes of the ops of a module --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpTable.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/OpTable.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

AttributeNames::AttributeNames() {
  // Constants with equal bytes are equal, whatever the handle's name. Without bytes (snapshots only print handles) the
  // name counts, without the number that a second parse in one context appends. The first attribute represents all, so
  // that containers have the kind of attribute that they expect.
  replacer.addReplacement([this](DenseResourceElementsAttr attr) -> std::optional<Attribute> {
    std::string text;
    if (AsmResourceBlob *blob = attr.getRawHandle().getBlob()) {
      text = "bytes " + std::to_string(static_cast<size_t>(llvm::hash_combine_range(blob->getData())));
    } else {
      llvm::StringRef key = attr.getRawHandle().getKey();
      auto [head, tail] = key.rsplit('_');
      bool isNumbered = !tail.empty() && tail.size() < 4 && llvm::all_of(tail, llvm::isDigit);
      text = ("key " + (isNumbered ? head : key)).str();
    }
    return resources.try_emplace({attr.getType().getAsOpaquePointer(), text}, attr).first->second;
  });
  // Distinct attributes of two parses are never equal.
  replacer.addReplacement([this](DistinctAttr attr) -> std::optional<Attribute> {
    return distinct.try_emplace(attr.getReferencedAttr(), attr).first->second;
  });
}

DictionaryAttr AttributeNames::attributesOf(Operation *op) {
  return cast<DictionaryAttr>(replacer.replace(op->getAttrDictionary()));
}

bool irtools::isCommutative(Operation *op) {
  if (op->hasTrait<OpTrait::IsCommutative>())
    return true;
  // The LLVM dialect has the trait on integer ops only.
  llvm::StringRef name = op->getName().getStringRef();
  return name.consume_front("llvm.") && llvm::StringSwitch<bool>(name)
                                            .Cases({"fadd", "fmul", "add", "mul", "and", "or", "xor"}, true)
                                            .Cases({"intr.maximum", "intr.minimum", "intr.maxnum", "intr.minnum"}, true)
                                            .Cases({"intr.smax", "intr.smin", "intr.umax", "intr.umin"}, true)
                                            .Default(false);
}

Operation *irtools::ancestorIn(Block *block, Operation *op) {
  while (op && op->getBlock() != block)
    op = op->getParentOp();
  return op;
}

static uint64_t hashOrigin(const Origin &origin) {
  llvm::hash_code hash(1);
  for (const std::string &id : origin.ids)
    hash = llvm::hash_combine(hash, id);
  for (const std::string &source : origin.sources)
    hash = llvm::hash_combine(hash, source);
  return hash;
}

OpTable::OpTable(const Document &document, AttributeNames &names) : names(names) {
  Operation *root = document.root.get();
  for (Region &region : root->getRegions())
    for (Block &block : region)
      for (Operation &op : block)
        number(&op);
  findCaptures();
  for (Region &region : root->getRegions())
    for (Block &block : region)
      hashBlock(block);
  llvm::DenseMap<const Origin *, uint64_t> known;
  for (OpEntry &entry : all)
    if (auto found = document.origins.find(entry.op); found != document.origins.end()) {
      auto [at, isNew] = known.try_emplace(found->second.get());
      if (isNew)
        at->second = hashOrigin(*found->second);
      entry.origin = at->second;
    }
}

void OpTable::number(Operation *op) {
  index[op] = static_cast<int64_t>(all.size());
  all.push_back({op});
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        number(&inner);
}

void OpTable::findCaptures() {
  for (OpEntry &entry : all)
    for (OpOperand &operand : entry.op->getOpOperands()) {
      Block *block = operand.get().getParentBlock();
      if (block == entry.op->getBlock())
        continue;
      opened.insert(entry.op->getBlock());
      // Values of a sibling block are compared, not hashed.
      if (Operation *holder = ancestorIn(block, entry.op))
        captures[holder].push_back(&operand);
    }
}

/// The position of a use by `user` if it matters: for a commutative op it does not.
static unsigned positionOf(const OpEntry &user, OpOperand &use) {
  return user.isCommutative ? 0 : use.getOperandNumber();
}

/// A value as seen in `block`: by its definition if that is in the block, else by its type.
static llvm::hash_code hashValue(Value value, Block *block, const OpTable &table) {
  llvm::hash_code type = llvm::hash_value(value.getType().getAsOpaquePointer());
  if (value.getParentBlock() != block)
    return type;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return llvm::hash_combine(argument.getArgNumber(), type);
  auto result = cast<OpResult>(value);
  return llvm::hash_combine(table.of(result.getOwner()).up, result.getResultNumber(), type);
}

void OpTable::hashOp(Operation *op) {
  OpEntry &entry = of(op);
  llvm::hash_code base = llvm::hash_value(op->getName().getAsOpaquePointer());
  DictionaryAttr attributes = names.attributesOf(op);
  base = llvm::hash_combine(base, attributes.getAsOpaquePointer(), op->getNumOperands());
  entry.isCommutative = isCommutative(op);
  for (Type type : op->getResultTypes())
    base = llvm::hash_combine(base, names.canonical(type).getAsOpaquePointer());
  // For ops such as scf.for the nested ops decide; upstream's query would walk the regions once per level.
  bool isRecursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  bool isPure = isRecursive || isMemoryEffectFree(op);
  for (Region &region : op->getRegions()) {
    base = llvm::hash_combine(base, 7);
    for (Block &block : region) {
      base = llvm::hash_combine(base, hashBlock(block));
      for (Operation &inner : block)
        isPure &= !isRecursive || of(&inner).isPure || inner.hasTrait<OpTrait::IsTerminator>();
    }
  }
  entry.isPure = isPure;
  entry.base = base;
  entry.isValue = isPure && !isRecursive && op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
                  op->getNumResults() != 0 && op->getNumSuccessors() == 0;
  if (!attributes.empty() && attributes.contains(SymbolTable::getSymbolAttrName()))
    entry.nameless = hashWithoutNames(op);
  llvm::hash_code up = base;
  uint64_t unordered = 0;
  for (Value operand : op->getOperands())
    if (llvm::hash_code value = hashValue(operand, op->getBlock(), *this); entry.isCommutative)
      unordered += llvm::hash_combine(value, 11);
    else
      up = llvm::hash_combine(up, value);
  up = llvm::hash_combine(up, unordered);
  // Nested ops are unordered here, and so are their uses.
  uint64_t captured = 0;
  if (auto found = captures.find(op); found != captures.end())
    for (OpOperand *use : found->second)
      captured += llvm::hash_combine(hashValue(use->get(), op->getBlock(), *this),
                                     positionOf(of(use->getOwner()), *use), of(use->getOwner()).base);
  entry.up = llvm::hash_combine(up, captured);
  entry.context = entry.up;
}

void OpTable::hashInContext(Block &block, llvm::function_ref<uint64_t(Value)> token) {
  if (!opened.contains(&block))
    return; // `context` equals `up`
  auto hashOf = [&](Value value) -> llvm::hash_code {
    llvm::hash_code type = llvm::hash_value(value.getType().getAsOpaquePointer());
    if (value.getParentBlock() != &block)
      return llvm::hash_combine(type, token(value));
    if (auto argument = dyn_cast<BlockArgument>(value))
      return llvm::hash_combine(argument.getArgNumber(), type);
    auto result = cast<OpResult>(value);
    return llvm::hash_combine(of(result.getOwner()).context, result.getResultNumber(), type);
  };
  for (Operation &op : block) {
    OpEntry &entry = of(&op);
    llvm::hash_code hash = entry.base;
    uint64_t unordered = 0;
    for (Value operand : op.getOperands())
      if (entry.isCommutative)
        unordered += llvm::hash_combine(hashOf(operand), 11);
      else
        hash = llvm::hash_combine(hash, hashOf(operand));
    if (auto found = captures.find(&op); found != captures.end())
      for (OpOperand *use : found->second)
        unordered +=
            llvm::hash_combine(hashOf(use->get()), positionOf(of(use->getOwner()), *use), of(use->getOwner()).base);
    entry.context = llvm::hash_combine(hash, unordered);
  }
}

uint64_t OpTable::hashWithoutNames(Operation *op) {
  NamedAttrList attributes(names.attributesOf(op));
  attributes.erase(SymbolTable::getSymbolAttrName());
  llvm::hash_code hash = llvm::hash_combine(op->getName().getAsOpaquePointer(),
                                            attributes.getDictionary(op->getContext()).getAsOpaquePointer());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (!op->hasTrait<OpTrait::SymbolTable>()) {
        hash = llvm::hash_combine(hash, blockHashes.lookup(&block));
        continue;
      }
      uint64_t inside = 0;
      for (Operation &inner : block)
        inside += llvm::hash_combine(of(&inner).nameless ? of(&inner).nameless : of(&inner).up, 13);
      hash = llvm::hash_combine(hash, inside);
    }
  return std::max<uint64_t>(hash, 1);
}

uint64_t OpTable::hashBlock(Block &block) {
  llvm::hash_code hash(block.getNumArguments());
  for (Type type : block.getArgumentTypes())
    hash = llvm::hash_combine(hash, names.canonical(type).getAsOpaquePointer());
  uint64_t pure = 0;
  for (Operation &op : block) {
    hashOp(&op);
    const OpEntry &entry = of(&op);
    if (entry.isPure || op.hasTrait<OpTrait::SymbolTable>() || op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      pure += entry.up;
    else
      hash = llvm::hash_combine(hash, entry.up);
  }
  hashUses(block);
  hash = llvm::hash_combine(hash, pure);
  blockHashes[&block] = hash;
  return hash;
}

void OpTable::hashUses(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    uint64_t uses = 0;
    for (OpResult result : op.getResults())
      for (OpOperand &use : result.getUses()) {
        Operation *user = ancestorIn(&block, use.getOwner());
        const OpEntry *entry = user ? &of(user) : nullptr;
        uses += llvm::hash_combine(result.getResultNumber(), entry ? entry->down : 3,
                                   user == use.getOwner() ? positionOf(*entry, use) : 1u << 20);
      }
    OpEntry &entry = of(&op);
    entry.down = llvm::hash_combine(entry.base, uses);
  }
}
