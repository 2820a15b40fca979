//===- KernelMemory.cpp - memory that generated code asks for --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Generated code is left by longjmp: it has no destructors, and any depth of calls and loops may lie between the
// request and the runtime. No frame of this file owns anything at that moment.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/KernelMemory.h"

#include "mica/ABI/Kernel.h"
#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"

#include <algorithm>
#include <charconv>
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
              "sizes must not be negative; check the inputs that they are computed from"};
  return outOfMemory(checkedBytes(sizes, elementBytes).value_or(-1), typeText(sizes, dtype), where);
}

SizedThing splitWhat(const char *what) {
  constexpr size_t kIdLength = 12;
  const std::string_view text = what;
  if (text.size() <= kIdLength || text[kIdLength] != ' ')
    return {"", text};
  std::string op(text.substr(0, kIdLength));
  std::string_view dtype = text.substr(kIdLength + 1);
  const size_t end = dtype.find(' ');
  if (op.find(' ') == op.npos)
    return {op, dtype.substr(0, end), end == dtype.npos ? std::string_view() : dtype.substr(end + 1)};
  return end == dtype.npos ? SizedThing{"", dtype}
                           : SizedThing{std::string(dtype.substr(end + 1)), dtype.substr(0, end)};
}

bool reshapeFits(std::span<const int64_t> from, std::span<const int64_t> to, int32_t rule) {
  if (rule == MICA_RESHAPE_SUM) {
    std::optional<int64_t> sum = 0;
    for (size_t i = 0; i < from.size() && sum; ++i)
      sum = from[i] < 0 ? std::nullopt : checkedAdd(*sum, from[i]);
    return sum.has_value();
  }
  const std::optional<int64_t> before = checkedElements(from), after = checkedElements(to);
  if (!before || !after)
    return false;
  return rule == MICA_RESHAPE_SIZES ? std::equal(from.begin(), from.end(), to.begin(), to.end()) : *before == *after;
}

/// Why a dimension cannot have the sum of `sizes`.
static Error sumError(std::span<const int64_t> sizes, const std::string &where) {
  const bool isNegative = std::any_of(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : " + ") + std::to_string(size);
  return Error{ErrorCode::InvalidInput,
               "shape mismatch" + (where.empty() ? "" : " in " + where) + ": a dimension cannot have the size " + text +
                   (isNegative ? ": none of them may be negative" : ": that is 2^63 or more"),
               "check the inputs that the sizes are computed from"};
}

Error reshapeError(std::span<const int64_t> from, std::span<const int64_t> to, int32_t rule, std::string_view dtype,
                   const std::string &where) {
  if (rule == MICA_RESHAPE_SUM)
    return sumError(from, where);
  const std::optional<int64_t> before = checkedElements(from), after = checkedElements(to);
  std::string why;
  for (std::span<const int64_t> sizes : {from, to})
    for (size_t i = 0; i < sizes.size() && why.empty(); ++i)
      if (sizes[i] < 0)
        why = "the size " + std::to_string(sizes[i]) + " in dimension " + std::to_string(i) + " is negative";
  auto count = [](std::optional<int64_t> elements) {
    return elements ? std::to_string(*elements) : std::string("2^63 or more");
  };
  if (why.empty() && rule != MICA_RESHAPE_SIZES)
    why = count(before) + (before == 1 ? " element is" : " elements are") + " not " + count(after);
  return Error{ErrorCode::InvalidInput,
               "shape mismatch" + (where.empty() ? "" : " in " + where) + ": " + typeText(from, dtype) +
                   " cannot become " + typeText(to, dtype) + (why.empty() ? "" : ": " + why),
               "check the inputs that the sizes are computed from"};
}

int64_t KernelMemory::failedNumber() const {
  int64_t number = -1;
  if (request.op.starts_with('#'))
    std::from_chars(request.op.data() + 1, request.op.data() + request.op.size(), number);
  return number;
}

std::pair<int64_t, int64_t> KernelMemory::failedPlace() const {
  std::pair<int64_t, int64_t> place;
  const char *end = request.place.data() + request.place.size();
  const auto [colon, wrong] = std::from_chars(request.place.data(), end, place.first);
  if (wrong == std::errc() && colon != end)
    std::from_chars(colon + 1, end, place.second);
  return place;
}

Error KernelMemory::error(const std::string &where) const {
  // Equal sizes are those of memory that is allocated elsewhere.
  if (request.newSizes && !(request.rule == MICA_RESHAPE_SIZES && *request.newSizes == request.sizes))
    return reshapeError(request.sizes, *request.newSizes, request.rule, request.dtype, where);
  return sizeError(request.sizes, request.elementBytes, request.dtype, where);
}

void *KernelMemory::take(const char *what, int64_t elementBytes, std::span<const int64_t> sizes,
                         int64_t alignment) try {
  if (const std::optional<int64_t> bytes = checkedBytes(sizes, elementBytes))
    if (Result<void *> taken = memory->allocate(*bytes, alignment))
      return *taken;
  const auto [op, dtype, place] = splitWhat(what);
  request = {op,           std::string(dtype), std::string(place),   {sizes.begin(), sizes.end()},
             elementBytes, std::nullopt,       MICA_RESHAPE_ELEMENTS};
  return nullptr;
} catch (const std::bad_alloc &) {
  request = {};
  return nullptr;
}

bool KernelMemory::refuses(const char *what, int32_t rule, std::span<const int64_t> from,
                           std::span<const int64_t> to) try {
  if (reshapeFits(from, to, rule))
    return false;
  const auto [op, dtype, place] = splitWhat(what);
  request = {op,
             std::string(dtype),
             std::string(place),
             {from.begin(), from.end()},
             0,
             std::vector<int64_t>(to.begin(), to.end()),
             rule};
  return true;
} catch (const std::bad_alloc &) {
  request = {};
  return true;
}

void *KernelMemory::allocate(const char *what, int64_t elementBytes, std::span<const int64_t> sizes,
                             int64_t alignment) {
  if (void *taken = take(what, elementBytes, sizes, alignment))
    return taken;
  std::longjmp(leave, 1);
}

void KernelMemory::reshape(const char *what, int32_t rule, std::span<const int64_t> from, std::span<const int64_t> to) {
  if (refuses(what, rule, from, to))
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
  std::fputs("mica: error: generated code allocated memory outside of a kernel call\n", stderr);
  ::_exit(exitCode(ErrorCode::Internal));
}

const mica_memory_api_v1 &memoryApiTable() {
  static constexpr mica_memory_api_v1 table = {
      MICA_MEMORY_API_VERSION,
      [](const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank) -> void * {
        if (!current)
          endProcess();
        return current->allocate(what, elementBytes, {sizes, size_t(rank)}, MICA_BUFFER_ALIGNMENT);
      },
      [](void *memory) {
        if (!current)
          endProcess();
        current->release(memory);
      },
      [](const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank, int64_t alignment) -> void * {
        if (!current)
          endProcess();
        return current->allocate(what, elementBytes, {sizes, size_t(rank)}, alignment);
      },
      [](const char *what, int32_t rule, const int64_t *from, int64_t fromRank, const int64_t *to, int64_t toRank) {
        if (!current)
          endProcess();
        current->reshape(what, rule, {from, size_t(fromRank)}, {to, size_t(toRank)});
      }};
  return table;
}

} // namespace mica::runtime
