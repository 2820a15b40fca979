//===- Artifact.cpp - reading an artifact folder -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The order of the checks is that in which a user can fix problems: folder, manifest, required files, their sizes.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/Artifact.h"

#include "mica/Artifact/Edits.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

Error missingFile(const fs::path &file, std::string_view why) {
  return Error{ErrorCode::NotFound, file.string() + " is missing: " + std::string(why),
               "copy the artifact again with all its files, or compile the model again"};
}

/// constants.bin must contain the last constant.
Status checkConstants(const fs::path &folder, const Manifest &manifest) {
  int64_t needed = 0;
  for (const ConstantRecord &constant : manifest.constants)
    needed = std::max(needed, constant.offset + constant.bytes);
  if (manifest.constants.empty())
    return {};
  const fs::path file = folder / kConstantsFile;
  std::error_code error;
  const uintmax_t size = fs::file_size(file, error);
  if (error == std::errc::no_such_file_or_directory)
    return missingFile(file, "the program's " + std::to_string(manifest.constants.size()) + " constants are in it");
  if (error)
    return systemError("read", file, error.value());
  if (size < static_cast<uintmax_t>(needed))
    return Error{ErrorCode::Damaged,
                 file.string() + ": is " + groupDigits(static_cast<int64_t>(size)) + " bytes, the constants of " +
                     std::string(kManifestFile) + " take " + groupDigits(needed),
                 "the file was cut off; copy it again, or compile the model again"};
  return {};
}

} // namespace

bool isArtifact(const fs::path &folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kManifestFile, error);
}

Status checkReplaceable(const fs::path &folder, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    return {};
  if (error)
    return systemError("look at", folder, error.value());
  if (!fs::is_directory(status))
    return Error{ErrorCode::InvalidInput, folder.string() + " is a file, an artifact is a folder",
                 "give another name with -o"};
  if (fs::is_empty(folder, error) && !error)
    return {};
  if (!isArtifact(folder))
    return Error{ErrorCode::InvalidInput,
                 folder.string() + " is not empty and not an artifact (no " + std::string(kManifestFile) + ")",
                 "give another folder with -o; --force replaces artifacts only"};
  if (!force)
    return Error{ErrorCode::InvalidInput, folder.string() + " is an artifact already",
                 "give another folder with -o, or --force to replace it"};
  return {};
}

Result<size_t> findEntry(const Manifest &manifest, std::string_view name) {
  std::vector<std::string> names;
  for (const EntryRecord &entry : manifest.entries)
    names.push_back(entry.name);
  if (names.empty())
    return Error{ErrorCode::NotFound, "the program has no entry", "a public func.func of the model becomes an entry"};
  if (name.empty() && names.size() > 1)
    if (const auto start = std::find(names.begin(), names.end(), "main"); start != names.end())
      return static_cast<size_t>(start - names.begin());
  if (name.empty() && names.size() > 1)
    return Error{ErrorCode::InvalidInput, "the program has " + std::to_string(names.size()) + " entries",
                 "choose one with --entry=; there are: " + joinNames(names)};
  if (name.empty())
    return size_t(0);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return Error{ErrorCode::NotFound, "the program has no entry '" + std::string(name) + "'",
                 unknownNameHint(name, names)};
  return static_cast<size_t>(found - names.begin());
}

Result<Artifact> Artifact::openTexts(const fs::path &folder) { return read(folder); }

Result<Artifact> Artifact::open(const fs::path &folder) {
  MICA_ASSIGN_OR_RETURN(Artifact artifact, read(folder));
  std::error_code error;
  if (!fs::exists(folder / kProgramFile, error))
    return missingFile(folder / kProgramFile, "the program's code is in it");
  MICA_RETURN_IF_ERROR(checkConstants(folder, artifact.info));
  return artifact;
}

Result<Artifact> Artifact::read(const fs::path &folder) {
  std::error_code error;
  if (!fs::exists(folder, error))
    return Error{ErrorCode::NotFound, folder.string() + " does not exist", "give the folder of an artifact"};
  if (!fs::is_directory(folder, error))
    return Error{ErrorCode::InvalidInput, folder.string() + " is not a folder, an artifact is one", ""};
  const fs::path manifestFile = folder / kManifestFile;
  if (!fs::exists(manifestFile, error))
    return Error{ErrorCode::NotFound, folder.string() + " is not an artifact: it has no " + std::string(kManifestFile),
                 fs::exists(folder / "index.json", error)
                     ? "it is a record of mica-opt: mica-bisect " + folder.string() + " runs its states"
                     : "give a folder that mica-compile -o wrote"};

  Artifact artifact;
  artifact.root = folder;
  MICA_ASSIGN_OR_RETURN(const std::string manifestText, readFile(manifestFile));
  MICA_ASSIGN_OR_RETURN(artifact.info, parseManifest(manifestText, manifestFile.string()));
  MICA_RETURN_IF_ERROR(addSnapshotHashes(folder, artifact.info));
  artifact.made = readBuildRecord(folder);
  if (artifact.info.commandLine.empty())
    artifact.info.commandLine = artifact.made.commandLine;
  const fs::path tasksFile = folder / kTasksFile;
  if (!fs::exists(tasksFile, error))
    return missingFile(tasksFile, "the program's task lists are in it");
  MICA_ASSIGN_OR_RETURN(const std::string tasksText, readFile(tasksFile));
  artifact.hashOfTasks = hashHex(tasksText);
  MICA_ASSIGN_OR_RETURN(artifact.lists, parseTaskLists(tasksText, tasksFile.string(), artifact.info));
  for (const FileRecord &record : artifact.info.files)
    if (record.path == kTasksFile)
      artifact.areTasksEdited = (record.original.empty() ? record.hash : record.original) != hashHex(tasksText);
  return artifact;
}

std::string Artifact::sourcePath(const std::string &name) const {
  if (name != info.inputFile || made.program.empty())
    return name;
  std::error_code error;
  const fs::path moved = root / made.programFromHere;
  const bool isMoved = !made.programFromHere.empty() && !fs::exists(made.program, error) && fs::exists(moved, error);
  return isMoved ? moved.lexically_normal().string() : made.program;
}

bool Artifact::isPackedAway(const FileRecord &record) const {
  std::error_code ignored;
  // A trace contains the archive instead of plain snapshot files.
  const bool mayBe = record.packed || parseSnapshotName(record.path).position >= 0;
  return mayBe && !fs::exists(root / record.path, ignored) && textExists(root / record.path);
}

Result<std::string> Artifact::hashText(const FileRecord &record) const {
  if (!isPackedAway(record))
    return hashFile(root / record.path);
  MICA_ASSIGN_OR_RETURN(const std::string text, readText(root / record.path));
  return hashHex(text);
}

Result<FileState> Artifact::state(std::string_view relative) const {
  for (const FileRecord &record : info.files) {
    if (record.path != relative)
      continue;
    // It has a checksum, which is verified when it is read.
    if (isPackedAway(record) && record.original.empty())
      return FileState::Same;
    Result<std::string> hash = hashText(record);
    if (!hash && hash.error().code == ErrorCode::NotFound)
      return FileState::Missing;
    if (!hash)
      return hash.error();
    // It contains the manifest, which therefore cannot contain its hash.
    if (record.path == kOriginalsFile)
      return FileState::Same;
    return *hash == record.hash ? FileState::Same : FileState::Edited;
  }
  return Error{ErrorCode::NotFound, (root / kManifestFile).string() + " has no file '" + std::string(relative) + "'",
               ""};
}

Result<std::vector<FileChange>> Artifact::changes() const {
  std::vector<FileChange> changes;
  for (const FileRecord &record : info.files) {
    MICA_ASSIGN_OR_RETURN(const FileState now, state(record.path));
    if (now != FileState::Same)
      changes.push_back({record.path, now});
  }
  return changes;
}

} // namespace mica::artifact
