//===- Mixture.cpp - a program between the input and the output of a pass -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Mixture.h. Ops are copied with the operands that they have in their own program; once all are there, these become
// those of the mixture.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Mixture.h"

#include "lib/Bisect/Play.h"
#include "lib/IRTools/LongestIncreasingSubsequence.h"
#include "lib/IRTools/TestGenProbe.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// Whether it does no harm that `op` is there though nothing uses it.
static bool isHarmless(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || op->getNumRegions())
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::all_of(instances, [](const MemoryEffects::EffectInstance &instance) {
    return isa<MemoryEffects::Allocate, MemoryEffects::Read>(instance.getEffect());
  });
}

static bool isSymbol(Operation *op) { return op->hasAttr(SymbolTable::getSymbolAttrName()); }

static bool hasEnd(Block &block) { return !block.empty() && block.back().hasTrait<OpTrait::IsTerminator>(); }

Mixture::Mixture(ModuleOp input, ModuleOp output, By by)
    : before(irtools::documentOf(cast<ModuleOp>(input->clone()), {})),
      after(irtools::documentOf(cast<ModuleOp>(output->clone()), {})), by(by) {
  const irtools::ModuleDiff diff = irtools::diffDocuments(before, after);
  for (const irtools::Pairing &pair : diff.pairs) {
    partners[pair.before] = pair.after;
    partners[pair.after] = pair.before;
  }
  // What differs is known once every value has its counterpart.
  OwningOpRef<ModuleOp> first = make(0);
  llvm::DenseMap<Operation *, MixedChange> found;
  for (const auto &[pair, isWhole] : pairs)
    if (MixedChange change = difference(pair.before, pair.after, isWhole); !change.what.empty())
      found[pair.before] = std::move(change);
    else if (moved.contains(pair.before))
      found[pair.before] = {pair.before->getName().getStringRef().str() + " moved", pair.before, pair.after,
                            pair.before};
  for (const auto &[op, isAdded] : singles)
    found[op] = {op->getName().getStringRef().str() + (isAdded ? " added" : " removed"), isAdded ? nullptr : op,
                 isAdded ? op : nullptr, op};
  for (Operation *op : order)
    if (auto change = found.find(op); change != found.end()) {
      choices[op] = all.size();
      all.push_back(std::move(change->second));
    }
}

bool Mixture::isTaken(Operation *op) const {
  auto choice = choices.find(op);
  return choice != choices.end() && choice->second < taken;
}

bool Mixture::canMergeRegions(Operation *was, Operation *is) const {
  if (by == By::Function && isSymbol(was))
    return false;
  if (was->getNumRegions() != is->getNumRegions())
    return false;
  for (auto [a, b] : llvm::zip(was->getRegions(), is->getRegions())) {
    if (a.getBlocks().size() != b.getBlocks().size())
      return false;
    for (auto [first, second] : llvm::zip(a, b))
      if (first.getArgumentTypes() != second.getArgumentTypes() || hasEnd(first) != hasEnd(second))
        return false;
  }
  return true;
}

MixedChange Mixture::difference(Operation *was, Operation *is, bool isWhole) const {
  const std::string name = is->getName().getStringRef().str();
  auto change = [&](const std::string &what, Operation *at = nullptr) {
    return MixedChange{what, was, is, at ? at : was};
  };
  if (isWhole) {
    auto symbol = was->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return change(printedAlone(was) == printedAlone(is) ? "" : symbol ? "@" + symbol.str() : name + " as a whole");
  }
  if (was->getName() != is->getName())
    return change(was->getName().getStringRef().str() + " became " + name);
  for (NamedAttribute attribute : is->getAttrDictionary())
    if (was->getAttrDictionary().get(attribute.getName()) != attribute.getValue())
      return change(name + ": attribute '" + attribute.getName().str() + "'");
  if (was->getAttrDictionary() != is->getAttrDictionary())
    return change(name + ": attributes");
  if (was->getNumOperands() != is->getNumOperands())
    return change(name + ": operands");
  for (unsigned i = 0; i < is->getNumSuccessors(); ++i)
    if (blocks.lookup(was->getSuccessor(i)) != blocks.lookup(is->getSuccessor(i)))
      return change(name + ": successor " + std::to_string(i));
  for (unsigned i = 0; i < is->getNumOperands(); ++i) {
    if (values.lookup(was->getOperand(i)) == values.lookup(is->getOperand(i)))
      continue;
    const std::string operand = name + ": operand " + std::to_string(i);
    Operation *used = was->getOperand(i).getDefiningOp();
    if (used && !partnerOf(used))
      return change(used->getName().getStringRef().str() + " removed; " + operand, used);
    return change(operand);
  }
  return change("");
}

void Mixture::addSingle(Operation *op, bool isAdded, Block &into) {
  if (!isHarmless(op) && !isSymbol(op)) {
    singles.push_back({op, isAdded});
    order.push_back(op);
    if (isTaken(op) != isAdded)
      return;
  }
  IRMapping inner;
  Operation *copy = op->clone(inner);
  into.push_back(copy);
  for (auto [old, now] : llvm::zip(op->getResults(), copy->getResults()))
    values[old] = now;
}

void Mixture::addPair(Operation *was, Operation *is, Block &into) {
  const bool isWhole = was->getNumRegions() + is->getNumRegions() > 0 && !canMergeRegions(was, is);
  pairs.push_back({{was, is}, isWhole});
  order.push_back(was);
  Operation *chosen = isTaken(was) ? is : was;
  IRMapping inner;
  Operation *copy = isWhole ? chosen->clone(inner) : chosen->cloneWithoutRegions();
  into.push_back(copy);
  for (auto [a, b, now] : llvm::zip(was->getResults(), is->getResults(), copy->getResults()))
    counterpart(a, b, now);
  if (isWhole)
    return;
  for (unsigned i = 0; i < was->getNumRegions(); ++i)
    mergeRegion(was->getRegion(i), is->getRegion(i), copy->getRegion(i));
}

void Mixture::mergeBlock(Block &was, Block &is, Block &into) {
  blocks[&was] = &into;
  blocks[&is] = &into;
  for (auto [a, b] : llvm::zip(was.getArguments(), is.getArguments()))
    counterpart(a, b, into.addArgument(a.getType(), a.getLoc()));
  auto partnerHere = [&](Operation *op, Block &block) -> Operation * {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return &block.back();
    Operation *partner = partnerOf(op);
    const bool isPair = partner && partner->getBlock() == &block && !partner->hasTrait<OpTrait::IsTerminator>() &&
                        partner->getResultTypes() == op->getResultTypes();
    return isPair ? partner : nullptr;
  };
  llvm::DenseMap<Operation *, int64_t> places;
  for (Operation &op : is)
    places[&op] = static_cast<int64_t>(places.size());
  SmallVector<Operation *> paired;
  std::vector<int64_t> sequence;
  for (Operation &op : was)
    if (Operation *partner = partnerHere(&op, is)) {
      paired.push_back(&op);
      sequence.push_back(places.lookup(partner));
    }
  for (auto [op, isKept] : llvm::zip(paired, irtools::keptInOrder(sequence)))
    if (!isKept)
      moved.insert(op);
  // What was added, or moved if that is taken, stands before the pair that it stands before in the output.
  Block::iterator next = is.begin();
  auto addUpTo = [&](Block::iterator end) {
    for (; next != end; ++next) {
      Operation *partner = partnerHere(&*next, was);
      if (!partner)
        addSingle(&*next, /*isAdded=*/true, into);
      else if (moved.contains(partner) && isTaken(partner))
        addPair(partner, &*next, into);
    }
  };
  for (Operation &op : was) {
    Operation *partner = partnerHere(&op, is);
    if (!partner) {
      addSingle(&op, /*isAdded=*/false, into);
      continue;
    }
    const bool isMoved = moved.contains(&op);
    if (isMoved && isTaken(&op))
      continue;
    if (!isMoved)
      addUpTo(partner->getIterator());
    addPair(&op, partner, into);
  }
  addUpTo(is.end());
}

void Mixture::mergeRegion(Region &was, Region &is, Region &into) {
  for (auto [first, second] : llvm::zip(was, is)) {
    into.push_back(new Block);
    mergeBlock(first, second, into.back());
  }
}

OwningOpRef<ModuleOp> Mixture::make(size_t count) {
  taken = count;
  values.clear();
  blocks.clear();
  moved.clear();
  pairs.clear();
  singles.clear();
  order.clear();
  OwningOpRef<ModuleOp> mixed = cast<ModuleOp>((*before.root)->cloneWithoutRegions());
  mergeRegion(before.root->getBodyRegion(), after.root->getBodyRegion(), mixed->getBodyRegion());
  bool isWhole = true;
  auto isIn = [&](Block *block) {
    Operation *owner = block->getParentOp();
    while (owner->getParentOp())
      owner = owner->getParentOp();
    return owner == *mixed;
  };
  mixed->walk([&](Operation *op) {
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
      if (Block *block = blocks.lookup(op->getSuccessor(i)))
        op->setSuccessor(block, i);
      else
        isWhole &= isIn(op->getSuccessor(i));
    for (OpOperand &operand : op->getOpOperands()) {
      if (isIn(operand.get().getParentBlock()))
        continue;
      Value value = values.lookup(operand.get());
      isWhole &= static_cast<bool>(value);
      operand.set(value);
    }
  });
  if (isWhole)
    return mixed;
  // Values that are not there leave null operands behind, which nothing may look at.
  mixed->walk([](Operation *op) { op->dropAllReferences(); });
  return nullptr;
}
