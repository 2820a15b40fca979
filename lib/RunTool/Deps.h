//===- Deps.h - the dependencies of an artifact's tasks ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: --deps.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_DEPS_H
#define MICA_LIB_RUNTOOL_DEPS_H

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Status.h"

#include <string>

namespace mica::runtool {

/// Compares the dependencies of every task list of `artifact` with what its tasks access. Prints the dependencies that
/// are missing, with the one to add, and how many are not needed; with `file`, writes all of it there, as JSON (.json)
/// or for Graphviz (.dot). Gives whether none is missing.
Result<bool> showDependencies(const artifact::Artifact &artifact, const std::string &file);

/// Two tasks of `list`, a line each, and a line on the memory that both access, with the dependency to add.
/// `firstTask`: how many tasks of the program's list stand before this part of it.
std::string pairText(const artifact::Manifest &manifest, const artifact::TaskList &list, size_t before, size_t after,
                     size_t firstTask);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_DEPS_H
