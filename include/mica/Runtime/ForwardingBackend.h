//===- ForwardingBackend.h - base of back ends that wrap another ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Observing, checking and capturing are wrappers: back ends that forward to another one. They can be nested in any
// order. A wrapper that observes launches passes on launches of its own (WrappedLaunches), so that those of the walker
// carry no wrapper state.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_FORWARDINGBACKEND_H
#define MICA_RUNTIME_FORWARDINGBACKEND_H

#include "mica/Runtime/Backend.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace mica::runtime {

/// A launch that a wrapper passes on for one that it received. Wrappers derive their per-launch state from this.
struct WrappedLaunch : LaunchMonitor {
  virtual ~WrappedLaunch() = default;

  Launch inner;
  Launch *outer = nullptr;

  /// The wrapped launch of `inner`, with which its `done` is called.
  static WrappedLaunch &of(Launch &inner) { return *static_cast<WrappedLaunch *>(inner.owner); }

  /// Forwards to the monitor of the outer launch. Overriders must call it.
  void begun() override {
    if (outer->monitor)
      outer->monitor->begun();
  }
  void sliceDone(int64_t slice, int64_t count) override {
    if (outer->monitor && outer->monitor->slices > 1)
      outer->monitor->sliceDone(slice, count);
  }

  /// Initializes `inner` from `outer`. `done` is called with `inner`; its owner is this.
  void start(void (*done)(Launch &)) {
    inner.kernel = outer->kernel;
    inner.record = outer->record;
    inner.buffers = outer->buffers;
    inner.scalars = outer->scalars;
    inner.scalarCount = outer->scalarCount;
    inner.checks = outer->checks;
    inner.grid = outer->grid;
    inner.site = outer->site;
    inner.operands = outer->operands;
    inner.timed = outer->timed;
    inner.monitor = this;
    inner.place = outer->place;
    inner.cancelled = outer->cancelled;
    inner.done = done;
    inner.owner = this;
    inner.startNs = inner.endNs = 0;
    inner.failure = nullptr;
    slices = outer->monitor ? outer->monitor->slices : 1;
    sliced = false;
  }
  /// Copies the results of `inner` to `outer` and calls its `done`. Must come last: this may be reused from then on.
  void finish() {
    outer->status.store(inner.status.load(std::memory_order_relaxed), std::memory_order_relaxed);
    outer->parts = inner.parts;
    outer->startNs = inner.startNs;
    outer->endNs = inner.endNs;
    outer->nextPlace = inner.nextPlace;
    outer->failure = inner.failure;
    if (outer->monitor)
      outer->monitor->sliced = sliced && outer->monitor->slices > 1;
    outer->done(*outer);
  }
};

/// The launches of one wrapper: one `Wrapped`, a WrappedLaunch, for each launch that it received, created on first use.
template <typename Wrapped> class WrappedLaunches {
public:
  /// Thread-safe; locks and allocates only on first use.
  Wrapped &of(Launch &outer) {
    if (!outer.wrapped) {
      std::lock_guard<std::mutex> lock(mutex);
      all.emplace_back().outer = &outer;
      outer.wrapped = &all.back();
    }
    return *static_cast<Wrapped *>(outer.wrapped);
  }

private:
  std::mutex mutex;
  std::deque<Wrapped> all; ///< a deque, so that addresses are stable
};

/// Forwards all calls except launch() to `inner`.
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
  DeviceMemory *deviceMemory() override { return inner->deviceMemory(); }
  DeviceQueue *deviceQueue() override { return inner->deviceQueue(); }
  Launch **callerRunSlot() override { return inner->callerRunSlot(); }
  void drain(const std::atomic<int32_t> &remaining) override { inner->drain(remaining); }

protected:
  explicit ForwardingBackend(std::unique_ptr<Backend> inner) : inner(std::move(inner)) {}

  /// Runs the launch on `inner` and returns when it is complete; the caller then calls `done`. One launch at a time.
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
  /// Must come last: afterwards the completing thread does not access the launch.
  static void completed(Launch &launch) {
    static_cast<ForwardingBackend *>(launch.owner)->running.fetch_sub(1, std::memory_order_seq_cst);
  }

  alignas(kCacheLine) std::atomic<int32_t> running{0};
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_FORWARDINGBACKEND_H
