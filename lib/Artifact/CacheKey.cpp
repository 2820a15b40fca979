//===- CacheKey.cpp - keys of cached artifacts -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Artifact/CacheKey.h"

#include "lib/Support/Json.h"
#include "mica/Artifact/CompilerBuild.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/Machine.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

/// The key written by keepKey(); nothing if there is none or it cannot be read.
std::optional<CacheKey> readKey(const fs::path &file) {
  Result<std::string> text = readFile(file);
  if (!text)
    return std::nullopt;
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return std::nullopt;
  CacheKey key;
  for (const auto &[name, value] : json.items())
    if (value.is_string())
      key.emplace_back(name, value.get<std::string>());
  return key;
}

std::string valueOf(const CacheKey &key, const std::string &name) {
  for (const auto &[part, value] : key)
    if (part == name)
      return value;
  return "";
}

/// The latest key of the same program, which has the same file name prefix.
std::optional<CacheKey> latestOfSameProgram(const fs::path &artifact, const CacheKey &key) {
  const std::string stem = artifact.filename().string();
  const std::string prefix = stem.substr(0, stem.rfind('-') + 1);
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  for (fs::directory_iterator it(artifact.parent_path(), error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".key.json") || name.rfind('-') + 1 != prefix.size())
      continue;
    std::error_code gone;
    const fs::file_time_type time = it->last_write_time(gone);
    if (!gone)
      kept.emplace_back(time, it->path());
  }
  std::sort(kept.rbegin(), kept.rend());
  for (const auto &[time, file] : kept)
    if (std::optional<CacheKey> before = readKey(file))
      if (valueOf(*before, "program") == valueOf(key, "program"))
        return before;
  return std::nullopt;
}

} // namespace

std::string hashOf(const CacheKey &key) {
  Hasher hash;
  for (const auto &[name, value] : key) {
    hash.update(name);
    hash.update(std::string_view("\0", 1));
    hash.update(value);
    hash.update(std::string_view("\0", 1));
  }
  return hash.hex().substr(0, 16);
}

Status addCompilerParts(CacheKey &key, const fs::path &compiler, const fs::path &machine) {
  MICA_ASSIGN_OR_RETURN(std::string build, compilerBuild(compiler));
  key.emplace_back("compiler", std::move(build));
  if (!machine.empty()) {
    MICA_ASSIGN_OR_RETURN(std::string facts, hashFile(machine));
    key.emplace_back("machine", std::move(facts));
    return {};
  }
  key.emplace_back("cpu", cpuinfoLine("model name"));
  key.emplace_back("cpu's features", hashHex(cpuinfoLine("flags")).substr(0, 16));
  const auto [l1, l2] = dataCacheSizes();
  key.emplace_back("cpu's caches", std::to_string(l1) + " " + std::to_string(l2));
  return {};
}

std::string cacheStem(const std::string &program) {
  std::string stem = program == "-" ? "stdin" : fs::path(program).stem().string();
  for (char &c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_')
      c = '_';
  return stem.substr(0, 60);
}

std::string_view cacheOutcomeName(CacheOutcome::Kind kind) {
  switch (kind) {
  case CacheOutcome::Kind::Hit:
    return "hit";
  case CacheOutcome::Kind::Miss:
    return "miss";
  case CacheOutcome::Kind::Bypass:
    return "bypass";
  }
  return "";
}

fs::path keyFile(const fs::path &artifact) { return artifact.string() + ".key.json"; }

std::vector<std::string> changedParts(const fs::path &artifact, const CacheKey &key) {
  const std::optional<CacheKey> before = latestOfSameProgram(artifact, key);
  std::vector<std::string> changed;
  if (!before)
    return changed;
  auto shown = [](const std::string &value) { return value.empty() ? std::string("not set") : value; };
  for (const auto &[name, value] : key)
    if (const std::string old = valueOf(*before, name); old != value)
      changed.push_back(name + " was " + shown(old) + ", is " + shown(value));
  for (const auto &[name, old] : *before)
    if (!old.empty() && std::none_of(key.begin(), key.end(), [&](const auto &part) { return part.first == name; }))
      changed.push_back(name + " was " + old + ", is not set");
  return changed;
}

void logOutcome(const CacheOutcome &outcome, const fs::path &artifact, bool wasThere) {
  if (logs(LogTopic::Cache)) {
    std::string text = std::string(cacheOutcomeName(outcome.kind)) + ": " + artifact.string();
    if (!outcome.why.empty())
      text += " (" + outcome.why + ")";
    if (logs(LogTopic::Cache, LogLevel::Debug))
      for (const auto &[name, value] : outcome.key)
        text += "\n  " + name + " = " + value;
    MICA_LOG(Cache, Info) << text;
  }
  if (!logs(LogTopic::Recompiles) || outcome.kind == CacheOutcome::Kind::Hit)
    return;
  const std::string program = valueOf(outcome.key, "program");
  if (!outcome.changed.empty()) {
    std::string text;
    for (const std::string &part : outcome.changed)
      text += "\n  " + part;
    MICA_LOG(Recompiles, Info) << program << " is recompiled: its key changed:" << text;
  } else if (wasThere) {
    MICA_LOG(Recompiles, Info) << program << " is recompiled: the key is the same, but " << outcome.why;
  }
}

void keepKey(const fs::path &artifact, const CacheKey &key) {
  Json json = Json::object();
  for (const auto &[name, value] : key)
    json[name] = value;
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (Status written = writeFileAtomic(keyFile(artifact), text); !written)
    MICA_LOG(Cache, Warning) << written.error().message << ": a later miss cannot be explained";
}

} // namespace mica::artifact
