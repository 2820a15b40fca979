//===- OpenCL/Memory.cpp - memory of an OpenCL device, and copies to and from it --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/Memory.h"

#include "lib/Runtime/SizeClasses.h"
#include "mica/ABI/Kernel.h"
#include "mica/Support/Text.h"

namespace mica::runtime::opencl {

void Memory::freeIdle() {
  for (auto &[size, blocks] : idle)
    for (uint64_t block : blocks)
      library.release(context, reinterpret_cast<void *>(block));
  idle.clear();
  inIdle = 0;
}

/// 0 where there is none. Drivers of CPUs promise more than there is, and the system ends the process when it is used.
uint64_t Memory::allocateFromDriver(int64_t bytes) {
  if (inUse + inIdle + bytes > properties.memoryBytes)
    return 0;
  return reinterpret_cast<uint64_t>(library.allocate(context, kReadWrite, size_t(bytes), MICA_BUFFER_ALIGNMENT));
}

Result<uint64_t> Memory::allocate(int64_t bytes) {
  const int64_t size = sizeClass(bytes);
  std::vector<uint64_t> &kept = idle[size];
  uint64_t memory = 0;
  if (!kept.empty()) {
    memory = kept.back();
    kept.pop_back();
    inIdle -= size;
  } else {
    memory = allocateFromDriver(size);
    if (!memory) {
      freeIdle();
      memory = allocateFromDriver(size);
    }
  }
  if (!memory)
    return Error{ErrorCode::Io,
                 std::string(kOutOfMemory) + device + " has no " + byteSize(size) + " to give" +
                     (size > properties.largestAllocation
                          ? ", which is more than it gives at once, " + byteSize(properties.largestAllocation)
                          : "; the program uses " + byteSize(inUse) + " of its " + byteSize(properties.memoryBytes)),
                 "run smaller inputs, or end other programs that use the device"};
  inUse += size;
  return memory;
}

void Memory::release(uint64_t memory, int64_t bytes) {
  const int64_t size = sizeClass(bytes);
  inUse -= size;
  inIdle += size;
  idle[size].push_back(memory);
}

Status Memory::upload(uint64_t to, const void *from, int64_t bytes) const {
  return library.check(library.copy(copies, 1, reinterpret_cast<void *>(to), from, size_t(bytes), 0, nullptr, nullptr),
                       "cannot upload " + byteSize(bytes) + " to " + device);
}

Status Memory::download(void *to, uint64_t from, int64_t bytes) const {
  return library.check(
      library.copy(copies, 1, to, reinterpret_cast<const void *>(from), size_t(bytes), 0, nullptr, nullptr),
      "cannot download " + byteSize(bytes) + " from " + device);
}

} // namespace mica::runtime::opencl
