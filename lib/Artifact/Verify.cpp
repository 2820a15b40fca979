//===- Verify.cpp - hash checks of an artifact's files -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See Verify.h.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/Verify.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/MappedFile.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

namespace mica::artifact {

std::string sampledHash(const uint8_t *data, int64_t bytes) {
  Hasher hasher;
  if (bytes <= kWholeBytes) {
    hasher.update(data, static_cast<size_t>(bytes));
    return hasher.hex();
  }
  constexpr int64_t kPieces = 64, kPieceBytes = 4096;
  auto place = [&](int64_t i) {
    // Avoids overflow in the product of two large numbers.
    const int64_t last = bytes - kPieceBytes;
    return i == kPieces - 1 ? last : i * (last / (kPieces - 1));
  };
  // Requests all pieces before waiting for the first, so that the disk can read them concurrently.
  const uintptr_t page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (int64_t i = 0; i < kPieces; ++i) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(data + place(i)) & ~(page - 1);
    ::madvise(reinterpret_cast<void *>(begin), 2 * kPieceBytes, MADV_WILLNEED);
  }
  hasher.update(std::to_string(bytes));
  for (int64_t i = 0; i < kPieces; ++i)
    hasher.update(data + place(i), kPieceBytes);
  return hasher.hex();
}

Result<std::string> sampledHash(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<MappedFile> mapped, MappedFile::open(file));
  return sampledHash(mapped->data(), mapped->size());
}

static Error mismatch(const Artifact &artifact, std::string_view path, const std::string &found,
                      const std::string &expected) {
  const std::string folder = artifact.folder().string(), input = artifact.sourcePath(artifact.manifest().inputFile);
  const std::string again =
      "mica-compile " + (input.empty() ? std::string("MODEL") : input) + " -o " + folder + " --force";
  return Error{ErrorCode::Damaged,
               artifact.path(path).string() + " is not the file that was built: its hash is " + found + ", " +
                   std::string(kManifestFile) + " has " + expected,
               path == kTasksFile ? "after an edit by hand: mica-run " + folder + "; to take it back: mica-run " +
                                        folder + " --reset=" + std::string(kTasksFile) + "; otherwise " + again
                                  : "copy the artifact again with all its files, or build it again: " + again};
}

Status checkHash(const Artifact &artifact, std::string_view path, const std::string &hash, bool isSampled) {
  for (const FileRecord &record : artifact.manifest().files) {
    const std::string &expected = isSampled && !record.sampled.empty() ? record.sampled : record.hash;
    // A large file of an older version of Mica has no sampled hash.
    const bool isKnown = !expected.empty() && (!isSampled || !record.sampled.empty());
    if (record.path == path && isKnown && expected != hash)
      return mismatch(artifact, path, hash, expected);
  }
  return {};
}

Status verifyLoaded(const Artifact &artifact) {
  MICA_RETURN_IF_ERROR(checkHash(artifact, kTasksFile, artifact.tasksHash()));
  MICA_ASSIGN_OR_RETURN(const std::string program, hashFile(artifact.path(kProgramFile)));
  MICA_RETURN_IF_ERROR(checkHash(artifact, kProgramFile, program));
  if (artifact.manifest().constants.empty())
    return {};
  const std::filesystem::path constants = artifact.path(kConstantsFile);
  std::error_code error;
  const bool isSampled = std::filesystem::file_size(constants, error) > uintmax_t(kWholeBytes) && !error;
  MICA_ASSIGN_OR_RETURN(const std::string hash, isSampled ? sampledHash(constants) : hashFile(constants));
  return checkHash(artifact, kConstantsFile, hash, isSampled);
}

Status verifyWhole(const Artifact &artifact) {
  MICA_ASSIGN_OR_RETURN(const std::vector<FileChange> changes, artifact.changes());
  for (const FileChange &change : changes) {
    if (change.state == FileState::Missing && change.path.starts_with(std::string(kOriginalsFolder) + "/"))
      continue; // not needed at run time
    if (change.state == FileState::Missing)
      return Error{ErrorCode::NotFound, artifact.path(change.path).string() + " is missing",
                   "copy the artifact again with all its files, or compile the model again"};
    for (const FileRecord &record : artifact.manifest().files)
      if (record.path == change.path && !record.hash.empty()) {
        MICA_ASSIGN_OR_RETURN(const std::string hash, artifact.hashText(record));
        return mismatch(artifact, change.path, hash, record.hash);
      }
  }
  return {};
}

} // namespace mica::artifact
