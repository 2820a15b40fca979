//===- RebuildCommit.cpp - committing a rebuild -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RebuildCommit.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Rebuild/RebuildCommit.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Emit/Originals.h"
#include "lib/Compiler/Record/RecordMerge.h"
#include "lib/Compiler/Snapshot/SnapshotGraph.h"
#include "lib/Compiler/Snapshot/UnpackSnapshots.h"
#include "mica/Artifact/SnapshotFile.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// Removes temporary files of killed builds (writeFileAtomic): this process holds the lock, so no other one writes now.
static void removeAbandoned(const fs::path &home) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(home, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it.depth() == 0 && (name == "runs" || name == "variants"))
      it.disable_recursion_pending();
    const size_t mark = name.rfind(".tmp-");
    if (name.starts_with(".") && mark != name.npos && name.size() - mark == 15 && it->is_regular_file(error))
      found.push_back(it->path());
  }
  for (const fs::path &file : found)
    fs::remove(file, error);
}

Result<RebuildCommit> RebuildCommit::create(const fs::path &home) {
  MICA_ASSIGN_OR_RETURN(FileDescriptor lock, artifact::lockArtifact(home));
  RebuildCommit commit(home, std::move(lock));
  MICA_RETURN_IF_ERROR(artifact::placeLockedFiles(home));
  removeAbandoned(home);
  std::error_code error;
  fs::remove_all(commit.folder, error);
  MICA_RETURN_IF_ERROR(makeFolder(commit.folder));
  MICA_ASSIGN_OR_RETURN(commit.originals, readOriginals(home));
  MICA_ASSIGN_OR_RETURN(commit.compiled, artifact::parseManifest(commit.originals[std::string(artifact::kManifestFile)],
                                                                 std::string(artifact::kOriginalsFile)));
  MICA_RETURN_IF_ERROR(artifact::addSnapshotHashes(home, commit.compiled));
  return commit;
}

//===------------------------------------------------------------------------------------------------------------===//
// What the compiler wrote
//===------------------------------------------------------------------------------------------------------------===//

static fs::path packedFile(fs::path file) {
  file += artifact::kPackedSuffix;
  return file;
}

const artifact::FileRecord *RebuildCommit::packedOriginal(const std::string &path) const {
  for (const artifact::FileRecord &record : compiled.files)
    if (record.packed && record.path == path)
      return &record;
  return nullptr;
}

/// Plain snapshots are extracted from their archive again, with equal contents.
Status RebuildCommit::readSnapshotOriginals() const {
  const fs::path file = home / artifact::kOriginalSnapshotsFile;
  std::error_code missing;
  if (std::exchange(hasSnapshotOriginals, true) || !fs::exists(file, missing))
    return Status::ok();
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(file));
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  SnapshotOptions options;
  options.assumeVerified = true;
  options.lineHashes = true;
  std::mutex mutex;
  return unpackSnapshots(data, file.string(), &context, options,
                         [&](const std::string &name, const UnpackedSnapshot &snapshot) {
                           std::lock_guard lock(mutex);
                           originals["passes_dump/" + name] = snapshot.text;
                           originals["passes_dump/" + name + std::string(artifact::kLineMapSuffix)] = snapshot.map;
                           return true;
                         });
}

Result<std::string> RebuildCommit::originalOf(const std::string &path) const {
  if (artifact::isSnapshotFile(path))
    MICA_RETURN_IF_ERROR(readSnapshotOriginals());
  if (auto original = originals.find(path); original != originals.end())
    return original->second;
  const fs::path aside = packedFile(home / artifact::kOriginalsFolder / path), here = packedFile(home / path);
  std::error_code ignored;
  if (const artifact::FileRecord *record = packedOriginal(path)) {
    Result<std::string> text = artifact::readText(fs::exists(aside, ignored) ? aside : here);
    if (!text || hashHex(*text) == record->hash)
      return text;
  }
  std::vector<std::string> names;
  for (const artifact::FileRecord &record : compiled.files)
    if (record.packed || originals.count(record.path))
      names.push_back(record.path);
  return Error{ErrorCode::NotFound, "there is no compiler's own version of '" + path + "' in " + home.string(),
               unknownNameHint(path, names)};
}

Status RebuildCommit::keepPacked(const std::string &path) const {
  const fs::path aside = packedFile(home / artifact::kOriginalsFolder / path), here = packedFile(home / path);
  const artifact::FileRecord *record = packedOriginal(path);
  std::error_code error;
  if (!record || fs::exists(aside, error) || !fs::exists(here, error))
    return Status::ok();
  MICA_ASSIGN_OR_RETURN(const std::string text, artifact::readText(here));
  if (hashHex(text) != record->hash)
    return Status::ok();
  MICA_RETURN_IF_ERROR(makeFolder(aside.parent_path()));
  // Builds replace files by rename, so a second link keeps the old file.
  fs::create_hard_link(here, aside, error);
  if (error)
    fs::copy_file(here, aside, error);
  return error ? systemError("write", aside, error.value()) : Status::ok();
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
  MICA_ASSIGN_OR_RETURN(const std::string original, originalOf(path));
  if (!packedOriginal(path))
    return writeFileAtomic(home / path, original);
  const fs::path aside = packedFile(home / artifact::kOriginalsFolder / path);
  std::error_code error;
  if (fs::exists(aside, error)) {
    MICA_ASSIGN_OR_RETURN(const std::string packed, readFile(aside));
    MICA_RETURN_IF_ERROR(writeFileAtomic(packedFile(home / path), packed));
  }
  fs::remove(home / path, error);
  return error ? systemError("remove", home / path, error.value()) : Status::ok();
}

Result<size_t> RebuildCommit::restoreAll() {
  MICA_RETURN_IF_ERROR(readSnapshotOriginals());
  const std::string manifestFile(artifact::kManifestFile), program(artifact::kProgramFile);
  MICA_ASSIGN_OR_RETURN(const std::string manifestNow, readFile(home / manifestFile));
  MICA_ASSIGN_OR_RETURN(const artifact::Manifest now, artifact::parseManifest(manifestNow, manifestFile));
  // Without the hashes that snapshots got when they were unpacked.
  MICA_ASSIGN_OR_RETURN(artifact::Manifest before,
                        artifact::parseManifest(originals.at(manifestFile), std::string(artifact::kOriginalsFile)));
  std::vector<std::string> files, gone;
  size_t restored = 0;
  for (const auto &[name, contents] : originals) {
    Result<std::string> is = readFile(home / name);
    if (name == manifestFile || (is && *is == contents))
      continue;
    MICA_RETURN_IF_ERROR(writeFile(folder / name, contents));
    files.push_back(name);
    ++restored;
  }
  std::error_code ignored;
  for (const artifact::FileRecord &record : before.files) {
    if (artifact::parseSnapshotName(record.path).position < 0)
      continue;
    const fs::path aside = packedFile(fs::path(artifact::kOriginalsFolder) / record.path);
    const std::string packed = packedFile(record.path).string();
    // A build may have stored the snapshot in its other form.
    const std::string &other = record.packed ? record.path : packed;
    const bool hasOther = fs::exists(home / other, ignored);
    const bool wasReplaced = record.packed && fs::exists(home / aside, ignored);
    // Snapshots that the manifest has as plain files are among the originals, and counted there.
    restored += record.packed && (hasOther || wasReplaced);
    if (hasOther)
      gone.push_back(other);
    if (!wasReplaced)
      continue;
    MICA_ASSIGN_OR_RETURN(const std::string contents, readFile(home / aside));
    MICA_RETURN_IF_ERROR(writeFile(folder / packed, contents));
    files.push_back(packed);
    gone.push_back(aside.string());
  }
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
    MICA_RETURN_IF_ERROR(linkProgram(objects, (folder / program).string(), linkedLibraries(before)));
    files.push_back(program);
  }
  for (const artifact::FileRecord &record : now.files) {
    if (!kept.count(record.path))
      gone.push_back(record.packed ? packedFile(record.path).string() : record.path);
    if (!record.original.empty())
      gone.push_back((fs::path(artifact::kOriginalsFolder) / record.path).string());
  }
  MICA_RETURN_IF_ERROR(writeFile(folder / manifestFile, artifact::printManifest(before)));
  files.push_back(manifestFile);
  MICA_RETURN_IF_ERROR(place(files, gone));
  return restored;
}

/// Weights that edits added are at the end of constants.bin; `index` has its original length.
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
    MICA_ASSIGN_OR_RETURN(const std::string text, artifact::readText(home / edit.path));
    editedFiles[edit.path] = hashHex(text);
  }
  return Status::ok();
}

Status RebuildCommit::finish(ArtifactFiles &files, const std::vector<artifact::Edit> &edits) {
  artifact::Manifest &manifest = files.manifest;
  for (const artifact::Edit &edit : edits) {
    MICA_ASSIGN_OR_RETURN(const std::string now, artifact::readText(home / edit.path));
    if (hashHex(now) != editedFiles[edit.path])
      return Error{ErrorCode::InvalidInput, (home / edit.path).string() + " was edited again while it was built",
                   "run again"};
  }
  // Snapshots that were removed, or stored in the other form, leave no file.
  std::vector<std::string> gone;
  for (const std::vector<std::string> *names : {&removed, &files.snapshots})
    for (const std::string &name : *names) {
      MICA_RETURN_IF_ERROR(keepPacked(name));
      llvm::append_range(gone, artifact::snapshotFiles(name));
    }
  llvm::erase_if(gone, [&](const std::string &name) { return llvm::is_contained(files.written, name); });
  llvm::erase_if(manifest.files, [&](const artifact::FileRecord &record) {
    return llvm::is_contained(gone, record.path) && !llvm::is_contained(files.snapshots, record.path);
  });

  // A hand-edited file is not overwritten; the compiler's version is stored beside it.
  for (artifact::FileRecord &record : manifest.files) {
    auto edited = editedFiles.find(record.path);
    if (edited == editedFiles.end())
      continue;
    const Result<std::string> original = originalOf(record.path);
    record.hash = edited->second;
    record.original = !original || hashHex(*original) == record.hash ? "" : hashHex(*original);
    const fs::path kept = home / artifact::kOriginalsFolder / record.path;
    std::error_code ignored;
    if (record.original.empty())
      fs::remove(kept, ignored);
    else
      MICA_RETURN_IF_ERROR(writeFileAtomic(kept, *original));
    llvm::erase(files.written, record.path);
  }

  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> phases, recordedPhases(files.fileOf("passes_dump/index.json")));
  linkSnapshots(manifest, phases);
  MICA_RETURN_IF_ERROR(writeFile(folder / artifact::kManifestFile, artifact::printManifest(manifest)));
  files.written.push_back(std::string(artifact::kManifestFile));
  return place(files.written, gone);
}

Status RebuildCommit::place(const std::vector<std::string> &files, const std::vector<std::string> &gone) {
  const llvm::json::Value journal(
      llvm::json::Object{{"files", llvm::json::Array(files)}, {"removed", llvm::json::Array(gone)}});
  std::string text;
  llvm::raw_string_ostream(text) << journal << "\n";
  MICA_RETURN_IF_ERROR(writeFileAtomic(home / artifact::kJournalFile, text));
  return artifact::placeLockedFiles(home);
}
