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

/// Launch numbers are unique in the process, so that logs of several contexts can be read together: the one thing of
/// the runtime that is shared by all of it.
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
    Observed &observed = launches.of(launch);
    observed.start(complete);
    observed.backend = this;
    observed.id = launchCounter().fetch_add(1, std::memory_order_relaxed) + 1;
    observed.observers = wanted;
    observed.inner.timed = true;
    observed.handedNs = observed.inner.startNs = observed.inner.endNs = steadyNs();
    LaunchEvent event = describe(observed);
    forEach(wanted, [&](Observer &observer) { observer.onLaunch(event); });
    inner->launch(observed.inner);
  }

private:
  struct Observed final : WrappedLaunch {
    void begun() override {
      backend->forEach(observers & backend->beginMask, [&](Observer &observer) { observer.onBegin(id); });
      WrappedLaunch::begun();
    }
    const ObservedBackend *backend = nullptr;
    uint64_t id = 0;
    int64_t handedNs = 0;   ///< steady clock
    uint32_t observers = 0; ///< who wants this launch: a bit each
  };

  uint32_t wanting(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids) const {
    uint32_t mask = 0;
    for (size_t i = 0; i < observers.size(); ++i)
      mask |= observers[i]->wants(kernel, ids, inner->name()) ? 1u << i : 0;
    return mask;
  }

  template <typename Body> void forEach(uint32_t mask, Body body) const {
    for (; mask; mask &= mask - 1) {
      Observer &observer = *observers[size_t(__builtin_ctz(mask))];
      try {
        body(observer);
      } catch (const std::bad_alloc &) {
        observer.onLost();
      }
    }
  }

  static void complete(Launch &launch) {
    auto &observed = static_cast<Observed &>(WrappedLaunch::of(launch));
    const ObservedBackend &self = *observed.backend;
    LaunchEvent event = self.describe(observed);
    event.status = launch.status.load(std::memory_order_relaxed);
    event.parts = launch.parts;
    event.endNs = launch.endNs;
    event.skipped =
        event.status == 0 && launch.startNs == observed.handedNs && launch.cancelled->load(std::memory_order_relaxed);
    self.forEach(observed.observers, [&](Observer &observer) { observer.onComplete(event); });
    observed.finish();
  }

  LaunchEvent describe(const Observed &observed) const {
    const Launch &launch = observed.inner;
    LaunchEvent event;
    event.id = observed.id;
    event.kernel = launch.record;
    event.site = launch.site;
    bool known = launch.site >= 0 && size_t(launch.site) < manifest.sites.size();
    event.opIds = known ? &manifest.sites[size_t(launch.site)].opIds : &launch.record->opIds;
    event.device = inner->name();
    event.handedNs = observed.handedNs;
    event.startNs = launch.startNs;
    event.scalars = launch.scalars;
    event.scalarCount = launch.scalarCount;
    return event;
  }

  std::vector<Observer *> observers;
  const artifact::Manifest &manifest;
  std::vector<uint32_t> masks; ///< who wants the launches of a site; of a kernel, where the site is unknown
  uint32_t beginMask = 0;      ///< who wants to know when partitions begin
  WrappedLaunches<Observed> launches;
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
