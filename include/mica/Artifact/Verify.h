//===- Verify.h - hash checks of an artifact's files ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a program executes is verified when it is loaded: program.so and host/tasks.json completely, constants.bin
// completely up to kWholeBytes, and by samples beyond. Hashes detect damage, edits and mixed-up files; they do not
// protect against forgery.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_VERIFY_H
#define MICA_ARTIFACT_VERIFY_H

#include "mica/Artifact/Artifact.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace mica::artifact {

/// Files up to this size are hashed whole wherever a sampled hash would do.
inline constexpr int64_t kWholeBytes = int64_t(16) << 20;

/// hashHex() of `bytes` up to kWholeBytes; beyond that a hash of the size and of 64 evenly spaced pieces of 4 KiB,
/// including the first and the last: it reads 256 KiB of a file of any size.
std::string sampledHash(const uint8_t *data, int64_t bytes);
/// The same of a file. Errors as readFile.
Result<std::string> sampledHash(const std::filesystem::path &file);

/// Fails with Damaged, both hashes and how to rebuild the file, unless `hash` is what the manifest has for the file
/// `path` (`isSampled`: a sampledHash()). Succeeds for files without such a hash.
Status checkHash(const Artifact &artifact, std::string_view path, const std::string &hash, bool isSampled = false);

/// Verifies the files that are executed, as loading does. Errors: Damaged, NotFound, Io.
Status verifyLoaded(const Artifact &artifact);
/// Verifies every file of the manifest, whole. The same errors, for the first that is not as recorded.
Status verifyWhole(const Artifact &artifact);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_VERIFY_H
