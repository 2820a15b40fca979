//===- Communicator.h - messages between ranks -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What the back end needs of a library for communication. There are two for memory of the host: threads of this
// process, each a rank, and MPI, through a plug-in (include/mica/ABI/Ranks.h); and NCCL for memory of GPUs.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_COMMUNICATOR_H
#define MICA_RUNTIME_COMMUNICATOR_H

#include "mica/ABI/Ranks.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {
struct CollectiveRecord;
struct Manifest;
} // namespace mica::artifact

namespace mica::runtime {

/// What the members of a group do together. All buffers hold whole parts, member after member.
struct GroupCall {
  enum class Kind : int32_t {
    AllGather = MICA_RANKS_ALL_GATHER,         ///< `send`: one part; `receive`: those of all members
    AllReduce = MICA_RANKS_ALL_REDUCE,         ///< one part each
    ReduceScatter = MICA_RANKS_REDUCE_SCATTER, ///< `send`: a part for each member; `receive`: one
    AllToAll = MICA_RANKS_ALL_TO_ALL,          ///< `send`: a part for each member; `receive`: one from each
    Broadcast = MICA_RANKS_BROADCAST,          ///< `root` sends a part, and receives it, too
    Gather = MICA_RANKS_GATHER,                ///< as AllGather, on `root`
    Reduce = MICA_RANKS_REDUCE,                ///< as AllReduce, on `root`
    Scatter = MICA_RANKS_SCATTER,              ///< `send` of `root`: a part for each member; `receive`: one
    Exchange = MICA_RANKS_EXCHANGE,            ///< a part to rank `sendTo`, and one from rank `receiveFrom`; -1: none
  };
  Kind kind = Kind::AllGather;
  std::span<const int32_t> members; ///< their ranks; none: all, in a call that no call with members meets
  int32_t self = 0;                 ///< the caller's position among them
  const void *send = nullptr;
  void *receive = nullptr; ///< does not overlap `send`
  int64_t count = 0;       ///< elements of a part
  DType dtype = DType::I8;
  int32_t reduction = MICA_RANKS_SUM; ///< MICA_RANKS_SUM to MICA_RANKS_XOR
  int32_t root = 0;                   ///< position among the members
  int32_t sendTo = -1, receiveFrom = -1;
  bool averages = false; ///< of a StreamCommunicator: a sum is divided by the number of members
};

/// One rank of several. Calls come from one thread at a time.
class Communicator {
public:
  virtual ~Communicator() = default;
  virtual int32_t rank() const = 0;
  virtual int32_t size() const = 0;
  /// "Open MPI v4.1.4", "threads of this process".
  virtual std::string_view library() const = 0;
  /// Whether the other ranks are processes of their own.
  virtual bool isRemote() const = 0;

  /// Performs the call, which each member has to make in the same order as its other calls with these members. It
  /// returns when `receive` is complete and `send` may change, or with an error when `cancelled` becomes true or
  /// another rank ended.
  virtual Status run(const GroupCall &call, const std::atomic<bool> &cancelled) = 0;

  /// Makes the waiting calls of ranks of this process fail with `why`.
  virtual void abort(const std::string &why) = 0;
  /// Is asked now and then while a call waits: why another rank will not come; "": it may.
  void setWatch(std::function<std::string()> ask) { watch = std::move(ask); }
  std::string whoWillNotCome() const { return watch ? watch() : ""; }

protected:
  std::function<std::string()> watch;
};

/// `size` ranks, for as many threads of this process.
std::vector<std::unique_ptr<Communicator>> createLocalRanks(int32_t size);

/// What a launcher of MPI said to this process.
struct RankLauncher {
  std::string library; ///< "openmpi", "mpich"
  int32_t rank = 0, size = 1;
  int32_t localRank = 0; ///< among the ranks on this machine
};
/// The launcher that started this process as one of several ranks; nothing: none did.
std::optional<RankLauncher> rankLauncher();

/// The number of ranks that `manifest` is compiled for; 0: it is no program for ranks. Damaged where two of its records
/// name different grids.
Result<int32_t> ranksOf(const artifact::Manifest &manifest);

/// The rank that this process is, by MPI. Called once; a second call gives the same. Fails with Unsupported where the
/// plug-in or the library is missing.
Result<std::shared_ptr<Communicator>> connectRanks(const std::string &launcher);

/// The rank that `api` speaks for, whose functions stay valid. Unsupported where it has another version.
Result<std::shared_ptr<Communicator>> communicatorOf(const mica_ranks_api_v1 &api);

/// Performs calls in the memory of a device, in the order of the work on one of its streams. Calls come from one thread
/// at a time, with the device's context current.
class StreamCommunicator {
public:
  virtual ~StreamCommunicator() = default;
  /// "NCCL 2.21.5".
  virtual std::string_view library() const = 0;
  /// Adds the call to `stream` (a CUstream), and returns before it is complete. `send` and `receive` are addresses of
  /// the device. A group's first call waits for all of its members.
  virtual Status queue(const GroupCall &call, void *stream, const std::atomic<bool> &cancelled) = 0;
  /// Why calls in the stream will never complete; success: they may.
  virtual Status check() = 0;
  /// Makes calls in the stream end, complete or not. None may follow.
  virtual void abort() = 0;
};

/// NCCL, for all of `ranks`, which have to call this together. They find each other by `ranks`, which has to outlive
/// it. Unsupported on all of them, with the reason of the first, where one of them cannot use it.
Result<std::unique_ptr<StreamCommunicator>> connectNccl(Communicator &ranks,
                                                        const std::string &library = "libnccl.so.2");
/// Why NCCL cannot perform a collective on elements of `dtype` with the host's results: "no reductions of i16"; "": it
/// can.
std::string ncclLacks(const artifact::CollectiveRecord &collective, DType dtype);

/// into[i] = into[i] `reduction` other[i].
void combineElements(DType dtype, int32_t reduction, void *into, const void *other, int64_t count);
/// into[i] = into[i] / divisor, for averages.
void divideElements(DType dtype, void *into, int64_t count, int64_t divisor);

} // namespace mica::runtime

#endif // MICA_RUNTIME_COMMUNICATOR_H
