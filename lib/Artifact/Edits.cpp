//===- Edits.cpp - finding hand-edited files of an artifact ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Edits.h. Modification times of texts are ignored, because copying folders or older files changes them
// arbitrarily.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/Edits.h"

#include "lib/Artifact/ArtifactLock.h"
#include "lib/Support/Json.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/file.h>

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

/// The inputs of each file, direct and transitive.
class BuildGraph {
public:
  explicit BuildGraph(const Manifest &manifest) {
    for (const FileRecord &record : manifest.files)
      inputs[record.path] = &record.inputs;
  }

  /// Whether `file` is made from `from`.
  bool isMadeFrom(const std::string &file, const std::string &from) const {
    std::set<std::string> seen;
    return reaches(file, from, seen);
  }

private:
  bool reaches(const std::string &file, const std::string &from, std::set<std::string> &seen) const {
    const auto found = inputs.find(file);
    if (found == inputs.end() || !seen.insert(file).second)
      return false;
    return std::any_of(found->second->begin(), found->second->end(),
                       [&](const std::string &input) { return input == from || reaches(input, from, seen); });
  }

  std::map<std::string, const std::vector<std::string> *> inputs;
};

Error refuse(const Artifact &artifact, const std::string &path, const std::string &why, const std::string &hint) {
  return Error{ErrorCode::InvalidInput, artifact.path(path).string() + " was edited, and " + why, hint};
}

std::string resetHint(const Artifact &artifact, const std::string &path) {
  return "mica-run " + artifact.folder().string() + " --reset=" + path + " restores the compiler's file";
}

/// The route of one edit.
Result<Edit> routeOf(const Artifact &artifact, const std::string &path) {
  const auto &kernels = artifact.manifest().kernels;
  auto isKernel = [&](const std::string &name) {
    return std::any_of(kernels.begin(), kernels.end(), [&](const KernelRecord &kernel) { return kernel.name == name; });
  };
  if (path.ends_with(".map.json"))
    return refuse(artifact, path, "it only says where lines come from",
                  "edit the file it belongs to; " + resetHint(artifact, path));
  if (path.starts_with("kernels/")) {
    const size_t slash = path.rfind('/');
    const std::string kernel = path.substr(8, slash - 8), file = path.substr(slash + 1);
    if (file == "kernel.s")
      return Edit{path, EditRoute::Assembly, kernel, 0};
    if (file == "kernel.ll")
      return Edit{path, EditRoute::LlvmIR, kernel, 0};
    if (file == "kernel.mlir")
      return Edit{path, EditRoute::KernelIR, kernel, 0};
    if (file == "kernel.ptx")
      return Edit{path, EditRoute::DevicePtx, kernel, 0};
    if (file == "device.ll")
      return Edit{path, EditRoute::DeviceLlvm, kernel, 0};
    const auto record =
        std::find_if(kernels.begin(), kernels.end(), [&](const KernelRecord &each) { return each.name == kernel; });
    const bool isForDevice = record != kernels.end() && record->device;
    return refuse(artifact, path, "nothing is built from it",
                  std::string("edit kernel.mlir, kernel.ll") +
                      (isForDevice ? ", kernel.s, device.ll or kernel.ptx" : " or kernel.s") + " beside it; " +
                      resetHint(artifact, path));
  }
  if (path == "host/schedule.mlir")
    return Edit{path, EditRoute::Schedule, "", 0};
  if (path == "host/host.ll")
    return Edit{path, EditRoute::HostLlvm, "", 0};
  if (path == kTasksFile)
    return Edit{path, EditRoute::Tasks, "", 0};
  if (const SnapshotName snapshot = parseSnapshotName(path); snapshot.position >= 0) {
    const std::string first = snapshot.anchor.substr(0, snapshot.anchor.find('.'));
    if (isKernel(first))
      return Edit{path, EditRoute::KernelSnapshot, first, snapshot.position};
    return Edit{path, EditRoute::ProgramSnapshot, "", snapshot.position};
  }
  return refuse(artifact, path, "the program is not built from it",
                "files to edit are snapshots in passes_dump, kernels/*/kernel.{mlir,ll,s,ptx}, host/schedule.mlir and "
                "host/host.ll; " +
                    resetHint(artifact, path));
}

} // namespace

SnapshotName parseSnapshotName(std::string_view path) {
  SnapshotName name;
  if (!path.starts_with("passes_dump/") || !path.ends_with(".mlir"))
    return name;
  path.remove_prefix(12);
  path.remove_suffix(5);
  const size_t line = path.find('_');
  int position = 0;
  if (line == std::string_view::npos ||
      std::from_chars(path.data(), path.data() + line, position).ptr != path.data() + line)
    return name;
  path.remove_prefix(line + 1);
  const size_t at = path.find('@');
  name.position = position;
  name.pass = std::string(path.substr(0, at));
  if (at != std::string_view::npos)
    name.anchor = std::string(path.substr(at + 1));
  return name;
}

bool isSnapshotFile(std::string_view path) {
  if (path.ends_with(kLineMapSuffix))
    path.remove_suffix(kLineMapSuffix.size());
  return parseSnapshotName(path).position >= 0;
}

Result<FileDescriptor> lockArtifact(const fs::path &folder) {
  const fs::path file = folder / kOriginalsFolder / "lock";
  MICA_RETURN_IF_ERROR(makeFolder(file.parent_path()));
  FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!lock)
    return systemError("write", file, errno);
  if (::flock(lock.get(), LOCK_EX) != 0)
    return systemError("lock", file, errno);
  return lock;
}

Status placeBuiltFiles(const fs::path &folder) {
  std::error_code error;
  if (!fs::exists(folder / kJournalFile, error))
    return {};
  // The build that wrote the journal may be moving its files into place now.
  MICA_ASSIGN_OR_RETURN(const FileDescriptor lock, lockArtifact(folder));
  return placeLockedFiles(folder);
}

Status placeLockedFiles(const fs::path &folder) {
  std::error_code error;
  const fs::path journal = folder / kJournalFile, staged = folder / kBuildingFolder;
  if (!fs::exists(journal, error))
    return {};
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(journal));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  JsonReport report{journal.string(), "remove the file, and compile the model again", {}};
  const JsonCursor root(json, report);
  const std::vector<std::string> files = root.field("files").strings(), removed = root.field("removed").strings();
  if (report.failure)
    return *report.failure;
  for (const std::vector<std::string> *names : {&files, &removed})
    for (const std::string &name : *names)
      if (fs::path(name).is_absolute() || name.find("..") != std::string::npos)
        return Error{ErrorCode::Damaged, journal.string() + " names \"" + name + "\", which is outside the artifact",
                     "remove the file, and compile the model again"};
  for (const std::string &name : removed) {
    fs::remove(folder / name, error);
    fs::remove((folder / name).parent_path(), error); // if it is empty
  }
  for (const std::string &name : files) {
    // Files that do not exist were moved before.
    if (!fs::exists(staged / name, error))
      continue;
    MICA_RETURN_IF_ERROR(makeFolder((folder / name).parent_path()));
    fs::rename(staged / name, folder / name, error);
    if (error)
      return systemError("write", folder / name, error.value());
  }
  fs::remove(journal, error);
  if (error)
    return systemError("remove", journal, error.value());
  fs::remove_all(staged, error);
  return {};
}

bool isText(std::string_view path) {
  for (std::string_view ending : {".mlir", ".ll", ".s", ".ptx", ".gcn", ".spvasm", ".json"})
    if (path.ends_with(ending))
      return true;
  return false;
}

bool isEditable(std::string_view path) {
  if (path.starts_with("kernels/"))
    for (std::string_view name : {"/kernel.mlir", "/kernel.ll", "/kernel.s", "/kernel.ptx", "/device.ll"})
      if (path.ends_with(name))
        return true;
  return path == "host/schedule.mlir" || path == "host/host.ll" || path == kTasksFile ||
         parseSnapshotName(path).position >= 0;
}

Result<std::vector<std::string>> changedSinceBuild(const Artifact &artifact) {
  std::vector<std::string> changed;
  std::error_code ignored;
  for (const FileRecord &record : artifact.manifest().files) {
    // Files in .orig do not affect what is executed.
    if (record.path.starts_with(std::string(kOriginalsFolder) + "/"))
      continue;
    if (!fs::exists(artifact.path(record.path), ignored) && !artifact.isPackedAway(record)) {
      changed.push_back(record.path);
      continue;
    }
    if (!isText(record.path) || (artifact.isPackedAway(record) && record.original.empty()))
      continue;
    MICA_ASSIGN_OR_RETURN(const std::string hash, artifact.hashText(record));
    if (hash != record.hash)
      changed.push_back(record.path);
  }
  return changed;
}

namespace {

Result<std::vector<Edit>> routesOf(const Artifact &artifact, const std::vector<std::string> &changed) {
  auto isPacked = [&](const std::string &path) {
    const std::vector<FileRecord> &files = artifact.manifest().files;
    return std::any_of(files.begin(), files.end(),
                       [&](const FileRecord &record) { return record.packed && record.path == path; });
  };
  std::vector<Edit> edits;
  for (const std::string &path : changed) {
    if (!textExists(artifact.path(path)))
      return Error{ErrorCode::InvalidInput, artifact.path(path).string() + " was removed",
                   isPacked(path) ? "remove snapshots.json beside it, and the snapshots are unpacked again"
                                  : resetHint(artifact, path)};
    MICA_ASSIGN_OR_RETURN(Edit edit, routeOf(artifact, path));
    edits.push_back(std::move(edit));
  }
  // Two edited snapshots of the program that do not follow each other would each be the start of the rest.
  const auto isProgram = [](const Edit &edit) { return edit.route == EditRoute::ProgramSnapshot; };
  if (const auto found = std::find_if(edits.begin(), edits.end(), isProgram); found != edits.end())
    if (const auto second = std::find_if(found + 1, edits.end(), isProgram); second != edits.end())
      return Error{ErrorCode::InvalidInput,
                   artifact.folder().string() + ": " + found->path + " and " + second->path +
                       " are both snapshots of the whole program",
                   "keep one of them: mica-run " + artifact.folder().string() + " --reset=" + found->path};
  return edits;
}

} // namespace

Result<std::vector<Edit>> planEdits(const Artifact &artifact, const std::vector<std::string> &changed) {
  // An edit that is already built also conflicts with one further down: the latter would be overwritten by a rebuild
  // from the former.
  std::vector<std::string> standing = changed;
  for (const FileRecord &record : artifact.manifest().files)
    if (!record.original.empty() && std::find(changed.begin(), changed.end(), record.path) == changed.end())
      standing.push_back(record.path);
  const BuildGraph graph(artifact.manifest());
  for (const std::string &first : standing)
    for (const std::string &second : standing)
      if (first != second && graph.isMadeFrom(second, first))
        return Error{ErrorCode::InvalidInput,
                     artifact.folder().string() + ": " + first + " and " + second +
                         " were both edited, and the second is made from the first",
                     "keep one of them: mica-run " + artifact.folder().string() + " --reset=" + first +
                         ", or --reset=" + second};
  return routesOf(artifact, changed);
}

Result<std::vector<std::string>> editedByHand(const Artifact &artifact) {
  MICA_ASSIGN_OR_RETURN(const std::vector<FileChange> changes, artifact.changes());
  std::vector<std::string> edited;
  for (const FileRecord &record : artifact.manifest().files) {
    const bool now = std::any_of(changes.begin(), changes.end(), [&](const FileChange &change) {
      return change.path == record.path && change.state == FileState::Edited;
    });
    if (now || !record.original.empty())
      edited.push_back(record.path);
  }
  return edited;
}

} // namespace mica::artifact
