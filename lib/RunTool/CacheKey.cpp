//===- CacheKey.cpp - what an artifact in the cache was made from ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/CacheKey.h"

#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

fs::path keyFile(const fs::path &artifact) { return artifact.string() + ".key.json"; }

/// What keepKey() wrote; nothing where there is none or it cannot be read.
std::optional<CacheKey> readKey(const fs::path &file) {
  Result<std::string> text = readFile(file);
  if (!text)
    return std::nullopt;
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return std::nullopt;
  CacheKey key;
  for (const auto &[name, value] : json.items())
    if (value.is_string())
      key.emplace_back(name, value.get<std::string>());
  return key;
}

/// The latest key kept for the same program: its file begins with the same name.
std::optional<CacheKey> latestOfSameProgram(const fs::path &artifact) {
  const std::string stem = artifact.filename().string();
  const std::string prefix = stem.substr(0, stem.rfind('-') + 1);
  std::error_code error;
  fs::path latest;
  fs::file_time_type latestTime{};
  for (const fs::directory_entry &entry : fs::directory_iterator(artifact.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".key.json") || name.rfind('-') + 1 != prefix.size())
      continue;
    const fs::file_time_type time = entry.last_write_time(error);
    if (!error && (latest.empty() || time > latestTime)) {
      latest = entry.path();
      latestTime = time;
    }
  }
  return latest.empty() ? std::nullopt : readKey(latest);
}

std::string valueOf(const CacheKey &key, const std::string &name) {
  for (const auto &[part, value] : key)
    if (part == name)
      return value;
  return "";
}

std::string partsText(const CacheKey &key) {
  std::string text;
  for (const auto &[name, value] : key)
    text += "\n  " + name + " = " + value;
  return text;
}

} // namespace

std::string hashOf(const CacheKey &key) {
  Hasher hash;
  for (const auto &[name, value] : key) {
    hash.update(value);
    hash.update(std::string_view("\0", 1));
  }
  return hash.hex().substr(0, 16);
}

void logHit(const fs::path &artifact, const CacheKey &key) {
  MICA_LOG(Cache, Info) << "hit: " << artifact.string()
                        << (logs(LogTopic::Cache, LogLevel::Debug) ? partsText(key) : "");
}

void logMiss(const fs::path &artifact, const CacheKey &key, const std::string &why) {
  MICA_LOG(Cache, Info) << "miss: " << artifact.string() << " (" << why << ")"
                        << (logs(LogTopic::Cache, LogLevel::Debug) ? partsText(key) : "");
  if (!logs(LogTopic::Recompiles))
    return;
  const std::optional<CacheKey> before = latestOfSameProgram(artifact);
  if (!before)
    return;
  std::string text;
  for (const auto &[name, value] : key)
    if (const std::string old = valueOf(*before, name); old != value)
      text += "\n  " + name + " was " + (old.empty() ? "not set" : old) + ", is " + (value.empty() ? "not set" : value);
  MICA_LOG(Recompiles, Info) << valueOf(key, "program") << " is compiled again: "
                             << (text.empty() ? "the key is the same, but " + why : "of its key" + text);
}

void keepKey(const fs::path &artifact, const CacheKey &key) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto &[name, value] : key)
    json[name] = value;
  const std::string text = json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (Status written = writeFileAtomic(keyFile(artifact), text); !written)
    MICA_LOG(Cache, Warning) << written.error().message << ": a later miss cannot be explained";
}

} // namespace mica::runtool
