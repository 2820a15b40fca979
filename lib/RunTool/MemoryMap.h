//===- MemoryMap.h - the arena of an artifact by address and task -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: --memory-map.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_MEMORYMAP_H
#define MICA_LIB_RUNTOOL_MEMORYMAP_H

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Status.h"

#include <string>

namespace mica::runtool {

/// Prints for every task list of `artifact` how large its arena is, when most of it is in use and by what, and what
/// would lower that; with `file`, a picture of it (.svg). Gives whether no tensor is written over another that is still
/// read.
Result<bool> showMemoryMap(const artifact::Artifact &artifact, const std::string &file);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_MEMORYMAP_H
