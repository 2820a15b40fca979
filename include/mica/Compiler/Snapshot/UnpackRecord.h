//===- UnpackRecord.h - files made of a record's pack -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_SNAPSHOT_UNPACKRECORD_H
#define MICA_COMPILER_SNAPSHOT_UNPACKRECORD_H

#include "mica/Support/Status.h"

#include <string>

namespace mica::compiler {

/// Makes the packed files of all snapshots of `folder`/snapshots.archive, and snapshots.json, which says that this is
/// done (mica/Artifact/SnapshotFile.h). Once: a second call, also one beside it in another process, does nothing. Takes
/// about as long as the compile did. Errors: NotFound where there is no pack, Damaged, Io.
Status unpackRecord(const std::string &folder);

} // namespace mica::compiler

#endif // MICA_COMPILER_SNAPSHOT_UNPACKRECORD_H
