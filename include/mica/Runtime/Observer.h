//===- Observer.h - observing launches --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A context with observers wraps its back ends; without observers there is no overhead. Each launch is reported twice,
// when it is passed to the device and when it is complete; `id` pairs the two.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_OBSERVER_H
#define MICA_RUNTIME_OBSERVER_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// One launch. References are valid only during the call.
struct LaunchEvent {
  uint64_t id = 0;                                ///< launch number, unique in the process, from 1
  const artifact::KernelRecord *kernel = nullptr; ///< never null
  int64_t site = -1;                              ///< position in the manifest's sites, -1 where unknown
  const std::vector<std::string> *opIds =
      nullptr;                      ///< ops of the site, root first; the kernel's where the site is unknown
  std::string_view device;          ///< "cpu:0"
  int64_t parts = 1;                ///< number of work partitions; onComplete only
  int64_t handedNs = 0;             ///< steady clock: passed to the device
  int64_t startNs = 0;              ///< onLaunch: as handedNs, onComplete: began
  int64_t endNs = 0;                ///< onComplete only
  int32_t status = 0;               ///< status of the kernel; onComplete only
  bool skipped = false;             ///< onComplete only: an earlier launch failed, so the kernel did not run
  const int64_t *scalars = nullptr; ///< of the launch: the dynamic sizes of its buffers, then the kernel's own
  int64_t scalarCount = 0;
};

/// The interface. Calls come from any thread of the context, concurrently: implementations lock what they share.
class Observer {
public:
  virtual ~Observer() = default;
  /// Whether to observe launches of `kernel` that compute `ids` on `device`. Called once per dispatch in the program,
  /// when the context is made; launches that are not observed cost a load and a branch.
  virtual bool wants(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids,
                     std::string_view device) const {
    (void)kernel, (void)ids, (void)device;
    return true;
  }
  /// Whether to call onBegin().
  virtual bool wantsBegin() const { return false; }
  virtual void onLaunch(const LaunchEvent &event) = 0;
  virtual void onComplete(const LaunchEvent &event) = 0;
  /// An event was lost for lack of memory.
  virtual void onLost() {}
  /// A partition of launch `id` begins, on the calling thread.
  virtual void onBegin(uint64_t id) { (void)id; }
};

/// Writes each event as one JSON line (docs/ABI.md lists the keys); the first line carries the schema
/// version.
class EventLog : public Observer {
public:
  /// Creates `file` (usually <run folder>/events.jsonl). Fails with Io.
  static Result<std::unique_ptr<EventLog>> create(const std::filesystem::path &file);
  /// Writes the rest and closes the file. Fails with Io if anything could not be written (disk full).
  virtual Status close() = 0;
};

/// Sums times per kernel, for `--time`.
class KernelTimes : public Observer {
public:
  struct Entry {
    std::string kernel;
    int64_t launches = 0;
    int64_t totalNs = 0;
    int64_t minNs = 0;
    int64_t maxNs = 0;
    int64_t flops = -1; ///< of one launch, -1 where unknown
  };
  static std::unique_ptr<KernelTimes> create();
  /// The entries since the last reset, longest total first.
  virtual std::vector<Entry> entries() const = 0;
  /// Nanoseconds since the last reset in which at least one kernel ran.
  virtual int64_t busyNs() const = 0;
  virtual void reset() = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_OBSERVER_H
