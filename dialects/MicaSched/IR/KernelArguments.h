//===- KernelArguments.h - what the arguments of a kernel are -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Attributes of kernels that tell what the compiler computed from what the program did.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H
#define MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H

#include "llvm/ADT/StringRef.h"

namespace mica::sched {

/// A unit attribute of a scalar argument of a kernel: the host computes it from sizes of tensors alone, so that it
/// cannot be wrong in a correct compile.
inline constexpr llvm::StringLiteral kSizeAttr = "mica_sched.size";

/// A unit attribute of a kernel: an operation in it reads an element of a tensor at a position that the program
/// computes, which may be outside of it even if it is computed from sizes alone.
inline constexpr llvm::StringLiteral kComputedPositionsAttr = "mica_sched.computed_positions";

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H
