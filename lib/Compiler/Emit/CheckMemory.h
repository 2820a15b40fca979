//===- CheckMemory.h - the memory limit of a compile --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --memory-limit: what a program needs at once is known after phase kernel, where its sizes are static.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_CHECKMEMORY_H
#define MICA_LIB_COMPILER_EMIT_CHECKMEMORY_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <vector>

namespace mica::compiler {

/// Fails (InvalidInput) if a task list needs more than `limit` bytes: the program's constants, the list's arguments and
/// results, and its arena. The error names the first task at which it does, and what is in use then. Buffers of dynamic
/// size and those of host functions do not count.
Status checkMemory(const artifact::Manifest &manifest, const std::vector<artifact::TaskList> &lists, int64_t limit);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_CHECKMEMORY_H
