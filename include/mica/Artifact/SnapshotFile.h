//===- SnapshotFile.h - the text of a snapshot on disk ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A snapshot is called "0042_cse@k.mlir" everywhere, and lies in its folder in one of three forms:
//
//   plain    0042_cse@k.mlir and its line map 0042_cse@k.mlir.map.json: up to 4 KiB of text
//   packed   0042_cse@k.mlir.zst: a zstd frame with the text, for zstdless, and a skippable frame with the line map
//   sealed   in snapshots.archive with all others, as mica-compile leaves it: of that, mica-compile makes packed
//            snapshots when the first one is read, and snapshots.json, which says that it did and holds the hashes of
//            the texts
//
// Where several are there, the plain text is the one that counts, then the packed one: `zstd -d` makes a snapshot that
// can be edited.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_SNAPSHOTFILE_H
#define MICA_ARTIFACT_SNAPSHOTFILE_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

/// Longer texts are packed, in bytes. Most snapshots of a small program are plain files.
inline constexpr size_t kPlainSnapshotBytes = 4 << 10;
/// Snapshots of an artifact are plain files up to this sum of their texts, and an archive beyond it.
inline constexpr size_t kMostPlainBytes = size_t(64) << 20;
inline constexpr std::string_view kPackedSuffix = ".zst";
inline constexpr std::string_view kLineMapSuffix = ".map.json";
inline constexpr std::string_view kSnapshotArchiveFile = "snapshots.archive", kUnpackedFile = "snapshots.json";

/// What lies on disk for a snapshot: names, from that of the snapshot, and contents.
struct StoredFile {
  std::string name, contents;
};
std::vector<StoredFile> storeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                                      bool isPlain = false);

/// The same, packed whatever its length.
StoredFile packSnapshot(const std::string &name, std::string_view text, std::string_view map);

/// Whether the snapshots in `folder` are still sealed.
bool isSealed(const std::filesystem::path &folder);

/// Unpacks the snapshots of `folder` where they are sealed. Takes about as long as their compile did, once. Errors:
/// Unsupported where there is no mica-compile, Io where the folder cannot be written, Damaged.
Status unseal(const std::filesystem::path &folder);

/// Makes plain files of all packed snapshots of the record `folder`, which count from then on; those that are there
/// stay. Gives how many were made. Errors: of unseal(), Io, Damaged.
Result<size_t> makePlain(const std::filesystem::path &folder);

/// Gives the snapshots of `manifest`, that of the artifact in `folder`, the hashes that they have once they are
/// unpacked. Errors: Damaged, Io.
Status addSnapshotHashes(const std::filesystem::path &folder, Manifest &manifest);

/// Names of all files that the snapshot `name` may lie in.
std::vector<std::string> snapshotFiles(const std::string &name);

/// Whether the file, or its packed form, is there, or the folder is sealed and may have it.
bool textExists(const std::filesystem::path &file);

/// The text of `file`, "...0042_cse@k.mlir" or any other text: of the file where it is there, else of its packed form;
/// or of a packed file given by its own name. Unseals the folder for a snapshot. Errors: NotFound (naming `file`), Io,
/// Damaged, and those of unseal().
Result<std::string> readText(const std::filesystem::path &file);

/// A line map, and the text that it was made for where that is kept beside an edited one (else empty).
struct StoredLineMap {
  std::string json, original;
};

/// The line map of the text `file`, named in the same ways. Errors: NotFound where it has none, Io, Damaged.
Result<StoredLineMap> readLineMap(const std::filesystem::path &file);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_SNAPSHOTFILE_H
