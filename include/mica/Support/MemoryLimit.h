//===- MemoryLimit.h - how much memory tensors may take --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Linux grants more memory than there is and ends the process when it is touched. So whoever is about to take memory
// for tensors asks here first. The limit is the least of: physical memory with swap, the memory limits of the process's
// control groups, RLIMIT_AS and RLIMIT_DATA; or what the switch memory-limit says. It is the process's, not a
// context's.
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

/// How many bytes this process may have for tensors. Read from the system once; thread-safe.
int64_t memoryLimit();
/// Where it comes from: "physical memory and swap", "control group", "RLIMIT_AS", "the switch memory-limit".
std::string memoryLimitSource();
/// Sets the limit; -1: what the system says. Thread-safe.
void setMemoryLimit(int64_t bytes);

/// Bytes that count against the limit now: what takeMemory was asked for and has not been given back.
int64_t memoryTaken();
/// Counts `bytes` (at least 0); false, and counts nothing, where they do not fit the limit. Thread-safe.
bool takeMemory(int64_t bytes);
void giveMemoryBack(int64_t bytes);

/// The same for small blocks, of which there may be many: each thread counts by itself, and tells the process when it
/// is kUncountedBytes ahead or behind.
inline constexpr int64_t kUncountedBytes = int64_t(1) << 20;
bool takeSmallMemory(int64_t bytes);
void giveSmallMemoryBack(int64_t bytes);

/// "out of memory in WHERE: 8.6 GiB for tensor<46341x46341xf32>, limit 4.2 GiB (physical memory and swap)". `what`
/// needs the bytes; "" for both texts where they are not known; `bytes` -1: more than can be counted.
Error outOfMemory(int64_t bytes, const std::string &what, const std::string &where = "");

/// What std::bad_alloc comes to. Allocates nothing itself: its texts fit into the strings.
inline Error outOfMemory() { return {ErrorCode::Io, "out of memory", ""}; }

/// What `body` gives, a Status or a Result; the error where it gets no memory.
template <typename Body> auto catchOutOfMemory(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return outOfMemory();
  } catch (const std::length_error &) {
    return outOfMemory(); // more than a container can have
  }
}

/// For main() of a tool: from here on the process ends with an error and exit code 1, not by a signal, where nobody
/// catches std::bad_alloc: in a thread, or below code that exceptions do not pass; and where a thread cannot be
/// started (std::system_error). `tool` must live on.
void makeOutOfMemoryAnError(std::string_view tool);
/// Ends the process so. For handlers of libraries that throw nothing; allocates nothing.
[[noreturn]] void endWithoutMemory();

/// Whether a tensor of `shape` can be had, else the error: a negative size (InvalidInput), more bytes than can be
/// counted or than are left under the limit (Io). Counts nothing.
Status checkTensorSize(std::span<const int64_t> shape, DType dtype);

/// A tensor of zeros, checked by checkTensorSize.
Result<HostTensor> makeHostTensor(DType dtype, std::vector<int64_t> shape);

} // namespace mica

#endif // MICA_SUPPORT_MEMORYLIMIT_H
