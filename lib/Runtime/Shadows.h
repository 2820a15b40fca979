//===- Shadows.h - which elements of memory were written -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime; for programs whose kernels check for uses of uninitialized memory.
//
// Kernels keep shadows (include/mica/ABI/Checks.h); what they need before they start and leave when they are done is
// worked out here. A binding that a kernel only writes holds a new tensor from then on: its shadow is poisoned. As long
// as all that a launch reads is written whole, it runs without shadows, and what it writes whole is whole without a
// look. Shadows take memory where they are touched first.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SHADOWS_H
#define MICA_LIB_RUNTIME_SHADOWS_H

#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Program.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace mica::runtime {

/// Numbers of allocations fit into 16 bits; those beyond share the last one, of which nothing is known.
inline constexpr int64_t kMostOrigins = 65535;

/// A piece of memory that holds one tensor after the other, all of elements of one size, and its shadow.
class ShadowRegion {
public:
  ShadowRegion() = default;
  ShadowRegion(const ShadowRegion &) = delete;
  ShadowRegion &operator=(const ShadowRegion &) = delete;
  ~ShadowRegion();

  /// From here on it is `bytes` bytes at `begin`, of allocation `origin`, all of it written or none.
  Status assign(const void *begin, int64_t bytes, int64_t origin, bool written);

  const char *begin = nullptr;
  int64_t bytes = 0;
  int64_t origin = 0;

  /// True where every element was written.
  bool isWhole() const { return whole.load(std::memory_order_relaxed); }
  /// The launch that wrote here last; null: none since assign().
  const Launch *lastWriter() const { return writer.load(std::memory_order_relaxed); }

  // Of `count` elements of `elementBytes` bytes from the address `at` on.
  /// Looks whether they are written, and remembers it where they are all there are.
  bool isWritten(const void *at, int64_t elementBytes, int64_t count);
  /// The number of those that are not, and the first of them (-1: none), with its allocation.
  int64_t countUnwritten(const void *at, int64_t elementBytes, int64_t count, int64_t &first, int64_t &allocation);
  void poison(const void *at, int64_t elementBytes, int64_t count);
  void fill(const void *at, int64_t elementBytes, int64_t count);
  /// Their shadow, which says what is known.
  int16_t *shadowAt(const void *at, int64_t elementBytes);
  /// A launch that keeps shadows is about to write here, and has.
  void expectWrites();
  void noteWriter(const Launch *launch) { writer.store(launch, std::memory_order_relaxed); }

private:
  void materialize(int64_t elementBytes);
  bool covers(const void *at, int64_t elementBytes, int64_t count) const {
    return at == begin && elementBytes * count >= bytes;
  }

  std::mutex mutex;          ///< of all that is not atomic
  int16_t *shadow = nullptr; ///< mapped, an element for each byte
  int64_t capacity = 0;      ///< elements
  int64_t zeros = 0;         ///< elements at its beginning that are 0 for certain, whatever the region was before
  bool isUntouched = false;  ///< nothing was written yet, and `shadow` does not say so
  std::atomic<bool> whole{true};
  std::atomic<const Launch *> writer{nullptr};
};

/// The allocations of a context that are no list's own: arguments, results, constants, what host functions ask for.
class ShadowMemory {
public:
  explicit ShadowMemory(const Program &program);

  /// Whether kernels of `program`, or its host functions, check for uses of uninitialized memory.
  static bool isWanted(const Program &program);

  /// Forgets what the last invocation had.
  void begin();
  /// Memory that holds a tensor, `written` or not; `name`: "result 0 of entry 'main'". Fails with Io where the system
  /// has no memory.
  Status adopt(const void *memory, int64_t bytes, bool written, std::string name);
  /// Forgets what begins in the `bytes` bytes at `memory`, which were released.
  void drop(const void *memory, int64_t bytes);
  /// The region that `address` is in; one that is not known is made, as memory of `bytes` bytes that was written.
  Result<ShadowRegion *> find(const void *address, int64_t bytes);

  /// A number for an allocation that `describe` tells of.
  int64_t addOrigin(std::function<std::string()> describe);
  /// "memory of result 0 of entry 'main', which is uninitialized": what is known of an allocation.
  std::string describeOrigin(int64_t origin) const;
  /// "last written by kernel ..."
  std::string describeWriter(const ShadowRegion &region) const;

private:
  const Program &program;
  std::map<uintptr_t, std::unique_ptr<ShadowRegion>> regions;
  std::vector<std::unique_ptr<ShadowRegion>> unused;
  std::map<std::string, int64_t> originOf; ///< by name
  std::vector<std::function<std::string()>> origins;
};

/// The shadows of one task list.
class ListShadows {
public:
  ListShadows(const Program &program, const artifact::TaskList &list, ShadowMemory &memory);

  /// Before a run, when the launches have their addresses.
  Status place(std::span<Launch> launches);
  /// On the thread that hands `launch` over, everything that it waits for being done.
  void prepare(Launch &launch);
  /// On the thread that completes it, before others are handed over.
  void complete(Launch &launch);

private:
  /// One buffer of a launch.
  struct Binding {
    ShadowRegion *region = nullptr;
    artifact::Access access = artifact::Access::Read;
    bool fills = false; ///< the kernel writes every element before it reads any
    int64_t elementBytes = 1;
    int64_t fixedElements = 1; ///< product of the sizes that are known
    size_t firstDim = 0, numDims = 0;
  };
  struct Task {
    std::vector<Binding> bindings;
    std::vector<int16_t *> shadows;
    bool looks = false; ///< the kernel keeps shadows
    bool partly = false;
  };

  static int64_t elementsOf(const Binding &binding, const Launch &launch);
  std::string describeBuffer(size_t buffer, const ShadowRegion &region) const;
  std::string describeLocal(size_t task, size_t local) const;

  const Program &program;
  const artifact::TaskList &list;
  ShadowMemory &memory;
  std::vector<Task> tasks;
  std::vector<std::unique_ptr<ShadowRegion>> own;
  std::vector<ShadowRegion *> regionOf;  ///< of each buffer of the list that has memory of its own
  std::vector<int64_t> originOf;         ///< of those
  std::vector<int64_t> firstLocalOrigin; ///< of each task
  const Launch *first = nullptr;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SHADOWS_H
