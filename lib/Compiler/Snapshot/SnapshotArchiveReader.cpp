//===- SnapshotArchiveReader.cpp - building ops from snapshots ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SnapshotArchiveReader.h. A file may be malformed: every number is validated before it is used.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"

#include "lib/Compiler/Snapshot/EntryCursor.h"
#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "mica/Support/Compress.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

#include <memory>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static Error damaged(const std::string &file, const std::string &why) {
  return Error{ErrorCode::Damaged, file + " is damaged: " + why, "compile the model again"};
}

//===------------------------------------------------------------------------------------------------------------===//
// A file
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The entries of the file; their operands precede them.
struct RawEntries {
  struct Raw {
    char kind; ///< of the entry; of a location, its own
    llvm::StringRef name;
    llvm::ArrayRef<uint64_t> numbers; ///< in `memory`
  };
  std::vector<Raw> attributes, locations, heads; ///< the text of an attribute is its name
  llvm::BumpPtrAllocator memory;
};
} // namespace

/// Reads a table entry; false if it is truncated.
static bool readEntry(char kind, EntryCursor &cursor, RawEntries &raw) {
  RawEntries::Raw entry{kind, {}, {}};
  llvm::SmallVector<uint64_t, 16> numbers;
  auto take = [&](size_t count) {
    for (size_t i = 0; i < count && cursor.isGood(); ++i)
      numbers.push_back(cursor.number());
  };
  auto addTo = [&](std::vector<RawEntries::Raw> &entries) {
    entry.numbers = llvm::ArrayRef<uint64_t>(numbers).copy(raw.memory);
    entries.push_back(entry);
  };
  if (kind == 'A' || kind == 'D' || kind == 'V') {
    if (kind == 'A')
      entry.name = cursor.text();
    else
      take(cursor.count() * (kind == 'D' ? 2 : 1));
    if (cursor.isGood())
      addTo(raw.attributes);
    return cursor.isGood();
  }
  if (kind == 'L') {
    entry.kind = cursor.kind();
    take(entry.kind == 'p' ? 3 : entry.kind == 'a' ? 1 : 2);
    if (entry.kind == 'f' && cursor.isGood()) {
      // The second number is the count of the rest.
      const uint64_t count = numbers.pop_back_val();
      if (count > kMostNumbers)
        cursor.fail();
      take(count);
    }
    if (cursor.isGood())
      addTo(raw.locations);
    return cursor.isGood();
  }
  entry.name = cursor.text();
  take(6); // dictionary, properties, operands, successors, regions, results
  if (cursor.isGood() && numbers.back() > kMostNumbers)
    cursor.fail();
  if (cursor.isGood())
    take(numbers.back());
  if (cursor.isGood())
    addTo(raw.heads);
  return cursor.isGood();
}

/// Null if its operands do not precede it, or do not form an attribute.
static Attribute makeAttribute(const RawEntries::Raw &raw, llvm::ArrayRef<Attribute> before, MLIRContext *context) {
  llvm::SmallVector<Attribute> inside;
  for (uint64_t number : raw.numbers) {
    if (number >= before.size())
      return {};
    inside.push_back(before[number]);
  }
  if (raw.kind == 'V')
    return ArrayAttr::get(context, inside);
  llvm::SmallVector<NamedAttribute> named;
  for (size_t i = 0; i < inside.size(); i += 2) {
    auto name = dyn_cast<StringAttr>(inside[i]);
    if (!name || name.empty())
      return {};
    named.emplace_back(name, inside[i + 1]);
  }
  if (DictionaryAttr::findDuplicate(named, /*isSorted=*/false))
    return {};
  return DictionaryAttr::get(context, named);
}

/// Parses a splat of a dynamic shape: folds create such constants, but the parser rejects them.
static Attribute parseDynamicSplat(llvm::StringRef text, MLIRContext *context) {
  const size_t colon = text.rfind(" : ");
  if (!text.starts_with("dense<") || colon == text.npos)
    return {};
  auto type = dyn_cast_or_null<RankedTensorType>(parseType(text.drop_front(colon + 3), context));
  if (!type || type.hasStaticShape())
    return {};
  std::string one;
  llvm::raw_string_ostream(one) << text.take_front(colon) << " : " << RankedTensorType::get({1}, type.getElementType());
  auto splat = dyn_cast_or_null<DenseElementsAttr>(parseAttribute(one, context));
  return splat && splat.isSplat() ? DenseElementsAttr::get(type, splat.getSplatValue<Attribute>()) : Attribute();
}

/// Parses the attributes of `entries` that have text, one by one.
static llvm::SmallVector<Attribute> parseEach(llvm::ArrayRef<RawEntries::Raw> entries, MLIRContext *context) {
  llvm::SmallVector<Attribute> parsed;
  for (const RawEntries::Raw &entry : entries) {
    if (entry.kind != 'A')
      continue;
    Attribute attribute = parseAttribute(entry.name, context);
    parsed.push_back(attribute ? attribute : parseDynamicSplat(entry.name, context));
    if (!parsed.back())
      return {};
  }
  return parsed;
}

/// Adds the attributes of `entries` to `known`. All texts are parsed at once, so that distinct attributes keep their
/// identity.
static Status addAttributes(llvm::ArrayRef<RawEntries::Raw> entries, const std::string &file, MLIRContext *context,
                            std::vector<Attribute> &known) {
  size_t texts = 0;
  std::string list = "[";
  for (const RawEntries::Raw &entry : entries)
    if (entry.kind == 'A') {
      list += texts++ ? ",\n" : "";
      list += entry.name;
    }
  list += "]";
  std::string said;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (said.empty())
      said = diagnostic.str();
    return success();
  });
  llvm::SmallVector<Attribute> parsed;
  if (texts) {
    if (auto all = dyn_cast_or_null<ArrayAttr>(parseAttribute(list, context)))
      llvm::append_range(parsed, all);
    else
      parsed = parseEach(entries, context);
    if (parsed.size() != texts)
      return damaged(file, "its attributes do not parse" + (said.empty() ? "" : ": " + said));
  }
  size_t text = 0;
  for (const RawEntries::Raw &entry : entries) {
    known.push_back(entry.kind == 'A' ? parsed[text++] : makeAttribute(entry, known, context));
    if (!known.back())
      return damaged(file, "attribute " + std::to_string(known.size() - 1));
  }
  return {};
}

/// Null if the numbers are invalid.
static LocationAttr makeLocation(const RawEntries::Raw &raw, const SnapshotTables &tables, MLIRContext *context) {
  auto attribute = [&](uint64_t number) {
    return number < tables.attributes.size() ? tables.attributes[number] : Attribute();
  };
  auto inner = [&](uint64_t number) -> LocationAttr {
    return number < tables.locations.size() ? static_cast<LocationAttr>(tables.locations[number]) : LocationAttr();
  };
  const llvm::ArrayRef<uint64_t> numbers = raw.numbers;
  switch (raw.kind) {
  case 'p': {
    auto file = dyn_cast_or_null<StringAttr>(attribute(numbers[0]));
    return file ? FileLineColLoc::get(file, numbers[1], numbers[2]) : LocationAttr();
  }
  case 'n': {
    auto name = dyn_cast_or_null<StringAttr>(attribute(numbers[0]));
    LocationAttr child = inner(numbers[1]);
    return name && child ? NameLoc::get(name, child) : LocationAttr();
  }
  case 'c': {
    LocationAttr callee = inner(numbers[0]), caller = inner(numbers[1]);
    return callee && caller ? CallSiteLoc::get(callee, caller) : LocationAttr();
  }
  case 'f': {
    llvm::SmallVector<Location> locations;
    for (uint64_t number : numbers.drop_front()) {
      LocationAttr location = inner(number);
      if (!location)
        return {};
      locations.push_back(location);
    }
    Attribute metadata = numbers[0] ? attribute(numbers[0] - 1) : Attribute();
    if (numbers[0] && !metadata)
      return {};
    return LocationAttr(FusedLoc::get(context, locations, metadata));
  }
  case 'a':
    return dyn_cast_or_null<LocationAttr>(attribute(numbers[0]));
  default:
    return {};
  }
}

static std::optional<OpHead> makeHead(const RawEntries::Raw &raw, const SnapshotTables &tables, MLIRContext *context) {
  // Loads the dialect, as the parser does.
  if (llvm::StringRef dialect = raw.name.split('.').first; !dialect.empty() && dialect != raw.name)
    context->getOrLoadDialect(dialect);
  if (raw.name.empty())
    return std::nullopt;
  auto attribute = [&](uint64_t number) {
    return number < tables.attributes.size() ? tables.attributes[number] : Attribute();
  };
  const llvm::ArrayRef<uint64_t> numbers = raw.numbers;
  OpHead head{OperationName(raw.name, context), dyn_cast_or_null<DictionaryAttr>(attribute(numbers[0])), {}, {}};
  if (!head.attributes)
    return std::nullopt;
  if (numbers[1] && !(head.properties = attribute(numbers[1] - 1)))
    return std::nullopt;
  constexpr uint64_t kMost = 1 << 20;
  if (numbers[2] > kMost || numbers[3] > kMost || numbers[4] > kMost)
    return std::nullopt;
  head.operands = numbers[2];
  head.successors = numbers[3];
  head.regions = numbers[4];
  for (uint64_t number : numbers.drop_front(6)) {
    auto type = dyn_cast_or_null<TypeAttr>(attribute(number));
    if (!type)
      return std::nullopt;
    head.results.push_back(type.getValue());
  }
  return head;
}

Status ReadSnapshotArchive::add(llvm::StringRef entries) {
  if (!hasMagic && !entries.consume_front(kSnapshotArchiveMagic))
    return damaged(file, "it is not a pack of snapshots of this version");
  hasMagic = true;
  RawEntries raw;
  for (EntryCursor cursor(entries); !cursor.atEnd();) {
    const char kind = cursor.kind();
    if (kind == 'S') {
      llvm::StringRef name = cursor.text(), bytes = cursor.text();
      if (cursor.isGood())
        all.push_back({name.str(), bytes});
    } else if (!llvm::StringRef("ADVLH").contains(kind)) {
      return damaged(file, "an entry of kind " + std::to_string(kind));
    } else if (!readEntry(kind, cursor, raw)) {
      break;
    }
  }
  const size_t before = known.attributes.size();
  MICA_RETURN_IF_ERROR(addAttributes(raw.attributes, file, context, known.attributes));
  for (auto [attribute, entry] : llvm::zip(llvm::ArrayRef(known.attributes).drop_front(before), raw.attributes)) {
    if (entry.kind == 'A' && isa<DenseIntOrFPElementsAttr>(attribute))
      known.texts[attribute] = entry.name;
    holdsDistinct |= entry.kind == 'A' && entry.name.contains("distinct[");
  }
  for (const RawEntries::Raw &entry : raw.locations) {
    LocationAttr location = makeLocation(entry, known, context);
    if (!location)
      return damaged(file, "location " + std::to_string(known.locations.size()));
    known.locations.push_back(location);
  }
  for (const RawEntries::Raw &entry : raw.heads) {
    std::optional<OpHead> head = makeHead(entry, known, context);
    if (!head)
      return damaged(file, "what it says of '" + entry.name.str() + "'");
    known.heads.push_back(std::move(*head));
  }
  return {};
}

Result<std::unique_ptr<ReadSnapshotArchive>> ReadSnapshotArchive::read(llvm::StringRef data, const std::string &file,
                                                                       MLIRContext *context) {
  auto archive = std::make_unique<ReadSnapshotArchive>(file, context);
  if (data.starts_with(kSnapshotArchiveMagic)) {
    archive->contents = data.str();
  } else {
    MICA_ASSIGN_OR_RETURN(archive->contents, decompress({data.data(), data.size()}, file));
  }
  MICA_RETURN_IF_ERROR(archive->add(archive->contents));
  return archive;
}

//===------------------------------------------------------------------------------------------------------------===//
// A snapshot
//===------------------------------------------------------------------------------------------------------------===//

namespace {
class SnapshotBuilder {
public:
  SnapshotBuilder(llvm::StringRef bytes, const SnapshotTables &tables, MLIRContext *context,
                  std::vector<BuiltOp> *built)
      : cursor(bytes), tables(tables), context(context), built(built) {}
  ~SnapshotBuilder() {
    root = nullptr;
    for (auto &[number, placeholder] : forward)
      placeholder->erase();
  }

  /// Null if the bytes are damaged; problem() has the error.
  OwningOpRef<Operation *> build() {
    const size_t head = cursor.number();
    root = head ? op(head - 1, nullptr) : nullptr;
    const bool isWhole = root && cursor.isGood() && cursor.atEnd() && forward.empty() && loose.empty();
    return isWhole ? std::move(root) : nullptr;
  }
  std::string problem() const { return why.empty() ? "a snapshot is cut off, or names what is not there" : why; }

private:
  /// An operand: an existing value, or a placeholder for a forward reference.
  Value use() {
    const uint64_t back = cursor.number();
    if (back > values.size() || !cursor.isGood()) {
      cursor.fail();
      return {};
    }
    if (back)
      return values[values.size() - back];
    OperationState state(UnknownLoc::get(context), UnrealizedConversionCastOp::getOperationName());
    state.addTypes(NoneType::get(context));
    Operation *placeholder = Operation::create(state);
    forward[values.size()] = placeholder;
    values.push_back(placeholder->getResult(0));
    return values.back();
  }
  void define(Value value) {
    const uint64_t back = cursor.number();
    if (back == 0 && cursor.isGood()) {
      values.push_back(value);
      return;
    }
    const size_t number = values.size() - back;
    auto it = back <= values.size() ? forward.find(number) : forward.end();
    if (it == forward.end()) {
      cursor.fail();
      return;
    }
    values[number] = value;
    it->second->getResult(0).replaceAllUsesWith(value);
    it->second->erase();
    forward.erase(it);
  }
  /// An existing block, or a forward reference. Null if the number is invalid.
  Block *block() {
    const uint64_t back = cursor.number();
    if (back > blocks.size() || !cursor.isGood()) {
      cursor.fail();
      return nullptr;
    }
    if (back)
      return blocks[blocks.size() - back];
    loose.push_back(std::make_unique<Block>());
    return blocks.emplace_back(loose.back().get());
  }
  const Location *location() {
    const size_t number = cursor.below(tables.locations.size());
    return cursor.isGood() ? &tables.locations[number] : nullptr;
  }

  Operation *op(size_t number, Block *parent) {
    const Location *where = location();
    if (!where || number >= tables.heads.size() || ++depth > kMaxOpDepth) {
      cursor.fail();
      return nullptr;
    }
    const OpHead &head = tables.heads[number];
    llvm::SmallVector<Value> operands;
    for (unsigned i = 0; i < head.operands && cursor.isGood(); ++i)
      operands.push_back(use());
    llvm::SmallVector<Block *> successors;
    for (unsigned i = 0; i < head.successors && cursor.isGood(); ++i)
      successors.push_back(block());
    if (!cursor.isGood())
      return nullptr;
    Operation *made = Operation::create(*where, head.name, head.results, operands, head.attributes,
                                        /*properties=*/OpaqueProperties(nullptr), successors, head.regions);
    if (parent)
      parent->push_back(made);
    if (built)
      built->push_back({made, static_cast<unsigned>(number)});
    if (head.properties && failed(made->setPropertiesFromAttribute(head.properties, [&] {
          why = "the properties of " + head.name.getStringRef().str();
          return InFlightDiagnostic();
        }))) {
      cursor.fail();
      return made;
    }
    for (OpResult result : made->getResults())
      define(result);
    for (Region &region : made->getRegions())
      fill(region);
    --depth;
    return made;
  }

  void fill(Region &region) {
    const size_t count = cursor.count();
    for (size_t i = 0; i < count && cursor.isGood(); ++i) {
      Block *inner = block();
      // Most blocks were created last.
      auto it = std::find_if(loose.rbegin(), loose.rend(), [&](auto &owner) { return owner.get() == inner; });
      if (!inner || it == loose.rend()) {
        cursor.fail();
        return;
      }
      region.push_back(it->release());
      loose.erase(std::next(it).base());
      const size_t arguments = cursor.count();
      for (size_t k = 0; k < arguments && cursor.isGood(); ++k) {
        // Its number precedes its type.
        EntryCursor ahead = cursor;
        ahead.number();
        const size_t typeNumber = ahead.below(tables.attributes.size());
        auto type = ahead.isGood() ? dyn_cast<TypeAttr>(tables.attributes[typeNumber]) : TypeAttr();
        const size_t place = ahead.below(tables.locations.size());
        if (!ahead.isGood() || !type) {
          cursor.fail();
          return;
        }
        define(inner->addArgument(type.getValue(), tables.locations[place]));
        if (cursor.isGood())
          cursor = ahead;
      }
      while (size_t head = cursor.number())
        op(head - 1, inner);
    }
  }

  EntryCursor cursor;
  const SnapshotTables &tables;
  MLIRContext *context;
  std::vector<BuiltOp> *built; ///< null: not requested
  std::string why;
  int depth = 0;
  llvm::SmallVector<Value> values;
  llvm::DenseMap<size_t, Operation *> forward; ///< placeholders by value number
  llvm::SmallVector<Block *> blocks;
  std::vector<std::unique_ptr<Block>> loose; ///< forward-referenced, not in a region yet
  OwningOpRef<Operation *> root;
};
} // namespace

Result<OwningOpRef<Operation *>> compiler::buildSnapshot(llvm::StringRef bytes, const SnapshotTables &tables,
                                                         MLIRContext *context, std::vector<BuiltOp> *built) {
  SnapshotBuilder builder(bytes, tables, context, built);
  OwningOpRef<Operation *> op = builder.build();
  if (!op)
    return Error{ErrorCode::Damaged, builder.problem(), ""};
  return op;
}
