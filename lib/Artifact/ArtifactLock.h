//===- ArtifactLock.h - one build of an artifact at a time ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Held by whoever makes or places files of a build after edits (mica/Artifact/Edits.h).
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_ARTIFACT_ARTIFACTLOCK_H
#define MICA_LIB_ARTIFACT_ARTIFACTLOCK_H

#include "lib/Support/FileDescriptor.h"
#include "mica/Support/Status.h"

#include <filesystem>

namespace mica::artifact {

/// Waits for the lock of the artifact in `folder`; it lasts as long as the descriptor. Errors: Io.
Result<FileDescriptor> lockArtifact(const std::filesystem::path &folder);

/// placeBuiltFiles() for the holder of the lock.
Status placeLockedFiles(const std::filesystem::path &folder);

} // namespace mica::artifact

#endif // MICA_LIB_ARTIFACT_ARTIFACTLOCK_H
