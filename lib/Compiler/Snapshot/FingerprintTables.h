//===- FingerprintTables.h - tables for fingerprinting ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to SnapshotArchive. A compile fingerprints a million operations, so an operation costs only a few
// instructions here, and no memory is allocated or cleared between fingerprints.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_FINGERPRINTTABLES_H
#define MICA_LIB_COMPILER_SNAPSHOT_FINGERPRINTTABLES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// A hash of 128 bits over words, in two independent lanes.
struct Hash128 {
  uint64_t a = 0x243F6A8885A308D3ull, b = 0x13198A2E03707344ull;

  void add(uint64_t word) {
    a = fold(a ^ word, 0x9E3779B97F4A7C15ull);
    b = fold(b + word, 0xD6E8FEB86659FD93ull);
  }
  /// Adds two words at the cost of one.
  void add(uint64_t first, uint64_t second) {
    a = fold(a ^ first, second ^ 0x9E3779B97F4A7C15ull) + second;
    b = fold(b + first, second + 0xD6E8FEB86659FD93ull) + second;
  }
  void add(const void *address) { add(number(address)); }
  void add(const void *first, const void *second) { add(number(first), number(second)); }

private:
  static uint64_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }
  static uint64_t fold(uint64_t x, uint64_t y) {
    const auto product = static_cast<unsigned __int128>(x) * y;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^ (x << 1);
  }
};

/// Numbers addresses in the order of first use.
class PointerNumbering {
public:
  /// Forgets all addresses, in constant time.
  void start() {
    // Shrinks to a table for twice as many addresses as last time, which is small enough to stay in the cache.
    while (level > 0 && met < capacity() / 8)
      --level;
    met = 0;
    if (++turn == 0) { // on overflow, entries of 2^32 fingerprints ago would look new
      tables.clear();
      turn = 1;
    }
    use();
  }
  /// The number of `address`, and whether it is new; then it is `next`.
  std::pair<unsigned, bool> number(const void *address, unsigned next) {
    Entry *entry = find(address);
    if (entry->turn == turn)
      return {entry->number, false};
    *entry = {address, next, turn};
    if (++met > capacity() / 2)
      grow();
    return {next, true};
  }

  /// Prefetches the entry of `address`, for number().
  void fetch(const void *address) const { __builtin_prefetch(table + home(address), /*for writing*/ 1); }

private:
  struct Entry {
    const void *address = nullptr;
    unsigned number = 0;
    unsigned turn = 0; ///< when it was written; 0: never
  };
  static constexpr unsigned kFirstBits = 8;
  size_t capacity() const { return size_t(1) << (kFirstBits + level); }

  void use() {
    if (tables.size() <= level)
      tables.resize(level + 1);
    if (!tables[level])
      tables[level] = std::make_unique<Entry[]>(capacity());
    table = tables[level].get();
  }
  /// Addresses that are close in memory are close in the table. Operations have at least 64 bytes.
  size_t home(const void *address) const {
    const auto place = reinterpret_cast<uintptr_t>(address);
    return ((place >> 6) ^ (place >> 17)) & (capacity() - 1);
  }
  Entry *find(const void *address) const {
    const size_t mask = capacity() - 1;
    for (size_t at = home(address);; at = (at + 1) & mask)
      if (table[at].turn != turn || table[at].address == address)
        return table + at;
  }
  void grow() {
    const Entry *old = table, *end = table + capacity();
    ++level;
    use(); // all entries are of earlier turns
    for (; old != end; ++old)
      if (old->turn == turn)
        *find(old->address) = *old;
  }

  std::vector<std::unique_ptr<Entry[]>> tables; ///< each twice as long as the previous one
  Entry *table = nullptr;
  unsigned level = 0, turn = 0;
  size_t met = 0;
};

/// A growing buffer of bytes.
class ByteBuffer {
public:
  void clear() { end = 0; }
  size_t size() const { return end; }
  operator llvm::StringRef() const { return {memory.get(), end}; }
  /// Reserves space for `numbers` more numbers.
  void reserve(size_t numbers) {
    if (capacity - end < numbers * kLongest)
      enlarge(numbers * kLongest);
  }
  /// Appends `number` as LEB128; space must be reserved.
  void add(uint64_t number) {
    char *at = memory.get() + end;
    for (; number >= 0x80; number >>= 7)
      *at++ = static_cast<char>(number | 0x80);
    *at++ = static_cast<char>(number);
    end = at - memory.get();
  }
  /// Appends raw bytes; space must be reserved, one number per byte.
  void add(llvm::StringRef bytes) {
    std::memcpy(memory.get() + end, bytes.data(), bytes.size());
    end += bytes.size();
  }

private:
  static constexpr size_t kLongest = 10; ///< maximum bytes of a number
  void enlarge(size_t more) {
    capacity = 2 * capacity + more;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (end > 0)
      std::memcpy(larger.get(), memory.get(), end);
    memory = std::move(larger);
  }

  std::unique_ptr<char[]> memory;
  size_t end = 0, capacity = 0;
};

/// Numbers keys in the order of a fingerprint. Most keys come in the order of the previous one, and need no search.
template <typename Key> class Sequence {
public:
  void start() {
    std::swap(former, met);
    met.clear();
    next = 0;
  }
  /// The number of `key`; calls `search` if it is not among the next few keys of the previous fingerprint.
  template <typename Search> unsigned number(const Key &key, Search search) {
    for (size_t i = next; i < former.size() && i < next + 4; ++i)
      if (former[i].first == key) {
        next = i + 1;
        return keep(former[i]);
      }
    const unsigned number = search();
    // If more keys were removed or inserted, continues after the key that was found.
    if (number < places.size())
      if (const size_t place = places[number]; place < former.size() && former[place].first == key)
        next = place + 1;
    return keep({key, number});
  }

private:
  unsigned keep(std::pair<Key, unsigned> entry) {
    if (entry.second >= places.size())
      places.resize(2 * (entry.second + 1));
    places[entry.second] = met.size();
    met.push_back(entry);
    return entry.second;
  }

  std::vector<std::pair<Key, unsigned>> former, met;
  std::vector<uint32_t> places; ///< by number: position of the latest use, in this fingerprint or an earlier one
  size_t next = 0;              ///< of `former`
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_FINGERPRINTTABLES_H
