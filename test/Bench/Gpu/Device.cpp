//===- Device.cpp - a GPU as its driver gives it ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Bench/Gpu/Device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mica::bench {

using namespace runtime::cuda;

void check(const Status &status) {
  if (status)
    return;
  std::fprintf(stderr, "mica-bench-gpu: error: %s\n", status.error().message.c_str());
  std::exit(1);
}

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Device::Device(const std::string &name) : library(take(Driver::open(name))) {
  if (library->count() == 0)
    check(Error{ErrorCode::Unsupported, "the driver has no device", ""});
  expect(library->deviceGet(&number, 0), "get the handle of the device");
  expect(library->primaryContextRetain(&context, number), "make its context");
  makeCurrent();
  constexpr unsigned kNonBlocking = 1; // CU_STREAM_NON_BLOCKING
  expect(library->streamCreate(&queue, kNonBlocking), "make a stream");
  expect(library->eventCreate(&begin, 0), "make an event");
  expect(library->eventCreate(&end, 0), "make an event");
}

Device::~Device() {
  library->contextSetCurrent(context);
  library->streamSynchronize(queue);
  for (Module module : modules)
    library->moduleUnload(module);
  library->eventDestroy(begin);
  library->eventDestroy(end);
  library->streamDestroy(queue);
  library->contextSetCurrent(nullptr);
  library->primaryContextRelease(number);
}

void Device::expect(Code code, const char *what) const { check(library->check(code, std::string("cannot ") + what)); }
void Device::makeCurrent() const { expect(library->contextSetCurrent(context), "use the device"); }
void Device::wait() const { expect(library->streamSynchronize(queue), "wait for the device"); }

DeviceAddress Device::allocate(size_t bytes) {
  makeCurrent(); // back ends that ended took theirs away
  DeviceAddress memory = 0;
  expect(library->memAlloc(&memory, bytes), "allocate memory of the device");
  return memory;
}

void Device::release(DeviceAddress memory) {
  makeCurrent();
  expect(library->memFree(memory), "free memory of the device");
}

bool Device::hasFree(size_t bytes) const {
  DeviceAddress memory = 0;
  return library->memAlloc(&memory, bytes) == kSuccess && library->memFree(memory) == kSuccess;
}

Function Device::load(const std::string &text, const std::string &entry) {
  makeCurrent();
  Module module = nullptr;
  expect(library->moduleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr), "load a kernel's code");
  modules.push_back(module);
  Function function = nullptr;
  expect(library->moduleGetFunction(&function, module, entry.c_str()), "find a kernel's entry");
  return function;
}

void Device::upload(DeviceAddress to, const void *from, size_t bytes) {
  makeCurrent();
  expect(library->copyToDevice(to, from, bytes, queue), "copy to the device");
  wait();
}

double Device::time(const std::function<void()> &work, const std::function<void()> &ahead) {
  makeCurrent();
  if (ahead)
    ahead();
  expect(library->eventRecord(begin, queue), "record an event");
  work();
  expect(library->eventRecord(end, queue), "record an event");
  wait();
  float milliseconds = 0;
  expect(library->eventElapsedTime(&milliseconds, begin, end), "read the time between events");
  return double(milliseconds);
}

Delay::Delay(Device &device)
    : device(device), isPossible(device.driver().copyOnDevice && device.hasFree(2 * kBytes)),
      from(device, isPossible ? kBytes : 0), to(device, isPossible ? kBytes : 0) {}

void Delay::queue() const {
  if (isPossible)
    device.expect(device.driver().copyOnDevice(to.address, from.address, kBytes, device.stream()),
                  "copy memory of the device");
}

CopyRate measureCopies(Device &device, int repeats) {
  CopyRate rate;
  if (!device.driver().copyOnDevice)
    return rate;
  // Far more than the caches hold, where the device has so much.
  for (rate.bytes = size_t(256) << 20; rate.bytes > (16u << 20) && !device.hasFree(2 * rate.bytes);)
    rate.bytes /= 2;
  const DeviceAddress from = device.allocate(rate.bytes), to = device.allocate(rate.bytes);
  auto copy = [&] {
    device.expect(device.driver().copyOnDevice(to, from, rate.bytes, device.stream()), "copy memory of the device");
  };
  std::vector<double> times;
  device.time(copy);
  for (int i = 0; i < repeats; ++i)
    times.push_back(device.time(copy));
  device.release(from);
  device.release(to);
  if (const double ms = median(times); ms > 0)
    rate.bytesPerSecond = 2.0 * double(rate.bytes) / (ms * 1e-3);
  return rate;
}

} // namespace mica::bench
