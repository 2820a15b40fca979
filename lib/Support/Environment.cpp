//===- Environment.cpp - environment variables -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table, and access through it.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Environment.h"

#include "mica/Support/Log.h"
#include "mica/Support/Switches.h"
#include "mica/Support/Text.h"

#include <array>
#include <cassert>
#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace mica {
namespace {

constexpr std::array<EnvironmentVariable, 17> kVariables{{
    {"FILECHECK", "FILE", "FileCheck or FileCheck-22 on PATH, else that of LLVM", "mica-test-gen",
     "The FileCheck that runs the tests it makes."},
    {"MICA_CACHE_DIR", "FOLDER", "$XDG_CACHE_HOME/mica, else ~/.cache/mica", "mica-run, libmica.so",
     "Cache of artifacts (`mica-run FILE.mlir` without -o) and specializations. Safe to delete at any time. "
     "A folder that other users write to gets a folder `user-UID` for each user."},
    {"MICA_CACHE_SIZE", "SIZE", "4G", "mica-run, libmica.so",
     "Size limit of the cache in bytes, with suffix K, M or G; 0: none. Least recently used entries are evicted, "
     "except "
     "those in use."},
    {"MICA_COMPILE", "FILE", "mica-compile beside the tool, else on PATH", "mica-run, libmica.so",
     "The mica-compile to start when the compiler is needed."},
    {"MICA_CONFIG", "FILE", "of tools: mica.json in the working folder, if it is there",
     "mica-run, mica-compile, libmica.so",
     "A file with switches: `{\"debug\": {\"op-log-level\": \"trace\", \"device-sync-mode\": true}}`."},
    {"MICA_DEBUG", "NAME[=VALUE],...", "none", "mica-run, mica-compile, libmica.so",
     "Switches of checks and logs; `sensible` is a bundle, `help` lists them."},
    {"MICA_LOGS", "TOPIC,...", "warnings", "every tool, libmica.so",
     "Log topics: components (`cache`, `+cache` with debug messages, `-cache` errors only) and "
     "artifacts "
     "(`fusion`); `help` and `+help` list them."},
    {"MICA_LOGS_FORMAT", "full | short | json | PATTERN", "full", "as MICA_LOGS",
     "Format of a message; fields of a pattern: `{level} {levelname} {time} {pid} {thread} {file} {line} {rank} "
     "{device} "
     "{kernel} {topic} {message}`."},
    {"MICA_LOGS_KERNEL", "NAME,...", "all", "as MICA_LOGS",
     "Log only messages about these kernels; wildcards `*` and `?`."},
    {"MICA_LOGS_OUT", "FILE", "the standard error", "as MICA_LOGS",
     "File to append messages to, instead of the standard error."},
    {"MICA_LOGS_RANK", "N,...", "all", "as MICA_LOGS", "Log only in processes of these ranks."},
    {"MICA_LOG_DIR", "FOLDER", "none", "as MICA_LOGS",
     "A log file per process and device, `mica-run_rank_0_4711_cpu-0.log`, instead of the standard error."},
    {"MICA_RANK", "N", "RANK, OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID", "all",
     "This process's number in a distributed run; log lines and files are named after it."},
    {"MICA_RUN", "FILE", "mica-run in the folder bin beside the library's, else on PATH", "libmica.so",
     "The mica-run to start for an isolated call."},
    {"MICA_TRACE", "FOLDER", "none", "every tool but mica-lsp-server, libmica.so",
     "Folder for a trace log per process, in the TORCH_TRACE format: compiles, cache, specializations, runs, calls of "
     "other tools. `mica-report` makes a report of it."},
    {"MICA_TRACE_PARENT", "JSON", "none", "mica-compile",
     "Set by Mica for the compilers that it starts: the log to append to, and the compile id."},
    {"NO_COLOR", "anything", "unset", "all", "No colors on a terminal. See no-color.org."},
}};

/// Escapes `text` for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

const EnvironmentVariable *find(std::string_view name) {
  for (const EnvironmentVariable &variable : kVariables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

/// The part of the page about switches.
std::string switchesPage() {
  std::string text =
      "\n## Switches of MICA_DEBUG\n\n"
      "`MICA_DEBUG=op-log-level=trace,device-sync-mode`, `--mica-debug=` of a tool, the object `debug` of `mica.json`, "
      "or\n"
      "`mica_set_switches` of the C API. A flag wins over the API, that over the variable, that over the file; within "
      "one of them\n"
      "the last wins. A wrong name or value is an error with the nearest; a switch that has no effect is warned of. "
      "Switches of\n"
      "phase run are read when a context is made, and stay as they are for it.\n\n"
      "A `mica.json` of the working folder may be somebody else's. The tools read it, and say in one line what it "
      "sets; "
      "libmica\n"
      "does not. It may not say where files are written (`op-log-file`, `launch-ledger`, `dump-dir`): set those by "
      "flag, by "
      "variable, "
      "or with\n"
      "`MICA_CONFIG=mica.json`.\n\n"
      "Costs a launch are measured by "
      "`mica-bench-latency\n"
      "--switches`, on launches of 25 ns, factors on whole models, with their intervals, in "
      "[Performance](Performance.md). "
      "`sensible` stands for\n"
      "`" +
      std::string(sensibleSwitches()) +
      "`.\n\n"
      "| switch | value | default | phase | meaning | cost | example |\n|---|---|---|---|---|---|---|\n";
  for (const SwitchInfo &info : switchTable())
    text += "| `" + std::string(info.name) + "` | " + cell(info.values) + " | " +
            (info.defaultValue.empty() ? "none" : std::string(info.defaultValue)) + " | " +
            std::string(switchPhaseName(info.phase)) + " | " + cell(info.help) + " | " + cell(info.cost) + " | `" +
            std::string(info.example) + "` |\n";
  return text;
}

} // namespace

std::span<const EnvironmentVariable> environmentVariables() { return kVariables; }

std::string environmentPage() {
  std::string text =
      "# Environment\n\n"
      "Every environment variable that Mica's tools read. A flag always wins. Made from the table in\n"
      "`lib/Support/Environment.cpp`; a test compares. A variable that begins with `MICA_` and is not here is\n"
      "named in a warning.\n\n"
      "| variable | value | default | read by | meaning |\n|---|---|---|---|---|\n";
  for (const EnvironmentVariable &variable : kVariables) {
    text += "| `" + std::string(variable.name) + "` | " + cell(variable.values) + " | " +
            std::string(variable.defaultValue) + " | " + std::string(variable.tools) + " | " +
            std::string(variable.help) + " |\n";
  }
  text +=
      "\n## Topics of MICA_LOGS\n\n"
      "`MICA_LOGS=cache,+runtime,fusion`, or `--mica-logs=` of a tool: a component is shown from level info on, with\n"
      "`+` from debug on, with `-` errors only, and from warnings on where it is not named; `all` is every component. "
      "An\n"
      "artifact is on where it is named, and, unless it says otherwise here, where its component is at level debug.\n"
      "A disabled message costs one relaxed load of a mask and a branch.\n\n"
      "| topic | is | says |\n|---|---|---|\n";
  for (const LogTopicInfo &info : logTopics())
    text += "| `" + std::string(info.name) + "` | " +
            (!info.isArtifact    ? "component"
             : info.offByDefault ? "artifact, only where named"
                                 : "artifact of " + std::string(logTopics()[size_t(info.component)].name)) +
            " | " + std::string(info.help) + " |\n";
  text += "\nA line is `[rank<N>]:<level><MMDD> <time> <pid> <file>:<line>] [<device>] [@<kernel>] "
          "[<component>|__<artifact>]\n"
          "<text>`, all of it on every line of a message; rank, device and kernel where there are any.\n";
  return text + switchesPage();
}

std::optional<std::string> environmentValue(std::string_view name) {
  assert(find(name) && "every variable has a row in the table");
  const char *value = std::getenv(std::string(name).c_str());
  if (!value || !*value)
    return std::nullopt;
  return std::string(value);
}

std::string unknownEnvironmentWarning() {
  std::vector<std::string> known;
  for (const EnvironmentVariable &variable : kVariables)
    known.emplace_back(variable.name);
  std::string text;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view assignment(*entry);
    const std::string name(assignment.substr(0, assignment.find('=')));
    if (!name.starts_with("MICA_") || find(name))
      continue;
    const std::string nearest = nearestName(name, known);
    text += "the environment variable " + name + " is not one of Mica's" +
            (nearest.empty() ? "" : "; did you mean " + nearest + "?") + "\n";
  }
  return text;
}

} // namespace mica
