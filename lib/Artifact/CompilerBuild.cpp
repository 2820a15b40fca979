//===- CompilerBuild.cpp - which build of the compiler an artifact is of -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompilerBuild.h. A file's ctime is examined too: nobody can set it, so that a library patched in place with its
// old time is seen.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/CompilerBuild.h"

#include "lib/Support/FileDescriptor.h"
#include "lib/Support/Json.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

struct BuildFile {
  std::string path, hash;
};

/// What changes when a file does, and what no program sets: "" where there is none.
std::string stampOf(const std::string &path) {
  struct ::stat info = {};
  if (::stat(path.c_str(), &info) != 0)
    return "";
  auto time = [](const timespec &at) { return std::to_string(at.tv_sec) + "." + std::to_string(at.tv_nsec); };
  return std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino) + ":" + std::to_string(info.st_size) + ":" +
         time(info.st_mtim) + ":" + time(info.st_ctim);
}

std::string hashOf(const std::vector<BuildFile> &files) {
  Hasher hasher;
  for (const BuildFile &file : files)
    hasher.update(fs::path(file.path).filename().string() + "=" + file.hash + "\n");
  return hasher.hex();
}

std::string textOf(const Json &object, const char *key) {
  const auto member = object.is_object() ? object.find(key) : object.end();
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

/// Whether the file last changed before `moment`, so that it was read as it is now.
bool isOlder(const std::string &path, const timespec &moment) {
  struct ::stat info = {};
  return ::stat(path.c_str(), &info) == 0 && (info.st_ctim.tv_sec < moment.tv_sec - 1);
}

/// What was noted, where every file is as it was then.
std::optional<std::string> readNoted(const fs::path &note) {
  const Result<std::string> text = readFile(note);
  const Json json = text ? Json::parse(*text, nullptr, /*allow_exceptions=*/false) : Json();
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array() || json["files"].empty())
    return std::nullopt;
  std::vector<BuildFile> files;
  for (const Json &file : json["files"]) {
    BuildFile entry{textOf(file, "path"), textOf(file, "hash")};
    if (const std::string stamp = textOf(file, "stamp"); stamp.empty() || stamp != stampOf(entry.path))
      return std::nullopt;
    files.push_back(std::move(entry));
  }
  return hashOf(files);
}

/// What `compiler` says its code comes from; nothing where it does not answer.
std::vector<BuildFile> ask(const fs::path &compiler) {
  const FileDescriptor answer(::memfd_create("mica-build", MFD_CLOEXEC));
  if (!answer)
    return {};
  const std::string place = "/proc/self/fd/" + std::to_string(answer.get());
  ProcessOptions options;
  options.standardInput = "/dev/null";
  options.standardOutput = place;
  options.standardError = "/dev/null";
  options.environment = {{"MICA_TRACE", ""}, {"MICA_LOGS", ""}, {"MICA_TRACE_PARENT", ""}};
  const Result<int> code = runProcess({compiler.string(), "--print-build"}, options);
  const Result<std::string> text = readFile(place);
  if (!code || *code != 0 || !text)
    return {};
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  std::vector<BuildFile> files;
  if (json.is_object() && json.contains("files") && json["files"].is_array())
    for (const Json &file : json["files"])
      files.push_back({textOf(file, "path"), textOf(file, "hash")});
  return files;
}

} // namespace

Result<std::string> compilerBuild(const fs::path &compiler) {
  std::error_code ignored;
  const fs::path path = fs::absolute(compiler, ignored);
  // Which libraries these are depends on the environment too.
  std::string place = path.string();
  for (const char *name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) {
    const char *value = std::getenv(name);
    place += std::string("\n") + (value ? value : "");
  }
  fs::path note;
  if (const Result<fs::path> cache = cacheFolder())
    note = *cache / "compilers" / (hashHex(place) + ".json");
  if (!note.empty())
    if (std::optional<std::string> noted = readNoted(note))
      return *noted;
  timespec start = {};
  ::clock_gettime(CLOCK_REALTIME, &start);
  std::vector<BuildFile> files = ask(path);
  if (files.empty() || files.front().path != path.string()) {
    // A script that starts the compiler is part of it.
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path));
    files.insert(files.begin(), {path.string(), std::move(hash)});
  }
  Json json = Json::object();
  Json &list = json["files"] = Json::array();
  for (const BuildFile &file : files)
    list.push_back(Json{{"path", file.path}, {"hash", file.hash}, {"stamp", stampOf(file.path)}});
  // Without a place to note it the compiler is asked each time.
  // Nor is noted what may have changed while it was read.
  const bool isSettled =
      std::all_of(files.begin(), files.end(), [&](const BuildFile &file) { return isOlder(file.path, start); });
  if (!note.empty() && isSettled)
    (void)writeFileAtomic(note, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n").isOk();
  return hashOf(files);
}

} // namespace mica::artifact
