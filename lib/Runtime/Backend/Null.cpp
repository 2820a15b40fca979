//===- Backend/Null.cpp - a device that runs nothing and records what would run --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The smallest correct back end. To port Mica to a new device, copy this file and replace, in this order: load (find or
// build the kernel's code), allocate and release (memory the device can address), launch (start the work; call `done`
// when its writes can be read), drain (block until the device has come that far). Then add it to the conformance suite.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/Memory.h"
#include "mica/Runtime/Backend.h"

#include <utility>

namespace mica::runtime {
namespace {

class NullBackendImpl final : public NullBackend {
public:
  NullBackendImpl(std::string name, std::string failKernel, int32_t failStatus)
      : deviceName(std::move(name)), failKernel(std::move(failKernel)), failStatus(failStatus) {}

  std::string_view name() const override { return deviceName; }
  int parallelism() const override { return 1; }
  bool inOrder() const override { return true; }

  /// A handle need only be known to this back end again; the record's address serves.
  Result<KernelHandle> load(const KernelSource &source) override { return KernelHandle(source.record); }
  Status reserve(size_t) override { return Status::ok(); }

  Result<void *> allocate(int64_t bytes) override {
    // Nothing is ever computed: what a reader finds is at least always the same.
    return blocks.allocate(bytes, /*zeroed=*/true);
  }
  void release(void *memory, int64_t) override { blocks.release(memory); }

  void launch(Launch &launch) override {
    const artifact::KernelRecord &kernel = *static_cast<const artifact::KernelRecord *>(launch.kernel);
    Record record;
    record.kernel = kernel.name;
    record.site = launch.site;
    record.buffers.assign(launch.buffers, launch.buffers + kernel.bindings.size());
    record.scalars.assign(launch.scalars, launch.scalars + launch.scalarCount);
    record.cancelled = launch.cancelled->load(std::memory_order_relaxed);
    launch.parts = 1;
    launch.failure = nullptr;
    if (launch.timed)
      launch.startNs = launch.endNs = steadyNs();
    launch.status.store(!record.cancelled && kernel.name == failKernel ? failStatus : 0, std::memory_order_relaxed);
    records.push_back(std::move(record));
    launch.done(launch);
  }
  void drain(const std::atomic<int32_t> &) override {}

  std::vector<Record> takeRecords() override { return std::exchange(records, {}); }

private:
  std::string deviceName, failKernel;
  int32_t failStatus;
  std::vector<Record> records;
  HostBlocks blocks;
};

} // namespace

std::unique_ptr<NullBackend> NullBackend::create(std::string name, std::string failKernel, int32_t failStatus) {
  return std::make_unique<NullBackendImpl>(std::move(name), std::move(failKernel), failStatus);
}

} // namespace mica::runtime
