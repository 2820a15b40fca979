//===- KernelArguments.h - what the arguments of a kernel are -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The attribute of the scalar arguments that the compiler passes to kernels, as opposed to those of the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H
#define MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H

#include "llvm/ADT/StringRef.h"

namespace mica::sched {

/// A unit attribute of a scalar argument of a kernel: the host computes it from sizes of tensors alone, so that it
/// cannot be wrong in a correct compile.
inline constexpr llvm::StringLiteral kSizeAttr = "mica_sched.size";

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_KERNELARGUMENTS_H
