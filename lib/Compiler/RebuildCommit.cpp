//===- RebuildCommit.cpp - new files of an artifact, put in place of the old -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RebuildCommit.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/RebuildCommit.h"

#include "lib/Compiler/LayerGraph.h"
#include "lib/Compiler/Originals.h"
#include "lib/Compiler/RecordMerge.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <set>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

Result<RebuildCommit> RebuildCommit::create(const fs::path &home) {
  const fs::path own = home / artifact::kOriginalsFolder;
  MICA_RETURN_IF_ERROR(makeFolder(own));
  const fs::path lockFile = own / "lock";
  int lock = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0)
    return systemError("write", lockFile, errno);
  if (::flock(lock, LOCK_EX) != 0) {
    const int reason = errno;
    ::close(lock);
    return systemError("lock", lockFile, reason);
  }
  RebuildCommit commit(home, home / artifact::kBuildingFolder, lock);
  MICA_RETURN_IF_ERROR(artifact::placeBuiltFiles(home));
  std::error_code error;
  fs::remove_all(commit.folder, error);
  MICA_RETURN_IF_ERROR(makeFolder(commit.folder));
  MICA_ASSIGN_OR_RETURN(commit.originals, readOriginals(home));
  return commit;
}

void RebuildCommit::noteEarlierEdits(const artifact::Manifest &manifest) {
  for (const artifact::FileRecord &record : manifest.files)
    if (!record.original.empty())
      editedBefore.push_back(record.path);
}

RebuildCommit::RebuildCommit(RebuildCommit &&other) noexcept
    : home(std::move(other.home)), folder(std::move(other.folder)), lock(std::exchange(other.lock, -1)),
      originals(std::move(other.originals)), editedFiles(std::move(other.editedFiles)),
      removed(std::move(other.removed)), editedBefore(std::move(other.editedBefore)) {}

RebuildCommit::~RebuildCommit() {
  if (lock < 0)
    return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  ::close(lock);
}

bool RebuildCommit::isEdited(const std::string &name) const {
  return llvm::any_of(editedBefore, [&](const std::string &path) {
    return path == name || (name.ends_with("/") && path.starts_with(name));
  });
}

Status RebuildCommit::restore(const std::string &path) {
  auto original = originals.find(path);
  if (original == originals.end()) {
    std::vector<std::string> names;
    for (const auto &[name, contents] : originals)
      names.push_back(name);
    return Error{ErrorCode::NotFound, "there is no compiler's own version of '" + path + "' in " + home.string(),
                 unknownNameHint(path, names)};
  }
  return writeFileAtomic(home / path, original->second);
}

Result<size_t> RebuildCommit::restoreAll() {
  const std::string manifestFile(artifact::kManifestFile), program(artifact::kProgramFile);
  MICA_ASSIGN_OR_RETURN(const std::string manifestNow, readFile(home / manifestFile));
  MICA_ASSIGN_OR_RETURN(const artifact::Manifest now, artifact::parseManifest(manifestNow, manifestFile));
  MICA_ASSIGN_OR_RETURN(artifact::Manifest before,
                        artifact::parseManifest(originals[manifestFile], std::string(artifact::kOriginalsFile)));
  size_t restored = 0;
  for (const auto &[name, contents] : originals) {
    Result<std::string> is = readFile(home / name);
    if (name == manifestFile || (is && *is == contents))
      continue;
    // Whole under its name at every moment; that it outlives the machine's power is not worth waiting for the disk.
    MICA_RETURN_IF_ERROR(writeFile(folder / name, contents));
    MICA_RETURN_IF_ERROR(makeFolder((home / name).parent_path()));
    std::error_code error;
    fs::rename(folder / name, home / name, error);
    if (error)
      return systemError("write", home / name, error.value());
    ++restored;
  }
  // Code is linked, and weights that an edit added come last in their file.
  std::set<std::string> files;
  for (const artifact::FileRecord &record : before.files) {
    files.insert(record.path);
    if (record.path == artifact::kConstantsFile) {
      int64_t size = 0;
      std::vector<PlacedConstant> constants;
      std::string problem;
      if (!readConstantsIndex((home / "passes_dump/constants.json").string(), constants, problem))
        return Error{ErrorCode::Damaged, problem, "compile the model again"};
      for (const PlacedConstant &constant : constants)
        size = std::max(size, constant.offset + static_cast<int64_t>(constant.data.size()));
      std::error_code error;
      fs::resize_file(home / record.path, static_cast<uintmax_t>(size), error);
      if (error)
        return systemError("write", home / record.path, error.value());
    }
    if (record.path != program)
      continue;
    std::vector<std::string> objects;
    for (const std::string &object : record.inputs)
      objects.push_back((home / object).string());
    MICA_RETURN_IF_ERROR(linkProgram(objects, (folder / program).string()));
    std::error_code error;
    fs::rename(folder / program, home / program, error);
    if (error)
      return systemError("write", home / program, error.value());
  }
  std::error_code ignored;
  for (const artifact::FileRecord &record : now.files) {
    if (record.path == artifact::kOriginalsFile) {
      before.files.push_back(record);
    } else if (!files.count(record.path)) {
      fs::remove(home / record.path, ignored);
      fs::remove((home / record.path).parent_path(), ignored); // where it is empty
    }
    fs::remove(home / artifact::kOriginalsFolder / record.path, ignored);
  }
  MICA_RETURN_IF_ERROR(writeFileAtomic(home / manifestFile, artifact::printManifest(before)));
  for (const char *name : {"passes_dump", "kernels", "host"})
    fs::remove_all(home / artifact::kOriginalsFolder / name, ignored);
  return restored;
}

Status RebuildCommit::begin(const std::vector<artifact::Edit> &edits) {
  for (const artifact::Edit &edit : edits) {
    MICA_ASSIGN_OR_RETURN(editedFiles[edit.path], hashFile(home / edit.path));
  }
  return Status::ok();
}

Status RebuildCommit::finish(ArtifactFiles &files, const std::vector<artifact::Edit> &edits) {
  artifact::Manifest &manifest = files.manifest;
  for (const artifact::Edit &edit : edits) {
    MICA_ASSIGN_OR_RETURN(const std::string now, hashFile(home / edit.path));
    if (now != editedFiles[edit.path])
      return Error{ErrorCode::InvalidInput, (home / edit.path).string() + " was edited again while it was built",
                   "run again"};
  }
  llvm::erase_if(manifest.files, [&](const artifact::FileRecord &record) {
    return llvm::is_contained(removed, record.path) && !llvm::is_contained(files.written, record.path);
  });

  // What the user wrote stays as it is, with the compiler's own version beside it.
  for (artifact::FileRecord &record : manifest.files) {
    auto edited = editedFiles.find(record.path);
    if (edited == editedFiles.end())
      continue;
    auto original = originals.find(record.path);
    record.hash = edited->second;
    record.original =
        original == originals.end() || hashHex(original->second) == record.hash ? "" : hashHex(original->second);
    const fs::path kept = home / artifact::kOriginalsFolder / record.path;
    std::error_code ignored;
    if (record.original.empty())
      fs::remove(kept, ignored);
    else
      MICA_RETURN_IF_ERROR(writeFileAtomic(kept, original->second));
    llvm::erase(files.written, record.path);
  }

  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> phases, recordedPhases(files.fileOf("passes_dump/index.json")));
  linkLayers(manifest, phases);
  MICA_RETURN_IF_ERROR(writeFile(folder / artifact::kManifestFile, artifact::printManifest(manifest)));
  files.written.push_back(std::string(artifact::kManifestFile));
  llvm::erase_if(removed, [&](const std::string &name) { return llvm::is_contained(files.written, name); });
  const llvm::json::Value journal(
      llvm::json::Object{{"files", llvm::json::Array(files.written)}, {"removed", llvm::json::Array(removed)}});
  std::string text;
  llvm::raw_string_ostream(text) << journal << "\n";
  MICA_RETURN_IF_ERROR(writeFileAtomic(home / artifact::kJournalFile, text));
  return artifact::placeBuiltFiles(home);
}
