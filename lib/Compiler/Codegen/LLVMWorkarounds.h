//===- LLVMWorkarounds.h - workarounds for LLVM code generation bugs ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM 22.1 miscompiles some valid IR. It is rewritten after the optimizer, which would undo the change, and before
// code generation. What MLIR's conversions get wrong is corrected before the optimizer.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H
#define MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mica::compiler {

/// Drops `nuw` from addresses that are computed with a negative stride, and from their products and sums. Upstream's
/// conversion of memref writes it for every stride, so they would be poison (docs/UpstreamFindings.md). Before the
/// optimizer.
void dropUnsignedWraps(llvm::Module &module);

/// Replaces each masked store whose constant mask has one active lane by a store of that element.
///
/// With AVX-512, LLVM 22.1 combines such a store with the truncation of the stored value, and stores the element before
/// the truncation: the other bytes of an i32 overwrite the neighbors of an i8.
void storeSingleLanes(llvm::Module &module);

/// Replaces bf16 remainders by f32 remainders, rounded, which is exact. LLVM's back end for AMD GPUs cannot select bf16
/// remainders, which the optimizer makes from f32 ones.
void widenRemainders(llvm::Module &module);

/// In code for NVIDIA GPUs, replaces -x by ~x + 1, with the complement as a PTX instruction that neither LLVM nor ptxas
/// folds to a negation.
///
/// For sm_90, ptxas of CUDA 13.0, and the driver's, compile max(max(c, -x), -y) to max(c, x, -y), and minima likewise
/// (docs/UpstreamFindings.md). Only types of at most 32 bits, as those instructions have.
void hideNegations(llvm::Module &module);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_LLVMWORKAROUNDS_H
