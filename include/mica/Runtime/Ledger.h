//===- Ledger.h - a launch log that survives the process -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A mapped file with a record per launch, used as a ring buffer: it survives any end of the process, since the system
// owns the pages. mica-run --post-mortem and the watchdog of hang-timeout read it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_LEDGER_H
#define MICA_RUNTIME_LEDGER_H

#include "mica/Runtime/Observer.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// A launch in the ledger. Times are those of the steady clock.
struct LedgerEntry {
  enum class Stage : uint32_t { None, Handed, Running, Done };

  uint64_t id = 0;
  Stage stage = Stage::None;
  std::string kernel;
  int64_t site = -1;
  int64_t handedNs = 0, startNs = 0, endNs = 0;
  int32_t thread = 0; ///< system id of the thread that began the latest partition, or completed the launch
  int32_t status = 0;
};

/// The contents of a ledger.
struct LedgerContents {
  enum class End : uint32_t { Open, Closed, Hang, Crash };

  std::filesystem::path artifact;
  int32_t pid = 0;
  End end = End::Open;
  int32_t signal = 0;               ///< of End::Crash
  int64_t unixNs = 0;               ///< when it was made
  int64_t steadyNs = 0;             ///< the same moment
  int64_t lastNs = 0;               ///< the latest time in it
  std::vector<LedgerEntry> entries; ///< in the order of their ids
};

class Ledger : public Observer {
public:
  /// Makes `file`. Fails with Io.
  static Result<std::unique_ptr<Ledger>> create(const std::filesystem::path &file, const artifact::Manifest &manifest,
                                                const std::filesystem::path &artifact);

  /// Increases with every partition that begins and every launch that completes.
  virtual uint64_t progress() const = 0;
  /// The current contents. Any thread.
  virtual LedgerContents contents() const = 0;
  virtual const std::filesystem::path &file() const = 0;
  /// Marks that the process is about to end because of a hang.
  virtual void markHang() = 0;

  /// Marks in every ledger of the process that signal `number` ends it. Async-signal-safe.
  static void markCrash(int number);
  /// The file of the ledger made last that is still open, "" if there is none. Async-signal-safe.
  static const char *latestFile();
};

/// Parses a ledger file. Fails with Damaged if it is not one, or truncated. `file` is used in messages only.
Result<LedgerContents> parseLedger(std::string_view bytes, const std::filesystem::path &file);
Result<LedgerContents> readLedger(const std::filesystem::path &file);

} // namespace mica::runtime

#endif // MICA_RUNTIME_LEDGER_H
