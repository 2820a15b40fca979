//===- Cuda/DeviceMemory.h - memory of a GPU, and copies to and from it -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Memory is kept by size class when it is given back, so that a repeated invocation gets the same addresses, which
// captured graphs need, and asks the driver for nothing. Copies go through two pinned buffers in turn: while one is
// copied by the device, the other is filled. Uploads have a stream of their own, so they run beside kernels; a launch
// that reads what is uploaded waits for an event.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_DEVICEMEMORY_H
#define MICA_LIB_RUNTIME_CUDA_DEVICEMEMORY_H

#include "lib/Runtime/Cuda/Driver.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mica::runtime::cuda {

/// For one thread at a time, with the device's context current.
class DeviceMemory {
public:
  /// `pools`: whether the device has memory pools of the driver's (cuMemAllocAsync). `compute`: the stream of the
  /// launches.
  DeviceMemory(const Driver &driver, std::string deviceName, bool pools, Stream compute);
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();
  /// Makes streams, events and the pinned buffers. `waitForCompute` returns when the stream of the launches is idle.
  Status start(std::function<Code()> waitForCompute);

  /// At least `bytes` bytes, aligned to 256. Io where the device has none, naming how much is in use.
  Result<uint64_t> allocate(int64_t bytes);
  void release(uint64_t memory, int64_t bytes);

  /// Begins an upload; `from` may be overwritten when it returns.
  Status upload(uint64_t to, const void *from, int64_t bytes);
  /// Makes launches that follow wait for the uploads so far.
  Status orderUploads();
  /// Downloads what launches that are complete wrote; done when it returns.
  Status download(void *to, uint64_t from, int64_t bytes);

  int64_t bytesInUse() const { return inUse; }

private:
  /// A pinned buffer and when its last copy is over.
  struct Staging {
    char *memory = nullptr;
    Event copied = nullptr;
    bool busy = false;
  };
  Code allocateFromDriver(uint64_t &memory, int64_t bytes);
  void freeIdle();
  Status settle(Staging &staging);

  const Driver &driver;
  const std::string deviceName;
  const bool pools;
  Stream compute;
  std::function<Code()> waitForCompute;
  Stream copies = nullptr;
  Event uploaded = nullptr;
  bool uploadsOpen = false; ///< some that no launch waits for
  Staging staging[2];
  int nextStaging = 0;
  std::map<int64_t, std::vector<uint64_t>> idle; ///< by size
  int64_t inUse = 0;
};

} // namespace mica::runtime::cuda

#endif // MICA_LIB_RUNTIME_CUDA_DEVICEMEMORY_H
