//===- ObservedBackend.cpp - a back end with observers around it -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ObservedBackend.h"

#include "lib/Runtime/Clock.h"

#include <utility>

namespace mica::runtime {
namespace {

/// Launch numbers are unique in the process, so that logs of several contexts can be read together: the one thing of the
/// runtime that is shared by all of it.
std::atomic<uint64_t> &launchCounter() {
  static std::atomic<uint64_t> counter{0};
  return counter;
}

class ObservedBackend final : public Backend {
public:
  ObservedBackend(std::unique_ptr<Backend> inner, std::vector<Observer *> observers, const artifact::Manifest &manifest)
      : inner(std::move(inner)), observers(std::move(observers)), manifest(manifest) {}

  std::string_view name() const override { return inner->name(); }
  int parallelism() const override { return inner->parallelism(); }
  bool inOrder() const override { return inner->inOrder(); }
  Result<KernelHandle> load(const KernelSource &source) override { return inner->load(source); }
  Status reserve(size_t launches) override { return inner->reserve(launches); }
  Result<void *> allocate(int64_t bytes) override { return inner->allocate(bytes); }
  void release(void *memory, int64_t bytes) override { inner->release(memory, bytes); }
  void drain(const std::atomic<int32_t> &remaining) override { inner->drain(remaining); }

  void launch(Launch &launch) override {
    launch.id = launchCounter().fetch_add(1, std::memory_order_relaxed) + 1;
    launch.timed = true;
    launch.observedDone = launch.done;
    launch.observedOwner = this;
    launch.done = complete;
    launch.startNs = launch.endNs = steadyNs();
    LaunchEvent event = describe(launch);
    for (Observer *observer : observers)
      observer->onLaunch(event);
    inner->launch(launch);
  }

private:
  static void complete(Launch &launch) {
    auto *self = static_cast<ObservedBackend *>(launch.observedOwner);
    LaunchEvent event = self->describe(launch);
    event.status = launch.status.load(std::memory_order_relaxed);
    event.parts = launch.parts;
    event.endNs = launch.endNs;
    for (Observer *observer : self->observers)
      observer->onComplete(event);
    // The walker may launch it anew as soon as its own callback has run, so its fields are put back before.
    launch.done = launch.observedDone;
    launch.done(launch);
  }

  LaunchEvent describe(const Launch &launch) const {
    LaunchEvent event;
    event.id = launch.id;
    event.kernel = launch.record;
    event.site = launch.site;
    bool known = launch.site >= 0 && size_t(launch.site) < manifest.sites.size();
    event.opIds = known ? &manifest.sites[size_t(launch.site)].opIds : &launch.record->opIds;
    event.device = inner->name();
    event.startNs = launch.startNs;
    return event;
  }

  std::unique_ptr<Backend> inner;
  std::vector<Observer *> observers;
  const artifact::Manifest &manifest;
};

} // namespace

std::unique_ptr<Backend> observeBackend(std::unique_ptr<Backend> inner, std::vector<Observer *> observers,
                                        const artifact::Manifest &manifest) {
  return std::make_unique<ObservedBackend>(std::move(inner), std::move(observers), manifest);
}

} // namespace mica::runtime
