//===- Cuda/DeviceMemory.cpp - memory of a GPU, and copies to and from it ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/DeviceMemory.h"

#include "lib/Runtime/SizeClasses.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mica::runtime::cuda {

/// Of one pinned buffer: large enough for the bus to be busy, small enough to fill quickly.
static constexpr int64_t kStagingBytes = int64_t(4) << 20;
/// CU_STREAM_NON_BLOCKING: no order with the default stream, which others in the process may use.
static constexpr unsigned kNonBlocking = 1;
/// CU_EVENT_DISABLE_TIMING
static constexpr unsigned kNoTiming = 2;

DeviceMemory::DeviceMemory(const Driver &driver, std::string deviceName, bool pools, Stream compute)
    : driver(driver), deviceName(std::move(deviceName)), pools(pools), compute(compute) {}

Status DeviceMemory::start(std::function<Code()> wait) {
  waitForCompute = std::move(wait);
  MICA_RETURN_IF_ERROR(driver.check(driver.streamCreate(&copies, kNonBlocking), "cannot make a stream"));
  MICA_RETURN_IF_ERROR(driver.check(driver.eventCreate(&uploaded, kNoTiming), "cannot make an event"));
  for (Staging &buffer : staging) {
    void *memory = nullptr;
    MICA_RETURN_IF_ERROR(driver.check(driver.memHostAlloc(&memory, size_t(kStagingBytes), 0),
                                      "cannot pin " + byteSize(kStagingBytes) + " of the host's memory"));
    buffer.memory = static_cast<char *>(memory);
    MICA_RETURN_IF_ERROR(driver.check(driver.eventCreate(&buffer.copied, kNoTiming), "cannot make an event"));
  }
  return {};
}

DeviceMemory::~DeviceMemory() {
  if (copies)
    driver.streamSynchronize(copies);
  freeIdle();
  for (Staging &buffer : staging) {
    if (buffer.copied)
      driver.eventDestroy(buffer.copied);
    if (buffer.memory)
      driver.memFreeHost(buffer.memory);
  }
  if (uploaded)
    driver.eventDestroy(uploaded);
  if (copies)
    driver.streamDestroy(copies);
}

Code DeviceMemory::allocateFromDriver(uint64_t &memory, int64_t bytes) {
  if (!pools)
    return driver.memAlloc(&memory, size_t(bytes));
  const Code code = driver.memAllocAsync(&memory, size_t(bytes), compute);
  // The copy stream may use it too.
  return code ? code : waitForCompute();
}

void DeviceMemory::freeIdle() {
  for (auto &[size, blocks] : idle)
    for (uint64_t memory : blocks)
      pools ? driver.memFreeAsync(memory, compute) : driver.memFree(memory);
  idle.clear();
  if (pools)
    driver.streamSynchronize(compute);
}

Result<uint64_t> DeviceMemory::allocate(int64_t bytes) {
  const int64_t size = sizeClass(bytes);
  uint64_t memory = 0;
  if (auto found = idle.find(size); found != idle.end() && !found->second.empty()) {
    memory = found->second.back();
    found->second.pop_back();
  } else {
    Code code = allocateFromDriver(memory, size);
    if (code == kOutOfMemory) {
      freeIdle();
      code = allocateFromDriver(memory, size);
    }
    if (code == kOutOfMemory)
      return Error{ErrorCode::Io,
                   "out of memory: " + deviceName + " has no " + byteSize(size) + " to give; the program uses " +
                       byteSize(inUse) + " of it",
                   "run smaller inputs, or end other programs that use the device"};
    MICA_RETURN_IF_ERROR(driver.check(code, "cannot allocate " + byteSize(size) + " on " + deviceName));
  }
  inUse += size;
  return memory;
}

void DeviceMemory::release(uint64_t memory, int64_t bytes) {
  inUse -= sizeClass(bytes);
  idle[sizeClass(bytes)].push_back(memory);
}

/// Waits until the buffer's last copy is over.
Status DeviceMemory::settle(Staging &buffer) {
  if (!buffer.busy)
    return {};
  buffer.busy = false;
  return driver.check(driver.eventSynchronize(buffer.copied), "a copy failed");
}

Status DeviceMemory::upload(uint64_t to, const void *from, int64_t bytes) {
  for (int64_t done = 0; done < bytes;) {
    Staging &buffer = staging[nextStaging];
    nextStaging ^= 1;
    MICA_RETURN_IF_ERROR(settle(buffer));
    const int64_t part = std::min(kStagingBytes, bytes - done);
    std::memcpy(buffer.memory, static_cast<const char *>(from) + done, size_t(part));
    MICA_RETURN_IF_ERROR(driver.check(driver.copyToDevice(to + uint64_t(done), buffer.memory, size_t(part), copies),
                                      "cannot upload " + byteSize(part) + " to " + deviceName));
    MICA_RETURN_IF_ERROR(driver.check(driver.eventRecord(buffer.copied, copies), "cannot record an event"));
    buffer.busy = true;
    uploadsOpen = true;
    done += part;
  }
  return {};
}

Status DeviceMemory::orderUploads() {
  if (!uploadsOpen)
    return {};
  uploadsOpen = false;
  MICA_RETURN_IF_ERROR(driver.check(driver.eventRecord(uploaded, copies), "cannot record an event"));
  return driver.check(driver.streamWaitEvent(compute, uploaded, 0), "cannot wait for uploads");
}

Status DeviceMemory::download(void *to, uint64_t from, int64_t bytes) {
  // One part is copied out of its buffer while the device fills the other.
  int64_t asked = 0, had = 0;
  Staging *open = nullptr;
  int64_t openBytes = 0;
  while (had < bytes) {
    Staging *next = nullptr;
    int64_t part = 0;
    if (asked < bytes) {
      next = &staging[nextStaging];
      nextStaging ^= 1;
      MICA_RETURN_IF_ERROR(settle(*next));
      part = std::min(kStagingBytes, bytes - asked);
      MICA_RETURN_IF_ERROR(driver.check(driver.copyToHost(next->memory, from + uint64_t(asked), size_t(part), copies),
                                        "cannot download " + byteSize(part) + " from " + deviceName));
      MICA_RETURN_IF_ERROR(driver.check(driver.eventRecord(next->copied, copies), "cannot record an event"));
      next->busy = true;
      asked += part;
    }
    if (open) {
      MICA_RETURN_IF_ERROR(settle(*open));
      std::memcpy(static_cast<char *>(to) + had, open->memory, size_t(openBytes));
      had += openBytes;
    }
    open = next;
    openBytes = part;
  }
  return {};
}

} // namespace mica::runtime::cuda
