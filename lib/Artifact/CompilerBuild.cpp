//===- CompilerBuild.cpp - the build of the compiler ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompilerBuild.h. The ctime of a file is also compared: it cannot be set, so a library that was patched in place
// and got its old mtime is detected.
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

/// A string of a file's properties that change with it and that cannot be set: "" if there is no file.
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

/// Whether the file was last changed before `moment`, so that the contents that were read are current.
bool isOlder(const std::string &path, const timespec &moment) {
  struct ::stat info = {};
  return ::stat(path.c_str(), &info) == 0 && (info.st_ctim.tv_sec < moment.tv_sec - 1);
}

/// The cached value, if every file is unchanged.
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

/// The files that `compiler` lists; nothing if it fails.
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
  // The libraries also depend on the environment.
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
    // Includes a script that starts the compiler.
    MICA_ASSIGN_OR_RETURN(std::string hash, hashFile(path));
    files.insert(files.begin(), {path.string(), std::move(hash)});
  }
  Json json = Json::object();
  Json &list = json["files"] = Json::array();
  for (const BuildFile &file : files)
    list.push_back(Json{{"path", file.path}, {"hash", file.hash}, {"stamp", stampOf(file.path)}});
  // Without a cache folder it is computed each time. A value that may have changed while it was read is not cached.
  const bool isSettled =
      std::all_of(files.begin(), files.end(), [&](const BuildFile &file) { return isOlder(file.path, start); });
  if (!note.empty() && isSettled)
    (void)writeFileAtomic(note, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n").isOk();
  return hashOf(files);
}

} // namespace mica::artifact
