//===- LayerPack.cpp - many states of a program in few bytes ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LayerPack.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/LayerPack.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

#include <unistd.h>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static void append(std::string &bytes, uint64_t number) {
  if (number < 0x80)
    return bytes.push_back(static_cast<char>(number));
  while (number >= 0x80) {
    bytes.push_back(static_cast<char>(number | 0x80));
    number >>= 7;
  }
  bytes.push_back(static_cast<char>(number));
}

static void append(std::string &bytes, llvm::StringRef text) {
  append(bytes, text.size());
  bytes.append(text.data(), text.size());
}

LLVM_ATTRIBUTE_ALWAYS_INLINE static void addBytes(Words &words, const char *bytes, size_t size) {
  uint64_t word = 0;
  for (; size >= sizeof(word); bytes += sizeof(word), size -= sizeof(word)) {
    std::memcpy(&word, bytes, sizeof(word));
    words.add(word);
  }
  word = 0;
  std::memcpy(&word, bytes, size);
  words.add(word);
}

// What ends, which no address is.
static constexpr uint64_t kBlockEnd = 1, kRegionEnd = 2;

/// What `op` is by itself, and in `words` where it lies and what it takes. Returns what a head is made of.
/// Ops of a large program are not in the cache, and each is found from the one before: asks for the next while one is looked at.
/// Results lie before an op, operands behind.
static void fetchNext(Operation &op) {
  if (const auto *next = reinterpret_cast<const char *>(op.getNextNode()))
    for (int offset : {-64, 0, 64, 128})
      __builtin_prefetch(next + offset);
}

/// Inline: an identity needs one lane of the two.
LLVM_ATTRIBUTE_ALWAYS_INLINE static Words addOp(Words &words, Operation *op) {
  Words head;
  head.add(op->getName().getAsOpaquePointer());
  head.add(op->getRawDictionaryAttrs().getAsOpaquePointer());
  head.add(op->getNumOperands() | uint64_t(op->getNumResults()) << 32);
  head.add(op->getNumSuccessors() | uint64_t(op->getNumRegions()) << 32);
  for (OpResult result : op->getResults())
    head.add(result.getType().getAsOpaquePointer());
  // The bytes of the properties, and their hash for those that hold pointers of their own: an address may come back.
  if (const int size = op->getPropertiesStorageSize(); size > 0) {
    head.add(static_cast<size_t>(op->hashProperties()));
    addBytes(head, op->getPropertiesStorage().as<const char *>(), size);
  }
  words.add(op);
  words.add(head.a);
  words.add(static_cast<Attribute>(op->getLoc()).getAsOpaquePointer());
  for (OpOperand &operand : op->getOpOperands())
    words.add(operand.get().getAsOpaquePointer());
  for (BlockOperand &successor : op->getBlockOperands())
    words.add(successor.get());
  return head;
}

static void addBlock(Words &words, Block *block) {
  words.add(block);
  for (BlockArgument argument : block->getArguments()) {
    words.add(argument.getType().getAsOpaquePointer());
    words.add(static_cast<Attribute>(argument.getLoc()).getAsOpaquePointer());
  }
}

void AddressNumbers::grow() {
  std::vector<Slot> old(slots.size() * 2);
  old.swap(slots);
  --shift;
  for (const Slot &slot : old)
    if (slot.generation == generation)
      find(slot.address) = slot;
}

static OpPrintingFlags printingFlags() {
  // A limit of 0 keeps the printer from turning the weights into hexadecimal.
  return OpPrintingFlags().elideLargeResourceString(0);
}

LayerPack::LayerPack(MLIRContext *context) : printing(context, printingFlags()) {
  pieces.emplace_back().text = kLayerPackMagic.str();
}

//===------------------------------------------------------------------------------------------------------------===//
// What layers share
//===------------------------------------------------------------------------------------------------------------===//

/// Whether the printer puts `string` between quotes and changes nothing.
static bool isPlain(StringAttr string) {
  return llvm::all_of(string.getValue(), [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
}

unsigned LayerPack::attribute(Attribute attribute) {
  auto [it, isNew] = attributeNumbers.try_emplace(attribute, attributeNumbers.size());
  const unsigned number = it->second;
  if (!isNew)
    return number;
  definitions.push_back('A');
  // The ids of ops are most of all attributes.
  if (auto string = dyn_cast<StringAttr>(attribute); string && isa<NoneType>(string.getType()) && isPlain(string)) {
    append(definitions, string.size() + 2);
    definitions.push_back('"');
    definitions.append(string.getValue());
    definitions.push_back('"');
    return number;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os, printing);
  append(definitions, text);
  return number;
}

unsigned LayerPack::type(Type type) {
  auto [it, isNew] = typeNumbers.try_emplace(type, 0);
  if (isNew)
    it->second = attribute(TypeAttr::get(type));
  return it->second;
}

unsigned LayerPack::location(Location location) {
  if (static_cast<Attribute>(location) == lastLocation)
    return lastLocationNumber;
  if (auto it = locationNumbers.find(location); it != locationNumbers.end()) {
    lastLocation = location;
    return lastLocationNumber = it->second;
  }
  // Those inside come before it.
  std::string text;
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    text.push_back('f');
    append(text, fused.getMetadata() ? attribute(fused.getMetadata()) + 1 : 0);
    append(text, fused.getLocations().size());
    for (Location inner : fused.getLocations())
      append(text, this->location(inner));
  } else if (auto position = dyn_cast<FileLineColLoc>(location)) {
    text.push_back('p');
    append(text, attribute(position.getFilename()));
    append(text, position.getLine());
    append(text, position.getColumn());
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    text.push_back('n');
    append(text, attribute(named.getName()));
    append(text, this->location(named.getChildLoc()));
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    text.push_back('c');
    append(text, this->location(call.getCallee()));
    append(text, this->location(call.getCaller()));
  } else {
    text.push_back('a');
    append(text, attribute(static_cast<LocationAttr>(location)));
  }
  definitions.push_back('L');
  definitions += text;
  const unsigned number = locationNumbers.size();
  locationNumbers[location] = number;
  lastLocation = location;
  return lastLocationNumber = number;
}

unsigned LayerPack::head(Operation *op) {
  const Words key = addOp(identity, op);
  auto [it, isNew] = headNumbers.try_emplace({key.a, key.b}, headNames.size());
  const unsigned number = it->second;
  if (!isNew)
    return number;
  headNames.push_back(op->getName());
  std::string text;
  append(text, op->getName().getStringRef());
  append(text, attribute(op->getRawDictionaryAttrs()));
  const Attribute properties = op->getPropertiesAsAttribute();
  append(text, properties ? attribute(properties) + 1 : 0);
  append(text, op->getNumOperands());
  append(text, op->getNumSuccessors());
  append(text, op->getNumRegions());
  append(text, op->getNumResults());
  for (Type result : op->getResultTypes())
    append(text, type(result));
  definitions.push_back('H');
  definitions += text;
  return number;
}

//===------------------------------------------------------------------------------------------------------------===//
// A layer
//===------------------------------------------------------------------------------------------------------------===//

void LayerPack::value(Value value) {
  const unsigned next = values.size();
  auto [number, isNew] = values.number(value.getAsOpaquePointer());
  append(bytes, isNew ? 0 : next - number);
}

void LayerPack::block(Block *block) {
  const unsigned next = blocks.size();
  auto [number, isNew] = blocks.number(block);
  append(bytes, isNew ? 0 : next - number);
}

void LayerPack::visit(Operation *op) {
  ++ops;
  const unsigned number = head(op);
  if (number >= uses.size())
    uses.resize(2 * (number + 1));
  if (uses[number]++ == 0)
    used.push_back(number);
  append(bytes, number + 1); // 0 ends a block
  append(bytes, location(op->getLoc()));
  for (Value operand : op->getOperands())
    value(operand);
  for (Block *successor : op->getSuccessors())
    block(successor);
  for (OpResult result : op->getResults())
    value(result);
  for (Region &region : op->getRegions())
    visit(region);
}

void LayerPack::visit(Region &region) {
  append(bytes, region.getBlocks().size());
  for (Block &inner : region) {
    addBlock(identity, &inner);
    block(&inner);
    append(bytes, inner.getNumArguments());
    for (BlockArgument argument : inner.getArguments()) {
      value(argument);
      append(bytes, type(argument.getType()));
      append(bytes, location(argument.getLoc()));
    }
    for (Operation &op : inner) {
      fetchNext(op);
      visit(&op);
    }
    append(bytes, 0);
    identity.add(kBlockEnd);
  }
  identity.add(kRegionEnd);
}

LayerPack::Snapshot LayerPack::look(Operation *op) {
  bytes.clear();
  values.clear();
  blocks.clear();
  for (unsigned number : used)
    uses[number] = 0;
  used.clear();
  ops = 0;
  identity = Words();
  visit(op);
  return {llvm::xxh3_64bits(bytes), identity.a, ops};
}

static void addIdentity(Words &words, Operation *op) {
  addOp(words, op);
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      addBlock(words, &block);
      for (Operation &inner : block) {
        fetchNext(inner);
        addIdentity(words, &inner);
      }
      words.add(kBlockEnd);
    }
    words.add(kRegionEnd);
  }
}

uint64_t LayerPack::identityOf(Operation *op) {
  Words words;
  addIdentity(words, op);
  return words.a;
}

std::vector<std::pair<std::string, int64_t>> LayerPack::kinds() const {
  llvm::DenseMap<OperationName, int64_t> counts;
  for (unsigned number : used)
    counts[headNames[number]] += uses[number];
  std::vector<std::pair<std::string, int64_t>> result;
  for (auto &[name, count] : counts)
    result.push_back({name.getStringRef().str(), count});
  llvm::sort(result);
  return result;
}

void LayerPack::keep(llvm::StringRef name) {
  std::string text = std::move(definitions);
  definitions.clear();
  text.push_back('S');
  append(text, name);
  append(text, bytes);
  Piece &last = pieces.back(), &piece = pieces.emplace_back();
  piece.text = std::move(text);
  last.next = &piece;
}

std::string LayerPack::contents() const {
  std::string all;
  for (const Piece &piece : pieces)
    all += piece.text;
  return all;
}

void LayerPack::writeRaw(int file) const {
  for (const Piece *piece = &pieces.front(); piece; piece = piece->next) {
    const char *at = piece->text.data();
    for (size_t left = piece->text.size(); left > 0;) {
      const ssize_t done = ::write(file, at, left);
      if (done <= 0)
        return;
      at += done;
      left -= static_cast<size_t>(done);
    }
  }
}
