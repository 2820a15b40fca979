//===- Environment.cpp - the environment variables Mica reads ----------------------------------------------===//
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

#include "mica/Support/Text.h"

#include <array>
#include <cassert>
#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace mica {
namespace {

constexpr std::array<EnvironmentVariable, 3> kVariables{{
    {"MICA_CACHE_DIR", "FOLDER", "$XDG_CACHE_HOME/mica, else ~/.cache/mica", "mica-run",
     "Where artifacts of `mica-run FILE.mlir` are kept when no -o is given. Safe to delete at any time."},
    {"MICA_COMPILE", "FILE", "mica-compile beside the tool, else on PATH", "mica-run",
     "The mica-compile to start as a child where something needs the compiler."},
    {"NO_COLOR", "anything", "unset", "all", "No colours on a terminal. See no-color.org."},
}};

const EnvironmentVariable *find(std::string_view name) {
  for (const EnvironmentVariable &variable : kVariables)
    if (variable.name == name)
      return &variable;
  return nullptr;
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
    text += "| `" + std::string(variable.name) + "` | " + std::string(variable.values) + " | " +
            std::string(variable.defaultValue) + " | " + std::string(variable.tools) + " | " +
            std::string(variable.help) + " |\n";
  }
  return text;
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
