//===- LogConfig.cpp - parsing the configuration of logs ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table of topics, and the grammar of the variables.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Support/LogConfig.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>

namespace mica {
namespace {

using T = LogTopic;

constexpr std::array<LogTopicInfo, 14> kTopics{{
    {T::Import, "import", false, T::Import, false, "what was read: entries, operations by dialect; what it became"},
    {T::Passes, "passes", false, T::Passes, false,
     "passes that changed the program: time, operations before and after; debug: all"},
    {T::Dispatch, "dispatch", false, T::Dispatch, false, "how many kernels the operations became, and each of them"},
    {T::Schedule, "schedule", false, T::Schedule, false, "task lists, their buffers and arenas; debug: every task"},
    {T::Codegen, "codegen", false, T::Codegen, false, "time and size of each kernel's code, and how it was mapped"},
    {T::Cache, "cache", false, T::Cache, false, "artifacts found in the cache or not; debug: the parts of the key"},
    {T::Runtime, "runtime", false, T::Runtime, false,
     "artifacts loaded, contexts made; debug: every invocation and task list"},
    {T::Fusion, "fusion", true, T::Dispatch, false, "every group of operations, and why two are not one"},
    {T::KernelCode, "kernel_code", true, T::Codegen, true, "the kernels: their .mlir, .ll and .s"},
    {T::OutputCode, "output_code", true, T::Schedule, true, "the host functions and task lists: host/schedule.mlir"},
    {T::PerfHints, "perf_hints", true, T::Codegen, true,
     "what costs time: bytes, cause, source position, what to change"},
    {T::Dynamic, "dynamic", true, T::Schedule, false,
     "sizes that are known at run time only, and what depends on them"},
    {T::Guards, "guards", true, T::Runtime, false, "what an artifact requires: CPU features, argument types"},
    {T::Recompiles, "recompiles", true, T::Cache, false, "why mica-run recompiles a program"},
}};

const LogTopicInfo *findTopic(std::string_view name) {
  for (const LogTopicInfo &info : kTopics)
    if (info.name == name)
      return &info;
  return nullptr;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Error unknownTopic(std::string_view name) {
  std::vector<std::string> names{"all", "help"};
  for (const LogTopicInfo &info : kTopics)
    names.emplace_back(info.name);
  const std::string nearest = nearestName(name, names);
  return Error{ErrorCode::InvalidInput, "MICA_LOGS: there is no topic '" + std::string(name) + "'",
               (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "The topics are " +
                   joinNames(names, names.size()) + "; MICA_LOGS=+help describes each"};
}

} // namespace

std::span<const LogTopicInfo> logTopics() { return kTopics; }

std::optional<std::string> logHelp(std::string_view topics) {
  topics = trimmed(topics);
  if (topics != "help" && topics != "+help")
    return std::nullopt;
  const bool full = topics == "+help";
  std::string text =
      "MICA_LOGS=TOPIC,...: log topics, on the standard error.\n"
      "  MICA_LOGS=cache           component cache at level info\n"
      "  MICA_LOGS=+cache          at level debug, with the artifacts that belong to it\n"
      "  MICA_LOGS=-cache          errors only, no warnings\n"
      "  MICA_LOGS=fusion          the artifact fusion\n"
      "  MICA_LOGS=all,-cache      all components, but of cache only errors; +all: at level debug\n"
      "MICA_LOGS_OUT, MICA_LOG_DIR, MICA_LOGS_FORMAT, MICA_LOGS_KERNEL and MICA_LOGS_RANK: docs/Environment.md\n";
  for (bool artifacts : {false, true}) {
    text += artifacts ? "\nArtifacts, on when named; (*) also with +component\n"
                      : "\nComponents, at level warning when not named\n";
    std::string names;
    for (const LogTopicInfo &info : kTopics) {
      if (info.isArtifact != artifacts)
        continue;
      std::string name(info.name);
      if (artifacts && !info.offByDefault)
        name +=
            full ? " (*+" + std::string(findTopic(info.name) ? kTopics[size_t(info.component)].name : "") + ")" : "(*)";
      if (full)
        text += "  " + name + std::string(name.size() < 24 ? 24 - name.size() : 1, ' ') + std::string(info.help) + "\n";
      else
        names += (names.empty() ? "  " : ", ") + name;
    }
    if (!full)
      text += names + "\n";
  }
  return text + (full ? "" : "\nMICA_LOGS=+help describes each.\n");
}

namespace detail {

Result<std::array<uint32_t, 4>> parseLogTopics(std::string_view topics) {
  // For each component: the lowest enabled level.
  std::array<LogLevel, kTopics.size()> levels;
  levels.fill(LogLevel::Warning);
  uint32_t artifacts = 0;
  for (const std::string &item : splitText(topics, ',')) {
    std::string_view name = trimmed(item);
    if (name.empty())
      continue;
    LogLevel level = LogLevel::Info;
    if (name[0] == '+' || name[0] == '-') {
      level = name[0] == '+' ? LogLevel::Debug : LogLevel::Error;
      name = trimmed(name.substr(1));
    }
    if (name == "all") {
      levels.fill(level);
      continue;
    }
    const LogTopicInfo *info = findTopic(name);
    if (!info)
      return unknownTopic(name);
    if (info->isArtifact)
      artifacts |= 1u << unsigned(info->topic);
    else
      levels[size_t(info->topic)] = level;
  }
  std::array<uint32_t, 4> masks{};
  for (const LogTopicInfo &info : kTopics) {
    const uint32_t bit = 1u << unsigned(info.topic);
    if (info.isArtifact) {
      const bool on = (artifacts & bit) || (!info.offByDefault && levels[size_t(info.component)] == LogLevel::Debug);
      for (uint32_t &mask : masks)
        mask |= on ? bit : 0;
      continue;
    }
    for (size_t level = size_t(levels[size_t(info.topic)]); level < masks.size(); ++level)
      masks[level] |= bit;
  }
  return masks;
}

Result<LogFormat> parseLogFormat(std::string_view format) {
  using Field = LogFormat::Field;
  static constexpr std::pair<std::string_view, Field> kFields[] = {
      {"level", Field::Level},   {"levelname", Field::LevelName}, {"time", Field::Time},   {"pid", Field::Pid},
      {"thread", Field::Thread}, {"file", Field::File},           {"line", Field::Line},   {"rank", Field::Rank},
      {"device", Field::Device}, {"kernel", Field::Kernel},       {"topic", Field::Topic}, {"message", Field::Message}};
  LogFormat result;
  // The named formats have optional parts, which Log.cpp adds.
  if (format.empty() || format == "full")
    return result;
  if (format == "json" || format == "short" || format == "basic") {
    result.form = format == "json" ? LogFormat::Form::Json : LogFormat::Form::Short;
    return result;
  }
  result.form = LogFormat::Form::Pattern;
  if (format.find('{') == format.npos)
    return Error{ErrorCode::InvalidInput, "MICA_LOGS_FORMAT=" + std::string(format) + ": unknown format",
                 unknownNameHint(format, {"full", "short", "json"}) + ", or a pattern: \"{level} {topic}: {message}\""};
  while (!format.empty()) {
    const size_t open = format.find('{');
    if (open != 0) {
      result.parts.push_back({Field::Text, std::string(format.substr(0, open))});
      format = open == format.npos ? std::string_view() : format.substr(open);
      continue;
    }
    const size_t close = format.find('}');
    const std::string name(format.substr(1, close == format.npos ? close : close - 1));
    const auto *field =
        std::find_if(std::begin(kFields), std::end(kFields), [&](auto &row) { return row.first == name; });
    if (close == format.npos || field == std::end(kFields)) {
      std::vector<std::string> names;
      for (auto &[known, value] : kFields)
        names.emplace_back(known);
      return Error{ErrorCode::InvalidInput, "MICA_LOGS_FORMAT: unknown field '{" + name + "}'",
                   unknownNameHint(name, names)};
    }
    result.parts.push_back({field->second, ""});
    format = format.substr(close + 1);
  }
  return result;
}

Result<std::vector<int>> parseLogRanks(std::string_view ranks) {
  std::vector<int> numbers;
  for (const std::string &item : splitText(ranks, ',')) {
    const std::string_view text = trimmed(item);
    if (text.empty())
      continue;
    int number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0)
      return Error{ErrorCode::InvalidInput, "MICA_LOGS_RANK: '" + std::string(text) + "' is not a rank",
                   "ranks are numbers from 0 on: MICA_LOGS_RANK=0,2"};
    numbers.push_back(number);
  }
  return numbers;
}

} // namespace detail
} // namespace mica
