//===- SnapshotArchive.cpp - compact snapshots of a program -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SnapshotArchive.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/SnapshotArchive.h"

#include "lib/Compiler/Snapshot/EntryCursor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

LLVM_ATTRIBUTE_ALWAYS_INLINE static void addBytes(Hash128 &words, const char *bytes, size_t size) {
  uint64_t pair[2];
  for (; size >= sizeof(pair); bytes += sizeof(pair), size -= sizeof(pair)) {
    std::memcpy(pair, bytes, sizeof(pair));
    words.add(pair[0], pair[1]);
  }
  if (size == 0)
    return;
  pair[0] = pair[1] = 0;
  std::memcpy(pair, bytes, size);
  words.add(pair[0], pair[1]);
}

// End marks, which are not valid addresses.
static constexpr uint64_t kBlockEnd = 1, kRegionEnd = 2;

/// Bytes of a huge page. A good size on other systems too.
static constexpr size_t kHugePage = 2 << 20;

/// Number of operations between two entries of a trail, a power of two.
static constexpr unsigned kTrailStep = 64;

/// Whether `op`, which is nested, uses no values from outside.
static bool isPart(Operation *op) {
  return op->getNumRegions() > 0 && op->getNumOperands() == 0 && op->getNumResults() == 0 &&
         op->getNumSuccessors() == 0 && op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

/// Prefetches the next op while one is processed, because ops of a large program are not in the cache and form a linked
/// list. Results precede an op in memory, operands follow it.
static void fetchNext(Operation &op) {
  if (const auto *next = reinterpret_cast<const char *>(op.getNextNode()))
    for (int offset : {-64, 0, 64, 128})
      __builtin_prefetch(next + offset);
}

/// Hashes what defines `op` itself, and adds its position and operands to `words`. Returns the key of its head. Inline,
/// because computing an identity needs only one of the two lanes.
LLVM_ATTRIBUTE_ALWAYS_INLINE static Hash128 addOp(Hash128 &words, Operation *op) {
  Hash128 head;
  head.add(op->getName().getAsOpaquePointer(), op->getRawDictionaryAttrs().getAsOpaquePointer());
  head.add(op->getNumOperands() | uint64_t(op->getNumResults()) << 32,
           op->getNumSuccessors() | uint64_t(op->getNumRegions()) << 32);
  for (OpResult result : op->getResults())
    head.add(result.getType().getAsOpaquePointer());
  // The bytes of the properties, and their hash for properties that own pointers, since an address may be reused. If
  // properties have the size of one pointer per inherent attribute, these pointers are all they contain.
  if (const size_t size = op->getPropertiesStorageSize(); size > 0) {
    if (size != op->getName().getAttributeNames().size() * sizeof(Attribute))
      head.add(static_cast<size_t>(op->hashProperties()));
    addBytes(head, op->getPropertiesStorage().as<const char *>(), size);
  }
  words.add(op, static_cast<Attribute>(op->getLoc()).getAsOpaquePointer());
  llvm::MutableArrayRef<OpOperand> operands = op->getOpOperands();
  // An odd operand is hashed with the head.
  if (operands.size() % 2 == 1) {
    words.add(head.a, reinterpret_cast<uintptr_t>(operands.back().get().getAsOpaquePointer()));
    operands = operands.drop_back();
  } else {
    words.add(head.a);
  }
  for (; !operands.empty(); operands = operands.drop_front(2))
    words.add(operands[0].get().getAsOpaquePointer(), operands[1].get().getAsOpaquePointer());
  for (BlockOperand &successor : op->getBlockOperands())
    words.add(successor.get());
  return head;
}

static void addBlock(Hash128 &words, Block *block) {
  words.add(block);
  for (BlockArgument argument : block->getArguments()) {
    words.add(argument.getType().getAsOpaquePointer(), static_cast<Attribute>(argument.getLoc()).getAsOpaquePointer());
  }
}

static OpPrintingFlags archiveFlags() {
  // A limit of 0 keeps the printer from converting the weights to hexadecimal.
  return OpPrintingFlags().elideLargeResourceString(0);
}

SnapshotArchive::SnapshotArchive(MLIRContext *context) : printing(context, archiveFlags()) {
  store(kSnapshotArchiveMagic, "");
}

//===------------------------------------------------------------------------------------------------------------===//
// What snapshots share
//===------------------------------------------------------------------------------------------------------------===//

/// Whether the printer prints `string` in quotes without escapes.
static bool isPlain(StringAttr string) {
  return llvm::all_of(string.getValue(), [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
}

unsigned SnapshotArchive::attribute(Attribute attribute) {
  if (auto it = attributeNumbers.find(attribute); it != attributeNumbers.end())
    return it->second;
  // Elements are defined before the list. Many lists share most of their elements.
  auto addList = [&](char kind, size_t length, llvm::ArrayRef<unsigned> inside) {
    definitions.push_back(kind);
    appendNumber(definitions, length);
    for (unsigned number : inside)
      appendNumber(definitions, number);
  };
  llvm::SmallVector<unsigned, 16> inside;
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    for (NamedAttribute named : dictionary) {
      inside.push_back(this->attribute(named.getName()));
      inside.push_back(this->attribute(named.getValue()));
    }
    addList('D', dictionary.size(), inside);
  } else if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    for (Attribute element : array)
      inside.push_back(this->attribute(element));
    addList('V', array.size(), inside);
  } else if (auto string = dyn_cast<StringAttr>(attribute);
             string && isa<NoneType>(string.getType()) && isPlain(string)) {
    // Most of the other attributes are the ids of ops.
    definitions.push_back('A');
    appendNumber(definitions, string.size() + 2);
    definitions.push_back('"');
    definitions.append(string.getValue());
    definitions.push_back('"');
  } else {
    std::string text;
    llvm::raw_string_ostream os(text);
    attribute.print(os, printing);
    definitions.push_back('A');
    appendText(definitions, text);
  }
  return attributeNumbers.try_emplace(attribute, attributeNumbers.size()).first->second;
}

unsigned SnapshotArchive::type(Type type) {
  auto [it, isNew] = typeNumbers.try_emplace(type, 0);
  if (isNew)
    it->second = attribute(TypeAttr::get(type));
  return it->second;
}

unsigned SnapshotArchive::location(Location location) {
  if (static_cast<Attribute>(location) == lastLocation)
    return lastLocationNumber;
  if (auto it = locationNumbers.find(location); it != locationNumbers.end()) {
    lastLocation = location;
    return lastLocationNumber = it->second;
  }
  // Locations that it contains are defined first.
  llvm::SmallVector<unsigned, 8> numbers;
  char kind = 'a';
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    kind = 'f';
    numbers.push_back(fused.getMetadata() ? attribute(fused.getMetadata()) + 1 : 0);
    numbers.push_back(fused.getLocations().size());
    for (Location inner : fused.getLocations())
      numbers.push_back(this->location(inner));
  } else if (auto position = dyn_cast<FileLineColLoc>(location)) {
    kind = 'p';
    numbers = {attribute(position.getFilename()), position.getLine(), position.getColumn()};
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    kind = 'n';
    numbers = {attribute(named.getName()), this->location(named.getChildLoc())};
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    kind = 'c';
    numbers = {this->location(call.getCallee()), this->location(call.getCaller())};
  } else {
    numbers = {attribute(static_cast<LocationAttr>(location))};
  }
  definitions.push_back('L');
  definitions.push_back(kind);
  for (unsigned each : numbers)
    appendNumber(definitions, each);
  const unsigned number = locationNumbers.size();
  locationNumbers[location] = number;
  lastLocation = location;
  return lastLocationNumber = number;
}

unsigned SnapshotArchive::head(Operation *op) {
  const Hash128 key = addOp(totals.identity, op);
  return headOrder.number({key.a, key.b}, [&] { return newHead(op, key); });
}

/// The number of a head, which is added if it is new.
unsigned SnapshotArchive::newHead(Operation *op, const Hash128 &key) {
  if (auto it = headNumbers.find({key.a, key.b}); it != headNumbers.end())
    return it->second;
  // Attributes that it contains are defined first.
  const unsigned attributes = attribute(op->getRawDictionaryAttrs()), properties = this->properties(op);
  std::string entry;
  entry.push_back('H');
  appendText(entry, op->getName().getStringRef());
  for (unsigned each :
       {attributes, properties, op->getNumOperands(), op->getNumSuccessors(), op->getNumRegions(), op->getNumResults()})
    appendNumber(entry, each);
  for (Type result : op->getResultTypes())
    appendNumber(entry, type(result));
  // The key covers the bytes of properties, including padding between members, so equal heads may have different keys.
  auto [same, isNew] = headsByEntry.try_emplace(entry, kindOfHead.size());
  headNumbers[{key.a, key.b}] = same->second;
  if (!isNew)
    return same->second;
  auto [kind, isNewKind] = kindNumbers.try_emplace(op->getName(), kindNames.size());
  if (isNewKind)
    kindNames.push_back(op->getName().getStringRef().str());
  kindOfHead.push_back(kind->second);
  definitions += entry;
  return same->second;
}

unsigned SnapshotArchive::properties(Operation *op) {
  const int size = op->getPropertiesStorageSize();
  if (size == 0) {
    const Attribute none = op->getPropertiesAsAttribute(); // an unregistered op may have one
    return none ? attribute(none) + 1 : 0;
  }
  Hash128 key;
  key.add(op->getName().getAsOpaquePointer());
  key.add(static_cast<size_t>(op->hashProperties()));
  addBytes(key, op->getPropertiesStorage().as<const char *>(), size);
  if (auto it = propertyNumbers.find({key.a, key.b}); it != propertyNumbers.end())
    return it->second;
  const Attribute made = op->getPropertiesAsAttribute();
  return propertyNumbers[{key.a, key.b}] = made ? attribute(made) + 1 : 0;
}

//===------------------------------------------------------------------------------------------------------------===//
// A snapshot
//===------------------------------------------------------------------------------------------------------------===//

void SnapshotArchive::value(Value value) {
  auto [number, isNew] = values.number(value.getAsOpaquePointer(), nextValue);
  assert((isNew || number < nextValue) && "a value has the number that was next when it came first");
  bytes.add(isNew ? 0 : nextValue - number);
  nextValue += isNew;
}

void SnapshotArchive::block(Block *block) {
  auto [number, isNew] = blocks.number(block, nextBlock);
  bytes.add(isNew ? 0 : nextBlock - number);
  nextBlock += isNew;
}

void SnapshotArchive::visit(Operation *op) {
  ++totals.ops;
  for (Value operand : op->getOperands())
    values.fetch(operand.getAsOpaquePointer());
  for (OpResult result : op->getResults())
    values.fetch(result.getAsOpaquePointer());
  const unsigned number = head(op);
  seenHeads.push_back(number);
  if (sawAll && seenHeads.size() % kTrailStep == 0)
    seenTrail.push_back(totals.identity.a);
  if (number >= uses.size())
    uses.resize(2 * (number + 1));
  if (uses[number]++ == 0)
    used.push_back(number);
  bytes.reserve(2 + op->getNumOperands() + op->getNumSuccessors() + op->getNumResults());
  bytes.add(number + 1); // 0 ends a block
  const Location place = op->getLoc();
  bytes.add(locations.number(static_cast<Attribute>(place).getAsOpaquePointer(), [&] { return location(place); }));
  for (Value operand : op->getOperands())
    value(operand);
  for (Block *successor : op->getSuccessors())
    block(successor);
  for (OpResult result : op->getResults())
    value(result);
  for (Region &region : op->getRegions())
    visit(region);
}

void SnapshotArchive::visit(Region &region) {
  bytes.reserve(1);
  bytes.add(region.getBlocks().size());
  for (Block &inner : region) {
    addBlock(totals.identity, &inner);
    bytes.reserve(2 + 3 * inner.getNumArguments());
    block(&inner);
    bytes.add(inner.getNumArguments());
    for (BlockArgument argument : inner.getArguments()) {
      value(argument);
      bytes.add(type(argument.getType()));
      bytes.add(location(argument.getLoc()));
    }
    for (Operation &op : inner) {
      fetchNext(op);
      isPart(&op) ? visitPart(&op) : visit(&op);
    }
    bytes.reserve(1);
    bytes.add(0);
    totals.identity.add(kBlockEnd);
  }
  totals.identity.add(kRegionEnd);
}

void SnapshotArchive::visitPart(Operation *op) {
  hashBytes();
  const Totals around = std::exchange(totals, Totals());
  const size_t firstHead = seenHeads.size();
  totals.values = nextValue;
  totals.blocks = nextBlock;
  Fingerprint part;
  if (const Known known = knownPart ? (*knownPart)(op) : Known(); known.fingerprint) {
    part = *known.fingerprint;
    nextValue += part.values;
    nextBlock += part.blocks;
    sawAll = false;
    if (known.heads.all)
      seenHeads.insert(seenHeads.end(), known.heads.all->begin() + known.heads.begin,
                       known.heads.all->begin() + known.heads.end);
  } else {
    visit(op);
    part = snapshot();
    seenParts.push_back({op, part, firstHead, seenHeads.size()});
  }
  totals = around;
  totals.hash.add(part.hash);
  totals.identity.add(part.identity);
  totals.ops += part.ops;
}

void SnapshotArchive::hashBytes() {
  totals.hash.add(llvm::xxh3_64bits(llvm::StringRef(bytes).drop_front(hashed)));
  assert(hashed <= bytes.size() && "bytes are only added");
  hashed = bytes.size();
}

SnapshotArchive::Fingerprint SnapshotArchive::snapshot() {
  hashBytes();
  return {totals.hash.a, totals.identity.a, totals.ops, nextValue - totals.values, nextBlock - totals.blocks};
}

SnapshotArchive::Fingerprint SnapshotArchive::start(Operation *op) {
  bytes.clear();
  values.start();
  blocks.start();
  for (unsigned number : used)
    uses[number] = 0;
  used.clear();
  totals = Totals();
  sawAll = true;
  hashed = nextValue = nextBlock = 0;
  seenHeads.clear();
  seenParts.clear();
  seenTrail.clear();
  locations.start();
  headOrder.start();
  visit(op);
  return snapshot();
}

SnapshotArchive::Fingerprint SnapshotArchive::fingerprint(Operation *op) {
  knownPart = nullptr;
  return start(op);
}

SnapshotArchive::Fingerprint SnapshotArchive::fingerprintAround(Operation *op, KnownPart known) {
  knownPart = &known;
  const Fingerprint result = start(op);
  knownPart = nullptr;
  // The trail is incomplete if known parts were skipped.
  if (!sawAll)
    seenTrail.clear();
  return result;
}

namespace {
/// Walks an op as fingerprint() does, while the trail matches.
struct IdentityWalk {
  llvm::ArrayRef<uint64_t> trail; ///< empty: to the end
  int64_t visited = 0;

  /// Adds `op` and everything nested in it. Returns false when the trail no longer matches.
  bool add(Hash128 &words, Operation *op) {
    addOp(words, op);
    if (++visited % kTrailStep == 0 && !trail.empty()) {
      const size_t mark = visited / kTrailStep - 1;
      if (mark >= trail.size() || trail[mark] != words.a)
        return false;
    }
    for (Region &region : op->getRegions()) {
      for (Block &block : region) {
        addBlock(words, &block);
        for (Operation &inner : block) {
          fetchNext(inner);
          if (!isPart(&inner)) {
            if (!add(words, &inner))
              return false;
            continue;
          }
          Hash128 part;
          if (!add(part, &inner))
            return false;
          words.add(part.a);
        }
        words.add(kBlockEnd);
      }
      words.add(kRegionEnd);
    }
    return true;
  }
};
} // namespace

uint64_t SnapshotArchive::identityOf(Operation *op) {
  Hash128 words;
  IdentityWalk().add(words, op);
  return words.a;
}

bool SnapshotArchive::isStill(Operation *op, uint64_t identity, llvm::ArrayRef<uint64_t> trail) {
  Hash128 words;
  return IdentityWalk{trail}.add(words, op) && words.a == identity;
}

std::vector<std::pair<llvm::StringRef, int64_t>> SnapshotArchive::kinds() {
  kindUses.resize(kindNames.size());
  llvm::SmallVector<unsigned, 64> kinds;
  for (unsigned number : used) {
    int64_t &count = kindUses[kindOfHead[number]];
    if (count == 0)
      kinds.push_back(kindOfHead[number]);
    count += uses[number];
  }
  std::vector<std::pair<llvm::StringRef, int64_t>> result;
  result.reserve(kinds.size());
  for (unsigned kind : kinds)
    result.push_back({kindNames[kind], std::exchange(kindUses[kind], 0)});
  llvm::sort(result);
  return result;
}

SnapshotArchive::Heads SnapshotArchive::heads() const {
  if (static_cast<size_t>(totals.ops) != seenHeads.size())
    return {};
  return {std::make_shared<const std::vector<unsigned>>(seenHeads), 0, seenHeads.size()};
}

std::vector<SnapshotArchive::KindChange> SnapshotArchive::kindChanges(const Heads &before) {
  if (!before.all || !sawAll)
    return {};
  struct Sums {
    int64_t before = 0, after = 0; ///< operations with heads that the other side has fewer of: the difference
  };
  llvm::MapVector<unsigned, Sums> sums;
  moreUses.resize(kindOfHead.size());
  for (size_t i = before.begin; i < before.end; ++i)
    --moreUses[(*before.all)[i]];
  auto add = [&](unsigned number, int64_t more) {
    if (more == 0)
      return;
    Sums &sum = sums[kindOfHead[number]];
    (more < 0 ? sum.before : sum.after) += std::abs(more);
  };
  for (unsigned number : used)
    add(number, std::exchange(moreUses[number], 0) + uses[number]);
  for (size_t i = before.begin; i < before.end; ++i)
    add((*before.all)[i], std::exchange(moreUses[(*before.all)[i]], 0));
  std::vector<KindChange> changes;
  for (const auto &[kind, sum] : sums) {
    const int64_t changed = std::min(sum.before, sum.after);
    changes.push_back({kindNames[kind], sum.after - changed, sum.before - changed, changed});
  }
  llvm::sort(changes, [](const KindChange &a, const KindChange &b) { return a.kind < b.kind; });
  return changes;
}

void SnapshotArchive::keep(llvm::StringRef name) {
  definitions.push_back('S');
  appendText(definitions, name);
  appendNumber(definitions, bytes.size());
  store(definitions, bytes);
  definitions.clear();
  hasSnapshots = true;
}

SnapshotArchive::Piece::Piece(size_t size) : capacity(llvm::alignTo<kHugePage>(size)) {
  // One huge page if the system has them: in a virtual machine the first access to each of 512 small pages can take
  // longer than writing the data.
  memory.reset(static_cast<char *>(std::aligned_alloc(kHugePage, capacity)));
  if (!memory)
    llvm::report_bad_alloc_error("no memory for the record of the passes");
  ::madvise(memory.get(), capacity, MADV_HUGEPAGE);
}

void SnapshotArchive::store(llvm::StringRef text, llvm::StringRef more) {
  const size_t size = text.size() + more.size();
  Piece *last = pieces.empty() ? nullptr : &pieces.back();
  if (!last || last->capacity - last->size < size) {
    Piece *next = &pieces.emplace_back(size);
    if (last)
      last->next = next;
    last = next;
  }
  char *end = last->memory.get() + last->size;
  llvm::copy(more, llvm::copy(text, end));
  // Updated in one step, so that a signal handler sees all or nothing.
  last->size += size;
}

llvm::StringRef SnapshotArchive::Tail::next() {
  while (true) {
    // The order matters: nothing is added to a piece that has a successor.
    const Piece *following = piece->next;
    if (const size_t size = piece->size; size > at) {
      const size_t from = std::exchange(at, size);
      return {piece->memory.get() + from, size - from};
    }
    if (!following)
      return {};
    piece = following;
    at = 0;
  }
}

llvm::SmallVector<llvm::StringRef, 4> SnapshotArchive::contentPieces() const {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  for (const Piece &piece : pieces)
    parts.push_back({piece.memory.get(), piece.size});
  return parts;
}

std::string SnapshotArchive::contents() const { return llvm::join(contentPieces(), ""); }

void SnapshotArchive::writeRaw(int file) const {
  for (const Piece *piece = &pieces.front(); piece; piece = piece->next) {
    const char *at = piece->memory.get();
    for (size_t left = piece->size; left > 0;) {
      const ssize_t done = ::write(file, at, left);
      if (done <= 0)
        return;
      at += done;
      left -= static_cast<size_t>(done);
    }
  }
}
