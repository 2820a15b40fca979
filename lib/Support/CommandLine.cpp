//===- CommandLine.cpp - command-line flags of the std half's tools ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/CommandLine.h"

#include "lib/Support/HelpFormats.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace mica {
namespace {

constexpr size_t kHelpColumn = 30;
constexpr size_t kHelpWidth = 110;

/// Wraps `text` to lines of at most kHelpWidth, all but the first indented to kHelpColumn.
std::string wrapped(std::string_view text) {
  std::string result;
  size_t column = kHelpColumn;
  for (const std::string &word : splitText(text, ' ')) {
    if (column > kHelpColumn && column + 1 + word.size() > kHelpWidth) {
      result += "\n" + std::string(kHelpColumn, ' ');
      column = kHelpColumn;
    } else if (column > kHelpColumn) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

} // namespace

CommandLine::CommandLine(std::string_view tool, std::string_view usage, std::string_view overview,
                         std::vector<FlagGroup> tables, std::string_view exitCodes)
    : tool(tool), usage(usage), overview(overview), exitCodes(exitCodes), groups(std::move(tables)) {
  groups.push_back(
      {"Help",
       {{"--help", Flag::Value::Optional, kHelpFormats,
         "print this text, or a man page, or a script that completes flags in a shell",
         [this](const std::string &value) -> Status {
           const std::vector<std::string> formats = splitText(kHelpFormats, '|');
           if (!value.empty() && std::ranges::find(formats, value) == formats.end())
             return Error{ErrorCode::InvalidInput, "--help=" + value + ": expected " + std::string(kHelpFormats), ""};
           help = true;
           helpFormat = value;
           return {};
         }},
        {"--help-all", Flag::Value::None, "", "print this text with details of each flag",
         [this](const std::string &) {
           help = helpAll = true;
           return Status();
         }},
        {"--version", Flag::Value::None, "", "print versions", [this](const std::string &) {
           version = true;
           return Status();
         }}}});
}

const Flag *CommandLine::find(std::string_view name) const {
  for (const FlagGroup &group : groups)
    for (const Flag &flag : group.flags)
      if (flag.name == name)
        return &flag;
  return nullptr;
}

Error CommandLine::unknown(std::string_view argument) const {
  // Dashes, which all flags have in common, make none similar.
  auto bare = [](std::string_view name) { return name.substr(std::min(name.find_first_not_of('-'), name.size())); };
  std::vector<std::string> names;
  for (const FlagGroup &group : groups)
    for (const Flag &flag : group.flags)
      names.emplace_back(bare(flag.name));
  const std::string nearest = nearestName(bare(argument), names);
  return Error{
      ErrorCode::InvalidInput, "unknown flag '" + std::string(argument) + "'",
      (nearest.empty() ? "" : "did you mean " + std::string(nearest.size() == 1 ? "-" : "--") + nearest + "? ") +
          "see " + std::string(tool) + " --help"};
}

Result<std::vector<std::string>> CommandLine::parse(int argc, char **argv) {
  std::vector<std::string> positional;
  for (int i = 1; i < argc && !help && !version; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") {
      positional.insert(positional.end(), argv + i + 1, argv + argc);
      break;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      positional.push_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals), value;
    bool hasValue = equals != std::string::npos;
    if (hasValue)
      value = argument.substr(equals + 1);
    const Flag *flag = argument == "-h" ? find("--help") : find(name);
    if (!flag && argument[1] != '-') {
      name = argument.substr(0, 2);
      flag = find(name);
      if (flag && flag->kind != Flag::Value::None && isShortFlag(flag->name)) {
        value = argument.substr(2);
        hasValue = true;
      } else {
        flag = nullptr;
      }
    }
    if (!flag)
      return unknown(argument.substr(0, equals));
    if (flag->kind == Flag::Value::None && hasValue)
      return Error{ErrorCode::InvalidInput, name + " takes no value, got '" + value + "'",
                   "see " + std::string(tool) + " --help"};
    if (flag->kind == Flag::Value::Required && !hasValue) {
      if (i + 1 >= argc)
        return Error{ErrorCode::InvalidInput, name + " needs a value",
                     "use " + name + (isShortFlag(name) ? " " : "=") + std::string(flag->value)};
      value = argv[++i];
    }
    MICA_RETURN_IF_ERROR(flag->set(value));
  }
  return positional;
}

std::string CommandLine::helpText() const {
  const HelpPage page{tool, usage, overview, exitCodes, flagCommand, groups};
  if (helpFormat == "man")
    return manPage(page);
  if (helpFormat == "bash")
    return bashCompletion(page);
  if (helpFormat == "zsh")
    return zshCompletion(page);
  if (helpFormat == "fish")
    return fishCompletion(page);
  std::string text = "usage: " + std::string(usage) + "\n\n" + std::string(overview) + "\n";
  for (const FlagGroup &group : groups) {
    text += "\n" + std::string(group.title) + "\n";
    for (const Flag &flag : group.flags) {
      std::string left = "  " + std::string(flag.name);
      const bool attached = flag.name == "-O";
      if (flag.kind == Flag::Value::Required)
        left += (attached ? "" : isShortFlag(flag.name) ? " " : "=") + std::string(flag.value);
      else if (flag.kind == Flag::Value::Optional)
        left += "[=" + std::string(flag.value) + "]";
      left += left.size() + 2 > kHelpColumn ? "\n" + std::string(kHelpColumn, ' ')
                                            : std::string(kHelpColumn - left.size(), ' ');
      const auto [brief, details] = splitBrief(flag.help);
      text += left + wrapped(brief) + "\n";
      if (helpAll && !details.empty())
        text += std::string(kHelpColumn, ' ') + wrapped(details) + "\n";
    }
  }
  text += "\nExit codes\n";
  for (const std::string &line : splitText(exitCodes, '\n'))
    text += "  " + line + "\n";
  return text;
}

std::function<Status(const std::string &)> setTrue(bool &target) {
  return [&target](const std::string &) {
    target = true;
    return Status::ok();
  };
}

std::function<Status(const std::string &)> setText(std::string &target) {
  return [&target](const std::string &value) {
    target = value;
    return Status::ok();
  };
}

Result<int64_t> parseFlagInteger(std::string_view name, const std::string &value, int64_t low, int64_t high) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < low || number > high)
    return Error{ErrorCode::InvalidInput,
                 std::string(name) + (isShortFlag(name) ? "" : "=") + value + ": expected an integer from " +
                     std::to_string(low) + " to " + std::to_string(high),
                 ""};
  return number;
}

std::optional<int64_t> parseByteCount(std::string_view text) {
  int64_t unit = 1;
  constexpr std::string_view kUnits = "KMGT";
  if (!text.empty())
    if (const size_t at = kUnits.find(char(std::toupper(static_cast<unsigned char>(text.back())))); at != kUnits.npos) {
      unit = int64_t(1) << (10 * (at + 1));
      text.remove_suffix(1);
    }
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    return std::nullopt;
  return checkedMul(number, unit);
}

Result<double> parseFlagNumber(std::string_view name, const std::string &value) {
  double number = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number) || number < 0)
    return Error{ErrorCode::InvalidInput, std::string(name) + "=" + value + ": expected a number of at least 0", ""};
  return number;
}

std::function<Status(const std::string &)> setNumber(std::string_view name, double &target) {
  return [name, &target](const std::string &value) -> Status {
    MICA_ASSIGN_OR_RETURN(target, parseFlagNumber(name, value));
    return Status::ok();
  };
}

std::function<Status(const std::string &)> setByteCount(std::string_view name, int64_t &target) {
  return [name, &target](const std::string &value) -> Status {
    const std::optional<int64_t> bytes = parseByteCount(value);
    if (!bytes)
      return Error{ErrorCode::InvalidInput, std::string(name) + "=" + value + ": not a size",
                   "for example " + std::string(name) + "=4G"};
    target = *bytes;
    return Status::ok();
  };
}

} // namespace mica
