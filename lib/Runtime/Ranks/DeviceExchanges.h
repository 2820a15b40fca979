//===- DeviceExchanges.h - exchanges in the memory of a device -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Exchanges that are added to the queue of a device, and are complete some time later. Marks before and behind each
// tell when, so that the ledger of a rank says which one the device is in.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_DEVICEEXCHANGES_H
#define MICA_LIB_RUNTIME_RANKS_DEVICEEXCHANGES_H

#include "lib/Runtime/Ranks/Collective.h"
#include "lib/Runtime/Ranks/RankLedger.h"
#include "mica/Runtime/Backend.h"

#include <deque>

namespace mica::runtime {

/// Of one rank; for one thread at a time. `ranks` and `ledger` have to outlive it, and the device close().
class DeviceExchanges {
public:
  DeviceExchanges(std::unique_ptr<StreamCommunicator> communicator, DeviceQueue &queue, Communicator &ranks,
                  RankLedger &ledger)
      : communicator(std::move(communicator)), device(queue), ranks(ranks), ledger(ledger) {}

  std::string_view library() const { return communicator->library(); }

  /// Adds `collective` on `buffers` of the device. `sequence`: of its entry in the ledger, which is started and ended
  /// when the device comes to it and has done it.
  Status add(Collective &collective, const Launch &launch, void *const *buffers, uint64_t sequence);
  /// The same for one that needs no other rank, and is in no ledger.
  Status addLocal(Collective &collective, const Launch &launch, void *const *buffers);
  /// Starts and ends the entries of exchanges that the device has come to.
  void notePassed();
  /// Why those that were added will never be complete: asked while somebody waits for the device. The library has then
  /// let go of them.
  std::optional<DeviceQueue::Ended> whyEnded();
  /// Ends the library; no exchange may follow.
  void close();

private:
  struct Open {
    const Launch *launch;
    uint64_t sequence;
    void *begin, *end; ///< marks; `begin` is null once it was passed
  };

  std::unique_ptr<StreamCommunicator> communicator;
  DeviceQueue &device;
  Communicator &ranks;
  RankLedger &ledger;
  std::deque<Open> open; ///< in the order of the device
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_DEVICEEXCHANGES_H
