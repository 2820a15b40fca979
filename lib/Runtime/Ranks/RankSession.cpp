//===- RankSession.cpp - one rank of a running program ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankSession.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankSession.h"

#include "lib/Runtime/Clock.h"

#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace mica::runtime {

Result<std::unique_ptr<RankSession>> RankSession::create(const Program &program,
                                                         std::shared_ptr<Communicator> communicator,
                                                         std::filesystem::path folder, Checks checks) {
  MICA_ASSIGN_OR_RETURN(
      std::unique_ptr<RankLedger> ledger,
      RankLedger::create(rankLedgerFile(folder, communicator->rank()), communicator->rank(), communicator->size()));
  return std::unique_ptr<RankSession>(
      new RankSession(program, std::move(communicator), std::move(folder), std::move(ledger), checks));
}

Status RankSession::compare(const Collective &collective, const Announcement &own, const std::atomic<bool> &cancelled) {
  // Between two ranks, what is sent goes before what it announces.
  const bool isOfGroup = collective.isOfGroup();
  std::vector<Announcement> others(isOfGroup ? collective.members().size() : 1, own);
  GroupCall call;
  call.kind = isOfGroup ? GroupCall::Kind::AllGather : GroupCall::Kind::Exchange;
  call.members = collective.members();
  call.self = collective.self();
  call.send = &own;
  call.receive = others.data();
  call.count = sizeof own;
  call.sendTo = collective.sendTo();
  call.receiveFrom = collective.receiveFrom();
  MICA_RETURN_IF_ERROR(ranks->run(call, cancelled));
  const std::vector<artifact::KernelRecord> &kernels = program.manifest().kernels;
  auto describe = [&](const Announcement &what) {
    return what.kernel >= 0 && size_t(what.kernel) < kernels.size()
               ? kernels[size_t(what.kernel)].collective->kind + " of " +
                     program.describeLaunch(kernels[size_t(what.kernel)].name, what.site)
               : std::string("an exchange of another program");
  };
  for (size_t i = 0; i < others.size(); ++i) {
    const Announcement &other = others[i];
    // A send and a receive are two ops.
    const bool same = isOfGroup ? other.kernel == own.kernel && (checks != Checks::Lines || other.site == own.site)
                                : size_t(other.kernel) < kernels.size() && kernels[size_t(other.kernel)].collective &&
                                      kernels[size_t(other.kernel)].bindings.back().type.dtype ==
                                          kernels[size_t(own.kernel)].bindings.back().type.dtype &&
                                      kernels[size_t(other.kernel)].bindings.back().type.shape ==
                                          kernels[size_t(own.kernel)].bindings.back().type.shape;
    if (same && other.sizes == own.sizes)
      continue;
    const int32_t rank = isOfGroup ? collective.members()[i] : collective.receiveFrom();
    return Error{ErrorCode::Difference,
                 "ranks disagree: rank " + std::to_string(ranks->rank()) + " is in " + describe(own) + ", rank " +
                     std::to_string(rank) + " in " + describe(other) + (same ? ", with other sizes" : ""),
                 "all ranks of a group have to execute the same exchanges in the same order"};
  }
  return {};
}

Collective &RankSession::collectiveOf(size_t kernel) {
  auto known = collectives.find(kernel);
  if (known == collectives.end())
    known = collectives.try_emplace(kernel, program.manifest().kernels[kernel], *ranks).first;
  return known->second;
}

RankSession::Begun RankSession::begin(size_t kernel, const Collective &collective, const Launch &launch,
                                      bool isQueued) {
  Begun begun;
  RankLedgerEntry &entry = begun.entry;
  entry.group = collective.groupHash();
  entry.kernel = int32_t(kernel);
  entry.site = int32_t(launch.site);
  if (!collective.isOfGroup())
    entry.partner = collective.receiveFrom() >= 0 ? collective.receiveFrom() : collective.sendTo();
  else
    entry.turn = turns[entry.group]++;
  entry.isQueued = isQueued;
  entry.sequence = written->begin(entry);
  begun.startNs = trace ? steadyNs() : 0;
  return begun;
}

Status RankSession::announce(const Begun &begun, const Collective &collective, const Launch &launch) {
  if (checks == Checks::None)
    return {};
  return compare(
      collective,
      {begun.entry.kernel, begun.entry.site, hash64(launch.scalars, size_t(launch.scalarCount) * sizeof(int64_t))},
      *launch.cancelled);
}

void RankSession::traceExchange(const Begun &begun, const Collective &collective, const Launch &launch, int64_t endNs,
                                bool isDone) {
  const auto kernel = size_t(begun.entry.kernel);
  RankTrace::Exchange exchange{begun.entry.turn, {}, begun.entry.partner, 0, begun.startNs, endNs, isDone};
  if (collective.isOfGroup())
    exchange.members = collective.members();
  const int64_t *scalars = launch.scalars;
  for (const artifact::BindingRecord &binding : program.manifest().kernels[kernel].bindings)
    exchange.bytes = std::max(exchange.bytes, bindingBytes(binding, scalars));
  trace->addExchange(kernel, launch.site, exchange);
}

Status RankSession::perform(size_t kernel, const Launch &launch) {
  Collective &collective = collectiveOf(kernel);
  if (collective.isLocal())
    return collective.run(launch.buffers, launch.scalars, *launch.cancelled);
  const Begun begun = begin(kernel, collective, launch, /*isQueued=*/false);
  Status status = announce(begun, collective, launch);
  if (status)
    status = collective.run(launch.buffers, launch.scalars, *launch.cancelled);
  if (status)
    written->end(begun.entry.sequence);
  if (trace)
    traceExchange(begun, collective, launch, steadyNs(), bool(status));
  return status;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Exchanges of a device
//===-----------------------------------------------------------------------------------------------------------===//

Status RankSession::connectDevice(DeviceQueue &queue, std::string_view name) {
  if (deviceExchanges)
    return {};
  MICA_RETURN_IF_ERROR(queue.enter());
  Result<std::unique_ptr<StreamCommunicator>> connected = connectNccl(*ranks);
  if (!connected && connected.error().code != ErrorCode::Unsupported)
    return connected.error();
  if (!connected) {
    MICA_LOG(PerfHints, Info) << "the host exchanges the tensors of " << std::string(name)
                              << ", because NCCL cannot be used: " << connected.error().message << "\n  "
                              << connected.error().hint;
    return {};
  }
  deviceExchanges = std::make_unique<DeviceExchanges>(std::move(*connected), queue, *ranks, *written);
  deviceName = name;
  queue.setWatch([this] { return deviceExchanges->whyEnded(); });
  MICA_LOG(Runtime, Info).device(name) << "exchanges tensors by " << std::string(deviceExchanges->library());
  return {};
}

artifact::TaskList RankSession::placeExchanges(artifact::TaskList list) const {
  if (!deviceExchanges)
    return list;
  for (artifact::TaskRecord &task : list.tasks) {
    const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(program.findKernel(task.kernel))];
    if (!kernel.collective)
      continue;
    const std::string lacks = ncclLacks(*kernel.collective, kernel.bindings.back().type.dtype);
    if (lacks.empty())
      task.device = deviceName;
    else if (kernel.collective->kind != "index")
      MICA_LOG(PerfHints, Info) << "the host performs " << program.describeLaunch(task.kernel, task.site) << ": "
                                << lacks;
  }
  return list;
}

Status RankSession::add(size_t kernel, const Launch &launch, void *const *buffers) {
  Collective &collective = collectiveOf(kernel);
  if (collective.isLocal())
    return deviceExchanges->addLocal(collective, launch, buffers);
  const Begun begun = begin(kernel, collective, launch, /*isQueued=*/true);
  MICA_RETURN_IF_ERROR(announce(begun, collective, launch));
  MICA_RETURN_IF_ERROR(deviceExchanges->add(collective, launch, buffers, begun.entry.sequence));
  added[&launch] = begun;
  return {};
}

void RankSession::complete(size_t kernel, const Launch &launch) {
  const auto found = added.find(&launch);
  if (found == added.end())
    return;
  deviceExchanges->notePassed();
  Begun begun = found->second;
  added.erase(found);
  if (!trace)
    return;
  // The device's times, of launches that are timed.
  const Collective &collective = collectiveOf(kernel);
  if (launch.endNs > 0)
    begun.startNs = launch.startNs;
  traceExchange(begun, collective, launch, launch.endNs > 0 ? launch.endNs : steadyNs(),
                launch.status.load(std::memory_order_relaxed) == 0);
}

bool RankSession::claimsVerdict() const {
  const int file = ::open((ledgers / "verdict").c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  ::close(file);
  return true;
}

void RankSession::waitForVerdict() const {
  std::error_code ignored;
  for (int i = 0; i < 200 && std::filesystem::exists(ledgers, ignored); ++i)
    ::usleep(10000);
}

void RankSession::removeLedgers() const {
  std::error_code ignored;
  std::filesystem::remove_all(ledgers, ignored);
}

static bool isGone(int32_t pid) { return pid != 0 && ::access(("/proc/" + std::to_string(pid)).c_str(), F_OK) != 0; }

std::string RankSession::whoEnded() const {
  for (int32_t rank = 0; rank < ranks->size(); ++rank) {
    if (rank == ranks->rank())
      continue;
    const Result<RankLedgerContents> other = RankLedger::read(rankLedgerFile(ledgers, rank));
    if (!other)
      continue;
    if (other->state == RankLedgerContents::State::Failed)
      return "rank " + std::to_string(rank) + " failed";
    if (other->state == RankLedgerContents::State::Running && isGone(other->pid))
      return "rank " + std::to_string(rank) + " has died (process " + std::to_string(other->pid) + ")";
  }
  return "";
}

std::string RankSession::verdict() const {
  std::vector<RankLedgerContents> all;
  std::string text;
  for (int32_t rank = 0; rank < ranks->size(); ++rank) {
    Result<RankLedgerContents> contents = RankLedger::read(rankLedgerFile(ledgers, rank));
    if (!contents)
      text += "\n  rank " + std::to_string(rank) + ": no ledger: " + contents.error().message;
    all.push_back(contents ? *std::move(contents) : RankLedgerContents());
  }
  const std::vector<artifact::KernelRecord> &kernels = program.manifest().kernels;
  auto describe = [&](const RankLedgerEntry &entry) {
    const artifact::KernelRecord &kernel = kernels[size_t(entry.kernel)];
    return kernel.collective->kind + " number " + std::to_string(entry.sequence + 1) + ", " +
           program.describeLaunch(kernel.name, entry.site);
  };
  auto isKnown = [&](const RankLedgerEntry &entry) {
    return size_t(entry.kernel) < kernels.size() && kernels[size_t(entry.kernel)].collective;
  };
  // A device has exchanges queued behind the one that it is in.
  auto openOf = [](const RankLedgerContents &one) {
    return std::find_if(one.entries.begin(), one.entries.end(),
                        [](const RankLedgerEntry &entry) { return !entry.isDone && !entry.isQueued; });
  };
  // Where a rank is, for those that wait for it.
  auto whereabouts = [&](const RankLedgerContents &other) {
    if (other.state == RankLedgerContents::State::Finished)
      return std::string("has finished the program");
    if (other.state == RankLedgerContents::State::Failed)
      return std::string("has failed");
    if (isGone(other.pid))
      return "has died (process " + std::to_string(other.pid) + ")";
    const auto open = openOf(other);
    const auto done = std::find_if(other.entries.rbegin(), other.entries.rend(),
                                   [](const RankLedgerEntry &entry) { return entry.isDone; });
    if (open == other.entries.end() && done == other.entries.rend())
      return std::string("has not begun any exchange");
    const RankLedgerEntry &last = open == other.entries.end() ? *done : *open;
    if (!isKnown(last))
      return std::string("is in an exchange of another program");
    return (last.isDone ? "computes after " : "waits in ") + describe(last);
  };
  for (int32_t rank = 0; rank < ranks->size(); ++rank) {
    const RankLedgerContents &one = all[size_t(rank)];
    const auto open = openOf(one);
    if (open == one.entries.end() || one.state != RankLedgerContents::State::Running)
      continue;
    const RankLedgerEntry &waiting = *open;
    if (!isKnown(waiting))
      continue;
    text += "\n  rank " + std::to_string(rank) + " waits in " + describe(waiting);
    bool misses = false;
    for (int32_t other = 0; other < ranks->size(); ++other) {
      if (other == rank)
        continue;
      const std::vector<RankLedgerEntry> &entries = all[size_t(other)].entries;
      const RankLedgerEntry *same = nullptr;
      bool belongs = waiting.partner == other;
      for (const RankLedgerEntry &entry : entries)
        if (waiting.partner < 0 && entry.group == waiting.group) {
          belongs = true;
          if (entry.partner < 0 && entry.turn == waiting.turn)
            same = &entry;
        }
      if (waiting.partner < 0 && !belongs) {
        // It has never met this group: is it a member?
        std::vector<int32_t> members = membersOf(*kernels[size_t(waiting.kernel)].collective, rank);
        belongs = std::find(members.begin(), members.end(), other) != members.end();
      }
      if (!belongs)
        continue;
      if (same && same->kernel == waiting.kernel && !same->isQueued)
        continue;
      misses = true;
      text += "\n    for rank " + std::to_string(other) + ", which " +
              (same && isKnown(*same) && !same->isQueued ? "made another exchange in its place: " + describe(*same)
                                                         : whereabouts(all[size_t(other)]));
    }
    if (!misses)
      text += "\n    although all ranks of its group are in it: a message was lost, or the network is slow";
  }
  return text;
}

} // namespace mica::runtime
