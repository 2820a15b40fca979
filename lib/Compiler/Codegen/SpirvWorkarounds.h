//===- SpirvWorkarounds.h - IR that SPIR-V's tools do not support -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM's back end for SPIR-V crashes on some IR, and gives other results for some. Khronos' translator, by which many
// drivers read SPIR-V, does not know all instructions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_SPIRVWORKAROUNDS_H
#define MICA_LIB_COMPILER_CODEGEN_SPIRVWORKAROUNDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mica::compiler {

/// Expands, in an optimized module that is to become SPIR-V:
///
/// - intrinsics for maxima and minima of floats, into comparisons and selects. LLVM 22.1 selects OpenCL's fmax for
///   llvm.maximum, which gives the number if one operand is NaN, and has no code for llvm.maximumnum. OpenCL does not
///   say which of two zeros fmax is; here -0 is less than +0.
/// - arithmetic with a flag for overflow. It becomes OpIAddCarry, which the translators of LLVM 14 and 15 do not know.
/// - casts between vectors of i1 and integers, which SPIR-V does not have.
/// - values of array type that are loaded, stored, selected or come from several blocks, into their elements. LLVM 22.1
///   crashes on arrays of vectors there.
/// - copies of memory whose sides overlap, or are aligned differently, which SPIR-V's have no word for.
/// - reversals of bits, which OpenCL's environment lacks, and integers of odd widths (WidenIntegers.h).
void legalizeForSpirv(llvm::Module &module);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_SPIRVWORKAROUNDS_H
