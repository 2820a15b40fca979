//===- ChangesFile.h - what each pass did, beside the record ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// mica-diff writes the file when it has compared a whole record (docs/Artifact.md). It is not part of the compiled
// artifact.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_CHANGESFILE_H
#define MICA_ARTIFACT_CHANGESFILE_H

#include <string_view>

namespace mica::artifact {

/// In the record's folder.
inline constexpr std::string_view kChangesFile = "changes.archive";

} // namespace mica::artifact

#endif // MICA_ARTIFACT_CHANGESFILE_H
