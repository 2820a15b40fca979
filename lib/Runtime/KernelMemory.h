//===- KernelMemory.h - memory that generated code asks for ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The other side of mica_memory_api_v1 (mica/ABI/Memory.h). Code that allocates is called through KernelMemory::call.
// Where there is no memory, the service does not return to it: the call ends at once, with a status and a reason.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_KERNELMEMORY_H
#define MICA_LIB_RUNTIME_KERNELMEMORY_H

#include "lib/Runtime/Memory.h"
#include "mica/ABI/Memory.h"
#include "mica/Support/Status.h"

#include <csetjmp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace mica::runtime {

/// The table that programs are given.
const mica_memory_api_v1 &memoryApiTable();

/// What a constant text of a program names: an operation by its id, its position "model.mlir:3:8" or, in kernels, "#"
/// and its number among the kernel's operations, "" where it has none; and the element type. In kernels also where it
/// is in the source, "3:8", as it may be inside of the operation of that number.
struct SizedThing {
  std::string op;
  std::string_view dtype;
  std::string_view place = {};
};
SizedThing splitWhat(const char *what);

/// Whether memory of a tensor of the sizes `from` can be seen as one of the sizes `to` by `rule` (MICA_RESHAPE_*); and
/// why it cannot.
bool reshapeFits(std::span<const int64_t> from, std::span<const int64_t> to, int32_t rule);
Error reshapeError(std::span<const int64_t> from, std::span<const int64_t> to, int32_t rule, std::string_view dtype,
                   const std::string &where);

/// Why there is no tensor of `sizes` with elements of `elementBytes`: a negative size (InvalidInput), or too many bytes
/// (Io). `dtype`: the element type in words; `where`: the operation.
Error sizeError(std::span<const int64_t> sizes, int64_t elementBytes, std::string_view dtype, const std::string &where);

/// Memory of the calls that one thread makes. For one thread at a time.
class KernelMemory {
public:
  /// Calls `body`, which may call generated code that allocates; what it leaves allocated is freed after it. Gives what
  /// `body` returns, or MICA_STATUS_NO_MEMORY, and then error() says why. `body` must own nothing when it calls: it may
  /// be left without its destructors being run. `pool`: where memory comes from; null: an own one.
  template <typename Body> int32_t call(Body body, MemoryPool *pool = nullptr) {
    return run([](void *closure) { return (*static_cast<Body *>(closure))(); }, &body, pool ? *pool : own);
  }
  /// Of the last call that gave MICA_STATUS_NO_MEMORY: the operation that asked (SizedThing), "" where the code does
  /// not say; and what was wrong, `where` in words.
  const std::string &failedOp() const { return request.op; }
  /// In kernels, the number of this operation; -1 if unknown.
  int64_t failedNumber() const;
  /// And its line and column; 0, 0 if unknown.
  std::pair<int64_t, int64_t> failedPlace() const;
  Error error(const std::string &where = "") const;

  // The services.
  void *allocate(const char *what, int64_t elementBytes, std::span<const int64_t> sizes, int64_t alignment);
  void reshape(const char *what, int32_t rule, std::span<const int64_t> from, std::span<const int64_t> to);
  void release(void *memory);

private:
  int32_t run(int32_t (*body)(void *), void *closure, MemoryPool &pool);
  void *take(const char *what, int64_t elementBytes, std::span<const int64_t> sizes, int64_t alignment);
  bool refuses(const char *what, int32_t rule, std::span<const int64_t> from, std::span<const int64_t> to);

  /// What could not be served.
  struct Request {
    std::string op, dtype, place;
    std::vector<int64_t> sizes;
    int64_t elementBytes = 0;
    std::optional<std::vector<int64_t>> newSizes; ///< of a reshape
    int32_t rule = MICA_RESHAPE_ELEMENTS;
  };

  MemoryPool own;
  MemoryPool *memory = nullptr; ///< of the running call
  std::jmp_buf leave;
  Request request;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_KERNELMEMORY_H
