//===- RankTrace.cpp - when a rank did what --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankTrace.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankTrace.h"

#include "lib/Runtime/Ranks/NumberedBackend.h"
#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"

#include <unistd.h>

namespace mica::runtime {

/// Events of each kind: as many as a page can show, and 60 MB of memory.
static constexpr size_t kMostEvents = 1000000;

RankTrace::RankTrace(const Program &program, const Communicator &ranks, std::filesystem::path folder)
    : program(program), rank(ranks.rank()), size(ranks.size()), library(ranks.library()), isRemote(ranks.isRemote()),
      folder(std::move(folder)) {}

void RankTrace::beginCall() {
  std::lock_guard<std::mutex> lock(mutex);
  ++call;
}

void RankTrace::addLaunch(size_t kernel, const Launch &launch) {
  std::lock_guard<std::mutex> lock(mutex);
  if (launches.size() == kMostEvents) {
    ++lost;
    return;
  }
  const int32_t thread = threads.try_emplace(int32_t(::gettid()), int32_t(threads.size())).first->second;
  launches.push_back({int32_t(kernel), int32_t(launch.site), call, thread, launch.startNs, launch.endNs});
}

void RankTrace::addExchange(size_t kernel, int64_t site, const Exchange &exchange) {
  std::lock_guard<std::mutex> lock(mutex);
  if (exchanges.size() == kMostEvents) {
    ++lost;
    return;
  }
  const std::vector<int32_t> members(exchange.members.begin(), exchange.members.end());
  const int32_t group = members.empty() ? -1 : groups.try_emplace(members, int32_t(groups.size())).first->second;
  exchanges.push_back({int32_t(kernel), int32_t(site), call, group, exchange.partner, exchange.turn, exchange.bytes,
                       exchange.startNs, exchange.endNs, exchange.isDone});
}

void RankTrace::setAxes(const std::vector<RankFingerprint> &fingerprints) {
  std::lock_guard<std::mutex> lock(mutex);
  for (const RankFingerprint &one : fingerprints)
    if (one.kernel >= 0)
      axes[{one.kernel, one.site}] |= one.axes;
}

Status RankTrace::write() {
  std::lock_guard<std::mutex> lock(mutex);
  const artifact::Manifest &manifest = program.manifest();
  Json json = Json::object();
  json["format"] = "mica-rank";
  json["schema"] = "1.0";
  json["rank"] = rank;
  json["size"] = size;
  json["library"] = library;
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  json["host"] = std::string(host);
  json["process"] = isRemote ? int64_t(::getpid()) : int64_t(0);
  json["program"] = manifest.inputFile;
  json["lost"] = lost;
  Json kernels = Json::array();
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    kernels.push_back(Json{{"name", kernel.name},
                           {"exchange", kernel.collective ? kernel.collective->kind : ""},
                           {"flops", kernel.flops},
                           {"hash", kernel.hash}});
  json["kernels"] = std::move(kernels);
  Json sites = Json::array();
  for (const artifact::SiteRecord &site : manifest.sites)
    sites.push_back(site.opIds.empty() ? std::string() : program.describeOp(site.opIds.front()));
  json["sites"] = std::move(sites);
  Json members = Json::array();
  std::vector<const std::vector<int32_t> *> byNumber(groups.size());
  for (const auto &[ranks, number] : groups)
    byNumber[size_t(number)] = &ranks;
  for (const std::vector<int32_t> *ranks : byNumber)
    members.push_back(*ranks);
  json["groups"] = std::move(members);
  if (!axes.empty()) {
    Json split = Json::array();
    for (const auto &[place, along] : axes)
      split.push_back({place.first, place.second, along});
    json["axes"] = std::move(split);
  }
  Json launched = Json::array(), exchanged = Json::array();
  for (const Launched &one : launches)
    launched.push_back({one.kernel, one.site, one.call, one.thread, one.startNs, one.endNs});
  for (const Exchanged &one : exchanges)
    exchanged.push_back({one.kernel, one.site, one.call, one.group, one.partner, one.turn, one.bytes, one.startNs,
                         one.endNs, one.isDone ? 1 : 0});
  json["launches"] = std::move(launched);
  json["exchanges"] = std::move(exchanged);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return writeFile(folder / ("rank-" + std::to_string(rank) + ".json"), printJson(json));
}

//===-----------------------------------------------------------------------------------------------------------===//
// Launches
//===-----------------------------------------------------------------------------------------------------------===//

namespace {

struct Traced final : WrappedLaunch {
  RankTrace *trace = nullptr;
  size_t kernel = 0;
};

class RankTraceBackend final : public NumberedBackend {
public:
  RankTraceBackend(std::unique_ptr<Backend> inner, const Program &program, RankTrace &trace)
      : NumberedBackend(std::move(inner), program), trace(trace) {}

  void launchKernel(Launch &launch, size_t kernel) override {
    Traced &traced = launches.of(launch);
    traced.trace = &trace;
    traced.kernel = kernel;
    traced.start([](Launch &inner) {
      auto &traced = static_cast<Traced &>(WrappedLaunch::of(inner));
      if (!inner.cancelled->load(std::memory_order_relaxed))
        traced.trace->addLaunch(traced.kernel, inner);
      traced.finish();
    });
    traced.inner.timed = true;
    inner->launch(traced.inner);
  }

private:
  RankTrace &trace;
  WrappedLaunches<Traced> launches;
};

} // namespace

std::unique_ptr<Backend> rankTraceBackend(std::unique_ptr<Backend> inner, const Program &program, RankTrace &trace) {
  return std::make_unique<RankTraceBackend>(std::move(inner), program, trace);
}

} // namespace mica::runtime
