//===- Cuda/Queue.cpp - work that libraries add to a stream -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Queue.h"

#include "mica/Support/Text.h"

#include <time.h>
#include <utility>

namespace mica::runtime::cuda {

Queue::~Queue() {
  for (Event event : events)
    driver.eventDestroy(event);
}

Result<void *> Queue::temporary(int64_t bytes) {
  MICA_ASSIGN_OR_RETURN(const uint64_t memory, workspaces.take(bytes, /*mayGrow=*/true));
  return reinterpret_cast<void *>(memory);
}

Status Queue::copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes, int64_t rows) {
  if (bytes == 0 || rows == 0)
    return {};
  if (toPitch == bytes && fromPitch == bytes)
    bytes *= std::exchange(rows, 1);
  // The driver limits how far apart rows may be, but not how long one is.
  if (rows == 1 && driver.copyOnDevice)
    return driver.check(driver.copyOnDevice(reinterpret_cast<DeviceAddress>(to), reinterpret_cast<DeviceAddress>(from),
                                            size_t(bytes), compute),
                        "cannot copy " + byteSize(bytes) + " on " + deviceName);
  RowCopy copy;
  copy.from = reinterpret_cast<DeviceAddress>(from);
  copy.fromPitch = size_t(fromPitch);
  copy.to = reinterpret_cast<DeviceAddress>(to);
  copy.toPitch = size_t(toPitch);
  copy.bytes = size_t(bytes);
  copy.rows = size_t(rows);
  return driver.check(driver.copyRows(&copy, compute),
                      "cannot copy " + std::to_string(rows) + " rows of " + byteSize(bytes) + " on " + deviceName);
}

Status Queue::clear(void *memory, int64_t bytes) {
  if (bytes == 0)
    return {};
  return driver.check(driver.setBytes(reinterpret_cast<DeviceAddress>(memory), 0, size_t(bytes), compute),
                      "cannot clear " + byteSize(bytes) + " on " + deviceName);
}

Result<void *> Queue::mark() {
  constexpr unsigned kNoTiming = 2; // CU_EVENT_DISABLE_TIMING
  if (idle.empty()) {
    Event event = nullptr;
    MICA_RETURN_IF_ERROR(driver.check(driver.eventCreate(&event, kNoTiming), "cannot make an event"));
    events.push_back(event);
    idle.push_back(event);
  }
  const Event event = idle.back();
  MICA_RETURN_IF_ERROR(driver.check(driver.eventRecord(event, compute), "cannot record an event"));
  idle.pop_back();
  return static_cast<void *>(event);
}

bool Queue::takePassed(void *mark) {
  const Event event = static_cast<Event>(mark);
  if (driver.eventQuery(event) != kSuccess)
    return false;
  idle.push_back(event);
  return true;
}

template <typename Query> Code Queue::wait(Query query) {
  for (int looks = 1;; ++looks) {
    const Code code = query();
    if (code != kNotReady || why)
      return code;
    // Kernels are short: at first somebody looks again at once.
    if (looks < 64)
      continue;
    const timespec pause{0, looks < 1024 ? 2000 : 50000};
    ::nanosleep(&pause, nullptr);
    if (looks % 64 == 0)
      why = watch();
  }
}

Code Queue::waitForStream() {
  return watch ? wait([&] { return driver.streamQuery(compute); }) : driver.streamSynchronize(compute);
}

Code Queue::waitForEvent(Event event) {
  return watch ? wait([&] { return driver.eventQuery(event); }) : driver.eventSynchronize(event);
}

} // namespace mica::runtime::cuda
