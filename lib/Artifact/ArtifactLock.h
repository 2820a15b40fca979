//===- ArtifactLock.h - the lock of an artifact -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Held while files of a rebuild after edits are made or moved into place (mica/Artifact/Edits.h).
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_ARTIFACTLOCK_H
#define MICA_LIB_ARTIFACT_ARTIFACTLOCK_H

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Status.h"

#include <filesystem>

namespace mica::artifact {

/// Locks the artifact in `folder`, waiting if necessary, until the descriptor is closed. Errors: Io.
Result<FileDescriptor> lockArtifact(const std::filesystem::path &folder);

/// placeBuiltFiles() for a caller that holds the lock.
Status placeLockedFiles(const std::filesystem::path &folder);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_ARTIFACTLOCK_H
