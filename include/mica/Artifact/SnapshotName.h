//===- SnapshotName.h - finding a snapshot of the record -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_SNAPSHOTNAME_H
#define MICA_ARTIFACT_SNAPSHOTNAME_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace mica::artifact {

/// The position of a snapshot in the record of the artifact `folder`: `text` is a number, or the name of a pass that
/// runs once ("input": 0). A pass that runs several times, of which one changed the program, means that one.
/// InvalidInput: no such pass, or several; lists them.
Result<int64_t> findSnapshot(const std::filesystem::path &folder, const std::string &text);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_SNAPSHOTNAME_H
