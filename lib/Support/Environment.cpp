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
