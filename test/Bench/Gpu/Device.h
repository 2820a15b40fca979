//===- Device.h - a GPU as its driver gives it ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What programs are compared with: copies, launches and libraries, by the driver alone. A benchmark has nobody to
// report errors to: what fails ends the program with the driver's words.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_BENCH_GPU_DEVICE_H
#define MICA_TEST_BENCH_GPU_DEVICE_H

#include "lib/Runtime/Cuda/Driver.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mica::bench {

/// Ends the program unless `status` is ok.
void check(const Status &status);
template <typename T> T take(Result<T> result) {
  check(result.status());
  return *std::move(result);
}

/// The middle of `values`; 0 of none.
double median(std::vector<double> values);

/// Device 0, its context current in the calling thread, and a stream.
class Device {
public:
  explicit Device(const std::string &library);
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device();

  const runtime::cuda::Driver &driver() const { return *library; }
  runtime::cuda::Stream stream() const { return queue; }
  void makeCurrent() const;
  void wait() const;

  runtime::cuda::DeviceAddress allocate(size_t bytes);
  void release(runtime::cuda::DeviceAddress memory);
  /// Whether the device has `bytes` free; nothing is left allocated.
  bool hasFree(size_t bytes) const;
  /// Entry `entry` of the PTX text `text`, loaded until the device is closed.
  runtime::cuda::Function load(const std::string &text, const std::string &entry);

  /// Milliseconds on the device, by events, from before `work` until what it queued is done. `ahead` is queued before
  /// it: where that takes the device longer than the host takes to queue `work`, the time is of `work` alone.
  double time(const std::function<void()> &work, const std::function<void()> &ahead = {});
  void upload(runtime::cuda::DeviceAddress to, const void *from, size_t bytes);
  void expect(runtime::cuda::Code code, const char *what) const;

private:
  std::shared_ptr<const runtime::cuda::Driver> library;
  runtime::cuda::Device number = 0;
  runtime::cuda::Context context = nullptr;
  runtime::cuda::Stream queue = nullptr;
  runtime::cuda::Event begin = nullptr, end = nullptr;
  std::vector<runtime::cuda::Module> modules;
};

/// Memory of the device that is given back; none of 0 bytes.
struct DeviceBlock {
  DeviceBlock(Device &device, size_t bytes) : device(device), address(bytes ? device.allocate(bytes) : 0) {}
  DeviceBlock(const DeviceBlock &) = delete;
  DeviceBlock &operator=(const DeviceBlock &) = delete;
  ~DeviceBlock() {
    if (address)
      device.release(address);
  }
  Device &device;
  const runtime::cuda::DeviceAddress address;
};

/// Bytes read and written per second by copies of the driver's within the device's memory, and of how many bytes they
/// were.
struct CopyRate {
  double bytesPerSecond = 0; ///< 0: not measured
  size_t bytes = 0;
};
CopyRate measureCopies(Device &device, int repeats);

/// Work that keeps the device busy for some 100 us while the host queues what is timed.
class Delay {
public:
  explicit Delay(Device &device);
  void queue() const;

private:
  Device &device;
  static constexpr size_t kBytes = size_t(128) << 20;
  const bool isPossible;
  const DeviceBlock from, to;
};

} // namespace mica::bench

#endif // MICA_TEST_BENCH_GPU_DEVICE_H
