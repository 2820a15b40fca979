//===- MemoryLimit.h - the memory limit for tensors ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Linux overcommits memory and kills the process when it is touched, so memory for tensors is requested here first. The
// limit is the least of: physical memory with swap, the memory limits of the process's control groups, RLIMIT_AS and
// RLIMIT_DATA; or the switch memory-limit. It applies to the process, not to a context.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_MEMORYLIMIT_H
#define MICA_SUPPORT_MEMORYLIMIT_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mica {

/// The number of bytes that this process may use for tensors. Read from the system once; thread-safe.
int64_t memoryLimit();
/// The source of the limit: "physical memory and swap", "control group", "RLIMIT_AS", "the switch memory-limit".
std::string memoryLimitSource();
/// Sets the limit; -1: the system's limit. Thread-safe.
void setMemoryLimit(int64_t bytes);

/// Bytes that currently count against the limit: taken by takeMemory and not returned yet.
int64_t memoryTaken();
/// Counts `bytes` (at least 0); returns false and counts nothing if they exceed the limit. Thread-safe.
bool takeMemory(int64_t bytes);
void giveMemoryBack(int64_t bytes);

/// The same for many small blocks: each thread counts separately, and updates the process's count when it differs by
/// kUncountedBytes.
inline constexpr int64_t kUncountedBytes = int64_t(1) << 20;
bool takeSmallMemory(int64_t bytes);
void giveSmallMemoryBack(int64_t bytes);

/// "out of memory in WHERE: 8.6 GiB for tensor<46341x46341xf32>, limit 4.2 GiB (physical memory and swap)". `what`
/// needs the bytes; both texts are "" if unknown; `bytes` -1: the size overflows.
Error outOfMemory(int64_t bytes, const std::string &what, const std::string &where = "");

/// The error for std::bad_alloc. Does not allocate: its texts fit into the strings' inline buffers.
inline Error outOfMemory() { return {ErrorCode::Io, "out of memory", ""}; }

/// The result of `body`, a Status or a Result; an error if an allocation fails.
template <typename Body> auto catchOutOfMemory(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::length_error &) {
    return outOfMemory(); // more than max_size() of a container
  }
}

/// For main() of a tool: an uncaught std::bad_alloc, in a thread or below code without exceptions, and a thread that
/// cannot be started (std::system_error) end the process with an error and exit code 1, not by a signal. `tool` must
/// stay valid.
void makeOutOfMemoryAnError(std::string_view tool);
/// Ends the process in this way. For handlers of libraries without exceptions; does not allocate.
[[noreturn]] void endWithoutMemory();

/// Succeeds if a tensor of `shape` can be allocated. Errors: a negative size (InvalidInput); an overflow, or more bytes
/// than the limit allows (Io). Counts nothing.
Status checkTensorSize(std::span<const int64_t> shape, DType dtype);

/// A tensor of zeros, checked by checkTensorSize.
Result<HostTensor> makeHostTensor(DType dtype, std::vector<int64_t> shape);

} // namespace mica

#endif // MICA_SUPPORT_MEMORYLIMIT_H
