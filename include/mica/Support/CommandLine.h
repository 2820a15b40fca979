//===- CommandLine.h - command-line flags of the std half's tools ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A table of flags defines both the parser and --help. Forms: --name=VALUE, --name VALUE, --name; -o DIR, -oDIR, -O2. A
// lone - and everything after -- are positional.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_COMMANDLINE_H
#define MICA_SUPPORT_COMMANDLINE_H

#include "mica/Support/Status.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

/// A row of the table.
struct Flag {
  enum class Value { None, Required, Optional };

  std::string_view name; ///< "--input" or "-o"
  Value kind = Value::None;
  std::string_view value; ///< the placeholder of the value in --help: "DIR"
  std::string_view help;  ///< one line for --help, then, after a newline, details for --help-all
  /// Called with the value ("" if it has none) for each time the flag is given.
  std::function<Status(const std::string &)> set;
};

struct FlagGroup {
  std::string_view title;
  std::vector<Flag> flags;
};

class CommandLine {
public:
  /// `usage`: the line after "usage:"; `overview`: a paragraph below it; `exitCodes`: a line per code. Adds --help,
  /// --help-all and --version.
  CommandLine(std::string_view tool, std::string_view usage, std::string_view overview, std::vector<FlagGroup> groups,
              std::string_view exitCodes);

  /// Calls the setters in the order of the arguments and returns the positional ones. An unknown flag is an error that
  /// suggests the nearest. Arguments after --help or --version are ignored.
  Result<std::vector<std::string>> parse(int argc, char **argv);

  /// Whether --help or --help=FORMAT was given; helpText() has the format that was requested.
  bool helpWanted() const { return help; }
  /// Whether --help-all was given: details of the flags, and further help of the tool.
  bool helpAllWanted() const { return helpAll; }
  bool versionWanted() const { return version; }
  /// Completion scripts also offer the flags at the start of the lines that `command` prints.
  void completeFlagsOf(std::string_view command) { flagCommand = command; }
  /// The text of --help, or a man page or completion script where --help=FORMAT was parsed.
  std::string helpText() const;

private:
  const Flag *find(std::string_view name) const;
  Error unknown(std::string_view argument) const;

  std::string_view tool, usage, overview, exitCodes, flagCommand;
  std::vector<FlagGroup> groups;
  bool help = false, helpAll = false, version = false;
  std::string helpFormat; ///< of --help=FORMAT
};

/// Setters for flags that only set a boolean, or store a value. The target must live as long as the table.
std::function<Status(const std::string &)> setTrue(bool &target);
std::function<Status(const std::string &)> setText(std::string &target);

/// The value of flag `name` as a whole number in [low, high], or an error that names the flag.
Result<int64_t> parseFlagInteger(std::string_view name, const std::string &value, int64_t low, int64_t high);
/// Parses "2G" as 2 * 2^30, with K, M, G or T; nothing if it is not such a number or below 1.
std::optional<int64_t> parseByteCount(std::string_view text);
/// The value of flag `name` as a finite number >= 0.
Result<double> parseFlagNumber(std::string_view name, const std::string &value);
/// Setters for flags whose value is such a number, or a size in bytes. The target must live as long as the table.
std::function<Status(const std::string &)> setNumber(std::string_view name, double &target);
std::function<Status(const std::string &)> setByteCount(std::string_view name, int64_t &target);

} // namespace mica

#endif // MICA_SUPPORT_COMMANDLINE_H
