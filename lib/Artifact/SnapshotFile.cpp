//===- SnapshotFile.cpp - snapshots on disk -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/SnapshotFile.h"

#include "lib/Support/Json.h"
#include "mica/Artifact/Edits.h"
#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"

namespace fs = std::filesystem;

namespace mica::artifact {
namespace {

fs::path with(const fs::path &file, std::string_view suffix) {
  fs::path other = file;
  other += suffix;
  return other;
}

bool isThere(const fs::path &file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

/// "a.mlir" for "a.mlir.zst".
fs::path plainName(const fs::path &file) {
  return file.extension() == kPackedSuffix ? file.parent_path() / file.stem() : file;
}

/// Whether `file`, which does not exist, may be in the archive of its folder.
bool mayBeSealed(const fs::path &file) {
  return parseSnapshotName("passes_dump/" + plainName(file).filename().string()).position >= 0 &&
         isSealed(file.parent_path());
}

} // namespace

StoredFile packSnapshot(const std::string &name, std::string_view text, std::string_view map) {
  return {name + std::string(kPackedSuffix), compress(text) + skippableFrame(compress(map))};
}

bool isSealed(const fs::path &folder) {
  return isThere(folder / kSnapshotArchiveFile) && !isThere(folder / kUnpackedFile);
}

Status unseal(const fs::path &folder) {
  if (!isSealed(folder))
    return {};
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 "the snapshots in " + folder.string() + " are packed, and cannot be read: " + compiler.error().message,
                 "unpack them where there is a compiler: mica-compile --unpack-snapshots=" + folder.string()};
  MICA_ASSIGN_OR_RETURN(const int code, runProcess({compiler->string(), "--unpack-snapshots=" + folder.string()}));
  if (code != 0)
    return Error{ErrorCode::Io, "the snapshots in " + folder.string() + " were not unpacked; see the error above",
                 "where the folder cannot be written, copy the artifact"};
  return {};
}

Result<size_t> makePlain(const fs::path &folder) {
  MICA_RETURN_IF_ERROR(unseal(folder));
  std::vector<fs::path> packed;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == kPackedSuffix && !isThere(plainName(it->path())))
      packed.push_back(it->path());
  if (error)
    return systemError("read", folder, error.value());
  for (const fs::path &file : packed) {
    MICA_ASSIGN_OR_RETURN(const std::string text, readText(file));
    MICA_RETURN_IF_ERROR(writeFileAtomic(plainName(file), text));
  }
  return packed.size();
}

Status addSnapshotHashes(const fs::path &folder, Manifest &manifest) {
  const fs::path record = folder / "passes_dump", file = record / kUnpackedFile;
  if (!isThere(file))
    return {};
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("snapshots") || !json["snapshots"].is_object())
    return Error{ErrorCode::Damaged, file.string() + " is damaged: it does not list snapshots",
                 "remove it, and the snapshots are unpacked again"};
  for (FileRecord &snapshot : manifest.files) {
    if (!snapshot.hash.empty())
      continue;
    const auto hash = json["snapshots"].find(fs::path(snapshot.path).filename().string());
    if (hash != json["snapshots"].end() && hash->is_string())
      snapshot.hash = hash->get<std::string>();
  }
  return {};
}

std::vector<StoredFile> storeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                                      bool isPlain) {
  if (isPlain || text.size() <= kPlainSnapshotBytes)
    return {{name, std::string(text)}, {name + std::string(kLineMapSuffix), std::string(map)}};
  return {packSnapshot(name, text, map)};
}

std::vector<std::string> snapshotFiles(const std::string &name) {
  return {name, name + std::string(kLineMapSuffix), name + std::string(kPackedSuffix)};
}

bool textExists(const fs::path &file) {
  return isThere(file) || isThere(with(file, kPackedSuffix)) || mayBeSealed(file);
}

Result<std::string> readText(const fs::path &file) {
  const fs::path packed = file.extension() == kPackedSuffix ? file : with(file, kPackedSuffix);
  if (!isThere(file) && !isThere(packed) && mayBeSealed(file))
    MICA_RETURN_IF_ERROR(unseal(file.parent_path()));
  if (file != packed && (isThere(file) || !isThere(packed)))
    return readFile(file);
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(packed));
  return decompress(data, packed.string());
}

Result<StoredLineMap> readLineMap(const fs::path &file) {
  const fs::path plain = plainName(file), map = with(plain, kLineMapSuffix), packed = with(plain, kPackedSuffix);
  StoredLineMap result;
  if (!isThere(map) && !isThere(packed) && mayBeSealed(file))
    MICA_RETURN_IF_ERROR(unseal(file.parent_path()));
  if (isThere(map) || !isThere(packed)) {
    MICA_ASSIGN_OR_RETURN(result.json, readFile(map));
    return result;
  }
  MICA_ASSIGN_OR_RETURN(const std::string data, readFile(packed));
  MICA_ASSIGN_OR_RETURN(const std::string_view frame, findSkippable(data, packed.string()));
  if (frame.empty())
    return Error{ErrorCode::NotFound, packed.string() + " has no line map", ""};
  MICA_ASSIGN_OR_RETURN(result.json, decompress(frame, packed.string()));
  if (file != packed && isThere(plain)) {
    MICA_ASSIGN_OR_RETURN(result.original, decompress(data, packed.string()));
  }
  return result;
}

} // namespace mica::artifact
