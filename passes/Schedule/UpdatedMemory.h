//===- UpdatedMemory.h - memory that a kernel may update in place ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A dispatch of a kernel with a buffer of access `readwrite` updates the memory of an operand. On tensors that is
// correct only if the operand's old elements are not used any more, in this or a later iteration of enclosing loops.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H
#define MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H

#include "mlir/IR/Value.h"

namespace mica {

/// Returns null if the owner of `use` may update the memory of its operand. Otherwise returns the operand to copy:
/// `use` itself, or an initial value of a loop that carries the memory. One copy may not be sufficient.
mlir::OpOperand *findSharedOperand(mlir::OpOperand &use);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H
