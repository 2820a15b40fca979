//===- StopLoops.h - ending loops after a failed check -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What fails gives 0. A loop that goes by it may not end by itself.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_STOPLOOPS_H
#define MICA_PASSES_CHECK_STOPLOOPS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace mica {

/// Lets each scf.while around one of `reports` end in the thread that reported. `entry`, the first block of their
/// function, gets the memory in which the thread keeps this; none where no report is in such a loop.
void stopLoopsAfterFailures(mlir::Block &entry, mlir::ArrayRef<mlir::Operation *> reports);

} // namespace mica

#endif // MICA_PASSES_CHECK_STOPLOOPS_H
