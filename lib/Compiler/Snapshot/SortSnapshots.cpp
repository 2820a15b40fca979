//===- SortSnapshots.cpp - sorting a snapshot archive -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SnapshotArchiveReader.h. Table entries are read on first use by a snapshot; most of the time is spent on the
// first access to memory.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/EntryCursor.h"
#include "lib/Compiler/Snapshot/FingerprintTables.h"
#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "lib/Compiler/Snapshot/SnapshotArchiveReader.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace mica;
using namespace mica::compiler;

namespace {
/// The entries of one table, as stored after their kind.
struct Table {
  std::vector<llvm::StringRef> entries;
  std::vector<uint32_t> numbers; ///< new number plus 1; 0: not used yet
  uint32_t next = 0;
};

/// The data after the head and the location of an op in a snapshot.
struct HeadShape {
  uint32_t values; ///< numbers of operands, successors and results
  uint32_t regions;
};

/// Copies snapshots with new numbers, and each table entry on its first use.
class ArchiveSorter {
public:
  /// Reads `pieces`, whole entries of an archive. False if they are damaged.
  bool read(llvm::ArrayRef<llvm::StringRef> pieces);
  /// The sorted archive; nothing if it is damaged. To be called once.
  std::optional<std::string> sort();

private:
  bool readEntry(char kind, EntryCursor &cursor);
  /// Adds a snapshot; false if it is damaged.
  bool add(llvm::StringRef name, llvm::StringRef bytes);

  /// The new number of an entry of `table`. `copy` writes its bytes from a cursor, after its operands.
  template <typename Copy> uint64_t place(Table &table, uint64_t old, Copy copy) {
    if (old >= table.entries.size())
      return bad();
    if (LLVM_UNLIKELY(table.numbers[old] == 0)) {
      EntryCursor cursor(table.entries[old]);
      std::string entry;
      copy(cursor, entry);
      isGood &= cursor.isGood();
      table.numbers[old] = placeNew(table, entry) + 1;
    }
    return table.numbers[old] - 1;
  }
  /// The number of an entry that may exist already: an archive may contain equal entries, which are merged.
  uint32_t placeNew(Table &table, const std::string &entry);
  uint64_t attribute(uint64_t old);
  uint64_t optional(uint64_t old) { return old == 0 ? 0 : attribute(old - 1) + 1; }
  uint64_t location(uint64_t old);
  uint64_t head(uint64_t old);
  uint64_t bad() {
    isGood = false;
    return 0;
  }
  /// Appends new numbers.
  void add(std::initializer_list<uint64_t> numbers) {
    snapshot.reserve(numbers.size());
    for (uint64_t each : numbers)
      snapshot.add(each);
  }
  void copy(EntryCursor &cursor, uint64_t count) {
    const llvm::StringRef bytes = cursor.numbers(count);
    snapshot.reserve(bytes.size());
    snapshot.add(bytes);
  }
  bool op(EntryCursor &cursor, uint64_t which);
  bool region(EntryCursor &cursor);

  struct Written {
    size_t begin, size; ///< of an entry in `out`
    uint32_t number;
  };
  Table attributes, locations, heads;
  std::vector<HeadShape> shapes; ///< of the heads
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> snapshots;
  llvm::DenseMap<uint64_t, Written> written; ///< by the hash of its bytes, which begin with its kind
  std::string out = kSnapshotArchiveMagic.str();
  ByteBuffer snapshot;
  int depth = 0;
  bool isGood = true;
};
} // namespace

bool ArchiveSorter::read(llvm::ArrayRef<llvm::StringRef> pieces) {
  size_t size = 0;
  bool hasMagic = false;
  for (llvm::StringRef piece : pieces) {
    size += piece.size();
    if (!hasMagic && !piece.consume_front(kSnapshotArchiveMagic))
      return false;
    hasMagic = true;
    EntryCursor cursor(piece);
    while (!cursor.atEnd()) {
      const char kind = cursor.kind();
      if (kind == 'S') {
        llvm::StringRef name = cursor.text();
        snapshots.push_back({name, cursor.text()});
      } else if (!readEntry(kind, cursor)) {
        return false;
      }
    }
    if (!cursor.isGood())
      return false;
  }
  out.reserve(size + size / 8);
  written.reserve(attributes.entries.size() + locations.entries.size() + heads.entries.size());
  for (Table *table : {&attributes, &locations, &heads})
    table->numbers.resize(table->entries.size());
  return true;
}

/// Skips a table entry; false if it is truncated.
bool ArchiveSorter::readEntry(char kind, EntryCursor &cursor) {
  const llvm::StringRef from = cursor.rest();
  Table *table = &attributes;
  if (kind == 'A') {
    cursor.text();
  } else if (kind == 'D' || kind == 'V') {
    cursor.numbers(cursor.count() * (kind == 'D' ? 2 : 1));
  } else if (kind == 'L') {
    table = &locations;
    const char own = cursor.kind();
    if (own == 'f') {
      cursor.number();
      const uint64_t count = cursor.number();
      cursor.numbers(count <= kMostNumbers ? count : cursor.fail());
    } else {
      cursor.numbers(own == 'p' ? 3 : own == 'a' ? 1 : 2);
    }
  } else if (kind == 'H') {
    table = &heads;
    cursor.text();
    cursor.numbers(2); // dictionary, properties
    const uint64_t operands = cursor.number(), successors = cursor.number(), regions = cursor.number(),
                   results = cursor.number();
    if (std::max({operands, successors, regions, results}) > kMostNumbers)
      cursor.fail();
    shapes.push_back({static_cast<uint32_t>(operands + successors + results), static_cast<uint32_t>(regions)});
    cursor.numbers(results <= kMostNumbers ? results : 0);
  } else {
    return false;
  }
  // Including the kind before it, for tables with several.
  const bool hasKinds = table == &attributes;
  table->entries.push_back({from.data() - hasKinds, size_t(cursor.rest().data() - from.data()) + hasKinds});
  return cursor.isGood();
}

uint32_t ArchiveSorter::placeNew(Table &table, const std::string &entry) {
  for (uint64_t hash = llvm::xxh3_64bits(entry);; ++hash) {
    // DenseMap reserves two keys.
    if (hash >= ~uint64_t(1))
      hash = 0;
    auto [it, isNew] = written.try_emplace(hash, Written{out.size(), entry.size(), table.next});
    if (isNew) {
      out += entry;
      return table.next++;
    }
    const Written &same = it->second;
    if (llvm::StringRef(out).substr(same.begin, same.size) == entry)
      return same.number;
  }
}

uint64_t ArchiveSorter::attribute(uint64_t old) {
  return place(attributes, old, [&](EntryCursor &cursor, std::string &made) {
    const char kind = cursor.kind();
    if (kind == 'A') {
      made.push_back(kind);
      return appendText(made, cursor.text());
    }
    const uint64_t length = cursor.count();
    llvm::SmallVector<uint64_t, 16> inside;
    for (uint64_t i = 0; i < length * (kind == 'D' ? 2 : 1) && cursor.isGood(); ++i) {
      const uint64_t each = cursor.number();
      inside.push_back(each < old ? attribute(each) : bad());
    }
    made.push_back(kind);
    appendNumber(made, length);
    for (uint64_t each : inside)
      appendNumber(made, each);
  });
}

uint64_t ArchiveSorter::location(uint64_t old) {
  return place(locations, old, [&](EntryCursor &cursor, std::string &made) {
    const char kind = cursor.kind();
    auto inner = [&] {
      const uint64_t each = cursor.number();
      return each < old ? location(each) : bad();
    };
    llvm::SmallVector<uint64_t, 8> copied;
    if (kind == 'p' || kind == 'n' || kind == 'a')
      copied.push_back(attribute(cursor.number()));
    if (kind == 'p') {
      copied.push_back(cursor.number());
      copied.push_back(cursor.number());
    } else if (kind == 'n') {
      copied.push_back(inner());
    } else if (kind == 'c') {
      copied.push_back(inner());
      copied.push_back(inner());
    } else if (kind != 'a') {
      copied.push_back(optional(cursor.number()));
      copied.push_back(cursor.count());
      for (uint64_t left = copied.back(); left > 0 && cursor.isGood(); --left)
        copied.push_back(inner());
    }
    made.push_back('L');
    made.push_back(kind);
    for (uint64_t each : copied)
      appendNumber(made, each);
  });
}

uint64_t ArchiveSorter::head(uint64_t old) {
  return place(heads, old, [&](EntryCursor &cursor, std::string &made) {
    const llvm::StringRef name = cursor.text();
    llvm::SmallVector<uint64_t, 12> copied{attribute(cursor.number()), optional(cursor.number())};
    for (int i = 0; i < 4; ++i)
      copied.push_back(cursor.number());
    for (uint64_t left = copied.back(); left > 0 && cursor.isGood(); --left)
      copied.push_back(attribute(cursor.number()));
    made.push_back('H');
    appendText(made, name);
    for (uint64_t each : copied)
      appendNumber(made, each);
  });
}

bool ArchiveSorter::add(llvm::StringRef name, llvm::StringRef bytes) {
  EntryCursor cursor(bytes);
  snapshot.clear();
  const size_t root = cursor.number();
  if (root == 0 || !op(cursor, root - 1) || !cursor.isGood() || !cursor.atEnd())
    return false;
  out.push_back('S');
  appendText(out, name);
  appendText(out, snapshot);
  return true;
}

bool ArchiveSorter::op(EntryCursor &cursor, uint64_t which) {
  if (which >= shapes.size() || ++depth > kMaxOpDepth)
    return false;
  const HeadShape shape = shapes[which];
  const uint64_t newHead = head(which) + 1;
  add({newHead, location(cursor.number())});
  copy(cursor, shape.values);
  for (uint32_t i = 0; i < shape.regions && cursor.isGood(); ++i)
    if (!region(cursor))
      return false;
  --depth;
  return isGood && cursor.isGood();
}

bool ArchiveSorter::region(EntryCursor &cursor) {
  const size_t blocks = cursor.count();
  add({blocks});
  for (size_t i = 0; i < blocks && cursor.isGood(); ++i) {
    copy(cursor, 1);
    const size_t arguments = cursor.count();
    add({arguments});
    for (size_t k = 0; k < arguments && cursor.isGood(); ++k) {
      copy(cursor, 1);
      const uint64_t type = attribute(cursor.number());
      add({type, location(cursor.number())});
    }
    while (const uint64_t inner = cursor.number())
      if (!op(cursor, inner - 1))
        return false;
    add({0});
  }
  return cursor.isGood();
}

std::optional<std::string> ArchiveSorter::sort() {
  llvm::sort(snapshots);
  for (const auto &[name, bytes] : snapshots)
    if (!add(name, bytes))
      return std::nullopt;
  return std::move(out);
}

std::string compiler::sortArchive(llvm::ArrayRef<llvm::StringRef> pieces) {
  ArchiveSorter sorter;
  if (sorter.read(pieces))
    if (std::optional<std::string> sorted = sorter.sort())
      return *std::move(sorted);
  std::string unsorted;
  for (llvm::StringRef piece : pieces)
    unsorted += piece;
  return unsorted;
}
