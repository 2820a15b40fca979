//===- UpdatedMemory.h - whose memory a kernel may change in place -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A dispatch of a kernel with a buffer of access `readwrite` changes the memory of an operand. On tensors that is right
// only where nothing needs the operand's old elements any more, in this or a later iteration of the loops around it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H
#define MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H

#include "mlir/IR/Value.h"

namespace mica {

/// Null where whoever owns `use` may change the memory of what it passes. Otherwise the operand that, were it a copy,
/// would make it so or bring it nearer: `use` itself, or an initial value of a loop that carries the memory.
mlir::OpOperand *findSharedOperand(mlir::OpOperand &use);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_UPDATEDMEMORY_H
