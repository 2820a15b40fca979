//===- ToolSwitches.h - flags that every tool has ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What the environment says and a flag overrules: --mica-logs.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_TOOLSWITCHES_H
#define MICA_SUPPORT_TOOLSWITCHES_H

#include "mica/Support/CommandLine.h"
#include "mica/Support/Status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// Values of the flags; nothing where a flag was not given.
struct ToolSwitches {
  std::optional<std::string> logs;
};

/// The group of --help with these flags; setters write to `switches`, which must outlive it.
FlagGroup switchFlags(ToolSwitches &switches);

/// Puts flags and environment in force for `tool`. True: help was asked for and printed, the tool has nothing else to do.
Result<bool> applySwitches(const ToolSwitches &switches, std::string_view tool);

/// The flags as they were given, for a child that is to do the same.
std::vector<std::string> switchArguments(const ToolSwitches &switches);

} // namespace mica

#endif // MICA_SUPPORT_TOOLSWITCHES_H
