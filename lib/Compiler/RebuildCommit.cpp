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
#include <set>

using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

Result<RebuildCommit> RebuildCommit::create(const fs::path &home) {
  MICA_ASSIGN_OR_RETURN(FileDescriptor lock, artifact::lockArtifact(home));
  RebuildCommit commit(home, std::move(lock));
  MICA_RETURN_IF_ERROR(artifact::placeLockedFiles(home));
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

RebuildCommit::~RebuildCommit() {
  std::error_code ignored;
  if (lock && !fs::exists(home / artifact::kJournalFile, ignored))
    fs::remove_all(folder, ignored);
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
  std::vector<std::string> files, gone;
  for (const auto &[name, contents] : originals) {
    Result<std::string> is = readFile(home / name);
    if (name == manifestFile || (is && *is == contents))
      continue;
    MICA_RETURN_IF_ERROR(writeFile(folder / name, contents));
    files.push_back(name);
  }
  const size_t restored = files.size();
  auto placeOf = [&](const std::string &name) {
    return (llvm::is_contained(files, name) ? folder / name : home / name).string();
  };
  std::set<std::string> kept;
  for (const artifact::FileRecord &record : before.files) {
    kept.insert(record.path);
    if (record.path == artifact::kConstantsFile)
      MICA_RETURN_IF_ERROR(restoreConstants(placeOf("passes_dump/constants.json"), files));
    if (record.path != program)
      continue;
    std::vector<std::string> objects;
    for (const std::string &object : record.inputs)
      objects.push_back(placeOf(object));
    MICA_RETURN_IF_ERROR(linkProgram(objects, (folder / program).string()));
    files.push_back(program);
  }
  for (const artifact::FileRecord &record : now.files) {
    if (record.path == artifact::kOriginalsFile)
      before.files.push_back(record);
    else if (!kept.count(record.path))
      gone.push_back(record.path);
    if (!record.original.empty())
      gone.push_back((fs::path(artifact::kOriginalsFolder) / record.path).string());
  }
  MICA_RETURN_IF_ERROR(writeFile(folder / manifestFile, artifact::printManifest(before)));
  files.push_back(manifestFile);
  MICA_RETURN_IF_ERROR(place(files, gone));
  return restored;
}

/// Weights that edits added come last in constants.bin; `index` says how long it was.
Status RebuildCommit::restoreConstants(const std::string &index, std::vector<std::string> &files) {
  const std::string name(artifact::kConstantsFile);
  std::vector<PlacedConstant> constants;
  std::string problem;
  if (!readConstantsIndex(index, constants, problem))
    return Error{ErrorCode::Damaged, problem, "compile the model again"};
  uintmax_t size = 0;
  for (const PlacedConstant &constant : constants)
    size = std::max<uintmax_t>(size, uintmax_t(constant.offset) + constant.data.size());
  std::error_code error;
  if (fs::file_size(home / name, error) == size && !error)
    return Status::ok();
  fs::copy_file(home / name, folder / name, error);
  if (!error)
    fs::resize_file(folder / name, size, error);
  if (error)
    return systemError("write", folder / name, error.value());
  files.push_back(name);
  return Status::ok();
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
  return place(files.written, removed);
}

Status RebuildCommit::place(const std::vector<std::string> &files, const std::vector<std::string> &gone) {
  const llvm::json::Value journal(
      llvm::json::Object{{"files", llvm::json::Array(files)}, {"removed", llvm::json::Array(gone)}});
  std::string text;
  llvm::raw_string_ostream(text) << journal << "\n";
  MICA_RETURN_IF_ERROR(writeFileAtomic(home / artifact::kJournalFile, text));
  return artifact::placeLockedFiles(home);
}
