//===- ToolSwitches.cpp - flags that every tool has --------------------------------------------------------===//
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

#include "mica/Support/Log.h"

#include <cstdio>

namespace mica {

FlagGroup switchFlags(ToolSwitches &switches) {
  ToolSwitches *s = &switches;
  return {"What the tool says of its work",
          {{"--mica-logs", Flag::Value::Required, "TOPIC,...",
            "as MICA_LOGS: cache, +cache (debug), -cache (errors only), fusion, ...; help and +help list the topics",
            [s](const std::string &value) {
              s->logs = value;
              return Status();
            }}}};
}

Result<bool> applySwitches(const ToolSwitches &switches, std::string_view tool) {
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

std::vector<std::string> switchArguments(const ToolSwitches &switches) {
  if (!switches.logs)
    return {};
  return {"--mica-logs=" + *switches.logs};
}

} // namespace mica
