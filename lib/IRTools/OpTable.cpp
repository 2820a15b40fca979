//===- OpTable.cpp - the ops of a module with hashes of what is above and below them ----------------------------===//
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
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

AttributeNames::AttributeNames() {
  // Equal bytes are equal constants whatever the handle is called. Without bytes (layers show handles only) the key counts,
  // without the number that a second parse in one context appends. The first attribute seen stands for all, so whatever
  // holds one finds the kind of attribute it expects.
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
  // Distinct attributes are never equal in two parses.
  replacer.addReplacement([this](DistinctAttr attr) -> std::optional<Attribute> {
    return distinct.try_emplace(attr.getReferencedAttr(), attr).first->second;
  });
}

DictionaryAttr AttributeNames::attributesOf(Operation *op) {
  return cast<DictionaryAttr>(replacer.replace(op->getAttrDictionary()));
}

Operation *irtools::ancestorIn(Block *block, Operation *op) {
  while (op && op->getBlock() != block)
    op = op->getParentOp();
  return op;
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
  for (OpEntry &entry : all)
    if (auto found = document.origins.find(entry.op); found != document.origins.end()) {
      llvm::hash_code hash(1);
      for (const std::string &id : found->second.ids)
        hash = llvm::hash_combine(hash, id);
      for (const std::string &source : found->second.sources)
        hash = llvm::hash_combine(hash, source);
      entry.origin = hash;
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
      // Of another block of the same region there is no ancestor: such values are compared, not hashed.
      if (Operation *holder = ancestorIn(block, entry.op))
        captures[holder].push_back(&operand);
    }
}

/// A value as seen in `block`: by what computes it there, else by its type.
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
  base = llvm::hash_combine(base, names.attributesOf(op).getAsOpaquePointer(), op->getNumOperands());
  for (Type type : op->getResultTypes())
    base = llvm::hash_combine(base, names.canonical(type).getAsOpaquePointer());
  // What is inside decides for ops such as scf.for; asking upstream would walk the regions once per level.
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
  llvm::hash_code up = base;
  for (Value operand : op->getOperands())
    up = llvm::hash_combine(up, hashValue(operand, op->getBlock(), *this));
  // Inside, the order of ops says nothing, so that of the uses does not either.
  uint64_t captured = 0;
  if (auto found = captures.find(op); found != captures.end())
    for (OpOperand *use : found->second)
      captured += llvm::hash_combine(hashValue(use->get(), op->getBlock(), *this), use->getOperandNumber(),
                                     of(use->getOwner()).base);
  entry.up = llvm::hash_combine(up, captured);
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
  return llvm::hash_combine(hash, pure);
}

void OpTable::hashUses(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    uint64_t uses = 0;
    for (OpResult result : op.getResults())
      for (OpOperand &use : result.getUses()) {
        Operation *user = ancestorIn(&block, use.getOwner());
        bool isDirect = user == use.getOwner();
        uses += llvm::hash_combine(result.getResultNumber(), user ? of(user).down : 3,
                                   isDirect ? use.getOperandNumber() : 1u << 20);
      }
    OpEntry &entry = of(&op);
    entry.down = llvm::hash_combine(entry.base, uses);
  }
}
