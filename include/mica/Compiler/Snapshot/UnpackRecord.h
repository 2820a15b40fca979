//===- UnpackRecord.h - extracting the snapshots of a record ------------------------------------------------------===//
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

/// Extracts all snapshots of `folder`/snapshots.archive to packed files, and writes snapshots.json, which marks this as
/// done (mica/Artifact/SnapshotFile.h). Done once: another call, also a concurrent one in another process, does
/// nothing. Takes about as long as the compile did. Errors: NotFound if there is no archive, Damaged, Io.
Status unpackRecord(const std::string &folder);

} // namespace mica::compiler

#endif // MICA_COMPILER_SNAPSHOT_UNPACKRECORD_H
