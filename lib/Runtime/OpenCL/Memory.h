//===- OpenCL/Memory.h - memory of an OpenCL device, and copies to and from it ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Memory is coarse-grained shared virtual memory, not buffer objects: kernels' wrappers compute with addresses, and
// parts of an arena begin at multiples of 64 bytes, where a sub-buffer may not on many devices. It is only accessed by
// kernels and copies, so it need not be mapped, and lies where the device wants it. Copies have a queue of their own.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_MEMORY_H
#define MICA_LIB_RUNTIME_OPENCL_MEMORY_H

#include "lib/Runtime/OpenCL/Devices.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime::opencl {

/// What errors for lack of memory begin with.
inline constexpr std::string_view kOutOfMemory = "out of memory: ";

/// For one thread at a time.
class Memory {
public:
  /// `device`: as its logs name it; `copies`: the queue of copies.
  Memory(const Library &library, const DeviceProperties &properties, std::string device, Context context, Queue copies)
      : library(library), properties(properties), device(std::move(device)), context(context), copies(copies) {}
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { freeIdle(); }

  /// At least `bytes` bytes, aligned for any type. Io where the device has none, naming how much is in use.
  Result<uint64_t> allocate(int64_t bytes);
  /// Keeps what allocate() gave for the next one of its size.
  void release(uint64_t memory, int64_t bytes);

  /// Both are done when they return. Launches that use the memory must not be running.
  Status upload(uint64_t to, const void *from, int64_t bytes) const;
  Status download(void *to, uint64_t from, int64_t bytes) const;

private:
  void freeIdle();
  uint64_t allocateFromDriver(int64_t bytes);

  const Library &library;
  const DeviceProperties &properties;
  const std::string device;
  const Context context;
  const Queue copies;
  std::map<int64_t, std::vector<uint64_t>> idle; ///< by size
  int64_t inUse = 0, inIdle = 0;
};

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_MEMORY_H
