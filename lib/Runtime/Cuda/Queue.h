//===- Cuda/Queue.h - work that libraries add to a stream -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A library such as NCCL adds kernels to the stream of the launches that wait for other processes. So whoever waits for
// the stream does so by asking, and gives up where the library says that the others will not come.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_QUEUE_H
#define MICA_LIB_RUNTIME_CUDA_QUEUE_H

#include "lib/Runtime/Cuda/Driver.h"
#include "lib/Runtime/Workspaces.h"
#include "mica/Runtime/Backend.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtime::cuda {

/// For one thread at a time.
class Queue final : public DeviceQueue {
public:
  /// `enter` makes the device the calling thread's.
  Queue(const Driver &driver, std::string deviceName, Stream compute, Workspaces &workspaces,
        std::function<Status()> enter)
      : driver(driver), deviceName(std::move(deviceName)), compute(compute), workspaces(workspaces),
        makeCurrent(std::move(enter)) {}
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
  ~Queue();

  void *stream() const override { return compute; }
  Status enter() override { return makeCurrent(); }
  Result<void *> temporary(int64_t bytes) override;
  Status copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes, int64_t rows) override;
  Status clear(void *memory, int64_t bytes) override;
  Result<void *> mark() override;
  bool takePassed(void *mark) override;
  void setWatch(std::function<std::optional<Ended>()> ask) override { watch = std::move(ask); }

  /// Return when the stream is idle, or has come to `event`: with kNotReady if nobody waits any longer, and ended()
  /// says why.
  Code waitForStream();
  Code waitForEvent(Event event);
  /// Stays once it is there.
  const std::optional<Ended> &ended() const { return why; }

private:
  template <typename Query> Code wait(Query query);

  const Driver &driver;
  const std::string deviceName;
  const Stream compute;
  Workspaces &workspaces;
  const std::function<Status()> makeCurrent;
  std::function<std::optional<Ended>()> watch;
  std::optional<Ended> why;
  std::vector<Event> events, idle; ///< all, and those that are no mark
};

} // namespace mica::runtime::cuda

#endif // MICA_LIB_RUNTIME_CUDA_QUEUE_H
