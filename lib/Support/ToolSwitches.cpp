//===- ToolSwitches.cpp - flags of all tools ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/ToolSwitches.h"

#include "mica/Support/Diagnostics.h"
#include "mica/Support/Environment.h"
#include "mica/Support/Log.h"

#include <cstdio>

namespace mica {

FlagGroup logFlags(ToolSwitches &switches) {
  ToolSwitches *s = &switches;
  return {"Logging and switches",
          {{"--mica-logs", Flag::Value::Required, "TOPIC,...",
            "set log topics; =help lists them (default: MICA_LOGS)\n"
            "cache: level info. +cache: debug. -cache: errors only. fusion: an artifact of the compiler.",
            [s](const std::string &value) {
              s->logs = value;
              return Status();
            }}}};
}

FlagGroup switchFlags(ToolSwitches &switches) {
  ToolSwitches *s = &switches;
  FlagGroup group = logFlags(switches);
  group.flags.push_back({"--mica-debug", Flag::Value::Required, "NAME[=VALUE],...",
                         "set switches of checks and logs; =help lists them (default: MICA_DEBUG)\n"
                         "For example op-log-level=trace, device-sync-mode, hang-timeout=30, or the bundle sensible.",
                         [s](const std::string &value) {
                           s->debug = s->debug ? *s->debug + "," + value : value;
                           return Status();
                         }});
  return group;
}

Result<bool> applyLogSwitches(const ToolSwitches &switches, std::string_view tool) {
  LogOptions options = logOptionsFromEnvironment();
  if (switches.logs)
    options.topics = *switches.logs;
  if (std::optional<std::string> help = logHelp(options.topics)) {
    std::fputs(help->c_str(), stdout);
    return true;
  }
  if (Status configured = configureLogs(options, tool); !configured) {
    Error error = configured.error();
    if (switches.logs && error.message.starts_with("MICA_LOGS:"))
      error.message.replace(0, std::string_view("MICA_LOGS").size(), "--mica-logs");
    return error;
  }
  return false;
}

Result<std::optional<Switches>> applySwitches(const ToolSwitches &switches, std::string_view tool,
                                              std::span<const SwitchPhase> phases) {
  const std::string_view program = tool.substr(0, tool.find(' '));
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(switches, program));
  if (helped)
    return std::optional<Switches>();
  if (switches.debug == "help" || (!switches.debug && environmentValue("MICA_DEBUG") == "help")) {
    std::fputs(switchHelp().c_str(), stdout);
    return std::optional<Switches>();
  }
  MICA_ASSIGN_OR_RETURN(Switches values, switchesFromEnvironment(/*readsFolder=*/true));
  if (switches.debug)
    if (Status set = values.set(*switches.debug, SwitchSource::Flag); !set)
      return Error{set.error().code, "--mica-debug: " + set.error().message, set.error().hint};
  if (const std::string set = values.assignments(SwitchSource::Folder); !set.empty())
    printNote(program, "mica.json of this folder sets " + set);
  for (const std::string &warning : values.warnings(phases, tool))
    printWarning(program, warning);
  return std::optional<Switches>(std::move(values));
}

std::vector<std::string> logArguments(const ToolSwitches &switches) {
  if (!switches.logs)
    return {};
  return {"--mica-logs=" + *switches.logs};
}

} // namespace mica
