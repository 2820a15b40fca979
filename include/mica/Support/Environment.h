//===- Environment.h - the environment variables Mica reads ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One table. Nothing in Mica calls getenv for a MICA_ name that is not in it; docs/Environment.md and --help are made
// from it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_ENVIRONMENT_H
#define MICA_SUPPORT_ENVIRONMENT_H

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mica {

/// A row of the table.
struct EnvironmentVariable {
  std::string_view name;
  std::string_view values;       ///< what it may be set to, "FILE", "0 | 1"
  std::string_view defaultValue; ///< in words
  std::string_view tools;        ///< who reads it
  std::string_view help;         ///< one sentence
};

std::span<const EnvironmentVariable> environmentVariables();

/// The text of docs/Environment.md.
std::string environmentPage();

/// The value of a variable of the table; nothing where it is unset or empty.
std::optional<std::string> environmentValue(std::string_view name);

/// Names in the process's environment that start with MICA_ and are not in the table: slips that would silently do
/// nothing.
std::string unknownEnvironmentWarning();

} // namespace mica

#endif // MICA_SUPPORT_ENVIRONMENT_H
