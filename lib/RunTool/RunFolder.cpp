//===- RunFolder.cpp - the folder of one run ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/RunFolder.h"

#include "lib/RunTool/Options.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Paths.h"

#include <cerrno>

#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The hint for a folder that is not writable.
Error withRunDirHint(Error error) {
  error.hint = "give another place for the folder of this run with --run-dir=DIR" +
               (error.hint.empty() ? "" : " (" + error.hint + ")");
  return error;
}

/// The folder for runs of an artifact that is not writable.
Result<fs::path> placeInCache(const fs::path &artifact) {
  MICA_ASSIGN_OR_RETURN(const fs::path cache, cacheFolder());
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(fs::absolute(artifact, ignored), ignored);
  return cache / "runs" / (whole.filename().string() + "-" + hashHex(whole.string()).substr(0, 16));
}

} // namespace

Result<std::vector<fs::path>> RunFolder::places(const fs::path &artifact, const fs::path &runDir) {
  const fs::path first = runDir.empty() ? artifact / "runs" : runDir;
  std::vector<fs::path> made;
  const Status status = makeFolder(first);
  if (status)
    made.push_back(first);
  if (const Result<fs::path> second = placeInCache(artifact); runDir.empty() && second && makeFolder(*second))
    made.push_back(*second);
  if (made.empty())
    return withRunDirHint(status.error());
  return made;
}

Result<RunFolder> RunFolder::createFor(const fs::path &artifact, const fs::path &runDir) {
  if (!runDir.empty())
    return create(runDir);
  const fs::path home = artifact / "runs";
  Result<RunFolder> run = create(home);
  // If it belongs to another user or is on a read-only file system, the program can still run.
  const bool isReadOnly = !run && ::access(fs::exists(home) ? home.c_str() : artifact.c_str(), W_OK) != 0 &&
                          (errno == EACCES || errno == EROFS || errno == EPERM);
  const Result<fs::path> place = placeInCache(artifact);
  if (!isReadOnly || !place)
    return run;
  Result<RunFolder> elsewhere = create(*place);
  if (!elsewhere)
    return run;
  printNote(kTool, artifact.string() + " cannot be written to: this run is recorded in " + elsewhere->path().string());
  return elsewhere;
}

Result<RunFolder> RunFolder::create(const fs::path &runs) {
  RunFolder run;
  std::error_code error;
  const std::string name = runFolderName();
  if (Status made = makeFolder(runs); !made)
    return withRunDirHint(made.error());
  // A second run of one process in the same second.
  run.folder = runs / name;
  for (int i = 2; !fs::create_directory(run.folder, error); ++i) {
    if (error)
      return withRunDirHint(systemError("make the folder", run.folder, error.value()));
    run.folder = runs / (name + "-" + std::to_string(i));
  }
  // By rename, so that `latest` always exists.
  const fs::path link = run.folder / "latest";
  fs::create_directory_symlink(run.folder.filename(), link, error);
  if (!error)
    fs::rename(link, runs / "latest", error);
  if (error)
    fs::remove(link, error); // without symbolic links: the folder's name is sortable
  return run;
}

fs::path RunFolder::tensorFile(std::string_view kind, size_t i) const {
  return folder / "data" / kind / (std::to_string(i) + ".npy");
}

Status RunFolder::writeTensors(std::string_view kind, std::span<const HostTensor> tensors) const {
  MICA_RETURN_IF_ERROR(makeFolder(folder / "data" / kind));
  for (size_t i = 0; i < tensors.size(); ++i)
    MICA_RETURN_IF_ERROR(writeNpyInPlace(tensorFile(kind, i), tensors[i]));
  return {};
}

Status RunFolder::writeInputs(std::span<const Input> inputs) const {
  MICA_RETURN_IF_ERROR(makeFolder(folder / "data" / "in"));
  for (size_t i = 0; i < inputs.size(); ++i)
    MICA_RETURN_IF_ERROR(
        writeFile(tensorFile("in", i), {npyHeader(inputs[i].type(), inputs[i].sizes()), inputs[i].bytes()}));
  return {};
}

} // namespace mica::runtool
