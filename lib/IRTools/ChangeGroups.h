//===- ChangeGroups.h - grouping equal changes ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds equal changes, and the hunks that contain only repeated changes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_CHANGEGROUPS_H
#define MICA_LIB_IRTOOLS_CHANGEGROUPS_H

#include "mica/IRTools/Document.h"
#include "mica/IRTools/LineView.h"

namespace mica::irtools {

/// Computes `diff.groups`.
void groupChanges(ModuleDiff &diff);

/// For each hunk, whether all its lines belong to changes that are not the first of their group.
std::vector<bool> findRepeatedHunks(const std::vector<Row> &rows, const std::vector<Hunk> &hunks,
                                    const ShownText &before, const ShownText &after, const ModuleDiff &diff);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_CHANGEGROUPS_H
