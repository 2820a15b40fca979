//===- LocalRanks.cpp - ranks as threads -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Ranks as threads of one process, for debugging without MPI. The members of a call meet: each reads from the buffers
// of the others, in the order of the members, so results do not depend on timing.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Communicator.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

namespace mica::runtime {
namespace {

/// How often a waiting rank looks whether its work was cancelled.
constexpr std::chrono::milliseconds kPoll{20};

struct Meeting {
  std::vector<const GroupCall *> calls;
  size_t arrived = 0, left = 0;
  bool isBroken = false; ///< a member left before all had arrived, so its call is gone
};

/// What the ranks share.
class Hall {
public:
  using Key = std::pair<std::vector<int32_t>, uint64_t>; ///< the members, and which of their calls it is

  /// Adds `call`, waits for the others of `count` members, calls `read` with all calls, and waits until all have read.
  template <typename Read>
  Status meet(Key key, size_t count, const GroupCall &call, const std::atomic<bool> &cancelled, Read read) {
    std::unique_lock<std::mutex> lock(mutex);
    Meeting &meeting = meetings[key];
    meeting.calls.resize(count);
    meeting.calls[size_t(call.self)] = &call;
    ++meeting.arrived;
    changed.notify_all();
    Status all = wait(lock, cancelled, [&] { return meeting.arrived == meeting.calls.size() || meeting.isBroken; });
    if (meeting.isBroken && all)
      all = Error{ErrorCode::Difference, ended.empty() ? "another rank left the call" : ended, ""};
    if (!all) {
      meeting.isBroken = true;
      return all;
    }
    lock.unlock();
    read(meeting.calls);
    lock.lock();
    ++meeting.left;
    changed.notify_all();
    // Others read from the caller's buffers: whatever happens, it stays until they have.
    changed.wait(lock, [&] { return meeting.left >= meeting.calls.size(); });
    // The last one that sees it ends it.
    if (++meeting.left == 2 * meeting.calls.size())
      meetings.erase(key);
    return {};
  }

  void send(int32_t from, int32_t to, const void *data, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const char *first = static_cast<const char *>(data);
    channels[{from, to}].emplace_back(first, first + bytes);
    changed.notify_all();
  }
  Status receive(int32_t from, int32_t to, void *data, size_t bytes, const std::atomic<bool> &cancelled) {
    std::unique_lock<std::mutex> lock(mutex);
    std::deque<std::vector<char>> &channel = channels[{from, to}];
    MICA_RETURN_IF_ERROR(wait(lock, cancelled, [&] { return !channel.empty(); }));
    if (channel.front().size() != bytes)
      return Error{ErrorCode::Difference,
                   "rank " + std::to_string(from) + " sent " + std::to_string(channel.front().size()) +
                       " bytes, and rank " + std::to_string(to) + " waits for " + std::to_string(bytes),
                   ""};
    std::memcpy(data, channel.front().data(), bytes);
    channel.pop_front();
    return {};
  }

  void abort(const std::string &why) {
    std::lock_guard<std::mutex> lock(mutex);
    if (ended.empty())
      ended = why;
    changed.notify_all();
  }

private:
  template <typename Predicate>
  Status wait(std::unique_lock<std::mutex> &lock, const std::atomic<bool> &cancelled, Predicate over) {
    while (!over()) {
      if (!ended.empty())
        return Error{ErrorCode::Difference, ended, ""};
      if (cancelled.load(std::memory_order_relaxed))
        return Error{ErrorCode::Difference, "the call was cancelled", ""};
      changed.wait_for(lock, kPoll);
    }
    return {};
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, Meeting> meetings;
  std::map<std::pair<int32_t, int32_t>, std::deque<std::vector<char>>> channels;
  std::string ended; ///< why a rank left; "": none did
};

const char *part(const void *buffer, size_t bytes, size_t number) {
  return static_cast<const char *>(buffer) + bytes * number;
}

class LocalRank final : public Communicator {
public:
  LocalRank(std::shared_ptr<Hall> hall, int32_t number, int32_t count)
      : hall(std::move(hall)), number(number), count(count) {}

  int32_t rank() const override { return number; }
  int32_t size() const override { return count; }
  std::string_view library() const override { return "threads of this process"; }
  bool isRemote() const override { return false; }

  Status run(const GroupCall &call, const std::atomic<bool> &cancelled) override {
    const size_t bytes = size_t(call.count * dtypeBytes(call.dtype));
    if (call.kind == GroupCall::Kind::Exchange) {
      if (call.sendTo >= 0)
        hall->send(number, call.sendTo, call.send, bytes);
      return call.receiveFrom < 0 ? Status() : hall->receive(call.receiveFrom, number, call.receive, bytes, cancelled);
    }
    std::vector<int32_t> members(call.members.begin(), call.members.end());
    const uint64_t turn = turns[members]++;
    const size_t size = members.empty() ? size_t(count) : members.size();
    return hall->meet({std::move(members), turn}, size, call, cancelled,
                      [&](const std::vector<const GroupCall *> &calls) { read(call, calls, bytes); });
  }

  void abort(const std::string &why) override { hall->abort(why); }

private:
  /// Makes the caller's `receive` of what the members send.
  static void read(const GroupCall &call, const std::vector<const GroupCall *> &calls, size_t bytes) {
    char *target = static_cast<char *>(call.receive);
    auto reduce = [&](size_t number) {
      std::memcpy(target, part(calls[0]->send, bytes, number), bytes);
      for (size_t i = 1; i < calls.size(); ++i)
        combineElements(call.dtype, call.reduction, target, part(calls[i]->send, bytes, number), call.count);
    };
    const bool isRoot = call.self == call.root;
    switch (call.kind) {
    case GroupCall::Kind::Gather:
      if (!isRoot)
        return;
      [[fallthrough]];
    case GroupCall::Kind::AllGather:
      for (size_t i = 0; i < calls.size(); ++i)
        std::memcpy(target + i * bytes, calls[i]->send, bytes);
      return;
    case GroupCall::Kind::Reduce:
      if (!isRoot)
        return;
      [[fallthrough]];
    case GroupCall::Kind::AllReduce:
      return reduce(0);
    case GroupCall::Kind::ReduceScatter:
      return reduce(size_t(call.self));
    case GroupCall::Kind::AllToAll:
      for (size_t i = 0; i < calls.size(); ++i)
        std::memcpy(target + i * bytes, part(calls[i]->send, bytes, size_t(call.self)), bytes);
      return;
    case GroupCall::Kind::Broadcast:
      std::memcpy(target, calls[size_t(call.root)]->send, bytes);
      return;
    case GroupCall::Kind::Scatter:
      std::memcpy(target, part(calls[size_t(call.root)]->send, bytes, size_t(call.self)), bytes);
      return;
    case GroupCall::Kind::Exchange:
      return;
    }
  }

  std::shared_ptr<Hall> hall;
  const int32_t number, count;
  std::map<std::vector<int32_t>, uint64_t> turns; ///< calls so far, by members
};

} // namespace

std::vector<std::unique_ptr<Communicator>> createLocalRanks(int32_t size) {
  auto hall = std::make_shared<Hall>();
  std::vector<std::unique_ptr<Communicator>> ranks;
  for (int32_t i = 0; i < size; ++i)
    ranks.push_back(std::make_unique<LocalRank>(hall, i, size));
  return ranks;
}

} // namespace mica::runtime
