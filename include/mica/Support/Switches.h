//===- Switches.h - MICA_DEBUG: one table of switches ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A switch is a row: name, values, default, the phase in which it acts, what it costs. The same row serves
// `MICA_DEBUG=a,b=c`, `--mica-debug=`, `mica.json`, the C API, --help and docs/Environment.md. A flag wins over the
// API, the API over the environment, the environment over the file.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_SWITCHES_H
#define MICA_SUPPORT_SWITCHES_H

#include "mica/Support/Status.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mica {

/// Rows of the table, in its order.
enum class Switch : uint8_t {
  AllowTf32,
  AssertLevel,
  CheckProofs,
  DeviceSyncMode,
  DumpDir,
  DumpKernel,
  DumpKind,
  DumpMaxBytes,
  DumpName,
  DumpOp,
  DumpRole,
  DumpTensors,
  HangTimeout,
  LaunchLedger,
  LoopTimeout,
  MemoryLimit,
  MmapWeights,
  NanCheck,
  NanNearOverflow,
  OpLogFile,
  OpLogKernel,
  OpLogKind,
  OpLogLevel,
  OpLogOp,
  OpLogTarget,
  SimCheck,
  SimKernel,
  SimSchedule,
  SourceTracebacks,
  Specialize,
  SpecializeAfter,
  SpecializeLimit,
  SpecializeWait,
  UninitializedReadCheck,
};
inline constexpr size_t kSwitchCount = 34;

/// When a switch acts.
enum class SwitchPhase : uint8_t {
  Compile, ///< while a program is compiled
  Run,     ///< while it runs: read when a context is made, those that are there already stay as they are
};

/// A row of the table.
struct SwitchInfo {
  enum class Kind : uint8_t { Flag, Choice, Count, Bytes, Seconds, File, Names, OptionalNames };

  Switch which;
  std::string_view name;
  Kind kind;
  std::string_view values; ///< Choice: "a|b|c"; else a word for people: "FILE"
  std::string_view defaultValue;
  SwitchPhase phase;
  bool changesCode;         ///< part of the cache's key
  std::string_view needs;   ///< "a|b": has no effect unless one of these switches is set; "" where it needs none
  std::string_view help;    ///< one sentence
  std::string_view cost;    ///< measured
  std::string_view example; ///< a value of MICA_DEBUG
  bool addsCodeOnDevices =
      false; ///< acts while a program runs, and puts something into kernels of the targets cuda and sim
};

std::span<const SwitchInfo> switchTable();
std::string_view switchPhaseName(SwitchPhase phase);

/// What `sensible` stands for.
std::string_view sensibleSwitches();

/// Who set a switch, the strongest last.
enum class SwitchSource : uint8_t {
  Default,
  Folder, ///< mica.json in the working folder, which may be somebody else's
  File,   ///< the file that MICA_CONFIG names
  Environment,
  Api,
  Flag
};
/// Whether a switch is meant for every tool, also for those in which it has no effect.
constexpr bool isFromFile(SwitchSource source) {
  return source == SwitchSource::Folder || source == SwitchSource::File;
}

/// A value for each switch. Copied freely; not shared between threads.
class Switches {
public:
  Switches();

  /// Takes "a,b=c,sensible". A name or value that is wrong is an error (InvalidInput) with the nearest, and changes
  /// nothing. A value does not replace one of a stronger source.
  Status set(std::string_view assignments, SwitchSource source);
  /// The same for one switch; `value` "" turns a flag on.
  Status set(std::string_view name, std::string_view value, SwitchSource source);

  bool isSet(Switch which) const { return values[size_t(which)].source != SwitchSource::Default; }
  SwitchSource source(Switch which) const { return values[size_t(which)].source; }
  /// The value as text; the default where it is not set.
  const std::string &text(Switch which) const { return values[size_t(which)].text; }
  bool flag(Switch which) const { return text(which) == "on"; }
  /// Of a switch of kind Count.
  int64_t count(Switch which) const;
  /// Of a switch of kind Bytes; -1 where it is at its default.
  int64_t bytes(Switch which) const;
  /// Of a switch of kind Seconds.
  double seconds(Switch which) const;

  /// Names and values of the switches that change code and are not at their default: part of the cache's key.
  std::vector<std::pair<std::string, std::string>> codeSwitches() const;
  /// The same for --target=`target`, whose code more of them may change.
  std::vector<std::pair<std::string, std::string>> codeSwitches(std::string_view target) const;
  /// "a=x,b": those that are set, for a child that is to do the same.
  std::string assignments() const;
  /// The same of those that `source` has set.
  std::string assignments(SwitchSource source) const;
  /// What is set and does nothing, one sentence each. `phases`: when the tool at hand lets switches act; `tool` names
  /// it.
  std::vector<std::string> warnings(std::span<const SwitchPhase> phases, std::string_view tool) const;

private:
  struct Value {
    std::string text;
    SwitchSource source = SwitchSource::Default;
  };
  std::array<Value, kSwitchCount> values;
};

/// A file and MICA_DEBUG. The file is MICA_CONFIG, which must exist; else, for tools (`readsFolder`), mica.json in the
/// working folder, if it is there. That one is not asked where files are written: such a switch in it is an error.
/// Fails as Switches::set does, naming file or variable.
Result<Switches> switchesFromEnvironment(bool readsFolder);

/// The text for `help`: every switch with values, default, phase, cost and example.
std::string switchHelp();

} // namespace mica

#endif // MICA_SUPPORT_SWITCHES_H
