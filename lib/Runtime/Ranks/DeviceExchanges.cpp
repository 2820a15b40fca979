//===- DeviceExchanges.cpp - exchanges in the memory of a device -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See DeviceExchanges.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/DeviceExchanges.h"

namespace mica::runtime {
namespace {

/// Memory of a device, and a communicator for it. All is added to its queue.
class QueuedMemory final : public CollectiveMemory {
public:
  QueuedMemory(DeviceQueue &device, StreamCommunicator &communicator, const std::atomic<bool> &cancelled)
      : device(device), communicator(communicator), cancelled(cancelled) {}

  Status copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes,
                  int64_t rows) override {
    return device.copyRows(to, toPitch, from, fromPitch, bytes, rows);
  }
  Status clear(void *memory, int64_t bytes) override { return device.clear(memory, bytes); }
  Result<void *> temporary(Purpose, int64_t bytes) override { return device.temporary(bytes); }
  Status perform(const GroupCall &call) override { return communicator.queue(call, device.stream(), cancelled); }
  bool takesAverages() const override { return true; }

private:
  DeviceQueue &device;
  StreamCommunicator &communicator;
  const std::atomic<bool> &cancelled;
};

} // namespace

Status DeviceExchanges::add(Collective &collective, const Launch &launch, void *const *buffers, uint64_t sequence) {
  MICA_ASSIGN_OR_RETURN(void *begin, device.mark());
  MICA_RETURN_IF_ERROR(addLocal(collective, launch, buffers));
  MICA_ASSIGN_OR_RETURN(void *end, device.mark());
  open.push_back({&launch, sequence, begin, end});
  return {};
}

Status DeviceExchanges::addLocal(Collective &collective, const Launch &launch, void *const *buffers) {
  QueuedMemory memory(device, *communicator, *launch.cancelled);
  return collective.run(buffers, launch.scalars, memory);
}

void DeviceExchanges::notePassed() {
  while (!open.empty()) {
    Open &first = open.front();
    if (first.begin && !device.takePassed(first.begin))
      return;
    if (first.begin)
      ledger.start(first.sequence);
    first.begin = nullptr;
    if (!device.takePassed(first.end))
      return;
    ledger.end(first.sequence);
    open.pop_front();
  }
}

std::optional<DeviceQueue::Ended> DeviceExchanges::whyEnded() {
  notePassed();
  if (open.empty())
    return std::nullopt;
  Status state = communicator->check();
  // Who is gone says more than what the library noticed of it.
  if (const std::string gone = ranks.whoWillNotCome(); !gone.empty())
    state = Error{ErrorCode::Difference, gone, ""};
  if (state)
    return std::nullopt;
  communicator->abort();
  return DeviceQueue::Ended{state.error(), open.front().launch};
}

void DeviceExchanges::close() {
  if (communicator && device.enter())
    notePassed();
  else if (communicator)
    communicator->abort();
  communicator.reset();
}

} // namespace mica::runtime
