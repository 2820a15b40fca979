//===- LLVMWorkarounds.h - LLVM IR that its code generator gets wrong ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Some IR that is right becomes wrong machine code in LLVM 22.1. It is put in other words after the optimiser, which
// would undo that, and before code is made.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H
#define MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mica::compiler {

/// Turns each masked store whose constant mask has one lane into a store of that element.
///
/// With AVX-512, LLVM 22.1 merges such a store with the truncation of what it stores and then writes the element as it
/// was before the truncation: the neighbours of an i8 are overwritten by the other bytes of an i32.
void storeSingleLanes(llvm::Module &module);

/// Remainders of bf16 become those of f32, rounded: exact, as remainders are, and LLVM's back end for AMD's GPUs has no
/// code for the former, which its optimiser makes of the latter.
void widenRemainders(llvm::Module &module);

/// In code for NVIDIA's GPUs -x becomes ~x + 1, the complement by an instruction of PTX that neither LLVM nor ptxas
/// makes a negation of.
///
/// For sm_90, ptxas of CUDA 13.0, and the driver's, compute max(max(c, -x), -y) as max(c, x, -y), and minima alike
/// (docs/UpstreamFindings.md). Of at most 32 bits, as those instructions are.
void hideNegations(llvm::Module &module);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H
