//===- TaskNames.h - tasks and operations in messages -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// How messages call a task of a task list, and the operation that its kernel computes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_TASKNAMES_H
#define MICA_ARTIFACT_TASKNAMES_H

#include "mica/Artifact/Manifest.h"

#include <string>

namespace mica::artifact {

/// The root of what the task's kernel computes; null: unknown.
const OpRecord *rootOf(const Manifest &manifest, const TaskRecord &task);

/// "mica.exp [3f2a91c07b1e] at m.mlir:3:8".
std::string opText(const OpRecord &op);

/// "task 3 (kernel 'k', mica.exp [3f2a91c07b1e] at m.mlir:3:8)". `firstTask`: how many tasks of the program's list are
/// before this part of it.
std::string taskText(const Manifest &manifest, const TaskList &list, size_t index, size_t firstTask = 0);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_TASKNAMES_H
