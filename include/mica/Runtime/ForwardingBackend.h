//===- ForwardingBackend.h - a back end around another ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What looks at launches or changes how they are made is a back end that hands everything else on.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_FORWARDINGBACKEND_H
#define MICA_RUNTIME_FORWARDINGBACKEND_H

#include "mica/Runtime/Backend.h"

#include <atomic>
#include <memory>
#include <utility>

namespace mica::runtime {

/// All but launch() is as `inner` does it.
class ForwardingBackend : public Backend {
public:
  std::string_view name() const override { return inner->name(); }
  int parallelism() const override { return inner->parallelism(); }
  bool inOrder() const override { return inner->inOrder(); }
  Result<KernelHandle> load(const KernelSource &source) override { return inner->load(source); }
  Status reserve(size_t launches) override { return inner->reserve(launches); }
  Result<void *> allocate(int64_t bytes) override { return inner->allocate(bytes); }
  void release(void *memory, int64_t bytes) override { inner->release(memory, bytes); }
  Result<void *> allocateShared(int64_t bytes) override { return inner->allocateShared(bytes); }
  bool sharesMemory() const override { return inner->sharesMemory(); }
  Status adopt(void *memory, int64_t bytes, Contents contents) override {
    return inner->adopt(memory, bytes, contents);
  }
  Status toHost(const void *memory, int64_t bytes) override { return inner->toHost(memory, bytes); }
  Status allToHost() override { return inner->allToHost(); }
  void hostWrote(const void *memory, int64_t bytes) override { inner->hostWrote(memory, bytes); }
  void hostWroteAll() override { inner->hostWroteAll(); }
  void forget() override { inner->forget(); }
  Launch **callerRunSlot() override { return inner->callerRunSlot(); }
  void drain(const std::atomic<int32_t> &remaining) override { inner->drain(remaining); }

protected:
  explicit ForwardingBackend(std::unique_ptr<Backend> inner) : inner(std::move(inner)) {}

  /// Has `inner` run the launch and returns when it is complete; its `done` is left to the caller. One launch at a time.
  void launchAndWait(Launch &launch) {
    void (*const walkersDone)(Launch &) = std::exchange(launch.done, &ForwardingBackend::completed);
    void *const walker = std::exchange(launch.owner, this);
    running.store(1, std::memory_order_relaxed);
    inner->launch(launch);
    inner->drain(running);
    launch.done = walkersDone;
    launch.owner = walker;
  }

  const std::unique_ptr<Backend> inner;

private:
  /// Last: after it nothing of the launch is touched by the thread that completed it.
  static void completed(Launch &launch) {
    static_cast<ForwardingBackend *>(launch.owner)->running.fetch_sub(1, std::memory_order_seq_cst);
  }

  alignas(kCacheLine) std::atomic<int32_t> running{0};
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_FORWARDINGBACKEND_H
