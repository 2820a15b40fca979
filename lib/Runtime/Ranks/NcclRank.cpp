//===- NcclRank.cpp - calls between GPUs by NCCL ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A communicator of NCCL for each group, made by its members alone when they first call together; the host's
// communicator tells them the id by which they find each other. All calls are non-blocking: each is asked for its state
// until the library has queued it, so that a rank can give up. What NCCL lacks (gather, scatter, all_to_all) is a group
// of sends and receives.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Nccl.h"
#include "lib/Runtime/Ranks/GatherAll.h"
#include "lib/Runtime/Ranks/Patience.h"
#include "mica/Artifact/Manifest.h"

#include <chrono>
#include <map>
#include <utility>

namespace mica::runtime {
namespace {

using nccl::Code, nccl::Comm;
using Kind = GroupCall::Kind;

/// How long ranks look for each other: one that could not begin does not answer the others.
constexpr std::chrono::seconds kLongestConnect{60};
/// How long a rank that ends waits for the others to end, too.
constexpr std::chrono::seconds kLongestClose{10};

/// The type by which NCCL reduces; nothing: it has none, or none that gives what the host gives.
std::optional<int> reducedType(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return nccl::kFloat64;
  case DType::F32:
    return nccl::kFloat32;
  case DType::F16:
    return nccl::kFloat16;
  case DType::BF16:
    return nccl::kBFloat16;
  case DType::I64:
  case DType::Index:
    return nccl::kInt64;
  case DType::I32:
    return nccl::kInt32;
  case DType::I8:
    return nccl::kInt8;
  case DType::UI64:
    return nccl::kUInt64;
  case DType::UI32:
    return nccl::kUInt32;
  case DType::UI8:
    return nccl::kUInt8;
  default:
    return std::nullopt;
  }
}

int reductionOf(const GroupCall &call) {
  if (call.averages)
    return nccl::kAverage;
  switch (call.reduction) {
  case MICA_RANKS_PRODUCT:
    return nccl::kProduct;
  case MICA_RANKS_MIN:
    return nccl::kMin;
  case MICA_RANKS_MAX:
    return nccl::kMax;
  default:
    return nccl::kSum;
  }
}

class NcclRank final : public StreamCommunicator {
public:
  NcclRank(Communicator &ranks, std::shared_ptr<const nccl::Library> library)
      : ranks(ranks), nccl(std::move(library)) {}
  ~NcclRank() override { close(); }

  /// Makes the communicator of all ranks, which sends and receives go through.
  Status connect(const std::atomic<bool> &cancelled) {
    MICA_ASSIGN_OR_RETURN(world, make({}, ranks.rank(), ranks.size(), cancelled));
    return {};
  }

  std::string_view library() const override { return nccl->name(); }

  Status queue(const GroupCall &call, void *stream, const std::atomic<bool> &cancelled) override {
    if (isEnded)
      return Error{ErrorCode::Difference, "NCCL was ended after an earlier error", ""};
    if (call.kind == Kind::Exchange && (call.sendTo == ranks.rank()) != (call.receiveFrom == ranks.rank()))
      return Error{ErrorCode::Unsupported, "NCCL sends nothing from a rank to itself",
                   "--mica-debug=rank-nccl=off lets the host exchange tensors"};
    Comm comm = world;
    if (call.kind != Kind::Exchange && int32_t(call.members.size()) != ranks.size()) {
      MICA_ASSIGN_OR_RETURN(comm, commOf(call, cancelled));
    }
    const Code code = start(call, comm, static_cast<cuda::Stream>(stream));
    if (code != nccl::kSuccess && code != nccl::kInProgress)
      return nccl->error("a call cannot begin", code, comm);
    return settle(comm, "a call cannot begin", cancelled);
  }

  Status check() override {
    for (Comm comm : all()) {
      Code code = nccl::kSuccess;
      if (const Code asked = nccl->commGetAsyncError(comm, &code); asked != nccl::kSuccess)
        code = asked;
      if (code != nccl::kSuccess && code != nccl::kInProgress)
        return nccl->error("a call failed", code, comm);
    }
    return {};
  }

  void abort() override {
    isEnded = true;
    for (Comm comm : all())
      nccl->commAbort(comm);
    groups.clear();
    world = nullptr;
  }

private:
  std::vector<Comm> all() const {
    std::vector<Comm> comms;
    if (world)
      comms.push_back(world);
    for (const auto &[members, comm] : groups)
      comms.push_back(comm);
    return comms;
  }

  /// Waits until the library has done with `comm` what it was asked to, or for `longest`.
  Status settle(Comm comm, const char *what, const std::atomic<bool> &cancelled,
                std::chrono::seconds longest = std::chrono::hours(24)) {
    const auto end = std::chrono::steady_clock::now() + longest;
    for (Patience patience;;) {
      Code code = nccl::kSuccess;
      if (const Code asked = nccl->commGetAsyncError(comm, &code); asked != nccl::kSuccess)
        code = asked;
      if (code == nccl::kSuccess)
        return {};
      if (code != nccl::kInProgress)
        return nccl->error(what, code, comm);
      if (cancelled.load(std::memory_order_relaxed))
        return Error{ErrorCode::Difference, "the call was cancelled", ""};
      if (!patience.wait())
        continue;
      if (std::chrono::steady_clock::now() > end)
        return Error{ErrorCode::Io,
                     std::string("NCCL: ") + what + ": no answer for " + std::to_string(longest.count()) + " s",
                     "NCCL_DEBUG=INFO makes NCCL print what it does"};
      if (const std::string gone = ranks.whoWillNotCome(); !gone.empty())
        return Error{ErrorCode::Difference, gone, ""};
    }
  }

  /// To be called by all members together, as the communicator of the host is.
  Result<Comm> make(std::span<const int32_t> members, int32_t self, int32_t size, const std::atomic<bool> &cancelled) {
    struct Told {
      nccl::UniqueId id;
      Code code = nccl::kSuccess;
    } own, told;
    if (self == 0)
      own.code = nccl->getUniqueId(&own.id);
    GroupCall call;
    call.kind = Kind::Broadcast;
    call.members = members;
    call.self = self;
    call.send = &own;
    call.receive = &told;
    call.count = sizeof own;
    MICA_RETURN_IF_ERROR(ranks.run(call, cancelled));
    if (told.code != nccl::kSuccess)
      return nccl->error("cannot get an id for a group of ranks", told.code, nullptr);
    Comm comm = nullptr;
    nccl::Config config;
    const Code code = nccl->commInitRankConfig(&comm, size, told.id, self, &config);
    constexpr const char *kWhat = "cannot connect the ranks of a group";
    if (code != nccl::kSuccess && code != nccl::kInProgress)
      return nccl->error(kWhat, code, nullptr);
    if (Status connected = settle(comm, kWhat, cancelled, kLongestConnect); !connected) {
      nccl->commAbort(comm);
      return connected.error();
    }
    return comm;
  }

  Result<Comm> commOf(const GroupCall &call, const std::atomic<bool> &cancelled) {
    std::vector<int32_t> members(call.members.begin(), call.members.end());
    const auto known = groups.find(members);
    if (known != groups.end())
      return known->second;
    MICA_ASSIGN_OR_RETURN(const Comm comm, make(members, call.self, int32_t(members.size()), cancelled));
    groups.emplace(std::move(members), comm);
    return comm;
  }

  Code start(const GroupCall &call, Comm comm, cuda::Stream stream) const {
    const auto count = size_t(call.count);
    const size_t bytes = count * size_t(dtypeBytes(call.dtype));
    const int type = reducedType(call.dtype).value_or(nccl::kInt8), reduction = reductionOf(call);
    switch (call.kind) {
    case Kind::AllReduce:
      return nccl->allReduce(call.send, call.receive, count, type, reduction, comm, stream);
    case Kind::Reduce:
      return nccl->reduce(call.send, call.receive, count, type, reduction, call.root, comm, stream);
    case Kind::ReduceScatter:
      return nccl->reduceScatter(call.send, call.receive, count, type, reduction, comm, stream);
    // What only moves is bytes to NCCL.
    case Kind::AllGather:
      return nccl->allGather(call.send, call.receive, bytes, nccl::kInt8, comm, stream);
    case Kind::Broadcast:
      return nccl->broadcast(call.send, call.receive, bytes, nccl::kInt8, call.root, comm, stream);
    default:
      break;
    }
    const auto *from = static_cast<const char *>(call.send);
    auto *into = static_cast<char *>(call.receive);
    Code code = nccl->groupStart();
    auto send = [&](int32_t peer, const char *part) {
      if (code == nccl::kSuccess)
        code = nccl->send(part, bytes, nccl::kInt8, peer, comm, stream);
    };
    auto receive = [&](int32_t peer, char *part) {
      if (code == nccl::kSuccess)
        code = nccl->receive(part, bytes, nccl::kInt8, peer, comm, stream);
    };
    const auto size = int32_t(call.members.size());
    const bool isRoot = call.self == call.root;
    if (call.kind == Kind::Exchange) {
      if (call.sendTo >= 0)
        send(call.sendTo, from);
      if (call.receiveFrom >= 0)
        receive(call.receiveFrom, into);
    } else if (call.kind == Kind::Gather) {
      send(call.root, from);
      for (int32_t peer = 0; isRoot && peer < size; ++peer)
        receive(peer, into + size_t(peer) * bytes);
    } else if (call.kind == Kind::Scatter) {
      for (int32_t peer = 0; isRoot && peer < size; ++peer)
        send(peer, from + size_t(peer) * bytes);
      receive(call.root, into);
    } else {
      for (int32_t peer = 0; peer < size; ++peer) {
        send(peer, from + size_t(peer) * bytes);
        receive(peer, into + size_t(peer) * bytes);
      }
    }
    // A group that was begun has to be ended, whatever happened in it.
    const Code ended = nccl->groupEnd();
    return code == nccl::kSuccess || code == nccl::kInProgress ? ended : code;
  }

  /// The others end, too, or have failed: then nothing waits for them.
  void close() {
    if (isEnded)
      return;
    std::atomic<bool> tooLong{false};
    const auto end = std::chrono::steady_clock::now() + kLongestClose;
    for (Comm comm : all()) {
      bool isOver = nccl->commFinalize(comm) != nccl::kInProgress;
      for (Patience patience; !isOver && !tooLong;) {
        Code code = nccl::kSuccess;
        isOver = nccl->commGetAsyncError(comm, &code) != nccl::kSuccess || code != nccl::kInProgress;
        tooLong = patience.wait() && (std::chrono::steady_clock::now() > end || !ranks.whoWillNotCome().empty());
      }
      isOver ? nccl->commDestroy(comm) : nccl->commAbort(comm);
    }
  }

  Communicator &ranks;
  const std::shared_ptr<const nccl::Library> nccl;
  Comm world = nullptr;
  std::map<std::vector<int32_t>, Comm> groups;
  bool isEnded = false;
};

/// Fails on all ranks with the error of the first that has one.
Status agree(Communicator &ranks, const Status &own) {
  std::string text = own ? "" : own.error().message + '\n' + own.error().hint;
  MICA_ASSIGN_OR_RETURN(const auto all, gatherAll(std::vector<char>(text.begin(), text.end()), ranks));
  for (size_t rank = 0; rank < all.size(); ++rank) {
    text.assign(all[rank].begin(), all[rank].end());
    if (const size_t line = text.rfind('\n'); line != text.npos)
      return Error{ErrorCode::Unsupported, "rank " + std::to_string(rank) + ": " + text.substr(0, line),
                   text.substr(line + 1)};
  }
  return {};
}

} // namespace

Result<std::unique_ptr<StreamCommunicator>> connectNccl(Communicator &ranks, const std::string &file) {
  static const std::atomic<bool> never{false};
  Result<std::shared_ptr<const nccl::Library>> library = nccl::Library::open(file);
  MICA_RETURN_IF_ERROR(agree(ranks, library ? Status() : Status(library.error())));
  auto rank = std::make_unique<NcclRank>(ranks, *library);
  const Status connected = rank->connect(never);
  if (const Status agreed = agree(ranks, connected); !agreed) {
    rank->abort();
    return agreed.error();
  }
  return std::unique_ptr<StreamCommunicator>(std::move(rank));
}

std::string ncclLacks(const artifact::CollectiveRecord &collective, DType dtype) {
  if (collective.kind == "index")
    return "the host knows the rank's number";
  if (collective.kind != "all_reduce" && collective.kind != "reduce" && collective.kind != "reduce_scatter")
    return "";
  const std::string &reduction = collective.reduction;
  const std::string of = " of " + std::string(dtypeName(dtype));
  if (reduction == "and" || reduction == "or" || reduction == "xor")
    return "NCCL has no reduction '" + reduction + "'";
  if (!reducedType(dtype))
    return "NCCL has no reductions" + of;
  if (isFloat(dtype) && (reduction == "min" || reduction == "max"))
    return "NCCL's '" + reduction + "'" + of + " may lose NaN";
  if (!isFloat(dtype) && reduction == "average")
    return "NCCL may round averages" + of + " in another way";
  return "";
}

} // namespace mica::runtime
