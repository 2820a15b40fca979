//===- BytecodeNesting.cpp - nesting depth of MLIR bytecode -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// See BytecodeNesting.h; the format is that of https://mlir.llvm.org/docs/BytecodeFormat, versions 0 to 6. Operations
// are encoded in the same way for all dialects. Attributes and types of the dialects that Mica decodes are decoded as
// far as they refer to others; those of most other dialects are text.
//
// MLIR's reader makes room for the numbers of entries that a file states, and stores entries of a group without looking
// whether they are more. So a count of more items than the rest of its section has bytes is refused here, and so are
// orders of the uses of values that do not exist.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lib/Support/BytecodeNesting.h"

#include "mica/Support/Nesting.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

using namespace mica;

bool mica::isBytecodeFile(std::string_view bytes) { return bytes.starts_with("ML\xefR"); }

namespace {
constexpr uint64_t kLazyRegions = 2, kUseLists = 3, kOptionalLocations = 4;
enum Section { kStrings, kDialects, kAttributes, kAttributeOffsets, kOperations, kProperties = 8 };

/// Reads a part of the file. After its end all values are 0, and `isBroken` is set.
struct Cursor {
  std::string_view bytes; ///< the whole file, to which alignments refer
  size_t at = 0, end = 0;
  bool isBroken = false;

  uint64_t byte() {
    if (at >= end) {
      isBroken = true;
      return 0;
    }
    return static_cast<unsigned char>(bytes[at++]);
  }
  /// The number of trailing zeros of the first byte is the number of following bytes.
  uint64_t number() {
    const uint64_t first = byte();
    unsigned more = 0;
    while (more < 8 && !(first >> more & 1))
      ++more;
    uint64_t value = more == 8 ? 0 : first >> (more + 1);
    for (unsigned i = 0; i < more; ++i)
      value |= byte() << (8 * i + (more == 8 ? 0 : 7 - more));
    return value;
  }
  /// The count of items that follow here, each of at least one byte.
  uint64_t count() {
    const uint64_t value = number();
    isBroken |= value > end - at;
    return isBroken ? 0 : value;
  }
  void numbers(uint64_t count) {
    while (count-- > 0 && !isBroken)
      number();
  }
  Cursor part(uint64_t size) {
    Cursor inner{bytes, at, at + static_cast<size_t>(std::min<uint64_t>(size, end - at))};
    isBroken |= size > end - at;
    at = inner.end;
    return inner;
  }
  /// The section that begins here: its id and contents.
  std::pair<uint64_t, Cursor> section() {
    const uint64_t id = byte(), size = number();
    if (id & 0x80)
      for (const uint64_t alignment = number(); alignment > 1 && !isBroken && at % alignment != 0;)
        byte();
    return {id & 0x7f, part(size)};
  }
};

/// The attributes and types that those of a dialect contain, by the number that they begin with and their fields in
/// order: `a` an attribute, `o` one that may be missing, `t` a type, `i` another number; in capitals a list of them;
/// `N` a list of named attributes. Fields after the last reference are omitted.
struct Encoding {
  std::string_view dialect;
  std::vector<const char *> attributes, types;
};

/// An attribute or a type; both share one numbering.
struct Entry {
  size_t begin = 0, size = 0;
  const Encoding *encoding = nullptr; ///< null for text, and for what is not decoded
  bool isCustom = false;
};

class BytecodeScan {
public:
  BytecodeScan(std::string_view bytes, const std::string &name) : bytes(bytes), name(name) {}

  Status run();

private:
  Status checkNames() const;
  Status readEntries(Cursor offsets, const Cursor &data);
  std::vector<const Encoding *> encodings() const;
  std::vector<size_t> references(size_t entry) const;
  Status checkEntries() const;
  Status checkOperations(Cursor cursor) const;
  std::pair<uint64_t, bool> skipOperation(Cursor &cursor) const;
  uint64_t blockHeader(Cursor &cursor) const;
  void skipUseLists(Cursor &cursor, uint64_t values) const;
  std::string called(size_t entry) const {
    return entry < attributes ? "attribute " + std::to_string(entry) : "type " + std::to_string(entry - attributes);
  }
  Error tooDeep(const std::string &what) const {
    return {ErrorCode::InvalidInput, name + ": " + what + " nested more than " + std::to_string(kMostNesting) + " deep",
            "move inner regions to functions of their own; MLIR's passes have no room for more"};
  }

  Error damaged(const std::string &what) const {
    return {ErrorCode::InvalidInput, name + ": the bytecode is damaged: " + what,
            "it is cut off or was changed; write the file again"};
  }

  std::string_view bytes;
  const std::string &name;
  uint64_t version = 0;
  std::array<Cursor, 16> sections;
  std::vector<Entry> entries; ///< attributes, then types
  uint64_t attributes = 0;
};
} // namespace

/// The dialects whose attributes and types nest, of MLIR, StableHLO and Shardy.
static const std::array<Encoding, 3> &knownEncodings() {
  static const std::array<Encoding, 3> known = {
      Encoding{
          "builtin",
          {"A", "N",  "",   "it", "a", "aA", "t", "",  "t",   "t", "aa", "a",
           "A", "Aa", "aa", "",   "t", "t",  "t", "t", "taa", "a", "a"},
          {"", "", "TT", "", "", "", "", "", "", "t", "Ita", "aIta", "", "It", "aIt", "T", "t", "at", "t", "It", ""}},
      Encoding{"vhlo",
               {"", "A", "", "", "", "", "N", "", "t", "t", "", "", "", "", "", "t", "", "t", "", "", "iiia"},
               {"",    "t", "",  "",    "",  "", "", "", "TT", "",    "", "", "", "", "", "", "", "", "", "", "It",
                "aIt", "",  "T", "itt", "t", "", "", "", "",   "itt", "", "", "", "", "", "", "", "", "", "", "It"}},
      Encoding{"sdy", {"A", "", "A", "", "io", "A", "aAA", "A", "", "A", "IAA", "A", "A", "A", "A", "aAAA", "A"}, {}}};
  return known;
}

/// How each dialect of the file encodes; null for those that are not known.
std::vector<const Encoding *> BytecodeScan::encodings() const {
  Cursor strings = sections[kStrings], dialects = sections[kDialects];
  std::vector<uint64_t> sizes(static_cast<size_t>(strings.count()));
  for (size_t i = sizes.size(); i-- > 0;)
    sizes[i] = strings.number();
  std::vector<std::string_view> texts;
  for (const uint64_t size : sizes) {
    const Cursor text = strings.part(size);
    texts.push_back(bytes.substr(text.at, text.end - text.at));
  }
  std::vector<const Encoding *> result;
  const uint64_t count = dialects.count();
  for (uint64_t i = 0; i < count && !dialects.isBroken; ++i) {
    uint64_t index = dialects.number();
    const bool hasVersion = version >= 1 && (index & 1);
    index >>= version >= 1;
    if (hasVersion)
      dialects.section();
    const std::string_view text = index < texts.size() ? texts[index] : std::string_view();
    const auto &known = knownEncodings();
    const auto found = std::find_if(known.begin(), known.end(), [&](const Encoding &encoding) {
      // MLIR's reader does not look at the last byte, which should be 0.
      return text.size() == encoding.dialect.size() + 1 && text.starts_with(encoding.dialect);
    });
    result.push_back(found == known.end() ? nullptr : &*found);
  }
  return result;
}

/// Counts of strings, dialects, the names of operations, which follow the dialects, and properties.
Status BytecodeScan::checkNames() const {
  Cursor strings = sections[kStrings];
  strings.numbers(strings.count());
  if (strings.isBroken)
    return damaged("the list of strings ends too early");
  Cursor dialects = sections[kDialects];
  for (uint64_t count = dialects.count(); count > 0 && !dialects.isBroken; --count)
    if (const bool hasVersion = (dialects.number() & 1) != 0; hasVersion && version >= 1)
      dialects.section();
  if (version >= kOptionalLocations && !dialects.isBroken)
    dialects.count();
  if (dialects.isBroken)
    return damaged("the list of dialects ends too early");
  Cursor properties = sections[kProperties];
  if (properties.at < properties.end)
    properties.count();
  return properties.isBroken ? damaged("the list of properties ends too early") : Status();
}

Status BytecodeScan::readEntries(Cursor offsets, const Cursor &data) {
  attributes = offsets.count();
  const uint64_t types = offsets.count();
  const std::vector<const Encoding *> dialects = encodings();
  size_t at = data.at;
  for (const uint64_t most : {attributes, attributes + types})
    while (entries.size() < most && !offsets.isBroken) {
      const uint64_t dialect = offsets.number(), count = offsets.count();
      if (count > most - entries.size())
        return damaged("a dialect has more attributes or types than all have together");
      for (uint64_t i = 0; i < count && !offsets.isBroken; ++i) {
        const uint64_t size = offsets.number();
        const size_t kept = static_cast<size_t>(std::min<uint64_t>(size >> 1, data.end - at));
        entries.push_back({at, kept, dialect < dialects.size() ? dialects[dialect] : nullptr, (size & 1) != 0});
        at += kept;
      }
    }
  return offsets.isBroken ? damaged("the list of attributes and types ends too early") : Status();
}

std::vector<size_t> BytecodeScan::references(size_t entry) const {
  std::vector<size_t> found;
  const Entry &of = entries[entry];
  if (!of.isCustom || !of.encoding)
    return found;
  Cursor cursor{bytes, of.begin, of.begin + of.size};
  const uint64_t kind = cursor.number();
  const std::vector<const char *> &kinds = entry >= attributes ? of.encoding->types : of.encoding->attributes;
  if (kind >= kinds.size())
    return found;
  auto read = [&](char field) {
    uint64_t number = cursor.number();
    if (field == 'o' && !(number & 1))
      return;
    number >>= field == 'o';
    const uint64_t at = number + (field == 't' ? attributes : 0);
    if (field != 'i' && !cursor.isBroken && at < entries.size())
      found.push_back(static_cast<size_t>(at));
  };
  for (const char *field = kinds[kind]; *field && !cursor.isBroken; ++field) {
    const bool isList = *field >= 'A' && *field <= 'Z';
    for (uint64_t count = isList ? cursor.number() : 1; count > 0 && !cursor.isBroken; --count) {
      if (*field == 'N')
        read('a');
      read(*field == 'N' ? 'a' : isList ? static_cast<char>(*field - 'A' + 'a') : *field);
    }
  }
  return found;
}

/// Depth-first, without recursion.
Status BytecodeScan::checkEntries() const {
  enum : unsigned { kNew = 0, kOpen = ~0u };
  std::vector<unsigned> depth(entries.size(), kNew); // 1 for an entry without references
  struct Step {
    size_t entry;
    std::vector<size_t> inner;
    size_t next = 0;
    unsigned deepest = 0;
  };
  std::vector<Step> path;
  for (size_t root = 0; root < entries.size(); ++root) {
    if (!entries[root].isCustom)
      if (const std::string_view text = bytes.substr(entries[root].begin, entries[root].size);
          !checkTextNesting(text, name))
        return tooDeep(called(root) + " is");
    if (depth[root] != kNew)
      continue;
    path.push_back({root, references(root)});
    depth[root] = kOpen;
    while (!path.empty()) {
      Step &step = path.back();
      if (step.next == step.inner.size()) {
        depth[step.entry] = step.deepest + 1;
        if (step.deepest >= kMostNesting)
          return tooDeep(called(step.entry) + " is");
        const unsigned done = depth[step.entry];
        path.pop_back();
        if (!path.empty())
          path.back().deepest = std::max(path.back().deepest, done);
        continue;
      }
      const size_t inner = step.inner[step.next++];
      if (depth[inner] == kOpen)
        return Error{ErrorCode::InvalidInput, name + ": " + called(inner) + " contains itself", "write the file again"};
      if (depth[inner] != kNew) {
        step.deepest = std::max(step.deepest, depth[inner]);
        continue;
      }
      depth[inner] = kOpen;
      path.push_back({inner, references(inner)});
    }
  }
  return {};
}

void BytecodeScan::skipUseLists(Cursor &cursor, uint64_t values) const {
  for (uint64_t count = values > 1 ? cursor.number() : 1; count > 0 && !cursor.isBroken; --count) {
    if (values > 1)
      cursor.number();
    cursor.numbers(cursor.number() >> 1);
  }
}

/// Returns the number of operations that follow.
uint64_t BytecodeScan::blockHeader(Cursor &cursor) const {
  const uint64_t header = cursor.number();
  if (!(header & 1))
    return header >> 1;
  // A writer says that there are some only where there are; MLIR's reader crashes on a list of uses of none.
  const uint64_t arguments = cursor.count();
  cursor.isBroken |= arguments == 0;
  for (uint64_t i = 0; i < arguments && !cursor.isBroken; ++i)
    if (const bool hasLocation = (cursor.number() & 1) != 0; hasLocation || version < kOptionalLocations)
      cursor.number();
  if (version >= kUseLists && cursor.byte() != 0)
    skipUseLists(cursor, arguments);
  return header >> 1;
}

/// Returns the number of its regions, and whether they are isolated from above.
std::pair<uint64_t, bool> BytecodeScan::skipOperation(Cursor &cursor) const {
  cursor.number();
  const uint64_t mask = cursor.byte();
  cursor.numbers(1 + (mask & 1) + (mask >> 6 & 1)); // location, attributes, properties
  uint64_t results = 0;
  for (const unsigned part : {1, 2, 3}) // results, operands, successors
    if (mask >> part & 1) {
      const uint64_t count = cursor.count();
      cursor.numbers(count);
      results = part == 1 ? count : results;
    }
  if (version >= kUseLists && (mask >> 5 & 1)) {
    cursor.isBroken |= results == 0;
    skipUseLists(cursor, results);
  }
  const uint64_t regions = mask >> 4 & 1 ? cursor.number() : 0;
  return {regions >> 1, (regions & 1) != 0};
}

Status BytecodeScan::checkOperations(Cursor cursor) const {
  /// The remaining regions of one operation. Regions that are isolated from above are a section, after which the
  /// operation's own cursor is already positioned.
  struct Level {
    uint64_t regions, blocks, operations;
    bool isSection;
  };
  std::vector<Cursor> cursors = {cursor};
  std::vector<Level> levels = {{0, 1, blockHeader(cursors[0]), false}};
  while (!levels.empty() && !cursors.back().isBroken) {
    Level &level = levels.back();
    if (level.operations > 0) {
      --level.operations;
      auto [regions, isIsolated] = skipOperation(cursors.back());
      if (regions == 0)
        continue;
      const bool isSection = isIsolated && version >= kLazyRegions;
      if (isSection)
        cursors.push_back(cursors.back().section().second);
      levels.push_back({regions, 0, 0, isSection});
      if (levels.size() > kMostNesting)
        return tooDeep("operations are");
    } else if (level.blocks > 1) {
      --level.blocks;
      level.operations = blockHeader(cursors.back());
    } else if (level.regions > 0) {
      --level.regions;
      level.blocks = cursors.back().count();
      if (level.blocks > 0) {
        cursors.back().count(); // of values
        level.operations = blockHeader(cursors.back());
      }
    } else {
      if (level.isSection)
        cursors.pop_back();
      levels.pop_back();
    }
  }
  return cursors.back().isBroken ? damaged("an operation ends too early") : Status();
}

Status BytecodeScan::run() {
  Cursor file{bytes, 4, bytes.size()};
  version = file.number();
  while (file.byte() != 0 && !file.isBroken) // the producer
    ;
  while (file.at < file.end && !file.isBroken) {
    auto [id, contents] = file.section();
    if (id < sections.size() && !file.isBroken)
      sections[id] = contents;
  }
  for (Cursor &section : sections)
    section.bytes = bytes;
  MICA_RETURN_IF_ERROR(checkNames());
  MICA_RETURN_IF_ERROR(readEntries(sections[kAttributeOffsets], sections[kAttributes]));
  MICA_RETURN_IF_ERROR(checkEntries());
  return checkOperations(sections[kOperations]);
}

Status mica::checkBytecodeNesting(std::string_view bytes, const std::string &name) {
  return BytecodeScan(bytes, name).run();
}
