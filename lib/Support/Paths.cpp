//===- Paths.cpp - where things are ------------------------------------------------------------------------===//
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
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica {
namespace {

bool isProgram(const fs::path &file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

} // namespace

Result<fs::path> cacheFolder() {
  if (std::optional<std::string> folder = environmentValue("MICA_CACHE_DIR"))
    return fs::path(*folder);
  if (const char *folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return fs::path(folder) / "mica";
  if (const char *home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "mica";
  return Error{ErrorCode::NotFound, "there is no cache folder: neither MICA_CACHE_DIR, XDG_CACHE_HOME nor HOME is set",
               "set MICA_CACHE_DIR, or choose a folder with -o"};
}

fs::path executablePath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

Result<fs::path> findCompiler() {
  const std::string hint = "without a compiler these work: running an artifact (mica-run DIR), --list, --golden-data, "
                           "mica-report";
  if (std::optional<std::string> named = environmentValue("MICA_COMPILE")) {
    if (isProgram(*named))
      return fs::path(*named);
    return Error{ErrorCode::Unsupported, "MICA_COMPILE is " + *named + ", which is not executable", hint};
  }
  const fs::path beside = executablePath().parent_path() / "mica-compile";
  if (isProgram(beside))
    return beside;
  if (const char *path = std::getenv("PATH"))
    for (const std::string &folder : splitText(path, ':'))
      if (!folder.empty() && isProgram(fs::path(folder) / "mica-compile"))
        return fs::path(folder) / "mica-compile";
  return Error{ErrorCode::Unsupported,
               "this needs mica-compile, which is neither named by MICA_COMPILE, nor beside this program (" +
                   beside.string() + "), nor on PATH",
               hint};
}

Result<fs::path> findRunner(const void *inLibrary) {
  if (std::optional<std::string> named = environmentValue("MICA_RUN")) {
    if (isProgram(*named))
      return fs::path(*named);
    return Error{ErrorCode::Unsupported, "MICA_RUN is " + *named + ", which is not executable", ""};
  }
  Dl_info library{};
  fs::path beside;
  if (::dladdr(inLibrary, &library) != 0 && library.dli_fname) {
    std::error_code error;
    beside = fs::canonical(library.dli_fname, error).parent_path().parent_path() / "bin" / "mica-run";
    if (isProgram(beside))
      return beside;
  }
  if (const char *path = std::getenv("PATH"))
    for (const std::string &folder : splitText(path, ':'))
      if (!folder.empty() && isProgram(fs::path(folder) / "mica-run"))
        return fs::path(folder) / "mica-run";
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
