//===- ToolSwitches.h - flags of all tools -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The flags --mica-logs and --mica-debug, which override the environment.
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

/// Values of the flags; nothing for a flag that was not given.
struct ToolSwitches {
  std::optional<std::string> logs;
  std::optional<std::string> debug; ///< several are joined
};

/// The group of --help with these flags; setters write to `switches`, which must outlive it.
FlagGroup switchFlags(ToolSwitches &switches);

/// The same for a tool without switches: --mica-logs alone.
FlagGroup logFlags(ToolSwitches &switches);

/// Applies the topics of environment and flag for `tool`. Returns true if help was requested and printed, so that the
/// tool should exit.
Result<bool> applyLogSwitches(const ToolSwitches &switches, std::string_view tool);

/// Applies the topics for `tool`, and reads switches from file, environment and flags; returns nothing if help was
/// requested and printed. Warns about switches that act in none of `phases`. `tool`: "mica-run", or with its mode:
/// "mica-run --list".
Result<std::optional<Switches>> applySwitches(const ToolSwitches &switches, std::string_view tool,
                                              std::span<const SwitchPhase> phases);

/// The flags as given, for a child process with the same logging.
std::vector<std::string> logArguments(const ToolSwitches &switches);

} // namespace mica

#endif // MICA_SUPPORT_TOOLSWITCHES_H
