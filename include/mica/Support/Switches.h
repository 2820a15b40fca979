//===- Switches.h - the switches of MICA_DEBUG -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A switch is a row of one table: name, values, default, the phase in which it acts, its cost. The row serves
// `MICA_DEBUG=a,b=c`, `--mica-debug=`, `mica.json`, the C API, --help and docs/Environment.md. A flag overrides the
// API, the API the environment, and the environment the file.
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
  DumpExact,
  DumpKernel,
  DumpKind,
  DumpMaterialize,
  DumpMaxBytes,
  DumpMinBytes,
  DumpName,
  DumpOp,
  DumpRole,
  DumpSampleBytes,
  DumpTensors,
  HangTimeout,
  LaunchLedger,
  RankCheck,
  RankFingerprints,
  RankNccl,
  RankOverlap,
  RankTrace,
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
inline constexpr size_t kSwitchCount = 43;

/// When a switch acts.
enum class SwitchPhase : uint8_t {
  Compile, ///< while a program is compiled
  Run,     ///< while it runs: read when a context is made; existing contexts do not change
};

/// A row of the table.
struct SwitchInfo {
  enum class Kind : uint8_t { Flag, Choice, Count, Bytes, Seconds, File, Names, OptionalNames };

  Switch which;
  std::string_view name;
  Kind kind;
  std::string_view values; ///< Choice: "a|b|c"; else a placeholder: "FILE"
  std::string_view defaultValue;
  SwitchPhase phase;
  bool changesCode;               ///< part of the cache's key
  std::string_view needs;         ///< "a|b": has no effect unless one of these switches is set; "": always has
  std::string_view help;          ///< one sentence
  std::string_view cost;          ///< measured
  std::string_view example;       ///< a value of MICA_DEBUG
  bool addsCodeOnDevices = false; ///< acts while a program runs, and changes the kernels of targets cuda and sim
};

std::span<const SwitchInfo> switchTable();
std::string_view switchPhaseName(SwitchPhase phase);

/// The switches that `sensible` sets.
std::string_view sensibleSwitches();

/// The sources of a setting, by increasing precedence.
enum class SwitchSource : uint8_t {
  Default,
  Folder, ///< mica.json in the working folder, which may belong to another user
  File,   ///< the file of MICA_CONFIG
  Environment,
  Api,
  Flag
};
/// Whether a setting applies to every tool, including those in which it has no effect.
constexpr bool isFromFile(SwitchSource source) {
  return source == SwitchSource::Folder || source == SwitchSource::File;
}

/// A value for each switch. Copyable; not shared between threads.
class Switches {
public:
  Switches();

  /// Parses "a,b=c,sensible". A wrong name or value is an error (InvalidInput) that suggests the nearest, and changes
  /// nothing. A value does not replace one from a source of higher precedence.
  Status set(std::string_view assignments, SwitchSource source);
  /// The same for one switch; `value` "" turns a flag on.
  Status set(std::string_view name, std::string_view value, SwitchSource source);

  bool isSet(Switch which) const { return values[size_t(which)].source != SwitchSource::Default; }
  SwitchSource source(Switch which) const { return values[size_t(which)].source; }
  /// The value as text; the default if it is not set.
  const std::string &text(Switch which) const { return values[size_t(which)].text; }
  bool flag(Switch which) const { return text(which) == "on"; }
  /// The value of a switch of kind Count.
  int64_t count(Switch which) const;
  /// The value of a switch of kind Bytes; -1 for its default.
  int64_t bytes(Switch which) const;
  /// The value of a switch of kind Seconds.
  double seconds(Switch which) const;

  /// Names and values of the switches that change code and differ from their defaults: part of the cache's key.
  std::vector<std::pair<std::string, std::string>> codeSwitches() const;
  /// The same for --target=`target`, whose code may depend on more switches.
  std::vector<std::pair<std::string, std::string>> codeSwitches(std::string_view target) const;
  /// "a=x,b": the switches that are set, for a child process with the same settings.
  std::string assignments() const;
  /// The same for those that `source` has set.
  std::string assignments(SwitchSource source) const;
  /// Warnings about switches that are set but have no effect, one sentence each. `phases`: those in which the tool
  /// applies switches; `tool`: its name.
  std::vector<std::string> warnings(std::span<const SwitchPhase> phases, std::string_view tool) const;

private:
  struct Value {
    std::string text;
    SwitchSource source = SwitchSource::Default;
  };
  std::array<Value, kSwitchCount> values;
};

/// Reads the configuration file and MICA_DEBUG. The file is MICA_CONFIG, which must exist; else, for tools
/// (`readsFolder`), mica.json in the working folder, if it exists. mica.json must not contain switches that name output
/// files: that is an error. Fails as Switches::set does, naming file or variable.
Result<Switches> switchesFromEnvironment(bool readsFolder);

/// The text for `help`: every switch with values, default, phase, cost and example.
std::string switchHelp();

} // namespace mica

#endif // MICA_SUPPORT_SWITCHES_H
