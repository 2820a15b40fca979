//===- ObservedBackend.cpp - a back end with observers around it -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ObservedBackend.h"

#include "lib/Runtime/Clock.h"
#include "mica/Runtime/ForwardingBackend.h"

#include <algorithm>
#include <utility>

namespace mica::runtime {
namespace {

/// Launch numbers are unique in the process, so that logs of several contexts can be read together: the one thing of the
/// runtime that is shared by all of it.
std::atomic<uint64_t> &launchCounter() {
  static std::atomic<uint64_t> counter{0};
  return counter;
}

class ObservedBackend final : public ForwardingBackend {
public:
  ObservedBackend(std::unique_ptr<Backend> inner, std::vector<Observer *> observers, const artifact::Manifest &manifest)
      : ForwardingBackend(std::move(inner)), observers(std::move(observers)), manifest(manifest) {
    for (const artifact::SiteRecord &site : manifest.sites) {
      uint32_t mask = 0;
      for (const artifact::KernelRecord &kernel : manifest.kernels)
        if (kernel.name == site.kernel)
          mask = wanting(kernel, site.opIds);
      masks.push_back(mask);
    }
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      masks.push_back(wanting(kernel, kernel.opIds));
    for (size_t i = 0; i < this->observers.size(); ++i)
      beginMask |= this->observers[i]->wantsBegin() ? 1u << i : 0;
  }

  void launch(Launch &launch) override {
    const bool known = launch.site >= 0 && size_t(launch.site) < manifest.sites.size();
    const uint32_t wanted =
        masks[known ? size_t(launch.site) : manifest.sites.size() + size_t(launch.record - manifest.kernels.data())];
    if (wanted == 0)
      return inner->launch(launch);
    launch.id = launchCounter().fetch_add(1, std::memory_order_relaxed) + 1;
    launch.timed = true;
    launch.observers = wanted;
    launch.begun = wanted & beginMask ? begin : nullptr;
    launch.observedDone = launch.done;
    launch.observedOwner = this;
    launch.done = complete;
    launch.handedNs = launch.startNs = launch.endNs = steadyNs();
    LaunchEvent event = describe(launch);
    forEach(wanted, [&](Observer &observer) { observer.onLaunch(event); });
    inner->launch(launch);
  }

private:
  uint32_t wanting(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids) const {
    uint32_t mask = 0;
    for (size_t i = 0; i < observers.size(); ++i)
      mask |= observers[i]->wants(kernel, ids, inner->name()) ? 1u << i : 0;
    return mask;
  }

  template <typename Body> void forEach(uint32_t mask, Body body) const {
    for (; mask; mask &= mask - 1)
      body(*observers[size_t(__builtin_ctz(mask))]);
  }

  static void begin(Launch &launch) {
    auto *self = static_cast<ObservedBackend *>(launch.observedOwner);
    self->forEach(launch.observers & self->beginMask, [&](Observer &observer) { observer.onBegin(launch.id); });
  }

  static void complete(Launch &launch) {
    auto *self = static_cast<ObservedBackend *>(launch.observedOwner);
    LaunchEvent event = self->describe(launch);
    event.status = launch.status.load(std::memory_order_relaxed);
    event.parts = launch.parts;
    event.endNs = launch.endNs;
    event.skipped =
        event.status == 0 && launch.startNs == launch.handedNs && launch.cancelled->load(std::memory_order_relaxed);
    self->forEach(launch.observers, [&](Observer &observer) { observer.onComplete(event); });
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
    event.handedNs = launch.handedNs;
    event.startNs = launch.startNs;
    event.scalars = launch.scalars;
    event.scalarCount = launch.scalarCount;
    return event;
  }

  std::vector<Observer *> observers;
  const artifact::Manifest &manifest;
  std::vector<uint32_t> masks; ///< who wants the launches of a site; of a kernel, where the site is unknown
  uint32_t beginMask = 0;      ///< who wants to know when shares begin
};

} // namespace

std::unique_ptr<Backend> observeBackend(std::unique_ptr<Backend> inner, std::vector<Observer *> observers,
                                        const artifact::Manifest &manifest) {
  auto wanted = [&](const artifact::KernelRecord &kernel, const std::vector<std::string> &ids) {
    return std::any_of(observers.begin(), observers.end(),
                       [&](const Observer *observer) { return observer->wants(kernel, ids, inner->name()); });
  };
  bool any = std::any_of(manifest.kernels.begin(), manifest.kernels.end(),
                         [&](const auto &kernel) { return wanted(kernel, kernel.opIds); });
  for (const artifact::SiteRecord &site : manifest.sites)
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      any = any || (kernel.name == site.kernel && wanted(kernel, site.opIds));
  // A filter that leaves nothing costs nothing.
  if (!any)
    return inner;
  return std::make_unique<ObservedBackend>(std::move(inner), std::move(observers), manifest);
}

} // namespace mica::runtime
