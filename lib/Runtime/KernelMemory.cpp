//===- KernelMemory.cpp - memory that generated code asks for --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Generated code is left by longjmp: it has no destructors, and any depth of calls and loops may lie between the request and
// the runtime. No frame of this file owns anything at that moment.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/KernelMemory.h"

#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"

#include <cstdio>
#include <unistd.h>

namespace mica::runtime {

/// Whose call the thread is in.
static thread_local KernelMemory *current = nullptr;

/// More than that is given back to the system between calls.
static constexpr int64_t kKeptBytes = int64_t(64) << 20;

static std::string typeText(std::span<const int64_t> sizes, std::string_view dtype) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text.append(dtype) + ">";
}

Error sizeError(std::span<const int64_t> sizes, int64_t elementBytes, std::string_view dtype,
                const std::string &where) {
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0)
      return {ErrorCode::InvalidInput,
              (where.empty() ? "a tensor" : where) + " would have the size " + std::to_string(sizes[i]) +
                  " in dimension " + std::to_string(i),
              "sizes are 0 or more; look at the inputs that they are computed from"};
  return outOfMemory(checkedBytes(sizes, elementBytes).value_or(-1), typeText(sizes, dtype), where);
}

void *KernelMemory::take(const char *what, int64_t elementBytes, std::span<const int64_t> sizes) {
  if (const std::optional<int64_t> bytes = checkedBytes(sizes, elementBytes))
    if (Result<void *> taken = memory->allocate(*bytes))
      return *taken;
  failure = sizeError(sizes, elementBytes, what, "");
  return nullptr;
}

void *KernelMemory::allocate(const char *what, int64_t elementBytes, std::span<const int64_t> sizes) {
  if (void *taken = take(what, elementBytes, sizes))
    return taken;
  std::longjmp(leave, 1);
}

void KernelMemory::release(void *block) { memory->release(block); }

int32_t KernelMemory::run(int32_t (*body)(void *), void *closure, MemoryPool &pool) {
  // Neither changes between setjmp and longjmp.
  KernelMemory *const before = current;
  const size_t mark = pool.marker();
  memory = &pool;
  current = this;
  int32_t code = MICA_STATUS_NO_MEMORY;
  if (_setjmp(leave) == 0)
    code = body(closure);
  else
    code = MICA_STATUS_NO_MEMORY;
  current = before;
  pool.reset(mark);
  if (&pool == &own)
    own.trim(kKeptBytes);
  return code;
}

/// Only code that was called otherwise asks without a call: there is nothing to go back to.
[[noreturn]] static void endProcess() {
  std::fputs("mica: error: generated code asks for memory outside of a call by the runtime\n", stderr);
  ::_exit(exitCode(ErrorCode::Internal));
}

const mica_memory_api_v1 &memoryApiTable() {
  static constexpr mica_memory_api_v1 table = {
      MICA_MEMORY_API_VERSION,
      [](const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank) -> void * {
        if (!current)
          endProcess();
        return current->allocate(what, elementBytes, {sizes, size_t(rank)});
      },
      [](void *memory) {
        if (!current)
          endProcess();
        current->release(memory);
      }};
  return table;
}

} // namespace mica::runtime
