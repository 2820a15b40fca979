//===- RankFingerprints.cpp - tensors that several ranks have --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankFingerprints.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankFingerprints.h"

#include "lib/Runtime/Ranks/NumberedBackend.h"
#include "mica/Support/Hash.h"

#include <algorithm>
#include <tuple>

namespace mica::runtime {

namespace {

RankAxes axesOf(const std::vector<int64_t> &axes) {
  RankAxes set = 0;
  for (int64_t axis : axes)
    set |= axis < 32 ? RankAxes(1) << axis : kAllRankAxes;
  return set;
}

RankAxes axesOf(const std::optional<artifact::ShardingRecord> &sharding) {
  RankAxes set = 0;
  if (sharding)
    for (const std::vector<int64_t> &axes : sharding->axes)
      set |= axesOf(axes);
  return set;
}

/// Of what an exchange gives, of whose source ranks differ along `source`.
RankAxes axesAfter(const artifact::CollectiveRecord &collective, RankAxes source) {
  if (collective.kind == "index")
    return kAllRankAxes;
  // Of these, all members get the same.
  const bool joins =
      collective.kind == "all_reduce" || collective.kind == "all_gather" || collective.kind == "broadcast";
  return joins ? source & ~axesOf(collective.axes) : source | axesOf(collective.axes);
}

/// The position of `rank` along those axes of `grid` that are in `axes`.
std::vector<int64_t> placeOf(const std::vector<int64_t> &grid, RankAxes axes, int64_t rank) {
  std::vector<int64_t> place;
  for (size_t axis = grid.size(); axis-- > 0; rank /= grid[axis])
    if (axis >= 32 || (axes >> axis & 1))
      place.push_back(rank % grid[axis]);
  return place;
}

struct Observed final : WrappedLaunch {
  RankFingerprints *fingerprints = nullptr;
  size_t kernel = 0;
  RankAxes inputs = 0;
};

class FingerprintsBackend final : public NumberedBackend {
public:
  FingerprintsBackend(std::unique_ptr<Backend> inner, const Program &program, RankFingerprints &fingerprints)
      : NumberedBackend(std::move(inner), program), fingerprints(fingerprints) {}

  void launchKernel(Launch &launch, size_t kernel) override {
    Observed &observed = launches.of(launch);
    observed.fingerprints = &fingerprints;
    observed.kernel = kernel;
    observed.inputs = fingerprints.axesOfInputs(kernel, launch);
    observed.start([](Launch &inner) {
      auto &observed = static_cast<Observed &>(WrappedLaunch::of(inner));
      if (inner.status.load(std::memory_order_relaxed) == 0 && !inner.cancelled->load(std::memory_order_relaxed))
        observed.fingerprints->add(observed.kernel, inner, observed.inputs);
      observed.finish();
    });
    inner->launch(observed.inner);
  }

private:
  RankFingerprints &fingerprints;
  WrappedLaunches<Observed> launches;
};

} // namespace

void RankFingerprints::begin() {
  ranges.clear();
  turns.clear();
  found.clear();
  asksForRank = false;
  const std::vector<artifact::ConstantRecord> &constants = program.manifest().constants;
  for (size_t i = 0; i < constants.size(); ++i)
    know(program.constant(i), constants[i].bytes, 0);
  for (const artifact::TaskList &list : program.taskLists())
    for (const artifact::BufferRecord &buffer : list.buffers)
      if (buffer.kind == artifact::BufferKind::Constant && buffer.part)
        know(static_cast<const char *>(program.constant(size_t(buffer.index))) + buffer.offsetOf(rank), buffer.bytes,
             runtime::axesOf(buffer.part));
}

/// What lies in [data, data + bytes) may differ along `axes`.
void RankFingerprints::know(const void *data, int64_t bytes, RankAxes axes) {
  const auto begin = reinterpret_cast<uintptr_t>(data), end = begin + uintptr_t(bytes);
  if (bytes <= 0)
    return;
  auto at = ranges.lower_bound(begin);
  if (at != ranges.begin() && std::prev(at)->second.end > begin)
    --at;
  while (at != ranges.end() && at->first < end) {
    const uintptr_t first = at->first;
    const Range before = at->second;
    at = ranges.erase(at);
    if (first < begin)
      ranges[first] = {begin, before.axes};
    if (before.end > end)
      ranges[end] = before;
  }
  ranges[begin] = {end, axes};
}

/// Of memory that is not known, all axes.
RankAxes RankFingerprints::axesOf(const void *data, int64_t bytes) const {
  uintptr_t begin = reinterpret_cast<uintptr_t>(data);
  const uintptr_t end = begin + uintptr_t(bytes);
  RankAxes axes = 0;
  auto at = ranges.upper_bound(begin);
  if (at != ranges.begin())
    --at;
  for (; begin < end; ++at) {
    if (at == ranges.end() || at->first > begin || at->second.end <= begin)
      return kAllRankAxes;
    axes |= at->second.axes;
    begin = at->second.end;
  }
  return axes;
}

void RankFingerprints::addInput(int32_t argument, const artifact::TensorSpec &spec, const void *data, int64_t bytes) {
  const RankAxes axes = runtime::axesOf(spec.sharding);
  std::lock_guard<std::mutex> lock(mutex);
  know(data, bytes, axes);
  found.push_back({-1, -1, 0, argument, axes, 0, hash64(data, size_t(bytes))});
}

RankAxes RankFingerprints::axesOfInputs(size_t kernel, const Launch &launch) {
  const artifact::KernelRecord &record = program.manifest().kernels[kernel];
  std::lock_guard<std::mutex> lock(mutex);
  RankAxes axes = asksForRank && !record.collective ? kAllRankAxes : 0;
  const int64_t *scalars = launch.scalars;
  for (size_t i = 0; i < record.bindings.size(); ++i) {
    const int64_t bytes = bindingBytes(record.bindings[i], scalars);
    if (record.bindings[i].access != artifact::Access::Write)
      axes |= axesOf(launch.buffers[i], bytes);
  }
  return axes;
}

void RankFingerprints::add(size_t kernel, const Launch &launch, RankAxes inputs) {
  const artifact::KernelRecord &record = program.manifest().kernels[kernel];
  const RankAxes axes = record.collective ? axesAfter(*record.collective, inputs) : inputs;
  std::vector<RankFingerprint> made;
  std::vector<std::pair<const void *, int64_t>> written;
  const int64_t *scalars = launch.scalars;
  for (size_t i = 0; i < record.bindings.size(); ++i) {
    const int64_t bytes = bindingBytes(record.bindings[i], scalars);
    if (record.bindings[i].access == artifact::Access::Read)
      continue;
    written.emplace_back(launch.buffers[i], bytes);
    made.push_back(
        {int32_t(launch.site), int32_t(kernel), 0, int32_t(i), axes, 0, hash64(launch.buffers[i], size_t(bytes))});
  }
  std::lock_guard<std::mutex> lock(mutex);
  asksForRank |= record.collective && record.collective->kind == "index";
  const int32_t turn = turns[{launch.site, kernel}]++;
  for (size_t i = 0; i < made.size(); ++i) {
    know(written[i].first, written[i].second, axes);
    made[i].turn = turn;
    found.push_back(made[i]);
  }
}

Result<int64_t> compareFingerprints(const Program &program, size_t entry, const std::vector<int64_t> &grid,
                                    const std::vector<std::vector<RankFingerprint>> &ranks) {
  using Key = std::tuple<int32_t, int32_t, int32_t, int32_t>;
  auto keyOf = [](const RankFingerprint &one) { return Key(one.site, one.kernel, one.turn, one.binding); };
  std::vector<std::map<Key, const RankFingerprint *>> others(ranks.size());
  for (size_t rank = 1; rank < ranks.size(); ++rank)
    for (const RankFingerprint &one : ranks[rank])
      others[rank][keyOf(one)] = &one;
  int64_t compared = 0;
  // In the order of rank 0, in which what is computed of another tensor comes after it.
  for (const RankFingerprint &first : ranks[0]) {
    std::map<std::vector<int64_t>, std::pair<size_t, uint64_t>> kept{{placeOf(grid, first.axes, 0), {0, first.hash}}};
    bool isShared = false;
    for (size_t rank = 1; rank < ranks.size(); ++rank) {
      const auto found = others[rank].find(keyOf(first));
      // A rank that goes another way than rank 0: what follows from that is not known.
      if (found == others[rank].end() || found->second->axes != first.axes)
        return compared;
      const auto [same, isNew] = kept.try_emplace(placeOf(grid, first.axes, int64_t(rank)), rank, found->second->hash);
      isShared |= !isNew;
      if (same->second.second == found->second->hash)
        continue;
      std::string what;
      if (first.site < 0 && first.kernel < 0) {
        const artifact::TensorSpec &spec = program.manifest().entries[entry].args[size_t(first.binding)];
        const std::string &name = spec.name.empty() ? spec.sourceName : spec.name;
        what = "argument " + std::to_string(first.binding) + (name.empty() ? "" : " ('" + name + "')") + " (" +
               shapedTypeString(spec.shape, spec.dtype) + ")";
      } else {
        const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(first.kernel)];
        const artifact::TensorSpec &type = kernel.bindings[size_t(first.binding)].type;
        what = program.tensorName(kernel, first.site, size_t(first.binding)) + " (" +
               shapedTypeString(type.shape, type.dtype) + ") of " + program.describeLaunch(kernel.name, first.site) +
               program.sourceTraceback(kernel.name, first.site);
      }
      return Error{ErrorCode::Difference,
                   "rank " + std::to_string(rank) + " and rank " + std::to_string(same->second.first) +
                       " have different values in the first tensor that should be the same on both: " + what,
                   "what they are computed of is the same, as far as it was compared: look at the memory, the machine "
                   "and the code of these two ranks"};
    }
    compared += isShared;
  }
  return compared;
}

std::unique_ptr<Backend> fingerprintsBackend(std::unique_ptr<Backend> inner, const Program &program,
                                             RankFingerprints &fingerprints) {
  return std::make_unique<FingerprintsBackend>(std::move(inner), program, fingerprints);
}

} // namespace mica::runtime
