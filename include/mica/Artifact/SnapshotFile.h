//===- SnapshotFile.h - snapshots on disk -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A snapshot is named "0042_cse@k.mlir" in all interfaces, and is stored in its folder in one of three forms:
//
//   plain    0042_cse@k.mlir and its line map 0042_cse@k.mlir.map.json: up to 4 KiB of text
//   packed   0042_cse@k.mlir.zst: a zstd frame with the text, for zstdless, and a skippable frame with the line map
//   sealed   in snapshots.archive with all others, as mica-compile leaves it: of that, mica-compile makes packed
//            snapshots when the first one is read, and snapshots.json, which says that it did and holds the hashes of
//            the texts
//
// If several exist, the plain text takes precedence, then the packed one: `zstd -d` makes a snapshot that can be
// edited.
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

/// A file on disk for a snapshot: its name, made from that of the snapshot, and its contents.
struct StoredFile {
  std::string name, contents;
};
std::vector<StoredFile> storeSnapshot(const std::string &name, std::string_view text, std::string_view map,
                                      bool isPlain = false);

/// The same, packed whatever its length.
StoredFile packSnapshot(const std::string &name, std::string_view text, std::string_view map);

/// Whether the snapshots in `folder` are still sealed.
bool isSealed(const std::filesystem::path &folder);

/// Unpacks the snapshots of `folder` if they are sealed. Takes about as long as the compile, once. Errors: Unsupported
/// if mica-compile is not found, Io if the folder cannot be written, Damaged.
Status unseal(const std::filesystem::path &folder);

/// Makes plain files of all packed snapshots of the record `folder`, which then take precedence; existing plain files
/// are kept. Returns the number of files made. Errors: those of unseal(), Io, Damaged.
Result<size_t> makePlain(const std::filesystem::path &folder);

/// Sets the hashes of the snapshots in `manifest`, that of the artifact in `folder`, to those after unpacking. Errors:
/// Damaged, Io.
Status addSnapshotHashes(const std::filesystem::path &folder, Manifest &manifest);

/// The names of all files that may hold the snapshot `name`.
std::vector<std::string> snapshotFiles(const std::string &name);

/// Whether the file or its packed form exists, or the folder is sealed and may contain it.
bool textExists(const std::filesystem::path &file);

/// The text of `file`, "...0042_cse@k.mlir" or any other text: of the plain file if it exists, else of its packed form;
/// or of a packed file given by its own name. Unseals the folder for a snapshot. Errors: NotFound (naming `file`), Io,
/// Damaged, and those of unseal().
Result<std::string> readText(const std::filesystem::path &file);

/// A line map, and the text for which it was made if that is kept beside an edited one (else empty).
struct StoredLineMap {
  std::string json, original;
};

/// The line map of the text `file`, named in the same ways. Errors: NotFound if it has none, Io, Damaged.
Result<StoredLineMap> readLineMap(const std::filesystem::path &file);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_SNAPSHOTFILE_H
