//===- RankTeam.cpp - all ranks of a program -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankTeam.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/RankTeam.h"

#include "lib/Runtime/ContextImpl.h"
#include "lib/Runtime/Ranks/ComparePrograms.h"
#include "lib/Runtime/Ranks/GatherAll.h"
#include "mica/Artifact/BuildRecord.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace mica::runtime {

using artifact::TensorSpec;

/// The grid of ranks; empty: the program is for one.
static Result<std::vector<int64_t>> gridOf(const artifact::Manifest &manifest) {
  const std::vector<int64_t> *grid = nullptr;
  bool differs = false;
  auto add = [&](const std::vector<int64_t> &other) {
    differs |= grid && *grid != other;
    grid = &other;
  };
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    if (kernel.collective)
      add(kernel.collective->grid);
  for (const artifact::EntryRecord &entry : manifest.entries)
    for (const auto *specs : {&entry.args, &entry.results})
      for (const TensorSpec &spec : *specs)
        if (spec.sharding)
          add(spec.sharding->grid);
  if (differs)
    return Error{ErrorCode::Damaged, "the program is for two different grids of ranks", "compile it again"};
  return grid ? *grid : std::vector<int64_t>();
}

Result<int32_t> ranksOf(const artifact::Manifest &manifest) {
  MICA_ASSIGN_OR_RETURN(const std::vector<int64_t> grid, gridOf(manifest));
  int64_t count = grid.empty() ? 0 : 1;
  for (int64_t size : grid)
    count *= size;
  return int32_t(count);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Parts of tensors
//===-----------------------------------------------------------------------------------------------------------===//

/// Calls `copy` with the offsets in bytes, in the whole tensor and in the part of `rank`, and the length of each run of
/// bytes that the two share.
template <typename Copy>
static void forEachRun(const TensorSpec &spec, const std::vector<int64_t> &whole, int32_t rank, Copy copy) {
  std::vector<int64_t> part = whole, first(whole.size());
  for (size_t dim = 0; spec.sharding && dim < whole.size(); ++dim) {
    part[dim] /= spec.sharding->parts(dim);
    first[dim] = spec.sharding->partOf(dim, rank) * part[dim];
  }
  int64_t rows = 1;
  for (size_t dim = 0; dim + 1 < part.size(); ++dim)
    rows *= part[dim];
  const int64_t bytes = dtypeBytes(spec.dtype), row = (part.empty() ? 1 : part.back()) * bytes;
  for (int64_t i = 0; row > 0 && i < rows; ++i) {
    int64_t rest = i, offset = first.empty() ? 0 : first.back(), stride = whole.empty() ? 1 : whole.back();
    for (size_t dim = part.size(); dim-- > 1; stride *= whole[dim - 1], rest /= part[dim - 1])
      offset += (first[dim - 1] + rest % part[dim - 1]) * stride;
    copy(size_t(offset * bytes), size_t(i * row), size_t(row));
  }
}

static int64_t elementsOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// The sizes of the part that a rank has of a tensor of the sizes `whole`.
static std::vector<int64_t> partShape(const TensorSpec &spec, std::vector<int64_t> whole) {
  for (size_t dim = 0; spec.sharding && dim < whole.size(); ++dim)
    whole[dim] /= spec.sharding->parts(dim);
  return whole;
}

/// The sizes of the tensor of which a rank has a part of the sizes `part`.
static std::vector<int64_t> wholeShape(const TensorSpec &spec, std::vector<int64_t> part) {
  for (size_t dim = 0; spec.sharding && dim < part.size(); ++dim)
    part[dim] *= spec.sharding->parts(dim);
  return part;
}

//===-----------------------------------------------------------------------------------------------------------===//
// The team
//===-----------------------------------------------------------------------------------------------------------===//

struct RankTeam::Member {
  std::unique_ptr<RankSession> session;
  std::unique_ptr<ContextImpl> context;

  // Of the running invocation.
  std::vector<Buffer> parts;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<Tensor> results;
  Status status;
  FaultInfo fault;
};

RankTeam::RankTeam(std::shared_ptr<const Program> program, int32_t count) : program(std::move(program)), count(count) {}

/// Whole, as it is at the end: not after each call.
static void writeTrace(RankTrace &trace) {
  if (const Status written = trace.write(); !written)
    MICA_LOG(Runtime, Warning) << "rank-trace: " << written.error().message;
}

RankTeam::~RankTeam() {
  for (const std::unique_ptr<Member> &member : members) {
    // Before its session, which its backends use.
    member->context.reset();
    if (member->session->trace)
      writeTrace(*member->session->trace);
    member->session->communicator().setWatch(nullptr); // MPI's is there for the next team, too
    member->session->ledger().setState(RankLedgerContents::State::Finished);
  }
}

Result<std::unique_ptr<RankTeam>> RankTeam::create(std::shared_ptr<const Program> program, int32_t count,
                                                   ContextOptions options) {
  auto team = std::unique_ptr<RankTeam>(new RankTeam(std::move(program), count));
  MICA_RETURN_IF_ERROR(team->addMembers(std::move(options)));
  return team;
}

/// The folder of the ledgers, which rank 0 makes.
static Result<std::filesystem::path> shareFolder(Communicator &ranks, std::optional<ScratchFolder> &scratch) {
  char path[1024] = "", shared[1024] = "";
  if (ranks.rank() == 0) {
    MICA_ASSIGN_OR_RETURN(scratch, ScratchFolder::create("mica-ranks"));
    std::snprintf(path, sizeof path, "%s", scratch->path().c_str());
  }
  static const std::atomic<bool> never{false};
  GroupCall call;
  call.kind = GroupCall::Kind::Broadcast;
  call.self = ranks.rank();
  call.send = path;
  call.receive = shared;
  call.count = sizeof path;
  MICA_RETURN_IF_ERROR(ranks.run(call, never));
  return std::filesystem::path(shared);
}

/// "at 2026-11-23T02:35:32Z in DIR".
static std::string howCompiled(const std::filesystem::path &folder) {
  const std::string started = artifact::readBuildRecord(folder).started;
  return (started.empty() ? "" : "at " + started + " ") + "in " + folder.string();
}

Status RankTeam::addMembers(ContextOptions options) {
  std::vector<std::shared_ptr<Communicator>> ranks;
  std::filesystem::path folder;
  const std::optional<RankLauncher> launcher = options.ranksAsThreads ? std::nullopt : rankLauncher();
  const bool isProcess = launcher || options.communicator;
  if (isProcess) {
    std::shared_ptr<Communicator> own = options.communicator;
    if (!own) {
      MICA_ASSIGN_OR_RETURN(own, connectRanks(launcher->library));
    }
    if (own->size() != count)
      return Error{ErrorCode::InvalidInput,
                   "the program is for " + std::to_string(count) + " ranks, and " + std::to_string(own->size()) +
                       " were started",
                   "start as many: mpirun -n " + std::to_string(count) + " mica-run ..."};
    MICA_RETURN_IF_ERROR(comparePrograms(program->manifest(), program->tasksHash(), *own,
                                         {howCompiled(program->folder()), std::move(options.provenance)}));
    MICA_ASSIGN_OR_RETURN(folder, shareFolder(*own, scratch));
    // Devices with memory of their own copy whole constants.
    if (std::all_of(program->manifest().kernels.begin(), program->manifest().kernels.end(),
                    [](const artifact::KernelRecord &kernel) { return !kernel.device; }))
      MICA_RETURN_IF_ERROR(program->keepPartsOf(own->rank()));
    ranks.push_back(std::move(own));
  } else {
    MICA_RETURN_IF_ERROR(program->keepPartsOf(-1));
    for (std::unique_ptr<Communicator> &rank : createLocalRanks(count))
      ranks.push_back(std::move(rank));
    MICA_ASSIGN_OR_RETURN(scratch, ScratchFolder::create("mica-ranks"));
    folder = scratch->path();
    if (options.threads == 0)
      options.threads = std::max(1, availableCpus() / count);
  }
  // Threads read from each other's buffers, so they have to have the same sizes.
  const RankSession::Checks checks = options.switches.flag(Switch::RankCheck) ? RankSession::Checks::Lines
                                     : isProcess                              ? RankSession::Checks::None
                                                                              : RankSession::Checks::What;
  for (std::shared_ptr<Communicator> &rank : ranks) {
    auto member = std::make_unique<Member>();
    const int32_t number = rank->rank();
    MICA_ASSIGN_OR_RETURN(member->session, RankSession::create(*program, rank, folder, checks));
    if (options.switches.flag(Switch::RankFingerprints))
      member->session->fingerprints = std::make_unique<RankFingerprints>(*program, number);
    if (const std::string &traces = options.switches.text(Switch::RankTrace); !traces.empty())
      member->session->trace = std::make_unique<RankTrace>(*program, *rank, traces);
    rank->setWatch([session = member->session.get()] { return session->whoEnded(); });
    ContextOptions own;
    own.threads = options.threads;
    own.smallTaskBytes = options.smallTaskBytes;
    own.onHang = options.onHang;
    own.switches = options.switches;
    own.session = member->session.get();
    if (&rank == &ranks.front()) {
      own.backends = std::move(options.backends);
      own.observers = options.observers;
      own.taskOrder = options.taskOrder;
      own.trace = options.trace;
    }
    // Ledgers and dumps are of one rank.
    for (const Switch which : {Switch::LaunchLedger, Switch::DumpDir})
      if (const std::string &file = own.switches.text(which); !file.empty() && number > 0)
        MICA_RETURN_IF_ERROR(own.switches.set(switchTable()[size_t(which)].name,
                                              file + ".rank" + std::to_string(number), SwitchSource::Flag));
    member->context = std::make_unique<ContextImpl>(program);
    MICA_RETURN_IF_ERROR(member->context->prepare(std::move(own)));
    members.push_back(std::move(member));
  }
  MICA_LOG(Runtime, Info) << count << " ranks: " << std::string(ranks.front()->library());
  return {};
}

std::vector<MemoryUse> RankTeam::memoryUse() const { return members.front()->context->memoryUse(); }

Status RankTeam::invokeMember(Member &member, size_t entry, std::span<const TensorView> inputs) {
  const std::vector<TensorSpec> &specs = program->manifest().entries[entry].args;
  const int32_t rank = member.session->communicator().rank();
  std::vector<TensorView> views;
  member.parts.resize(inputs.size());
  member.shapes.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<int64_t> whole(inputs[i].shape.begin(), inputs[i].shape.end());
    // What does not fit is reported by the context, in its words.
    bool isWhole = i >= specs.size() || !specs[i].sharding || whole.size() != specs[i].shape.size();
    for (size_t dim = 0; !isWhole && dim < whole.size(); ++dim)
      isWhole = specs[i].shape[dim] >= 0 && specs[i].shape[dim] != whole[dim];
    if (isWhole) {
      views.push_back(inputs[i]);
      continue;
    }
    member.shapes[i] = partShape(specs[i], whole);
    const int64_t bytes = elementsOf(member.shapes[i]) * dtypeBytes(inputs[i].dtype);
    if (!member.parts[i] || member.parts[i].capacity() < bytes) {
      MICA_ASSIGN_OR_RETURN(member.parts[i], Buffer::allocate(bytes));
    }
    TensorSpec spec = specs[i];
    spec.dtype = inputs[i].dtype;
    char *part = static_cast<char *>(member.parts[i].data());
    forEachRun(spec, whole, rank, [&](size_t from, size_t to, size_t run) {
      std::memcpy(part + to, static_cast<const char *>(inputs[i].data) + from, run);
    });
    views.push_back({inputs[i].dtype, member.shapes[i], part});
  }
  if (member.session->trace)
    member.session->trace->beginCall();
  if (RankFingerprints *fingerprints = member.session->fingerprints.get()) {
    fingerprints->begin();
    for (size_t i = 0; i < views.size() && i < specs.size(); ++i)
      fingerprints->addInput(int32_t(i), specs[i], views[i].data,
                             elementsOf({views[i].shape.begin(), views[i].shape.end()}) * dtypeBytes(views[i].dtype));
  }
  return member.context->invoke(entry, views, member.results, &member.fault);
}

Status RankTeam::invoke(size_t entry, std::span<const TensorView> inputs, std::vector<Tensor> &results,
                        FaultInfo *fault) {
  if (entry >= program->manifest().entries.size())
    return Error{ErrorCode::InvalidInput, "entry " + std::to_string(entry) + " does not exist", ""};
  auto runMember = [&](Member &member) {
    member.session->ledger().setState(RankLedgerContents::State::Running);
    member.status = invokeMember(member, entry, inputs);
    if (member.session->trace && member.session->fingerprints)
      member.session->trace->setAxes(member.session->fingerprints->all());
    // A failure may end the process.
    if (member.session->trace && !member.status)
      writeTrace(*member.session->trace);
    if (member.status)
      return member.session->ledger().setState(RankLedgerContents::State::Finished);
    // A wrong call is no fault of the rank.
    const int32_t rank = member.session->communicator().rank();
    member.session->ledger().setState(RankLedgerContents::State::Failed);
    member.session->communicator().abort("rank " + std::to_string(rank) + " failed");
  };
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < members.size(); ++i)
      threads.emplace_back([&, i] { runMember(*members[i]); });
  } catch (const std::system_error &failure) {
    members.front()->session->communicator().abort("a rank did not start");
    for (std::thread &thread : threads)
      thread.join();
    return Error{ErrorCode::Io, std::string("cannot start a thread for a rank: ") + failure.what(), "use fewer ranks"};
  }
  runMember(*members.front());
  if (members.size() == 1 && program->mappedBytes() > 0 && logs(LogTopic::Runtime, LogLevel::Debug))
    MICA_LOG(Runtime, Debug) << "rank " << members.front()->session->communicator().rank() << " has "
                             << byteSize(program->residentBytes()) << " of weights in memory, of "
                             << byteSize(program->mappedBytes()) << " that it maps";
  for (std::thread &thread : threads)
    thread.join();
  // The reason, before those that only heard of it.
  const Member *failed = nullptr;
  for (const std::unique_ptr<Member> &member : members) {
    const bool isEcho = !member->status && member->status.error().message.find(" failed; in ") != std::string::npos;
    if (!member->status && (!failed || !isEcho)) {
      failed = member.get();
      if (!isEcho)
        break;
    }
  }
  if (failed) {
    if (fault)
      *fault = failed->fault;
    Error error = failed->status.error();
    error.message = "rank " + std::to_string(failed->session->communicator().rank()) + ": " + error.message;
    return error;
  }
  MICA_RETURN_IF_ERROR(compareRanks(entry));
  return collect(entry, results);
}

/// The switch rank-fingerprints.
Status RankTeam::compareRanks(size_t entry) {
  if (!members.front()->session->fingerprints)
    return {};
  std::vector<std::vector<RankFingerprint>> all;
  for (const std::unique_ptr<Member> &member : members)
    all.push_back(member->session->fingerprints->all());
  if (members.size() == 1 && count > 1) {
    std::vector<RankFingerprint> own = std::move(all.front());
    MICA_ASSIGN_OR_RETURN(all, gatherAll(std::move(own), members.front()->session->communicator()));
  }
  MICA_ASSIGN_OR_RETURN(const std::vector<int64_t> grid, gridOf(program->manifest()));
  MICA_ASSIGN_OR_RETURN(const int64_t compared, compareFingerprints(*program, entry, grid, all));
  if (compared == 0)
    MICA_LOG(Runtime, Warning) << "rank-fingerprints: no tensor was found that several ranks have";
  else
    MICA_LOG(Runtime, Info) << "rank-fingerprints: " << compared << " tensors that several ranks have are the same";
  return {};
}

/// Puts the results of all ranks together.
Status RankTeam::collect(size_t entry, std::vector<Tensor> &results) {
  static const std::atomic<bool> never{false};
  const std::vector<TensorSpec> &specs = program->manifest().entries[entry].results;
  results.resize(specs.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    const Tensor &own = members.front()->results[i];
    Tensor &whole = results[i];
    whole.dtype = own.dtype;
    whole.shape = wholeShape(specs[i], own.shape);
    if (!whole.buffer || whole.buffer.capacity() < whole.bytes()) {
      MICA_ASSIGN_OR_RETURN(whole.buffer, Buffer::allocate(whole.bytes()));
    }
    const int64_t bytes = own.bytes();
    std::vector<char> received;
    if (members.size() == 1 && count > 1) {
      received.resize(size_t(bytes) * size_t(count));
      GroupCall call;
      call.self = members.front()->session->communicator().rank();
      call.send = own.buffer.data();
      call.receive = received.data();
      call.count = bytes;
      MICA_RETURN_IF_ERROR(members.front()->session->communicator().run(call, never));
    }
    std::vector<bool> isWritten(size_t(whole.bytes()));
    for (int32_t rank = 0; rank < count; ++rank) {
      const char *part = received.empty() ? static_cast<const char *>(members[size_t(rank)]->results[i].buffer.data())
                                          : received.data() + size_t(rank) * size_t(bytes);
      char *target = static_cast<char *>(whole.buffer.data());
      bool differs = false;
      forEachRun(specs[i], whole.shape, rank, [&](size_t to, size_t from, size_t run) {
        // Ranks that have the same part have to have the same values.
        if (isWritten[to])
          differs |= std::memcmp(target + to, part + from, run) != 0;
        else
          std::memcpy(target + to, part + from, run);
        isWritten[to] = true;
      });
      if (differs)
        MICA_LOG(Runtime, Warning) << "rank " << rank << " has another value than a lower rank in result " << i
                                   << ", which both have whole; the lower one's is taken";
    }
  }
  return {};
}

} // namespace mica::runtime
