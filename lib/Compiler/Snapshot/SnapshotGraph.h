//===- SnapshotGraph.h - the build graph of snapshots -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The part of the manifest's build graph that covers the record: from the program's snapshots to those of each kernel,
// to kernel.mlir, and through the snapshots of phase lowered to kernel.ll. It determines what to rebuild after an edit.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H
#define MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H

#include "mica/Artifact/Manifest.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Sets the inputs of snapshots, and of files made from snapshots, in `manifest`, whose list of files is complete.
/// `phases`: of each pass, by position - 1.
void linkSnapshots(artifact::Manifest &manifest, const std::vector<std::string> &phases);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_SNAPSHOTGRAPH_H
