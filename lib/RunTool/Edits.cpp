//===- Edits.cpp - rebuilding an edited artifact before a run ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Edits.h. Files are watched by modification time and size, because editors save in different ways (in place, by
// renaming), all of which change one of them.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Edits.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace fs = std::filesystem;

namespace mica::runtool {

namespace {

/// Whether the artifact has the files that a rebuild needs. An artifact of another program has none.
bool canBeRebuilt(const artifact::Artifact &artifact) {
  const auto &files = artifact.manifest().files;
  std::error_code missing;
  return fs::exists(artifact.path(artifact::kOriginalsFile), missing) &&
         std::any_of(files.begin(), files.end(),
                     [](const artifact::FileRecord &record) { return record.path == artifact::kOriginalsFile; });
}

} // namespace

Result<int> buildEdits(const Options &options, const fs::path &folder) {
  MICA_RETURN_IF_ERROR(artifact::placeBuiltFiles(folder));
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(folder));
  if (!canBeRebuilt(artifact)) {
    if (options.reset.empty())
      return 0;
    return Error{ErrorCode::InvalidInput,
                 folder.string() + " does not hold the compiler's own version of its files (" +
                     std::string(artifact::kOriginalsFile) + ")",
                 "compile the model again"};
  }
  if (options.reset.empty()) {
    MICA_ASSIGN_OR_RETURN(const std::vector<std::string> changed, artifact::changedSinceBuild(artifact));
    if (changed.empty())
      return 0;
    if (options.noRebuild) {
      printWarning(kTool, joinNames(changed) + (changed.size() == 1 ? " was" : " were") +
                              " edited since the last build, which runs");
      return 0;
    }
  }
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 folder.string() + " was edited and cannot be rebuilt: " + compiler.error().message,
                 "--no-rebuild runs the last build; " + compiler.error().hint};
  std::vector<std::string> command{compiler->string(), "--rebuild=" + folder.string()};
  if (!options.reset.empty())
    command.push_back(options.reset == "all" ? "--reset" : "--reset=" + options.reset);
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command));
  if (code >= 128)
    return Error{ErrorCode::Internal, "mica-compile was killed by signal " + std::to_string(code - 128),
                 "run it alone: " + command[0] + " " + command[1]};
  return code;
}

namespace {

struct WatchedFile {
  fs::path path;
  bool isPacked = false; ///< a packed snapshot, which exists once it is unpacked for editing
};

/// The modification time and size of a file.
using Stamp = std::pair<int64_t, uintmax_t>;

/// Nothing if a required file does not exist.
std::map<std::string, Stamp> stampsOf(const std::vector<WatchedFile> &files) {
  std::map<std::string, Stamp> stamps;
  for (const WatchedFile &file : files) {
    std::error_code error;
    const auto time = fs::last_write_time(file.path, error);
    const uintmax_t size = error ? 0 : fs::file_size(file.path, error);
    if (!error)
      stamps[file.path.string()] = {time.time_since_epoch().count(), size};
    else if (file.isPacked)
      stamps[file.path.string()] = {};
  }
  return stamps;
}

/// The files to watch: the texts of an artifact, or the model.
Result<std::vector<WatchedFile>> watchedFiles(const fs::path &program) {
  std::error_code error;
  if (!fs::is_directory(program, error))
    return std::vector<WatchedFile>{{program}};
  std::vector<WatchedFile> files;
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(program));
  for (const artifact::FileRecord &record : artifact.manifest().files)
    if (artifact::isText(record.path))
      files.push_back({artifact.path(record.path), record.packed});
  return files;
}

} // namespace

Result<std::string> Watch::state() const {
  std::error_code error;
  if (!fs::is_directory(program, error))
    return hashFile(program);
  MICA_ASSIGN_OR_RETURN(const artifact::Artifact artifact, artifact::Artifact::open(program));
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> changed, artifact::changedSinceBuild(artifact));
  std::string text;
  for (const std::string &path : changed) {
    Result<std::string> hash = hashFile(artifact.path(path));
    text += path + " " + (hash ? *hash : "missing") + "\n";
  }
  return text;
}

Status Watch::begin() {
  MICA_ASSIGN_OR_RETURN(seen, state());
  return {};
}

Status Watch::wait() {
  // A rebuilt artifact has no pending edits; otherwise its edits are those already seen.
  std::error_code error;
  const bool isArtifact = fs::is_directory(program, error);
  MICA_ASSIGN_OR_RETURN(const std::vector<WatchedFile> files, watchedFiles(program));
  std::map<std::string, Stamp> before;
  for (;;) {
    std::map<std::string, Stamp> now = stampsOf(files);
    // A file that is saved by renaming is missing for a moment, which is not a change.
    if (now != before && now.size() == files.size()) {
      before = std::move(now);
      MICA_ASSIGN_OR_RETURN(const std::string is, state());
      if (is != seen && !(isArtifact && is.empty()))
        return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

} // namespace mica::runtool
