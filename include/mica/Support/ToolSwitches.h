//===- ToolSwitches.h - flags that every tool has ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What the environment says and a flag overrules: --mica-logs and --mica-debug.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_TOOLSWITCHES_H
#define MICA_SUPPORT_TOOLSWITCHES_H

#include "mica/Support/CommandLine.h"
#include "mica/Support/Status.h"
#include "mica/Support/Switches.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// Values of the flags; nothing where a flag was not given.
struct ToolSwitches {
  std::optional<std::string> logs;
  std::optional<std::string> debug; ///< several: one after the other
};

/// The group of --help with these flags; setters write to `switches`, which must outlive it.
FlagGroup switchFlags(ToolSwitches &switches);

/// The same for a tool that runs nothing that a switch could change: --mica-logs alone.
FlagGroup logFlags(ToolSwitches &switches);

/// Puts topics of environment and flag in force for `tool`. True: help was asked for and printed, the tool has nothing
/// else to do.
Result<bool> applyLogSwitches(const ToolSwitches &switches, std::string_view tool);

/// Puts topics in force for `tool`, and reads switches from file, environment and flags; nothing: help was asked for
/// and printed, the tool has nothing else to do. Warns of switches that act in none of `phases`. `tool`: "mica-run", or
/// with what it is to do: "mica-run --list".
Result<std::optional<Switches>> applySwitches(const ToolSwitches &switches, std::string_view tool,
                                              std::span<const SwitchPhase> phases);

/// The flags as they were given, for a child that is to say the same of its work.
std::vector<std::string> logArguments(const ToolSwitches &switches);

} // namespace mica

#endif // MICA_SUPPORT_TOOLSWITCHES_H
