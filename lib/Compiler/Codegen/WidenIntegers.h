//===- WidenIntegers.h - integers of the widths that SPIR-V has -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// LLVM's back end for SPIR-V takes i3 for i8 and clears no bits: zext of an i3 that wrapped around keeps the carry.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_WIDENINTEGERS_H
#define MICA_LIB_COMPILER_CODEGEN_WIDENINTEGERS_H

#include "llvm/IR/Function.h"

namespace mica::compiler {

/// Computes integers of widths other than 1, 8, 16, 32 and 64, and vectors of them, in the next of these widths, with
/// zeros above. Values of loads and of calls stay as they are, but for intrinsics that integer code uses (abs,
/// minima, maxima, counts of bits, differences that saturate).
void widenIntegers(llvm::Function &function);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_WIDENINTEGERS_H
