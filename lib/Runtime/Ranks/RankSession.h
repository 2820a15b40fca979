//===- RankSession.h - one rank of a running program -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What one rank of a running program has: its place among the others, its ledger, and how it finds out that the others
// do something else.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_RANKSESSION_H
#define MICA_LIB_RUNTIME_RANKS_RANKSESSION_H

#include "lib/Runtime/Ranks/Collective.h"
#include "lib/Runtime/Ranks/DeviceExchanges.h"
#include "lib/Runtime/Ranks/RankFingerprints.h"
#include "lib/Runtime/Ranks/RankLedger.h"
#include "lib/Runtime/Ranks/RankTrace.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Program.h"

#include <map>

namespace mica::runtime {

class RankSession {
public:
  /// What of an exchange is compared with the other members' before it begins. `What`: kind, group, shape, element type
  /// and so on; `Lines`: the op, too, so that two exchanges that are alike are not taken for each other.
  enum class Checks { None, What, Lines };

  /// `folder`: of the ledgers of all ranks.
  static Result<std::unique_ptr<RankSession>> create(const Program &program, std::shared_ptr<Communicator> communicator,
                                                     std::filesystem::path folder, Checks checks);

  Communicator &communicator() { return *ranks; }
  RankLedger &ledger() { return *written; }
  const std::filesystem::path &folder() const { return ledgers; }

  /// Of the switches rank-fingerprints and rank-trace; null: they are off.
  std::unique_ptr<RankFingerprints> fingerprints;
  std::unique_ptr<RankTrace> trace;

  /// Performs the exchange of kernel `kernel` (position in the manifest). On any thread, one at a time.
  Status perform(size_t kernel, const Launch &launch);

  /// Lets NCCL perform exchanges in the memory of device `name`. The first one with a queue is taken, where all ranks
  /// can use it; else the host exchanges its tensors, and a perf hint says why. To be called by all ranks together.
  Status connectDevice(DeviceQueue &queue, std::string_view name);
  /// Null: the host performs all exchanges.
  DeviceExchanges *device() { return deviceExchanges.get(); }
  /// Moves tasks of `list` that are exchanges of the device's tensors from the host to the device.
  artifact::TaskList placeExchanges(artifact::TaskList list) const;
  /// As perform(), on `buffers` of the device: adds it to the device's queue.
  Status add(size_t kernel, const Launch &launch, void *const *buffers);
  /// The device has completed it, or will not.
  void complete(size_t kernel, const Launch &launch);

  /// Why another rank will not take part any more: it failed, or its process is gone. "": none.
  std::string whoEnded() const;
  /// Who waits in which exchange for whom, from all ledgers: the text after a report of a hang.
  std::string verdict() const;
  /// True for the first rank that asks: it prints the verdict for all.
  bool claimsVerdict() const;
  /// For the others: returns when it was printed, or after two seconds.
  void waitForVerdict() const;
  /// For the rank that printed it.
  void removeLedgers() const;

private:
  RankSession(const Program &program, std::shared_ptr<Communicator> communicator, std::filesystem::path folder,
              std::unique_ptr<RankLedger> ledger, Checks checks)
      : program(program), ranks(std::move(communicator)), ledgers(std::move(folder)), written(std::move(ledger)),
        checks(checks) {}

  /// What a rank says about an exchange before it begins.
  struct Announcement {
    int32_t kernel, site;
    uint64_t sizes; ///< hash of the sizes that are known at run time
  };
  Status compare(const Collective &collective, const Announcement &own, const std::atomic<bool> &cancelled);
  Collective &collectiveOf(size_t kernel);
  struct Begun {
    RankLedgerEntry entry;
    int64_t startNs = 0;
  };
  /// Writes it to the ledger.
  Begun begin(size_t kernel, const Collective &collective, const Launch &launch, bool isQueued);
  Status announce(const Begun &begun, const Collective &collective, const Launch &launch);
  void traceExchange(const Begun &begun, const Collective &collective, const Launch &launch, int64_t endNs,
                     bool isDone);

  const Program &program;
  std::shared_ptr<Communicator> ranks;
  std::filesystem::path ledgers;
  std::unique_ptr<RankLedger> written;
  const Checks checks;
  std::map<size_t, Collective> collectives; ///< by kernel
  std::map<uint64_t, uint64_t> turns;       ///< exchanges so far, by group
  std::unique_ptr<DeviceExchanges> deviceExchanges;
  std::string deviceName;
  std::map<const Launch *, Begun> added; ///< exchanges of the device that are not complete
};

/// Performs launches of kernels that are exchanges by `session`; passes others on. One kernel of them runs at a time.
std::unique_ptr<Backend> ranksBackend(std::unique_ptr<Backend> inner, const Program &program, RankSession &session);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_RANKSESSION_H
