//===- ResidencyTracker.cpp - which copy of a range of memory is the newer one ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ResidencyTracker.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mica::runtime {

//===-----------------------------------------------------------------------------------------------------------===//
// Sets of bytes
//===-----------------------------------------------------------------------------------------------------------===//

bool ByteSet::areApart() const {
  return std::all_of(intervals.begin(), intervals.end(), [](const Interval &i) { return i.begin < i.end; }) &&
         std::adjacent_find(intervals.begin(), intervals.end(),
                            [](const Interval &a, const Interval &b) { return a.end > b.begin; }) == intervals.end();
}

void ByteSet::add(int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  // All that touch the new one become part of it.
  auto first = std::find_if(intervals.begin(), intervals.end(), [&](const Interval &i) { return i.end >= begin; });
  if (first != intervals.end() && first->begin <= begin && end <= first->end)
    return;
  auto last = first;
  for (; last != intervals.end() && last->begin <= end; ++last) {
    begin = std::min(begin, last->begin);
    end = std::max(end, last->end);
  }
  intervals.insert(intervals.erase(first, last), {begin, end});
  assert(areApart() && "intervals are in order and apart");
}

void ByteSet::remove(int64_t begin, int64_t end) {
  if (intervals.empty() || begin >= end)
    return;
  std::vector<Interval> left;
  for (const Interval &interval : intervals) {
    if (interval.begin < std::min(interval.end, begin))
      left.push_back({interval.begin, std::min(interval.end, begin)});
    if (std::max(interval.begin, end) < interval.end)
      left.push_back({std::max(interval.begin, end), interval.end});
  }
  intervals = std::move(left);
  assert(areApart() && "intervals are in order and apart");
}

std::vector<ByteSet::Interval> ByteSet::within(int64_t begin, int64_t end) const {
  std::vector<Interval> found;
  for (const Interval &interval : intervals)
    if (interval.begin < end && begin < interval.end)
      found.push_back({std::max(begin, interval.begin), std::min(end, interval.end)});
  return found;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Ranges
//===-----------------------------------------------------------------------------------------------------------===//

ResidencyTracker::~ResidencyTracker() {
  for (auto &[begin, range] : ranges)
    release(range);
}

void ResidencyTracker::release(Range &range) {
  if (range.mirror)
    device.release(range.mirror, range.bytes);
  range.mirror = 0;
}

Status ResidencyTracker::adopt(void *memory, int64_t bytes, Contents contents, bool stays) {
  auto begin = reinterpret_cast<uintptr_t>(memory);
  // An address without bytes is one all the same: launches may name it.
  uintptr_t end = begin + uintptr_t(std::max<int64_t>(bytes, 1));
  auto first = ranges.upper_bound(begin);
  if (first != ranges.begin() && std::prev(first)->first + uintptr_t(std::prev(first)->second.bytes) > begin)
    --first;
  if (first != ranges.end() && first->first <= begin && first->first + uintptr_t(first->second.bytes) >= end) {
    // Known, or part of what is.
    Range &range = first->second;
    const auto from = int64_t(begin - first->first), to = int64_t(end - first->first);
    range.hostOld.remove(from, to);
    if (contents == Contents::Undefined)
      range.deviceOld.remove(from, to);
    else if (contents == Contents::Given)
      range.deviceOld.add(from, to);
    return {};
  }
  // Inputs may overlap each other; they are one range then. What the device has of the parts comes back first.
  Range joined;
  joined.stays = stays;
  uintptr_t joinedBegin = begin, joinedEnd = end;
  while (first != ranges.end() && first->first < end) {
    const uintptr_t firstEnd = first->first + uintptr_t(first->second.bytes);
    if (contents == Contents::Undefined && begin <= first->first && firstEnd <= end) {
      // Memory that is given out anew: nobody wants what lay in it.
      release(first->second);
      first = ranges.erase(first);
      continue;
    }
    MICA_RETURN_IF_ERROR(download(first->first, first->second, 0, first->second.bytes));
    joinedBegin = std::min(joinedBegin, first->first);
    joinedEnd = std::max(joinedEnd, firstEnd);
    joined.stays = joined.stays || first->second.stays;
    contents = Contents::Given;
    release(first->second);
    first = ranges.erase(first);
  }
  joined.bytes = int64_t(joinedEnd - joinedBegin);
  if (contents != Contents::Undefined)
    joined.deviceOld.add(0, joined.bytes);
  ranges.emplace(joinedBegin, std::move(joined));
  return {};
}

void ResidencyTracker::drop(const void *memory) {
  auto found = ranges.find(reinterpret_cast<uintptr_t>(memory));
  if (found == ranges.end())
    return;
  release(found->second);
  ranges.erase(found);
}

void ResidencyTracker::forget() {
  std::vector<Range *> leaving;
  for (auto &[begin, range] : ranges)
    if (!range.stays)
      leaving.push_back(&range);
  // The last first: memory goes back in the order that makes the next invocation get the same.
  std::sort(leaving.begin(), leaving.end(), [](Range *a, Range *b) { return a->number > b->number; });
  for (Range *range : leaving)
    release(*range);
  std::erase_if(ranges, [](const auto &entry) { return !entry.second.stays; });
}

ResidencyTracker::Ranges::iterator ResidencyTracker::find(const void *memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin())
    return ranges.end();
  --after;
  return address < after->first + uintptr_t(after->second.bytes) ? after : ranges.end();
}

Result<uint64_t> ResidencyTracker::prepare(const void *memory, int64_t bytes, artifact::Access access) {
  const auto found = find(memory);
  if (found == ranges.end())
    return Error{ErrorCode::Internal, "a launch uses memory that is not registered with its device", ""};
  Range &range = found->second;
  const auto from = int64_t(reinterpret_cast<uintptr_t>(memory) - found->first), to = from + bytes;
  if (to > range.bytes)
    return Error{ErrorCode::Internal,
                 "a launch uses " + std::to_string(bytes) + " bytes of memory of which " +
                     std::to_string(range.bytes - from) + " are registered with its device",
                 ""};
  if (!range.mirror) {
    MICA_ASSIGN_OR_RETURN(range.mirror, device.allocate(range.bytes));
    range.number = numMirrors++;
  }
  if (access != artifact::Access::Write && !range.deviceOld.empty())
    for (const ByteSet::Interval &part : range.deviceOld.within(from, to))
      MICA_RETURN_IF_ERROR(device.upload(range.mirror + uint64_t(part.begin),
                                         reinterpret_cast<const char *>(found->first) + part.begin,
                                         part.end - part.begin));
  // What is written whole need not be brought, nor what was brought again.
  range.deviceOld.remove(from, to);
  if (access != artifact::Access::Read)
    range.hostOld.add(from, to);
  return range.mirror + uint64_t(from);
}

Status ResidencyTracker::download(uintptr_t begin, Range &range, int64_t from, int64_t to) {
  for (const ByteSet::Interval &part : range.hostOld.within(from, to))
    MICA_RETURN_IF_ERROR(device.download(reinterpret_cast<char *>(begin) + part.begin,
                                         range.mirror + uint64_t(part.begin), part.end - part.begin));
  range.hostOld.remove(from, to);
  return {};
}

Status ResidencyTracker::toHost(const void *memory, int64_t bytes) {
  const auto found = find(memory);
  if (found == ranges.end())
    return {};
  const auto from = int64_t(reinterpret_cast<uintptr_t>(memory) - found->first);
  return download(found->first, found->second, from, std::min(from + bytes, found->second.bytes));
}

Status ResidencyTracker::allToHost() {
  for (auto &[begin, range] : ranges)
    if (!range.stays)
      MICA_RETURN_IF_ERROR(download(begin, range, 0, range.bytes));
  return {};
}

void ResidencyTracker::hostWrote(const void *memory, int64_t bytes) {
  const auto found = find(memory);
  if (found == ranges.end())
    return;
  Range &range = found->second;
  const auto from = int64_t(reinterpret_cast<uintptr_t>(memory) - found->first);
  const int64_t to = std::min(from + bytes, range.bytes);
  range.hostOld.remove(from, to);
  range.deviceOld.add(from, to);
}

void ResidencyTracker::hostWroteAll() {
  for (auto &[begin, range] : ranges)
    if (!range.stays)
      hostWrote(reinterpret_cast<const void *>(begin), range.bytes);
}

} // namespace mica::runtime
