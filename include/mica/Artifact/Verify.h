//===- Verify.h - files of an artifact are what was written --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a program runs is verified when it is loaded: program.so and host/tasks.json whole, constants.bin whole up to
// kWholeBytes, and by samples beyond. Hashes find damage, edits and mixed-up files; they are no protection against
// forgery.
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

/// hashHex() of `bytes` up to kWholeBytes; beyond that a hash of the size and of 64 pieces of 4 KiB, the first and the
/// last among them, evenly spread: it touches 256 KiB of a file of any size.
std::string sampledHash(const uint8_t *data, int64_t bytes);
/// The same of a file. Errors as readFile.
Result<std::string> sampledHash(const std::filesystem::path &file);

/// Damaged, with both hashes and how to build the file again, unless `hash` is what the manifest has for the file
/// `path` (`isSampled`: a sampledHash()). Files of which the manifest has no such hash pass.
Status checkHash(const Artifact &artifact, std::string_view path, const std::string &hash, bool isSampled = false);

/// Verifies what runs, as loading it does. Errors: Damaged, NotFound, Io.
Status verifyLoaded(const Artifact &artifact);
/// Verifies every file of the manifest, whole. The same errors, for the first that is not as recorded.
Status verifyWhole(const Artifact &artifact);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_VERIFY_H
