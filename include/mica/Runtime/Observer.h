//===- Observer.h - watching what runs --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A context with observers wraps its back ends; one without has no trace of this file on its path. Each
// launch is reported twice, when it is handed to the device and when it is complete; `id` pairs the two.
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

/// One launch as observers see it. References are valid for the length of the call only.
struct LaunchEvent {
  uint64_t id = 0;                                ///< launch number, unique in the process, from 1
  const artifact::KernelRecord *kernel = nullptr; ///< never null
  int64_t site = -1;                              ///< position in the manifest's sites, -1 where unknown
  const std::vector<std::string> *opIds =
      nullptr;                      ///< ops of the site, root first; the kernel's where the site is unknown
  std::string_view device;          ///< "cpu:0"
  int64_t parts = 1;                ///< shares the work was cut into; onComplete only
  int64_t handedNs = 0;             ///< steady clock: handed to the device
  int64_t startNs = 0;              ///< onLaunch: as handedNs, onComplete: began
  int64_t endNs = 0;                ///< onComplete only
  int32_t status = 0;               ///< what the kernel returned; onComplete only
  bool skipped = false;             ///< onComplete only: an earlier launch had failed, the kernel did not run
  const int64_t *scalars = nullptr; ///< of the launch: the dynamic sizes of its buffers, then the kernel's own
  int64_t scalarCount = 0;
};

/// The interface. Calls come from any thread of the context, at the same time: implementations lock what they
/// share.
class Observer {
public:
  virtual ~Observer() = default;
  /// Whether it wants to be told of launches of `kernel` that compute `ids` on `device`. Asked once per place in the
  /// program, when the context is made; launches that nobody wants cost a load and a branch.
  virtual bool wants(const artifact::KernelRecord &kernel, const std::vector<std::string> &ids,
                     std::string_view device) const {
    (void)kernel, (void)ids, (void)device;
    return true;
  }
  /// Whether it wants onBegin() too.
  virtual bool wantsBegin() const { return false; }
  virtual void onLaunch(const LaunchEvent &event) = 0;
  virtual void onComplete(const LaunchEvent &event) = 0;
  /// There was no memory for one of these calls: what it would have noted is lost.
  virtual void onLost() {}
  /// A share of launch `id` begins, on the calling thread.
  virtual void onBegin(uint64_t id) { (void)id; }
};

/// Writes each event as one JSON line (docs/ABI.md lists the keys); the first line carries the schema
/// version.
class EventLog : public Observer {
public:
  /// Creates `file` (usually <run folder>/events.jsonl). Fails with Io.
  static Result<std::unique_ptr<EventLog>> create(const std::filesystem::path &file);
  /// Writes what is left and closes the file. Fails with Io when anything could not be written (disk full).
  virtual Status close() = 0;
};

/// Adds up times per kernel, for `--time`.
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
  /// What was collected since the last reset, longest total first.
  virtual std::vector<Entry> entries() const = 0;
  virtual void reset() = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_OBSERVER_H
