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

Status RankSession::perform(size_t kernel, const Launch &launch) {
  auto known = collectives.find(kernel);
  if (known == collectives.end())
    known = collectives.try_emplace(kernel, program.manifest().kernels[kernel], *ranks).first;
  Collective &collective = known->second;
  if (collective.isLocal())
    return collective.run(launch.buffers, launch.scalars, *launch.cancelled);
  RankLedgerEntry entry;
  entry.group = collective.groupHash();
  entry.kernel = int32_t(kernel);
  entry.site = int32_t(launch.site);
  if (!collective.isOfGroup())
    entry.partner = collective.receiveFrom() >= 0 ? collective.receiveFrom() : collective.sendTo();
  else
    entry.turn = turns[entry.group]++;
  written->begin(entry);
  const int64_t startNs = trace ? steadyNs() : 0;
  Status status;
  if (checks != Checks::None)
    status = compare(collective,
                     {entry.kernel, entry.site, hash64(launch.scalars, size_t(launch.scalarCount) * sizeof(int64_t))},
                     *launch.cancelled);
  if (status)
    status = collective.run(launch.buffers, launch.scalars, *launch.cancelled);
  if (status)
    written->end();
  if (trace) {
    RankTrace::Exchange exchange{entry.turn, {}, entry.partner, 0, startNs, steadyNs(), bool(status)};
    if (collective.isOfGroup())
      exchange.members = collective.members();
    const artifact::KernelRecord &record = program.manifest().kernels[kernel];
    const int64_t *scalars = launch.scalars;
    for (const artifact::BindingRecord &binding : record.bindings)
      exchange.bytes = std::max(exchange.bytes, bindingBytes(binding, scalars));
    trace->addExchange(kernel, launch.site, exchange);
  }
  return status;
}

bool RankSession::claimsVerdict() const {
  const int file = ::open((ledgers / "verdict").c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  ::close(file);
  return true;
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
  // Where a rank is, for those that wait for it.
  auto whereabouts = [&](const RankLedgerContents &other) {
    if (other.state == RankLedgerContents::State::Finished)
      return std::string("has finished the program");
    if (other.state == RankLedgerContents::State::Failed)
      return std::string("has failed");
    if (isGone(other.pid))
      return "has died (process " + std::to_string(other.pid) + ")";
    if (other.entries.empty())
      return std::string("has not begun any exchange");
    const RankLedgerEntry &last = other.entries.back();
    if (!isKnown(last))
      return std::string("is in an exchange of another program");
    return (last.isDone ? "computes after " : "waits in ") + describe(last);
  };
  for (int32_t rank = 0; rank < ranks->size(); ++rank) {
    const RankLedgerContents &one = all[size_t(rank)];
    if (one.entries.empty() || one.entries.back().isDone || one.state != RankLedgerContents::State::Running)
      continue;
    const RankLedgerEntry &waiting = one.entries.back();
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
      if (same && same->kernel == waiting.kernel)
        continue;
      misses = true;
      text += "\n    for rank " + std::to_string(other) + ", which " +
              (same && isKnown(*same) ? "made another exchange in its place: " + describe(*same)
                                      : whereabouts(all[size_t(other)]));
    }
    if (!misses)
      text += "\n    although all ranks of its group are in it: a message was lost, or the network is slow";
  }
  return text;
}

} // namespace mica::runtime
