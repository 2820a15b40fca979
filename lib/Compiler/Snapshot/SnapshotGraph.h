//===- SnapshotGraph.h - which file of an artifact was made from which snapshot -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The manifest's graph through the record: from the program's snapshots to those of each kernel, to kernel.mlir,
// through the snapshots of phase lowered to kernel.ll. What has to be built again after an edit follows from it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H
#define MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H

#include "mica/Artifact/Manifest.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Sets the inputs of snapshots, and of the files made from snapshots, in `manifest`, whose files are complete.
/// `phases`: of each pass, by position - 1.
void linkSnapshots(artifact::Manifest &manifest, const std::vector<std::string> &phases);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H
