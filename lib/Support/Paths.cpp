//===- Paths.cpp - paths of the cache folder and of Mica's programs ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Paths.h"

#include "mica/Support/Environment.h"
#include "mica/Support/Text.h"

#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica {
namespace {

bool isProgram(const fs::path &file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

} // namespace

/// `folder` itself, or a private folder in it if others can write to it: their files must not be executed.
static Result<fs::path> ownPart(const fs::path &folder) {
  struct stat status;
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return folder;
  const bool isOwn = status.st_uid == ::geteuid(), isOpen = status.st_mode & S_IWOTH;
  // A folder that this user cannot write to is read-only for this user.
  if ((isOwn && !isOpen) || ::access(folder.c_str(), W_OK) != 0)
    return folder;
  const fs::path own = folder / ("user-" + std::to_string(::geteuid()));
  ::mkdir(own.c_str(), 0700);
  if (::lstat(own.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid())
    return own;
  return Error{ErrorCode::Io, own.string() + " is not a folder of this user, in a cache folder that others write to",
               "choose a cache folder of your own with MICA_CACHE_DIR"};
}

Result<fs::path> cacheFolder() {
  if (std::optional<std::string> folder = environmentValue("MICA_CACHE_DIR"))
    return ownPart(*folder);
  if (const char *folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return ownPart(fs::path(folder) / "mica");
  if (const char *home = std::getenv("HOME"); home && *home)
    return ownPart(fs::path(home) / ".cache" / "mica");
  return Error{ErrorCode::NotFound, "there is no cache folder: neither MICA_CACHE_DIR, XDG_CACHE_HOME nor HOME is set",
               "set MICA_CACHE_DIR, or choose a folder with -o"};
}

fs::path executablePath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

/// The program named by the variable, if it is set.
static Result<std::optional<fs::path>> namedProgram(const char *variable, const std::string &hint) {
  std::optional<std::string> named = environmentValue(variable);
  if (!named)
    return std::optional<fs::path>();
  if (!isProgram(*named))
    return Error{ErrorCode::Unsupported, std::string(variable) + " is " + *named + ", which is not executable", hint};
  return std::optional<fs::path>(*named);
}

std::optional<fs::path> findOnPath(const char *name) {
  if (const char *path = std::getenv("PATH"))
    for (const std::string &folder : splitText(path, ':'))
      if (!folder.empty() && isProgram(fs::path(folder) / name))
        return fs::path(folder) / name;
  return std::nullopt;
}

Result<fs::path> findCompiler() {
  const std::string hint = "without a compiler these work: running an artifact (mica-run DIR), --list, --golden-data, "
                           "mica-report";
  MICA_ASSIGN_OR_RETURN(const std::optional<fs::path> named, namedProgram("MICA_COMPILE", hint));
  if (named)
    return *named;
  const fs::path beside = executablePath().parent_path() / "mica-compile";
  if (isProgram(beside))
    return beside;
  if (const std::optional<fs::path> found = findOnPath("mica-compile"))
    return *found;
  return Error{ErrorCode::Unsupported,
               "this needs mica-compile, which is neither named by MICA_COMPILE, nor beside this program (" +
                   beside.string() + "), nor on PATH",
               hint};
}

Result<fs::path> findRunner(const void *inLibrary) {
  MICA_ASSIGN_OR_RETURN(const std::optional<fs::path> named, namedProgram("MICA_RUN", ""));
  if (named)
    return *named;
  Dl_info library{};
  fs::path beside;
  if (::dladdr(inLibrary, &library) != 0 && library.dli_fname) {
    std::error_code error;
    beside = fs::canonical(library.dli_fname, error).parent_path().parent_path() / "bin" / "mica-run";
    if (isProgram(beside))
      return beside;
  }
  if (const std::optional<fs::path> found = findOnPath("mica-run"))
    return *found;
  return Error{ErrorCode::Unsupported,
               "an isolated call needs mica-run, which is neither named by MICA_RUN, nor beside the library (" +
                   beside.string() + "), nor on PATH",
               "install it with the library, or set MICA_RUN"};
}

std::string runFolderName() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return std::string(text) + "-" + std::to_string(::getpid());
}

} // namespace mica
