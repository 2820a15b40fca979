//===- Narrow.h - a program that gives one of its results ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the entry of a program keeps its signature while the program is reduced, so results that are right are taken
// out of it before.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_NARROW_H
#define MICA_LIB_BISECT_NARROW_H

#include "lib/Bisect/Entry.h"
#include "lib/Bisect/Outcome.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace mica::bisect {

struct Narrowed {
  mlir::OwningOpRef<mlir::ModuleOp> program;
  Entry entry;
};

/// `state` with a `func.func` as entry that returns result `index` alone. Nothing where it has another form, or a
/// caller.
std::optional<Narrowed> keepResult(mlir::ModuleOp state, const Entry &entry, size_t index);

/// The results that differ between two outcomes; of one that did not run, none.
std::vector<size_t> differingResults(const Outcome &actual, const Outcome &expected);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_NARROW_H
