//===- Strip.h - a verdict without names and weights --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: for reports that leave the house.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_STRIP_H
#define MICA_LIB_BISECT_STRIP_H

#include "lib/Bisect/Entry.h"
#include "lib/Bisect/Verdict.h"

#include "mlir/IR/MLIRContext.h"

namespace mica::bisect {

/// Gives functions and globals of the program new names (f0, g1, ...), in IR and in sentences, and leaves out the
/// elements of constants of more than 16 elements that are no splats. `main` and functions without a body keep theirs.
/// `entry` gets its new name and loses its inputs. Places in files lose the file's name. Fails (Unsupported) where IR
/// of the verdict does not parse.
Status stripVerdict(Verdict &verdict, Entry &entry, mlir::MLIRContext &context);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_STRIP_H
