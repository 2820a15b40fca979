//===- ValueNames.cpp - names of values and blocks ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ValueNames.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/ValueNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// `name` as an identifier; `buffer` holds it where that is another one.
static llvm::StringRef toIdentifier(llvm::StringRef name, llvm::SmallString<32> &buffer) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '$' || c == '.' || c == '_' || c == '-'; };
  const bool startsWithDigit = llvm::isDigit(name.front());
  if (!startsWithDigit && llvm::all_of(name, isPlain))
    return name;
  // Numbers are reserved for unnamed values.
  buffer = startsWithDigit ? "_" : "";
  for (char c : name) {
    if (isPlain(c))
      buffer.push_back(c);
    else if (c == ' ')
      buffer.push_back('_');
    else
      buffer += llvm::utohexstr(static_cast<unsigned char>(c));
  }
  return buffer;
}

OpAsmOpInterface ValueNames::interfaceOf(Operation *op) const { return dyn_cast<OpAsmOpInterface>(op); }

llvm::StringRef ValueNames::makeUnique(llvm::StringRef wanted) {
  llvm::SmallString<32> buffer;
  llvm::StringRef name = toIdentifier(wanted, buffer);
  if (!used.contains(name)) {
    name = name.copy(memory);
  } else {
    llvm::SmallString<64> probe(name);
    probe.push_back('_');
    const size_t length = probe.size();
    do {
      probe.resize(length);
      probe += llvm::utostr(nextConflict++);
    } while (used.contains(probe));
    name = probe.str().copy(memory);
  }
  used.insert(name);
  inOrder.push_back(name);
  return name;
}

ValueNames::Name ValueNames::nameFor(llvm::StringRef wanted) {
  if (wanted.empty())
    return {"", nextValue++};
  return {makeUnique(wanted), 0};
}

void ValueNames::start(Operation *op) {
  values.clear();
  blocks.clear();
  used.clear();
  inOrder.clear();
  memory.Reset();
  nextValue = nextArgument = nextConflict = 0;
  /// A region, and the names used in enclosing ones.
  struct Context {
    Region *region;
    unsigned value, argument, conflict;
    size_t names;
  };
  llvm::SmallVector<Context, 16> left;
  auto addRegionsOf = [&](Operation &each) {
    for (Region &region : each.getRegions())
      left.push_back({&region, nextValue, nextArgument, nextConflict, inOrder.size()});
  };
  for (Region &region : op->getRegions())
    left.push_back({&region, 0, 0, 0, 0});
  nameResults(*op);
  for (Context &context : left)
    context.names = inOrder.size();
  while (!left.empty()) {
    const Context context = left.pop_back_val();
    nextValue = context.value;
    nextArgument = context.argument;
    nextConflict = context.conflict;
    while (inOrder.size() > context.names)
      used.erase(inOrder.pop_back_val());
    nameRegion(*context.region);
    for (Operation &each : context.region->getOps())
      addRegionsOf(each);
  }
}

void ValueNames::nameRegion(Region &region) {
  if (Operation *op = region.getParentOp())
    if (auto interface = interfaceOf(op))
      interface.getAsmBlockArgumentNames(
          region, [&](Value argument, llvm::StringRef name) { values[argument] = nameFor(name); });
  int position = 0;
  for (Block &block : region) {
    BlockName &own = blocks.try_emplace(&block, BlockName{"", -1}).first->second;
    if (own.name.empty())
      own.name = llvm::StringRef("^bb" + std::to_string(position)).copy(memory);
    own.position = position++;
    nameBlock(block);
  }
}

void ValueNames::nameBlock(Block &block) {
  const bool isEntry = block.isEntryBlock();
  for (BlockArgument argument : block.getArguments()) {
    auto [it, isNew] = values.try_emplace(argument);
    if (!isNew)
      continue;
    if (!isEntry) {
      it->second = nameFor("");
      continue;
    }
    llvm::SmallString<16> name("arg");
    name += llvm::utostr(nextArgument++);
    it->second = nameFor(name);
  }
  for (Operation &op : block)
    nameResults(op);
}

void ValueNames::nameResults(Operation &op) {
  llvm::SmallVector<unsigned, 2> groups(1, 0);
  if (auto interface = interfaceOf(&op)) {
    interface.getAsmBlockNames([&](Block *block, llvm::StringRef name) {
      llvm::SmallString<32> buffer;
      blocks[block] = {llvm::StringRef("^" + toIdentifier(name, buffer).str()).copy(memory), -1};
    });
    interface.getAsmResultNames([&](Value result, llvm::StringRef name) {
      values[result] = nameFor(name);
      if (const unsigned number = cast<OpResult>(result).getResultNumber())
        groups.push_back(number);
    });
  }
  const unsigned count = op.getNumResults();
  if (count == 0)
    return;
  if (auto [it, isNew] = values.try_emplace(op.getResult(0)); isNew)
    it->second = {"", nextValue++};
  if (count == 1)
    return;
  llvm::sort(groups);
  for (size_t group = 0; group < groups.size(); ++group) {
    const unsigned end = group + 1 < groups.size() ? groups[group + 1] : count, size = end - groups[group];
    Name name = values.lookup(op.getResult(groups[group]));
    for (unsigned i = 0; i < size; ++i) {
      name.inGroup = size == 1 ? -1 : static_cast<int>(i);
      values[op.getResult(groups[group] + i)] = name;
    }
  }
}

void ValueNames::print(llvm::raw_ostream &os, Value value) const {
  auto it = value ? values.find(value) : values.end();
  if (it == values.end()) {
    os << (value ? "<<UNKNOWN SSA VALUE>>" : "<<NULL VALUE>>");
    return;
  }
  os << '%';
  if (it->second.text.empty())
    os << it->second.number;
  else
    os << it->second.text;
  if (it->second.inGroup >= 0)
    os << '#' << it->second.inGroup;
}

void ValueNames::printResults(llvm::raw_ostream &os, Operation *op) const {
  const unsigned count = op->getNumResults();
  for (unsigned i = 0; i < count;) {
    const Name name = values.lookup(op->getResult(i));
    unsigned size = 1;
    if (name.inGroup == 0)
      while (i + size < count && values.lookup(op->getResult(i + size)).inGroup > 0)
        ++size;
    os << (i ? ", %" : "%");
    if (name.text.empty())
      os << name.number;
    else
      os << name.text;
    if (size > 1)
      os << ':' << size;
    i += size;
  }
}

void ValueNames::shadow(Region &region, ValueRange names) {
  for (auto [argument, shown] : llvm::zip(region.getArguments(), names)) {
    if (!shown)
      continue;
    std::string name;
    llvm::raw_string_ostream os(name);
    print(os, shown);
    values[argument] = {llvm::StringRef(name).drop_front().copy(memory), 0};
  }
}
