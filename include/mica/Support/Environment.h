//===- Environment.h - environment variables ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table of environment variables. Mica calls getenv only for MICA_ names in this table; docs/Environment.md and
// --help are generated from it.
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
  std::string_view values;       ///< valid values, "FILE", "0 | 1"
  std::string_view defaultValue; ///< as text
  std::string_view tools;        ///< the tools that read it
  std::string_view help;         ///< one sentence
};

std::span<const EnvironmentVariable> environmentVariables();

/// The text of docs/Environment.md.
std::string environmentPage();

/// The value of a variable of the table; nothing where it is unset or empty.
std::optional<std::string> environmentValue(std::string_view name);

/// Warns about environment variables that start with MICA_ and are not in the table, such as misspellings.
std::string unknownEnvironmentWarning();

} // namespace mica

#endif // MICA_SUPPORT_ENVIRONMENT_H
